"""How often one may do something: counted for each address, which a proxy may tell only where it is believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import func, select

from ostbahn.interop.saves import dump
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import new_game
from ostbahn.server.accounts.people import AttemptRow
from ostbahn.server.accounts.rate_limits import CHAT, GAMES, KEYS, LOBBY, PASSWORDS, SEATS, address_of
from ostbahn.server.settings import Settings, read_settings
from ostbahn.server.web.request_middleware import RequestMiddleware
from ostbahn.server.web.services import create_services
from ostbahn.server.web.serving import Server, listening
from tests.server.contract import DOCUMENT, Contract
from tests.server.network import open_table, until
from tests.server.site import alert, limited
from tests.server.tables import NAMES, now

Browser = TestClient[Litestar]
PLAN = {"title": "18CZ", "seats": [{"name": name} for name in NAMES[:3]]}
NEW = {"game": "18CZ/base", "players": "3"}
PASSWORD = {"name": "Nobody", "password": "wrong password"}


@pytest.fixture
def browser(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """With limits as low as three, but otherwise as they are."""
    for limit in (GAMES, CHAT, SEATS, LOBBY, PASSWORDS, KEYS):
        monkeypatch.setattr(limit, "rate_limit", ("minute", 3))
    with TestClient(limited(create_services(url, now)), base_url="http://testserver.local") as browser:
        browser.follow_redirects = False
        yield browser


def test_whoever_asks_too_often_is_told_how_long_to_wait(browser: Browser) -> None:
    contract = Contract(browser.get(DOCUMENT).json())
    wrong = "A" * 22
    answers = [browser.get(f"/api/t/{wrong}") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= 60
    for answer in answers:
        contract.check(answer)
    page = browser.get(f"/t/{wrong}")
    assert (page.status_code, 0 < int(page.headers["retry-after"]) <= 60) == (429, True)


@pytest.mark.slow
def test_games_are_set_up_only_so_often_however_that_is_done(browser: Browser) -> None:
    save = dump(new_game("18CZ", list(NAMES[:3]))).decode()
    assert browser.post("/api/games", json=PLAN).status_code == 201
    assert browser.post("/new", data=NEW).status_code == 303
    assert browser.post("/import", data={"text": save}).status_code == 303
    for answer in (browser.post("/new", data=NEW), browser.post("/import", data={"text": save})):
        assert (answer.status_code, alert(answer)) == (429, "Too many attempts; wait a minute.")
    answer = browser.post("/api/games", json=PLAN)
    assert (answer.status_code, answer.json()) == (429, {"error": "Too many attempts; wait a minute."})
    assert browser.get("/new").status_code == 200


def test_passwords_are_tried_only_so_often_whichever_worker_is_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PASSWORDS, "rate_limit", ("minute", 3))
    moments = [now()]
    apps = [limited(create_services(url, lambda: moments[-1])) for _ in range(2)]
    with TestClient(apps[0]) as one, TestClient(apps[1]) as other:
        tried = [worker.post("/login", data=PASSWORD).status_code for worker in (one, other, one, other, one)]
        assert tried == [403, 403, 403, 429, 429]
        moments.append(moments[0] + timedelta(seconds=61))
        assert other.post("/login", data=PASSWORD).status_code == 403, "a minute later"


@pytest.mark.slow
def test_who_goes_on_trying_passwords_has_nothing_more_written(browser: Browser) -> None:
    for _ in range(8):
        answer = browser.post("/login", data=PASSWORD)
    assert answer.status_code == 429
    with browser.app.state.services.database.session() as session:
        assert session.scalar(select(func.count(AttemptRow.id))) == 6, "of the address, and at the account"


def test_a_clock_that_is_put_back_lets_nobody_wait_longer(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PASSWORDS, "rate_limit", ("minute", 3))
    moments = [now()]
    with TestClient(limited(create_services(url, lambda: moments[-1]))) as one:
        assert [one.post("/login", data=PASSWORD).status_code for _ in range(4)] == [403, 403, 403, 429]
        moments.append(moments[0] - timedelta(days=1))
        assert one.post("/login", data=PASSWORD).status_code == 403


@pytest.mark.parametrize("path", ["/login", "/register"])
def test_passwords_are_tried_only_so_often(browser: Browser, path: str) -> None:
    for _ in range(3):
        assert browser.post("/login", data=PASSWORD).status_code == 403
    assert browser.post(path, data=PASSWORD).status_code == 429


def test_talk_and_seats_have_limits_of_their_own(browser: Browser) -> None:
    net = cast(httpx.Client, browser)
    table = open_table(net, "here", "link", "link")
    for number in range(3):
        table["p2"].post("chat", text=str(number))
        table["host"].post("seat", seat="p3", who="link")
    table["p2"].refused("chat", 429, text="once more")
    table["host"].refused("seat", 429, seat="p3", who="link")
    table["host"].answer()


def test_keys_are_tried_only_so_often_and_nobody_with_a_key_is_counted(browser: Browser) -> None:
    host = open_table(cast(httpx.Client, browser))["host"]
    for _ in range(8):
        host.get()
        assert browser.get(f"/t/{host.key}").status_code == 200
    tries = [f"/t/{'A' * 22}", f"/api/t/{'B' * 22}", f"/t/{'C' * 22}/pictures/tiles"]
    assert [browser.get(path).status_code for path in tries] == [404, 404, 404]
    for path in (*tries, f"/t/{host.key}"):  # else it would be told by this which one is right
        assert browser.get(path).status_code == 429


def test_what_is_not_there_is_no_attempt_at_a_key(browser: Browser) -> None:
    table = open_table(cast(httpx.Client, browser), "here", "link", "link")
    host, guest = table["host"], table["p2"]
    host.post("seat", seat="p2", who="here")  # whose link leads nowhere any more
    for path in (f"/t/{host.key}/qr/nobody", f"/t/{host.key}.board", "/t/favicon.ico", "/api/t/x"):
        assert [browser.get(path).status_code for _ in range(4)] == [404] * 4
    assert [browser.get(f"/t/{guest.key}").status_code for _ in range(4)] == [410] * 4
    assert browser.get(f"/t/{host.key}").status_code == 200


def test_pages_of_other_sites_cannot_use_up_the_attempts_of_their_visitors(browser: Browser) -> None:
    host = open_table(cast(httpx.Client, browser))["host"]
    for part in ("image", "iframe", "empty"):
        embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": part}
        for key in (*(letter * 22 for letter in "ABCD"), host.key):
            answer = browser.get(f"/t/{key}/pictures/tiles", headers=embedded)
            assert answer.status_code == 403, "whichever key it is: nothing is to be learned from the answer"
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert browser.get(f"/t/{host.key}", headers=followed).status_code == 200
    own = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "image"}
    assert browser.get(f"/t/{host.key}/pictures/tiles", headers=own).status_code == 200


def test_the_limits_are_what_people_need() -> None:
    for limit in (GAMES, CHAT, SEATS, LOBBY, PASSWORDS, KEYS):
        unit, most = limit.rate_limit
        assert unit == "minute"
        assert 10 <= most <= 60
    assert len({limit.store for limit in (GAMES, CHAT, SEATS, LOBBY, PASSWORDS, KEYS)}) == 6, (
        "each is counted for itself"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::7", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("", "", True),
        ("/tmp/socket", "192.0.2.1", False),
    ],
)
def test_a_household_is_counted_as_one(one: str, other: str, same: bool) -> None:
    def seen(host: str) -> str:
        request: Any = SimpleNamespace(client=SimpleNamespace(host=host) if host else None)
        return address_of(request)

    assert (seen(one) == seen(other)) is same


# Proxies


@contextmanager
def served(url: str, proxies: list[str]) -> Iterator[httpx.Client]:
    inside = create_services(url, now, settings=Settings(trust_proxy=tuple(proxies)))
    server = Server(RequestMiddleware(limited(inside), inside.settings, inside.metrics))
    with listening("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        until(lambda: server.started)
        with httpx.Client(base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", timeout=None) as net:
            yield net
        server.should_exit = True
        thread.join()


def statuses(net: httpx.Client) -> list[int]:
    """Somebody tries passwords, and says each time that he is somebody else."""
    return [
        net.post("/login", data=PASSWORD, headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code
        for number in range(5)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("proxies", [[], ["192.0.2.7"]])
def test_what_strangers_say_about_their_address_is_not_believed(
    url: str, monkeypatch: pytest.MonkeyPatch, proxies: list[str]
) -> None:
    """Not even if they are on this machine, and whatever the environment says."""
    monkeypatch.setattr(PASSWORDS, "rate_limit", ("minute", 3))
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    with served(url, proxies) as net:
        assert statuses(net) == [403, 403, 403, 429, 429]
        cookie = net.post("/new", data=NEW, headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"]
        assert "Secure" not in cookie


def test_a_proxy_that_was_named_is_believed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PASSWORDS, "rate_limit", ("minute", 3))
    with served(url, ["127.0.0.0/8"]) as net:
        assert statuses(net) == [403] * 5
        cookie = net.post("/new", data=NEW, headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"]
        assert "Secure" in cookie


@pytest.mark.parametrize("wrong", ["*", "", "localhost", "10.0.0.1/8", "127.0.0.1,10.0.0.1"])
def test_a_proxy_is_named_by_its_address(wrong: str) -> None:
    with pytest.raises(BadSetup, match="address"):
        read_settings({"trust_proxy": ["127.0.0.1", wrong]}, {})
