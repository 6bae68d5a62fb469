"""The module `supporters`: six drafted cards that help their owners' minors (18Mag M.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import ListedStep, PlainStep
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.draft import DraftDecision, draft_quota, drafter, end_pick
from ostbahn.titles.mag.modules import supporters_track as track
from ostbahn.titles.mag.modules.module import MagModule, with_players, with_steps
from ostbahn.titles.mag.modules.supporters_table import (
    DDSG,
    KANDO,
    MAV,
    ROTHSCHILD,
    LongerTrain,
    SupportersState,
    SupportersTable,
    as_supporters_table,
    ddsg_price,
    supporters_file,
    supporters_of,
)
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.stations import PlaceStationStep, next_price
from ostbahn.titles.mag.title import MagTitle, TitleData
from ostbahn.titles.mag.trains import BuyFromStack

# The first Share Round


class TakeSupporter(ListedStep[SupportersTable, tasks.Draft, mag.DraftSupporter]):
    """Draft a supporter instead of a minor or share (M.5/1)."""

    action = mag.DraftSupporter

    def candidates(self, table: SupportersTable, task: tasks.Draft) -> Iterable[mag.DraftSupporter]:
        return map(mag.DraftSupporter, table.title.supporters)

    def refusal(self, table: SupportersTable, task: tasks.Draft, action: mag.DraftSupporter) -> Refusal | None:
        owner = table.state.supporters.get(action.supporter)
        if owner is None:
            return table.refuse("M.5/1", f"there is no supporter {action.supporter}")
        if owner != BANK:
            name = table.title.supporters[action.supporter].short
            return table.refuse("M.5/1", f"{table.name(owner)} has the card of {name} already")
        player, number = drafter(table, task.pick), draft_quota(table).supporters
        if len(supporters_of(table, player)) >= number:
            return table.refuse("M.5/1", f"{table.name(player)} has {number} of the supporters and takes no more")
        return None

    def perform(self, table: SupportersTable, task: tasks.Draft, action: mag.DraftSupporter) -> None:
        state = table.state
        state.supporters = {**state.supporters, action.supporter: drafter(table, task.pick)}
        end_pick(table, task)


class DraftSupportersDecision(DraftDecision):
    asks_for = "take a minor, a share or a supporter"


# In a minor's turn


class TakeRothschildGift(PlainStep[SupportersTable, tasks.CompanyTask, mag.TakeFromRothschild]):
    """Take Rothschild's gift from the bank, at any time of the turn (M.5/5)."""

    action = mag.TakeFromRothschild

    def refusal(
        self, table: SupportersTable, task: tasks.CompanyTask, action: mag.TakeFromRothschild
    ) -> Refusal | None:
        return table.help_refusal(ROTHSCHILD, task.company)

    def perform(self, table: SupportersTable, task: tasks.CompanyTask, action: mag.TakeFromRothschild) -> None:
        table.mark_used(ROTHSCHILD, task.company)
        pay(table, BANK, task.company, supporters_file().rothschild_gift, "gift of Rothschild", "incomes")


class AddTownStep(ListedStep[SupportersTable, tasks.CompanyTask, mag.AddTown]):
    """Name a train that may visit one more town in the run of this turn (M.5/8, M.5/9)."""

    action = mag.AddTown

    def candidates(self, table: SupportersTable, task: tasks.CompanyTask) -> Iterable[mag.AddTown]:
        return (mag.AddTown(train.card) for train in table.trains_of(task.company))

    def refusal(self, table: SupportersTable, task: tasks.CompanyTask, action: mag.AddTown) -> Refusal | None:
        if refusal := table.help_refusal(MAV, task.company):
            return refusal
        if action.card not in (train.card for train in table.trains_of(task.company)):
            return table.refuse("M.5/8", f"minor {task.company} has no such train")
        if isinstance(task, tasks.OperateWithCars) and task.cars and table.ruled("unused_rail_car") == "refused":
            return table.refuse("M.5/8", "the train is named before rail cars are bought for it, which must be of use")
        return None

    def perform(self, table: SupportersTable, task: tasks.CompanyTask, action: mag.AddTown) -> None:
        table.mark_used(MAV, task.company)
        table.state.longer = LongerTrain(action.card, supporters_file().mav_towns)


class PlaceWithDdsg(PlaceStationStep):
    """Place the station of the turn for half its price, of which SzKÉV gets its part (M.5/7)."""

    action = mag.PlaceByDdsg

    def answers(self, table: MagTable, task: tasks.EstablishStation) -> Iterator[Option]:
        if as_supporters_table(table).help_refusal(DDSG, task.company) is None:
            yield from super().answers(table, task)

    def refusal(self, table: MagTable, task: tasks.EstablishStation, action: mag.PlaceStation) -> Refusal | None:
        return as_supporters_table(table).help_refusal(DDSG, task.company) or super().refusal(table, task, action)

    def perform(self, table: MagTable, task: tasks.EstablishStation, action: mag.PlaceStation) -> None:
        as_supporters_table(table).mark_used(DDSG, task.company)
        super().perform(table, task, action)

    def price(self, table: MagTable, minor: str) -> int:
        return ddsg_price(next_price(table, minor))


class BuyWithKando(BuyFromStack):
    """Buy at a lower price; the seller still gets half of the full one from the bank (M.5/3)."""

    action = mag.BuyByKando

    def refusal(self, table: MagTable, task: tasks.PurchaseTrains, action: mag.BuyTrain) -> Refusal | None:
        return as_supporters_table(table).help_refusal(KANDO, task.company) or super().refusal(table, task, action)

    def perform(self, table: MagTable, task: tasks.PurchaseTrains, action: mag.BuyTrain) -> None:
        as_supporters_table(table).mark_used(KANDO, task.company)
        super().perform(table, task, action)

    def price(self, table: MagTable, face: str) -> int:
        return supporters_file().kando[face]


class SupportersModule(MagModule):
    table = SupportersTable

    def title_data(self, data: TitleData) -> TitleData:
        cards = supporters_file()
        players = with_players(data.game.players, "supporters", cards.quota)
        return data._replace(game=replace(data.game, players=players, supporters=cards.cards))

    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        gift, town = TakeRothschildGift(), AddTownStep()
        lay_steps = (track.LayTileAndRecord(), track.LayWithFeketehazy(), track.PromoteWithSina())
        laying = with_steps(handlers[tasks.LayTrack], *lay_steps, gift, town)
        return {
            **handlers,
            tasks.Draft: DraftSupportersDecision(*with_steps(handlers[tasks.Draft], TakeSupporter()).steps),
            tasks.LayTrack: track.LaySupportedTrackDecision(laying.asks_for, laying.order_rule, *laying.steps),
            tasks.EstablishStation: with_steps(handlers[tasks.EstablishStation], PlaceWithDdsg(), gift, town),
            tasks.ScrapTrains: with_steps(handlers[tasks.ScrapTrains], gift, town),
            tasks.OperateWithCars: with_steps(handlers[tasks.OperateWithCars], gift, town),
            tasks.PurchaseTrains: with_steps(handlers[tasks.PurchaseTrains], BuyWithKando(), gift),
            tasks.EndTurn: track.FinishSupportedTurn(),
        }

    def opening_state(self, title: MagTitle, opening: MagState) -> MagState:
        fields = {name: getattr(opening, name) for name in opening.__struct_fields__}
        return SupportersState(**fields, supporters=dict.fromkeys(title.supporters, BANK), used={})
