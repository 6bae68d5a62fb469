"""Limits on event streams and connections of a worker, so that nobody can take all of them."""

from __future__ import annotations

import re
import resource
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import uvicorn
from litestar.types import Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

PER_KEY: Final = 200  # streams with one key: a link for spectators is shared by many
PER_ADDRESS: Final = 300  # streams from one address: a club of thirty with ten pages each
AT_ONCE: Final = 32
"""Connections accepted in one turn of asyncio; it takes up to four until one of them can be closed again."""
QUEUE: Final = 1024  # connections that wait to be accepted, if the system has room for so many
RESERVED: Final = 4 * AT_ONCE + 128
"""File descriptors for those beyond the limit, and for all that is not a connection."""
FEWEST: Final = 32  # connections that there are in any case
DESCRIPTORS: Final = 16_384  # file descriptors that a process takes if it may
FOR_HEADERS: Final = 20.0  # seconds for a client to send the head of a request
FOR_BODY: Final = 300.0  # seconds for the rest of it
KEY: Final = re.compile(r"/api/t/([^/.]+)")


def raise_descriptor_limit() -> None:
    """Take as many file descriptors as the system allows, within reason."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> int:
    """Connections that this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(FEWEST, (DESCRIPTORS if soft == resource.RLIM_INFINITY else soft) - RESERVED)


class OpenStreams:
    """Counts streams by their keys and addresses. Half of all connections are for other requests."""

    def __init__(self, most: int | None = None, per_key: int = PER_KEY, per_address: int = PER_ADDRESS) -> None:
        self._most = most_connections() // 2 if most is None else most
        self._per_key = min(per_key, self._most // 2)
        self._per_address = min(per_address, self._most // 2)
        self._keys: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def refusal(self, key: str, address: str) -> str:
        """Why there cannot be another one now; empty if there can."""
        if self._keys[key] >= self._per_key:
            return f"This link has {self._per_key} pages with live updates open, and no more can have them."
        if self._addresses[address] >= self._per_address:
            return f"Your network has {self._per_address} pages with live updates open, and no more can have them."
        if self._keys.total() >= self._most:
            return "The server has no room for more pages with live updates."
        return ""

    @contextmanager
    def counted(self, key: str, address: str) -> Iterator[None]:
        held = ((self._keys, key), (self._addresses, address))
        for counter, name in held:
            counter[name] += 1
        try:
            yield
        finally:
            for counter, name in held:
                counter[name] -= 1
                if not counter[name]:
                    del counter[name]


def key_in(path: str) -> str:
    """Whose stream it is; those of planning boards belong to the key that they were made with."""
    key = KEY.match(path)
    return key[1] if key else ""


class ServerConfig(uvicorn.Config):
    """With a limit on connections."""

    def __init__(self, app: Any, connections: int, **settings: Any) -> None:
        self.connections = connections
        super().__init__(app, http=ClientConnection, backlog=AT_ONCE, **settings)


class ClientConnection(H11Protocol):
    """A connection that makes room: where there are too many, that whose client has been silent longest is closed."""

    config: ServerConfig
    since: float = 0.0  # when it began to wait for its client

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) > self.config.connections:
            waiting = [each for each in self.connections if isinstance(each, ClientConnection) and each.waits_for]
            min(waiting, key=lambda each: each.since, default=self).transport.abort()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    @property
    def waits_for(self) -> str:
        """What its client has yet to do: send the `head` of a request or its `body`, `read` the answer; or nothing."""
        if self.transport.is_closing():
            return ""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            return "head"
        if cycle.more_body:
            return "body"
        return "read" if self.flow.write_paused else ""


def close_late(connections: Iterable[object]) -> None:
    """Close the connections of clients that take too long to send a request."""
    for each in list(connections):
        if isinstance(each, ClientConnection):
            seconds = {"head": FOR_HEADERS, "body": FOR_BODY}.get(each.waits_for)
            if seconds is not None and each.loop.time() - each.since > seconds:
                each.transport.abort()


async def refuse(send: Send, why: str) -> None:
    """Answer in words; whoever listens for news has to ask for them now and then."""
    headers = {b"content-type": b"application/json", b"retry-after": b"10", b"cache-control": b"no-store"}
    await answer(send, 429, msgspec.json.encode({"error": why}), headers)


async def answer(send: Send, status: int, body: bytes, headers: Mapping[bytes, bytes]) -> None:
    """Send a whole response past Litestar."""
    told = [*headers.items(), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body, "more_body": False})
