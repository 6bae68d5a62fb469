"""The invite card: what each at the table sees of it, QR codes, and guests who sit down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from httpx import Response
from litestar.testing import TestClient

from ostbahn.server.lobby.invites import LONGEST_ADDRESS, qr_svg
from tests.server.site import Client, alert, client, key_in, words

PLAN = {
    "game": "18CZ/base", "players": "4", "seat1": "Ida", "seat2": "Jan", "seat3": "Karl", "seat4": "Lea",
    "who1": "here", "who2": "link", "who3": "link", "who4": "S", "order": "given",
}  # fmt: skip
SITE = "http://testserver.local"


@pytest.fixture
def browser(url: str) -> Iterator[Client]:
    with client(url) as browser:
        yield browser


@pytest.fixture
def host(browser: Client) -> str:
    return key_in(browser.post("/new", data=PLAN))


@pytest.fixture
def other(browser: Client) -> Client:
    """Somebody else, with a browser of their own, at the same server."""
    guest: Client = TestClient(browser.app, base_url=SITE)
    guest.follow_redirects = False
    return guest


def links(browser: Client, key: str) -> dict[str, str]:
    found = browser.get(f"/api/t/{key}/links").json()
    return {link["seats"][0] if link["role"] == "seat" else link["role"]: link["key"] for link in found}


def shown(page: Response) -> list[str]:
    """The links that stand on a card."""
    return [unescape(link) for link in re.findall(r'readonly value="([^"]*)"', page.text)]


def test_the_host_comes_to_the_table_with_the_card_open_where_somebody_is_awaited(browser: Client) -> None:
    assert browser.post("/new", data=PLAN).headers["location"].endswith("#invite")
    alone = PLAN | {"who2": "S", "who3": "here"}
    assert not browser.post("/new", data=alone).headers["location"].endswith("#invite")


@pytest.mark.parametrize("page", ["", "/invite"])
def test_the_host_sees_a_link_until_somebody_sits_there(browser: Client, other: Client, host: str, page: str) -> None:
    keys = links(browser, host)
    card = browser.get(f"/t/{host}{page}")
    assert shown(card) == [f"{SITE}/t/{keys[name]}" for name in ("p2", "p3", "spectator", "host")]
    assert "Jan not joined yet" in words(card)
    assert "You play Ida. Send each friend" in words(card)
    other.post(f"/t/{keys['p2']}/join", data={"seat": "p2", "name": "Petra"})
    card = browser.get(f"/t/{host}{page}")
    assert shown(card) == [f"{SITE}/t/{keys[name]}" for name in ("p3", "spectator", "host")]
    assert "Petra joined" in words(card)
    assert "Lea bot S" in words(card)


@pytest.mark.parametrize("page", ["", "/invite"])
def test_a_guest_is_asked_for_their_name_once(browser: Client, other: Client, host: str, page: str) -> None:
    key = links(browser, host)["p2"]
    first = other.get(f"/t/{key}{page}")
    assert "You are invited to play 18CZ with Ida. What shall we call you?" in words(first)
    assert 'data-ask="p2"' in first.text
    assert other.post(f"/t/{key}/join", data={"seat": "p2", "name": " Petra  N. "}).headers["location"] == f"/t/{key}"
    again = other.get(f"/t/{key}{page}")
    assert "You play Petra N. ." in words(again) or "You play Petra N.." in words(again)
    assert "data-ask" not in again.text
    assert shown(again) == [f"{SITE}/t/{links(other, key)['spectator']}", f"{SITE}/t/{key}"], "no links of others"
    assert "18CZ" in words(other.get("/")), "the game is among hers"
    assert 'value="Petra N."' in other.get("/new").text, "and she is known by her name"
    assert browser.get(f"/api/t/{host}").json()["seats"][1]["name"] == "Petra N."


def test_a_spectator_is_told_that_they_look_on(browser: Client, other: Client, host: str) -> None:
    key = links(browser, host)["spectator"]
    card = other.get(f"/t/{key}/invite")
    assert "You look on." in words(card)
    assert shown(card) == [f"{SITE}/t/{key}"]
    refused = other.post(f"/t/{key}/join", data={"seat": "p2", "name": "Petra"})
    assert (refused.status_code, alert(refused)) == (403, "Spectators only watch.")
    assert other.post(f"/t/{key}/listing", data={"listed": "1"}).status_code == 403


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "Type your name."),
        ("Ida", "Two players have the same name."),
        ("x" * 41, "Names have at most"),
    ],
)
def test_a_name_that_will_not_do_is_told_on_the_card(
    browser: Client, other: Client, host: str, name: str, told: str
) -> None:
    key = links(browser, host)["p2"]
    answer = other.post(f"/t/{key}/join", data={"seat": "p2", "name": name})
    assert answer.status_code == 400
    assert alert(answer).startswith(told)
    assert 'data-ask="p2"' in answer.text


def test_nobody_sits_down_on_the_seat_of_another(browser: Client, other: Client, host: str) -> None:
    key = links(browser, host)["p2"]
    for seat in ("p1", "p3", "", "p9"):
        assert other.post(f"/t/{key}/join", data={"seat": seat, "name": "Petra"}).status_code == 403
    assert other.post("/t/wrong/join", data={"seat": "p2", "name": "Petra"}).status_code == 404


def test_the_host_opens_the_table_to_strangers_later(browser: Client, other: Client, host: str) -> None:
    assert "Lobby not listed" in words(browser.get(f"/t/{host}/invite"))
    answer = browser.post(f"/t/{host}/listing", data={"listed": "1"})
    assert answer.headers["location"] == f"/t/{host}#invite"
    assert "Lobby listed" in words(browser.get(f"/t/{host}/invite"))
    assert "2 free seats" in words(other.get("/lobby"))
    browser.post(f"/t/{host}/listing", data={})
    assert "No open table" in words(other.get("/lobby"))


def test_links_of_this_machine_alone_are_told_to_be_so(browser: Client, host: str) -> None:
    told = "These links work on this computer only."
    assert told not in words(browser.get(f"/t/{host}/invite"))
    here = browser.get(f"/t/{host}/invite", headers={"Host": "127.0.0.1:8018"})
    assert told in words(here)
    assert shown(here)[0].startswith("http://127.0.0.1:8018/t/")


# QR codes


def test_a_qr_code_leads_where_its_link_does(browser: Client, host: str) -> None:
    keys = links(browser, host)
    for what, name in (("p2", "p2"), ("p3", "p3"), ("watch", "spectator"), ("me", "host")):
        answer = browser.get(f"/t/{host}/qr/{what}")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == qr_svg(f"{SITE}/t/{keys[name]}")
    assert len({qr_svg(f"{SITE}/t/{key}") for key in keys.values()}) == len(keys)


def test_there_is_no_qr_code_of_what_one_may_not_hand_out(browser: Client, other: Client, host: str) -> None:
    keys = links(browser, host)
    for key, what in ((host, "p1"), (host, "p4"), (host, "x"), (keys["p2"], "p3"), (keys["spectator"], "p2")):
        assert browser.get(f"/t/{key}/qr/{what}").status_code == 404
    other.post(f"/t/{keys['p2']}/join", data={"seat": "p2", "name": "Petra"})
    assert browser.get(f"/t/{host}/qr/p2").status_code == 404, "somebody sits there"


def test_an_address_that_nobody_could_scan_is_refused(browser: Client, host: str) -> None:
    answer = browser.get(f"/t/{host}/qr/me", headers={"Host": "x" * LONGEST_ADDRESS})
    assert answer.status_code == 400


def test_whoever_lost_their_seat_reads_what_happened(browser: Client, other: Client, host: str) -> None:
    seat = links(browser, host)["p2"]
    other.post(f"/t/{seat}/join", data={"seat": "p2", "name": "Petra"})
    assert browser.post(f"/api/t/{host}/seat", json={"seat": "p2", "who": "S"}).status_code == 200
    page = other.get(f"/t/{seat}")
    assert page.status_code == 410
    assert "Another player has your seat now" in words(page)
    assert "the host has given the seat to another player or a bot" in alert(page)
    assert "/watch" not in page.text
    browser.post(f"/t/{host}/listing", data={"watchable": "1"})
    (watch,) = re.findall(r'href="(/lobby/[^"]+/watch)"', other.get(f"/t/{seat}").text)
    assert other.get(watch).status_code == 303
    answer = other.get(f"/api/t/{seat}")
    assert (answer.status_code, "no longer works" in answer.json()["error"]) == (410, True)


def test_the_host_is_asked_before_somebody_loses_their_seat(browser: Client, other: Client, host: str) -> None:
    asked = r'data-give="p2" data-confirm="([^"]*)"'
    assert not re.findall(asked, browser.get(f"/t/{host}/invite").text), "nobody sits there yet"
    other.post(f"/t/{links(browser, host)['p2']}/join", data={"seat": "p2", "name": "Petra"})
    (question,) = re.findall(asked, browser.get(f"/t/{host}/invite").text)
    assert question.startswith("Petra plays here and will lose this seat at once")
