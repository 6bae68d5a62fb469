"""The steps of a company's turn in 18CZ, and what to expect of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import share_unit
from ostbahn.kernel.steps import Decision
from ostbahn.titles.cz.actions import OfferAcquisition
from ostbahn.titles.cz.bohemia_table import is_his
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.purchase import forced
from ostbahn.titles.cz.rounds import dividend
from ostbahn.titles.cz.running import guests, runnable
from ostbahn.titles.cz.state import Acquire, CzTable, HomeCity, LayTrack, LayWaived, RedHome, UseIncome
from ostbahn.titles.cz.stations import markers_left, next_price
from ostbahn.titles.cz.title import SIZES
from ostbahn.views.common import listed, plural
from ostbahn.views.title_views import Past, Stage

TRACK: Final = Stage("Track", ("red_home", "home_city", "lay_track", "lay_waived"))
STATION: Final = Stage("Station", ("establish_station",))
RUN: Final = Stage("Run", ("operate_trains", "vaclav_runs"))
INCOME: Final = Stage("Income", ("use_income",))
TAKE_OVER: Final = Stage("Take over", ("acquire", "return_station", "join_stations", "settle_trains"))
TRAINS: Final = Stage("Trains", ("purchase_trains", "return_trains"))

STAGES: Final = (TRACK, STATION, RUN, INCOME, TAKE_OVER, TRAINS)
"""VIII.3/1"""
WITHOUT_PREY: Final = (TRACK, STATION, RUN, INCOME, TRAINS)
"""Nobody is smaller than a small company, and in Moravia-Silesia all are of one size (VIII.9/1)."""
VACLAVS: Final = (TRACK, STATION, RUN, INCOME)
"""His companies neither take over others nor buy trains (XI.1/14)."""


def stages_of(table: CzTable, company: str) -> tuple[Stage, ...]:
    if is_his(table, company):
        return VACLAVS
    return WITHOUT_PREY if isinstance(table, MoraviaTable) or table.size(company) == SIZES[0] else STAGES


def expected(game: Game, table: CzTable, past: Past, company: str, stage: str) -> str:
    if stage == TAKE_OVER.name:
        return _targets(game, table, company)
    if stage == INCOME.name:
        return _income(table, past, company)
    words: Mapping[str, Callable[[CzTable, str], str]] = {
        TRACK.name: _track,
        STATION.name: _station,
        RUN.name: _run,
        TRAINS.name: _trains,
    }
    return words[stage](table, company)


def _track(table: CzTable, company: str) -> str:
    """How many tiles it may still lay (VIII.4/4, VIII.4/5)."""
    match table.state.agenda[-1]:
        case RedHome():
            return "first the red home tile"
        case HomeCity():
            return "first the home station"
        case LayWaived():
            return "1 more yellow tile if a Local Railway pays"
        case LayTrack(yellows=yellows) if yellows:
            return "1 more yellow tile"
        case _:
            first = any(isinstance(task, LayTrack) and task.first for task in table.state.agenda)
            return f"{'2 yellow tiles' if first else '1 yellow tile'} or 1 promotion"


def _station(table: CzTable, company: str) -> str:
    left, price = markers_left(table, company), next_price(table, company)
    if not left:
        return "no marker left"
    return f"{f'{price} K' if price else 'free'}: {plural(left, 'marker')} left"


def _run(table: CzTable, company: str) -> str:
    trains = [*runnable(table, company), *(train for fleet in guests(table, company) for train in fleet)]
    last = table.state.revenue.get(company)
    before = f"; last run {last} K" if last is not None else ""
    return (", ".join(train.face for train in trains) or "no train to run") + before


def _income(table: CzTable, past: Past, company: str) -> str:
    """What a share would get; before the run what it got last."""
    if is_his(table, company):
        return "always paid out"
    unit = share_unit(table, company)
    for task in table.state.agenda:
        if isinstance(task, UseIncome):
            return f"{task.revenue} K: {dividend(task.revenue, unit)} K a share, or keep it"
    paid = past.paid.get(company)
    if paid is None:
        return ""
    return f"last time {dividend(paid, unit)} K a share" if paid else "last time nothing"


def _targets(game: Game, table: CzTable, company: str) -> str:
    """Whom it could make an offer that it can pay; the referee of the variant says so (VIII.9/1, VIII.9/7)."""
    chapter = game.rulebook.chapters[Acquire]
    step = chapter.step_for(OfferAcquisition("", 0)) if isinstance(chapter, Decision) else None
    actions = [option.action for option in step.answers(table, Acquire(company))] if step is not None else []
    targets = [action.company for action in actions if isinstance(action, OfferAcquisition)]
    return f"{', '.join(targets)} possible" if targets else "nobody it could pay for"


def _trains(table: CzTable, company: str) -> str:
    """How many it has, and what the next card of the stack would be for it."""
    has, limit = len(table.state.trains.get(company, ())), train_limit(table, company)
    following = f"{'must buy' if forced(table, company) else 'next'}: {_next(table, company)}"
    return f"{has} of {plural(limit, 'train')}; {following}"


def _next(table: CzTable, company: str) -> str:
    """The train of its size on the next card: what it costs, what the Director adds, and what it scraps."""
    state, title = table.state, table.title
    for face, price in title.stack.spec[title.stack.card(state.cards_gone)[0]].faces.items():
        if title.train_faces[face].size == table.size(company) and face not in state.scrapped:
            missing = price - state.cash[company]
            help_ = f", {missing} K from the Director" if missing > 0 and forced(table, company) else ""
            old = [scrap for scrap in title.train_faces[face].scraps if scrap not in state.scrapped]
            return f"{face} for {price} K{help_}{f', scraps {listed(old)}' if old else ''}"
    return "from the pool or others"
