"""The table of a game or its title, whichever of both a picture wants, and words that several pictures use."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle, ServiceSpec

AnyTitle = CzTitle | MagTitle
AnyTable = CzTable | MagTable
CURRENCY: Final = {"18CZ": "K", "18Mag": "Ft"}
CARS: Final = {"off_board": "off-board car", "plus": "plus-train", "mine": "mine car"}
SERVICES: Final = {"terrain": "terrain", "extra_tile": "extra tile", "station": "stations"}
VARIANTS: Final = {
    "base": "",
    "bohemia": "Bohemia",
    "moravia": "Moravia-Silesia",
    "two_player": "for two",
    "solo": "solo",
}
"""What a variant adds to the name of its title."""
NONE: Final = "–"


def table_of_game(game: Game) -> AnyTable:
    table = game.table
    assert isinstance(table, (CzTable, MagTable))
    return table


def title_of(game: Game) -> AnyTitle:
    return table_of_game(game).title


def money(title: AnyTitle, amount: int) -> str:
    return f"{amount} {CURRENCY[title.name]}"


def name_of(title: AnyTitle) -> str:
    """Title and variant, as pictures are called."""
    variant = variant_of(title)
    return f"{title.name} {VARIANTS[variant]}".rstrip()


def variant_of(title: AnyTitle) -> str:
    """The variant, by the class that describes it; the game for two of 18Mag says so itself."""
    if isinstance(title, MagTitle):
        return title.variant
    return type(title).__name__.removesuffix("Title").lower().replace("cz", "base")


def rail_cars(title: MagTitle) -> dict[str, ServiceSpec]:
    """The kinds of rail cars that there are, with who sells them."""
    cars = title.rail_cars
    found = {"off_board": cars.off_board, "plus": cars.plus, "mine": cars.mine}
    return {kind: spec for kind, spec in found.items() if spec is not None}


def sells(title: MagTitle, major: str) -> list[str]:
    """What a major lives on."""
    found = [f"{CARS[kind]}s" for kind, spec in rail_cars(title).items() if spec.major == major]
    found += [name for service, name in SERVICES.items() if title.services[service].major == major]
    return found + [f"{face}-trains" for face, stack in title.stacks.items() if stack.seller == major]


def place_name(title: AnyTitle, city: str, board: Board | None = None) -> str:
    """The name of the hex or city in which a station stands; on a tile the cities of a hex have no names of their own,
    as it may count them otherwise."""
    hex_id, _, node = city.partition(".")
    printed = title.map[hex_id].printed
    bare = board is None or hex_id not in board.tiles
    if bare and node and int(node) < len(printed.city_names):
        return printed.city_names[int(node)]
    return printed.name or hex_id


def part_words(part: tuple[int, int]) -> str:
    """1/2 as a part of a price."""
    return "all" if part[0] == part[1] else {(1, 2): "half", (1, 4): "a quarter"}.get(part, f"{part[0]}/{part[1]}")
