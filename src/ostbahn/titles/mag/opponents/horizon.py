"""How long the game will last, and what a minor's money is worth until then."""

from __future__ import annotations

from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable, Rounds


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
