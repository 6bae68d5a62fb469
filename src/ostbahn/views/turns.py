"""Views of the round and phase, the steps of a company's turn, and the operating order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of, place_name
from ostbahn.kernel.records import PLACES, Paid, Record, Revenue, StationPlaced, TileLaid, TrainMoved
from ostbahn.kernel.state import Task
from ostbahn.pictures.board_style import full_name
from ostbahn.text.formatting import with_article
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.catalogue import module_names
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.models import MarkView, RoundView, View, When
from ostbahn.views.title_views import TitleViews, TurnStep, views_of


class StepView(View, frozen=True, kw_only=True):
    """A step in the turn of a company."""

    name: str
    """`Track`, `Station`, `Run`, `Income`, `Take over` or `Trains`."""
    state: Literal["done", "now", "ahead", "skipped"]
    words: str
    """What was done in it, or what is to be expected."""


class TurnPanelView(View, frozen=True, kw_only=True):
    """The company in turn and the steps of its turn."""

    company: str
    steps: tuple[StepView, ...]
    interrupted: bool
    """Whether another question comes first, such as an offer to agree to."""


class OrderView(View, frozen=True, kw_only=True):
    """A company in the order of the present Operating Round."""

    company: str
    mark: MarkView
    state: When


def turn_panel_view(views: TitleViews) -> TurnPanelView | None:
    """The company in turn; None outside of Operating Rounds."""
    company = views.operating_order().in_turn
    if company is None:
        return None
    turn_steps = views.turn_steps(company)
    agenda = views.game.state.agenda
    index, notes = _step_index(agenda, turn_steps), _notes_by_step(views, company, turn_steps)
    present = len(turn_steps) if index is None else index
    return TurnPanelView(
        company=company,
        steps=tuple(_step_view(views, company, step, at - present, notes[at]) for at, step in enumerate(turn_steps)),
        interrupted=bool(agenda) and _step_index(agenda[-1:], turn_steps) is None,
    )


def _step_view(views: TitleViews, company: str, step: TurnStep, offset: int, notes: list[str]) -> StepView:
    """offset: from the present step, negative for earlier ones."""
    state: Literal["done", "now", "ahead", "skipped"] = "now" if offset == 0 else "ahead"
    if offset < 0:
        state = "done" if notes else "skipped"
    forecast = [views.step_forecast(company, step.name)] if offset >= 0 else []
    return StepView(name=step.name, state=state, words="; ".join(words for words in [*notes, *forecast] if words))


def _step_index(agenda: Sequence[Task], turn_steps: Sequence[TurnStep]) -> int | None:
    """The index of the present step: that of the topmost task on the agenda that belongs to a step."""
    for task in reversed(agenda):
        for at, step in enumerate(turn_steps):
            if task.__struct_config__.tag in step.tasks:
                return at
    return None


# What was done


def _notes_by_step(views: TitleViews, company: str, turn_steps: Sequence[TurnStep]) -> list[list[str]]:
    """For each step, the notes of the answers that were given in it this turn."""
    game, notes = views.game, [list[str]() for _ in turn_steps]
    for number in range(views.record_stats.turn + 1, len(game) + 1):
        before, record = game.position(number - 1), game.records[number - 1]
        at = _step_index(before.state.agenda, turn_steps)
        if at is not None and (words := ", ".join(_notes_on_answer(views, company, record))):
            notes[at].append(words)
    return notes


def _notes_on_answer(views: TitleViews, company: str, record: Record) -> Iterator[str]:
    """What an answer did for the company, and what the company paid."""
    money = text_renderer_of(views.game).words.money
    if record.action.__struct_config__.tag in views.income_answers:
        paid = dict(views.payouts(record, views.record_stats.run)).get(company, 0)
        yield f"paid out {money(paid)}" if paid else "kept the income"
        return
    notes = [*_notes_on_track(views, company, record), *views.turn_notes(record)]
    notes += _notes_on_trains(views, company, record)
    notes += [f"ran for {money(e.amount)}" for e in record.events if isinstance(e, Revenue) and e.company == company]
    yield from notes
    cost = sum(event.amount for event in record.events if isinstance(event, Paid) and event.source == company)
    if notes and cost:
        yield money(cost)


def _notes_on_track(views: TitleViews, company: str, record: Record) -> Iterator[str]:
    """Tiles laid and stations placed, without stations that moved onto a new tile."""
    table, hexes = views.game.table, set[str]()
    for event in record.events:
        if isinstance(event, TileLaid) and event.company == company:
            hexes.add(event.hex)
            yield f"laid {event.tile} in {place_name(table.title, event.hex)}"
        elif isinstance(event, StationPlaced) and event.company == company and hex_of(event.city) not in hexes:
            yield f"station in {place_name(table.title, event.city, table.state.board)}"


def _notes_on_trains(views: TitleViews, company: str, record: Record) -> Iterator[str]:
    """Trains that the company bought, sold or lost."""
    table = views.game.table
    trains = (event for event in record.events if isinstance(event, TrainMoved))
    moves = [event for event in trains if company in (event.source, event.target)]
    for (face, source, target), number in Counter((move.face, move.source, move.target) for move in moves).items():
        moved = with_article(f"a {face}-train") if number == 1 else f"{number} {face}-trains"
        if source == target:
            yield f"turned a card to {face}"
        elif target == company:
            yield f"bought {moved}" if source in PLACES else f"{moved} from {table.name(source)}"
        else:
            yield f"{'returned' if target == 'pool' else 'scrapped' if target in PLACES else 'sold'} {moved}"


# The order


def order_view(views: TitleViews) -> tuple[OrderView, ...]:
    """All companies of the present Operating Round in order; empty outside of one."""
    turns, table = views.operating_order(), views.game.table
    if turns.in_turn is None and not turns.waiting:
        return ()
    ahead = (*((turns.in_turn,) if turns.in_turn is not None else ()), *turns.waiting)
    done = [company for company in dict.fromkeys(views.record_stats.acted) if company not in ahead]
    return tuple(
        OrderView(
            company=company,
            mark=mark_view(table, company),
            state="now" if company == turns.in_turn else "ahead" if company in ahead else "done",
        )
        for company in (*done, *ahead)
    )


def round_view(game: Game) -> RoundView:
    renderer, table, views = text_renderer_of(game), game.table, views_of(game)
    course, turns, setup = views.progress(), views.operating_order(), game.setup
    return RoundView(
        title=setup.title,
        variant=setup.variant,
        name=full_name(table.title),
        modules=setup.modules,
        module_names=module_names(setup.title, setup.variant, setup.modules),
        currency=renderer.words.currency,
        number=len(game),
        over=game.over,
        round=views.round,
        round_name=renderer.round_name(),
        phase=table.state.phase,
        phase_name=course.phase_name,
        phase_colour=course.phase_colour,
        headline=tuple(renderer.headline()),
        boxes=course.boxes,
        next="the game is over" if game.over else course.next,
        priority=None if game.over else who_view(table, course.priority),
        priority_words=course.priority_words,
        waiting=turns.waiting,
        in_turn=turns.in_turn,
        scene=views.scene(game.question),
    )
