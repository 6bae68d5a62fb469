"""The upgrade chart, derived from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.kits.data import MAX_CACHED_TITLES
from ostbahn.pictures.board_style import full_name
from ostbahn.pictures.geometry import APOTHEM, RADIUS
from ostbahn.pictures.hexes import ground_of
from ostbahn.pictures.label_placement import FaceLabels
from ostbahn.pictures.svg import box, element, group, heading, line, muted, number, page, title_tag, translate
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.tiles import draw_face, draw_tile, outline

Promotions = Mapping[str, Mapping[str, tuple[int, ...]]]
"""Tile to its possible successors, with their relative rotations."""
PLURALS: Final = {"track": "track", "town": "towns", "city": "cities"}
A3: Final = (1680.0, 1188.0)
"""Four units per millimetre."""
MARGIN: Final = 28.0
TOP: Final = 62.0


class BareHexes(NamedTuple):
    """Bare hexes that take the same first tiles."""

    hexes: tuple[Hex, ...]
    takes: tuple[str, ...]

    @property
    def first(self) -> Hex:
        return self.hexes[0]


@lru_cache(maxsize=MAX_CACHED_TITLES)
def promotions_of(title: Title) -> Promotions:
    """All promotions that some hex of the map allows, found by graph search from the bare hexes."""
    turns: dict[str, dict[str, set[int]]] = {}
    for hex_ in _different(title):
        open_placements: list[tuple[str, int] | None] = [None]
        reached = set(open_placements)
        while open_placements:
            laid = open_placements.pop()
            for name, rotations in title.fitting(hex_, laid).items():
                for rotation in rotations:
                    if laid is not None:
                        turn = (rotation - laid[1]) % 6
                        turns.setdefault(laid[0], {}).setdefault(name, set()).add(turn)
                    if (name, rotation) not in reached:
                        reached.add((name, rotation))
                        open_placements.append((name, rotation))
    return {
        old: {new: tuple(sorted(turns[old][new])) for new in title.tiles if new in turns[old]}
        for old in title.tiles
        if old in turns
    }


def _different(title: Title) -> list[Hex]:
    """One hex per class of hexes that take the same tiles."""
    kinds: dict[tuple[object, ...], Hex] = {}
    for hex_ in title.map:
        printed = hex_.printed
        key = (
            *(printed.ground, printed.label, printed.label_from, printed.track, hex_.face.kinds),
            *(hex_.stubs, hex_.marked, hex_.shores, printed.reserved_for),
        )
        kinds.setdefault(key, hex_)
    return list(kinds.values())


@lru_cache(maxsize=MAX_CACHED_TITLES)
def bare_hexes_of(title: Title) -> tuple[BareHexes, ...]:
    """The hexes of the map grouped by what is printed on them."""
    hexes: dict[tuple[object, ...], list[Hex]] = {}
    for hex_ in title.map:
        if title.fitting(hex_, None):
            key = (hex_.printed.ground, hex_.printed.label, hex_.printed.label_from, hex_.face.kinds)
            hexes.setdefault(key, []).append(hex_)
    grounds = []
    for alike in hexes.values():
        taken = {name for hex_ in alike for name in title.fitting(hex_, None)}
        grounds.append(BareHexes(tuple(alike), tuple(name for name in title.tiles if name in taken)))
    return tuple(sorted(grounds, key=lambda ground: (len(ground.first.face.nodes), -len(ground.hexes))))


class Row(NamedTuple):
    """Tiles with the same successors."""

    old: tuple[str, ...]
    new: tuple[str, ...]


def rows_of(title: Title) -> dict[tuple[str, str], list[Row]]:
    """All promotions by colour and kind of the old tile, grouped by successors."""
    groups: dict[tuple[str, str], dict[tuple[str, ...], list[str]]] = {}
    for colour, kind in product(COLOURS[:-1], PLURALS):
        for old, new in promotions_of(title).items():
            nodes = title.tiles[old].nodes
            if title.tiles[old].colour == colour and (nodes[0].kind if nodes else "track") == kind:
                groups.setdefault((colour, kind), {}).setdefault(tuple(new), []).append(old)
    return {key: [Row(tuple(old), new) for new, old in rows.items()] for key, rows in groups.items()}


GAP: Final = 7.0
CAPTION: Final = 13.0
HEAD: Final = 24.0
MAX_TILES_PER_ROW: Final = 9
NOTE: Final = (
    "Each tile left of an arrow can become each one right of it, where the hex lets it. New tiles are drawn in one turn"
    " that keeps the track of the first old tile."
)


class CaptionedTile(NamedTuple):
    drawing: str
    caption: str
    id: str | None = None


class Box(NamedTuple):
    """Old tiles and their successors; the first box of a group has a heading."""

    heading: str
    before: Sequence[CaptionedTile]
    after: Sequence[CaptionedTile]

    def size(self, scale: float) -> tuple[float, float]:
        grids = _grid(len(self.before)), _grid(len(self.after))
        height = max(rows for _, rows in grids) * _row_height(scale) + 10
        return sum(columns for columns, _ in grids) * _column_width(scale) + 40, height


def _grid(count: int) -> tuple[int, int]:
    """Columns and rows for a number of tiles, evenly filled."""
    rows = -(-count // MAX_TILES_PER_ROW)
    return -(-count // rows), rows


def _column_width(scale: float) -> float:
    return 2 * APOTHEM * scale + 4


def _row_height(scale: float) -> float:
    return 2 * RADIUS * scale + CAPTION


def upgrades_picture(title: Title, theme: Theme = LIGHT) -> str:
    """The chart on a sheet of A3, at the largest scale that fits."""
    boxes = list(_boxes(title, theme))
    for percent in range(100, 29, -1):
        scale = percent / 100
        places = _places(boxes, scale)
        if places[-1][1] + HEAD + boxes[-1].size(scale)[1] <= A3[1] - MARGIN:
            break
    else:
        raise ValueError(f"the upgrade chart of {title.name} does not fit A3")
    parts = [
        heading(f"{full_name(title)}: what tiles become", MARGIN, 40, theme, 26),
        line(NOTE, A3[0] - MARGIN, 40, 14, muted(theme), anchor="end", width=1180),
    ]
    for one, (x, y) in zip(boxes, places, strict=True):
        if one.heading:
            parts.append(heading(one.heading, x, y + 16, theme, 15))
        parts.append(group([_draw(one, scale, theme)], transform=translate(x, y + HEAD)))
    count = sum(map(len, promotions_of(title).values()))
    return page(*A3, parts, theme, f"Upgrade chart of {full_name(title)}", f"{count} promotions")


def _boxes(title: Title, theme: Theme) -> Iterator[Box]:
    for at, ground in enumerate(bare_hexes_of(title)):
        tiles = [_tile(title, name, _first_turn(title, ground, name), theme) for name in ground.takes]
        yield Box("" if at else "on the map", [_bare(ground, theme)], tiles)
    for (colour, kind), rows in rows_of(title).items():
        for at, row in enumerate(rows):
            turns, id_ = promotions_of(title)[row.old[0]], f"becomes-{'-'.join(row.old)}"
            before = [_tile(title, name, 0, theme) for name in row.old]
            after = [_tile(title, name, turns[name][0], theme, f"{id_}-{name}") for name in row.new]
            yield Box("" if at else f"{colour} {PLURALS[kind]}", before, after)


def _places(boxes: Sequence[Box], scale: float) -> list[tuple[float, float]]:
    places = []
    x, y, shelf = MARGIN, TOP, 0.0
    for one in boxes:
        width, height = one.size(scale)
        if one.heading and x > MARGIN:
            x += 2 * GAP
        if x + width > A3[0] - MARGIN:
            x, y, shelf = MARGIN, y + shelf, 0.0
        places.append((x, y))
        x += width + GAP
        shelf = max(shelf, HEAD + height + GAP / 2)
    return places


def _draw(one: Box, scale: float, theme: Theme) -> str:
    width, height = one.size(scale)
    middle, y = 8 + _grid(len(one.before))[0] * _column_width(scale), height / 2
    arrow = f"M{number(middle + 3)} {number(y)}h14m-6 -6l6 6l-6 6"
    return "".join(
        (
            box(0, 0, width, height, theme.card, theme.border),
            element("path", d=arrow, fill="none", stroke=theme.ink, stroke_width=2),
            *_put(one.before, 6, height, scale, theme),
            *_put(one.after, middle + 22, height, scale, theme),
        )
    )


def _put(pieces: Sequence[CaptionedTile], left: float, height: float, scale: float, theme: Theme) -> Iterator[str]:
    """Tiles in rows, centred in a box of that height."""
    columns, rows = _grid(len(pieces))
    width, deep = _column_width(scale), _row_height(scale)
    for at, piece in enumerate(pieces):
        row, column = divmod(at, columns)
        x, y = left + (column + 0.5) * width, (height - rows * deep) / 2 + row * deep + RADIUS * scale
        below = y + RADIUS * scale + 9
        drawn = group([piece.drawing], transform=translate(x, y, f"{scale:.2f}"))
        drawn += line(piece.caption, x, below, 10.5, theme.ink, anchor="middle", width=2 * APOTHEM * scale)
        yield group([drawn], class_="becomes", id=piece.id) if piece.id else drawn


def _first_turn(title: Title, ground: BareHexes, name: str) -> int:
    """The lowest rotation in which a tile fits one of the hexes."""
    turns = [turn for hex_ in ground.hexes for turn in title.fitting(hex_, None).get(name, ())]
    return min(turns, default=0)


def _tile(title: Title, name: str, turn: int, theme: Theme, id_: str | None = None) -> CaptionedTile:
    tile, face = title.tiles[name], title.tile_set.faces[name][turn]
    return CaptionedTile(title_tag(f"tile {name}, {tile.colour}") + draw_tile(name, tile, face, theme), name, id_)


def _bare(ground: BareHexes, theme: Theme) -> CaptionedTile:
    """A bare hex of the group, and their number."""
    printed, under = ground.first.printed, ground_of(ground.first, None, theme)
    names = ", ".join(hex_.printed.name or hex_.id for hex_ in ground.hexes)
    drawing = (
        title_tag(f"{len(ground.hexes)} hexes: {names}")
        + element("polygon", points=outline(), fill=under.colour, stroke=theme.border)
        + draw_face(ground.first.face, under, theme, FaceLabels(printed.label))
    )
    count = "1 hex" if len(ground.hexes) == 1 else f"{len(ground.hexes)} hexes"
    return CaptionedTile(drawing, count if printed.label_from is None else f"{printed.label} from {printed.label_from}")
