"""The value of a position: what everybody is expected to have in the end.

It looks at no route, as searching asks for it again and again: what a minor will earn is judged by its last income,
its trains and its treasury. So a lay shows when the minor has run on it, and a train as soon as it is bought.
"""

from __future__ import annotations

from ostbahn.kernel.money import BANK
from ostbahn.titles.mag.modules.supporters_table import cards_of
from ostbahn.titles.mag.opponents.horizon import rounds_after
from ostbahn.titles.mag.opponents.majors import outlook, shares
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import Draft, MagTable, OperateTrains, OperatingRound, SoloDraft
from ostbahn.titles.mag.trains import trains_of


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
    stops = sum(table.title.train_faces[train.face].stops for train in trains_of(table, minor))
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
