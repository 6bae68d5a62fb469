"""The board on a page: the whole of it once, and after that only the hexes that look different."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, cast

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board, hex_of
from ostbahn.pictures.board import DrawnRoute, Scene, draw_board, draw_route, frame_of, hex_group, stops_above
from ostbahn.pictures.look import full_name, scene_of
from ostbahn.pictures.svg import group
from ostbahn.pictures.themes import Theme
from ostbahn.pictures.tiles import layout_of

Cities = dict[str, list[dict[str, Any]]]
CITIES: Final = "places of cities"
"""Under this a board remembers them."""


def board_svg(game: Game, theme: Theme) -> str:
    return draw_board(scene_of(game), theme, name=f"Board of {full_name(game.table.title)}")


def changed_hexes(before: Game, after: Game, theme: Theme) -> dict[str, str]:
    """Hexes that have to be put anew: id to SVG."""
    old, new = scene_of(before), scene_of(after)
    frame = frame_of(new.title.map)
    touched = _touched(old.board, new.board) if old.colour == new.colour else {hex_.id for hex_ in new.title.map}
    drawn = (
        (hex_.id, hex_group(old, frame, hex_, theme), hex_group(new, frame, hex_, theme))
        for hex_ in new.title.map
        if hex_.id in touched
    )
    return {hex_id: now for hex_id, was, now in drawn if was != now}


def _touched(old: Board, new: Board) -> set[str]:
    """Hexes with another tile or other stations; within a phase nothing else changes how one looks."""
    if old is new:
        return set()
    tiles = old.tiles.items() ^ new.tiles.items()
    stations = old.stations.items() ^ new.stations.items()
    return {hex_id for hex_id, _ in tiles} | {hex_of(place) for place, _ in stations}


def routes_svg(game: Game, paths: Iterable[tuple[str, ...]], theme: Theme) -> str:
    """Routes as a group that lies over the hexes; an empty path leaves its colour to its train.

    Somebody who draws a route may come to nowhere: such a path is left out.
    """
    scene = scene_of(game)
    frame = frame_of(scene.title.map)
    routes = [DrawnRoute(path if _is_way(scene, path) else ()) for path in paths]
    parts = [draw_route(scene, frame, route, index, theme) for index, route in enumerate(routes) if route.path]
    return group([*parts, *stops_above(scene, frame, routes, theme)], class_="routes-drawn")


def _is_way(scene: Scene, path: tuple[str, ...]) -> bool:
    """Whether a path leads from hex to hex by places that there are, whatever else may be wrong with it."""
    board, map_ = scene.board, scene.title.map
    parts = [name.partition(".") for name in path]
    if any(hex_id not in map_ for hex_id, _, _ in parts):
        return False
    places = {hex_id: len(board.face(scene.title.tile_set, map_[hex_id]).nodes) for hex_id, _, _ in parts}
    return all(not dot or node in map(str, range(places[hex_id])) for hex_id, dot, node in parts) and all(
        there in map_[here].towards for (here, _, _), (there, _, _) in pairwise(parts)
    )


def cities_of(game: Game) -> Cities:
    """Where cities and towns are, seen from the middle of their hex: to tell which one a click means."""
    scene = scene_of(game)
    known = scene.board.remembered(CITIES)
    return cast(Cities, known) if known is not None else scene.board.remember(CITIES, _cities(scene))


def _cities(scene: Scene) -> Cities:
    found = {}
    for hex_ in scene.title.map:
        face = scene.board.face(scene.title.tile_set, hex_)
        if face.nodes:
            found[hex_.id] = [
                {"id": f"{hex_.id}.{node}", "x": round(place.centre.x, 1), "y": round(place.centre.y, 1)}
                for node, place in enumerate(layout_of(face).places)
            ]
    return found
