"""What majors will earn, pay and be worth."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel import chart
from ostbahn.kernel.money import holding, share_unit
from ostbahn.titles.mag.opponents.horizon import rounds_after, rounds_ahead
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable


class Outlook(NamedTuple):
    """What one share is expected to bring until the end."""

    price: float
    dividends: float

    @property
    def worth(self) -> float:
        return self.price + self.dividends


def income(table: MagTable, major: str, weights: MagWeights, phase: str) -> float:
    """What a major is expected to get in an Operating Round of a phase."""
    title, spec = table.title, weights.income[phase]
    cars, services = title.rail_cars, title.services
    found = 0.0
    if cars.off_board.major == major:
        found += spec.off_board
    if cars.plus.major == major:
        found += spec.plus if not cars.one_of_them else 0.0
    if cars.mine is not None and cars.mine.major == major:
        found += spec.mine
    if services["terrain"].major == major:
        found += spec.terrain
    if services["station"].major == major:
        found += spec.building
    if "red_to_red" in services and services["red_to_red"].major == major:
        found += spec.red_to_red
    return (found + spec.trains * _trains_sold_by(table, major)) * len(table.state.owners)


def _trains_sold_by(table: MagTable, major: str) -> float:
    """The part of all stacks that a major sells."""
    sellers = [stack.seller for stack in table.title.stacks.values()]
    return sellers.count(major) / len(sellers)


def moves(table: MagTable, amount: float) -> float:
    """Spaces that the marker moves for a payout, made smooth: money saved in one round moves it in another."""
    low_amount, low = 0.0, float(table.title.payouts[0].spaces)
    for row, following in zip(table.title.payouts, table.title.payouts[1:], strict=False):
        high_amount = float((row.up_to or 0) + table.title.major.payout_step)
        if amount < high_amount:
            return low + (following.spaces - low) * (amount - low_amount) / (high_amount - low_amount)
        low_amount, low = high_amount, float(following.spaces)
    return low


def price_at(table: MagTable, space: float) -> float:
    """The price at a space, also between two of them."""
    prices = table.title.prices
    space = min(max(space, 0.0), len(prices) - 1.0)
    below = int(space)
    above = min(below + 1, len(prices) - 1)
    return prices[below] + (prices[above] - prices[below]) * (space - below)


def payouts_left(table: MagTable, rounds: float) -> float:
    """How often a major will still pay; the present Operating Round counts until the game is over."""
    in_round = bool(table.state.agenda) and table.state.round.startswith("OR")
    return rounds + (1.0 if in_round else 0.0)


def outlook(table: MagTable, major: str, weights: MagWeights, more: float = 0.0) -> Outlook:
    """The expected end of a major that has so much more in its treasury than now."""
    space = chart.position(table, major) or 0
    rounds = rounds_after(table, weights)
    times = payouts_left(table, rounds)
    treasury = table.state.cash[major] + more
    if times < 1:
        return Outlook(price_at(table, space), 0.0)
    total = treasury + future_income(table, major, weights)
    spaces = times * moves(table, total / times)
    if table.state.round.startswith("SR"):
        spaces += weights.shares.sold_out
    return Outlook(price_at(table, space + spaces), total / shares_there_are(table, major))


def future_income(table: MagTable, major: str, weights: MagWeights) -> float:
    """All that a major will get in the coming Operating Rounds, phase by phase."""
    ahead = rounds_ahead(table, weights)
    return sum(rounds * income(table, major, weights, phase) for phase, rounds in ahead.items())


def shares_there_are(table: MagTable, major: str) -> int:
    """Into how many parts a payout goes: ten, or five of CIWL's (VI.4.3/3, M.4/3)."""
    return 100 // share_unit(table, major)


def shares(table: MagTable, player: str, major: str) -> int:
    return holding(table, player, major) // share_unit(table, major)


def gift(table: MagTable, player: str, major: str, amount: float, weights: MagWeights) -> float:
    """What it is worth to a player that a major gets an amount: dividends, and the price that they move."""
    held = shares(table, player, major)
    if not held or not amount:
        return 0.0
    return held * (outlook(table, major, weights, amount).worth - outlook(table, major, weights).worth)
