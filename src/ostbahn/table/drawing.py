"""Draws the board for a page: whole at first, then only the hexes that changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, cast

from ostbahn.analysis.runs import CompanyTrains, companies_of
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board, Hex, hex_of, moved_stations
from ostbahn.kernel.map.tiles import heirs
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.pictures.board import DrawnRoute, draw_board, draw_network, draw_rings, draw_route, draw_stops
from ostbahn.pictures.board_style import full_name, scene_of
from ostbahn.pictures.hexes import BoardScene, draw_hex, frame_of, hex_group
from ostbahn.pictures.svg import group, translate
from ostbahn.pictures.themes import Theme
from ostbahn.pictures.tiles import layout_of
from ostbahn.table.access import NotHere
from ostbahn.views.models import View
from ostbahn.views.title_views import views_of


class CityPlace(View, frozen=True, kw_only=True):
    """The position of a city or town relative to the centre of its hex."""

    id: str
    x: float
    y: float


Cities = Mapping[str, tuple[CityPlace, ...]]
"""By hex."""
CITIES: Final = "places of cities"
"""Key of these positions in the cache of a board."""
NETWORK_STEPS: Final = 6_000
"""Search steps for the best run in `network_svg`; few, since a player only hovers over a company."""


def board_svg(game: Game, theme: Theme) -> str:
    return draw_board(scene_of(game), theme, name=f"Board of {full_name(game.table.title)}")


def changed_hexes(before: Game, after: Game, theme: Theme) -> dict[str, str]:
    """The SVG of each hex that looks different, by id."""
    old, new = scene_of(before), scene_of(after)
    map_ = new.title.map
    frame = frame_of(map_)
    candidates = _possibly_changed_hexes(old, new) if old.colour == new.colour else map_.hexes
    drawn = {
        hex_.id: (hex_group(old, frame, hex_, theme), hex_group(new, frame, hex_, theme))
        for hex_ in map_
        if hex_.id in candidates
    }
    return {hex_id: new_svg for hex_id, (old_svg, new_svg) in drawn.items() if old_svg != new_svg}


def _possibly_changed_hexes(old: BoardScene, new: BoardScene) -> set[str]:
    """Hexes with another tile, stations or homes; within a phase nothing else changes how a hex looks."""
    homes = {place for place in {*old.homes, *new.homes} if old.homes.get(place) != new.homes.get(place)}
    hexes = {hex_of(place) for place in homes}
    if old.board is not new.board:
        hexes |= {hex_id for hex_id, _ in old.board.tiles.items() ^ new.board.tiles.items()}
        hexes |= {hex_of(place) for place, _ in old.board.stations.items() ^ new.board.stations.items()}
    return hexes


def routes_svg(game: Game, paths: Iterable[tuple[str, ...]], theme: Theme) -> str:
    """Draw routes over the board, without those that a player drew to nowhere; an empty path still uses up a colour."""
    scene = scene_of(game)
    frame = frame_of(scene.title.map)
    routes = [DrawnRoute(path if _is_drawable(scene, path) else ()) for path in paths]
    parts = [draw_route(scene, frame, route, index, theme) for index, route in enumerate(routes) if route.path]
    return group([*parts, *draw_stops(scene, frame, routes, theme)], class_="routes-drawn")


def _is_drawable(scene: BoardScene, path: tuple[str, ...]) -> bool:
    """Whether a path leads through existing places of adjacent hexes; it may still be illegal."""
    board, map_ = scene.board, scene.title.map
    parts = [name.partition(".") for name in path]
    if any(hex_id not in map_ for hex_id, _, _ in parts):
        return False
    node_counts = {hex_id: len(board.face(scene.title.tile_set, map_[hex_id]).nodes) for hex_id, _, _ in parts}
    nodes_exist = all(not dot or node in map(str, range(node_counts[hex_id])) for hex_id, dot, node in parts)
    return nodes_exist and all(next_ in map_[hex_id].towards for (hex_id, _, _), (next_, _, _) in pairwise(parts))


# Previews and networks


def preview_svg(game: Game, hex_id: str, tile: str, turned: str, theme: Theme) -> str:
    """Draw a hex with a tile laid on it, with its stations and name."""
    scene = scene_of(game)
    hex_ = scene.title.map.hexes.get(hex_id)
    if hex_ is None:
        raise NotHere(f"there is no hex {hex_id} on this map")
    if tile not in scene.title.tiles or turned not in map(str, range(6)):
        raise NotHere(f"there is no tile {tile} at rotation {turned}")
    rotation = int(turned)
    board = _board_after_answer(game, hex_, tile, rotation) or _board_with_tile(scene, hex_, tile, rotation)
    x, y = frame_of(scene.title.map).centre(hex_id)
    return group(
        [draw_hex(scene._replace(board=board), hex_, theme)],
        class_="ghost",
        data_hex=hex_id,
        data_tile=tile,
        data_rotation=rotation,
        transform=translate(x, y),
    )


def _board_after_answer(game: Game, hex_: Hex, tile: str, rotation: int) -> Board | None:
    """The board after the legal answer that lays this tile; None without such an answer."""
    question, views = game.question, views_of(game)
    if question is None:
        return None
    for action in (option.action for option in question):
        place = getattr(action, "hex", None), getattr(action, "rotation", None)
        if place == (hex_.id, rotation) and views.tile(question, action) == tile:
            return game.table_after(action).state.board
    return None


def _board_with_tile(scene: BoardScene, hex_: Hex, tile: str, rotation: int) -> Board:
    """The board with the tile on it, even if laying it is illegal."""
    tile_set = scene.title.tile_set
    node_heirs = heirs(scene.board.face(tile_set, hex_), tile_set.faces[tile][rotation])
    if node_heirs is None:
        raise NotHere(f"tile {tile} at rotation {rotation} does not fit {hex_.id}")
    return scene.board.with_tile(hex_.id, tile, rotation, moved_stations(scene.board, hex_, node_heirs))


def network_svg(game: Game, company: str, theme: Theme) -> str:
    """Draw a company's reachable track, stations and best run over the board."""
    table, scene = game.table, scene_of(game)
    if company not in table.title.charters:
        raise NotHere(f"there is no company {company} in this game")
    reach = best = None
    figures: dict[str, str] = {}
    if company in companies_of(game):
        reach, fleet = table.title.surveyor.reach(scene.board, company), CompanyTrains(table, company)
        if fleet.faces:
            best = fleet.best(StepBudget(NETWORK_STEPS, free_steps=NETWORK_STEPS // 10))
            figures = {"data_revenue": str(best.worth), "data_proven": str(best.proven).lower()}
    frame = frame_of(scene.title.map)
    routes = [DrawnRoute(route.path, route.face) for route in best.routes] if best is not None else []
    reached = [] if reach is None else [DrawnRoute(tuple(reach.nodes))]
    return group(
        [
            draw_network(scene, frame, company, reach, theme),
            *(draw_route(scene, frame, route, index, theme) for index, route in enumerate(routes)),
            *draw_stops(scene, frame, [*routes, *reached], theme),
            draw_rings(scene, frame, company, theme),
        ],
        class_="network",
        data_company=company,
        **figures,
    )


# Clicks


def cities_of(game: Game) -> Cities:
    """Positions of cities and towns in their hexes, from which the page tells which one was clicked."""
    scene = scene_of(game)
    cached = scene.board.cached(CITIES)
    return cast(Cities, cached) if cached is not None else scene.board.cache(CITIES, _locate_cities(scene))


def _locate_cities(scene: BoardScene) -> Cities:
    faces = {hex_.id: scene.board.face(scene.title.tile_set, hex_) for hex_ in scene.title.map}
    return {
        hex_id: tuple(
            CityPlace(id=f"{hex_id}.{node}", x=round(place.centre.x, 1), y=round(place.centre.y, 1))
            for node, place in enumerate(layout_of(face).places)
        )
        for hex_id, face in faces.items()
        if face.nodes
    }
