"""How the server is, for programs that watch it: whether it lives, whether it can work, and its figures.

What is wrong, and figures, are for whoever runs it: by the metrics token, or from this very machine as long as nothing
says that others may reach it.
"""

from __future__ import annotations

import asyncio
import hmac
from typing import Any, Final

from litestar import Controller, Response, get

from ostbahn.extras import install_command
from ostbahn.server.accounts.visitors import AnyRequest
from ostbahn.server.addresses import is_loopback
from ostbahn.server.settings import Settings
from ostbahn.server.web.request_middleware import host_in
from ostbahn.server.web.services import GivenServices
from ostbahn.table.access import NotHere, NotYours

FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What proxies add: whoever asks is not the one who speaks."""
BEARER: Final = "Bearer "


class Upkeep(Controller):
    include_in_schema = False

    @get("/health/live")
    async def live(self) -> Response[dict[str, bool]]:
        """The process answers."""
        return _told({"live": True}, 200)

    @get("/health/ready")
    async def ready(self, request: AnyRequest, services: GivenServices) -> Response[dict[str, Any]]:
        """It can do its work too; why not is told to whoever runs it."""
        faults = await services.health.faults()
        told: dict[str, Any] = {"ready": not faults}
        if may_look(request, services.settings):
            told["faults"] = faults
        return _told(told, 503 if faults else 200)

    @get("/metrics")
    async def metrics(self, request: AnyRequest, services: GivenServices) -> Response[bytes]:
        if not may_look(request, services.settings):
            raise NotYours("figures are for whoever runs this server: by the metrics token, as a bearer")
        shown = await asyncio.to_thread(services.figures.shown)
        if shown is None:
            raise NotHere(f"figures need the service extra: {install_command('service')}")
        form, text = shown
        return Response(text, media_type=form, headers={"cache-control": "no-store"})


def may_look(request: AnyRequest, settings: Settings) -> bool:
    """Whether somebody runs this server."""
    if settings.metrics_token is not None:
        sent = request.headers.get("authorization", "")
        wanted = f"{BEARER}{settings.metrics_token.reveal()}"
        return hmac.compare_digest(sent.encode("utf-8", "replace"), wanted.encode())
    if settings.public_url or any(name in request.headers for name in FORWARDED):
        return False
    client = request.client.host if request.client else ""
    return is_loopback(client) and is_loopback(host_in(request.headers.get("host", "")))


def _told(what: dict[str, Any], status: int) -> Response[dict[str, Any]]:
    return Response(what, status_code=status, headers={"cache-control": "no-store"})
