"""How to be told, as pages and routes: for visitors by cookie, with forms alone, and through the whole server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from litestar.testing import TestClient
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import VisitorRow
from ostbahn.server.db.database import Database
from ostbahn.server.notifications.channels import NotificationConfig, notification_config_of
from ostbahn.server.notifications.subscriptions import ChannelRow, GameSubscriptionRow
from ostbahn.server.settings import read_settings
from ostbahn.server.web.services import create_services
from tests.server.network import until
from tests.server.postgres import data_of
from tests.server.receivers import Browser, MailServer, mail_server
from tests.server.site import Client, alert, key_in, unlimited, words


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


@pytest.fixture
def browser(url: str, mail: MailServer) -> Iterator[Client]:
    """Somebody at a server that sends mail, with all its workers at work."""
    made = create_services(
        url,
        now,
        data=data_of(url),
        notification_config=NotificationConfig("http://testserver.local", mail.mail_settings, ("127.0.0.0/8",)),
    )
    with TestClient(unlimited(made), base_url="http://testserver.local") as client:
        client.follow_redirects = False
        yield client


def test_what_is_chosen_is_there_again(browser: Client) -> None:
    assert "no time zone" in alert(browser.post("/told", data={"zone": "Nowhere"}))
    subscription = {"event": ["turn", "over", "nonsense"], "games": "all", "zone": "Europe/Prague", "digest_hour": "7"}
    assert browser.post("/told", data=subscription).status_code == 303
    page = browser.get("/told").text
    assert re.search(r'value="over" checked', page)
    assert not re.search(r'value="time" checked', page)
    assert re.search(r'value="all" checked', page)
    assert '<option value="7" selected>' in page


def test_the_same_from_two_pages_at_once_is_no_fault_of_ours(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    key = key_in(browser.post("/play", data={"game": "18CZ/base"}))
    browser.get(f"/t/{key}/")
    both, usual = Barrier(2), Session.merge

    def merged(self: Session, instance: Any) -> Any:
        """Both have seen that nothing is kept yet."""
        found = usual(self, instance)
        if isinstance(instance, GameSubscriptionRow):
            both.wait(10)
        return found

    monkeypatch.setattr(Session, "merge", merged)
    with ThreadPoolExecutor(2) as pages:
        answers = list(pages.map(lambda _: browser.post(f"/t/{key}/bell", json=True), range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (refused,) = (answer for answer in answers if answer.status_code == 409)
    assert "at the same moment" in alert(refused)


def test_a_mail_address_is_confirmed_and_ended_by_links(browser: Client, mail: MailServer) -> None:
    assert "no mail address" in alert(browser.post("/told/mail", data={"address": "anna@localhost"}))
    assert "no mail address" in alert(browser.post("/told/mail", data={"address": "a@example.org\nBcc: b@example.org"}))
    assert browser.post("/told/mail", data={"address": "anna@example.org"}).status_code == 303
    letter = mail.letters.get(timeout=60)  # the server sends it by itself
    text = str(letter.get_payload(decode=True), "utf-8")  # type: ignore[arg-type]
    confirm = re.search(r"testserver\.local(/told/confirm/\S+)", text)
    end = re.search(r"testserver\.local(/told/end/[^>\s]+)", str(letter["List-Unsubscribe"]))
    assert confirm
    assert end
    assert "waits for your answer" in words(browser.get("/told"))
    assert "Yes, it is mine" in browser.get(confirm[1]).text, "looking at it does nothing yet"
    assert "waits for your answer" in words(browser.get("/told"))
    assert browser.post(confirm[1]).status_code == 200
    assert "waits for your answer" not in words(browser.get("/told"))
    assert browser.get(confirm[1][:-1] + "x").status_code == 404
    assert browser.post(end[1], data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert "anna@example.org" not in words(browser.get("/told"))


def test_a_confirmation_mail_that_fails_is_shown_with_what_to_do(browser: Client, mail: MailServer) -> None:
    browser.post("/told", data={"zone": "Europe/Prague"})
    mail.handler.refusing = "451 <anna@example.org> mailbox busy"
    browser.post("/told/mail", data={"address": "anna@example.org"})
    until(lambda: "451" in words(browser.get("/told")))
    page = words(browser.get("/told"))
    assert "waits for your answer" not in page
    assert "not confirmed: its mail was not sent" in page
    assert re.search(
        r"The last message failed on \d+ \w+ \d{4}, \d\d:\d\d \(Europe/Prague\): the mail server refuses this address:"
        r" 451 <…> mailbox busy\. It will be sent again by \d+ \w+ \d{4}, \d\d:\d\d \(Europe/Prague\)\."
        r" Check that the address is right",
        page,
    )
    mail.handler.refusing = "550 no such user"
    browser.post("/told/mail", data={"address": "anna@example.org"})
    until(lambda: "550" in words(browser.get("/told")))
    assert "no such user. It will not be sent again. Check" in words(browser.get("/told"))


def test_one_address_is_not_asked_again_and_again(browser: Client) -> None:
    for _ in range(3):  # by the same person too
        assert browser.post("/told/mail", data={"address": "victim@example.org"}).status_code == 303
    browser.cookies.clear()
    assert "several times today" in alert(browser.post("/told/mail", data={"address": "Victim@example.org"}))


def test_webhooks_are_taken_and_removed(browser: Client) -> None:
    assert "no address of a webhook" in alert(browser.post("/told/webhook", data={"address": "x", "shape": "slack"}))
    sent = {"address": "https://hooks.example.org/secret", "shape": "slack"}
    assert browser.post("/told/webhook", data=sent).status_code == 303
    page = browser.get("/told")
    assert "hooks.example.org" in words(page)
    assert "secret" not in page.text, "an address is a key too"
    channel = re.search(r'name="wire" value="(\d+)"', page.text)
    assert channel
    cookies = dict(browser.cookies)
    browser.cookies.clear()
    browser.post("/told/remove", data={"wire": channel[1]})  # somebody else
    browser.cookies.clear()
    browser.cookies.update(cookies)
    assert "hooks.example.org" in words(browser.get("/told"))
    browser.post("/told/remove", data={"wire": channel[1]})
    assert "hooks.example.org" not in words(browser.get("/told"))


def test_a_subscription_of_a_browser_has_keys_that_can_be_used(browser: Client) -> None:
    good = Browser("https://push.example.org/1").push_subscription
    sent = {"endpoint": good.endpoint, "keys": {"p256dh": good.keys.p256dh, "auth": good.keys.auth}}
    assert browser.post("/told/push", json=sent | {"keys": {"p256dh": "x", "auth": "y"}}).status_code == 400
    assert browser.post("/told/push", json=sent | {"endpoint": "ftp://push.example.org"}).status_code == 400
    assert browser.post("/told/push", json=sent).status_code == 200
    assert "push.example.org" in words(browser.get("/told"))


def test_a_turn_is_told_while_the_server_runs(browser: Client, mail: MailServer) -> None:
    """From the answer of one to the mail of the other, with every part at work."""
    form = {
        "game": "18CZ/base",
        "players": "3",
        "order": "given",
        "seed": "3",
        "who1": "here",
        "who2": "link",
        "who3": "link",
    }
    host = key_in(
        browser.post("/new", data=form | {"seat1": "Anna", "seat2": "Boris", "seat3": "Clara", "clock": "days-86400-0"})
    )
    links = browser.get(f"/api/t/{host}/links").json()
    keys = {link["seats"][0]: link["key"] for link in links if link["role"] == "seat"}
    browser.cookies.clear()
    browser.get(f"/t/{keys['p2']}")
    browser.post("/told", data={"event": ["turn"], "games": "all", "zone": "UTC"})
    browser.post("/told/mail", data={"address": "boris@example.org"})
    mail.letters.get(timeout=60)
    inside = browser.app.state.services
    with inside.database.session() as session:
        session.execute(update(ChannelRow).values(confirmed=True))
    view = browser.get(f"/api/t/{host}").json()
    assert view["clocks"]["clock"]["seconds"] == 86400
    assert view["clocks"]["paused"]
    browser.post(f"/api/t/{host}/answer", json={"version": view["version"], "action": {"do": "pass"}})
    letter = mail.letters.get(timeout=60)
    assert letter["To"] == "boris@example.org"
    assert letter["Subject"].startswith("Your turn")
    assert browser.get(f"/g/{view['game']}").headers["location"] == f"/t/{keys['p2']}"
    browser.cookies.clear()
    assert browser.get(f"/g/{view['game']}").status_code == 404, "strangers have no seat there"


def test_forms_of_other_sites_change_nothing(browser: Client) -> None:
    evil = {"origin": "https://evil.example.org"}
    assert browser.post("/told", data={"zone": "UTC"}, headers=evil).status_code == 403
    assert browser.post("/told/mail", data={"address": "a@example.org"}, headers=evil).status_code == 403


def test_a_server_without_mail_says_so(url: str) -> None:
    with TestClient(
        unlimited(create_services(url, now, data=data_of(url))), base_url="http://testserver.local"
    ) as browser:
        assert "not set mail up" in words(browser.get("/told"))
        assert "no mail is sent" in alert(browser.post("/told/mail", data={"address": "a@example.org"})).lower()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("", {"zone": "Nowhere/Else"}),
        ("/mail", {"address": "nobody"}),
        ("/webhook", {"address": "ftp://rooms.example.org", "shape": "json"}),
        ("/webhook", {"address": "https://rooms.example.org/", "shape": "round"}),
        ("/remove", {"wire": "1"}),
        ("/holiday", {"first": "today", "last": "tomorrow"}),
        ("/holiday", {"first": "2001-01-01", "last": "2001-01-02"}),
        ("/holiday/end", {"holiday": "1"}),
    ],
)
def test_nobody_is_made_known_to_be_refused(browser: Client, url: str, path: str, fields: dict[str, str]) -> None:
    answer = browser.post(f"/told{path}", data=fields)
    assert answer.status_code in (400, 404)
    assert "set-cookie" not in answer.headers
    database = Database(url, data_of(url))
    with database.session() as session:
        assert session.scalars(select(VisitorRow)).all() == []
    database.close()


def test_mail_is_set_up_by_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("hidden\n", "utf-8")
    environ = {
        "OSTBAHN_PUBLIC_URL": "https://games.example.org/",
        "OSTBAHN_MAIL_HOST": "mail.example.org",
        "OSTBAHN_MAIL_PORT": "465",
        "OSTBAHN_MAIL_SECURITY": "tls",
        "OSTBAHN_MAIL_SENDER": "games@example.org",
        "OSTBAHN_MAIL_PASSWORD_FILE": str(file),
        "OSTBAHN_WEBHOOKS_LET_IN": "10.0.0.0/8",
    }
    notification_config = notification_config_of(read_settings({}, environ))
    assert notification_config.can_mail
    assert notification_config.mail_settings is not None
    assert (notification_config.mail_settings.port, notification_config.mail_settings.security) == (465, "tls")
    assert notification_config.mail_settings.password is not None
    assert notification_config.mail_settings.password.reveal() == "hidden"
    assert "hidden" not in repr(notification_config)
    assert notification_config.allowed_networks == ("10.0.0.0/8",)
    assert notification_config.address == "https://games.example.org"
