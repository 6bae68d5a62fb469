"""Accounts, for those who want to find their seats on every device."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Response, get, post

from ostbahn.server.accounts.people import Entered, Visitor
from ostbahn.server.accounts.rate_limits import PASSWORDS
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.services import AccountServices, GivenAccounts
from ostbahn.server.accounts.visitors import DEVICE, AnyRequest, GivenVisitor, check_welcome, cookie_of, remember_device
from ostbahn.server.faults import told
from ostbahn.server.limits import LONGEST_FIELD, WITH_PASSWORD, fields_in
from ostbahn.table.access import RequestFault


class Accounts(Controller):
    include_in_schema = False
    request_max_body_size = WITH_PASSWORD

    # Logging in and out

    @get("/login")
    async def form(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[str]:
        return page(services, request, visitor, "login.html", error=None, tried="", name="", **await _open(services))

    @post("/login", middleware=[PASSWORDS.middleware])
    async def log_in(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[Any]:
        name, password = await fields_in(request, "name", "password")
        try:
            await asyncio.to_thread(services.devices.check_login, name, request.cookies.get(DEVICE, ""))
            cookie = await asyncio.to_thread(services.people.log_in, visitor, name, password)
        except RequestFault as fault:
            return _wrong(
                services, request, visitor, "login.html", fault, tried="login", name=name, **await _open(services)
            )
        answer = go("/")
        answer.set_cookie(cookie_of(request, cookie))
        await remember_device(request, services, answer, name)
        return answer

    @post("/logout")
    async def log_out(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[Any]:
        answer = go("/")
        if visitor is not None:
            await asyncio.to_thread(services.people.log_out, visitor)
            if visitor.name is not None:
                await remember_device(request, services, answer, visitor.name)
        return answer

    # Whatever brings a recovery code

    @post("/register", middleware=[PASSWORDS.middleware])
    async def register(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[Any]:
        name, password = await fields_in(request, "name", "password")
        try:
            check_welcome(visitor)
            entered = await asyncio.to_thread(services.people.register, visitor, name, password)
        except RequestFault as fault:
            return _wrong(
                services, request, visitor, "login.html", fault, tried="register", name=name, **await _open(services)
            )
        return await _welcome(services, request, entered, "Your account is ready")

    @get("/forgot")
    async def forgot(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[str]:
        return page(services, request, visitor, "forgot.html", error=None, name="")

    @post("/forgot", middleware=[PASSWORDS.middleware])
    async def recover(self, request: AnyRequest, services: GivenAccounts, visitor: GivenVisitor) -> Response[Any]:
        """A new password by the recovery code, which is thereby used up: there is another one."""
        name, code, password = await fields_in(request, "name", "code", "password")
        try:
            entered = await asyncio.to_thread(services.people.recover, visitor, name, code, password)
        except RequestFault as fault:
            return _wrong(services, request, visitor, "forgot.html", fault, name=name)
        return await _welcome(services, request, entered, "Your new password is set")


async def _open(services: AccountServices) -> dict[str, bool]:
    """Whether new accounts are taken."""
    return {"sign_ups": await asyncio.to_thread(services.people.takes_sign_ups)}


def _wrong(
    services: AccountServices,
    request: AnyRequest,
    visitor: Visitor | None,
    template: str,
    fault: RequestFault,
    **values: Any,
) -> Response[str]:
    """What was wrong, above the form that was used."""
    shown = {name: value[:LONGEST_FIELD] if isinstance(value, str) else value for name, value in values.items()}
    return page(services, request, visitor, template, fault.status, error=told(fault), **shown)


async def _welcome(services: AccountServices, request: AnyRequest, entered: Entered, heading: str) -> Response[str]:
    """Somebody is logged in, and is shown their recovery code, this once."""
    visitor = await asyncio.to_thread(services.people.visitor, entered.cookie)
    answer = code_page(services, request, visitor, entered.code, heading)
    answer.set_cookie(cookie_of(request, entered.cookie))
    if visitor is not None and visitor.name is not None:
        await remember_device(request, services, answer, visitor.name)
    return answer


def code_page(
    services: AccountServices, request: AnyRequest, visitor: Visitor | None, code: str, heading: str
) -> Response[str]:
    """A recovery code, which is shown this once."""
    return page(services, request, visitor, "code.html", code=code, heading=heading)
