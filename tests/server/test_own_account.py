"""One's own account on the page, from its password to its end; and what whoever runs the server does about people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.server.accounts.logins import browser_name
from tests.server.endings import played
from tests.server.site import Client, alert, client, key_in, words
from tests.server.tables import another, people_on

IDA = {"name": "Ida", "password": "eisenbahn"}
PHONE = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
)
FOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
THREE = {"game": "18CZ/base", "players": "3", "seat1": "Ida", "seat2": "Jan", "seat3": "Karl", "who2": "link"}


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as browser:
        browser.headers["user-agent"] = FOX
        browser.post("/register", data=IDA)
        yield browser


@pytest.fixture
def other(browser: Client) -> Client:
    """Another browser at the same server."""
    guest = type(browser)(browser.app, base_url="http://testserver.local")
    guest.follow_redirects = False
    guest.headers["user-agent"] = PHONE
    return guest


def logged_in(browser: Client) -> bool:
    return "Log out" in words(browser.get("/"))


# Passwords and browsers


def test_a_password_is_changed_by_who_knows_the_old_one(browser: Client, other: Client) -> None:
    other.post("/login", data=IDA)
    for sent, status, told in (
        ({"old": "wrong word", "new": "dampflok1"}, 403, "This is not your password."),
        ({"old": "eisenbahn", "new": "short"}, 400, "A password has 8 to 200 letters."),
    ):
        answer = browser.post("/account/password", data=sent)
        assert (answer.status_code, alert(answer)) == (status, told)
    before = browser.cookies["ostbahn"]
    answer = browser.post("/account/password", data={"old": "eisenbahn", "new": "dampflok1"})
    assert answer.headers["location"] == "/account?done=password#password"
    assert browser.cookies["ostbahn"] != before
    assert logged_in(browser)
    assert logged_in(other), "nobody wanted to be logged out elsewhere"
    browser.post("/account/password", data={"old": "dampflok1", "new": "dampflok2", "everywhere": "yes"})
    assert logged_in(browser)
    assert not logged_in(other)
    assert other.post("/login", data=IDA).status_code == 403
    assert other.post("/login", data=IDA | {"password": "dampflok2"}).status_code == 303


def test_browsers_are_listed_and_logged_out_one_by_one_and_all(browser: Client, other: Client) -> None:
    other.post("/login", data=IDA)
    other.get("/")
    told = words(browser.get("/account"))
    assert "Firefox on Linux here now this one Chrome on Android just now Log out Log out everywhere else" in told
    (path,) = re.findall(r'action="(/account/browsers/\d+/log-out)"', browser.get("/account").text)
    stranger = type(browser)(browser.app, base_url="http://testserver.local")
    stranger.follow_redirects = False
    stranger.post("/register", data=IDA | {"name": "Jan"})
    assert stranger.post(path).status_code == 404, "only one's own"
    assert logged_in(other)
    assert browser.post(path).status_code == 303
    assert not logged_in(other)
    assert browser.post(path).status_code == 404
    assert browser.post(f"/account/browsers/{10**30}/log-out").status_code == 400
    other.post("/login", data=IDA)
    assert browser.post("/account/browsers/log-out").status_code == 303
    assert (logged_in(browser), logged_in(other), logged_in(stranger)) == (True, False, True)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FOX, "Firefox on Linux"),
        (PHONE, "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("curl/8", "A browser"),
        ("", "A browser"),
    ],
)
def test_browsers_have_coarse_names(agent: str, name: str) -> None:
    assert browser_name(agent) == name


def test_who_is_not_logged_in_changes_nothing(browser: Client, other: Client) -> None:
    for path in ("password", "profile", "export", "delete", "browsers/log-out", "browsers/1/log-out"):
        assert other.post(f"/account/{path}", data={"password": "eisenbahn", "sure": "delete"}).status_code == 403
    assert other.get("/account").headers["location"] == "/login"
    assert logged_in(browser)


# Profiles


def test_a_profile_is_shown_to_whom_its_owner_wants(browser: Client, other: Client, url: str) -> None:
    with another(url) as game_service:
        people = people_on(game_service.database)
        ida, jan = (
            people.visitor(browser.cookies["ostbahn"]),
            people.visitor(people.register(None, "Jan", "x" * 8).cookie),
        )
        played(game_service, people, ida, jan)
    own = words(browser.get("/people/ida"))
    assert "Only you see this page." in own
    assert "Tally" in own
    assert "Past games" in own
    for path in ("/people/Ida", "/people/nobody", "/api/people/Ida", f"/people/{'x' * 300}"):
        assert other.get(path).status_code in (400, 404), path
    browser.post("/account/profile", data={"public": "yes", "rated": "yes"})
    assert "Rating" in words(other.get("/people/Ida"))
    told = other.get("/api/people/Ida").json()
    assert [rating["title"] for rating in told["ratings"]] == ["18CZ"]
    (game,) = told["games"]
    assert (game["path"], len(game["placings"])) == ("", 2)
    assert sum(each["mine"] for each in game["placings"]) == 1
    browser.post("/account/profile", data={"public": "yes"})
    assert other.get("/api/people/Ida").json()["ratings"] == []


# Leaving


def test_data_are_downloaded_and_the_account_is_deleted_with_the_password(browser: Client, other: Client) -> None:
    key = key_in(browser.post("/new", data=THREE))
    assert alert(browser.post("/account/export", data={"password": "wrong"})) == "This is not your password."
    sent = browser.post("/account/export", data={"password": "eisenbahn"})
    assert re.fullmatch(r'attachment; filename="ostbahn-my-data-[\d-]+\.json"', sent.headers["content-disposition"])
    assert sent.json()["games"][0]["seats"] == ["p1"]
    for wrong in ({"password": "wrong", "sure": "delete"}, {"password": "eisenbahn", "sure": "maybe"}):
        assert browser.post("/account/delete", data=wrong).status_code == 403
    assert logged_in(browser)
    assert "Your account is deleted" in words(browser.post("/account/delete", data=IDA | {"sure": " Delete "}))
    assert not logged_in(browser)
    assert other.post("/login", data=IDA).status_code == 403
    assert [seat["name"] for seat in other.get(f"/api/t/{key}").json()["seats"]] == ["Somebody", "Jan", "Karl"]


# Whoever runs the server


def host_says(url: str, *said: str) -> str:
    """As the command does, in another process for all that the server knows."""
    folder = Path(url.removeprefix("sqlite:///")).parent
    done = CliRunner().invoke(app, ["people", *said, "--data", str(folder)])
    assert done.exit_code == 0, done.output
    return done.output


def _free_seat(host: Client) -> str:
    """The link of a seat at somebody else's table."""
    seats = [{"name": "Jan"}, {"name": "Eva", "who": "link"}, {"name": "Karl"}]
    links = host.post("/api/games", json={"title": "18CZ", "seats": seats})
    return next(str(link["key"]) for link in links.json() if link["role"] == "seat")


def test_who_is_banned_is_logged_out_everywhere_and_told_so(browser: Client, other: Client, url: str) -> None:
    key = key_in(browser.post("/new", data=THREE | {"order": "given"}))
    other.post("/login", data=IDA)
    assert "logged out everywhere" in host_says(url, "ban", "IDA", "--reason", "spam in the chat")
    for each in (browser, other):
        told = words(each.get("/"))
        assert "Your account was closed by whoever runs this server: spam in the chat. You are logged out." in told
        assert "Log in" in told
    late = browser.post("/login", data=IDA)
    assert (late.status_code, "closed by whoever runs this server: spam" in alert(late)) == (403, True)
    assert browser.post("/new", data=THREE).status_code == 403
    assert browser.post("/play", data={"game": "18CZ/base"}).status_code == 403
    stranger = type(browser)(browser.app, base_url="http://testserver.local")
    assert browser.post(f"/t/{_free_seat(stranger)}/join", data={"seat": "p2", "name": "Ida"}).status_code == 403
    chat = browser.post(f"/api/t/{key}/chat", json={"text": "still here"})
    assert chat.status_code == 403
    table = browser.get(f"/api/t/{key}").json()
    first = {"version": table["version"], "action": table["question"]["answers"][0]["action"]}
    assert browser.post(f"/api/t/{key}/answer", json=first).status_code in (200, 201), "nobody waits in vain"
    assert "banned: spam in the chat" in host_says(url, "list")
    host_says(url, "unban", "Ida")
    assert logged_in(browser)


def test_no_sign_ups_are_taken_while_they_are_closed(browser: Client, other: Client, url: str) -> None:
    host_says(url, "sign-ups", "close")
    assert "takes no new accounts" in words(other.get("/login"))
    refused = other.post("/register", data=IDA | {"name": "Jan"})
    assert (refused.status_code, "takes no new accounts" in alert(refused)) == (403, True)
    assert other.post("/login", data=IDA).status_code == 303, "those who have one come in"
    host_says(url, "sign-ups", "open")
    assert other.post("/register", data=IDA | {"name": "Jan"}).status_code == 200


def test_texts_are_found_and_removed_while_the_server_runs(browser: Client, other: Client, url: str) -> None:
    key = key_in(browser.post("/new", data=THREE | {"name": "Rude table", "seat1": "Rude Ida", "order": "given"}))
    browser.post(f"/api/t/{key}/chat", json={"text": "a rude word"})
    browser.post("/tournaments/new", data={"game": "18CZ/base", "name": "Rude cup", "size": "3", "rounds": "1"})
    browser.post("/logout")
    other.post("/register", data={"name": "Rude Otto", "password": "eisenbahn"})
    found = dict(line.split(": ", 1) for line in host_says(url, "find", "RUDE").splitlines() if ": " in line)
    assert sorted(found.values()) == ["Rude Ida: a rude word", "Rude Otto", "Rude cup", "Rude table"]
    assert "Nothing contains" in host_says(url, "find", "100%")
    for removal in found:
        host_says(url, "remove", *removal.split(" ", 1))
    table = next(removal.split()[1] for removal in found if removal.startswith("table"))
    assert "Somebody" in host_says(url, "remove", "seat", table, "p1")
    shown = words(browser.get(f"/t/{key}")) + words(other.get("/")) + words(other.get("/tournaments"))
    assert "(removed by whoever runs this server)" in shown
    assert "rude" not in shown.casefold()
    assert host_says(url, "find", "rude").startswith("Nothing contains")


def test_an_account_is_deleted_and_ratings_are_computed_by_commands(browser: Client, url: str) -> None:
    assert "0 rated games" in host_says(url, "ratings")
    folder = Path(url.removeprefix("sqlite:///")).parent
    asked = CliRunner().invoke(app, ["people", "delete", "Ida", "--data", str(folder)], input="n\n")
    assert asked.exit_code != 0
    assert logged_in(browser)
    assert "The account Ida is deleted." in host_says(url, "delete", "ida", "--yes")
    assert not logged_in(browser)


# Tournaments


def test_a_tournament_is_made_entered_and_begun_on_its_pages(browser: Client, other: Client) -> None:
    assert "log in or create one first" in words(other.get("/tournaments/new"))
    cup = {"game": "18CZ/moravia", "name": "Spring cup", "size": "2", "rounds": "2"}
    assert other.post("/tournaments/new", data=cup).status_code == 403
    wrong = browser.post("/tournaments/new", data=cup | {"rounds": "99"})
    assert (wrong.status_code, alert(wrong)) == (400, "A tournament has 1 to 10 rounds, not 99.")
    path = browser.post("/tournaments/new", data=cup).headers["location"]
    assert "Log in to enter" in words(other.get(path))
    other.post("/register", data=IDA | {"name": "Jan"})
    for each in (browser, other):
        assert each.post(f"{path}/enter").status_code == 303
    assert alert(other.post(f"{path}/go-on")) == "Only whoever made the tournament lets rounds begin."
    (begin,) = re.findall(r'action="([^"]*/go-on[^"]*)"', browser.get(path).text)
    for _ in range(2):  # as somebody does who presses twice
        assert browser.post(begin).status_code == 303
    shown = words(other.get(path))
    assert "round 1" in shown
    assert "Standings" in shown
    assert "Your table" in shown
    (key,) = re.findall(r'href="/t/([\w-]{22})"', other.get(path).text)
    assert other.get(f"/t/{key}").status_code == 200
    (listed,) = other.get("/api/tournaments").json()
    assert (listed["name"], listed["stage"], listed["entrants"]) == ("Spring cup", "running", 2)
    told = other.get(f"/api{path}")
    assert [len(round_["tables"]) for round_ in told.json()["schedule"]] == [1, 1]
    assert key not in told.text
    assert "Spring cup" in words(other.get("/tournaments"))
    assert other.get("/tournaments/nothing").status_code == 404
    assert other.get("/tournaments/new?game=1830/base").status_code == 404
