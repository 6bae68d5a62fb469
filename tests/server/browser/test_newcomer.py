"""A club server as the compose file describes it, from nothing: PostgreSQL, workers, a proxy with HTTPS, and mail.

Images cannot be pulled everywhere, so the programs of this machine stand in for them; what they are told is read from
the files in deploy/. Two people play a game to its end, each at a worker of their own.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from aiosmtpd.controller import Controller
from playwright.sync_api import Page, expect

from tests.server.browser.player import Player, begin, my_turn, put_away
from tests.server.browser.running import served
from tests.server.browser.visits import Visits
from tests.server.postgres import MISSING, Cluster, binaries, cluster

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"
COMMAND = (sys.executable, "-m", "ostbahn")
HALF = 60
"""Answers before the backup is made."""


class Letters:
    """Mail that was sent to anybody."""

    def __init__(self) -> None:
        self.all: list[tuple[str, str, str]] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - the library calls it so
        letter = message_from_bytes(envelope.content, policy=policy.default)
        body = letter.get_body(("plain",))
        self.all.append((envelope.rcpt_tos[0], str(letter["subject"]), "" if body is None else body.get_content()))
        return "250 OK"

    def to(self, whom: str) -> list[tuple[str, str]]:
        return [(subject, text) for address, subject, text in self.all if address == whom]


def until(happens: Callable[[], object], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < end, f"not in {seconds:g} s: {what}"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def environment(base: Cluster, folder: Path, site: str, post: int) -> dict[str, str]:
    """What the compose file says to Ostbahn, with the places of this machine."""
    compose = msgspec.yaml.decode((DEPLOY / "compose.yaml").read_bytes())
    said: dict[str, str] = compose["services"]["ostbahn"]["environment"]
    (folder / "secret").write_text(secrets.token_hex(32))
    (folder / "token").write_text("figures-please-0123456789")
    (folder / "password").write_text("not asked for")
    here = {
        "OSTBAHN_PUBLIC_URL": site,
        "OSTBAHN_TRUST_PROXY": "127.0.0.1",
        "OSTBAHN_WORKERS": "1",  # two servers with one each: then it is known who answers whom
        "OSTBAHN_DATABASE": base.url(base.empty()),
        "OSTBAHN_DATABASE_PASSWORD_FILE": str(folder / "password"),
        "OSTBAHN_SECRET_FILE": str(folder / "secret"),
        "OSTBAHN_METRICS_TOKEN_FILE": str(folder / "token"),
    }
    assert here.keys() == said.keys()
    mail = {"HOST": "127.0.0.1", "PORT": str(post), "SECURITY": "none", "SENDER": "club@example.org"}
    return {**os.environ, **here, **{f"OSTBAHN_MAIL_{name}": value for name, value in mail.items()}}


@contextmanager
def ostbahn_serves(env: dict[str, str], data: Path) -> Iterator[str]:
    command = [*COMMAND, "serve", "--no-browser", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].rstrip("/")
            until(lambda: _is_ready(address), "the server is ready")
            yield address
        finally:
            server.terminate()
            assert server.wait(20) == 0


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health/ready", headers={"Host": "localhost"}).status_code == 200
    except httpx.HTTPError:
        return False


@contextmanager
def proxied(site: str, upstreams: list[str], folder: Path) -> Iterator[None]:
    """Caddy with our own file; of the machine it is told to leave alone what is not the test's."""
    own = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    file = folder / "Caddyfile"
    file.write_text(own + (DEPLOY / "Caddyfile").read_text())
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    env |= {"SITE": site, "UPSTREAM": " ".join(each.removeprefix("http://") for each in upstreams)}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
    with (folder / "caddy.log").open("w") as log, subprocess.Popen(command, env=env, stderr=log) as caddy:
        try:
            until(lambda: _answers(site), "the proxy is ready")
            yield
        finally:
            caddy.kill()  # asked to end, it waits for pages that listen


def _answers(site: str) -> bool:
    try:
        return httpx.get(site, verify=False).status_code == 200  # its certificate is of its own making
    except httpx.HTTPError:
        return False


def listening(worker: str) -> float:
    """How many pages hear the news from a worker."""
    head = {"Host": "localhost", "Authorization": "Bearer figures-please-0123456789"}
    told = httpx.get(f"{worker}/metrics", headers=head).text
    found = re.search(r"^ostbahn_pages_listening\S* ([\d.]+)$", told, re.MULTILINE)
    assert found, told[:2000]
    return float(found[1])


def wants_mail(page: Page, site: str, address: str, letters: Letters) -> None:
    """Somebody says where to be told, and answers the first mail."""
    page.goto(f"{site}/told")
    page.get_by_label("Your address").fill(address)
    page.get_by_role("button", name="Add", exact=True).first.click()
    until(lambda: letters.to(address), "the mail that asks whether it arrives")
    page.goto(re.findall(rf"{re.escape(site)}\S+", letters.to(address)[0][1])[0])
    page.get_by_role("button").last.click()
    page.goto(f"{site}/told")
    page.get_by_label("In all my games, unless I switch it off there").check()
    page.get_by_label("Also while I have the table open").check()
    page.get_by_role("button", name="Keep this").click()


def take_turns(players: dict[Page, Player], answers: int) -> int:
    """Both play, whoever is asked; returns how many answers they gave."""
    for number in range(answers):
        asking = "() => document.getElementById('panel-question').dataset"
        page = next((each for each in players if my_turn(each)), None)
        while page is None:
            if all(each.evaluate(asking)["kind"] == "" for each in players):
                return number
            time.sleep(0.02)
            page = next((each for each in players if my_turn(each)), None)
        players[page].step()
    return answers


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_two_people_play_a_game_at_a_club_server(visits: Visits, tmp_path: Path) -> None:
    if binaries() is None:
        pytest.skip(MISSING)
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed, so nothing was tried behind it")
    letters, site = Letters(), f"https://localhost:{free_port()}"
    post = Controller(letters, hostname="127.0.0.1", port=free_port())
    with ExitStack() as opened:
        opened.callback(post.stop)
        post.start()
        base = opened.enter_context(cluster(""))
        env = environment(base, tmp_path, site, post.port)
        workers = [opened.enter_context(ostbahn_serves(env, tmp_path / name)) for name in ("one", "two")]
        opened.enter_context(proxied(site, workers, tmp_path))

        host = visits.person(site, ignore_https_errors=True)
        begin(host, "18CZ/moravia", ["here", "link", "R"])
        host.get_by_role("button", name="Players and links").first.click()
        link = host.locator("dialog#invite .invite-seat").get_by_role("textbox").first.input_value()
        put_away(host)
        guest = visits.person(site, ignore_https_errors=True)
        wants_mail(guest, site, "ida@example.org", letters)
        guest.goto(link)
        guest.get_by_label("Your name").fill("Ida")
        guest.get_by_role("button", name="Sit down").click()
        guest.locator("#table").wait_for()
        if guest.locator("dialog#invite[open]").count():
            put_away(guest)
        for _ in range(40):  # whom the proxy asks is a matter of chance
            if all(listening(worker) for worker in workers):
                break
            guest.reload()
            guest.wait_for_timeout(500)
        assert all(listening(worker) for worker in workers)

        players = {host: Player(host, seed=1, idle=0.4), guest: Player(guest, seed=2, idle=0.4)}
        take_turns(players, HALF)
        backup = [*COMMAND, "backup", str(tmp_path / "backup"), "--with-secret"]
        subprocess.run(backup, env=env, check=True, cwd=tmp_path)
        version = host.locator("#table").get_attribute("data-version")
        rest = take_turns(players, 10_000)
        assert rest > 0
        for page in players:
            expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
        assert host.locator("#panel-result").inner_text() == guest.locator("#panel-result").inner_text()
        told = [text for subject, text in letters.to("ida@example.org") if "turn" in subject.lower()]
        assert told
        subprocess.run([*COMMAND, "check", "--deep"], env=env, check=True, cwd=tmp_path)
        paths = [page.url.removeprefix(site) for page in players]
        visits.close()

    restored = tmp_path / "restored"
    subprocess.run([*COMMAND, "restore", str(tmp_path / "backup"), "--data", str(restored)], check=True, cwd=tmp_path)
    with served(restored) as address:
        pages = [visits.person(address.rstrip("/") + path) for path in paths]
        until(lambda: any(my_turn(page) for page in pages), "somebody is asked")
        assert int(pages[0].locator("#table").get_attribute("data-version") or 0) >= int(version or 1)
        assert take_turns({page: Player(page, seed=3) for page in pages}, 5) == 5
        visits.close()
