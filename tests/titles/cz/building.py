"""For the tests of track and stations: a company's turn, and tiles named by the sides that they join."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import LayPurpleTile, LayTile
from ostbahn.titles.cz.state import OperatingRound
from ostbahn.titles.cz.title import cz_title
from tests.kernel.trails import exits
from tests.titles.cz.looking import asked
from tests.titles.cz.scenes import scene, state_of

Tiles = Mapping[str, tuple[str, int]]
Lay = tuple[str, str, int]
STARTS = {"small": 60, "medium": 60, "large": 90}
FURTHER = {"small": 0, "medium": 1, "large": 3}
TRAINS = {"small": [("d1", "3")], "medium": [("d2", "3+3")], "large": [("d3", "3E")]}


def size_of(company: str) -> str:
    return cz_title().companies[company].size


def rotation(tile: str, *sides: str) -> int:
    """How a tile lies whose track reaches just these sides."""
    for turn in range(6):
        if exits(cz_title().tiles[tile], turn) == set(sides):
            return turn
    raise ValueError(f"tile {tile} never reaches just {sides}")


def on(tile: str, *sides: str) -> tuple[str, int]:
    """A tile as it lies on the board, its track reaching just these sides."""
    return tile, rotation(tile, *sides)


def lay(hex_id: str, tile: str, *sides: str, waiver: str | None = None) -> LayTile:
    return LayTile(hex_id, tile, rotation(tile, *sides), waiver)


def purple(local: str, hex_id: str, tile: str, *sides: str) -> LayPurpleTile:
    return LayPurpleTile(local, hex_id, tile, rotation(tile, *sides))


def turn(*companies: str, director: str = "p1", others: Iterable[str] = (), **fields: Any) -> Game:
    """The turns of these companies, one after the other, in phase d; each has its first turn unless it has a station.

    All have 500 K and a train that they can run. The others have started too, with a second Director.
    """
    everybody = {**dict.fromkeys(companies, director), **dict.fromkeys(others, "p2")}
    return scene(
        **{
            "phase": "d",
            "started": {company: (STARTS[size_of(company)], owner) for company, owner in everybody.items()},
            "shares": {company: {owner: FURTHER[size_of(company)]} for company, owner in everybody.items()},
            "trains": {company: TRAINS[size_of(company)] for company in everybody},
            "agenda": [OperatingRound(tuple(companies))],
            **fields,
            "cash": {**dict.fromkeys(everybody, 500), **fields.get("cash", {})},
        }
    )


def ekj(*sides: str, tiles: Tiles | None = None, **fields: Any) -> Game:
    """A later turn of EKJ, whose yellow home tile joins these opposite sides."""
    return turn(
        "EKJ", **{"phase": "a", **fields}, tiles={"D4": on("57", *sides), **(tiles or {})}, stations={"D4.0": ["EKJ"]}
    )


def bcb(*sides: str, tiles: Tiles | None = None) -> Game:
    """A later turn of BCB, whose yellow home tile in Pardubice joins these opposite sides."""
    return turn("BCB", phase="a", tiles={"E15": on("57", *sides), **(tiles or {})}, stations={"E15.0": ["BCB"]})


def laid_on(game: Game) -> dict[str, tuple[str, int]]:
    """The tiles on the board."""
    return dict(state_of(game).board.tiles)


def lays(game: Game, hex_id: str | None = None, waiver: str | None = None) -> set[Lay]:
    """All ordinary lays on one hex or anywhere, paid for or with the cost waived; of rotations that look the same one
    is offered."""
    return {
        (action.hex, action.tile, rotation)
        for option in asked(game)
        if isinstance(action := option.action, LayTile) and hex_id in (None, action.hex) and action.waiver == waiver
        for rotation in cz_title().tile_set.alike[action.tile][action.rotation]
    }


def purple_lays(game: Game, hex_id: str | None = None) -> set[Lay]:
    """All lays of purple-edged tiles; of rotations that look the same one is offered."""
    return {
        (action.hex, action.tile, rotation)
        for option in asked(game)
        if isinstance(action := option.action, LayPurpleTile) and hex_id in (None, action.hex)
        for rotation in cz_title().tile_set.alike[action.tile][action.rotation]
    }


def tiles_of(*colours: str, purple_edged: bool | None = None) -> list[str]:
    """Names of all tiles in these colours."""
    return [
        name
        for name, tile in cz_title().tiles.items()
        if tile.colour in colours and purple_edged in (None, tile.purple)
    ]
