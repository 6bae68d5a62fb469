"""Guesses at the password of an account from many addresses, and mails to people who never asked for one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from litestar.testing import TestClient

from ostbahn.server.accounts import rate_limits
from ostbahn.server.accounts.logins import MOST_GUESSES, Devices
from ostbahn.server.db.database import Database
from ostbahn.server.faults import TooManyAttempts
from ostbahn.server.notifications import pages as notification_pages
from ostbahn.server.notifications.channels import NotificationConfig
from ostbahn.server.web.services import Services, create_services
from tests.server.postgres import data_of
from tests.server.receivers import MailServer, mail_server
from tests.server.site import Client, alert, limited
from tests.server.tables import now, people_on

IDA = {"name": "Ida", "password": "Brno-Prerov"}
WRONG = IDA | {"password": "Ostrava-Brno"}


class Time:
    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def inside(url: str, time: Time, mail: MailServer, monkeypatch: pytest.MonkeyPatch) -> Services:
    """As if every request came from another address: limits for each of them are lifted."""
    for limit in (rate_limits.PASSWORDS, rate_limits.NOTIFICATION_SETTINGS):
        monkeypatch.setattr(limit, "rate_limit", ("minute", 1_000_000))
    notification_config = NotificationConfig("http://testserver.local", mail.mail_settings, ("127.0.0.0/8",))
    return create_services(url, time, data=data_of(url), notification_config=notification_config)


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


@pytest.fixture
def browsers(inside: Services) -> Iterator[list[Client]]:
    with TestClient(limited(inside), base_url="http://testserver.local") as first:
        made = [first, *(TestClient(first.app, base_url="http://testserver.local") for _ in range(2))]
        for browser in made:
            browser.follow_redirects = False
        yield made


def guess(browser: Client, times: int) -> list[int]:
    return [browser.post("/login", data=WRONG).status_code for _ in range(times)]


# Passwords


def test_guesses_at_an_account_end_whoever_makes_them_but_not_for_its_owner(browsers: list[Client], time: Time) -> None:
    own, thief, new = browsers
    own.post("/register", data=IDA)
    own.post("/logout")
    assert set(guess(thief, MOST_GUESSES)) == {403}
    answer = thief.post("/login", data=IDA)
    assert answer.status_code == 429, "even the right one, or they would know it"
    assert "recovery code" in alert(answer)
    assert new.post("/login", data=IDA).status_code == 429
    assert own.post("/login", data=IDA).status_code == 303, "this browser has logged in before"
    time.now += timedelta(hours=1, seconds=1)
    assert new.post("/login", data=IDA).status_code == 303


def test_an_owner_in_a_new_browser_gets_in_by_their_recovery_code(inside: Services, browsers: list[Client]) -> None:
    code = inside.people.register(None, **IDA).code
    _, thief, new = browsers
    guess(thief, MOST_GUESSES + 1)
    sent = {"name": "Ida", "code": code, "password": "another password"}
    assert new.post("/forgot", data=sent).is_success
    new.post("/logout")
    assert new.post("/login", data=IDA | {"password": "another password"}).status_code == 303


def test_a_browser_that_was_logged_in_before_there_were_device_cookies_gets_one_when_it_logs_out(
    browsers: list[Client],
) -> None:
    own, thief, _ = browsers
    own.post("/register", data=IDA)
    own.cookies.delete("device")
    own.post("/logout")
    guess(thief, MOST_GUESSES + 1)
    assert own.post("/login", data=IDA).status_code == 303


def test_the_cookie_of_another_account_or_a_forged_one_is_worth_nothing(browsers: list[Client]) -> None:
    own, thief, new = browsers
    own.post("/register", data=IDA)
    thief.post("/register", data=IDA | {"name": "Thief"})
    thief.post("/logout")
    guess(thief, MOST_GUESSES)
    assert thief.post("/login", data=IDA).status_code == 429
    new.cookies.set("device", "0" * 32 + "-" + "0" * 40)
    assert new.post("/login", data=IDA).status_code == 429


def test_a_stolen_device_cookie_has_as_many_guesses_as_all_strangers_and_no_more(browsers: list[Client]) -> None:
    own, thief, _ = browsers
    own.post("/register", data=IDA)
    own.post("/logout")
    thief.cookies.set("device", own.cookies["device"])
    assert guess(thief, 2 * MOST_GUESSES + 1) == [403] * 2 * MOST_GUESSES + [429]


def test_whoever_uses_a_browser_that_is_logged_in_guesses_only_so_often(browsers: list[Client]) -> None:
    own = browsers[0]
    own.post("/register", data=IDA)
    sent = [("/account/code", "password"), ("/account/export", "password"), ("/account/password", "old")]
    tried = [own.post(path, data={name: "wrong", "new": "x" * 9}).status_code for path, name in sent * MOST_GUESSES]
    assert (tried[:MOST_GUESSES], set(tried[MOST_GUESSES:])) == ([403] * MOST_GUESSES, {429})


@pytest.mark.parametrize("database_kind", ["sqlite", "postgres"])
def test_all_workers_count_the_same_guesses(database: Database, url: str, time: Time) -> None:
    people_on(database).register(None, **IDA)
    other = Database(url, data_of(url))
    workers = [Devices(database, time), Devices(other, time)]
    cookie = workers[0].cookie("Ida")
    for number in range(MOST_GUESSES):
        workers[number % 2].check_login("ida ", "")
    for worker in workers:
        with pytest.raises(TooManyAttempts):
            worker.check_login("Ida", "")
        worker.check_login("Ida", cookie)
    other.close()


# Mails


def asked(browser: Client, address: str) -> int:
    return browser.post("/told/mail", data={"address": address}).status_code


def test_nobody_is_written_to_again_and_again_under_other_forms_of_their_address(browsers: list[Client]) -> None:
    forms = ["victim@example.org", "Victim+1@example.org", "victim+2@EXAMPLE.org", "victim+3@example.org"]
    assert [asked(browser, form) for form in forms for browser in browsers[:1]] == [303, 303, 303, 409]


def test_a_domain_is_written_to_only_so_often_whatever_names_are_invented_in_it(
    browsers: list[Client], time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notification_pages, "MOST_CONFIRMATIONS_PER_IP", 100)  # all of them come from one address here
    answers = []
    for number in range(31):
        browsers[0].cookies.clear()  # everybody may have a few addresses
        domain = "victim.example" if number % 2 else f"mail{number}.victim.example"
        answers.append(asked(browsers[0], f"name{number}@{domain}"))
    assert answers == [303] * 30 + [429]
    assert asked(browsers[0], "name@other.example") == 303
    time.now += timedelta(hours=1, seconds=1)
    assert asked(browsers[0], "anna@victim.example") == 303


def test_nobody_alone_uses_up_the_mails_of_a_domain(browsers: list[Client]) -> None:
    answers = []
    for number in range(11):
        browsers[0].cookies.clear()
        answers.append(asked(browsers[0], f"name{number}@victim.example"))
    assert answers == [303] * 10 + [429]
