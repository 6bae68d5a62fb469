"""Answers for the replay: what each changed on the table, and how trains ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board, hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Event, Paid, PriceMoved, Record, Revenue, Topic
from ostbahn.kernel.table import Table
from ostbahn.views.common import mark_view
from ostbahn.views.log import LogLines
from ostbahn.views.models import LogLine, MarkView, View
from ostbahn.views.question import tag_of
from ostbahn.views.routes import RUN, runs_in

INVISIBLE: Final[frozenset[Topic]] = frozenset({"rounds", "other"})
"""Topics of events without a visible effect."""


class PriceStep(View, frozen=True, kw_only=True):
    """A share price that has changed; from 0 if the company had none before."""

    company: str
    before: int
    after: int


class MoneyStep(View, frozen=True, kw_only=True):
    """How somebody's money has changed; negative if they have less."""

    who: str
    """A seat or a company."""
    amount: int


class RanView(View, frozen=True, kw_only=True):
    """How the trains of a company ran."""

    company: str
    company_name: str
    paths: tuple[tuple[str, ...], ...]
    """The way of each train: `E11.0`, `E13`, `E15.0`."""
    revenue: int


class MoveView(View, frozen=True, kw_only=True):
    """An answer, and what has changed on the table by it."""

    number: int
    """The number of the answer. `?at=` this number shows the table after it."""
    by: str
    by_name: str
    company: str | None
    """The company for which it was given; null if for none."""
    mark: MarkView | None
    """How that company looks."""
    kind: str
    """The `do` of the action."""
    words: str
    hexes: tuple[str, ...]
    """Hexes with another tile or other stations."""
    companies: tuple[str, ...]
    """Companies whose cards have changed."""
    prices: tuple[PriceStep, ...]
    money: tuple[MoneyStep, ...]
    """Changes of cash: players in the order of seats, then companies."""
    route: bool
    """Whether trains ran."""
    grave: bool
    """Whether something happened that changes the game for everybody."""
    quick: bool
    """Whether nothing looks different, so that it can go by quickly."""


def move_view(game: Game, line: LogLine | None = None) -> MoveView | None:
    """The last answer of a game; None if there is none.

    line: its line of the log, if already made.
    """
    if not len(game):
        return None
    log_line, record, table = line or LogLines(game).line(len(game)), game.records[-1], game.table
    grave, trains_ran = any(event.grave for event in log_line.events), bool(train_runs(game))
    hexes = changed_hexes(game.state_at(len(game) - 1).board, game.state.board)
    return MoveView(
        number=log_line.number,
        by=log_line.by,
        by_name=log_line.by_name,
        company=log_line.company,
        mark=mark_view(table, log_line.company) if log_line.company in table.title.charters else None,
        kind=log_line.kind,
        words=log_line.words,
        hexes=hexes,
        companies=_visible_companies(record, log_line),
        prices=_price_steps(record.events),
        money=_money_steps(table, record.events),
        route=trains_ran,
        grave=grave,
        quick=not (grave or hexes or trains_ran or has_visible_effect(record)),
    )


def has_visible_effect(record: Record) -> bool:
    return any(map(_is_visible, record.events))


def _is_visible(event: Event) -> bool:
    """Whether an event changes what the table shows; a run that earns nothing does not."""
    return event.topic not in INVISIBLE and not (isinstance(event, Revenue) and event.amount == 0)


def changed_hexes(before: Board, after: Board) -> tuple[str, ...]:
    """Hexes with another tile or other stations, those with another tile first."""
    if before is after:
        return ()
    tiles = [hex_id for hex_id, laid in after.tiles.items() if before.tiles.get(hex_id) != laid]
    cities = dict.fromkeys([*after.stations, *before.stations])
    stations = [hex_of(city) for city in cities if before.stations.get(city) != after.stations.get(city)]
    return tuple(dict.fromkeys([*tiles, *stations]))


def _visible_companies(record: Record, line: LogLine) -> tuple[str, ...]:
    """Companies in visible events, the one that answered first."""
    pairs = zip(record.events, line.events, strict=True)
    companies = [company for event, log_event in pairs if _is_visible(event) for company in log_event.companies]
    first = [line.company] if line.company in companies and line.company is not None else []
    return tuple(dict.fromkeys([*first, *companies]))


def _price_steps(events: Iterable[Event]) -> tuple[PriceStep, ...]:
    """One step per company, from its first price to its last."""
    steps: dict[str, PriceStep] = {}
    for event in events:
        if isinstance(event, PriceMoved):
            before = steps[event.company].before if event.company in steps else event.before
            steps[event.company] = PriceStep(company=event.company, before=before, after=event.after)
    return tuple(step for step in steps.values() if step.before != step.after)


def _money_steps(table: Table, events: Iterable[Event]) -> tuple[MoneyStep, ...]:
    """Net changes of cash, players first; the bank is left out."""
    amounts: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            amounts[event.source] -= event.amount
            amounts[event.target] += event.amount
    accounts = dict.fromkeys([*table.state.players, *amounts])
    return tuple(MoneyStep(who=who, amount=amounts[who]) for who in accounts if who != BANK and amounts[who])


# Runs


def train_runs(game: Game) -> tuple[RanView, ...]:
    """How trains ran in the last answer: first those that its action ran, then those that ran automatically."""
    if not len(game):
        return ()
    record, table = game.records[-1], game.table
    revenues = [event for event in record.events if isinstance(event, Revenue)]
    paths_by_run = [event.ways for event in revenues]
    if tag_of(record.action) == RUN and revenues:
        paths_by_run[0] = tuple(run.path for run in runs_in(record.action))
    return tuple(
        RanView(company=event.company, company_name=table.name(event.company), paths=paths, revenue=event.amount)
        for event, paths in zip(revenues, paths_by_run, strict=True)
        if any(paths)
    )
