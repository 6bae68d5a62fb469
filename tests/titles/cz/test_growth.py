"""Boards that grow by legal lays, stations and powers: after each step every answer is worked out a second time.

The rules of VIII.4 to VIII.6 are written down here once more, over the trails of tests/kernel/trails.py and the
chart of test_fitting, and what the engine offers must be just that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.titles.cz.actions import LayTile, PlaceStation
from ostbahn.titles.cz.state import EstablishStation, LayTrack
from ostbahn.titles.cz.title import cz_title
from tests.kernel.trails import Land, Trails, exits
from tests.titles.cz.building import Lay, lays, purple_lays, turn
from tests.titles.cz.looking import asked
from tests.titles.cz.scenes import state_of
from tests.titles.cz.test_fitting import PRINTED, chart, first_tiles, keeps, stays_on_map

TITLE = cz_title()
COMPANIES = ("EKJ", "BCB", "OFE", "KFN", "BN", "Sx")
HOMES = {"EKJ": "D4", "BCB": "E15", "OFE": "C25", "KFN": "G19", "VBW": "I9", "MW": "F22", "BTE": "D2"}
NOT_STARTED = ("VBW", "MW", "BTE", "NWB", "ATE")
COLOURS = {"a": "yellow", "d": "yellow green", "g": "yellow green brown", "i": "yellow green brown grey"}
CASH = 30
"""Enough for a hill and not for a mountain."""


class World:
    """A position, and what may be done in it by the words of the rulebook."""

    def __init__(self) -> None:
        homes = {f"{HOMES[company]}.0": (company,) for company in COMPANIES if company in HOMES}
        self.board = Board({"A7": ("8896", 4)}, {**homes, "E11.1": ("BN",), "A7.0": ("Sx",)})
        self.supply: Mapping[str, int] = {name: tile.count for name, tile in TITLE.tiles.items()}
        self.phase = "a"

    def ask(self, company: str, task: Any, cash: int = CASH) -> Game:
        """The engine's view of it, in a later turn of a company that owns a large Local Railway."""
        return turn(
            company,
            others=[other for other in COMPANIES if other != company],
            phase=self.phase,
            tiles=self.board.tiles,
            stations=self.board.stations,
            supply=self.supply,
            cash=dict.fromkeys(COMPANIES, cash),
            locals_of={"L1": company},
            agenda=[task],
        )

    def take(self, game: Game) -> None:
        self.board, self.supply = state_of(game).board, state_of(game).supply

    def trails(self, company: str, board: Board | None = None) -> Trails:
        return Trails(Land(PRINTED, TITLE.tiles, board or self.board), company, 2_000_000)

    def fitting(self, hex_id: str) -> set[Lay]:
        """Tiles in open colours and in supply that fit a hex, whoever lays them."""
        laid = self.board.tiles.get(hex_id)
        if laid is None:
            found = first_tiles(hex_id)
        else:
            found = {
                (hex_id, name, way)
                for name in chart().get(laid[0], set())
                for way in range(6)
                if keeps(laid, (name, way)) and stays_on_map(hex_id, TITLE.tiles[name], way)
            }
        return {lay for lay in found if self.supply[lay[1]] and TITLE.tiles[lay[1]].colour in COLOURS[self.phase]}

    def lays(self, company: str) -> set[Lay]:
        """VIII.4/7, VIII.4/8, VIII.5/7; what it costs aside."""
        sides = self.trails(company).sides
        home = HOMES.get(company)
        return {
            (hex_id, name, way)
            for hex_id in ([home] if home and home not in self.board.tiles else sides)
            for _, name, way in self.fitting(hex_id)
            if exits(TITLE.tiles[name], way) & sides[hex_id]
        }

    def cost(self, lay: Lay) -> int:
        """VIII.4/16, VIII.5/17."""
        return 0 if lay[0] in self.board.tiles else PRINTED[lay[0]].cost

    def connected_afterwards(self, company: str, lay: Lay) -> bool:
        """Whether track of the tile, once it lies there, leads to a station (VIII.5/7 word by word)."""
        hex_id, name, way = lay
        if company in self.board.companies_in(hex_id):
            return True
        after = Board({**self.board.tiles, hex_id: (name, way)}, self.board.stations)
        return bool(self.trails(company, after).sides.get(hex_id, set()) & exits(TITLE.tiles[name], way))

    def cities(self, company: str) -> set[str]:
        """VIII.6/1, VIII.6/5 to VIII.6/11."""
        if len(self.board.stations_of(company)) > 1:
            return set()  # the next one costs 100 K
        land = Land(PRINTED, TITLE.tiles, self.board)
        found = set()
        for city in self.trails(company).nodes:
            hex_id, node = city.split(".")[0], land.node(city)
            kept = sum(HOMES.get(other) == hex_id for other in NOT_STARTED)
            if hex_id == "E11":  # NWB is at home where the track leads south-east
                kept = int("SE" in set(land.from_node(city)))
            free = node.slots - len(self.board.stations.get(city, ())) - kept
            taken = company in self.board.companies_in(hex_id) or hex_id == "B8"
            if node.kind == "city" and free > 0 and not taken:
                found.add(city)
        return found


def grow(world: World, chance: Random) -> None:
    """Some company lays a tile, ordinary or purple-edged, or places a station."""
    company = chance.choice(COMPANIES)
    if chance.random() < 0.2:
        game = world.ask(company, EstablishStation(company), 60)
        choices = [option.action for option in asked(game).only(PlaceStation)]
    else:
        game = world.ask(company, LayTrack(company, first=False))
        choices = [option.action for option in asked(game) if hasattr(option.action, "tile")]
        greener = [action for action in choices if getattr(action, "hex", "") in world.board.tiles]
        choices = greener if greener and chance.random() < 0.5 else choices
    if choices:
        game.apply(chance.choice(sorted(choices, key=repr)))
        world.take(game)


def compare_lays(world: World, company: str, chance: Random) -> Counter[str]:
    game = world.ask(company, LayTrack(company, first=False))
    legal = world.lays(company)
    purple = {lay for lay in legal if TITLE.tiles[lay[1]].purple}
    assert lays(game) == {lay for lay in legal - purple if world.cost(lay) <= CASH}
    assert lays(game, waiver="L1") == {lay for lay in legal - purple if world.cost(lay)}
    assert purple_lays(game) == purple
    seen = Counter({"lays": len(legal), "purple": len(purple)})
    seen["too dear"] = sum(world.cost(lay) > CASH for lay in legal)
    some_hexes = chance.sample(sorted(PRINTED), 6) + chance.sample(sorted(world.board.tiles), 1)
    for lay in [min(fits) for hex_id in some_hexes if (fits := world.fitting(hex_id))]:
        connected = world.connected_afterwards(company, lay)
        seen["connected" if connected else "not connected"] += 1
        at_home = HOMES.get(company) in (None, *world.board.tiles)
        if world.cost(lay) <= CASH and at_home and not TITLE.tiles[lay[1]].purple:
            assert (LayTile(*lay) in asked(game)) is connected
    return seen


def compare_stations(world: World, company: str) -> None:
    question = asked(world.ask(company, EstablishStation(company), 60))
    offered = {option.action for option in question.only(PlaceStation)}
    assert offered == {PlaceStation(city) for city in world.cities(company)}


def play(seed: int, steps: int) -> None:
    chance, world, seen = Random(seed), World(), Counter[str]()
    for step in range(4 * steps):
        world.phase = "adgi"[step // steps]
        grow(world, chance)
        company = chance.choice(COMPANIES)
        seen += compare_lays(world, company, chance)
        compare_stations(world, company)
    kinds = ("connected", "not connected", "lays", "purple", "too dear")
    assert min(seen[kind] for kind in kinds) > steps / 4, seen
    assert len({name for name, _ in world.board.tiles.values()}) > steps / 2, "a varied board"


@pytest.mark.rule(
    "18CZ VIII.4/7", "18CZ VIII.4/8", "18CZ VIII.4/16", "18CZ VIII.5/7", "18CZ VIII.5/17", "18CZ VIII.6/7"
)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_offered_is_what_the_rules_allow(seed: int) -> None:
    play(seed, 16)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 130))
def test_what_is_offered_on_full_boards(seed: int) -> None:
    play(seed, 28)
