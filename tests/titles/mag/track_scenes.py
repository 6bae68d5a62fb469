"""For the tests of track and stations: steps of a minor's turn, and tiles named by the sides that they reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Paid
from ostbahn.testing import Listing
from ostbahn.titles.mag.actions import LayTile, PlaceStation
from ostbahn.titles.mag.state import EstablishStation, LayTrack
from ostbahn.titles.mag.title import mag_title
from tests.kernel.trails import COMPASS, beyond, exits, turned
from tests.titles.mag.scenes import scene, state_of

Tiles = Mapping[str, tuple[str, int]]
TileLay = tuple[str, str, int]
TITLE = mag_title()
PRINTED = {hex_.id: hex_.printed for hex_ in TITLE.map}
PLENTY = {name: 9 for name in TITLE.tiles if TITLE.piece(name) == name}
"""A supply that a test need not care for."""


# Tiles


def rotation(tile: str, *sides: str) -> int:
    """How a tile lies whose track reaches just these sides."""
    for turn in range(6):
        if exits(TITLE.tiles[tile], turn) == set(sides):
            return turn
    raise ValueError(f"tile {tile} never reaches just {sides}")


def facing(tile: str, *sides: str) -> tuple[str, int]:
    """A tile as it lies on the board, its track reaching just these sides."""
    return tile, rotation(tile, *sides)


def lay(hex_id: str, tile: str, *sides: str, token: bool = False, track_for: str | None = None) -> LayTile:
    return LayTile(hex_id, tile, rotation(tile, *sides), token, track_for)


# Games


def track_step(minor: str, tiles: Tiles | None = None, *, laid: int = 0, promoted: bool = False, **fields: Any) -> Game:
    """A minor is asked for track; it has 500 Ft unless the test says something else."""
    money = {minor: 500, **fields.pop("cash", {})}
    agenda = [EstablishStation(minor), LayTrack(minor, laid, promoted)]
    return scene(agenda=agenda, tiles=tiles, cash=money, **fields)


def station_step(minor: str, tiles: Tiles | None = None, **fields: Any) -> Game:
    """A minor is asked for a station; it has 500 Ft unless the test says something else."""
    money = {minor: 500, **fields.pop("cash", {})}
    return scene(**{"agenda": [EstablishStation(minor)], **fields, "tiles": tiles, "cash": money})


def surrounded(hex_id: str, tile: tuple[str, int] | None = None, **fields: Any) -> Game:
    """Minor 3 has a city with six exits and a station on all sides of a hex, where it can, and all colours are open."""
    around = [there for side in COMPASS if (there := beyond(hex_id, side)) in PRINTED]
    built = [there for there in around if PRINTED[there].ground == "open"]
    return track_step(
        "3",
        {**dict.fromkeys(built, ("455", 0)), **({hex_id: tile} if tile else {})},
        owners={"3": "p1"},
        **{
            "phase": "grey",
            "stations": {f"{there}.0": ["3"] for there in built if there != "E10"},
            "supply": PLENTY,
            **fields,
        },
    )


# Looking


def question_of(game: Game) -> Question:
    """The question; the test is wrong if the game is over."""
    question = game.question
    assert question is not None
    return question


def refusal_rule(game: Game, action: Action) -> str:
    """The rule on which a refusal rests, or "allowed"; the listing of legal answers must say the same."""
    refusal = game.refusal(action)
    assert (refusal is None) == Listing(question_of(game), game.table.title.tile_set).covers(action)
    return "allowed" if refusal is None else refusal.rule


def minimal_action(game: Game) -> Action:
    """The least that can be answered: a pass, otherwise the first of what must be."""
    return Pass() if Pass() in question_of(game) else question_of(game).options[0].action


def lays(game: Game, hex_id: str | None = None, token: bool = False) -> set[TileLay]:
    """All lays on one hex or anywhere, paid for or with a terrain token; one is offered of those that look the same."""
    return {
        (action.hex, action.tile, rotation)
        for option in question_of(game)
        if isinstance(action := option.action, LayTile) and hex_id in (None, action.hex) and action.token == token
        for rotation in TITLE.tile_set.alike[action.tile][action.rotation]
    }


def names(game: Game, hex_id: str) -> set[str]:
    """The tiles that are offered for a hex, however they lie."""
    return {tile for _, tile, _ in lays(game, hex_id)}


def cities(game: Game) -> set[str]:
    """Where a station can be put."""
    return {action.city for option in question_of(game) if isinstance(action := option.action, PlaceStation)}


def stations_of(game: Game, hex_id: str) -> dict[str, tuple[str, ...]]:
    """The stations of one hex."""
    stations = state_of(game).board.stations
    return {city: companies for city, companies in stations.items() if city.partition(".")[0] == hex_id}


def sides_of(game: Game, city: str) -> set[str]:
    """The sides to which the track of a city leads, as it lies."""
    hex_id, _, node = city.partition(".")
    laid = state_of(game).board.tiles.get(hex_id)
    track = PRINTED[hex_id].track if laid is None else TITLE.tiles[laid[0]].track
    turn = 0 if laid is None else laid[1]
    return {str(turned(end, turn)) for piece in track if int(node) in piece for end in piece if isinstance(end, str)}


def cash_of(game: Game, who: str) -> int:
    return state_of(game).cash[who]


def payments(events: tuple[Event, ...]) -> list[tuple[str, str, int]]:
    return [(event.source, event.target, event.amount) for event in events if isinstance(event, Paid)]
