"""Rate limits by client address. Only the proxies in the settings may forward an address."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address, ip_network
from typing import Any, Final

from litestar import Request
from litestar.exceptions import TooManyRequestsException
from litestar.middleware.rate_limit import RateLimitConfig, RateLimitMiddleware
from litestar.types import Message, Receive, Scope, Send

from ostbahn.server.accounts.visitors import AccountServices
from ostbahn.server.limits import KEY
from ostbahn.table.access import NotYours

NETWORK: Final = 64  # bits of an IPv6 address that identify a household, which chooses the other bits itself


def address_of(request: Request[Any, Any, Any]) -> str:
    return network_of(request.client.host if request.client else "")


def network_of(host: str) -> str:
    """The IPv4 address of a client, or the network of its household for IPv6."""
    try:
        address = ip_address(host)
    except ValueError:  # a socket file has no address
        return host
    return str(address) if address.version == 4 else str(ip_network((address, NETWORK), strict=False))


def is_embedded_elsewhere(request: Request[Any, Any, Any]) -> bool:
    """Whether another site embeds this as a picture or frame, as opposed to a followed link."""
    site, destination = request.headers.get("sec-fetch-site"), request.headers.get("sec-fetch-dest")
    return site in ("cross-site", "same-site") and destination != "document"


def rate_limit_per_minute(most: int, what: str) -> RateLimitConfig:
    """A limit for each address, counted separately for each `what`."""
    return RateLimitConfig(("minute", most), identifier_for_request=address_of, store=f"limit of {what}")


class WrongKeyRateLimit(RateLimitMiddleware):
    """Limits wrong keys: after too many from an address, all its requests are refused. Malformed keys do not count.

    Requests embedded in pages of other sites are refused first, or these could use up their visitors' attempts.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = scope["litestar_app"]
        request = app.request_class(scope)
        if is_embedded_elsewhere(request):
            raise NotYours("pages of other sites cannot show what is behind a link")
        store = self.config.get_store_from_app(app)
        address = self.cache_key_from_request(request)
        attempts = await self.retrieve_cached_history(address, store)
        if len(attempts.history) >= self.max_requests:
            raise TooManyRequestsException(headers=self.create_response_headers(attempts))

        async def count_and_send(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404 and await _has_wrong_key(scope):
                await self.set_cached_history(address, attempts, store)
            await send(message)

        await self.app(scope, receive, count_and_send)


async def _has_wrong_key(scope: Scope) -> bool:
    """Whether a 404 is due to a wrong key, or to the wrong token of another link."""
    key = scope["path_params"].get("key")
    if key is None:
        return True
    services: AccountServices = scope["litestar_app"].state.services
    return KEY.fullmatch(str(key)) is not None and not await asyncio.to_thread(services.is_key, key)


class DatabaseRateLimit(RateLimitMiddleware):
    """Counts requests in the database, for all workers together."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = scope["litestar_app"]
        services: AccountServices = app.state.services
        address, now = address_of(app.request_class(scope)), services.clock()
        if await asyncio.to_thread(services.attempts.too_many, address, now, self.max_requests):
            raise TooManyRequestsException
        await self.app(scope, receive, send)


GAMES: Final = rate_limit_per_minute(20, "games")
CHAT: Final = rate_limit_per_minute(30, "talk")
SEATS: Final = rate_limit_per_minute(30, "seats")
LOBBY: Final = rate_limit_per_minute(20, "lobby")
LOBBY_LIST: Final = rate_limit_per_minute(120, "lists of the lobby")
PLANS: Final = rate_limit_per_minute(20, "plans")
PROFILES: Final = rate_limit_per_minute(120, "profiles")
TOURNAMENTS: Final = rate_limit_per_minute(20, "tournaments")
NOTIFICATION_SETTINGS: Final = rate_limit_per_minute(20, "wires")
COACH: Final = rate_limit_per_minute(30, "coach")
PASSWORDS: Final = rate_limit_per_minute(20, "passwords")
PASSWORDS.middleware_class = DatabaseRateLimit
KEYS: Final = rate_limit_per_minute(30, "keys")
KEYS.middleware_class = WrongKeyRateLimit
