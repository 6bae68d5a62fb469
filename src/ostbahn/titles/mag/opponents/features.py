"""Features of an 18Mag table for the net: the game, minors, majors and players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ostbahn.bots.policies import TableFeatures, deciding_player
from ostbahn.kernel import chart
from ostbahn.kernel.money import BANK, count_certificates, director, holding
from ostbahn.titles.mag.opponents.runs import FleetFaces, fleet_of, income_with_cars, sorted_fleet
from ostbahn.titles.mag.opponents.weights import mag_search_weights
from ostbahn.titles.mag.opponents.worth import MagBotView
from ostbahn.titles.mag.state import MagTable, OperatingRound, Rounds
from ostbahn.titles.mag.title import mag_title

# Scales of the features
MONEY: Final = 200.0
RUN: Final = 150.0
PRICE: Final = 200.0
WEALTH: Final = 6000.0
FEW: Final = 4.0
ROUNDS: Final = 12.0
MINORS: Final = 13
MAJORS: Final = 8
"""Lengths of the one-hot codes of minors and majors."""
FACES: Final = ("2", "3", "4", "6")
MINOR_FEATURES, MAJOR_FEATURES = 20, 14
"""Number of features of a company besides its code."""


def table_features(table: MagTable) -> TableFeatures:
    """Features of the game, each company and each player, in the order that the net expects."""
    extractor, seats, owners = MagFeatureExtractor(table), table.state.players, table.state.owners
    minors = tuple(minor for minor in table.title.minors if minor in owners)
    majors = tuple(table.title.companies)
    owned = {seat: [float(owners[minor] == seat) for minor in minors] for seat in seats}
    return TableFeatures(
        seats=seats,
        companies=(*minors, *majors),
        game=extractor.game(),
        company=[*(extractor.minor(minor) for minor in minors), *(extractor.major(major) for major in majors)],
        player=extractor.players(),
        foreseen=[extractor.foreseen[seat] for seat in seats],
        held=[[*owned[seat], *(holding(table, seat, major) / 100 for major in majors)] for seat in seats],
        directed=[[*owned[seat], *(float(director(table, major) == seat) for major in majors)] for seat in seats],
    )


class MagFeatureExtractor:
    """Computes the features of one table."""

    def __init__(self, table: MagTable) -> None:
        self.table, self.state, self.title = table, table.state, table.title
        self.view = MagBotView(table, mag_search_weights())
        self.rounds = self.view.rounds
        self.phases = list(self.title.phases)
        self.task = next((task for task in self.state.agenda if isinstance(task, Rounds)), None)
        self.foreseen = self.view.estimate_final_wealth()
        self.turns = next((task for task in self.state.agenda if isinstance(task, OperatingRound)), None)

    # The game

    def game(self) -> list[float]:
        state, task = self.state, self.task
        waiting_minors = len(self.turns.minors) / max(1, len(state.owners)) if self.turns else 0.0
        treasuries = [state.cash[minor] for minor in state.owners]
        return [
            *(float(state.phase == phase) for phase in mag_title().phases),
            self.rounds / ROUNDS,
            (task.turn if task else 0) / ROUNDS,
            (task.round if task else 0) / FEW,
            (task.length if task else 0) / FEW,
            float(task is not None and task.last),
            float(state.round.startswith("SR")),
            float(state.round.startswith("OR")),
            waiting_minors,
            float(self.turns is not None and self.turns.majors is not None),
            state.no_train / FEW,
            float(state.sold_train),
            float(state.phase_began),
            *(state.cards.get(face, 0) / FEW for face in FACES),
            *(float(len(state.players) == number) for number in range(1, 7)),
            sum(state.cash[player] for player in state.players) / len(state.players) / MONEY,
            sum(treasuries) / max(1, len(treasuries)) / MONEY,
            float(self.title.one_rail_car),
            float(state.istvan is not None),
        ]

    # Companies

    def minor(self, minor: str) -> list[float]:
        state = self.state
        fleet = fleet_of(self.table, minor)
        runs = self.view.runs_left(minor)
        faces = sorted(self.title.stacks)
        owned = state.owners[minor] != BANK
        price, best = self._next_train(minor)
        cash = state.cash[minor]
        row = [
            float(owned),
            cash / MONEY,
            state.revenue.get(minor, 0) / RUN,
            runs / ROUNDS,
            runs - self.rounds,
            *(float(fleet.count(face)) for face in FACES),
            float(len(fleet)),
            self._run_income(minor, fleet) if owned else 0.0,
            self._run_income(minor, self._fleet_with(fleet, best)) if owned else 0.0,
            self._run_income(minor, self._fleet_with(fleet, faces[-1])) if owned else 0.0,
            cash / price,
            float(bool(best)),
            self.view.earning(minor, runs) / RUN,
            state.terrain_tokens.get(minor, 0) / FEW,
            state.markers.get(minor, 0) / FEW,
            len(state.board.stations_of(minor)) / FEW,
            self.view.weights.draft.minors.get(minor, 0.0) / WEALTH * 10,
        ]
        assert len(row) == MINOR_FEATURES
        code = _one_hot(mag_title().minors, minor, MINORS)
        return [1.0, 0.0, *code, *[0.0] * MAJORS, *row, *[0.0] * MAJOR_FEATURES]

    def _next_train(self, minor: str) -> tuple[int, str]:
        """Price and face of the dearest train that the minor can pay for; else the least price and no face."""
        cash, stacks = self.state.cash[minor], self.title.stacks
        affordable = [(stack.price, face) for face, stack in stacks.items() if stack.price <= cash]
        return max(affordable) if affordable else (min(stack.price for stack in stacks.values()), "")

    def _fleet_with(self, fleet: FleetFaces, face: str) -> FleetFaces:
        limit = self.title.minor.train_limit
        return sorted_fleet((*fleet, face))[:limit] if face else fleet

    def _run_income(self, minor: str, fleet: FleetFaces) -> float:
        income = income_with_cars(self.table, minor, fleet)
        return (income.revenue + income.subsidy) / RUN

    def major(self, major: str) -> list[float]:
        state = self.state
        outlook = self.view.outlook(major)
        space = chart.position(self.table, major)
        price = self.title.prices[space] if space is not None else 0
        holdings = sorted((holding(self.table, player, major) for player in state.players), reverse=True)
        phase_index = self.phases.index(state.phase)
        later_phase = self.phases[min(phase_index + 1, len(self.phases) - 1)]
        waiting = self.turns is not None and (self.turns.majors is None or major in self.turns.majors)
        row = [
            price / PRICE,
            (space or 0) / len(self.title.prices),
            state.cash[major] / MONEY,
            outlook.price / PRICE,
            outlook.dividends / PRICE,
            self.view.income(major, state.phase) / MONEY,
            self.view.income(major, later_phase) / MONEY,
            sum(holdings) / 100,
            holdings[0] / 100,
            (holdings[1] if len(holdings) > 1 else 0) / 100,
            state.package.get(major, 0) / FEW,
            state.markers.get(major, 0) / FEW,
            len(state.board.stations_of(major)) / FEW,
            float(waiting),
        ]
        assert len(row) == MAJOR_FEATURES
        code = _one_hot(mag_title().companies, major, MAJORS)
        return [0.0, 1.0, *[0.0] * MINORS, *code, *[0.0] * MINOR_FEATURES, *row]

    # Players

    def players(self) -> list[list[float]]:
        table, state = self.table, self.state
        foreseen = self.foreseen
        mean_foreseen = sum(foreseen.values()) / len(foreseen)
        wealth = {player: table.wealth(player) for player in state.players}
        mean_wealth = sum(wealth.values()) / len(wealth)
        decider = deciding_player(state)
        rows = []
        for player in state.players:
            minors = [minor for minor, owner in state.owners.items() if owner == player]
            rows.append(
                [
                    state.cash[player] / MONEY,
                    wealth[player] / WEALTH,
                    wealth[player] / max(mean_wealth, 1),
                    foreseen[player] / WEALTH,
                    foreseen[player] / max(mean_foreseen, 1),
                    count_certificates(table, player) / ROUNDS,
                    (table.certificate_limit - count_certificates(table, player)) / ROUNDS,
                    len(minors) / FEW,
                    sum(state.cash[minor] for minor in minors) / MONEY / FEW,
                    sum(len(table.trains_of(minor)) for minor in minors) / FEW,
                    sum(state.revenue.get(minor, 0) for minor in minors) / RUN / FEW,
                    sum(director(table, major) == player for major in self.title.companies) / FEW,
                    float(state.priority == player),
                    float(decider == player),
                ]
            )
        return rows


def _one_hot(names: Iterable[str], name: str, length: int) -> list[float]:
    """One-hot code of a name, the same in all variants; all 0 for an unknown name."""
    code = [float(name == other) for other in names]
    return [*code, *[0.0] * length][:length]
