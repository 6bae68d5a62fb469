"""Values of companies, shares and whole tables to players, now or after an action."""

from __future__ import annotations

from collections.abc import Sequence

from ostbahn.bots.playing import trial_game
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holding, share_unit
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.opponents.calendar import Calendar
from ostbahn.titles.cz.opponents.course import GameRollout, Prospect, ProspectInput, nominal, prospect_of
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.running import best_of, runnable
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stock import FLOATS_AT
from ostbahn.titles.cz.words.text_renderer import cz_table

NOTHING = Prospect(dividends=0, price=0, levies=0, treasury=0, next_revenue=0, due=0)


class CzBotView:
    """A table with its calendar and the cached prospects of its companies."""

    def __init__(
        self, table: CzTable, weights: CzWeights, done: str | None = None, rehearsal: GameRollout | None = None
    ) -> None:
        self.table, self.weights = table, weights
        self.done = done
        """A company that is assumed to buy nothing more in its turn."""
        self.rehearsal = rehearsal
        """A rollout of the rest of the game; it takes precedence over prospects."""
        self.calendar = Calendar(table, weights)
        self._prospects: dict[str, Prospect] = {}

    def prospect(self, company: str) -> Prospect:
        if company not in self._prospects:
            self._prospects[company] = self._forecast(company)
        return self._prospects[company]

    def share(self, company: str, player: str) -> float:
        """Return the final value of one share to a player, dividends included."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.share(company, self.calendar)
        prospect = self.prospect(company)
        trust = 1.0 if director(self.table, company) == player else self.weights.shares.others_company
        return (prospect.dividends * share_unit(self.table, company) / 100 + prospect.price) * trust

    def levies(self, company: str, player: str) -> float:
        """Return the final value of what a player must add for trains of a company."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.levied(player, company, self.calendar) * self.weights.dealing.levy
        return self.prospect(company).levies if director(self.table, company) == player else 0.0

    def burden(self, company: str, player: str, percent: int) -> float:
        """Return what a holder of this percentage may have to add for trains: others can dump the company on them."""
        if percent < self.table.title.companies[company].certificates[0]:
            return 0.0
        own, current = self.levies(company, player), director(self.table, company)
        if current is None or current == player:
            return own
        return max(own, self.levies(company, current) * self.weights.dealing.left_alone)

    def due(self, player: str) -> float:
        """Return what a player must add for trains before the next Stock Round."""
        rollout = self.rehearsal
        own = [company for company in self.table.state.floated if director(self.table, company) == player]
        forecast = [company for company in own if rollout is None or not rollout.knows(company)]
        return sum(self.prospect(company).due for company in forecast) + (rollout.due(player) if rollout else 0)

    def _forecast(self, company: str) -> Prospect:
        state = self.table.state
        space = chart.position(self.table, company)
        if space is None:
            return NOTHING
        if company in state.floated:
            return Foresight(self, company, space=space).prospect()
        prospect = Foresight(self, company, cash=capital(self.table, company), space=space).prospect()
        if can_float(self.table, company):
            return prospect
        discount = self.weights.shares.unfloated
        price = self.table.title.prices[space]
        return prospect._replace(dividends=prospect.dividends * discount, price=round(min(price, prospect.price)))


def capital(table: CzTable, company: str) -> int:
    return table.title.companies[company].spec.capital * table.state.start_prices[company]


def can_float(table: CzTable, company: str) -> bool:
    """Whether the Director can pay for all shares that the company needs to float."""
    player = director(table, company)
    price = shares_to_float(table, company) * chart.price(table, company)
    return player is not None and table.state.cash.get(player, 0) >= price


def shares_to_float(table: CzTable, company: str) -> int:
    """Return how many more shares players must hold; 0 or less when the company can float."""
    held = sum(holding(table, player, company) for player in table.state.players)
    return -(-(FLOATS_AT - held) // share_unit(table, company))


class Foresight:
    """The inputs of one company's prospect, and what trains are worth to it."""

    def __init__(
        self,
        view: CzBotView,
        company: str,
        *,
        cash: int | None = None,
        space: int | None = None,
        trains: Sequence[Train] | None = None,
    ) -> None:
        table = view.table
        self.table, self.company = table, company
        self.calendar, self.weights = view.calendar, view.weights
        self.ahead = view.calendar.ahead
        self.size = table.size(company)
        own = runnable(table, company) if trains is None else trains
        self.faces = tuple(train.face for train in own)
        self.runs = self.calendar.runs(company)
        self.measured = self._measure()
        self.quality = self._track_quality()
        locals_held = [*table.state.locals.values()].count(company)
        position = chart.position(table, company) if space is None else space
        self.outset = ProspectInput(
            ahead=self.ahead,
            company=company,
            cash=(table.state.cash[company] if cash is None else cash) + table.state.local_price * locals_held,
            space=position or 0,
            faces=self.faces,
            measured=self.measured,
            quality=self.quality,
            runs=self.runs,
            buys_now=company != view.done and self.calendar.only_buys(company),
        )

    def prospect(self) -> Prospect:
        return prospect_of(self.outset)

    def pays(self, face: str) -> bool:
        """Whether one more train of a face would repay its price from the next run on."""
        price = dict(self.ahead.for_sale(self.calendar.rounds_before - 1, self.size)).get(face)
        runs_left = sum(self.ahead.lives(face, number) for number in self.runs)
        added = nominal(self.weights, [*self.faces, face]) - nominal(self.weights, self.faces)
        return price is not None and added * self.quality * runs_left >= price

    def earned_by(self, face: str) -> float:
        """Return what the company would lose without one train of a face."""
        if face not in self.faces:
            return 0.0
        others = list(self.faces)
        others.remove(face)
        lost = nominal(self.weights, self.faces) - nominal(self.weights, others)
        return lost * self.quality * sum(self.ahead.lives(face, number) for number in self.runs)

    def _measure(self) -> float | None:
        """Return the best run now, or the last revenue of companies that are not in turn."""
        table, company = self.table, self.company
        if company not in table.state.operated or not self.faces:
            return None
        if self.calendar.stock_round or company == self.calendar.in_turn or not table.state.revenue.get(company):
            return best_with(table, company, self.faces)
        return table.state.revenue[company]

    def _track_quality(self) -> float:
        """Rate its track by the revenue of its trains, or of one that it has or could buy, relative to the typical."""
        if self.company not in self.table.state.operated:
            return 1.0
        low, high = self.weights.trains.quality
        weight = self.weights.trains.measured
        if self.measured is not None and (len(self.faces) == 1 or self.company != self.calendar.in_turn):
            measured = self.measured / nominal(self.weights, self.faces)
        else:
            offers = self.ahead.for_sale(self.calendar.rounds_before, self.size)
            faces = self.faces or [face for face, _ in offers]
            if not faces:
                return 1.0
            typical = self.weights.trains.typical
            face = max(faces, key=lambda name: typical[name])
            measured = best_with(self.table, self.company, [face]) / typical[face]
        return max(low, min(high, measured * weight + 1 - weight))


def on_sale(table: CzTable, company: str) -> dict[str, int]:
    """Return the next card's unscrapped faces of the company's size, with prices."""
    title, size = table.title, table.size(company)
    faces = title.stack.spec[title.stack.card(table.state.cards_gone)[0]].faces.items()
    return {
        face: price
        for face, price in faces
        if title.train_faces[face].size == size and face not in table.state.scrapped
    }


def best_with(table: CzTable, company: str, faces: Sequence[str], budget: Budget | None = None) -> int:
    """Return the best revenue with these trains, or the best that the budget finds."""
    trains = [Train(f"z{number}", face) for number, face in enumerate(sorted(faces))]
    return best_of(table, company, [trains, *([guest] for guest in table.guests(company))], budget).revenue


def estimate_final_wealth(table: CzTable, weights: CzWeights) -> dict[str, float]:
    """Forecast every player's final wealth: holdings with their dividends, and cash as if well invested."""
    return final_wealth(CzBotView(table, weights))


def final_wealth(view: CzBotView) -> dict[str, float]:
    table, state = view.table, view.table.state
    if not state.agenda:
        return {player: float(table.wealth(player)) for player in state.players}
    worth = {player: state.cash[player] * view.calendar.cash_now for player in state.players}
    for player in state.players:
        debt, penalty = state.debts.get(player, 0), state.penalties.get(player, 0)
        worth[player] -= debt * view.calendar.cash_now + penalty
    for company in state.start_prices:
        for player in state.players:
            if percent := holding(table, player, company):
                worth[player] += percent // share_unit(table, company) * view.share(company, player)
        current = director(table, company)
        if current in worth:
            worth[current] -= view.prospect(company).levies
    for local, owner in state.locals.items():
        if owner in worth:
            worth[owner] += local_worth(view, local)
    return worth


def local_worth(view: CzBotView, local: str) -> float:
    """Return the final value of a player's Local Railway, kept or sold to a company at the best time."""
    table, calendar = view.table, view.calendar
    spec = table.title.locals[local]
    rounds = range(calendar.rounds_before, calendar.rounds_before + calendar.rounds_ahead)
    prices = [box for box in table.title.boxes if isinstance(box, int)]
    income, best_sale = 0.0, 0.0
    for number in rounds:
        income += spec.income * calendar.ahead.cash_after(number - 1)
        if spec.priced and table.phase_from(table.title.locals_open_in_phase):
            best_sale = max(best_sale, income + prices[number] * calendar.ahead.cash_after(number))
    return max(best_sale, income + (prices[-1] if spec.priced else 0))


def view_after(game: Game, action: Action, weights: CzWeights, done: str | None = None) -> CzBotView:
    after = trial_game(game)
    after.apply(action)
    return CzBotView(cz_table(after), weights, done)


def relative_wealth(view: CzBotView, player: str) -> float:
    """Return a player's final wealth less a part of the others' average."""
    worth = final_wealth(view)
    others = [amount for other, amount in worth.items() if other != player]
    rivalry = view.weights.dealing.rivalry * sum(others) / max(len(others), 1)
    return worth[player] - rivalry


def value_of_run_income(view: CzBotView, company: str, player: str) -> float:
    """Return what 1 K more in every future run of a company is worth to a player."""
    part = holding(view.table, player, company) / 100
    return part * sum(view.calendar.ahead.cash_after(number) for number in view.calendar.runs(company))
