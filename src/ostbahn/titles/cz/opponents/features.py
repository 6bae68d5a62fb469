"""The net's input features for a table of 18CZ: game, companies and players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ostbahn.bots.policies import TableFeatures, deciding_player
from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, director, holding
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.titles.cz.opponents.calendar import cards_gone_when_scrapped
from ostbahn.titles.cz.opponents.course import Prospect
from ostbahn.titles.cz.opponents.prospects import NOTHING, CzBotView, best_with, final_wealth
from ostbahn.titles.cz.opponents.weights import cz_search_weights
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stock import certificate_count
from ostbahn.titles.cz.title import SIZES, CzTitle, cz_title

MONEY: Final = 500.0
"""Scale of a company's or player's money."""
RUN: Final = 200.0
PRICE: Final = 150.0
WEALTH: Final = 3000.0
RUN_STEPS: Final = 1500
"""Step limit of the route search."""
CARDS: Final = 10.0
"""Scale of numbers of train cards."""
FOR_EVER: Final = 3.0
"""Lifetime feature of a train that is never scrapped."""
PRICES_CAP: Final = 2.0
"""Cap on cash in multiples of a train's price."""
ROUNDS: Final = 13.0
PLAYERS: Final = 6.0


def table_features(table: CzTable) -> TableFeatures:
    """Return features of all companies in the game, also unstarted ones: a good home has a value."""
    view = CzBotView(table, cz_search_weights())
    extractor = CzFeatureExtractor(view)
    companies = tuple(company for company in table.title.companies if company in table.state.certificates)
    seats = table.state.players
    return TableFeatures(
        seats=seats,
        companies=companies,
        game=extractor.game(),
        company=[extractor.company(company) for company in companies],
        player=extractor.players(),
        foreseen=[extractor.final_wealth[seat] for seat in seats],
        held=[[holding(table, seat, company) / 100 for company in companies] for seat in seats],
        directed=[[float(director(table, company) == seat) for company in companies] for seat in seats],
    )


class CzFeatureExtractor:
    """Extract the features of one table, part by part."""

    def __init__(self, view: CzBotView) -> None:
        self.view = view
        self.table, self.state, self.title = view.table, view.table.state, view.table.title
        self.calendar = view.calendar
        self.scrapped_after = cards_gone_when_scrapped(self.title, view.weights)
        self.gone = self.state.cards_gone
        self.letter = self.title.stack.card(self.gone)[0]
        self.final_wealth = final_wealth(view)

    # The game

    def game(self) -> list[float]:
        calendar, state = self.calendar, self.state
        letters = cz_title().stack.letters  # variants leave some out
        place = letters.index(self.letter)
        cash = [state.cash[player] for player in state.players]
        treasuries = [state.cash[company] for company in state.floated]
        return [
            calendar.rounds_ahead / ROUNDS,
            calendar.rounds_before / ROUNDS,
            calendar.stock_rounds_ahead / ROUNDS,
            float(calendar.stock_round),
            len(calendar.still_to_run) / max(1, len(state.floated)),
            len(state.players) / PLAYERS,
            *(float(len(state.players) == number) for number in (2, 3, 4, 5, 6)),
            place / len(letters),
            *(float(place == number) for number in range(10)),
            letters.index(state.phase) / len(letters) if state.phase in letters else 0.0,
            self.gone / (4 * CARDS),
            self._cards_left() / CARDS,
            len(state.floated) / CARDS,
            sum(cash) / len(cash) / MONEY,
            sum(treasuries) / max(1, len(treasuries)) / MONEY,
            state.local_price / PRICE,
            calendar.cash_now / ROUNDS,
            float(not state.start_prices),
            len(self.title.companies) / ROUNDS,
        ]

    def _cards_left(self) -> int:
        """Count the cards left with the letter on top, capped for the endless ones."""
        number = 0
        while number < CARDS and self.title.stack.card(self.gone + number)[0] == self.letter:
            number += 1
        return number

    # Companies

    def company(self, company: str) -> list[float]:
        state, table = self.state, self.table
        spec = self.title.companies[company]
        started, floated = company in state.start_prices, company in state.floated
        space = chart.position(table, company)
        return [
            *(float(spec.size == size) for size in SIZES),
            *(float(place == company_number(self.title, company)) for place in range(len(cz_title().companies))),
            float(started),
            float(floated),
            float(company in state.operated),
            float(table.phase_from(spec.spec.opens_in_phase)),
            float(company in self.calendar.still_to_run),
            float(company in self.calendar.still_to_buy),
            float(company == self.calendar.in_turn),
            (self.title.prices[space] if space is not None else 0) / PRICE,
            (space or 0) / len(self.title.prices),
            state.start_prices.get(company, 0) / PRICE,
            state.cash.get(company, 0) / MONEY,
            state.revenue.get(company, 0) / RUN,
            *self._holders(company),
            *self._trains(company),
            *_prospect_features(self.view.prospect(company) if started else NOTHING),
        ]

    def _holders(self, company: str) -> list[float]:
        """Return features of the holders: who could take control, and who must pay for trains."""
        table, state = self.table, self.state
        held = sorted((holding(table, player, company) for player in state.players), reverse=True)
        current = director(table, company)
        own, cash = (
            (holding(table, current, company), state.cash[current]) if current in state.players and current else (0, 0)
        )
        second = max(held[1:], default=0) if own else 0
        return [
            sum(held) / 100,
            own / 100,
            second / 100,
            cash / MONEY,
            state.certificates[company].count(BANK) / CARDS,
            [*state.locals.values()].count(company) / len(SIZES),
            sum(state.markers[company]) / CARDS if company in state.markers else 0.0,
            len(state.board.stations_of(company)) / CARDS,
        ]

    def _trains(self, company: str) -> list[float]:
        """Return features of its runs: now, with the next train, and with one of the letter after it."""
        table, title = self.table, self.title
        size = table.size(company)
        faces = [train.face for train in runnable(table, company)] if company in self.state.floated else []
        lives = sorted((self._life(face) for face in faces), reverse=True)[:3]
        limit = title.phases[self.letter].train_limit.get(size, 0)
        price, face = _cheapest_train(title, self.letter, size)
        letters = title.stack.letters
        following = letters[min(letters.index(self.letter) + 1, len(letters) - 1)]
        later_price, later = _cheapest_train(title, following, size)
        cash = self.state.cash.get(company, 0)
        run = run_with_next = run_later = 0
        if company in self.state.operated:
            run = self._run(company, faces) if faces else 0
            run_with_next = self._run(company, [*faces, face][-max(limit, 1) :]) if face else run
            run_later = self._run(company, [later]) if later else run
        typical = self.view.weights.trains.typical
        return [
            len(faces) / len(SIZES),
            (limit - len(faces)) / len(SIZES),
            *(lives + [0.0] * 3)[:3],
            sum(typical[name] for name in faces) / RUN,
            max((typical[name] for name in faces), default=0) / RUN,
            price / MONEY,
            min(cash / price, PRICES_CAP) if price else 0.0,
            min(cash / later_price, PRICES_CAP) if later_price else 0.0,
            run / RUN,
            run_with_next / RUN,
            run_later / RUN,
        ]

    def _run(self, company: str, faces: Sequence[str]) -> int:
        """Return the best run found within the step limit, cached: features must be fast."""
        board, key = self.state.board, ("seen run", company, self.state.phase, tuple(sorted(faces)))
        revenue = board.cached(key)
        if not isinstance(revenue, int):
            revenue = board.cache(key, best_with(self.table, company, faces, StepBudget(RUN_STEPS)))
        return revenue

    def _life(self, face: str) -> float:
        limit = self.scrapped_after.get(face)
        return FOR_EVER if limit is None else min(FOR_EVER, max(0, limit - self.gone) / CARDS + 1 / CARDS)

    # Players

    def players(self) -> list[list[float]]:
        mean = sum(self.final_wealth.values()) / len(self.final_wealth)
        wealth = {player: self.table.wealth(player) for player in self.state.players}
        mean_now = sum(wealth.values()) / len(wealth)
        decider = deciding_player(self.state)
        rows = []
        for player in self.state.players:
            due = self.view.due(player)
            certificates = certificate_count(self.table, player)
            directed = [company for company in self.state.floated if director(self.table, company) == player]
            locals_held = [local for local, owner in self.state.locals.items() if owner == player]
            rows.append(
                [
                    self.state.cash[player] / MONEY,
                    wealth[player] / WEALTH,
                    wealth[player] / max(mean_now, 1),
                    self.final_wealth[player] / WEALTH / 2,
                    self.final_wealth[player] / max(mean, 1),
                    due / MONEY,
                    certificates / ROUNDS,
                    (self.table.certificate_limit - certificates) / ROUNDS,
                    *(sum(self.table.size(company) == size for company in directed) / len(SIZES) for size in SIZES),
                    sum(self.state.cash[company] for company in directed) / MONEY / 2,
                    len(locals_held) / len(SIZES),
                    sum(self.title.locals[local].income for local in locals_held) / PRICE,
                    self.state.debts.get(player, 0) / MONEY,
                    self.state.penalties.get(player, 0) / MONEY,
                    self.state.order.index(player) / PLAYERS,
                    float(player == decider),
                ]
            )
        return rows


@lru_cache(maxsize=256)
def _cheapest_train(title: CzTitle, letter: str, size: str) -> tuple[int, str]:
    """Return price and face of the cheapest train of a size on a card; (0, "") if there is none."""
    faces = title.stack.spec[letter].faces.items()
    return min(((price, face) for face, price in faces if title.train_faces[face].size == size), default=(0, ""))


def company_number(title: CzTitle, company: str) -> int:
    """Return the company's index, the same in all variants."""
    names = list(cz_title().companies)
    return names.index(company) if company in names else len(names)


def _prospect_features(prospect: Prospect) -> list[float]:
    """Return features of a forecast prospect."""
    return [
        prospect.dividends / (20 * RUN),
        prospect.price / PRICE,
        prospect.levies / MONEY,
        prospect.treasury / MONEY,
        prospect.next_revenue / RUN,
        prospect.due / MONEY,
    ]
