"""Sheets of tiles, the tile manifest, single hexes, blank boards, and boards with a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.pictures.board import DrawnRoute, draw_board
from ostbahn.pictures.board_style import full_name, land_of, marks_of
from ostbahn.pictures.geometry import APOTHEM, RADIUS
from ostbahn.pictures.hexes import BoardScene, draw_hex, frame_of
from ostbahn.pictures.svg import box, element, group, heading, line, muted, number, page, title_tag, translate
from ostbahn.pictures.themes import DASHES, LIGHT, Theme
from ostbahn.pictures.tiles import draw_tile

SCALE: Final = 0.72
WIDTH: Final = 2 * APOTHEM * SCALE + 16
HEIGHT: Final = 2 * RADIUS * SCALE + 34
GAP: Final = 8.0
MARGIN: Final = 20.0
MANIFEST_ACROSS: Final = 1100.0
ORDER: Final = (*COLOURS, "red")


def pieces_of(title: Title) -> list[tuple[str, ...]]:
    """Tile pieces; a double-sided one has two faces."""
    faces_by_piece: dict[str, list[str]] = {}
    for name in title.tiles:
        faces_by_piece.setdefault(title.piece(name), []).append(name)
    return [tuple(faces) for faces in faces_by_piece.values()]


def manifest_picture(game: Game, theme: Theme = LIGHT) -> str:
    table = game.table
    title, supply = table.title, dict(table.state.supply)
    left = {piece: supply[title.piece(piece[0])] for piece in pieces_of(title)}  # its faces share the count
    parts = [heading(f"{full_name(title)} tiles left", MARGIN, 32, theme)]
    y = 48.0
    for colour in ORDER:
        chosen = [piece for piece in left if title.tiles[piece[0]].colour == colour]
        if not chosen:
            continue
        total = sum(left[piece] for piece in chosen)
        whole = sum(title.tiles[piece[0]].count for piece in chosen)
        parts.append(line(f"{colour}: {total} of {whole} left", MARGIN, y + 15, 15, theme.ink, bold=True))
        y += 24
        x = MARGIN
        for piece in chosen:
            wide = WIDTH * len(piece)
            if x + wide > MANIFEST_ACROSS - MARGIN:
                x, y = MARGIN, y + HEIGHT + GAP
            parts.append(_piece(title, piece, left[piece], x, y, theme))
            x += wide + GAP
        y += HEIGHT + GAP + 4
    counts = "; ".join(f"{'/'.join(piece)}: {count}" for piece, count in left.items())
    return page(MANIFEST_ACROSS, y + MARGIN - GAP, parts, theme, f"Tiles of {full_name(title)}", counts)


def _piece(title: Title, piece: tuple[str, ...], left: int, x: float, y: float, theme: Theme) -> str:
    """A piece with its faces, pale if none is left."""
    wide, count = WIDTH * len(piece), title.tiles[piece[0]].count
    name = " ".join(filter(None, ("/".join(piece), title.tiles[piece[0]].company)))
    faces = [
        group(
            [draw_tile(face, title.tiles[face], title.tile_set.faces[face][0], theme)],
            transform=translate(x + (side + 0.5) * WIDTH, y + 4 + RADIUS * SCALE, SCALE),
            opacity=0.35 if left == 0 else None,
        )
        for side, face in enumerate(piece)
    ]
    foot, words, colour = y + HEIGHT - 9, f"{left} of {count}", theme.ink if left else muted(theme)
    parts = [
        title_tag(f"tile {name}: {words} left"),
        box(x, y, wide, HEIGHT, theme.card, theme.border),
        *faces,
        line(name, x + 7, foot, 11, muted(theme), width=wide * 0.4),
        line(words, x + wide - 7, foot, 12.5, colour, anchor="end", width=wide * 0.6 - 12, bold=left > 0),
    ]
    return group(parts, id=f"tile-{'-'.join(piece)}")


HEX_MARGIN: Final = 4.0
HEADING: Final = 40.0
TILES_PER_ROW: Final = 3
NAME_WIDTH: Final = 90.0
KEY_ROW: Final = 30.0


def hex_picture(scene: BoardScene, hex_id: str, theme: Theme) -> str:
    hexes = {hex_.id: hex_ for hex_ in scene.title.map}
    hex_ = hexes.get(hex_id) or hexes.get(hex_id.upper())  # a row above A has a small letter
    if hex_ is None:
        raise BadSetup(f"there is no hex {hex_id} on this board")
    name = hex_.id if hex_.printed.name is None else f"{hex_.id} {hex_.printed.name}"
    laid = scene.board.tiles.get(hex_.id)
    return _alone(draw_hex(scene, hex_, theme), name, f"tile {laid[0]}" if laid else "as printed", theme)


def tile_picture(title: Title, tile: str, rotation: int, theme: Theme) -> str:
    if tile not in title.tiles:
        raise BadSetup(f"there is no tile {tile}; there are {', '.join(title.tiles)}")
    if rotation not in range(6):
        raise BadSetup(f"a tile has the rotations 0 to 5, not {rotation}")
    kind = title.tiles[tile]
    drawn = draw_tile(tile, kind, title.tile_set.faces[tile][rotation], theme)
    places = "".join(f", {node.kind} {node.value}" for node in kind.nodes if isinstance(node.value, int))
    return _alone(drawn, f"Tile {tile}", f"{kind.colour}, rotation {rotation}{places}", theme)


def _alone(drawn: str, name: str, description: str, theme: Theme) -> str:
    width, height = 2 * (APOTHEM + HEX_MARGIN), 2 * (RADIUS + HEX_MARGIN)
    middle = group([drawn], transform=translate(width / 2, height / 2))
    return page(width, height, [middle], theme, name, description)


def contact_sheet(title: Title, theme: Theme) -> str:
    """Every tile of a title in every rotation."""
    tiles, name = list(title.tiles), f"All tiles of {full_name(title)}"
    step_x, step_y = 2 * (APOTHEM + HEX_MARGIN), 2 * (RADIUS + HEX_MARGIN)
    block = NAME_WIDTH + 6 * step_x + 4 * HEX_MARGIN
    rows = -(-len(tiles) // TILES_PER_ROW)
    width, height = TILES_PER_ROW * block + 4 * HEX_MARGIN, HEADING + rows * step_y + 4 * HEX_MARGIN
    parts = [heading(name, 4 * HEX_MARGIN, HEADING * 0.7, theme)]
    for index, tile in enumerate(tiles):
        column, row = divmod(index, rows)
        x, y = 4 * HEX_MARGIN + column * block, HEADING + row * step_y
        parts.append(heading(tile, x, y + step_y / 2, theme, 18))
        parts.append(line(_amount(title, tile), x, y + step_y / 2 + 18, 13, theme.faint))
        for rotation in range(6):
            centre = (x + NAME_WIDTH + (rotation + 0.5) * step_x, y + step_y / 2)
            drawn = draw_tile(tile, title.tiles[tile], title.tile_set.faces[tile][rotation], theme)
            content = [title_tag(f"{tile}, rotation {rotation}"), drawn]
            parts.append(group(content, id=f"tile-{tile}-{rotation}", transform=translate(*centre)))
    return page(width, height, parts, theme, name, f"{len(tiles)} tiles in six rotations")


def _amount(title: Title, tile: str) -> str:
    kind = title.tiles[tile]
    return f"× {kind.count}" if kind.back is None else f"× {kind.count}, with {kind.back}"


def blank_board(title: Title, theme: Theme) -> str:
    """The printed board; hexes reserved for a company name it."""
    reserved = {hex_.id: (hex_.printed.reserved_for,) for hex_ in title.map if hex_.printed.reserved_for}
    scene = BoardScene(title, Board({}, {}), "", marks_of(title), reserved, land_of(title))
    return draw_board(scene, theme, name=f"Board of {full_name(title)}")


def run_picture(scene: BoardScene, routes: Sequence[DrawnRoute], name: str, theme: Theme) -> str:
    """The board with a run, and a key of its lines."""
    frame, left = frame_of(scene.title.map), RADIUS
    parts = [draw_board(scene, theme, routes, name=name), heading(name, left, frame.height + HEADING / 2, theme)]
    for index, route in enumerate(routes):
        y = frame.height + HEADING + (index + 0.3) * KEY_ROW
        colour, dash = theme.routes[index % len(theme.routes)], DASHES[index % len(DASHES)] or None
        way = f"M{number(left)} {number(y - 5)}h70"
        parts.append(element("path", d=way, stroke=colour, stroke_width=6, stroke_dasharray=dash))
        parts.append(line(route.name, left + 85, y, 16, theme.ink))
    height = frame.height + HEADING + len(routes) * KEY_ROW
    return page(frame.width, height, parts, theme, name, "; ".join(route.name for route in routes))
