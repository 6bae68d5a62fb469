"""The whole table as one viewer sees it."""

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
from ostbahn.views.moves import MoveView, RanView, has_visible_effect, move_view, train_runs
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
"""Names of those who hand over seats without having one."""


def notice_views(room: Room) -> Mapping[int, tuple[NoticeView, ...]]:
    """Notices in order, by the number of the answer that they follow."""
    names = seat_names(room.game.setup.players)
    views: dict[int, tuple[NoticeView, ...]] = {}
    for notice in room.notices.all:
        if notice.naming is None or not notice.naming.anonymises:
            views[notice.number] = (*views.get(notice.number, ()), _notice_view(notice, names))
    return views


def _notice_view(notice: Notice, names: Names) -> NoticeView:
    handover, naming = notice.handover, notice.naming
    if naming is not None:
        return NoticeView(
            version=notice.version,
            kind="name",
            seat=naming.seat,
            by_name=printable(naming.name),
            words=_naming_words(naming),
            note="",
        )
    return NoticeView(
        version=notice.version,
        kind="undo" if handover is None else "seat",
        seat=notice.by if handover is None else handover.seat,
        by_name=names.get(notice.by) or GIVERS[notice.by],
        words=_undo_words(notice) if handover is None else _handover_words(handover, names),
        note=notice.note,
    )


def _handover_words(handover: Handover, names: Names) -> str:
    now = FROM_NOW_ON.get(handover.who) or bot_phrase(handover.who)
    before = UNTIL_NOW.get(handover.was) or bot_phrase(handover.was)
    return f"from now on {now} plays for {names[handover.seat]}, in place of {before}"


def _naming_words(naming: NameChange) -> str:
    if not naming.joins:
        return f"was called {printable(naming.was)} until now"
    return "sits down" if naming.name == naming.was else f"sits down in the seat of {printable(naming.was)}"


def _undo_words(notice: Notice) -> str:
    gone = f": {plural(notice.gone, 'answer')} {'is' if notice.gone == 1 else 'are'} taken back" if notice.gone else ""
    return f"goes back to move {notice.number}{gone}"


def numbers_about(room: Room, seat: str | None, company: str | None, topic: str | None) -> frozenset[int]:
    """The numbers of answers followed by notices that match a filter of the log; no notice is about a company."""
    if company is not None or topic not in (None, "table"):
        return frozenset()
    by_number = notice_views(room)
    return frozenset(number for number, views in by_number.items() if any(seat in (None, view.seat) for view in views))


FURTHEST: Final = 500
"""How many answers `stops_after` looks back at most."""


def stops_after(room: Room, who: Access, after: int) -> list[int]:
    """The moments after answer `after` at which the replay stops for a viewer, in order.

    It stops at answers of others with a visible effect, and at passes of players. It skips automatic answers without
    one, and steps that a company leaves out.
    """
    first = max(after, room.number - FURTHEST, room.skipped) - room.skipped
    game = room.game
    return [
        number + room.skipped
        for number, record in enumerate(game.records[first:], start=first + 1)
        if record.by not in who.seats
        and (
            has_visible_effect(record)
            or not (room.given[number - 1].how == "obvious" or _skips_company_step(game, number - 1, record))
        )
    ]


def _skips_company_step(game: Game, index: int, record: Record) -> bool:
    """Whether a company passed, or ran its trains without a visible effect."""
    if not isinstance(record.action, Pass) and tag_of(record.action) != RUN:
        return False
    return getattr(game.state_at(index).agenda[-1], "company", None) is not None


def moment_after(room: Room, who: Access, after: int) -> int | None:
    """The moment to show after `after`: the next stop, but first the moment just before it; None for the present."""
    stop = next(iter(stops_after(room, who, after)), None)
    return stop if stop is None or stop == after + 1 else stop - 1


LAST: Final = 40
"""Lines of the log that come with the page; it fetches more on demand."""
FAR: Final = 12
"""How many answers back `_last_visible_move` looks."""
OPEN: Final = "open view"
LINES: Final = "lines of the log"
PAST: Final = "what records tell"
TALK: Final = "messages"
"""Keys of caches in `Room.memory`."""


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
    """The table as a viewer sees it now, or saw it after `at` answers."""
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
        since=_first_new_answer(room, game, who),
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
    """Views of chat messages, cached by their content: a deleted message has another text."""
    cached: dict[Message, MessageView] = room.memory.get(TALK, {})
    mentions = MentionFinder(room.game) if any(message not in cached for message in messages) else None
    views = {
        message: cached[message]
        if mentions is None or message in cached
        else MessageView(message.id, message.who, message.text, message.at, mentions.mentions_in_chat(message.text))
        for message in messages
    }
    room.memory[TALK] = views
    return tuple(views.values())


def open_view(room: Room, game: Game, shown: int) -> OpenView:
    """The part of the view that is the same for everybody, cached for viewers of the same moment."""
    moment = (room.version, shown)
    cached: tuple[object, OpenView] | None = room.memory.get(OPEN)
    if cached is None or cached[0] != moment:
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
            last=_last_visible_move(room, log),
            ran=train_runs(game),
            result=result_view(game) if game.over else None,
            wealth=wealth_over_time(game) if game.over else None,
            mat=turn_panel_view(views),
            order=order_view(views),
            sheet=sheet_view(players, companies, views.record_stats),
            outlook=outlook_view(game, views),
        )
        room.memory[OPEN] = cached = moment, view
    return cached[1]


def _last_visible_move(room: Room, log: tuple[LogLine, ...]) -> MoveView | None:
    """The last answer with a visible effect, if it is a recent one."""
    lines = [line for line in log[-FAR:] if line.number]
    views = (move_view(room.at(line.number), line) for line in reversed(lines))
    return next((view for view in views if view is not None and not view.quick), None)


def marked(room: Room, lines: Iterable[LogLine]) -> Iterator[LogLine]:
    """Add to lines of the log how each answer was given, its notices, and its number in the room."""
    notices = notice_views(room)
    for line in lines:
        origin = room.given[line.number - 1] if line.number else None
        yield msgspec.structs.replace(
            line,
            number=line.number + room.skipped,
            how=origin.how if origin else "",
            note=origin.note if origin else "",
            notices=notices.get(line.number + room.skipped, ()),
        )


def _seats(room: Room, who: Access, present: Attendance) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            seat=seat,
            name=name,
            bot=room.bots.get(seat),
            host=_is_taken_over(room, seat),
            mine=seat in who.seats,
            turn=seat == room.turn,
            free=seat in room.free,
            here=seat in room.bots or seat in who.seats or seat in present.seats,
        )
        for seat, name in names_by_seat(room.game.setup).items()
    )


def _is_taken_over(room: Room, seat: str) -> bool:
    """Whether the host now plays the seat."""
    notice = room.notices.last_handover(seat)
    return notice is not None and notice.handover is not None and notice.handover.who == HERE


def _first_new_answer(room: Room, game: Game, who: Access) -> int:
    """The number after the viewer's own last answer; 0 without one."""
    number = max((first_since(game, seat) for seat in who.seats), default=0)
    return number + room.skipped if number else 0


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
