"""Holidays, which somebody takes on their page of notifications: days on which their clocks stand still."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from litestar import Controller, Response, post

from ostbahn.server.accounts.preferences import owner_of
from ostbahn.server.accounts.rate_limits import WIRES
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor
from ostbahn.server.limits import form_in, number_in
from ostbahn.server.notifications.pages import change_settings, check_known
from ostbahn.server.web.services import GivenServices
from ostbahn.table.access import Unreadable


class HolidayPages(Controller):
    include_in_schema = False

    @post("/told/holiday", middleware=[WIRES.middleware])
    async def take_holiday(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        form = await form_in(request)

        def check() -> None:
            services.holidays.check("" if visitor is None else owner_of(visitor), *_days(form))

        def take(owner: str) -> None:
            services.holidays.take(owner, *_days(form))

        return await change_settings(request, services, check, take, "#holidays")

    @post("/told/holiday/end", middleware=[WIRES.middleware])
    async def end_holiday(self, request: AnyRequest, services: GivenServices, visitor: GivenVisitor) -> Response[Any]:
        holiday = number_in(await form_in(request), "holiday") or 0
        end = services.holidays.end
        return await change_settings(
            request, services, lambda: check_known(visitor), lambda owner: end(owner, holiday), "#holidays"
        )


def _days(form: Mapping[str, object]) -> tuple[date, date]:
    return _day(form.get("first")), _day(form.get("last"))


def _day(sent: object) -> date:
    try:
        return date.fromisoformat(str(sent or ""))
    except ValueError:
        raise Unreadable("a day is written like 2026-07-14") from None
