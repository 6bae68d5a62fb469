"""What each tile and station that is offered would add to the best run of the company it is for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.analysis.runs import Fleet, companies_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.questions import Question
from ostbahn.kernel.routes.growth import Growth, Outcome
from ostbahn.kernel.routes.network import Network
from ostbahn.kernel.routes.search import Patience, Steps
from ostbahn.kernel.table import Table

LASTING: Final = 18_000
"""Steps that the searches for all figures of a question take together before they are given up: a fraction of a second.
"""
GRACE: Final = 200
"""Steps that each of these searches has in any case."""
BUILDING: Final = ("rotation", "city")
"""Fields of actions that lay a tile or place a station."""


class GainView(Struct, frozen=True):
    """What an answer does to the best run of its company."""

    gain: int
    """What it adds with the trains that the company has now; negative if it takes away."""
    best: int
    """The best run after it, as far as it was found."""
    proven: bool
    """Whether the gain is certain."""


def gains(game: Game, patience: Patience | None = None) -> dict[int, GainView]:
    """For each answer that builds, by its index among the options; none for a company without a train.

    patience: for all of them together.
    """
    question = game.question
    if question is None or question.company not in companies_of(game):
        return {}
    fleet = Fleet(game.table, question.company)
    boards = _all_built(game, question) if fleet.faces else []
    if not boards:
        return {}
    outcomes = _together(fleet, boards, patience or Steps(LASTING, grace=GRACE))
    return {
        index: GainView(outcome.gain, outcome.worth, outcome.proven)
        for built, outcome in zip(boards, outcomes, strict=True)
        for index in built.answers
    }


# What answers build


class _Built(NamedTuple):
    """A board that some answers would make."""

    table: Table
    hexes: frozenset[str]
    """Those with another tile than now."""
    moved: bool
    """Whether there are other stations, or some stand elsewhere."""
    answers: list[int]


def builds(action: Action) -> bool:
    return any(hasattr(action, field) for field in BUILDING)


def _all_built(game: Game, question: Question) -> list[_Built]:
    """Lays that differ only in how they are paid for make the same board."""
    before = game.table.state.board
    found: dict[object, _Built] = {}
    for index, option in enumerate(question.options):
        if builds(option.action):
            table = game.table_after(option.action)
            board = table.state.board
            tiles = frozenset(board.tiles.items() - before.tiles.items())
            stations = frozenset(board.stations.items() ^ before.stations.items())
            built = found.get((tiles, stations))
            if built is None:
                hexes = frozenset(hex_id for hex_id, _ in tiles)
                built = found[tiles, stations] = _Built(table, hexes, bool(stations), [])
            built.answers.append(index)
    return list(found.values())


# What becomes of the run


def _together(fleet: Fleet, boards: Sequence[_Built], patience: Patience) -> list[Outcome]:
    """Most lays change nothing that the company's trains come to, or the same as another one does."""
    now, company = fleet.network(), fleet.company
    outreach = _Outreach(fleet.table, company, now)
    networks: dict[Network, int] = {}
    numbers: list[int] = []
    for built in boards:
        network = now if outreach.unchanged_by(built) else Fleet(built.table, company).network()
        numbers.append(-1 if network == now else networks.setdefault(network, len(networks)))
    found = [Outcome(0, 0, True)] * (len(networks) + 1)
    for kinds in fleet.kinds:
        if kinds:
            growth = Growth(now, kinds, patience)
            outcomes = [*growth.outcomes(list(networks)), Outcome(growth.run.worth, 0, True)]
            found = [_sum(pair) for pair in zip(found, outcomes, strict=True)]
    return [found[number] for number in numbers]


def _sum(outcomes: Iterable[Outcome]) -> Outcome:
    worth, gain, proven = zip(*outcomes, strict=True)
    return Outcome(sum(worth), sum(gain), all(proven))


class _Outreach:
    """The board as far as a company's trains come, or would come if track led on."""

    def __init__(self, table: Table, company: str, network: Network) -> None:
        self.board, self.surveyor = table.state.board, table.title.surveyor
        stations = (city for city in self.board.stations_of(company) if "." in city)
        names = dict.fromkeys([*(stop.id for stop in network.stops), *stations])
        places = [(table.title.map[hex_of(name)], int(name.partition(".")[2])) for name in names]
        self.hexes = {hex_.id for hex_, _ in places}
        """Those in which trains stop."""
        self.places: dict[str, list[tuple[Hex, int]]] = {}
        """For each hex the places from which track leads there."""
        for hex_, node in places:
            for hex_id in self.surveyor.leaving(self.board, hex_, node).hexes:
                self.places.setdefault(hex_id, []).append((hex_, node))

    def unchanged_by(self, built: _Built) -> bool:
        """Whether all that trains come to is sure to stay as it is."""
        board = built.table.state.board
        if built.moved or not self.hexes.isdisjoint(built.hexes):
            return False
        places = (place for hex_id in built.hexes for place in self.places.get(hex_id, ()))
        return all(
            self.surveyor.tracks_from(board, *place) == self.surveyor.tracks_from(self.board, *place)
            for place in places
        )
