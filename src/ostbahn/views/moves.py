"""One answer as it is seen happening: what it touched on the board, the chart and the cards, and how trains ran."""

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

UNSEEN: Final[frozenset[Topic]] = frozenset({"rounds", "other"})
"""Events that change neither board nor chart nor cards: whose turn it is, and which round begins."""


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
    """The last answer of a game; None where there is none yet.

    line: what the log says of it, if that has been told already.
    """
    if not len(game):
        return None
    told, record, table = line or LogLines(game).line(len(game)), game.records[-1], game.table
    grave, route = any(event.grave for event in told.events), bool(ran_views(game))
    hexes = touched(game.state_at(len(game) - 1).board, game.state.board)
    return MoveView(
        number=told.number,
        by=told.by,
        by_name=told.by_name,
        company=told.company,
        mark=mark_view(table, told.company) if told.company in table.title.charters else None,
        kind=told.kind,
        words=told.words,
        hexes=hexes,
        companies=_companies(record, told),
        prices=_prices(record.events),
        money=_money(table, record.events),
        route=route,
        grave=grave,
        quick=not (grave or hexes or route or shows(record)),
    )


def shows(record: Record) -> bool:
    """Whether something looks different after an answer."""
    return any(map(_is_seen, record.events))


def _is_seen(event: Event) -> bool:
    """Whether something looks different after an event; trains that earn nothing change nothing."""
    return event.topic not in UNSEEN and not (isinstance(event, Revenue) and event.amount == 0)


def touched(before: Board, after: Board) -> tuple[str, ...]:
    """Hexes with another tile or other stations, those with another tile first."""
    if before is after:
        return ()
    tiles = [hex_id for hex_id, laid in after.tiles.items() if before.tiles.get(hex_id) != laid]
    cities = dict.fromkeys([*after.stations, *before.stations])
    stations = [hex_of(city) for city in cities if before.stations.get(city) != after.stations.get(city)]
    return tuple(dict.fromkeys([*tiles, *stations]))


def _companies(record: Record, line: LogLine) -> tuple[str, ...]:
    """Those that what came of it names, where it is something to be seen; the one that was asked leads."""
    told = zip(record.events, line.events, strict=True)
    seen = [company for event, words in told if _is_seen(event) for company in words.companies]
    first = [line.company] if line.company in seen and line.company is not None else []
    return tuple(dict.fromkeys([*first, *seen]))


def _prices(events: Iterable[Event]) -> tuple[PriceStep, ...]:
    """Each company once, from where its marker was to where it is."""
    steps: dict[str, PriceStep] = {}
    for event in events:
        if isinstance(event, PriceMoved):
            before = steps[event.company].before if event.company in steps else event.before
            steps[event.company] = PriceStep(company=event.company, before=before, after=event.after)
    return tuple(step for step in steps.values() if step.before != step.after)


def _money(table: Table, events: Iterable[Event]) -> tuple[MoneyStep, ...]:
    amounts: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            amounts[event.source] -= event.amount
            amounts[event.target] += event.amount
    known = dict.fromkeys([*table.state.players, *amounts])
    return tuple(MoneyStep(who=who, amount=amounts[who]) for who in known if who != BANK and amounts[who])


# Runs


def ran_views(game: Game) -> tuple[RanView, ...]:
    """How trains ran in consequence of the last answer, those first that it was about."""
    if not len(game):
        return ()
    record, table = game.records[-1], game.table
    earned = [event for event in record.events if isinstance(event, Revenue)]
    ways = [event.ways for event in earned]
    if tag_of(record.action) == RUN and earned:
        ways[0] = tuple(run.path for run in runs_in(record.action))
    return tuple(
        RanView(company=event.company, company_name=table.name(event.company), paths=paths, revenue=event.amount)
        for event, paths in zip(earned, ways, strict=True)
        if any(paths)
    )
