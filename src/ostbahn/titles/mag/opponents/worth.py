"""How long the game will last, what money and majors will be worth, and what everybody is expected to have in the end.

The value of a position looks at no route, as searching asks for it again and again: what a minor will earn is judged by
its last income, its trains and its treasury. So a lay shows when the minor has run on it, and a train as soon as it is
bought.
"""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.titles.mag.modules.supporters_table import cards_of
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import Draft, MagTable, OperateTrains, OperatingRound, Rounds, SoloDraft


def rounds_after(table: MagTable, weights: MagWeights) -> float:
    """Operating Rounds to come after the present one; in a Share Round all of them."""
    return sum(rounds_ahead(table, weights).values())


def rounds_ahead(table: MagTable, weights: MagWeights) -> dict[str, float]:
    """The same phase by phase, the last phase last. Exact in the last set.

    A phase is expected to end at a certain time of the game and not so long after its beginning: who begins the next
    one early does not thereby bring the end so much nearer, and who never begins it cannot put the end off for ever.
    """
    task = table.state.agenda[0] if table.state.agenda else None
    if not isinstance(task, Rounds):
        return {}
    names = list(table.title.phases)
    *early, final = names[names.index(table.state.phase) :]
    if task.last:
        return {final: float(task.length - task.round)}
    found, now = {}, _turns_over(task)
    for phase in early:
        overdue = max(0.0, now - weights.turns.ends[phase])
        end = max(now + weights.turns.least / (1 + weights.turns.impatience * overdue), weights.turns.ends[phase])
        found[phase] = (end - now) * table.title.phases[phase].operating_rounds
        now = end
    return found | {final: float(table.title.phases[final].operating_rounds)}


def _turns_over(task: Rounds) -> float:
    """Share Rounds with their Operating Rounds until now, the present Operating Round counted as over."""
    return task.turn - 1 + (task.round / task.length if task.round else 0.0)


def treasury_value(rounds: float, weights: MagWeights) -> float:
    """What a forint in a minor's treasury is worth to its owner with so many Operating Rounds to come."""
    spec = weights.treasury
    return min(spec.most, spec.unspent + spec.for_each_round * rounds)


def cash_value(table: MagTable, weights: MagWeights) -> float:
    """What a forint in a player's hand becomes; in the last set no share can be bought any more."""
    task = table.state.agenda[0] if table.state.agenda else None
    if isinstance(task, Rounds) and task.last:
        return 1.0
    return weights.cash[table.state.phase]


def cash_value_later(table: MagTable, weights: MagWeights) -> float:
    """The same, on the average of all rounds to come."""
    return 0.5 * (1.0 + cash_value(table, weights))


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


def projected(table: MagTable, weights: MagWeights) -> dict[str, float]:
    """Cash, shares at their expected last price with their dividends, and the owner's part of all runs to come."""
    each_share = {major: outlook(table, major, weights).worth for major in table.title.companies}
    found = {}
    for player in table.state.players:
        held = sum(shares(table, player, major) * worth for major, worth in each_share.items())
        found[player] = table.state.cash[player] + held
        found[player] += sum(weights.draft.supporters[card] for card in cards_of(table, player))
    drafting = any(isinstance(task, Draft | SoloDraft) for task in table.state.agenda)
    for minor, owner in table.state.owners.items():
        if owner != BANK:
            found[owner] += weights.draft.minors.get(minor, 0.0) if drafting else minor_worth(table, minor, weights)
    return found


def minor_worth(table: MagTable, minor: str, weights: MagWeights) -> float:
    """The owner's part of what a minor will earn; its money and trains count for nothing else (IX.2/2)."""
    runs = runs_left(table, minor, weights)
    if runs <= 0:
        return 0.0
    numerator, denominator = table.title.minor.owner_part
    return earning(table, minor, weights, runs) * runs * numerator / denominator


def earning(table: MagTable, minor: str, weights: MagWeights, runs: float) -> float:
    """Expected revenue of a run, on the average of those to come."""
    state = table.state
    spec = weights.earning[state.phase]
    stops = sum(table.title.train_faces[train.face].stops for train in table.trains_of(minor))
    last = state.revenue.get(minor, 0)
    found = spec.base + spec.last * last + spec.stop * stops + spec.treasury * state.cash[minor] + spec.round * runs
    return max(0.0, found)


def runs_left(table: MagTable, minor: str, weights: MagWeights) -> float:
    """How often a minor will still run, in the present Operating Round and after it."""
    return rounds_after(table, weights) + (1.0 if _runs_now(table, minor) else 0.0)


def _runs_now(table: MagTable, minor: str) -> bool:
    """Whether a minor's run of the present Operating Round is still to come."""
    for task in table.state.agenda:
        if isinstance(task, OperatingRound) and minor in task.minors:
            return True
        if isinstance(task, OperateTrains) and task.company == minor:
            return True
    return False
