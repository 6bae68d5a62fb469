"""The site's company names, and the steps of a turn in which it waits or moves on by itself."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.money import director
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.purchase import at_train_limit, must_buy_train, on_sale
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.stations import markers_left, next_price, station_cities
from ostbahn.titles.cz.title import RANKS
from ostbahn.titles.cz.track import unused_locals

SITE_COMPANIES: Final = {"Sx": "SX", "Pr": "PR", "By": "BY"}
"""Companies that the site writes in capitals."""
SHIFTED: Final = 1
"""The site numbers the columns of the map one higher than it is printed."""


def site_waits(table: CzTable, task: CompanyTask) -> bool:
    """Whether the site waits for the company here."""
    check = {
        tasks.EstablishStation: can_place_station,
        tasks.OperateTrains: can_run,
        tasks.Acquire: can_acquire,
        tasks.LayWaived: is_lingering,
    }.get(type(task))
    return check is None or check(table, task.company)


def can_place_station(table: CzTable, company: str) -> bool:
    """The step stays open while selling Local Railways could pay for a station."""
    if not markers_left(table, company):
        return False
    within_means = next_price(table, company) <= table.state.cash[company] + sale_proceeds(table, company)
    return within_means and next(station_cities(table, company), None) is not None


def sale_proceeds(table: CzTable, company: str) -> int:
    """Return the most that selling Local Railways can bring, including those bought from players for 1 K."""
    state = table.state
    owners = list(state.locals.values())
    others = sum(owner in state.players for owner in owners) if could_buy_local(table, company) else 0
    return owners.count(company) * state.local_price + others * (state.local_price - 1)


def can_run(table: CzTable, company: str) -> bool:
    """Whether the site asks for a run: some track leads from a station to another place."""
    if not runnable(table, company):
        return False
    board, surveyor = table.state.board, table.title.surveyor
    own = set(board.stations_of(company))
    return (
        any(next_door(table, city) for city in own)
        or any(place not in own for place in surveyor.reach(board, company).nodes)
        or any(track.start in own and track.end in own for track in surveyor.tracks(board))
    )


def next_door(table: CzTable, city: str) -> bool:
    """Whether track leads from a city straight to a place on a neighbouring hex."""
    hex_id, _, node = city.partition(".")
    here, board, tiles = table.title.map[hex_id], table.state.board, table.title.tile_set
    for side in sides_of(board.face(tiles, here).node_exits[int(node)]) if node else ():
        there = here.neighbours[side]
        if there is not None and board.face(tiles, there).node_at[opposite(side)]:
            return True
    return False


def can_acquire(table: CzTable, company: str) -> bool:
    """Whether the site asks: players have a smaller company, at any price."""
    smaller = [target for target in table.state.floated if RANKS[table.size(target)] < RANKS[table.size(company)]]
    return any(director(table, target) in table.state.players for target in smaller)


TurnedTrain = tuple[str, str]
"""A company, and a card that it turned after taking it over."""


def has_unsettled_trains(table: CzTable, task: tasks.SettleTrains, turned: Container[TurnedTrain]) -> bool:
    """Whether the site still asks about trains just taken over; it does not ask again about a turned one."""
    trains = table.state.trains[task.company]
    return any(train.card in task.cards and (task.company, train.card) not in turned for train in trains)


def can_buy_train(table: CzTable, company: str) -> bool:
    """Whether the site asks; it checks the cheapest bank face and 1 K for any company's train, of any size."""
    if at_train_limit(table, company):
        return must_buy_train(table, company)
    prices = [price for card in on_sale(table) for price in table.title.stack.spec[card[0]].faces.values()]
    prices += [1 for other, trains in table.state.trains.items() if trains and other != company]
    return must_buy_train(table, company) or table.state.cash[company] >= min(prices)


def is_lingering(table: CzTable, company: str) -> bool:
    """Whether the site keeps a company in the track step because a Local Railway could matter."""
    return could_buy_local(table, company) or bool(unused_locals(table, company))


def could_buy_local(table: CzTable, company: str) -> bool:
    """Whether the site expects a purchase of a Local Railway; it checks neither size nor price."""
    state = table.state
    return (
        table.phase_from(table.title.locals_open_in_phase)
        and state.cash[company] > 0
        and any(owner in state.players for owner in state.locals.values())
    )


def waits_for_locals(table: CzTable, company: str) -> bool:
    """Whether the site waits after the trains: the company could buy a Local Railway, or has one, used or not."""
    return could_buy_local(table, company) or company in table.state.locals.values()


def company_in_turn(table: CzTable, company: str) -> str:
    """Return the company in turn, even if another's split home is at issue."""
    turns = [task.company for task in table.state.agenda if isinstance(task, tasks.EndTurn)]
    return turns[-1] if turns else company
