"""Tournaments: their pages, and the same as JSON."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from litestar import Controller, Response, get, post
from litestar.params import FromPath

from ostbahn.kernel.errors import BadSetup, OstbahnError
from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.rate_limits import TOURNAMENTS
from ostbahn.server.accounts.responses import go, page
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor
from ostbahn.server.faults import status_of, told
from ostbahn.server.games.forms import Fields, code_of, entry_coded, modules_in, sensible
from ostbahn.server.games.module_choice import module_choices
from ostbahn.server.limits import LONGEST_FIELD, OptionalNumber, as_number, form_in
from ostbahn.server.tournaments.service import MOST_ROUNDS, NO_ACCOUNT, NewTournament, Programme
from ostbahn.server.tournaments.services import GivenTournaments, TournamentServices
from ostbahn.server.tournaments.views import (
    ListedTournament,
    TournamentView,
    tournament_list,
    tournament_view,
    without_keys,
)
from ostbahn.table.access import NotYours
from ostbahn.views.setup import EntryView, catalogue_view


class TournamentPages(Controller):
    path = "/tournaments"
    include_in_schema = False

    @get("/")
    async def listed(self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor) -> Response[str]:
        found = await asyncio.to_thread(tournament_list, services.archive)
        return page(services, request, visitor, "tournaments.html", tournaments=found)

    @get("/new")
    async def form(self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor) -> Response[Any]:
        fields = {name: str(value)[:LONGEST_FIELD] for name, value in request.query_params.items()}
        return _form(services, request, visitor, fields)

    @post("/new", middleware=[TOURNAMENTS.middleware])
    async def make(self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor) -> Response[Any]:
        sent = await form_in(request)
        fields = {name: value[:LONGEST_FIELD] for name, value in sent.items() if isinstance(value, str)}
        try:
            made = await asyncio.to_thread(services.tournaments.make, visitor, _wanted(fields))
        except OstbahnError as error:
            return _form(services, request, visitor, fields, error)
        return go(f"/tournaments/{made}")

    @get("/{tournament:str}")
    async def shown(
        self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor, tournament: FromPath[str]
    ) -> Response[str]:
        return await _shown(services, request, visitor, tournament)

    @post("/{tournament:str}/enter", middleware=[TOURNAMENTS.middleware])
    async def enter(
        self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor, tournament: FromPath[str]
    ) -> Response[Any]:
        return await _done(services, request, visitor, tournament, services.tournaments.enter)

    @post("/{tournament:str}/leave", middleware=[TOURNAMENTS.middleware])
    async def leave(
        self, request: AnyRequest, services: GivenTournaments, visitor: GivenVisitor, tournament: FromPath[str]
    ) -> Response[Any]:
        return await _done(services, request, visitor, tournament, services.tournaments.leave)

    @post("/{tournament:str}/go-on", middleware=[TOURNAMENTS.middleware])
    async def go_on(
        self,
        request: AnyRequest,
        services: GivenTournaments,
        visitor: GivenVisitor,
        tournament: FromPath[str],
        seen: OptionalNumber = None,
    ) -> Response[Any]:
        """The first round begins, or the one after the round that the page showed."""
        deed = partial(services.tournaments.go_on, seen=seen)
        return await _done(services, request, visitor, tournament, deed)


class TournamentApi(Controller):
    path = "/api/tournaments"
    tags = ("lobby",)

    @get("/", operation_id="listTournaments", summary="List tournaments")
    async def listed(self, services: GivenTournaments) -> list[ListedTournament]:
        """All tournaments, the newest first."""
        return await asyncio.to_thread(tournament_list, services.archive)

    @get("/{tournament:str}", operation_id="getTournament", summary="Get a tournament")
    async def shown(self, services: GivenTournaments, tournament: FromPath[str]) -> TournamentView:
        """A tournament with its rounds, tables and standings."""
        return without_keys(await asyncio.to_thread(tournament_view, services.archive, tournament, None))


async def _done(
    services: TournamentServices, request: AnyRequest, visitor: Visitor | None, tournament: str, deed: Any
) -> Response[Any]:
    try:
        await asyncio.to_thread(deed, visitor, tournament)
    except OstbahnError as error:
        return await _shown(services, request, visitor, tournament, error)
    return go(f"/tournaments/{tournament}")


async def _shown(
    services: TournamentServices,
    request: AnyRequest,
    visitor: Visitor | None,
    tournament: str,
    error: OstbahnError | None = None,
) -> Response[str]:
    view = await asyncio.to_thread(tournament_view, services.archive, tournament, visitor)
    status = 200 if error is None else status_of(error)
    values = {"tournament": view, "error": None if error is None else told(error)}
    return page(services, request, visitor, "tournament.html", status, **values)


def _form(
    services: TournamentServices,
    request: AnyRequest,
    visitor: Visitor | None,
    fields: Fields,
    error: OstbahnError | None = None,
) -> Response[Any]:
    entries = [entry for entry in catalogue_view() if max(entry.players) > 1]
    entry = _entry(fields, entries[0])
    if error is None and (visitor is None or visitor.account is None):
        error = NotYours(NO_ACCOUNT)
        status = 200
    else:
        status = 200 if error is None else status_of(error)
    values: dict[str, Any] = {"entries": entries, "entry": entry, "game": code_of(entry), "fields": fields}
    values["modules"] = module_choices(
        entry, modules_in(fields, entry), as_number(fields.get("size", "")) or sensible(entry)
    )
    values |= {"most_rounds": MOST_ROUNDS, "error": None if error is None else told(error)}
    return page(services, request, visitor, "new_tournament.html", status, **values)


def _entry(fields: Fields, first: EntryView) -> EntryView:
    return entry_coded(fields["game"]) if fields.get("game") else first


def _wanted(fields: Fields) -> NewTournament:
    entry = _entry(fields, catalogue_view()[0])
    options = {option.name: value for option in entry.options if (value := fields.get(f"option.{option.name}"))}
    return NewTournament(
        name=fields.get("name", ""),
        programme=Programme(
            title=entry.title, variant=entry.variant, options=options, modules=modules_in(fields, entry)
        ),
        size=_number(fields, "size", "How many play at a table"),
        rounds=_number(fields, "rounds", "How many rounds there are"),
    )


def _number(fields: Fields, name: str, what: str) -> int:
    number = as_number(fields.get(name, "").strip())
    if number is None:
        raise BadSetup(f"{what} is a whole number")
    return number
