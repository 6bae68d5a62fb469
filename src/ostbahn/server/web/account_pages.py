"""Accounts, for those who want to find their seats on every device."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Controller, Response, get, post

from ostbahn.server.faults import ServerFault
from ostbahn.server.sent import LONGEST_FIELD, WITH_PASSWORD, form_in
from ostbahn.server.store.people import Visitor
from ostbahn.server.web.home_pages import go, page, told
from ostbahn.server.web.rate_limits import PASSWORDS
from ostbahn.server.web.services import Services
from ostbahn.server.web.visitors import AnyRequest, GivenServices, GivenVisitor, cookie_of

Enter = Callable[[Visitor | None, str, str], str]
"""Returns the cookie by which somebody is known from then on."""


class Accounts(Controller):
    include_in_schema = False
    request_max_body_size = WITH_PASSWORD

    @get("/login")
    async def form(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[str]:
        return page(services, request, visitor, "login.html", error=None, tried="", name="")

    @post("/login", middleware=[PASSWORDS.middleware])
    async def log_in(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        return await _enter(request, services, visitor, "login", services.people.log_in)

    @post("/register", middleware=[PASSWORDS.middleware])
    async def register(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        return await _enter(request, services, visitor, "register", services.people.register)

    @post("/logout")
    async def log_out(self, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        if visitor is not None:
            await asyncio.to_thread(services.people.log_out, visitor)
        return go("/")


async def _enter(
    request: AnyRequest, services: Services, visitor: Visitor | None, tried: str, enter: Enter
) -> Response[Any]:
    """Log in or register; what was wrong is told above the form that was used."""
    sent = await form_in(request)
    name, password = str(sent.get("name") or ""), str(sent.get("password") or "")
    try:
        cookie = await asyncio.to_thread(enter, visitor, name, password)
    except ServerFault as fault:
        values = {"error": told(fault), "tried": tried, "name": name[:LONGEST_FIELD]}
        return page(services, request, visitor, "login.html", fault.status, **values)
    answer = go("/")
    answer.set_cookie(cookie_of(request, cookie))
    return answer
