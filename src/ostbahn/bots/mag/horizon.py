"""How long the game will last, and what a minor's money is worth until then."""

from __future__ import annotations

from ostbahn.bots.mag.weights import MagWeights
from ostbahn.titles.mag.state import MagTable, Rounds


def rounds_after(table: MagTable, weights: MagWeights) -> float:
    """Operating Rounds to come after the present one; in a Share Round all of them. Exact in the last set."""
    task = table.state.agenda[0] if table.state.agenda else None
    if not isinstance(task, Rounds):
        return 0.0
    if task.last:
        return float(task.length - task.round)
    phases = list(table.title.phases)
    now = phases.index(table.state.phase)
    final = float(table.title.phases[phases[-1]].operating_rounds)
    if table.phase.final:
        return final
    later = sum(weights.rounds.of(phase) for phase in phases[now + 1 : -1])
    return max(weights.rounds.least, _in_phase(table, task, weights)) + later + final


def _in_phase(table: MagTable, task: Rounds, weights: MagWeights) -> float:
    """How long the present phase is expected to go on; every token brings its end nearer."""
    expected = weights.rounds.of(table.state.phase)
    tokens = table.state.no_train / table.title.no_train_tokens
    if table.title.phases[table.state.phase].operating_rounds == 1:
        return expected - (task.turn - 1 if task.round else task.turn - 2)
    return expected * (1 - tokens) * (0.75 if task.round else 1.0)


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
