"""People whose account was closed: they play on where they sit, and begin or join nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ostbahn.interop import saves
from ostbahn.kits.catalogue import new_game
from ostbahn.server.db.database import Database
from ostbahn.server.ops.moderation import Moderation
from ostbahn.server.web.services import Services
from tests.server.site import Client, client
from tests.server.tables import NAMES

IDA = {"name": "Ida", "password": "Brno-Prerov"}
SEATS = zip(NAMES[:3], ("here", "link", "link"), strict=True)
TABLE = {"title": "18CZ", "seats": [{"name": name, "who": who} for name, who in SEATS]}


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as made:
        yield made


def services_of(browser: Client) -> Services:
    found: Services = browser.app.state.services
    return found


def ban(browser: Client) -> None:
    inside = services_of(browser)
    Moderation(inside.game_service, inside.people).ban("Ida", "spam")


def games(database: Database) -> int:
    with database.session() as session:
        return session.connection().exec_driver_sql("SELECT count(*) FROM games").scalar() or 0


def ways(keys: dict[str, str], game: str, tournament: str) -> dict[str, dict[str, Any]]:
    """All requests by which somebody begins a game or sits down at one."""
    save = saves.dump(new_game("18CZ", NAMES[:3])).decode()
    return {
        "/api/games": {"json": TABLE},
        "/new": {"data": {"game": "18CZ/base", "players": "3"}},
        "/play": {"data": {"game": "18CZ/base"}},
        "/watch": {"data": {"game": "18CZ/base"}},
        "/import": {"data": {"text": save}},
        f"/lobby/{game}/join": {"data": {"name": "Ida"}},
        f"/t/{keys['p2']}/join": {"data": {"name": "Ida", "seat": "p2"}},
        f"/api/t/{keys['p2']}/answer": {"json": {"version": 0, "action": {"do": "pass"}}},
        f"/api/t/{keys['p2']}/chat": {"json": {"text": "hello"}},
        f"/api/t/{keys['p2']}/plans": {"json": {"name": "North"}},
        "/tournaments/new": {"data": {"name": "Cup", "game": "18CZ/base", "size": "3", "rounds": "1"}},
        f"/tournaments/{tournament}/enter": {},
        "/register": {"data": {"name": "Jan", "password": "Brno-Prerov"}},
    }


def test_whose_account_was_closed_neither_begins_nor_joins_a_game(browser: Client) -> None:
    links = browser.post("/api/games", json=TABLE | {"listed": True}).json()
    keys = {link["seats"][0]: link["key"] for link in links if link["role"] == "seat"}
    inside = services_of(browser)
    browser.post("/register", data=IDA)
    made = browser.post("/tournaments/new", data={"name": "Cup", "game": "18CZ/base", "size": "3", "rounds": "1"})
    tournament = made.headers["location"].rpartition("/")[2]
    game = inside.game_service.access(keys["p2"]).game
    before = games(inside.database)
    ban(browser)
    answered = {path: browser.post(path, **sent) for path, sent in ways(keys, game, tournament).items()}
    assert {path: answer.status_code for path, answer in answered.items()} == dict.fromkeys(answered, 403)
    assert games(inside.database) == before
    assert not inside.game_service.access(keys["p2"]).used
    assert browser.get(f"/t/{keys['p2']}").status_code == 200, "looking is free"


def test_whose_account_was_closed_plays_on_where_they_sit(browser: Client) -> None:
    browser.post("/register", data=IDA)
    links = browser.post("/api/games", json=TABLE).json()
    key = next(link["key"] for link in links if link["seats"] == ["p2"])
    browser.post(f"/t/{key}/join", data={"name": "Ida", "seat": "p2"})
    ban(browser)
    answer = browser.post(f"/t/{key}/join", data={"name": "Ida Nová", "seat": "p2"})
    assert answer.status_code == 303


def test_whose_account_was_closed_does_not_go_on_from_a_game_nor_talk_as_a_spectator(browser: Client) -> None:
    browser.post("/register", data=IDA)
    alone = [{"name": name, "who": "here"} for name in NAMES[:3]]
    links = browser.post("/api/games", json={"title": "18CZ", "seats": alone}).json()
    keys = {link["role"]: link["key"] for link in links}
    ban(browser)
    assert browser.post(f"/t/{keys['host']}/play-on", data={"at": "0", "seat": "p1", "bot": "G"}).status_code == 403
    assert browser.post(f"/api/t/{keys['spectator']}/chat", json={"text": "hello"}).status_code == 403
