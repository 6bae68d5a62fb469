"""Share Rounds: buying and selling shares, directors, prices and turns (18Mag VII, VIII)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ostbahn.eighteen.stock import (
    buy_share,
    change_director_if_outdone,
    move_price,
    next_turn,
    player_to_left,
    raise_sold_out,
    sell_shares,
    with_sale,
)
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, director, holding, holdings, share_unit
from ostbahn.kernel.records import DirectorChanged
from ostbahn.kernel.steps import ListedStep, PlainStep
from ostbahn.titles.mag.actions import BuyShare, SellShares
from ostbahn.titles.mag.state import MagTable, StockRound


def move_for_payout(table: MagTable, major: str, amount: int) -> None:
    """Move the price by table 8, according to the total dividend (VI.4.3/4)."""
    move_price(table, major, payout_spaces(table, amount), "dividend" if amount else "no dividend")


def payout_spaces(table: MagTable, amount: int) -> int:
    return next(row.spaces for row in table.title.payouts if row.up_to is None or amount <= row.up_to)


# Turns in a Share Round, and the PD card


def end_turn_after_trade(table: MagTable, task: StockRound) -> None:
    """End a turn with a sale or purchase, which resets the count of passes (VII.2/1)."""
    _begin_turn_or_end_round(table, next_turn(table, replace(task, last=task.player), passed=False))


def end_turn_by_pass(table: MagTable, task: StockRound) -> None:
    """End a turn with a pass; as many in a row as there are players end the round (VII.2/1)."""
    _begin_turn_or_end_round(table, next_turn(table, task, passed=True), task.last)


def _begin_turn_or_end_round(table: MagTable, following: StockRound | None, last: str | None = None) -> None:
    """Begin the following turn. Without one the round ends: the left neighbour of the last player who acted gets
    the PD card (VII.2/2), and prices of sold-out majors rise, the highest first (VIII.3/2)."""
    if following is not None:
        table.replace(table.stock_turn(following))
        return
    table.pop()
    if last is not None:
        table.state.priority = player_to_left(table, last)
    raise_sold_out(table, table.title.chart.sold_out)


# Purchase and sale of shares, and directors


def swap_for_director_share(table: MagTable, major: str, player: str) -> None:
    """Swap a player's two 10% shares for the director share if the bank has it (III.3.3/3, V/10)."""
    own = money.ordinary_certificates(table, player, major)
    if director(table, major) is not None or len(own) < 2:
        return
    for number in own[:2]:
        money.move_certificate(table, major, number, BANK)
    money.move_certificate(table, major, 0, player)
    table.note(DirectorChanged(major, BANK, player))


def unknown_major_refusal(table: MagTable, major: str) -> Refusal | None:
    if major in table.title.companies:
        return None
    return table.refuse("III.3.3/3", f"there is no major {major}; shares are those of majors")


def limit_refusal(table: MagTable, player: str, major: str, percent: int) -> Refusal | None:
    """Why a player may not take one more certificate of a major (VII.3)."""
    if money.count_certificates(table, player) >= table.certificate_limit:
        return table.refuse("VII.3/1", f"{table.name(player)} has {table.certificate_limit} certificates, the limit")
    limit = table.title.major.holding_limit
    if holding(table, player, major) + percent > limit:
        return table.refuse("VII.3/3", f"nobody may hold more than {limit}% of {major}")
    return None


def buy_share_and_end_turn(table: MagTable, task: StockRound, major: str) -> None:
    buy_share(table, task.player, major)
    swap_for_director_share(table, major, task.player)
    change_director_if_outdone(table, major)
    end_turn_after_trade(table, task)


class BuyFromCharter(ListedStep[MagTable, StockRound, BuyShare]):
    """Buy a 10% share from a major's charter at the current price (VII.1/2, VII.5/1)."""

    action = BuyShare

    def candidates(self, table: MagTable, task: StockRound) -> Iterable[BuyShare]:
        return map(BuyShare, table.title.companies)

    def refusal(self, table: MagTable, task: StockRound, action: BuyShare) -> Refusal | None:
        major, player = action.major, task.player
        if refusal := unknown_major_refusal(table, major):
            return refusal
        if not money.ordinary_certificates(table, BANK, major):
            return table.refuse("VII.5/1", f"no share of {major} is left on its charter")
        if (player, major) in task.bans:
            return table.refuse("VII.5/2", f"{table.name(player)} sold {major} in this share round")
        if refusal := limit_refusal(table, player, major, share_unit(table, major)):
            return refusal
        return table.cannot_afford("VII.5/1", player, chart.price(table, major), f"a share of {major}")

    def perform(self, table: MagTable, task: StockRound, action: BuyShare) -> None:
        buy_share_and_end_turn(table, task, action.major)


class SellSharesStep(ListedStep[MagTable, StockRound, SellShares]):
    """Sell any number of shares, each major once in a turn (VII.1/3, S.4/1)."""

    action = SellShares

    def candidates(self, table: MagTable, task: StockRound) -> Iterable[SellShares]:
        for major in table.title.companies:
            unit = share_unit(table, major)
            for percent in range(unit, holding(table, task.player, major) + 1, unit):
                yield SellShares(major, percent)

    def refusal(self, table: MagTable, task: StockRound, action: SellShares) -> Refusal | None:
        major, player = action.major, task.player
        if refusal := unknown_major_refusal(table, major):
            return refusal
        unit, held = share_unit(table, major), holding(table, player, major)
        if action.percent <= 0 or action.percent % unit:
            return table.refuse("III.3.3/3", f"shares are sold in steps of {unit}%")
        if action.percent > held:
            return table.refuse("VII.1/3", f"{table.name(player)} holds only {held}% of {major}")
        if major in task.sold:
            return table.refuse("S.4/1", f"{table.name(player)} has sold {major} in this turn already")
        return self._director_share_refusal(table, major, player, held - action.percent)

    def _director_share_refusal(self, table: MagTable, major: str, player: str, percent_left: int) -> Refusal | None:
        """A director keeps the director share unless another player can take it over (VII.4/2, VII.4/3, VII.6/3)."""
        needed = table.title.companies[major].certificates[0]
        if director(table, major) != player or percent_left >= needed:
            return None
        others = (percent for other, percent in holdings(table, major).items() if other != player)
        if any(percent >= needed and percent > percent_left for percent in others):
            return None
        return table.refuse(
            "VII.4/2", f"the director share of {major} cannot be sold, and nobody else holds {needed}% to take it over"
        )

    def perform(self, table: MagTable, task: StockRound, action: SellShares) -> None:
        """Sell the shares; the price falls once, regardless of their number (VII.4/7, VIII.3/1)."""
        sell_shares(table, task.player, action.major, action.percent)
        move_price(table, action.major, table.title.chart.sale, "sale")
        table.replace(replace(with_sale(task, action.major), last=task.player))


class LeaveStockTurn(PlainStep[MagTable, StockRound, Pass]):
    """End the turn; without a sale this is a pass (VII.1/3, VII.1/4)."""

    action = Pass

    def refusal(self, table: MagTable, task: StockRound, action: Pass) -> Refusal | None:
        """A player above the limit after a swap of director shares must sell down first (VII.3/1)."""
        held, limit = money.count_certificates(table, task.player), table.certificate_limit
        if held > limit and next(SellSharesStep().answers(table, task), None) is not None:
            return table.refuse(
                "VII.3/1", f"{table.name(task.player)} has {held} certificates and must sell down to {limit} first"
            )
        return None

    def perform(self, table: MagTable, task: StockRound, action: Pass) -> None:
        if task.sold:
            end_turn_after_trade(table, task)
        else:
            end_turn_by_pass(table, task)
