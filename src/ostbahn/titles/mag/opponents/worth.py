"""Estimates of the game's length, the value of money and majors, and the players' final wealth.

The final wealth is estimated without routes, as searching needs it often: a minor's earnings follow from its last
income, its trains and its treasury. So a lay counts only after a run on it, but a train as soon as it is bought.
"""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.titles.mag.modules.supporters_table import supporters_of
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import Draft, MagTable, OperateWithCars, OperatingRound, Rounds, SoloDraft


def rounds_ahead(table: MagTable, weights: MagWeights) -> dict[str, float]:
    """Expected Operating Rounds after the present one, by phase in order; exact in the last set.

    A phase ends at its usual time, but lasts a least time, which shrinks the later it begins. So an early phase hardly
    shortens the game, and a late one cannot delay its end for ever.
    """
    task = table.state.agenda[0] if table.state.agenda else None
    if not isinstance(task, Rounds):
        return {}
    names = list(table.title.phases)
    *early, final = names[names.index(table.state.phase) :]
    if task.last:
        return {final: float(task.length - task.round)}
    rounds = {}
    now = task.turn - 1 + (task.round / task.length if task.round else 0.0)  # the present Operating Round is over
    for phase in early:
        overdue = max(0.0, now - weights.turns.ends[phase])
        end = max(now + weights.turns.least / (1 + weights.turns.impatience * overdue), weights.turns.ends[phase])
        rounds[phase] = (end - now) * table.title.phases[phase].operating_rounds
        now = end
    return rounds | {final: float(table.title.phases[final].operating_rounds)}


def treasury_value(rounds: float, weights: MagWeights) -> float:
    """Value of 1 Ft in a minor's treasury to its owner, given the number of Operating Rounds to come."""
    spec = weights.treasury
    return min(spec.most, spec.unspent + spec.for_each_round * rounds)


def cash_value(table: MagTable, weights: MagWeights) -> float:
    """Final value of 1 Ft in a player's hand; in the last set shares can no longer be bought."""
    task = table.state.agenda[0] if table.state.agenda else None
    return 1.0 if isinstance(task, Rounds) and task.last else weights.cash[table.state.phase]


class Outlook(NamedTuple):
    """Expected final price and dividends of one share."""

    price: float
    dividends: float

    @property
    def worth(self) -> float:
        return self.price + self.dividends


def moves(table: MagTable, amount: float) -> float:
    """Price spaces of a payout, interpolated: money saved in one round moves the price in another."""
    low_amount, low = 0.0, float(table.title.payouts[0].spaces)
    for row, following in zip(table.title.payouts, table.title.payouts[1:], strict=False):
        high_amount = float((row.up_to or 0) + table.title.major.payout_step)
        if amount < high_amount:
            return low + (following.spaces - low) * (amount - low_amount) / (high_amount - low_amount)
        low_amount, low = high_amount, float(following.spaces)
    return low


def price_at(table: MagTable, space: float) -> float:
    """Price at a space, interpolated between two."""
    prices = table.title.prices
    space = min(max(space, 0.0), len(prices) - 1.0)
    below = int(space)
    above = min(below + 1, len(prices) - 1)
    return prices[below] + (prices[above] - prices[below]) * (space - below)


def number_of_shares(table: MagTable, major: str) -> int:
    """Shares of a major that divide a payout: ten, or five of CIWL (VI.4.3/3, M.4/3)."""
    return 100 // share_unit(table, major)


def shares(table: MagTable, player: str, major: str) -> int:
    return holding(table, player, major) // share_unit(table, major)


class MagBotView:
    """A bot's estimates for one table: rounds to come, and the value of money and companies."""

    def __init__(self, table: MagTable, weights: MagWeights) -> None:
        self.table, self.weights = table, weights
        self.state, self.title = table.state, table.title
        self.ahead = rounds_ahead(table, weights)
        self.rounds = sum(self.ahead.values())
        """Operating Rounds to come after the present one; in a Share Round all of them."""
        self.treasury = treasury_value(self.rounds, weights)
        self.cash = cash_value(table, weights)
        self.cash_later = 0.5 * (1.0 + self.cash)
        """Final value of 1 Ft in a player's hand, averaged over the rounds to come."""

    # Majors

    def income(self, major: str, phase: str) -> float:
        """Expected income of a major in an Operating Round of a phase."""
        title, spec = self.title, self.weights.income[phase]
        services = title.services
        cars = {"off_board": spec.off_board, "plus": 0.0 if title.one_rail_car else spec.plus, "mine": spec.mine}
        per_minor = sum((cars[car] for car, seller in title.rail_cars.items() if seller.major == major), 0.0)
        if services["terrain"].major == major:
            per_minor += spec.terrain
        if services["station"].major == major:
            per_minor += spec.building
        if "red_to_red" in services and services["red_to_red"].major == major:
            per_minor += spec.red_to_red
        sellers = [stack.seller for stack in title.stacks.values()]
        return (per_minor + spec.trains * (sellers.count(major) / len(sellers))) * len(self.state.owners)

    def outlook(self, major: str, extra: float = 0.0) -> Outlook:
        """Expected price and dividends of a share if the treasury held `extra` more."""
        table, round_ = self.table, self.state.round
        space = chart.position(table, major) or 0
        payouts = self.rounds + (1.0 if self.state.agenda and round_.startswith("OR") else 0.0)
        treasury = self.state.cash[major] + extra
        if payouts < 1:
            return Outlook(price_at(table, space), 0.0)
        total = treasury + sum(rounds * self.income(major, phase) for phase, rounds in self.ahead.items())
        spaces = payouts * moves(table, total / payouts)
        if round_.startswith("SR"):
            spaces += self.weights.shares.sold_out
        return Outlook(price_at(table, space + spaces), total / number_of_shares(table, major))

    def gift(self, player: str, major: str, amount: float) -> float:
        """Value to a player of a payment to a major, by the dividends and the price that they move."""
        held = shares(self.table, player, major)
        if not held or not amount:
            return 0.0
        return held * (self.outlook(major, amount).worth - self.outlook(major).worth)

    # Minors

    def runs_left(self, minor: str) -> float:
        """Expected runs of a minor, in the present Operating Round and after it."""
        runs_now = any(
            minor in task.minors if isinstance(task, OperatingRound) else task.company == minor
            for task in self.state.agenda
            if isinstance(task, OperatingRound | OperateWithCars)
        )
        return self.rounds + (1.0 if runs_now else 0.0)

    def earning(self, minor: str, runs: float) -> float:
        """Expected revenue of a run, averaged over those to come."""
        state = self.state
        spec = self.weights.earning[state.phase]
        stops = sum(self.title.train_faces[train.face].stops for train in self.table.trains_of(minor))
        last = state.revenue.get(minor, 0)
        revenue = (
            spec.base + spec.last * last + spec.stop * stops + spec.treasury * state.cash[minor] + spec.round * runs
        )
        return max(0.0, revenue)

    def _minor_worth(self, minor: str) -> float:
        """The owner's part of a minor's future revenue; its money and trains do not score (IX.2/2)."""
        runs = self.runs_left(minor)
        if runs <= 0:
            return 0.0
        numerator, denominator = self.title.minor.owner_part
        return self.earning(minor, runs) * runs * numerator / denominator

    # Players

    def estimate_final_wealth(self) -> dict[str, float]:
        """Cash, shares at their expected final price with dividends, and the owner's part of future runs."""
        table, state, draft = self.table, self.state, self.weights.draft
        share_worth = {major: self.outlook(major).worth for major in self.title.companies}
        wealth = {}
        for player in state.players:
            share_value = sum(shares(table, player, major) * worth for major, worth in share_worth.items())
            wealth[player] = state.cash[player] + share_value
            wealth[player] += sum(draft.supporters[card] for card in supporters_of(table, player))
        drafting = any(isinstance(task, Draft | SoloDraft) for task in state.agenda)
        for minor, owner in state.owners.items():
            if owner != BANK:
                wealth[owner] += draft.minors.get(minor, 0.0) if drafting else self._minor_worth(minor)
        return wealth


def estimate_final_wealth(table: MagTable, weights: MagWeights) -> dict[str, float]:
    return MagBotView(table, weights).estimate_final_wealth()
