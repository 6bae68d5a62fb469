"""The steps of a turn in 18Mag, of minors and of majors, and what to expect of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ostbahn.titles.mag.modules.supporters_table import (
    DDSG,
    FEKETEHAZY,
    KANDO,
    MAV,
    SINA,
    half_price,
    supporters_file,
)
from ostbahn.titles.mag.state import LayTrack, MagTable
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.trains import trains_of
from ostbahn.titles.mag.words.cards import can_help
from ostbahn.views.common import plural
from ostbahn.views.title_views import Stage

TRACK: Final = Stage("Track", ("lay_track", "istvan_track", "istvan_promotes"))
STATION: Final = Stage("Station", ("establish_station", "istvan_station"))
SCRAP: Final = Stage("Scrap", ("scrap_trains", "istvan_scraps"))
RUN: Final = Stage("Run", ("operate_trains", "istvan_runs"))
TRAINS: Final = Stage("Trains", ("purchase_trains", "istvan_buys"))
MARKER: Final = Stage("Marker", ("place_marker",))
INCOME: Final = Stage("Income", ("pay_out",))

MINORS: Final = (TRACK, STATION, SCRAP, RUN, TRAINS)
"""VI.3.1/1"""
MAJORS: Final = (MARKER, INCOME)
"""VI.4.1/1"""


def stages_of(table: MagTable, company: str) -> tuple[Stage, ...]:
    return MINORS if company in table.title.minors else MAJORS


def expected(table: MagTable, company: str, stage: str) -> str:
    words: Mapping[str, Callable[[MagTable, str], str]] = {
        TRACK.name: _track,
        STATION.name: _station,
        SCRAP.name: _scrap,
        RUN.name: _run,
        TRAINS.name: _trains,
        MARKER.name: _station,
        INCOME.name: _income,
    }
    return words[stage](table, company)


def _track(table: MagTable, minor: str) -> str:
    """A tile, and one more for money (VI.3.2/1); terrain tokens cover the cost of terrain."""
    laid = next((task.laid for task in table.state.agenda if isinstance(task, LayTrack)), 0)
    extra = f"1 more for {table.title.services['extra_tile'].price} Ft"
    tokens = table.terrain_tokens(minor)
    words = [
        extra if laid else f"1 tile, {extra}",
        plural(tokens, "terrain token") if tokens else "",
        "Feketeházy can pay the terrain of one hex" if can_help(table, FEKETEHAZY, minor) else "",
        "Sina can promote one more" if can_help(table, SINA, minor) else "",
    ]
    return "; ".join(word for word in words if word)


def _station(table: MagTable, company: str) -> str:
    left = table.state.markers[company]
    what = "station" if company in table.title.minors else "marker"
    if not left:
        return f"no {what} left"
    price = next_price(table, company)
    helped = f", {half_price(price)} Ft with the DDSG" if can_help(table, DDSG, company) else ""
    return f"{price} Ft{helped}: {plural(left, what)} left"


def _scrap(table: MagTable, minor: str) -> str:
    trains, limit = trains_of(table, minor), table.title.minor.train_limit
    return "makes room for another train" if len(trains) == limit else "there is room for another train"


def _run(table: MagTable, minor: str) -> str:
    last = table.state.revenue.get(minor)
    before = f"; last run {last} Ft" if last is not None else ""
    town = "; Magyar Államvasutak: one more town" if can_help(table, MAV, minor) else ""
    return (", ".join(train.face for train in trains_of(table, minor)) or "no train to run") + before + town


def _trains(table: MagTable, minor: str) -> str:
    has, limit = len(trains_of(table, minor)), table.title.minor.train_limit
    prices = ", ".join(f"{face} for {stack.price}" for face, stack in table.title.stacks.items())
    helped = ", ".join(map(str, supporters_file().kando.values())) if can_help(table, KANDO, minor) else ""
    return f"{has} of {plural(limit, 'train')}; {prices} Ft{f', one with Kandó for {helped} Ft' if helped else ''}"


def _income(table: MagTable, major: str) -> str:
    return f"{table.state.cash[major]} Ft in the treasury"
