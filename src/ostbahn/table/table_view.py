"""The whole table as one of those at it sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

import msgspec
from msgspec import UNSET, Struct

from ostbahn.bots.registry import bot_phrase
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.table.access import Access, KeyRole
from ostbahn.table.plans import PlanView
from ostbahn.table.room import ALL, CLOCK, HERE, HOST, LINK, Handover, NameChange, Notice, Room, names_by_seat
from ostbahn.table.slots import EMPTY, Attendance, ClocksView, Message, ProgrammedMoveView, Slots, UndoProposal
from ostbahn.text.formatting import printable, seat_names
from ostbahn.text.words import Names, join_words, plural
from ostbahn.views.log import MentionFinder, RecentLogLines, first_since
from ostbahn.views.models import CompanyView, LogLine, NoticeView, PlayerView, RoundView, TextPart, TrainsView
from ostbahn.views.moves import MoveView, RanView, has_visible_effect, move_view, ran_views
from ostbahn.views.outlook import OutlookView, outlook_view
from ostbahn.views.question import (
    DividendView,
    ItemView,
    QuestionView,
    RoutesView,
    dividend_views,
    question_view,
    tag_of,
)
from ostbahn.views.routes import RUN, routes_view
from ostbahn.views.title_views import record_stats_of, views_of
from ostbahn.views.turns import OrderView, TurnPanelView, order_view, round_view, turn_panel_view
from ostbahn.views.wealth import ResultView, SheetView, WealthView, result_view, sheet_view, wealth_over_time

FROM_NOW_ON: Final = {HERE: "the host", LINK: "whoever has the new link"}
UNTIL_NOW: Final = {HERE: "the host", LINK: "whoever had the link"}
GIVERS: Final = {HOST: "The host", CLOCK: "The clock", ALL: "Everybody"}
"""Who gives seats to others."""


def notice_views(room: Room) -> Mapping[int, tuple[NoticeView, ...]]:
    """By the answer after which they are told, the first one first."""
    names = seat_names(room.game.setup.players)
    views: dict[int, tuple[NoticeView, ...]] = {}
    for notice in room.notices.all:
        if notice.naming is None or not notice.naming.anonymises:
            views[notice.number] = (*views.get(notice.number, ()), _view(notice, names))
    return views


def _view(notice: Notice, names: Names) -> NoticeView:
    handover, naming = notice.handover, notice.naming
    if naming is not None:
        return NoticeView(
            version=notice.version,
            kind="name",
            seat=naming.seat,
            by_name=printable(naming.name),
            words=_named(naming),
            note="",
        )
    return NoticeView(
        version=notice.version,
        kind="undo" if handover is None else "seat",
        seat=notice.by if handover is None else handover.seat,
        by_name=names.get(notice.by) or GIVERS[notice.by],
        words=_back(notice) if handover is None else _handed(handover, names),
        note=notice.note,
    )


def _handed(handover: Handover, names: Names) -> str:
    now = FROM_NOW_ON.get(handover.who) or bot_phrase(handover.who)
    was = UNTIL_NOW.get(handover.was) or bot_phrase(handover.was)
    return f"from now on {now} plays for {names[handover.seat]}, in place of {was}"


def _named(naming: NameChange) -> str:
    if not naming.joins:
        return f"was called {printable(naming.was)} until now"
    return "sits down" if naming.name == naming.was else f"sits down in the seat of {printable(naming.was)}"


def _back(notice: Notice) -> str:
    taken = f": {plural(notice.gone, 'answer')} {'is' if notice.gone == 1 else 'are'} taken back" if notice.gone else ""
    return f"goes back to move {notice.number}{taken}"


def numbers_about(room: Room, seat: str | None, company: str | None, topic: str | None) -> frozenset[int]:
    """The answers after which something is told about a seat; it is never about a company."""
    if company is not None or topic not in (None, "table"):
        return frozenset()
    told = notice_views(room)
    return frozenset(number for number, views in told.items() if any(seat in (None, view.seat) for view in views))


FURTHEST: Final = 500
"""Answers that are looked through at most, from the latest back."""


def stops_after(room: Room, who: Access, after: int) -> list[int]:
    """The moments worth stopping at after so many answers, in their order.

    One's own answers are no news. An answer after which nothing looks different is none either if it answered itself,
    or if a company only left a step of its turn out; that a player passes is worth a moment.
    """
    first = max(after, room.number - FURTHEST, room.skipped) - room.skipped
    game = room.game
    return [
        number + room.skipped
        for number, record in enumerate(game.records[first:], start=first + 1)
        if record.by not in who.seats
        and (
            has_visible_effect(record)
            or not (room.given[number - 1].how == "obvious" or _leaves_out(game, number - 1, record))
        )
    ]


def _leaves_out(game: Game, index: int, record: Record) -> bool:
    """Whether a company passes, or has no train to run."""
    if not isinstance(record.action, Pass) and tag_of(record.action) != RUN:
        return False
    return getattr(game.state_at(index).agenda[-1], "company", None) is not None


def moment_after(room: Room, who: Access, after: int) -> int | None:
    """What to show after a moment: the next stop, or first how things were just before it; None is now."""
    following = next(iter(stops_after(room, who, after)), None)
    return following if following is None or following == after + 1 else following - 1


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


class OpenView(Struct, frozen=True, kw_only=True):
    """What lies open on the table: the same for all who look at it."""

    round: RoundView
    """The title, the round and the phase."""
    players: tuple[PlayerView, ...]
    companies: tuple[CompanyView, ...]
    items: tuple[ItemView, ...]
    """Private railways, papers and minors that can be bought or drafted in this round, and who has them."""
    trains: TrainsView
    log: tuple[LogLine, ...]
    move: MoveView | None
    """The answer that led to the moment shown; null at the beginning."""
    last: MoveView | None
    """That answer, or the last one before it that changed something to be seen."""
    ran: tuple[RanView, ...]
    """How trains ran because of it."""
    result: ResultView | None
    wealth: WealthView | None
    mat: TurnPanelView | None
    """The company that acts, and the steps of its turn; null if none does."""
    order: tuple[OrderView, ...]
    """The companies in the order of this Operating Round."""
    sheet: SheetView
    outlook: OutlookView
    """What comes next as things stand."""


class TableView(OpenView, frozen=True, kw_only=True):
    """The whole table as the owner of the key sees it."""

    key: str
    role: KeyRole
    you: str
    """Who you are at this table: `You play Ben`, `You look on`."""
    game: str
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
    since: int
    """The first answer after your own last one; 0 if there is none."""
    stop: bool
    left: int
    can_undo: bool
    plan: PlanView | None
    """How a planning board relates to its game; null at the table of a game."""
    proposal: ProposalView | None
    prepared: tuple[ProgrammedMoveView, ...]
    """Your prepared moves, and those that are over. Nobody sees those of others."""
    messages: tuple[MessageView, ...]
    last_message: int
    """The id of the last message in the chat; 0 for none."""


def table_view(room: Room, who: Access, at: int | None = None, slots: Slots = EMPTY) -> TableView:
    """What somebody sees now, or saw after so many answers."""
    number = room.number
    shown = number if at is None else max(room.skipped, min(at, number))
    game = room.at(shown)
    now = shown == number
    my_turn = now and room.turn in who.seats
    question = question_view(game, answers=my_turn) if now else None
    stops, names = stops_after(room, who, shown - 1), names_by_seat(room.game.setup)
    return TableView(
        **msgspec.structs.asdict(open_view(room, game, shown)),
        key=who.key,
        role=who.role,
        you=f"You play {join_words(names[seat] for seat in who.seats)}" if who.seats else "You look on",
        game=room.id,
        name=room.name,
        damage=room.damage,
        version=room.version,
        number=number,
        at=shown,
        skipped=room.skipped,
        now=now,
        stamp=room.version_at(shown),
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
    mentions = MentionFinder(room.game) if any(each not in known for each in messages) else None
    found = {
        each: known[each]
        if mentions is None or each in known
        else MessageView(each.id, each.who, each.text, each.at, mentions.mentions_in_chat(each.text))
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
        views.record_stats = record_stats_of(game, views, room.memory.get(PAST))
        if shown == room.number:
            room.memory[PAST] = views.record_stats
        log = tuple(marked(room, room.memory.setdefault(LINES, RecentLogLines()).last(game, LAST)))
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
            mat=turn_panel_view(views),
            order=order_view(views),
            sheet=sheet_view(players, companies, views.record_stats),
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


def _seats(room: Room, who: Access, present: Attendance) -> tuple[SeatView, ...]:
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
        for seat, name in names_by_seat(room.game.setup).items()
    )


def _taken_over(room: Room, seat: str) -> bool:
    notice = room.notices.last_handover(seat)
    return notice is not None and notice.handover is not None and notice.handover.who == HERE


def _since(room: Room, game: Game, who: Access) -> int:
    found = max((first_since(game, seat) for seat in who.seats), default=0)
    return found + room.skipped if found else 0


def _proposal(room: Room, who: Access, proposal: UndoProposal | None) -> ProposalView | None:
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
