"""Pages of accounts: log-in, registration and recovery."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Controller, Response

from ostbahn.server.accounts.people import Admission
from ostbahn.server.accounts.rate_limits import PASSWORDS
from ostbahn.server.accounts.visitors import DEVICE, InjectedForm, InjectedVisit, Visit, check_not_banned, cookie_of, go
from ostbahn.server.limits import LONGEST_FIELD, WITH_PASSWORD, fields_in
from ostbahn.server.routing import get, post
from ostbahn.table.access import RequestFault


class AccountPages(Controller):
    include_in_schema = False
    request_max_body_size = WITH_PASSWORD

    @get("/login")
    def form(self, visit: InjectedVisit) -> Response[str]:
        return _login_page(visit)

    @post("/login", middleware=[PASSWORDS.middleware])
    def log_in(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        name, password = fields_in(form, "name", "password")
        try:
            visit.services.devices.check_login(name, visit.request.cookies.get(DEVICE, ""))
            cookie = visit.services.people.log_in(visit.visitor, name, password)
        except RequestFault as fault:
            return _login_page(visit, fault, "login", name)
        answer = go("/")
        answer.set_cookie(cookie_of(visit.request, cookie))
        _remember_device(visit, answer, name)
        return answer

    @post("/logout")
    def log_out(self, visit: InjectedVisit) -> Response[Any]:
        answer = go("/")
        if visit.visitor is not None:
            visit.services.people.log_out(visit.visitor)
            _remember_device(visit, answer, visit.visitor.name)
        return answer

    @post("/register", middleware=[PASSWORDS.middleware])
    def register(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        name, password = fields_in(form, "name", "password")
        try:
            check_not_banned(visit.visitor)
            admission = visit.services.people.register(visit.visitor, name, password)
        except RequestFault as fault:
            return _login_page(visit, fault, "register", name)
        return _welcome_page(visit, admission, "Your account is ready")

    @get("/forgot")
    def forgot(self, visit: InjectedVisit) -> Response[str]:
        return visit.page("forgot.html", name="")

    @post("/forgot", middleware=[PASSWORDS.middleware])
    def recover(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        name, code, password = fields_in(form, "name", "code", "password")
        try:
            admission = visit.services.people.recover(visit.visitor, name, code, password)
        except RequestFault as fault:
            return visit.page("forgot.html", fault, name=name[:LONGEST_FIELD])
        return _welcome_page(visit, admission, "Your new password is set")


def _login_page(visit: Visit, fault: RequestFault | None = None, tried: str = "", name: str = "") -> Response[str]:
    sign_ups = visit.services.people.takes_sign_ups()
    return visit.page("login.html", fault, tried=tried, name=name[:LONGEST_FIELD], sign_ups=sign_ups)


def _welcome_page(visit: Visit, admission: Admission, heading: str) -> Response[str]:
    """The page with the recovery code, which also logs in."""
    visit = replace(visit, visitor=visit.services.people.visitor(admission.cookie))
    answer = visit.page("code.html", code=admission.code, heading=heading)
    answer.set_cookie(cookie_of(visit.request, admission.cookie))
    _remember_device(visit, answer, None if visit.visitor is None else visit.visitor.name)
    return answer


def _remember_device(visit: Visit, answer: Response[Any], name: str | None) -> None:
    """Set the device cookie, so that the browser's next attempts to log in are counted separately."""
    if name is not None:
        answer.set_cookie(cookie_of(visit.request, visit.services.devices.cookie(name), DEVICE))
