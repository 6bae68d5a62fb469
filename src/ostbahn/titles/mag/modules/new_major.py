"""The module `new_major`: CIWL with its sleeping cars from one red area to another (18Mag M.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from ostbahn.kernel import chart, money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.records import DirectorChanged
from ostbahn.kernel.routes.network import TrainRoute
from ostbahn.kernel.steps import ListedStep
from ostbahn.kits.data import Spec
from ostbahn.titles.mag.actions import BuyDirectorShare
from ostbahn.titles.mag.majors import SLEEPING_CARS
from ostbahn.titles.mag.modules.module import MagModule, with_steps
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.running import RunTrainsStep
from ostbahn.titles.mag.state import MagTable, OperateWithCars, StockRound
from ostbahn.titles.mag.stock import end_turn_after_trade, limit_refusal, unknown_major_refusal
from ostbahn.titles.mag.title import Major, ServiceSpec, TitleData, load_data

RED_TO_RED: Final = "red_to_red"
"""The new major's service."""


class NewMajorFile(Spec, frozen=True):
    majors: Mapping[str, Major]
    red_to_red: Mapping[str, int]
    service: ServiceSpec


@cache
def new_major_file() -> NewMajorFile:
    return load_data("new_major.toml", NewMajorFile)


class RunWithSleepingCars(RunTrainsStep):
    """Run trains; the bank pays the new major the bonus of every train from red to red (M.4/9)."""

    def pay_third_parties(self, table: MagTable, routes: Sequence[TrainRoute]) -> None:
        major = table.title.services[RED_TO_RED].major
        for route in routes:
            pay(table, BANK, major, route.red_to_red, SLEEPING_CARS, "runs")


class BuyDirectorship(ListedStep[MagTable, StockRound, BuyDirectorShare]):
    """Exchange a share for the director share, paying the other half, once the bank has no ordinary one (M.4/7).

    By the ruling last_director_share a player may buy it like any other share instead, at its full price.
    """

    action = BuyDirectorShare

    def candidates(self, table: MagTable, task: StockRound) -> Iterable[BuyDirectorShare]:
        return map(BuyDirectorShare, table.title.companies)

    def refusal(self, table: MagTable, task: StockRound, action: BuyDirectorShare) -> Refusal | None:
        major, player = action.major, task.player
        if refusal := unknown_major_refusal(table, major):
            return refusal
        if owner := money.director(table, major):
            return table.refuse("M.4/6", f"{table.name(owner)} has the director share of {major}")
        if money.ordinary_certificates(table, BANK, major):
            return table.refuse("M.4/6", f"the director share of {major} comes by exchange for two others")
        if (player, major) in task.bans:
            return table.refuse("VII.5/2", f"{table.name(player)} sold {major} in this share round")
        if is_sold_whole(table):
            if refusal := limit_refusal(table, player, major, table.title.companies[major].certificates[0]):
                return refusal
        elif not money.ordinary_certificates(table, player, major):
            return table.refuse("M.4/7", f"{table.name(player)} has no share of {major} to give in")
        purchase = "the director share" if is_sold_whole(table) else "the other half"
        return table.cannot_afford("M.4/7", player, director_share_price(table, major), purchase)

    def perform(self, table: MagTable, task: StockRound, action: BuyDirectorShare) -> None:
        major, player = action.major, task.player
        pay(table, player, BANK, director_share_price(table, major), f"director share of {major}", "shares")
        if not is_sold_whole(table):
            money.move_certificate(table, major, money.ordinary_certificates(table, player, major)[0], BANK)
        money.move_certificate(table, major, 0, player)
        table.note(DirectorChanged(major, BANK, player))
        end_turn_after_trade(table, task)


def is_sold_whole(table: MagTable) -> bool:
    return table.ruled("last_director_share") == "sold at the price of the whole"


def director_share_price(table: MagTable, major: str) -> int:
    """Price of the director share, less the share that the buyer exchanges."""
    shares = table.title.companies[major].certificates[0] // money.share_unit(table, major)
    return chart.price(table, major) * (shares if is_sold_whole(table) else shares - 1)


class NewMajorModule(MagModule):
    def title_data(self, data: TitleData) -> TitleData:
        """Add CIWL, whose shares are 20 % each: the chart shows the price of a fifth (M.4/1 to M.4/3)."""
        module_file = new_major_file()
        companies, trains = data.companies, data.trains
        phases = {name: replace(spec, red_to_red=module_file.red_to_red[name]) for name, spec in trains.phases.items()}
        return data._replace(
            companies=replace(
                companies,
                majors={**companies.majors, **module_file.majors},
                services={**companies.services, RED_TO_RED: module_file.service},
            ),
            trains=replace(trains, phases=phases),
            game=replace(data.game, majors=(*data.game.majors, *module_file.majors)),
        )

    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        return {
            **handlers,
            StockRound: with_steps(handlers[StockRound], BuyDirectorship()),
            OperateWithCars: with_steps(handlers[OperateWithCars], RunWithSleepingCars()),
        }
