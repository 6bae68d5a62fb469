"""What everybody will be worth at the end: the value of a table."""

from __future__ import annotations

from ostbahn.kernel.money import director, holding
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.reckoning import wealth
from ostbahn.titles.cz.state import CzTable


def projected(table: CzTable, weights: CzWeights) -> dict[str, float]:
    """The final wealth of every player as it can be foreseen: holdings with their dividends, cash well invested."""
    return worth_of(View(table, weights))


def worth_of(view: View) -> dict[str, float]:
    table = view.table
    state = table.state
    if not state.agenda:
        return {player: float(wealth(table, player)) for player in state.players}
    found = {player: state.cash[player] * view.calendar.cash_now for player in state.players}
    for player in state.players:
        debt, penalty = state.debts.get(player, 0), state.penalties.get(player, 0)
        found[player] -= debt * view.calendar.cash_now + penalty
    _add_shares(view, found)
    _add_locals(view, found)
    return found


def _add_shares(view: View, found: dict[str, float]) -> None:
    table = view.table
    for company in table.state.start_prices:
        unit = table.title.companies[company].certificates[-1]
        prospect = view.prospect(company)
        for player in table.state.players:
            percent = holding(table, player, company)
            if percent:
                found[player] += percent // unit * view.share(company, player)
        head = director(table, company)
        if head in found:
            found[head] -= prospect.levies


def _add_locals(view: View, found: dict[str, float]) -> None:
    """A Local Railway earns until the end, or is sold to a company before: the better for its owner."""
    table = view.table
    for local, owner in table.state.locals.items():
        if owner in found:
            found[owner] += local_worth(view, local)


def local_worth(view: View, local: str) -> float:
    """What a Local Railway in a player's hand becomes until the end."""
    table, calendar = view.table, view.calendar
    spec = table.title.locals[local]
    rounds = range(calendar.rounds_before, calendar.rounds_before + calendar.rounds_ahead)
    prices = [box for box in table.title.boxes if isinstance(box, int)]
    income, most = 0.0, 0.0
    for number in rounds:
        income += spec.income * calendar.cash_after(number - 1)
        if spec.priced and table.phase_from(table.title.locals_open_in_phase):
            most = max(most, income + prices[number] * calendar.cash_after(number))
    return max(most, income + (prices[-1] if spec.priced else 0))
