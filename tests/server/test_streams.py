"""Many connections from one visitor: whoever opens more than there is room for keeps nobody else out."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest

from ostbahn.server.events.streams import OpenStreams
from ostbahn.server.metrics import Metrics
from ostbahn.server.ops.logs import RepetitionFilter
from ostbahn.server.settings import Settings
from ostbahn.server.web.request_middleware import RequestMiddleware
from tests.programs import started
from tests.server.loops import run
from tests.server.network import Seat, hears, listening, open_table

DESCRIPTORS = 512
MANY = 700
"""More than the server has descriptors."""


class Besieged(NamedTuple):
    """A server that may open few files."""

    net: httpx.Client
    table: dict[str, Seat]
    pid: int

    @property
    def address(self) -> str:
        return str(self.net.base_url)

    def still_answers(self) -> None:
        with httpx.Client(base_url=self.address, timeout=None) as net:
            assert net.get("/health/ready").status_code == 200
            assert net.get(f"/t/{self.table['host'].key}").status_code == 200
            assert net.post(self.table["host"].path("chat"), json={"text": "Hello"}).status_code == 200

    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))


@contextmanager
def besieged(data: Path, log: list[str]) -> Iterator[Besieged]:
    command = [sys.executable, "-m", "ostbahn.cli.main", "serve", "--port", "0", "--data", str(data), "--no-browser"]
    with started(command) as process:
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("Ostbahn is at ").strip()
        with httpx.Client(base_url=address, timeout=None) as net:
            yield Besieged(net, open_table(net, "here", "link", "link"), process.pid)
        process.terminate()
        log += (process.communicate()[1] or "").splitlines()


@contextmanager
def crowd(address: str, requests: list[bytes]) -> Iterator[list[socket.socket]]:
    """As many connections, each with something sent on it and nothing read."""
    place = (urlsplit(address).hostname or "", urlsplit(address).port or 0)
    with ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(place)) for _ in requests]
        for line, request in zip(lines, requests, strict=True):
            with suppress(ConnectionResetError, BrokenPipeError):  # the server has made room for others
                line.sendall(request)
        yield lines


def events(key: str) -> bytes:
    return f"GET /api/t/{key}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode()


@pytest.mark.parametrize(
    "kind", ["streams of one key", "streams of many keys", "silence", "half a head", "half a body"]
)
def test_one_visitor_keeps_nobody_else_out(tmp_path: Path, kind: str) -> None:
    log: list[str] = []
    with besieged(tmp_path, log) as server:
        keys = [seat.key for seat in server.table.values()]
        sent = {
            "streams of one key": [events(server.table["spectator"].key)] * MANY,
            "streams of many keys": [events(keys[number % len(keys)]) for number in range(MANY)],
            "silence": [b""] * MANY,
            "half a head": [b"GET / HTTP/1.1\r\nHost:"] * MANY,
            "half a body": [b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nname="] * MANY,
        }[kind]
        with listening(server.address, server.table["p2"]) as heard:
            hears(heard, ("state", "0"))
            with crowd(server.address, sent):
                for _ in range(3):
                    server.still_answers()
                assert server.open_files() < DESCRIPTORS
            hears(heard, ("chat", "0"))
    assert log == []


async def statuses(request_middleware: RequestMiddleware, scopes: list[tuple[str, str]]) -> list[int]:
    """What each is answered that wants a stream with a key from an address, while all others go on."""
    heard: list[int] = []
    enough = asyncio.Event()

    async def one(key: str, address: str) -> None:
        async def send(message: object) -> None:
            if message["type"] == "http.response.start":  # type: ignore[index]
                heard.append(message["status"])  # type: ignore[index]
                if len(heard) == len(scopes):
                    enough.set()

        async def receive() -> None:
            await enough.wait()

        scope = {"type": "http", "method": "GET", "path": f"/api/t/{key}/events", "client": (address, 1), "headers": []}
        await request_middleware(scope, receive, send)  # type: ignore[arg-type]

    await asyncio.gather(*(one(*each) for each in scopes))
    return heard


async def open_stream(scope: object, receive: object, send: object) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})  # type: ignore[operator]
    await receive()  # type: ignore[operator]
    await send({"type": "http.response.body", "body": b"", "more_body": False})  # type: ignore[operator]


@pytest.mark.parametrize(
    ("scopes", "refused"),
    [
        ([("k", f"192.0.2.{number}") for number in range(5)], 2),
        ([("k.board", "192.0.2.1"), *[("k", f"192.0.2.{number}") for number in range(2, 6)]], 2),
        ([(f"k{number}", "192.0.2.1") for number in range(6)], 2),
        ([(f"k{number}", f"2001:db8::{number}") for number in range(6)], 2),
        ([(f"k{number}", f"2001:db8:0:{number}::1") for number in range(6)], 0),
        ([(f"k{number}", f"192.0.2.{number}") for number in range(12)], 2),
    ],
)
def test_streams_are_limited_for_a_key_for_an_address_and_in_all(scopes: list[tuple[str, str]], refused: int) -> None:
    request_middleware = RequestMiddleware(
        open_stream, Settings(), Metrics(), OpenStreams(10, per_key=3, per_address=4)
    )
    for _ in range(2):  # those that have ended count no more
        assert sorted(run(statuses(request_middleware, scopes))) == [200] * (len(scopes) - refused) + [429] * refused


def test_a_club_of_thirty_with_several_pages_each_fits_behind_one_address() -> None:
    request_middleware = RequestMiddleware(open_stream, Settings(), Metrics(), OpenStreams(4000))
    scopes = [(f"k{player}", "192.0.2.1") for player in range(30) for _ in range(6)]
    assert set(run(statuses(request_middleware, scopes))) == {200}


def test_the_same_message_of_asyncio_is_written_once_in_a_while() -> None:
    moments = [0.0]
    seldom = RepetitionFilter(lambda: moments[-1])

    def passes(message: str) -> str | None:
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, message, None, None)
        return record.getMessage() if seldom.filter(record) else None

    full = "socket.accept() out of system resource\nsocket: <…>"
    assert [passes(full) for _ in range(1000)] == [full, *[None] * 999]
    assert passes("something else") == "something else"
    moments.append(61.0)
    assert passes(full) == "socket.accept() out of system resource (999 more such messages were left out)"
