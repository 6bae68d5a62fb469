"""The whole table as one of those at it sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.server.play.access import Access
from ostbahn.server.play.plans import HERE
from ostbahn.server.play.proposals import Proposal
from ostbahn.server.play.room import Room, seats_of
from ostbahn.server.play.talk import Message
from ostbahn.server.views.notices import notice_views
from ostbahn.views.dividends import dividend_views
from ostbahn.views.log import Told, first_since
from ostbahn.views.models import CompanyView, LogLine, PlayerView, ResultView, RoundView, TrainsView, WealthView
from ostbahn.views.question import question_view
from ostbahn.views.question_models import DividendView, QuestionView, RoutesView
from ostbahn.views.round import round_view
from ostbahn.views.routes import routes_view
from ostbahn.views.title_views import views_of
from ostbahn.views.wealth import result_view, wealth_over_time

LAST: Final = 40
"""How many lines of the log come with the page; more are fetched when they are wanted."""
OPEN: Final = "open view"
LINES: Final = "lines of the log"
"""Under these a room remembers them."""


class SeatView(Struct, frozen=True, kw_only=True):
    """Who sits where."""

    seat: str
    name: str
    bot: str | None
    host: bool
    """Whether the host has taken it over since the game began."""
    mine: bool
    turn: bool


class ProposalView(Struct, frozen=True, kw_only=True):
    """Somebody would like to go back."""

    by: str
    keep: int
    missing: tuple[str, ...]
    """Names of those who have not said anything yet."""
    unasked: tuple[str, ...]
    """Names of seats whose link somebody has lost, who would have had a say."""
    ask_me: bool


class OpenView(NamedTuple):
    """What lies open on the table: the same for all who look at it."""

    round: RoundView
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    trains: TrainsView
    log: tuple[LogLine, ...]
    result: ResultView | None
    wealth: WealthView | None


class TableView(Struct, frozen=True, kw_only=True):
    key: str
    role: str
    game: str
    name: str
    damage: str
    """What is wrong with the log, where the game goes on all the same; empty if nothing is."""
    version: int
    number: int
    """How many answers stand."""
    at: int
    """After how many answers this is; less than `number` if one looks back."""
    skipped: int
    """Before this many answers nothing can be looked at."""
    now: bool
    stamp: int
    """Tells which board is shown."""
    seats: tuple[SeatView, ...]
    my_turn: bool
    bot_turn: bool
    question: QuestionView | None
    routes: RoutesView | None = None
    dividends: tuple[DividendView, ...] = ()
    round: RoundView
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    trains: TrainsView
    log: tuple[LogLine, ...]
    since: int
    """The first answer after one's own last one."""
    can_undo: bool
    proposal: ProposalView | None
    messages: tuple[Message, ...]
    result: ResultView | None
    wealth: WealthView | None


def table_view(
    room: Room, who: Access, at: int | None, proposal: Proposal | None, messages: tuple[Message, ...]
) -> TableView:
    """What somebody sees now, or saw after so many answers."""
    number = room.number
    shown = number if at is None else max(room.skipped, min(at, number))
    game = room.at(shown)
    now = shown == number
    my_turn = now and room.turn in who.seats
    question = question_view(game, answers=my_turn) if now else None
    return TableView(
        **_open_view(room, game, shown)._asdict(),
        key=who.key,
        role=who.role,
        game=room.id,
        name=room.name,
        damage=room.damage,
        version=room.version,
        number=number,
        at=shown,
        skipped=room.skipped,
        now=now,
        stamp=room.stamp(shown),
        seats=_seats(room, who),
        my_turn=my_turn,
        bot_turn=now and room.turn in room.bots,
        question=question,
        routes=routes_view(game) if question is not None and question.widget == "routes" else None,
        dividends=dividend_views(game) if my_turn else (),
        since=_since(room, game, who),
        can_undo=now and room.own_move(who.seats) is not None,
        proposal=_proposal(room, who, proposal) if now else None,
        messages=messages,
    )


def _open_view(room: Room, game: Game, shown: int) -> OpenView:
    """It is worked out once for all who look at the same moment."""
    moment = (room.version, shown)
    seen: tuple[object, OpenView] | None = room.memory.get(OPEN)
    if seen is None or seen[0] != moment:
        views, question = views_of(game), game.question
        view = OpenView(
            round=round_view(game),
            players=views.players(question.decider if question is not None else None),
            companies=views.companies(),
            trains=views.trains(),
            log=tuple(marked(room, room.memory.setdefault(LINES, Told()).last(game, LAST))),
            result=result_view(game) if game.over else None,
            wealth=wealth_over_time(game) if game.over else None,
        )
        room.memory[OPEN] = seen = moment, view
    return seen[1]


def marked(room: Room, lines: Iterable[LogLine]) -> Iterator[LogLine]:
    """Lines of the log with how each answer was given, what happened beside the game, and the numbers in this room."""
    notices = notice_views(room)
    for line in lines:
        given = room.given[line.number - 1] if line.number else None
        yield msgspec.structs.replace(
            line,
            number=line.number + room.skipped,
            how=given.how if given else "",
            note=given.note if given else "",
            notices=notices.get(line.number + room.skipped, ()),
        )


def _seats(room: Room, who: Access) -> tuple[SeatView, ...]:
    setup = room.game.setup
    return tuple(
        SeatView(
            seat=seat,
            name=name,
            bot=room.bots.get(seat),
            host=_taken_over(room, seat),
            mine=seat in who.seats,
            turn=seat == room.turn,
        )
        for seat, name in zip(seats_of(setup), setup.players, strict=True)
    )


def _taken_over(room: Room, seat: str) -> bool:
    handed = room.notices.last_handover(seat)
    return handed is not None and handed.handover is not None and handed.handover.who == HERE


def _since(room: Room, game: Game, who: Access) -> int:
    found = max((first_since(game, seat) for seat in who.seats), default=0)
    return found + room.skipped if found else 0


def _proposal(room: Room, who: Access, proposal: Proposal | None) -> ProposalView | None:
    if proposal is None:
        return None
    names = dict(zip(seats_of(room.game.setup), room.game.setup.players, strict=True))
    return ProposalView(
        by=", ".join(names[seat] for seat in proposal.by),
        keep=proposal.keep,
        missing=tuple(names[seat] for seat in proposal.missing),
        unasked=tuple(names[seat] for seat in proposal.unasked),
        ask_me=bool(set(who.seats) & set(proposal.missing)),
    )
