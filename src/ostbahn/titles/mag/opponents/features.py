"""What a net sees of a table of 18Mag: minors with their trains and runs, majors with their prices, and the players."""

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

MONEY: Final = 200.0
"""What the money of a company or player is measured by."""
RUN: Final = 150.0
PRICE: Final = 200.0
WEALTH: Final = 6000.0
FEW: Final = 4.0
ROUNDS: Final = 12.0
MINORS: Final = 13
MAJORS: Final = 8
"""So many of each have a number of their own."""
FACES: Final = ("2", "3", "4", "6")
OF_MINOR, OF_MAJOR = 20, 14
"""How many numbers tell of one, beside which it is."""


def table_features(table: MagTable) -> TableFeatures:
    eye, seats, owners = MagFeatureExtractor(table), table.state.players, table.state.owners
    minors = tuple(minor for minor in table.title.minors if minor in owners)
    majors = tuple(table.title.companies)
    owned = {seat: [float(owners[minor] == seat) for minor in minors] for seat in seats}
    return TableFeatures(
        seats=seats,
        companies=(*minors, *majors),
        game=eye.game(),
        company=[*(eye.minor(minor) for minor in minors), *(eye.major(major) for major in majors)],
        player=eye.players(),
        foreseen=[eye.foreseen[seat] for seat in seats],
        held=[[*owned[seat], *(holding(table, seat, major) / 100 for major in majors)] for seat in seats],
        directed=[[*owned[seat], *(float(director(table, major) == seat) for major in majors)] for seat in seats],
    )


class MagFeatureExtractor:
    """Looks at a table, part by part."""

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
        waiting = len(self.turns.minors) / max(1, len(state.owners)) if self.turns else 0.0
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
            waiting,
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
            self._run(minor, fleet) if owned else 0.0,
            self._run(minor, self._with(fleet, best)) if owned else 0.0,
            self._run(minor, self._with(fleet, faces[-1])) if owned else 0.0,
            cash / price,
            float(bool(best)),
            self.view.earning(minor, runs) / RUN,
            state.terrain_tokens.get(minor, 0) / FEW,
            state.markers.get(minor, 0) / FEW,
            len(state.board.stations_of(minor)) / FEW,
            self.view.weights.draft.minors.get(minor, 0.0) / WEALTH * 10,
        ]
        assert len(row) == OF_MINOR
        number = _one_hot(mag_title().minors, minor, MINORS)
        return [1.0, 0.0, *number, *[0.0] * MAJORS, *row, *[0.0] * OF_MAJOR]

    def _next_train(self, minor: str) -> tuple[int, str]:
        """The dearest train that it could buy now, or else the cheapest one."""
        cash, stacks = self.state.cash[minor], self.title.stacks
        able = [(stack.price, face) for face, stack in stacks.items() if stack.price <= cash]
        return max(able) if able else (min(stack.price for stack in stacks.values()), "")

    def _with(self, fleet: FleetFaces, face: str) -> FleetFaces:
        limit = self.title.minor.train_limit
        return sorted_fleet((*fleet, face))[:limit] if face else fleet

    def _run(self, minor: str, fleet: FleetFaces) -> float:
        earned = income_with_cars(self.table, minor, fleet)
        return (earned.revenue + earned.subsidy) / RUN

    def major(self, major: str) -> list[float]:
        state = self.state
        outlook = self.view.outlook(major)
        space = chart.position(self.table, major)
        price = self.title.prices[space] if space is not None else 0
        parts = sorted((holding(self.table, player, major) for player in state.players), reverse=True)
        place = self.phases.index(state.phase)
        ahead = self.phases[min(place + 1, len(self.phases) - 1)]
        waiting = self.turns is not None and (self.turns.majors is None or major in self.turns.majors)
        row = [
            price / PRICE,
            (space or 0) / len(self.title.prices),
            state.cash[major] / MONEY,
            outlook.price / PRICE,
            outlook.dividends / PRICE,
            self.view.income(major, state.phase) / MONEY,
            self.view.income(major, ahead) / MONEY,
            sum(parts) / 100,
            parts[0] / 100,
            (parts[1] if len(parts) > 1 else 0) / 100,
            state.package.get(major, 0) / FEW,
            state.markers.get(major, 0) / FEW,
            len(state.board.stations_of(major)) / FEW,
            float(waiting),
        ]
        assert len(row) == OF_MAJOR
        number = _one_hot(mag_title().companies, major, MAJORS)
        return [0.0, 1.0, *[0.0] * MINORS, *number, *[0.0] * OF_MINOR, *row]

    # Players

    def players(self) -> list[list[float]]:
        table, state = self.table, self.state
        foreseen = self.foreseen
        mean = sum(foreseen.values()) / len(foreseen)
        now = {player: table.wealth(player) for player in state.players}
        usual = sum(now.values()) / len(now)
        decider = deciding_player(state)
        found = []
        for player in state.players:
            minors = [minor for minor, owner in state.owners.items() if owner == player]
            found.append(
                [
                    state.cash[player] / MONEY,
                    now[player] / WEALTH,
                    now[player] / max(usual, 1),
                    foreseen[player] / WEALTH,
                    foreseen[player] / max(mean, 1),
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
        return found


def _one_hot(names: Iterable[str], name: str, most: int) -> list[float]:
    """1 at a place of its own for each name, the same in all variants; for other names nowhere."""
    places = [float(name == each) for each in names]
    return [*places, *[0.0] * most][:most]
