"""How often somebody may do what costs others something, or what could be tried until it succeeds: for each address, as
the server sees it. What a proxy says about it is believed only where whoever serves has said so.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network
from typing import Any, Final

from litestar import Request
from litestar.exceptions import TooManyRequestsException
from litestar.middleware.rate_limit import RateLimitConfig, RateLimitMiddleware
from litestar.types import Message, Receive, Scope, Send

NETWORK: Final = 64
"""Bits of an IPv6 address that a household has for itself; beyond them it may use as many as it likes."""


def address_of(request: Request[Any, Any, Any]) -> str:
    """Whose request it is, as far as an address tells."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:  # a socket file has no address
        return host
    return str(address) if address.version == 4 else str(ip_network((address, NETWORK), strict=False))


def a_minute(most: int, what: str) -> RateLimitConfig:
    """So many times a minute; each `what` is counted for itself."""
    return RateLimitConfig(("minute", most), identifier_for_request=address_of, store=f"limit of {what}")


class OnlyWrong(RateLimitMiddleware):
    """Counts only what leads nowhere: a page that has a key asks for as much as it needs.

    Whoever has tried too many is not told of any more whether it is one.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = scope["litestar_app"]
        store = self.config.get_store_from_app(app)
        key = self.cache_key_from_request(app.request_class(scope))
        tried = await self.retrieve_cached_history(key, store)
        if len(tried.history) >= self.max_requests:
            raise TooManyRequestsException(headers=self.create_response_headers(tried))

        async def counting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:
                await self.set_cached_history(key, tried, store)
            await send(message)

        await self.app(scope, receive, counting)


class AcrossWorkers(RateLimitMiddleware):
    """Counts in the database, whichever worker is asked: what could be tried until it succeeds."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = scope["litestar_app"]
        services = app.state.services
        address = address_of(app.request_class(scope))
        now, most = services.house.clock(), self.max_requests
        if await asyncio.to_thread(services.attempts.too_many, address, now, most):
            raise TooManyRequestsException
        await self.app(scope, receive, send)


GAMES: Final = a_minute(20, "games")
TALK: Final = a_minute(30, "talk")
SEATS: Final = a_minute(30, "seats")
LOBBY: Final = a_minute(20, "lobby")
LOBBY_LIST: Final = a_minute(120, "lists of the lobby")
PLANS: Final = a_minute(20, "plans")
PROFILES: Final = a_minute(120, "profiles")
TOURNAMENTS: Final = a_minute(20, "tournaments")
WIRES: Final = a_minute(20, "wires")
COACH: Final = a_minute(30, "coach")
PASSWORDS: Final = a_minute(20, "passwords")
PASSWORDS.middleware_class = AcrossWorkers
KEYS: Final = a_minute(30, "keys")
KEYS.middleware_class = OnlyWrong
