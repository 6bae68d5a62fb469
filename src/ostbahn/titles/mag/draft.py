"""The first Share Round: players draft minors and shares for free (18Mag V)."""

from __future__ import annotations

from collections.abc import Iterable

from ostbahn.kernel import money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.native import native
from ostbahn.kernel.records import TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import Decision, ListedStep
from ostbahn.titles.mag.actions import DraftMinor, DraftShare
from ostbahn.titles.mag.events import MinorUnused
from ostbahn.titles.mag.state import Draft, MagTable
from ostbahn.titles.mag.stations import place_from_charter
from ostbahn.titles.mag.stock import swap_for_director_share
from ostbahn.titles.mag.title import MagPlayersSpec


def draft_quota(table: MagTable) -> MagPlayersSpec:
    return table.title.players[len(table.state.players)]


def package_rule(table: MagTable) -> str:
    if table.title.draft_order == "snake":
        return "X/13"
    return "V/1" if draft_quota(table).package_shares == 1 else "V/2"


def drafter(table: MagTable, pick: int) -> str:
    """The player of a pick: every lap begins one player further left (V/4); two players alternate (X/14)."""
    order = table.state.order
    lap, place = divmod(pick, len(order))
    if table.title.draft_order == "snake":
        return order[place] if lap % 2 == 0 else order[-1 - place]
    return order[(lap + place) % len(order)]


def minors_of(table: MagTable, player: str) -> list[str]:
    return [minor for minor, owner in table.state.owners.items() if owner == player]


def drafted_share_count(table: MagTable, player: str) -> int:
    """Number of shares that a player has drafted; a director share counts as two."""
    return sum(money.holding(table, player, major) // money.share_unit(table, major) for major in table.title.companies)


class TakeMinor(ListedStep[MagTable, Draft, DraftMinor]):
    """Draft a minor, up to the maximum of table 5 (V/3, V/5)."""

    action = DraftMinor

    def candidates(self, table: MagTable, task: Draft) -> Iterable[DraftMinor]:
        return map(DraftMinor, table.title.minors)

    def refusal(self, table: MagTable, task: Draft, action: DraftMinor) -> Refusal | None:
        if action.minor not in table.title.minors:
            return table.refuse(package_rule(table), f"there is no minor {action.minor} in this game")
        owner = table.state.owners.get(action.minor)
        if owner is None:
            return table.refuse("M.3/5", f"minor {action.minor} was taken out of the game before the draft")
        if owner != BANK:
            return table.refuse("III.3.2/1", f"minor {action.minor} belongs to {table.name(owner)} already")
        player = drafter(table, task.pick)
        if len(minors_of(table, player)) >= draft_quota(table).minors:
            return table.refuse("V/6", f"{table.name(player)} has {draft_quota(table).minors} minors and takes no more")
        return None

    def perform(self, table: MagTable, task: Draft, action: DraftMinor) -> None:
        start_minor(table, action.minor, drafter(table, task.pick))
        end_pick(table, task)


def start_minor(table: MagTable, minor: str, owner: str) -> None:
    """Give a minor its owner, trains, money and stations, and place its home station (V/7)."""
    state, title = table.state, table.title
    state.owners = {**state.owners, minor: owner}
    pay(table, BANK, minor, title.minor.cash, "starting capital", "capital")
    for face in title.minor.trains:
        give_new_train(table, minor, face)
    home = title.minors[minor].home
    state.markers = {**state.markers, minor: title.minor.stations}
    place_from_charter(table, minor, city_id(home.hex, home.node))


def give_new_train(table: MagTable, minor: str, face: str) -> None:
    state = table.state
    number = state.cards.get(face, 0) + 1
    state.cards = {**state.cards, face: number}
    train = Train(f"{face}-{number}", face)
    table.give_train(minor, train)
    table.note(TrainMoved(train.card, face, "stack", minor))


class TakeShare(ListedStep[MagTable, Draft, DraftShare]):
    """Draft a 10% share from the package (V/3, V/5)."""

    action = DraftShare

    def candidates(self, table: MagTable, task: Draft) -> Iterable[DraftShare]:
        return map(DraftShare, table.title.companies)

    def refusal(self, table: MagTable, task: Draft, action: DraftShare) -> Refusal | None:
        if action.major not in table.title.companies:
            return table.refuse(package_rule(table), f"there is no major {action.major} in this game")
        if not table.state.package[action.major]:
            return table.refuse(package_rule(table), f"no share of {action.major} is left in the starting package")
        player = drafter(table, task.pick)
        if drafted_share_count(table, player) >= draft_quota(table).shares:
            return table.refuse("V/6", f"{table.name(player)} has {draft_quota(table).shares} shares and takes no more")
        return None

    def perform(self, table: MagTable, task: Draft, action: DraftShare) -> None:
        player, major = drafter(table, task.pick), action.major
        take_from_package(table, major, player)
        swap_for_director_share(table, major, player)
        end_pick(table, task)


def take_from_package(table: MagTable, major: str, player: str) -> None:
    package = table.state.package
    table.state.package = {**package, major: package[major] - 1}
    money.move_certificate(table, major, money.ordinary_certificates(table, BANK, major)[0], player)


@native(allow_interpreted_subclasses=True)
class DraftDecision(Decision[MagTable, Draft]):
    order_rule = "V/3"
    asks_for = "take a minor or a share"

    def decider(self, table: MagTable, task: Draft) -> str:
        return drafter(table, task.pick)


def end_pick(table: MagTable, task: Draft) -> None:
    """Begin the next pick; after the last, remove the remaining minors and shares (V/8, V/9)."""
    quota = draft_quota(table)
    if task.pick + 1 < len(table.state.players) * quota.picks:
        table.replace(Draft(task.pick + 1))
        return
    table.pop()
    state = table.state
    unused = [minor for minor, owner in state.owners.items() if owner == BANK]
    state.owners = {minor: owner for minor, owner in state.owners.items() if owner != BANK}
    state.package = {}
    # The PD card lies where the last turn of the draft began (A10); of two players the first one has it (A11).
    first = 0 if table.title.draft_order == "snake" else (quota.picks - 1) % len(state.order)
    state.priority = state.order[first]
    for minor in unused:
        table.note(MinorUnused(minor))
