"""The coach on the web: whose decisions it shows to whom, exercises, and playing on from a move."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient
from msgspec import structs

from ostbahn.interop import files
from ostbahn.server.web.services import Services, create_services
from ostbahn.table.access import Access
from tests.server.site import Client, key_in, unlimited, words
from tests.server.tables import now, wanted

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = files.open_game(GOLDEN / "18CZ-moravia-2.json")


@pytest.fixture
def inside(tmp_path: Path) -> Services:
    return create_services(f"sqlite:///{tmp_path}/games.sqlite", now)


@pytest.fixture
def browser(inside: Services) -> Iterator[Client]:
    with TestClient(unlimited(inside), base_url="http://testserver.local") as client:
        client.follow_redirects = False
        yield client


@pytest.fixture
def finished(inside: Services) -> Access:
    return inside.game_service.import_game(GAME)


def ready(browser: Client, address: str) -> str:
    """The coach's page when it has looked at everything."""
    for _ in range(600):
        answer = browser.get(address)
        assert answer.status_code == 200, words(answer)
        if "http-equiv" not in answer.text:
            return words(answer)
        time.sleep(0.05)
    raise AssertionError("the coach is never ready")


def test_proofs_and_estimates_are_two_lists(browser: Client, finished: Access) -> None:
    first = browser.get(f"/t/{finished.key}/coach")
    assert "<progress" in first.text or "Proven" in first.text
    text = ready(browser, f"/t/{finished.key}/coach")
    assert text.index("Exercises") < text.index("Proven") < text.index("Estimated")


def test_a_coach_who_found_nothing_introduces_no_list(browser: Client, inside: Services) -> None:
    text = ready(browser, f"/t/{inside.game_service.create_game(wanted()).key}/coach")
    assert "Proven No missed gains found." in text
    assert "Each of these" not in text
    assert not re.search(r"\bNone\b|\bnan\b|\b0 of 0\b", text)


def test_of_a_running_game_one_hears_of_ones_own_decisions_only(browser: Client, inside: Services) -> None:
    host = inside.game_service.create_game(wanted("here", "link", "link"))
    links = inside.game_service.links(host)
    watching = next(each for each in links if each.role == "spectator")
    refused = browser.get(f"/t/{watching.key}/coach")
    assert refused.status_code == 403
    assert "only to those who play" in words(refused)
    assert "Your own moves so far" in ready(browser, f"/t/{host.key}/coach")
    assert browser.get(f"/t/{host.key}/coach?seat=p2").status_code == 403


def test_without_hints_the_coach_waits_for_the_end(browser: Client, inside: Services) -> None:
    host = inside.game_service.create_game(structs.replace(wanted(), hints=False))
    assert browser.get(f"/t/{host.key}/coach").status_code == 403


def test_there_is_no_exercise_that_the_coach_has_not_found(browser: Client, finished: Access) -> None:
    ready(browser, f"/t/{finished.key}/coach")
    assert browser.get(f"/t/{finished.key}/coach/1").status_code == 404


def test_whoever_plays_on_has_a_table_of_their_own(browser: Client, inside: Services, finished: Access) -> None:
    form = browser.get(f"/t/{finished.key}/play-on?at=200")
    assert "after move 200" in words(form)
    sent = {"at": "200", "seat": "p1", "bot": "R"}
    own = {"Origin": "http://testserver.local"}
    key = key_in(browser.post(f"/t/{finished.key}/play-on", data=sent, headers=own))
    mine = inside.game_service.access(key)
    assert mine.seats == ("p1",)
    with inside.game_service.holding(mine.game) as room:
        assert room.bots == {"p2": "R"}
        assert list(room.game.position(200).actions()) == list(GAME.position(200).actions())
    with inside.game_service.holding(finished.game) as room:
        assert len(room.game) == len(GAME)


def test_nobody_plays_on_from_a_game_that_others_still_play(browser: Client, inside: Services) -> None:
    """At such a table there are hints and bots, whatever the players of the game agreed on."""
    host = inside.game_service.create_game(wanted("here", "link", "link"))
    assert browser.get(f"/t/{host.key}/play-on").status_code == 403
    alone = inside.game_service.create_game(wanted("here", "R", "R"))
    assert browser.get(f"/t/{alone.key}/play-on").status_code == 200


def test_an_exercise_is_tried_on_a_planning_board(browser: Client, inside: Services, finished: Access) -> None:
    own = {"Origin": "http://testserver.local"}
    answer = browser.post(f"/t/{finished.key}/plans", data={"at": "200"}, headers=own)
    board = inside.game_service.access(answer.headers["location"].removeprefix("/t/"))
    assert board.origin == finished.game
    with inside.game_service.holding(board.game) as room:
        assert len(room.game) == 200


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"at": "200", "seat": "p9", "bot": "R"}, 404),
        ({"at": "200", "seat": "p1", "bot": "/etc/passwd.py:Bot"}, 400),
        ({"at": str(len(GAME)), "seat": "p1", "bot": "R"}, 404),
        ({"at": "99999", "seat": "p1", "bot": "R"}, 404),
    ],
)
def test_nobody_plays_on_from_nowhere(browser: Client, finished: Access, sent: dict[str, str], status: int) -> None:
    own = {"Origin": "http://testserver.local"}
    answer = browser.post(f"/t/{finished.key}/play-on", data=sent, headers=own)
    assert answer.status_code == status
    assert not re.search("Traceback", answer.text)
