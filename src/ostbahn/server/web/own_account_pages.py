"""What somebody decides about their own account: who sees it, its password, where they are logged in, and its end."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Response, get, post

from ostbahn.server.accounts.pages import code_page
from ostbahn.server.accounts.people import Choices, Visitor
from ostbahn.server.accounts.rate_limits import PASSWORDS
from ostbahn.server.accounts.visitors import COOKIE, AnyRequest, GivenVisitor, cookie_of, go, page
from ostbahn.server.faults import told
from ostbahn.server.limits import WITH_PASSWORD, PathNumber, fields_in
from ostbahn.server.ops.leaving import file_name
from ostbahn.server.profiles.service import browser_view, profile_path
from ostbahn.server.web.services import GivenServices, Services
from ostbahn.table.access import NotYours, RequestFault

CONFIRMED = "delete"
"""What is typed by somebody who means it."""


class OwnAccount(Controller):
    path = "/account"
    include_in_schema = False
    request_max_body_size = WITH_PASSWORD

    @get("/")
    async def account(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        if visitor is None or visitor.account is None:
            return go("/login")
        return await account_page(services, request, visitor)

    @post("/profile")
    async def choose(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        """Who sees one's profile, and whether one is rated."""
        public, rated = await fields_in(request, "public", "rated")
        known = _logged_in(visitor)
        await asyncio.to_thread(services.people.choose, known, Choices(public == "yes", rated == "yes"))
        return go("/account?done=profile#profile")

    # Passwords and browsers

    @post("/password", middleware=[PASSWORDS.middleware])
    async def change(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        old, new, everywhere = await fields_in(request, "old", "new", "everywhere")
        known = _logged_in(visitor)
        try:
            await asyncio.to_thread(services.devices.check_owner, known)
            cookie = await asyncio.to_thread(services.people.change_password, known, old, new, everywhere == "yes")
        except RequestFault as fault:
            return await account_page(services, request, known, fault, "password")
        answer = go("/account?done=password#password")
        answer.set_cookie(cookie_of(request, cookie))
        return answer

    @post("/code", middleware=[PASSWORDS.middleware])
    async def new_code(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        (password,) = await fields_in(request, "password")
        if visitor is None or visitor.account is None:
            return go("/login")
        try:
            await asyncio.to_thread(services.devices.check_owner, visitor)
            code = await asyncio.to_thread(services.people.new_code, visitor, password)
        except RequestFault as fault:
            return await account_page(services, request, visitor, fault, "code")
        return code_page(services, request, visitor, code, "Your new recovery code")

    @post("/browsers/{browser:int}/log-out")
    async def log_out(self, services: GivenServices, visitor: GivenVisitor, browser: PathNumber) -> Response[Any]:
        await asyncio.to_thread(services.browsers.log_out, _logged_in(visitor), browser)
        return go("/account?done=browsers#browsers")

    @post("/browsers/log-out")
    async def log_out_others(self, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        await asyncio.to_thread(services.browsers.log_out_others, _logged_in(visitor))
        return go("/account?done=browsers#browsers")

    # Leaving

    @post("/export", middleware=[PASSWORDS.middleware])
    async def export(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        """All that is kept of somebody, as a file."""
        (password,) = await fields_in(request, "password")
        known = _logged_in(visitor)
        try:
            await asyncio.to_thread(services.devices.check_owner, known)
            data = await asyncio.to_thread(services.leaving.export, known, password)
        except RequestFault as fault:
            return await account_page(services, request, known, fault, "export")
        name = file_name(services.house.clock())
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/json", headers=headers)

    @post("/delete", middleware=[PASSWORDS.middleware])
    async def delete(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        password, sure = await fields_in(request, "password", "sure")
        known = _logged_in(visitor)
        try:
            if sure.strip().casefold() != CONFIRMED:
                raise NotYours(f"type the word {CONFIRMED} if you mean it")
            await asyncio.to_thread(services.devices.check_owner, known)
            await asyncio.to_thread(services.leaving.delete, known, password)
        except RequestFault as fault:
            return await account_page(services, request, known, fault, "delete")
        answer = page(services, request, None, "farewell.html")
        answer.delete_cookie(COOKIE)
        return answer


def _logged_in(visitor: Visitor | None) -> Visitor:
    if visitor is None or visitor.account is None:
        raise NotYours("you are not logged in any more; log in again")
    return visitor


async def account_page(
    services: Services, request: AnyRequest, visitor: Visitor, fault: RequestFault | None = None, tried: str = ""
) -> Response[str]:
    """One's account; what was wrong stands above the form that was used."""

    def found() -> dict[str, Any]:
        now = services.house.clock()
        return {
            "choices": services.people.choices(visitor),
            "browsers": [browser_view(each, now) for each in services.browsers.of(visitor)],
            "path": profile_path(visitor.name or ""),
        }

    values: dict[str, Any] = await asyncio.to_thread(found)
    values |= {"error": None if fault is None else told(fault), "tried": tried}
    values["done"] = str(request.query_params.get("done", ""))
    return page(services, request, visitor, "account.html", 200 if fault is None else fault.status, **values)
