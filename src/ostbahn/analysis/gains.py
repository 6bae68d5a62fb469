"""What each offered tile and station would add to the best run of its company."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.analysis.runs import CompanyTrains, companies_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.questions import Question
from ostbahn.kernel.routes.budget import Budget, StepBudget
from ostbahn.kernel.routes.network import Network
from ostbahn.kernel.routes.reoptimise import Reoptimiser, RunChange
from ostbahn.kernel.table import Table

GAINS_STEPS: Final = 18_000
"""Budget for all answers to a question: a fraction of a second."""
GAINS_FREE_STEPS: Final = 200
BUILDING_FIELDS: Final = ("rotation", "city")
"""Fields of actions that lay a tile or place a station."""


class GainView(Struct, frozen=True):
    """How an answer changes the best run of its company."""

    gain: int
    """What it adds with the trains that the company has now; negative if it takes away."""
    best: int
    """The best run found after it."""
    proven: bool
    """Whether the gain is exact."""


def gains(game: Game, budget: Budget | None = None) -> dict[int, GainView]:
    """The gains of all answers that build, by index among the options; empty without a train. They share the budget."""
    question = game.question
    if question is None or question.company not in companies_of(game):
        return {}
    fleet = CompanyTrains(game.table, question.company)
    boards = _boards_after(game, question) if fleet.faces else []
    if not boards:
        return {}
    changes = _run_changes(fleet, boards, budget or StepBudget(GAINS_STEPS, free_steps=GAINS_FREE_STEPS))
    return {
        index: GainView(change.gain, change.worth, change.proven)
        for built, change in zip(boards, changes, strict=True)
        for index in built.answers
    }


# Boards after answers


class _BuiltBoard(NamedTuple):
    """A board that one or more answers lead to."""

    table: Table
    hexes: frozenset[str]
    """Hexes whose tile changes."""
    changes_stations: bool
    answers: list[int]


def builds(action: Action) -> bool:
    return any(hasattr(action, field) for field in BUILDING_FIELDS)


def _boards_after(game: Game, question: Question) -> list[_BuiltBoard]:
    """The boards after all answers that build. Lays that differ only in payment share one."""
    before = game.table.state.board
    boards: dict[object, _BuiltBoard] = {}
    for index, option in enumerate(question.options):
        if builds(option.action):
            table = game.table_after(option.action)
            board = table.state.board
            tiles = frozenset(board.tiles.items() - before.tiles.items())
            stations = frozenset(board.stations.items() ^ before.stations.items())
            built = boards.get((tiles, stations))
            if built is None:
                hexes = frozenset(hex_id for hex_id, _ in tiles)
                built = boards[tiles, stations] = _BuiltBoard(table, hexes, bool(stations), [])
            built.answers.append(index)
    return list(boards.values())


# Best runs on these boards


def _run_changes(fleet: CompanyTrains, boards: Sequence[_BuiltBoard], budget: Budget) -> list[RunChange]:
    """The change of the best run on each board, computed once for boards with the same network."""
    now, company = fleet.network(), fleet.company
    surroundings = _NetworkSurroundings(fleet.table, company, now)
    networks: dict[Network, int] = {}
    numbers: list[int] = []
    for built in boards:
        network = now if surroundings.are_unchanged_by(built) else CompanyTrains(built.table, company).network()
        numbers.append(-1 if network == now else networks.setdefault(network, len(networks)))
    changes = [RunChange(0, 0, True)] * (len(networks) + 1)
    for kinds in fleet.kinds:
        if kinds:
            reoptimiser = Reoptimiser(now, kinds, budget)
            of_fleet = [*reoptimiser.changes(list(networks)), RunChange(reoptimiser.run.worth, 0, True)]
            changes = [_sum(pair) for pair in zip(changes, of_fleet, strict=True)]
    return [changes[number] for number in numbers]


def _sum(changes: Iterable[RunChange]) -> RunChange:
    worth, gain, proven = zip(*changes, strict=True)
    return RunChange(sum(worth), sum(gain), all(proven))


class _NetworkSurroundings:
    """The part of the board that a company's trains reach, or would reach with more track."""

    def __init__(self, table: Table, company: str, network: Network) -> None:
        self.board, self.surveyor = table.state.board, table.title.surveyor
        stations = (city for city in self.board.stations_of(company) if "." in city)
        names = dict.fromkeys([*(stop.id for stop in network.stops), *stations])
        places = [(table.title.map[hex_of(name)], int(name.partition(".")[2])) for name in names]
        self.hexes = {hex_.id for hex_, _ in places}
        """The hexes with stops of the network."""
        self.places: dict[str, list[tuple[Hex, int]]] = {}
        """For each hex the revenue locations with track to it."""
        for hex_, node in places:
            for hex_id in self.surveyor.outgoing_tracks(self.board, hex_, node).hexes:
                self.places.setdefault(hex_id, []).append((hex_, node))

    def are_unchanged_by(self, built: _BuiltBoard) -> bool:
        """Whether the network certainly stays the same."""
        board = built.table.state.board
        if built.changes_stations or not self.hexes.isdisjoint(built.hexes):
            return False
        places = (place for hex_id in built.hexes for place in self.places.get(hex_id, ()))
        return all(
            self.surveyor.tracks_from(board, *place) == self.surveyor.tracks_from(self.board, *place)
            for place in places
        )
