"""The tile manifest: every tile with how many are left of it."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.pictures.geometry import APOTHEM, RADIUS
from ostbahn.pictures.look import full_name
from ostbahn.pictures.panels import box, card_ground, heading, line, page, soft
from ostbahn.pictures.svg import group, number, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.tiles import draw_tile

SCALE: Final = 0.72
WIDTH: Final = 2 * APOTHEM * SCALE + 16
"""Of a tile in its frame."""
HEIGHT: Final = 2 * RADIUS * SCALE + 34
GAP: Final = 8.0
MARGIN: Final = 20.0
ACROSS: Final = 1100.0
ORDER: Final = (*COLOURS, "red")


def pieces_of(title: Title) -> list[tuple[str, ...]]:
    """All kinds of pieces; both faces of a double-sided one together, each piece once."""
    found: dict[str, list[str]] = {}
    for name in title.tiles:
        found.setdefault(title.piece(name), []).append(name)
    return [tuple(faces) for faces in found.values()]


def left_of(title: Title, supply: dict[str, int], piece: tuple[str, ...]) -> int:
    """How many of a piece lie beside the board; its faces share the count."""
    return supply[title.piece(piece[0])]


def manifest_picture(game: Game, theme: Theme = LIGHT) -> str:
    table = game.table
    title, supply = table.title, dict(table.state.supply)
    pieces = pieces_of(title)
    parts = [heading(f"{full_name(title)} tiles left", MARGIN, 32, theme)]
    y = 48.0
    for colour in ORDER:
        chosen = [piece for piece in pieces if title.tiles[piece[0]].colour == colour]
        if not chosen:
            continue
        total = sum(left_of(title, supply, piece) for piece in chosen)
        whole = sum(title.tiles[piece[0]].count for piece in chosen)
        parts.append(line(f"{colour}: {total} of {whole} left", MARGIN, y + 15, 15, theme.ink, bold=True))
        y += 24
        x = MARGIN
        for piece in chosen:
            wide = WIDTH * len(piece)
            if x + wide > ACROSS - MARGIN:
                x, y = MARGIN, y + HEIGHT + GAP
            parts.append(_piece(title, piece, left_of(title, supply, piece), x, y, theme))
            x += wide + GAP
        y += HEIGHT + GAP + 4
    told = "; ".join(f"{'/'.join(piece)}: {left_of(title, supply, piece)}" for piece in pieces)
    return page(ACROSS, y + MARGIN - GAP, parts, theme, f"Tiles of {full_name(title)}", told)


def _piece(title: Title, piece: tuple[str, ...], left: int, x: float, y: float, theme: Theme) -> str:
    """A piece with both its faces; what has run out is pale."""
    wide, count = WIDTH * len(piece), title.tiles[piece[0]].count
    name = " ".join(filter(None, ("/".join(piece), title.tiles[piece[0]].company)))
    faces = [
        group(
            [draw_tile(face, title.tiles[face], title.tile_set.faces[face][0], theme)],
            transform=f"translate({number(x + (at + 0.5) * WIDTH)} {number(y + 4 + RADIUS * SCALE)}) scale({SCALE})",
            opacity=0.35 if left == 0 else None,
        )
        for at, face in enumerate(piece)
    ]
    foot = y + HEIGHT - 9
    return group(
        [
            titled(f"tile {name}: {left} of {count} left"),
            box(x, y, wide, HEIGHT, card_ground(theme), theme.border),
            *faces,
            line(name, x + 7, foot, 11, soft(theme), width=wide * 0.4),
            line(
                f"{left} of {count}",
                x + wide - 7,
                foot,
                12.5,
                soft(theme) if left == 0 else theme.ink,
                anchor="end",
                width=wide * 0.6 - 12,
                bold=left > 0,
            ),
        ],
        id=f"tile-{'-'.join(piece)}",
    )
