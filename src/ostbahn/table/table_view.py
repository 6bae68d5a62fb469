"""The whole table as one of those at it sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct

from ostbahn.kernel.game import Game
from ostbahn.table.access import Access, KeyRole
from ostbahn.table.notice_views import notice_views
from ostbahn.table.notices import HERE
from ostbahn.table.plan_view import PlanView
from ostbahn.table.room import Room, names_by_seat, seats_of
from ostbahn.table.slots import EMPTY, ClocksView, Message, PreparedView, Present, Proposal, Slots
from ostbahn.table.stops import stops_after
from ostbahn.views.common import listed
from ostbahn.views.log import Mentions, Told, first_since
from ostbahn.views.models import (
    CompanyView,
    LogLine,
    PlayerView,
    RoundView,
    TextPart,
    TrainsView,
)
from ostbahn.views.moves import MoveView, RanView, move_view, ran_views
from ostbahn.views.outlook import OutlookView, outlook_view
from ostbahn.views.question import DividendView, ItemView, QuestionView, RoutesView, dividend_views, question_view
from ostbahn.views.routes import routes_view
from ostbahn.views.title_views import past_of, views_of
from ostbahn.views.turns import MatView, OrderView, mat_view, order_view, round_view
from ostbahn.views.wealth import ResultView, SheetView, WealthView, result_view, sheet_view, wealth_over_time

LAST: Final = 40
"""How many lines of the log come with the page; more are fetched when they are wanted."""
FAR: Final = 12
"""So many answers back the last one is looked for after which something looked different."""
OPEN: Final = "open view"
LINES: Final = "lines of the log"
PAST: Final = "what records tell"
TALK: Final = "messages"
"""Under these a room remembers them."""


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat and who plays it."""

    seat: str
    name: str
    bot: str | None
    host: bool
    """Whether the host has taken it over since the game began."""
    mine: bool
    turn: bool
    free: bool = False
    """Whether its link still waits for somebody."""
    here: bool = False
    """Whether its player is at the table now; bots always are."""


class ProposalView(Struct, frozen=True, kw_only=True):
    """A proposal to go back."""

    by: str
    """The name of whoever proposes it."""
    keep: int
    """How many answers would stay."""
    missing: tuple[str, ...]
    """The names of those who have not replied yet."""
    unasked: tuple[str, ...]
    """The names of seats whose link is lost and who would have had a say."""
    ask_me: bool


class MessageView(Struct, frozen=True):
    """A message in the chat."""

    id: int
    who: str
    """The name of whoever wrote it."""
    text: str
    at: datetime
    """When it was written."""
    parts: tuple[TextPart, ...]


class OpenView(NamedTuple):
    """What lies open on the table: the same for all who look at it."""

    round: RoundView
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    items: tuple[ItemView, ...]
    trains: TrainsView
    log: tuple[LogLine, ...]
    move: MoveView | None
    last: MoveView | None
    ran: tuple[RanView, ...]
    result: ResultView | None
    wealth: WealthView | None
    mat: MatView | None
    order: tuple[OrderView, ...]
    sheet: SheetView
    outlook: OutlookView


class TableView(Struct, frozen=True, kw_only=True):
    """The whole table as the owner of the key sees it."""

    key: str
    role: KeyRole
    you: str
    """Who you are at this table: `You play Ben`, `You look on`."""
    game: str
    """The id of the game."""
    name: str
    damage: str
    """What is wrong with the stored game, if it can be played on all the same; usually empty."""
    version: int
    number: int
    """How many answers have been given."""
    at: int
    """After how many answers this is; less than `number` if you look back."""
    skipped: int
    """Moments before this many answers cannot be shown."""
    now: bool
    stamp: int
    """A number that changes with the board."""
    seats: tuple[SeatView, ...]
    """The seats in order."""
    clocks: ClocksView | None
    """How much time everybody has, and what is voted on; null on a planning board."""
    watching: int
    """How many spectators are here now."""
    hints: bool
    """Whether you may ask for hints here."""
    seed_known: bool
    """Whether somebody may know the seed of a game that others play too, and so foretell its draws."""
    my_turn: bool
    asks_me: bool
    """Whether you are to move in the game as it stands now, whatever moment is shown."""
    bot_turn: bool
    question: QuestionView | None
    """The question; null when the game is over, or at an earlier moment. Its answers are listed only if you are to
    move."""
    routes: RoutesView | None = None
    dividends: tuple[DividendView, ...] = ()
    round: RoundView
    """The title, the round and the phase."""
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    items: tuple[ItemView, ...]
    """Private railways, papers and minors that can be bought or drafted in this round, and who has them."""
    trains: TrainsView
    log: tuple[LogLine, ...]
    since: int
    """The first answer after your own last one; 0 if there is none."""
    move: MoveView | None
    """The answer that led to the moment shown; null at the beginning."""
    last: MoveView | None
    """That answer, or the last one before it that changed something to be seen."""
    ran: tuple[RanView, ...]
    """How trains ran because of it."""
    stop: bool
    """Whether this is a moment at which to stop when going through what was missed."""
    left: int
    """How many such moments are still to come."""
    can_undo: bool
    plan: PlanView | None
    """How a planning board relates to its game; null at the table of a game."""
    proposal: ProposalView | None
    prepared: tuple[PreparedView, ...]
    """Your prepared moves, and those that are over. Nobody sees those of others."""
    messages: tuple[MessageView, ...]
    last_message: int
    """The id of the last message in the chat; 0 for none."""
    result: ResultView | None
    wealth: WealthView | None
    mat: MatView | None
    """The company that acts, and the steps of its turn; null if none does."""
    order: tuple[OrderView, ...]
    """The companies in the order of this Operating Round."""
    sheet: SheetView
    outlook: OutlookView
    """What comes next as things stand."""


def table_view(
    room: Room,
    who: Access,
    at: int | None = None,
    slots: Slots = EMPTY,
) -> TableView:
    """What somebody sees now, or saw after so many answers."""
    number = room.number
    shown = number if at is None else max(room.skipped, min(at, number))
    game = room.at(shown)
    now = shown == number
    my_turn = now and room.turn in who.seats
    question = question_view(game, answers=my_turn) if now else None
    stops = stops_after(room, who, shown - 1)
    return TableView(
        **open_view(room, game, shown)._asdict(),
        key=who.key,
        role=who.role,
        you=who_one_is(room, who),
        game=room.id,
        name=room.name,
        damage=room.damage,
        version=room.version,
        number=number,
        at=shown,
        skipped=room.skipped,
        now=now,
        stamp=room.stamp(shown),
        seats=_seats(room, who, slots.present),
        clocks=slots.clocks,
        watching=slots.present.watching,
        hints=room.hints,
        seed_known=not room.game.over and len(room.persons) > 1 and room.game.setup.draws is UNSET,
        my_turn=my_turn,
        asks_me=room.turn in who.seats,
        bot_turn=now and room.turn in room.bots,
        question=question,
        routes=routes_view(game) if question is not None and question.widget == "routes" else None,
        dividends=dividend_views(game) if my_turn else (),
        since=_since(room, game, who),
        stop=shown in stops,
        left=len(stops) - (shown in stops),
        can_undo=now and room.own_move(who.seats) is not None,
        plan=slots.plan,
        proposal=_proposal(room, who, slots.proposal) if now else None,
        prepared=slots.prepared,
        messages=_messages(room, slots.messages),
        last_message=slots.messages[-1].id if slots.messages else 0,
    )


def _messages(room: Room, messages: tuple[Message, ...]) -> tuple[MessageView, ...]:
    """Each text is looked through once; one that was removed since has another text."""
    known: dict[Message, MessageView] = room.memory.get(TALK, {})
    mentions = Mentions(room.game) if any(each not in known for each in messages) else None
    found = {
        each: known[each]
        if mentions is None or each in known
        else MessageView(each.id, each.who, each.text, each.at, mentions.parts_of_talk(each.text))
        for each in messages
    }
    room.memory[TALK] = found
    return tuple(found.values())


def open_view(room: Room, game: Game, shown: int) -> OpenView:
    """It is worked out once for all who look at the same moment."""
    moment = (room.version, shown)
    seen: tuple[object, OpenView] | None = room.memory.get(OPEN)
    if seen is None or seen[0] != moment:
        views, question = views_of(game), game.question
        views.past = past_of(game, views, room.memory.get(PAST))
        if shown == room.number:
            room.memory[PAST] = views.past
        log = tuple(marked(room, room.memory.setdefault(LINES, Told()).last(game, LAST)))
        players, companies = views.players(question.decider if question is not None else None), views.companies()
        view = OpenView(
            round=round_view(game),
            players=players,
            companies=companies,
            items=views.items(question) if question is not None else (),
            trains=views.trains(),
            log=log,
            move=move_view(game, log[-1]),
            last=_last(room, log),
            ran=ran_views(game),
            result=result_view(game) if game.over else None,
            wealth=wealth_over_time(game) if game.over else None,
            mat=mat_view(views),
            order=order_view(views),
            sheet=sheet_view(players, companies, views.past),
            outlook=outlook_view(game, views),
        )
        room.memory[OPEN] = seen = moment, view
    return seen[1]


def _last(room: Room, log: tuple[LogLine, ...]) -> MoveView | None:
    """The last answer after which something looked different, if it is not long ago."""
    lines = [line for line in log[-FAR:] if line.number]
    views = (move_view(room.at(line.number), line) for line in reversed(lines))
    return next((view for view in views if view is not None and not view.quick), None)


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


def who_one_is(room: Room, who: Access) -> str:
    names = names_by_seat(room.game.setup)
    return f"You play {listed(names[seat] for seat in who.seats)}" if who.seats else "You look on"


def _seats(room: Room, who: Access, present: Present) -> tuple[SeatView, ...]:
    setup = room.game.setup
    return tuple(
        SeatView(
            seat=seat,
            name=name,
            bot=room.bots.get(seat),
            host=_taken_over(room, seat),
            mine=seat in who.seats,
            turn=seat == room.turn,
            free=seat in room.free,
            here=seat in room.bots or seat in who.seats or seat in present.seats,
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
    names = names_by_seat(room.game.setup)
    return ProposalView(
        by=", ".join(names[seat] for seat in proposal.by),
        keep=proposal.keep,
        missing=tuple(names[seat] for seat in proposal.missing),
        unasked=tuple(names[seat] for seat in proposal.unasked),
        ask_me=bool(set(who.seats) & set(proposal.missing)),
    )
