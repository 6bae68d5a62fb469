"""The page of one's own account: privacy, password, browsers, export and deletion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from litestar import Controller, Response

from ostbahn.server.accounts.people import PrivacyChoices, Visitor
from ostbahn.server.accounts.rate_limits import PASSWORDS
from ostbahn.server.accounts.visitors import COOKIE, InjectedForm, InjectedVisit, Visit, cookie_of, go
from ostbahn.server.limits import WITH_PASSWORD, PathNumber, fields_in
from ostbahn.server.profiles.service import browser_view, profile_path
from ostbahn.server.routing import get, post
from ostbahn.server.web.services import InjectedServices
from ostbahn.table.access import NotYours, RequestFault

CONFIRMED = "delete"  # what is typed by somebody who means it


class OwnAccount(Controller):
    path = "/account"
    include_in_schema = False
    request_max_body_size = WITH_PASSWORD

    @get("/")
    def account(self, visit: InjectedVisit) -> Response[Any]:
        if visit.visitor is None or visit.visitor.account is None:
            return go("/login")
        return _account_page(visit)

    @post("/profile")
    def choose(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        public, rated = fields_in(form, "public", "rated")
        visit.services.people.save_privacy(_logged_in(visit), PrivacyChoices(public == "yes", rated == "yes"))
        return go("/account?done=profile#profile")

    @post("/password", middleware=[PASSWORDS.middleware])
    def change(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        old, new, everywhere = fields_in(form, "old", "new", "everywhere")
        known = _logged_in(visit)
        try:
            visit.services.devices.check_owner(known)
            cookie = visit.services.people.change_password(known, old, new, everywhere == "yes")
        except RequestFault as fault:
            return _account_page(visit, fault, "password")
        answer = go("/account?done=password#password")
        answer.set_cookie(cookie_of(visit.request, cookie))
        return answer

    @post("/code", middleware=[PASSWORDS.middleware])
    def new_code(self, visit: InjectedVisit, form: InjectedForm) -> Response[Any]:
        (password,) = fields_in(form, "password")
        if visit.visitor is None or visit.visitor.account is None:
            return go("/login")
        try:
            visit.services.devices.check_owner(visit.visitor)
            code = visit.services.people.new_code(visit.visitor, password)
        except RequestFault as fault:
            return _account_page(visit, fault, "code")
        return visit.page("code.html", code=code, heading="Your new recovery code")

    @post("/browsers/{browser:int}/log-out")
    def log_out(self, visit: InjectedVisit, browser: PathNumber) -> Response[Any]:
        visit.services.browsers.log_out(_logged_in(visit), browser)
        return go("/account?done=browsers#browsers")

    @post("/browsers/log-out")
    def log_out_others(self, visit: InjectedVisit) -> Response[Any]:
        visit.services.browsers.log_out_others(_logged_in(visit))
        return go("/account?done=browsers#browsers")

    @post("/export", middleware=[PASSWORDS.middleware])
    def export(self, visit: InjectedVisit, services: InjectedServices, form: InjectedForm) -> Response[Any]:
        (password,) = fields_in(form, "password")
        known = _logged_in(visit)
        try:
            services.devices.check_owner(known)
            data = services.personal_data.export(known, password)
        except RequestFault as fault:
            return _account_page(visit, fault, "export")
        name = f"ostbahn-my-data-{services.clock():%Y-%m-%d}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/json", headers=headers)

    @post("/delete", middleware=[PASSWORDS.middleware])
    def delete(self, visit: InjectedVisit, services: InjectedServices, form: InjectedForm) -> Response[Any]:
        password, sure = fields_in(form, "password", "sure")
        known = _logged_in(visit)
        try:
            if sure.strip().casefold() != CONFIRMED:
                raise NotYours(f"type the word {CONFIRMED} if you mean it")
            services.devices.check_owner(known)
            services.personal_data.delete(known, password)
        except RequestFault as fault:
            return _account_page(visit, fault, "delete")
        answer = replace(visit, visitor=None).page("farewell.html")
        answer.delete_cookie(COOKIE)
        return answer


def _logged_in(visit: Visit) -> Visitor:
    if visit.visitor is None or visit.visitor.account is None:
        raise NotYours("you are not logged in any more; log in again")
    return visit.visitor


def _account_page(visit: Visit, fault: RequestFault | None = None, tried: str = "") -> Response[str]:
    """The account page. fault: shown above the form named `tried`."""
    known, services, now = _logged_in(visit), visit.services, visit.services.clock()
    return visit.page(
        "account.html",
        fault,
        tried=tried,
        done=str(visit.request.query_params.get("done", "")),
        choices=services.people.choices(known),
        browsers=[browser_view(browser, now) for browser in services.browsers.of(known)],
        path=profile_path(known.name or ""),
    )
