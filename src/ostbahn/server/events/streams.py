"""Limits on the event streams and connections of a worker, so that no client can use up all of them."""

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
AT_ONCE: Final = 32  # connections accepted in one turn of asyncio; one over the limit may stay for four turns
QUEUE: Final = 1024  # connections that wait to be accepted, if the system allows as many
RESERVED: Final = 4 * AT_ONCE + 128  # file descriptors for connections over the limit, and for other purposes
FEWEST: Final = 32  # connections allowed in any case
DESCRIPTORS: Final = 16_384  # file descriptors that a process claims if the system allows
FOR_HEADERS: Final = 20.0  # seconds for a client to send the head of a request
FOR_BODY: Final = 300.0  # seconds for its body
KEY: Final = re.compile(r"/api/t/([^/.]+)")


def raise_descriptor_limit() -> None:
    """Raise this process's limit on file descriptors to `DESCRIPTORS`, or as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def most_connections() -> int:
    """How many connections this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(FEWEST, (DESCRIPTORS if soft == resource.RLIM_INFINITY else soft) - RESERVED)


class OpenStreams:
    """Counts and limits streams by key and address. Half of all connections stay free for other requests."""

    def __init__(self, most: int | None = None, per_key: int = PER_KEY, per_address: int = PER_ADDRESS) -> None:
        self._most = most_connections() // 2 if most is None else most
        self._per_key = min(per_key, self._most // 2)
        self._per_address = min(per_address, self._most // 2)
        self._keys: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()

    def refusal(self, key: str, address: str) -> str:
        """Why another stream is refused now; empty if it is allowed."""
        if self._keys[key] >= self._per_key:
            return f"This link has {self._per_key} pages with live updates open, and no more can have them."
        if self._addresses[address] >= self._per_address:
            return f"Your network has {self._per_address} pages with live updates open, and no more can have them."
        if self._keys.total() >= self._most:
            return "The server has no room for more pages with live updates."
        return ""

    @contextmanager
    def counted(self, key: str, address: str) -> Iterator[None]:
        """Count a stream while the context lasts."""
        counts = ((self._keys, key), (self._addresses, address))
        for counter, name in counts:
            counter[name] += 1
        try:
            yield
        finally:
            for counter, name in counts:
                counter[name] -= 1
                if not counter[name]:
                    del counter[name]


def key_in(path: str) -> str:
    """The key in the path of a stream; for a planning board the key that made it."""
    match = KEY.match(path)
    return match[1] if match else ""


class ServerConfig(uvicorn.Config):
    """The configuration of uvicorn, with a limit on connections."""

    def __init__(self, app: Any, connections: int, **settings: Any) -> None:
        self.connections = connections
        super().__init__(app, http=ClientConnection, backlog=AT_ONCE, **settings)


class ClientConnection(H11Protocol):
    """A connection. If a new one exceeds the limit, the one whose client has been silent longest is closed."""

    config: ServerConfig
    since: float = 0.0  # when it began to wait for its client

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) > self.config.connections:
            clients = (client for client in self.connections if isinstance(client, ClientConnection))
            waiting = [client for client in clients if client.waits_for]
            min(waiting, key=lambda client: client.since, default=self).transport.abort()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    @property
    def waits_for(self) -> str:
        """What the client has to do next: send a request's `head` or `body`, `read` the response, or nothing ("")."""
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
    for client in list(connections):
        if isinstance(client, ClientConnection):
            seconds = {"head": FOR_HEADERS, "body": FOR_BODY}.get(client.waits_for)
            if seconds is not None and client.loop.time() - client.since > seconds:
                client.transport.abort()


async def refuse(send: Send, why: str) -> None:
    """Send a 429 response with the reason as JSON; the page then polls instead."""
    headers = {b"content-type": b"application/json", b"retry-after": b"10", b"cache-control": b"no-store"}
    await answer(send, 429, msgspec.json.encode({"error": why}), headers)


async def answer(send: Send, status: int, body: bytes, headers: Mapping[bytes, bytes]) -> None:
    """Send a whole response without Litestar."""
    all_headers = [*headers.items(), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
