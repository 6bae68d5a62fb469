"""Pages around the table: games begun by one click, the lobby, who is logged in, and recovery codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from httpx import Response

from ostbahn.server.games.new_table import NAMES
from ostbahn.views.catalogue import EntryView, catalogue_view
from tests.server.site import Client, alert, client, key_in, words

THREE = {"game": "18CZ/base", "players": "3", "seat1": "Ida", "seat2": "Jan", "seat3": "Karl"}
OPEN = THREE | {"who1": "here", "who2": "link", "who3": "link", "listed": "1", "name": "Evening"}
IDA = {"name": "Ida", "password": "eisenbahn"}
each_way = pytest.mark.parametrize("entry", catalogue_view(), ids=lambda entry: f"{entry.title}-{entry.variant}")


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as browser:
        yield browser


@pytest.fixture
def other(browser: Client) -> Client:
    """Somebody else, with a browser of their own, at the same server."""
    guest = type(browser)(browser.app, base_url="http://testserver.local")
    guest.follow_redirects = False
    return guest


def seats(browser: Client, key: str) -> list[tuple[str, str | None, bool]]:
    return [(seat["name"], seat["bot"], seat["mine"]) for seat in browser.get(f"/api/t/{key}").json()["seats"]]


# The first minute


@each_way
def test_every_way_to_play_is_begun_by_one_click(browser: Client, entry: EntryView) -> None:
    code = f"{entry.title}/{entry.variant}"
    home = browser.get("/")
    assert f'<form action="/play" method="post"><button class="primary" name="game" value="{code}"' in home.text
    (me, *others) = seats(browser, key_in(browser.post("/play", data={"game": code})))
    assert me == (NAMES[0], None, True)
    assert all(bot == "5" and not mine for _, bot, mine in others)
    assert len(others) + 1 == min(entry.players, key=lambda number: abs(number - 3))


@each_way
def test_good_bots_are_watched_by_one_click(browser: Client, entry: EntryView) -> None:
    code = f"{entry.title}/{entry.variant}"
    assert (
        f'<form action="/watch" method="post"><button class="quiet" name="game" value="{code}"' in browser.get("/").text
    )
    key = key_in(browser.post("/watch", data={"game": code}))
    assert {(bot, mine) for _, bot, mine in seats(browser, key)} == {("5", False)}
    assert browser.get(f"/api/t/{key}").json()["you"] == "You look on"


@pytest.mark.parametrize("path", ["/play", "/watch"])
def test_no_other_game_is_begun(browser: Client, path: str) -> None:
    for sent in ({}, {"game": "1830/base"}):
        answer = browser.post(path, data=sent)
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers


def test_whoever_has_said_their_name_is_called_by_it(browser: Client) -> None:
    key_in(browser.post("/new", data=THREE))
    assert seats(browser, key_in(browser.post("/play", data={"game": "18Mag/solo"}))) == [("Ida", None, True)]
    assert 'value="Ida"' in browser.get("/new").text


def test_names_at_a_table_are_different_whatever_one_is_called(browser: Client) -> None:
    key_in(browser.post("/new", data=THREE | {"seat1": "Emil Emil"}))
    browser.post("/register", data={"name": "Cyril", "password": "eisenbahn"})
    names = [name for name, _, _ in seats(browser, key_in(browser.post("/play", data={"game": "18CZ/base"})))]
    assert names[0] == "Cyril"
    assert len(set(names)) == 3


def test_the_boards_are_shown_in_the_colours_of_the_page(browser: Client) -> None:
    def pictures(page: Response) -> set[str]:
        return set(re.findall(r'(?:src|srcset)="(/pictures/[^"]*)"', page.text))

    plain = pictures(browser.get("/"))
    assert {path.split("/")[4] for path in plain} == {"light", "dark"}, "as the system wants"
    browser.cookies.set("theme", "colour-blind", domain="testserver.local")
    chosen = pictures(browser.get("/"))
    assert len(chosen) == len(catalogue_view())
    for path in chosen:
        assert "/colour-blind/board?v=" in path
        picture = browser.get(path)
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert "immutable" in picture.headers["cache-control"]


# Logged in


def test_whoever_is_logged_in_is_so_on_every_page(browser: Client) -> None:
    browser.post("/register", data=IDA)
    key = key_in(browser.post("/new", data=THREE | {"who2": "link"}))
    for path in (
        "/", "/new", "/watch", "/lobby", "/rules/18CZ", "/import", "/login", "/forgot", "/account", f"/t/{key}",
        f"/t/{key}/invite", "/nothing", "/t/wrong",
    ):  # fmt: skip
        assert "Ida Log out" in words(browser.get(path)), path
    assert "Ida Log out" in words(browser.post("/new", data=THREE | {"seed": "soon"}))
    browser.post("/logout")
    assert "Log in" in words(browser.get(f"/t/{key}"))


# The lobby


def test_a_stranger_joins_an_open_table(browser: Client, other: Client) -> None:
    host = key_in(browser.post("/new", data=OPEN | {"who3": "S", "order": "given"}))  # nobody is ahead of Ida
    for path in ("/", "/lobby"):
        told = words(other.get(path))
        assert "Evening 18CZ not begun set up just now Ida host free seat Karl bot 1 free seat" in told, path
    (path,) = set(re.findall(r'href="(/lobby/[\w-]+/join)"', other.get("/lobby").text))
    assert "Join Evening" in words(other.get(path))
    key = key_in(other.post(path, data={"name": " Petra "}))
    assert seats(other, key) == [("Ida", None, False), ("Petra", None, True), ("Karl", "S", False)]
    assert [name for name, _, _ in seats(browser, host)] == ["Ida", "Petra", "Karl"]
    assert "Evening" in words(other.get("/")), "the game is among hers"
    assert "No open table" in words(other.get("/lobby"))
    assert 'value="Petra"' in other.get("/new").text, "she is known by her name"


def test_whoever_sits_at_a_table_takes_no_second_seat(browser: Client, other: Client) -> None:
    host = key_in(browser.post("/new", data=OPEN))
    (path,) = set(re.findall(r'href="(/lobby/[\w-]+/join)"', other.get("/lobby").text))
    key = key_in(other.post(path, data={"name": "Petra"}))
    assert key_in(other.get(path)) == key_in(other.post(path, data={"name": "Quido"})) == key
    assert key_in(browser.get(path)) == host


@pytest.mark.parametrize(("name", "told"), [("", "Type your name."), ("Ida", "Two players have the same name.")])
def test_a_name_that_will_not_do_is_told_above_the_form(browser: Client, other: Client, name: str, told: str) -> None:
    browser.post("/new", data=OPEN)
    (path,) = set(re.findall(r'href="(/lobby/[\w-]+/join)"', other.get("/lobby").text))
    answer = other.post(path, data={"name": name})
    assert answer.status_code == 400
    assert told in alert(answer)
    assert f'value="{name}"' in answer.text
    assert "set-cookie" not in answer.headers


def test_who_comes_too_late_is_told(browser: Client, other: Client) -> None:
    browser.post("/new", data=OPEN | {"who3": "S"})
    (path,) = set(re.findall(r'href="(/lobby/[\w-]+/join)"', other.get("/lobby").text))
    key_in(other.post(path, data={"name": "Petra"}))
    other.cookies.clear()
    late = other.post(path, data={"name": "Quido"})
    assert (late.status_code, alert(late)) == (409, "all seats of this table are taken")
    assert other.get(path).status_code == 404
    assert other.get("/lobby/nothing/watch").status_code == 404


def test_a_stranger_watches_where_anybody_may(browser: Client, other: Client) -> None:
    browser.post("/new", data=THREE | {"watchable": "1", "name": "Evening"})
    page = other.get("/lobby")
    (path,) = set(re.findall(r'href="(/lobby/[\w-]+/watch)"', page.text))
    assert "/join" not in page.text
    assert other.get(f"/api/t/{key_in(other.get(path))}").json()["role"] == "spectator"


def test_the_lobby_shows_who_is_awaited_and_is_filtered_by_game_and_kind(browser: Client, other: Client) -> None:
    key = key_in(browser.post("/new", data=OPEN | {"order": "given"}))
    two = {"game": "18Mag/base", "players": "3", "who1": "here", "who2": "here", "who3": "here", "watchable": "1"}
    browser.post("/new", data=two | {"name": "Morning"})
    table = browser.get(f"/api/t/{key}").json()
    first = {"version": table["version"], "action": table["question"]["answers"][0]["action"]}
    assert browser.post(f"/api/t/{key}/answer", json=first).status_code in (200, 201)
    assert "Ida host free seat awaited free seat 2 free seats" in words(other.get("/lobby"))

    def names(**wish: str) -> list[str]:
        shown = re.findall(r"<h3>(.*?)</h3>", other.get("/lobby", params=wish).text)
        told = other.get("/api/lobby", params=wish).json()
        assert sorted(shown) == sorted(table["name"] for table in told)
        return shown

    assert names() == ["Evening", "Morning"]
    assert names(game="18CZ/base") == names(kind="join") == names(kind="nonsense", game="18cz/BASE") == ["Evening"]
    assert names(game="18Mag/base") == names(kind="watch") == ["Morning"]
    assert names(game="18CZ/bohemia") == names(game="18Mag/base", kind="join") == []
    assert other.get("/lobby?game=1830/base").status_code == 404
    (told,) = other.get("/api/lobby?kind=join").json()
    assert [(seat["kind"], seat["host"], seat["asked"]) for seat in told["seats"]] == [
        ("person", True, False),
        ("free", False, True),
        ("free", False, False),
    ]


def test_a_table_that_nobody_opened_is_not_in_the_lobby(browser: Client) -> None:
    browser.post("/new", data=THREE | {"who2": "link"})
    assert "No open table" in words(browser.get("/lobby"))


def test_hints_are_switched_off_for_a_table(browser: Client) -> None:
    key = key_in(browser.post("/new", data=THREE | {"no_hints": "1", "order": "given"}))
    assert browser.get(f"/api/t/{key}").json()["hints"] is False
    answer = browser.post(f"/api/t/{key}/hint")
    assert (answer.status_code, answer.json()["error"].split(":")[0]) == (403, "there are no hints at this table")


# Recovery codes


def code_in(page: Response) -> str:
    found = re.search(r'id="recovery-code">([A-Z0-9-]+)<', page.text)
    assert found, words(page)
    assert page.headers["cache-control"] == "no-store"
    return found[1]


def test_a_recovery_code_is_shown_once_and_brings_a_new_password(browser: Client, other: Client) -> None:
    code = code_in(browser.post("/register", data=IDA))
    assert code not in browser.get("/account").text
    recovered = other.post(
        "/forgot", data={"name": "ida", "code": code.lower().replace("-", " "), "password": "dampflok"}
    )
    second = code_in(recovered)
    assert second != code
    assert "Ida Log out" in words(other.get("/"))
    assert "Log in" in words(browser.get("/")), "all others are logged out"
    assert browser.post("/login", data=IDA).status_code == 403
    again = browser.post("/forgot", data={"name": "Ida", "code": code, "password": "eisenbahn"})
    assert (again.status_code, alert(again)) == (403, "Name and recovery code do not fit together.")
    assert 'value="Ida"' in again.text
    assert code not in again.text
    assert browser.post("/login", data=IDA | {"password": "dampflok"}).status_code == 303
    assert code_in(browser.post("/forgot", data={"name": "Ida", "code": second, "password": "eisenbahn"}))


@pytest.mark.parametrize("code", ["", "AAAAA-AAAAA-AAAAA-AAAAA", "x" * 5000])
def test_nobody_gets_in_with_another_code(browser: Client, other: Client, code: str) -> None:
    browser.post("/register", data=IDA)
    for name in ("Ida", "Nobody"):
        answer = other.post("/forgot", data={"name": name, "code": code, "password": "dampflok"})
        assert (answer.status_code, alert(answer)) == (403, "Name and recovery code do not fit together.")
    assert browser.post("/login", data=IDA).status_code == 303


def test_a_new_password_has_its_length(browser: Client, other: Client) -> None:
    code = code_in(browser.post("/register", data=IDA))
    answer = other.post("/forgot", data={"name": "Ida", "code": code, "password": "kurz"})
    assert alert(answer) == "A password has 8 to 200 letters."
    assert other.post("/forgot", data={"name": "Ida", "code": code, "password": "dampflok"}).status_code == 200


def test_whoever_is_logged_in_makes_a_new_code_with_their_password(browser: Client, other: Client) -> None:
    first = code_in(browser.post("/register", data=IDA))
    wrong = browser.post("/account/code", data={"password": "dampflok"})
    assert (wrong.status_code, alert(wrong)) == (403, "This is not your password.")
    second = code_in(browser.post("/account/code", data={"password": IDA["password"]}))
    for code, status in ((first, 403), (second, 200)):
        assert other.post("/forgot", data={"name": "Ida", "code": code, "password": "dampflok"}).status_code == status


def test_whoever_is_not_logged_in_has_no_account_page(browser: Client) -> None:
    for answer in (browser.get("/account"), browser.post("/account/code", data={"password": "eisenbahn"})):
        assert answer.headers["location"] == "/login"


@pytest.mark.slow
def test_codes_cannot_be_tried_by_the_thousand(browser: Client) -> None:
    tried = {"name": "Ida", "code": "x", "password": "dampflok"}
    statuses = [browser.post("/forgot", data=tried).status_code for _ in range(21)]
    assert statuses == [403] * 20 + [429]
    assert browser.post("/account/code", data=tried).status_code == 429, "nor in another way"
