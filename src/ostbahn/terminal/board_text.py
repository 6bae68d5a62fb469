"""The board as text: a wall of bricks, in which every hex touches the same six neighbours as on the map.

Track is drawn where it crosses a side: a double stroke from one of the two hexes, or from both where it goes through.
A hex shows its id and value or cost, its tile and rotation (or its name), and its cities and towns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Generic, TypeVar

from rich.text import Text

from ostbahn.kernel.map.board import Hex, Map, city_id
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.table import Table

SketchedT = TypeVar("SketchedT", bound=Table)

FULL_WIDTH: Final = 120
HALF: Final = 4
"""Characters of half a hex; also lines of a row."""
INSIDE: Final = 2 * HALF - 1

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
CORNERS: Final = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""Border characters by their arms."""
ACROSS: Final = {UP: "╨", DOWN: "╥", UP | DOWN: "╫", LEFT: "╡", RIGHT: "╞", LEFT | RIGHT: "╪"}
"""Track that reaches a side from above, below, left or right."""

BARRIER: Final = "▒"
TERRAIN: Final = {"river": "~", "hill": "^", "mountain": "▲", "river and mountain": "~▲"}
TOWN, FREE = "•", "○"
STYLES: Final = {
    "yellow": "black on #f2dc5d",
    "green": "black on #8fc98f",
    "brown": "white on #8a5a2b",
    "grey": "black on #bdbdbd",
    "red": "white on #b4453c",
    "river": "#5b9bd5",
    "hill": "#b08d57",
    "mountain": "#b08d57",
}
TRACK_LEGEND: Final = "╥ ╨ ╞ ╡ track that ends at a side   ╫ ╪ track that goes on"


class Canvas:
    """Collects borders, track and text by line and column."""

    def __init__(self) -> None:
        self.arms: dict[tuple[int, int], int] = {}
        self.track: dict[tuple[int, int], int] = {}
        self.inside: dict[tuple[int, int], tuple[str, str]] = {}
        self.barred: set[tuple[int, int]] = set()

    def frame(self, top: int, left: int, right: int) -> None:
        """Draw the border of a brick, joined to those of its neighbours."""
        bottom = top + HALF
        for x in range(left, right):
            for y in (top, bottom):
                self._add_arm(y, x, RIGHT)
                self._add_arm(y, x + 1, LEFT)
        for y in range(top, bottom):
            for x in (left, right):
                self._add_arm(y, x, DOWN)
                self._add_arm(y + 1, x, UP)

    def _add_arm(self, y: int, x: int, arm: int) -> None:
        self.arms[y, x] = self.arms.get((y, x), 0) | arm

    def cross(self, y: int, x: int, side: int) -> None:
        """Draw track that reaches a border from this side."""
        self.track[y, x] = self.track.get((y, x), 0) | side

    def bar(self, places: Iterable[tuple[int, int]]) -> None:
        self.barred.update(places)

    def write(self, y: int, x: int, text: str, style: str) -> None:
        for offset, character in enumerate(text):
            self.inside[y, x + offset] = (character, style)

    def lines(self) -> Iterator[Text]:
        """The picture without empty margins."""
        left, right = (edge(x for _, x in self.arms) for edge in (min, max))
        top, bottom = (edge(y for y, _ in self.arms) for edge in (min, max))
        for y in range(top, bottom + 1):
            line = Text(no_wrap=True, overflow="ignore")
            for x in range(left, right + 1):
                line.append(*self._character(y, x))
            line.rstrip()
            yield line

    def _character(self, y: int, x: int) -> tuple[str, str]:
        if (y, x) in self.track:
            return ACROSS[self.track[y, x]], "bold"
        if (y, x) in self.barred:
            return BARRIER, "bold red"
        if (y, x) in self.arms:
            return CORNERS[self.arms[y, x]], "dim"
        return self.inside.get((y, x), (" ", ""))


def board_lines(sketch: BoardText[Any], width: int = FULL_WIDTH) -> list[Text]:
    """The whole board; on a narrow screen its west, then its east."""
    columns = [_column(hex_) for hex_ in sketch.map]
    west, east = min(columns), max(columns)
    if _right(east) - _left(west) + 1 <= width:
        lines = _hex_lines(sketch, sketch.map)
    else:
        middle = (west + east) // 2  # both parts show this column
        lines = [
            *_hex_lines(sketch, [hex_ for hex_ in sketch.map if _column(hex_) <= middle]),
            Text("The same rows in the east:", "dim"),
            *_hex_lines(sketch, [hex_ for hex_ in sketch.map if _column(hex_) >= middle]),
        ]
    return [*lines, *map(Text, sketch.notes())]


def _hex_lines(sketch: BoardText[Any], hexes: Iterable[Hex]) -> list[Text]:
    canvas, rows = Canvas(), _rows(sketch.map)
    for hex_ in hexes:
        _draw_hex(canvas, sketch, hex_, rows[hex_.id[0]] * HALF)
    return list(canvas.lines())


def _rows(map_: Map) -> Mapping[str, int]:
    """Row numbers by letter, from north to south; small letters lie above row A."""
    letters = {hex_.id[0] for hex_ in map_}
    small = sorted(letter for letter in letters if letter.islower())
    return {
        **{letter: number - len(small) for number, letter in enumerate(small)},
        **{letter: ord(letter) - ord("A") for letter in letters if letter.isupper()},
    }


def _column(hex_: Hex) -> int:
    return int(hex_.id[1:])


def _right(column: int) -> int:
    return (column + 2) * HALF - 1


def _left(column: int) -> int:
    """The left border of a column; column 0 is a character narrower, to save width."""
    return max(_right(column) - 2 * HALF, 0)


def _draw_hex(canvas: Canvas, sketch: BoardText[Any], hex_: Hex, top: int) -> None:
    left, right = _left(_column(hex_)), _right(_column(hex_))
    canvas.frame(top, left, right)
    face = sketch.board.face(sketch.tile_set, hex_)
    middle = top + HALF // 2
    places = (
        (top + HALF, right - 3 * HALF // 2, UP),
        (middle, left, RIGHT),
        (top, right - 3 * HALF // 2, DOWN),
        (top, right - HALF // 2, DOWN),
        (middle, right, LEFT),
        (top + HALF, right - HALF // 2, UP),
    )
    for side, (y, x, arm) in enumerate(places):
        if (face.exits | hex_.stubs) >> side & 1:
            canvas.cross(y, x, arm)
        if DIRECTIONS[side] in hex_.printed.barriers:
            upright = arm in (LEFT, RIGHT)
            canvas.bar((y + step * upright, x + step * (not upright)) for step in (-1, 0, 1))
    wide = right - left - 1
    for number, text in enumerate(sketch.content(hex_, face, wide), start=1):
        canvas.write(top + number, left + 1, f"{text:^{wide}.{wide}}", sketch.style(hex_))


# Text in hexes


class BoardText(Generic[SketchedT]):
    def __init__(self, table: SketchedT) -> None:
        self.table = table
        self.map, self.tile_set, self.board = table.title.map, table.title.tile_set, table.state.board

    def colour(self) -> str:
        """The best tile colour of the phase, which sets the values of off-board areas."""
        title: Any = self.table.title
        return str(title.phases[self.table.state.phase].colour)

    def style(self, hex_: Hex) -> str:
        laid = self.board.tiles.get(hex_.id)
        if laid is not None:
            return STYLES[self.table.title.tiles[laid[0]].colour]
        printed = hex_.printed
        if printed.ground in STYLES:
            return STYLES[printed.ground]
        return STYLES["river"] if printed.shores else STYLES.get((printed.terrain or "").rpartition(" ")[2], "")

    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        """The three lines of a hex: id and money, tile or name, stations."""
        money = self._cost(hex_) or self._value(face)
        first = f"{hex_.id:<3}{money:>{wide - 3}}" if money else hex_.id
        stations, label = "|".join(self._places(hex_, face)), hex_.printed.label
        stations += "".join(f" {company}" for company in self.board.stations.get(hex_.id, ()))
        if len(stations) > wide:
            cut = max((at for at in range(wide + 1) if stations[at] in " |"), default=wide)
            return first, stations[:cut], stations[cut:].lstrip(" |")
        if label and len(f"{stations} {label}") <= wide:
            stations = f"{stations} {label}"
        return first, self.name(hex_, face), stations

    def _cost(self, hex_: Hex) -> str:
        """The cost of the first tile on a hex, after the sign of its terrain."""
        terrain, laid = hex_.printed.terrain, hex_.id in self.board.tiles
        return f"{TERRAIN[terrain]}{hex_.printed.cost}" if terrain and not laid else ""

    def _value(self, face: Face) -> str:
        """The value of the first stop of a hex."""
        value = face.nodes[0].value if face.nodes else 0
        amount = value if isinstance(value, int) else value.get(self.colour(), 0)
        return f"+{amount}" if amount else ""

    def name(self, hex_: Hex, face: Face) -> str:
        """The tile on the hex, or the name printed there."""
        laid = self.board.tiles.get(hex_.id)
        return f"{laid[0]}/{laid[1]}" if laid is not None else (hex_.printed.name or "").partition(" ")[0]

    def reserved_for(self, hex_: Hex, node: int) -> list[str]:
        """The companies for which places in a city are reserved."""
        return []

    def _places(self, hex_: Hex, face: Face) -> list[str]:
        return [self._place(hex_, face, node) for node in range(len(face.nodes))]

    def _place(self, hex_: Hex, face: Face, node: int) -> str:
        """A revenue location: a town's dot, or a city's places with present and expected companies."""
        spec = face.nodes[node]
        if spec.kind == "town":
            return TOWN
        companies = self.board.stations.get(city_id(hex_.id, node), ())
        taken = [*companies, *self.reserved_for(hex_, node)][: max(spec.slots, len(companies))]
        free = FREE * (spec.slots - len(taken))
        return " ".join([*taken, free] if free else taken)

    def notes(self) -> Iterator[str]:
        """Lines below the board: stations that do not fit into their hex, and the names of several printed cities."""
        for hex_ in self.map:
            laid, names = self.board.tiles.get(hex_.id), hex_.printed.city_names
            places = self._places(hex_, self.board.face(self.tile_set, hex_))
            if laid is None and names:
                cities = " | ".join(f"{name} {place}" for name, place in zip(names, places, strict=True))
                yield f"{hex_.id}: {cities}"
            elif len("|".join(places)) > INSIDE:
                tile = f"tile {laid[0]}/{laid[1]}" if laid else "no tile yet"
                yield f"{hex_.id} {hex_.printed.name or ''}: {tile}, stations {' | '.join(places)}"
