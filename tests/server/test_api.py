"""The JSON interface, asked over the network as programs do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from ostbahn.interop.saves import load
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.bots.service import HintApi
from ostbahn.server.chat.service import ChatApi
from ostbahn.server.clocks.service import TimeApi
from ostbahn.server.db.database import Database
from ostbahn.server.games.api import GamesApi, TableApi, TableQueriesApi
from ostbahn.server.lobby.pages import LobbyApi
from ostbahn.server.plans.service import BoardApi, PlansApi
from ostbahn.server.profiles.service import PeopleApi
from ostbahn.server.programmed.service import ProgrammedApi
from ostbahn.server.reviews.pages import FiguresApi
from ostbahn.server.tournaments.pages import TournamentApi
from ostbahn.server.web.services import SITE, Services
from ostbahn.table.panels import PANELS
from ostbahn.testing import play_random
from tests.server.network import Json, Seat, first, open_table, told, until
from tests.server.sample_games import busy, moments, random_game
from tests.server.tables import FEWEST, NAMES, WAYS

# Games

APIS = (
    GamesApi,
    TableApi,
    ChatApi,
    HintApi,
    TableQueriesApi,
    ProgrammedApi,
    PlansApi,
    BoardApi,
    FiguresApi,
    TimeApi,
    LobbyApi,
    PeopleApi,
    TournamentApi,
)


def test_every_route_describes_itself(net: httpx.Client) -> None:
    paths = told(net.get("/schema/openapi.json"))["paths"]
    described = {(path.rstrip("/"), method) for path, methods in paths.items() for method in methods}
    known = {
        (re.sub(r":\w+}", "}", f"{controller.path}{path}").rstrip("/"), method.lower())
        for controller in APIS
        for handler in vars(controller).values()
        if hasattr(handler, "http_methods")
        for path in handler.paths
        for method in handler.http_methods
        if method != "HEAD"
    }
    assert known == described
    assert len(known) == 48
    for path, method in known:
        assert paths[path][method]["summary"]


def test_the_catalogue_and_the_rules(net: httpx.Client) -> None:
    found = told(net.get("/api/catalogue"))
    assert [(entry["title"], entry["variant"]) for entry in found["entries"]] == WAYS
    assert "R" in [bot["code"] for bot in found["bots"]]
    assert told(net.get("/api/rules/18CZ", params={"words": "VIII.6/5"}))[0]["id"] == "VIII.6/5"
    assert net.get("/api/rules/18XX").status_code == 404


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_a_game_can_be_played_by_its_interface_alone(net: httpx.Client, title: str, variant: str) -> None:
    players = FEWEST[title, variant]
    host = open_table(net, *("here",) * players, title=title, variant=variant)["host"]
    rng = Random(2)
    for _ in range(12):
        view = host.get()
        assert view["my_turn"]
        chosen = rng.choice(view["question"]["answers"])
        assert host.post("preview", action=chosen["action"])["refusal"] is None
        host.post("answer", version=view["version"], action=chosen["action"])
    view = host.get()
    assert view["number"] >= 12
    saved = load(host.net.get(host.path("save")).content)
    assert len(saved) == view["number"]
    assert [line["number"] for line in host.get("log", limit=5)] == list(range(len(saved), len(saved) - 5, -1))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"title": "18CZ"},
        {"title": "18CZ", "seats": []},
        {"title": "18XX", "seats": [{"name": "A"}]},
        {"title": "18CZ", "seats": [{"name": "A"}] * 3},
        {"title": "18CZ", "seats": [{"name": name, "extra": 1} for name in "ABC"]},
        {"title": "18CZ", "seats": [{"name": name, "who": "/tmp/bot.py:Bot"} for name in "ABC"]},
        {"title": "18CZ", "seats": [{"name": f"{number}"} for number in range(20_000)]},
        {"title": "18CZ", "seats": [{"name": name} for name in "ABC"], "rulings": {"x": "y"}},
        {"title": "18CZ", "seats": [{"name": name} for name in "ABC"], "board": "x"},
    ],
)
def test_what_cannot_be_set_up_is_told(net: httpx.Client, fields: Json) -> None:
    answer = net.post("/api/games", json=fields)
    assert answer.status_code == 400
    assert 0 < len(answer.json()["error"]) < 1000


# Answers


def test_every_answer_carries_the_version_it_answers(net: httpx.Client) -> None:
    host = open_table(net)["host"]
    action = first(host.get())
    host.post("answer", version=0, action=action)
    assert "moved on" in host.refused("answer", 409, version=0, action=action)["error"]
    assert "version" in host.refused("answer", 400, action=action)["error"]
    assert host.get()["version"] == 1


def test_seats_cannot_act_for_each_other(net: httpx.Client) -> None:
    table = open_table(net, "here", "link", "link")
    action = first(table["host"].get())
    refused = table["p2"].refused("answer", 409, version=0, action=action)
    assert "Anna" in refused["error"]
    assert refused["rule"] == "18CZ VI/1"
    assert refused["rule_text"]
    spectator = table["spectator"]
    spectator.refused("answer", 403, version=0, action=action)
    spectator.refused("undo", 403, version=0)
    spectator.refused("propose", 403, version=0, keep=0)
    for who in (table["p2"], spectator):
        who.refused("seat", 403, seat="p1", who="here")
        view = who.get()
        assert (view["my_turn"], view["question"]["answers"], view["version"]) == (False, [], 0)


def test_a_refusal_tells_the_rule_and_its_text(net: httpx.Client) -> None:
    host = open_table(net, title="18Mag")["host"]
    refused = host.refused("answer", 409, version=0, action={"do": "pass"})
    assert refused["rule"] == "18Mag V/3"
    assert refused["rule_text"]
    preview = host.post("preview", action={"do": "pass"})
    assert (preview["refusal"], preview["rule"], preview["rule_text"], preview["consequences"]) == (
        refused["error"],
        refused["rule"],
        refused["rule_text"],
        [],
    )


@pytest.mark.parametrize(
    "action", [{}, {"do": "nothing"}, {"do": 5}, {"do": "pass", "extra": 1}, {"do": "bid", "price": "much"}]
)
def test_what_is_no_action_is_told(net: httpx.Client, action: Json) -> None:
    host = open_table(net)["host"]
    for path in ("answer", "preview"):
        assert "no action of 18CZ" in host.refused(path, 400, version=0, action=action)["error"]


def test_an_action_about_what_is_not_there_is_told(net: httpx.Client) -> None:
    host = open_table(net, "here", "here", variant="moravia")["host"]
    told = host.refused("preview", 400, action={"do": "name_paper", "paper": ""})["error"]
    assert "not in the game" in told


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b'{"version": "0", "action": {}}', b"\xff"])
def test_what_is_no_json_or_another_is_told(net: httpx.Client, body: bytes) -> None:
    host = open_table(net)["host"]
    answer = net.post(host.path("answer"), content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize("path", ["", "/log", "/save", "/events", "/links", "/note", "/reasons/E11"])
def test_a_wrong_key_is_told(net: httpx.Client, path: str) -> None:
    answer = net.get(f"/api/t/AAAAAAAAAAAAAAAAAAAAAA{path}")
    assert answer.status_code == 404
    assert "leads to no table" in answer.json()["error"]


def test_undo_and_going_back_by_consent(net: httpx.Client) -> None:
    table = open_table(net, "here", "link", "link")
    host, boris, clara = table["host"], table["p2"], table["p3"]
    host.answer()
    assert host.get()["can_undo"]
    host.post("undo", version=1)
    host.answer()
    boris.answer()
    assert not host.get()["can_undo"]
    assert "somebody else" in host.refused("undo", 409, version=4)["error"]
    host.post("propose", version=4, keep=0)
    assert boris.get()["proposal"] == {
        "by": "Anna",
        "keep": 0,
        "missing": ["Boris", "Clara"],
        "unasked": [],
        "ask_me": True,
    }
    boris.post("reply", version=4, agree=True)
    clara.refused("reply", 409, version=4, agree=True, keep=1)
    clara.post("reply", version=4, agree=True, keep=0)
    view = host.get()
    assert (view["version"], view["number"], view["proposal"]) == (5, 0, None)


@contextmanager
def asked(database: Database) -> Iterator[list[str]]:
    """What the database is asked meanwhile."""
    found: list[str] = []

    def note(*given: Any) -> None:
        found.append(given[2])

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def test_an_answer_asks_the_database_seldom(net: httpx.Client, inside: Services) -> None:
    """It was asked 16 times when every step of an answer looked for itself whether the room was as it had been."""
    host = open_table(net)["host"]
    shown = host.answer(page={})
    page = {"panels": _shown(shown), "stamp": shown["stamp"]}
    sent = {"version": shown["version"], "action": first(host.get()), "page": page}
    with asked(inside.database) as statements:
        host.post("answer", **sent)
    assert len(statements) <= 10, statements  # two of them for those who want to be told
    assert sum("FROM seats" in statement for statement in statements) <= 3


# What a page has to change


def _shown(update: Json, before: dict[str, str] | None = None) -> dict[str, str]:
    """The panels that a page shows after an update, by their hashes."""
    found = {name: re.search(r'data-hash="(\w+)"', html) for name, html in update["panels"].items()}
    return (before or {}) | {name: hash_[1] for name, hash_ in found.items() if hash_}


def test_an_update_tells_only_what_has_changed(net: httpx.Client, inside: Services) -> None:
    """Over a whole stretch of a game with track and stations in it."""
    game = play_random(new_game("18CZ", NAMES[:3], seed=5), Random(5), 150, busy)
    host = Seat(net, inside.game_service.import_game(game).key)
    update = host.post("update")
    assert set(update["panels"]) == {*PANELS, *SITE.panels}
    assert update["board"]
    assert update["hexes"] == {}
    panels, stamp = _shown(update), update["stamp"]
    changed_hexes, changed_panels = [], []
    rng = Random(1)
    for _ in range(25):
        same = host.post("update", panels=panels, stamp=stamp)
        assert (same["panels"], same["hexes"], same["board"]) == ({}, {}, None)
        action = rng.choice(host.get()["question"]["answers"])["action"]
        page = {"panels": panels, "stamp": stamp}
        update = host.post("answer", version=update["version"], action=action, page=page)
        assert update["board"] is None
        assert "log" in update["panels"]
        changed_hexes.append(len(update["hexes"]))
        changed_panels.append(len(update["panels"]))
        panels, stamp = _shown(update, panels), update["stamp"]
    assert 0 < max(changed_hexes) < 10
    assert min(changed_hexes) == 0
    assert min(changed_panels) < len(PANELS)


def test_a_page_with_a_board_that_was_taken_back_gets_a_whole_one(net: httpx.Client) -> None:
    host = open_table(net)["host"]
    stamp = host.answer(page={})["stamp"]
    assert host.post("update", stamp=stamp)["board"] is None
    host.post("undo", version=1)
    host.answer()
    assert host.post("update", stamp=stamp)["board"]
    for odd in (10**12, -5, 2**70):
        assert host.post("update", stamp=odd)["board"]


def test_looking_back(net: httpx.Client) -> None:
    host = open_table(net)["host"]
    for _ in range(4):
        host.answer()
    now_, past = host.get(), host.get(at=2)
    assert (past["at"], past["now"], past["question"], past["number"]) == (2, False, None, now_["number"])
    assert host.get(at=-5)["at"] == 0
    assert host.get(at=2**31 - 1)["at"] == now_["number"]
    assert host.post("update", at=2)["now"] is False


# Help with an answer


def runs_in(game: Game) -> Json:
    """The trains that are offered to run."""
    return getattr(game.ask().options[0].action, "runs", ())


def test_reasons_and_runs(net: httpx.Client, inside: Services) -> None:
    running = next(
        game
        for game in moments(random_game("18CZ", "base"), 1)
        if game.question is not None and game.question.kind == "operate_trains" and runs_in(game)
    )
    host = Seat(net, inside.game_service.import_game(running).key)
    best = host.post("runs", action={})
    assert best["view"]["legal"]
    assert host.post("runs", action=best["view"]["action"])["view"]["revenue"] == best["view"]["revenue"]
    broken: list[Json] = [5, "x", ["x"], {"a": 1}, [{}], [{"card": 5, "path": 5}]]
    for runs in broken:
        host.refused("runs", 400, action={"runs": runs})
    path, card = best["view"]["routes"][0]["path"], best["view"]["routes"][0]["card"]
    for wrong in (["nowhere"], [*path, "nowhere"], [path[0], "E11.0"], [f"{path[0]}7"], [path[0] + "²"], path * 2):
        drawn = host.post("runs", action={"runs": [{"card": card, "path": wrong}]})
        assert not drawn["view"]["legal"]
        assert drawn["view"]["routes"][0]["refusal"]["text"]
    assert not host.post("runs", action={"runs": [{"card": "no such train", "path": path}]})["view"]["legal"]
    for what in ("E11", "nowhere", "💥", "x" * 3000):
        assert isinstance(host.get(f"reasons/{what}"), list)
    other = open_table(net)["host"]
    assert "no trains" in other.refused("runs", 409, action={})["error"]


def test_the_log_can_be_asked_for_piece_by_piece(net: httpx.Client, inside: Services) -> None:
    game = play_random(new_game("18Mag", NAMES[:3], seed=5), Random(5), 60)
    host = Seat(net, inside.game_service.import_game(game).key)
    lines: list[Json] = []
    while piece := host.get("log", limit=25, **({"before": lines[-1]["number"]} if lines else {})):
        lines += piece
    number = host.get()["number"]
    assert [line["number"] for line in lines] == list(range(number, -1, -1))
    mine = host.get("log", seat="p1", limit=200)
    assert 0 < len(mine) < number
    assert host.get("log", before=10**9, limit=1)[0]["number"] == number
    assert host.get("log", before=-3) == []
    assert host.get("log", company="nobody", topic="nothing") == []
    for limit in (0, 201, "x"):
        assert net.get(host.path("log"), params={"limit": limit}).status_code == 400


def test_the_log_of_a_game_that_goes_on_from_a_snapshot(net: httpx.Client, inside: Services) -> None:
    game = play_random(new_game("18Mag", NAMES[:3], seed=5), Random(5), 60)
    who = inside.game_service.import_game(game)
    host = Seat(net, who.key)
    for _ in range(6):
        host.answer()
    with inside.game_service.holding(who.game) as room:
        snapshot, number, skipped = room.snapshot(), room.number, room.number
        room._resume(snapshot)  # as if the log had been refused
    for _ in range(6):
        host.answer()
    newest = host.get("log", limit=3)
    assert newest[0]["number"] > number
    older = host.get("log", before=newest[-1]["number"], limit=200)
    assert [line["number"] for line in older] == list(range(newest[-1]["number"] - 1, skipped - 1, -1))


# Talk, notes, seats


def test_talk_and_notes(net: httpx.Client) -> None:
    table = open_table(net, "here", "link", "link")
    table["p2"].post("chat", text="Ahoj <b>")
    assert [(line["who"], line["text"]) for line in table["spectator"].get()["messages"]] == [("Boris", "Ahoj <b>")]
    assert "Ahoj &lt;b&gt;" in table["host"].post("update")["panels"]["chat"]
    table["p2"].refused("chat", 400, text=" ")
    table["p2"].refused("chat", 400, text="x" * 1001)
    assert net.put(table["p2"].path("note"), json={"text": "mine"}).status_code == 200
    assert table["p2"].get("note") == {"text": "mine"}
    assert table["host"].get("note") == {"text": ""}
    assert net.put(table["p2"].path("note"), json={"text": "x" * 30_000}).status_code == 400


def test_links_and_seats(net: httpx.Client) -> None:
    table = open_table(net, "here", "link", "link")
    table["p2"].answer() if table["p2"].get()["my_turn"] else table["host"].answer()
    net.get(f"/t/{table['p2'].key}")  # from now on it is in somebody's list
    links = table["host"].post("seat", seat="p2", who="link")
    assert [link["role"] for link in links] == ["host", "seat", "seat", "spectator"]
    assert net.get(table["p2"].path("")).status_code == 410
    assert {link["role"] for link in table["spectator"].get("links")} == {"spectator"}
    assert {link["key"] for link in table["p3"].get("links")} == {table["p3"].key, table["spectator"].key}
    table["host"].refused("seat", 404, seat="p7", who="link")
    table["host"].refused("seat", 400, seat="p2", who="nobody")


def test_what_the_host_does_is_in_the_log_of_all(net: httpx.Client) -> None:
    table = open_table(net, "here", "link", "link")
    host, clara, spectator = table["host"], table["p3"], table["spectator"]
    host.answer()
    table["p2"].answer()
    host.post("seat", seat="p2", who="here")
    host.post("propose", version=3, keep=0)
    assert clara.get()["proposal"]["unasked"] == ["Boris"]
    assert "had the link of Boris before is not asked" in clara.post("update")["panels"]["tools"]
    clara.post("reply", version=3, agree=True)
    taken, back = (
        ("The host", "from now on the host plays for Boris, in place of whoever had the link", ""),
        (
            "Anna",
            "goes back to move 0: 2 answers are taken back",
            "Clara agreed. Whoever had the link of Boris before was not asked.",
        ),
    )
    for who in (host, clara, spectator):
        (line,) = who.get()["log"]
        assert [(each["by_name"], each["words"], each["note"]) for each in line["notices"]] == [taken, back]
        panels = who.post("update")["panels"]
        assert taken[1] in panels["log"]
        assert back[2] in panels["log"]
        assert ("taken this seat over" in panels["players"]) == (who is not host)
    host.answer()
    assert [line["number"] for line in spectator.get("log", topic="table")] == [0]
    assert [line["number"] for line in spectator.get("log", seat="p2", topic="table")] == [0]
    assert spectator.get("log", seat="p3", topic="table") == []
    assert 0 in [line["number"] for line in spectator.get("log", seat="p2")]


def test_bots_answer_when_they_are_asked(net: httpx.Client) -> None:
    host = open_table(net, "here", "R", "R")["host"]
    host.answer()
    until(lambda: host.get()["my_turn"])
    view = host.get()
    assert view["number"] >= 3
    assert [line["how"] for line in view["log"]][-2:] == ["bot", "bot"]
    host.post("undo", version=view["version"])
    assert host.get()["number"] < view["number"]


def test_a_hint_is_for_whoever_is_asked_and_can_be_answered(net: httpx.Client) -> None:
    seats = open_table(net, "here", "link", "link")
    host = seats["host"]
    version = host.get()["version"]
    hint = host.post("hint")
    assert hint["version"] == version
    assert hint["words"]
    assert hint["reasons"]
    assert hint["expected"]["low"] <= hint["expected"]["amount"] <= hint["expected"]["high"]
    assert str(hint["expected"]["amount"]) in hint["outlook"]
    assert 1 <= len(hint["alternatives"]) <= 2
    for other in hint["alternatives"]:
        assert other["action"] != hint["action"]
        assert other["words"]
        assert other["told"]
    host.post("answer", version=version, action=hint["action"])
    assert "whoever is asked" in seats["spectator"].refused("hint", 403)["error"]
