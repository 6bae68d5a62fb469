"""What companies, shares and whole tables are worth to players, as a bot sees them now or after an answer."""

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
    """A table as a bot sees it: with the calendar, and the prospects of all companies, each worked out once."""

    def __init__(
        self, table: CzTable, weights: CzWeights, done: str | None = None, rehearsal: GameRollout | None = None
    ) -> None:
        self.table, self.weights = table, weights
        self.done = done
        """A company of which is supposed that it buys nothing more in its turn."""
        self.rehearsal = rehearsal
        """If the rest of the game has been rehearsed, that is believed more than what is foreseen."""
        self.calendar = Calendar(table, weights)
        self._prospects: dict[str, Prospect] = {}

    def prospect(self, company: str) -> Prospect:
        if company not in self._prospects:
            self._prospects[company] = self._foreseen(company)
        return self._prospects[company]

    def share(self, company: str, player: str) -> float:
        """What one share will have been worth at the end to a player, with the dividends until then."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.share(company, self.calendar)
        prospect = self.prospect(company)
        trust = 1.0 if director(self.table, company) == player else self.weights.shares.others_company
        return (prospect.dividends * share_unit(self.table, company) / 100 + prospect.price) * trust

    def levies(self, company: str, player: str) -> float:
        """What a player will have to add for trains of a company, with what the money would become until the end."""
        if self.rehearsal is not None and self.rehearsal.knows(company):
            return self.rehearsal.levied(player, company, self.calendar) * self.weights.dealing.levy
        return self.prospect(company).levies if director(self.table, company) == player else 0.0

    def burden(self, company: str, player: str, percent: int) -> float:
        """What a player who holds so much may have to add for trains: others can leave him the company."""
        if percent < self.table.title.companies[company].certificates[0]:
            return 0.0
        own, head = self.levies(company, player), director(self.table, company)
        if head is None or head == player:
            return own
        return max(own, self.levies(company, head) * self.weights.dealing.left_alone)

    def due(self, player: str) -> float:
        """What will be asked of a player for trains before the next Stock Round."""
        told = self.rehearsal
        own = [company for company in self.table.state.floated if director(self.table, company) == player]
        foreseen = [company for company in own if told is None or not told.knows(company)]
        return sum(self.prospect(company).due for company in foreseen) + (0 if told is None else told.due(player))

    def _foreseen(self, company: str) -> Prospect:
        state = self.table.state
        space = chart.position(self.table, company)
        if space is None:
            return NOTHING
        if company in state.floated:
            return Foresight(self, company, space=space).prospect()
        future = Foresight(self, company, cash=capital(self.table, company), space=space).prospect()
        if can_float(self.table, company):
            return future
        part = self.weights.shares.unfloated
        price = self.table.title.prices[space]
        return future._replace(dividends=future.dividends * part, price=round(min(price, future.price)))


def capital(table: CzTable, company: str) -> int:
    return table.title.companies[company].spec.capital * table.state.start_prices[company]


def can_float(table: CzTable, company: str) -> bool:
    """Whether the Director can pay for what is missing, himself."""
    player = director(table, company)
    price = shares_to_float(table, company) * chart.price(table, company)
    return player is not None and table.state.cash.get(player, 0) >= price


def shares_to_float(table: CzTable, company: str) -> int:
    """How many more shares players must hold; none or less when the company can float."""
    held = sum(holding(table, player, company) for player in table.state.players)
    return -(-(FLOATS_AT - held) // share_unit(table, company))


class Foresight:
    """What one company's future begins with, and what that says of its trains."""

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
        self.quality = self._quality()
        locals_held = [*table.state.locals.values()].count(company)
        found = chart.position(table, company) if space is None else space
        self.outset = ProspectInput(
            ahead=self.ahead,
            company=company,
            cash=(table.state.cash[company] if cash is None else cash) + table.state.local_price * locals_held,
            space=found or 0,
            faces=self.faces,
            measured=self.measured,
            quality=self.quality,
            runs=self.runs,
            buys_now=company != view.done and self.calendar.only_buys(company),
        )

    def prospect(self) -> Prospect:
        return prospect_of(self.outset)

    def pays(self, face: str) -> bool:
        """Whether one more train of a face would earn enough of its price, from the next run on."""
        price = dict(self.ahead.for_sale(self.calendar.rounds_before - 1, self.size)).get(face)
        lives = sum(self.ahead.lives(face, number) for number in self.runs)
        more = nominal(self.weights, [*self.faces, face]) - nominal(self.weights, self.faces)
        return price is not None and more * self.quality * lives >= price

    def earned_by(self, face: str) -> float:
        """What one of its trains will still earn for it."""
        if face not in self.faces:
            return 0.0
        others = list(self.faces)
        others.remove(face)
        less = nominal(self.weights, self.faces) - nominal(self.weights, others)
        return less * self.quality * sum(self.ahead.lives(face, number) for number in self.runs)

    def _measure(self) -> float | None:
        """The present best run; of companies that are not at issue in an Operating Round, the last one."""
        table, company = self.table, self.company
        if company not in table.state.operated or not self.faces:
            return None
        if self.calendar.stock_round or company == self.calendar.in_turn or not table.state.revenue.get(company):
            return best_with(table, company, self.faces)
        return table.state.revenue[company]

    def _quality(self) -> float:
        """How good its track is, by what its best train can run for now; or the one that it could buy next."""
        if self.company not in self.table.state.operated:
            return 1.0
        low, high = self.weights.trains.quality
        part = self.weights.trains.measured
        if self.measured is not None and (len(self.faces) == 1 or self.company != self.calendar.in_turn):
            measured = self.measured / nominal(self.weights, self.faces)
        else:
            next_ones = self.ahead.for_sale(self.calendar.rounds_before, self.size)
            faces = self.faces or [face for face, _ in next_ones]
            if not faces:
                return 1.0
            typical = self.weights.trains.typical
            face = max(faces, key=lambda each: typical[each])
            measured = best_with(self.table, self.company, [face]) / typical[face]
        return max(low, min(high, measured * part + 1 - part))


def on_sale(table: CzTable, company: str) -> dict[str, int]:
    """Faces of a company's size on the card on top of the stack that can still run, with their prices."""
    title, size = table.title, table.size(company)
    faces = title.stack.spec[title.stack.card(table.state.cards_gone)[0]].faces.items()
    return {
        face: price
        for face, price in faces
        if title.train_faces[face].size == size and face not in table.state.scrapped
    }


def best_with(table: CzTable, company: str, faces: Sequence[str], budget: Budget | None = None) -> int:
    """The best run of a company if it had these trains; or the best that the budget finds."""
    trains = [Train(f"z{number}", face) for number, face in enumerate(sorted(faces))]
    return best_of(table, company, [trains, *([guest] for guest in table.guests(company))], budget).revenue


def estimate_final_wealth(table: CzTable, weights: CzWeights) -> dict[str, float]:
    """The final wealth of every player as it can be foreseen: holdings with their dividends, cash well invested."""
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
        head = director(table, company)
        if head in worth:
            worth[head] -= view.prospect(company).levies
    for local, owner in state.locals.items():
        if owner in worth:
            worth[owner] += local_worth(view, local)
    return worth


def local_worth(view: CzBotView, local: str) -> float:
    """What a Local Railway in a player's hand becomes until the end: it earns, or is sold to a company before."""
    table, calendar = view.table, view.calendar
    spec = table.title.locals[local]
    rounds = range(calendar.rounds_before, calendar.rounds_before + calendar.rounds_ahead)
    prices = [box for box in table.title.boxes if isinstance(box, int)]
    income, most = 0.0, 0.0
    for number in rounds:
        income += spec.income * calendar.ahead.cash_after(number - 1)
        if spec.priced and table.phase_from(table.title.locals_open_in_phase):
            most = max(most, income + prices[number] * calendar.ahead.cash_after(number))
    return max(most, income + (prices[-1] if spec.priced else 0))


def view_after(game: Game, action: Action, weights: CzWeights, done: str | None = None) -> CzBotView:
    then = trial_game(game)
    then.apply(action)
    return CzBotView(cz_table(then), weights, done)


def relative_wealth(view: CzBotView, player: str) -> float:
    """What a player has of a table: what he will be worth, and a little for what the others will not."""
    worth = final_wealth(view)
    others = [amount for other, amount in worth.items() if other != player]
    rivalry = view.weights.dealing.rivalry * sum(others) / max(len(others), 1)
    return worth[player] - rivalry


def value_of_run_income(view: CzBotView, company: str, player: str) -> float:
    """What a player has of 1 K more in every run that a company will still make."""
    part = holding(view.table, player, company) / 100
    return part * sum(view.calendar.ahead.cash_after(number) for number in view.calendar.runs(company))
