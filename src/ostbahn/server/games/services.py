"""Services for routes of games: the view of a table, with the fields that features add; proposals to go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from litestar import Controller, MediaType, Response
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.accounts.visitors import AccountServices, Injected, Visit, go
from ostbahn.server.events import bus
from ostbahn.server.games.import_sandbox import ImportSandbox
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.listeners import Notification
from ostbahn.server.games.live import LiveUpdates
from ostbahn.server.games.service import GameService, mark_key_used
from ostbahn.server.games.tables import ProposalRow
from ostbahn.server.jobs.concurrency import SingleFlightCache
from ostbahn.table.access import Access, NotYours, Stale, joined, parted
from ostbahn.table.rendering import Page, Update
from ostbahn.table.room import Room, check_version
from ostbahn.table.slots import Slots, UndoProposal
from ostbahn.table.table_view import TableView, moment_after, table_view
from ostbahn.text.formatting import seat_names
from ostbahn.text.words import join_words

PROPOSAL: Final = select(ProposalRow.version, ProposalRow.by, ProposalRow.keep, ProposalRow.agreed).where(
    ProposalRow.game == bindparam("game")
)


class Proposals:
    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service

    def standing(self, room: Room) -> UndoProposal | None:
        if not room.flags.get("proposed"):
            return None
        with self.game_service.database.session() as session:
            return _open_proposal(session, room)

    def make(self, who: Access, version: int, keep: int) -> int:
        """Propose to go back, which happens at once if nobody else plays; returns the new version."""
        if not who.seats:
            raise NotYours("spectators only watch")
        with self.game_service.changing(who.game) as (room, session):
            check_version(room, version)
            if not room.skipped <= keep < room.number:
                raise Refused(Refusal("", f"you can go back to moves {room.skipped} to {room.number - 1}"))
            seats = joined(who.seats)
            mark_key_used(session, who)
            session.merge(ProposalRow(game=room.id, version=version, by=seats, keep=keep, agreed=seats))
            names = seat_names(room.game.setup.players)
            detail = f"{', '.join(names[seat] for seat in who.seats)} would like to go back to move {keep}."
            others, mark = (seat for seat in room.persons if seat not in who.seats), f"back-{version}-{keep}"
            self.game_service.notify(session, [Notification("vote", room.id, seat, mark, detail) for seat in others])
            return self._if_all_agree(session, room)

    def reply(self, who: Access, version: int, agree: bool, keep: int | None = None) -> int:
        """Agree or object; `keep` names the proposal that the player saw. Returns the new version."""
        with self.game_service.changing(who.game) as (room, session):
            check_version(room, version)
            row = session.get(ProposalRow, room.id)
            if row is None or row.version < room.moved:
                raise Stale("nobody is asking to go back any more")
            if not set(who.seats) & set(room.persons):
                raise NotYours("only players have a say in this")
            if keep is not None and keep != row.keep:
                raise Stale("somebody asks for something else by now")
            mark_key_used(session, who)
            if agree:
                row.agreed = joined(dict.fromkeys((*parted(row.agreed), *who.seats)))
            else:
                session.delete(row)
                session.flush()
            return self._if_all_agree(session, room)

    def _if_all_agree(self, session: Session, room: Room) -> int:
        proposal = _open_proposal(session, room)
        if proposal is not None and not proposal.missing:
            note = consent_note(room, proposal)
            self.game_service.undo_to(session, room, proposal.keep, proposal.by[0], room.persons, note)
        bus.publish(session, room.id, "proposal", room.version)
        return room.version


def _open_proposal(session: Session, room: Room) -> UndoProposal | None:
    """The proposal at a table; None if there is none, or the game has moved on since."""
    row = session.execute(PROPOSAL, {"game": room.id}).one_or_none()
    if row is None or row.version < room.moved:
        return None
    agreed = parted(row.agreed)
    missing = tuple(seat for seat in room.persons if seat not in agreed)
    return UndoProposal(parted(row.by), row.keep, agreed, missing, unasked=room.notices.seats_replaced_since(row.keep))


def consent_note(room: Room, proposal: UndoProposal) -> str:
    """A note for the log: who agreed to going back, and who was not asked since they lost their seat."""
    names = seat_names(room.game.setup.players)
    others = [names[seat] for seat in room.persons if seat not in proposal.by]
    replaced = [names[seat] for seat in proposal.unasked]
    agreed = f"{join_words(others)} agreed." if others else ""
    unasked = f"Whoever had the link of {join_words(replaced)} before was not asked." if replaced else ""
    return " ".join(filter(None, (agreed, unasked)))


@dataclass(frozen=True, kw_only=True)
class GameServices(AccountServices):
    game_service: GameService
    live_updates: LiveUpdates
    single_flight: SingleFlightCache
    import_sandbox: ImportSandbox
    proposals: Proposals
    my_games: MyGames
    slots: Sequence[Callable[[Room, Access], Mapping[str, Any]]]
    """Features' contributions to a view of a table: each returns fields of `Slots` by name, such as `messages`."""

    def view(self, room: Room, who: Access, at: int | None = None) -> TableView:
        slots: dict[str, Any] = {
            "proposal": self.proposals.standing(room),
            "present": self.live_updates.presence.at(room.id),
        }
        for provide in self.slots:
            slots |= provide(room, who)
        return table_view(room, who, at, Slots(**slots))

    def seen(self, who: Access, at: int | None) -> tuple[TableView, Game]:
        """The view of a table for the owner of a key, and the game at that position."""
        with self.game_service.holding(who.game) as room:
            view = self.view(room, who, at)
            return view, room.at(view.at)

    def update(self, who: Access, page: Page, theme: str) -> Update:
        with self.game_service.holding(who.game) as room:
            at = page.at if page.after is None else moment_after(room, who, page.after)
            view = self.view(room, who, at)
            return self.renderer.update(view, room.at(view.at), room, page, theme)


class KeyRoutes(Controller):
    """Routes with a key in their address."""

    middleware = (KEYS.middleware,)


class KeyPages(KeyRoutes):
    """HTML pages, and parts of pages, with a key in their address."""

    include_in_schema = False


def part(services: GameServices, template: str, **values: Any) -> Response[str]:
    """An HTML fragment, which a script shows in a dialog."""
    return Response(services.renderer.part(template, **values), media_type=MediaType.HTML)


InjectedGames = Injected[GameServices]
InjectedAccess = Injected[Access]  # as `access`: from the key in the address


def to_table(visit: Visit, services: GameServices, access: Access, called: str = "", part: str = "") -> Response[Any]:
    """Redirect to a table, and add it to the visitor's games. called: a name to remember; part: `#…` in the page."""
    guest = visit.guest()
    services.my_games.keep(guest.known, access)
    if called:
        services.people.remember_name(guest.known, called)
    return guest.greeted(go(f"/t/{access.key}{part}"))
