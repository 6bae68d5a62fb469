"""The board as text: a wall of bricks, in which every hex touches the same six neighbours as on the map.

Track is drawn where it crosses a side: a double stroke that comes from one of the two hexes, or from both
where it goes through. In a hex stand its name and what it pays or costs, its tile and rotation (or its name),
and its cities and towns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from ostbahn.kernel.board import Hex, city_id
from ostbahn.kernel.tiles import Face
from ostbahn.titles.cz.homes import home_node
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import homeless

FULL_WIDTH: Final = 120
MIDDLE: Final = 14
"""The column at which a narrow screen parts the board; its hexes stand in both parts."""
HALF: Final = 4
"""Characters for half a hex, and lines for a row."""
INSIDE: Final = 2 * HALF - 1

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
CORNERS: Final = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""Border characters by the arms they have."""
ACROSS: Final = {UP: "╨", DOWN: "╥", UP | DOWN: "╫", LEFT: "╡", RIGHT: "╞", LEFT | RIGHT: "╪"}
"""Track that reaches a side from above, below, left or right."""

TERRAIN: Final = {"river": "~", "hill": "^", "mountain": "▲"}
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
LEGEND: Final = (
    "57/2: tile 57 at rotation 2   +20: pays 20 K   ~10 river, ^20 hill, ▲40 mountain: cost of the first tile",
    "○ free place   ekj: place kept for EKJ   a|b: two cities   • town   Y: takes tiles marked Y",
    "╥ ╨ ╞ ╡ track that ends at a side   ╫ ╪ track that goes on",
)


class Canvas:
    """Characters at places, each with a style."""

    def __init__(self) -> None:
        self.arms: dict[tuple[int, int], int] = {}
        self.track: dict[tuple[int, int], int] = {}
        self.inside: dict[tuple[int, int], tuple[str, str]] = {}

    def frame(self, top: int, left: int, right: int) -> None:
        """The border of a brick; borders of neighbours join."""
        bottom = top + HALF
        for x in range(left, right):
            for y in (top, bottom):
                self._arm(y, x, RIGHT)
                self._arm(y, x + 1, LEFT)
        for y in range(top, bottom):
            for x in (left, right):
                self._arm(y, x, DOWN)
                self._arm(y + 1, x, UP)

    def _arm(self, y: int, x: int, arm: int) -> None:
        self.arms[y, x] = self.arms.get((y, x), 0) | arm

    def cross(self, y: int, x: int, side: int) -> None:
        self.track[y, x] = self.track.get((y, x), 0) | side

    def write(self, y: int, x: int, text: str, style: str) -> None:
        for offset, character in enumerate(text):
            self.inside[y, x + offset] = (character, style)

    def lines(self) -> Iterator[Text]:
        """The picture, without blanks at either side."""
        left, right = (edge(x for _, x in self.arms) for edge in (min, max))
        for y in range(max(y for y, _ in self.arms) + 1):
            line = Text(no_wrap=True, overflow="ignore")
            for x in range(left, right + 1):
                line.append(*self._at(y, x))
            line.rstrip()
            yield line

    def _at(self, y: int, x: int) -> tuple[str, str]:
        if (y, x) in self.track:
            return ACROSS[self.track[y, x]], "bold"
        if (y, x) in self.arms:
            return CORNERS[self.arms[y, x]], "dim"
        return self.inside.get((y, x), (" ", ""))


def board_lines(table: CzTable, width: int = FULL_WIDTH) -> list[Text]:
    """The whole board; where the screen is too narrow for it, its west and then its east."""
    if width >= FULL_WIDTH:
        lines = _part(table, table.title.map)
    else:
        west = [hex_ for hex_ in table.title.map if _column(hex_) <= MIDDLE]
        east = [hex_ for hex_ in table.title.map if _column(hex_) >= MIDDLE]
        lines = [*_part(table, west), Text("The same rows in the east:", "dim"), *_part(table, east)]
    return [*lines, *_beside(table)]


def _part(table: CzTable, hexes: Iterable[Hex]) -> list[Text]:
    canvas = Canvas()
    for hex_ in hexes:
        _draw(canvas, table, hex_)
    return list(canvas.lines())


def _column(hex_: Hex) -> int:
    return int(hex_.id[1:])


def _draw(canvas: Canvas, table: CzTable, hex_: Hex) -> None:
    top = (ord(hex_.id[0]) - ord("A")) * HALF
    right = (_column(hex_) + 2) * HALF - 1
    left = max(right - 2 * HALF, 0)  # the westernmost hex is a character narrower, for the sake of the width
    canvas.frame(top, left, right)
    face = table.state.board.face(table.title.tile_set, hex_)
    middle = top + HALF // 2
    places = (
        (top + HALF, right - 3 * HALF // 2, UP),
        (middle, left, RIGHT),
        (top, right - 3 * HALF // 2, DOWN),
        (top, right - HALF // 2, DOWN),
        (middle, right, LEFT),
        (top + HALF, right - HALF // 2, UP),
    )
    for side, (y, x, way) in enumerate(places):
        if (face.exits | hex_.stubs) >> side & 1:
            canvas.cross(y, x, way)
    wide = right - left - 1
    for number, text in enumerate(_content(table, hex_, face, wide), start=1):
        canvas.write(top + number, left + 1, f"{text:^{wide}.{wide}}", _style(table, hex_))


def _style(table: CzTable, hex_: Hex) -> str:
    laid = table.state.board.tiles.get(hex_.id)
    if laid is not None:
        return STYLES[table.title.tiles[laid[0]].colour]
    printed = hex_.printed
    if printed.ground in ("yellow", "grey"):
        return STYLES[printed.ground]
    if printed.reserved_for:
        return "red"
    return STYLES.get(printed.terrain or "", "")


def _content(table: CzTable, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
    """What stands in a hex: name and money, tile or place, stations."""
    laid = table.state.board.tiles.get(hex_.id)
    printed = hex_.printed
    value = _value(table, hex_, face)
    cost = f"{TERRAIN[printed.terrain]}{printed.cost}" if printed.terrain and laid is None else ""
    money = cost or (f"+{value}" if value else "")
    first = f"{hex_.id:<3}{money:>{wide - 3}}" if money else hex_.id
    if printed.reserved_for and laid is None:
        return first, "home", f"of {printed.reserved_for}"
    places = [_place(table, hex_, face, node) for node in range(len(face.nodes))]
    waiting = table.state.board.stations.get(hex_.id, ())
    stations = "|".join(places) + "".join(f" {company}" for company in waiting)
    if len(stations) > wide:
        return first, *_two_lines(stations, wide)
    if len(places) == 1 and printed.label and len(f"{stations} {printed.label}") <= wide:
        stations = f"{stations} {printed.label}"
    if laid is not None:
        return first, f"{laid[0]}/{laid[1]}", stations
    return first, (printed.name or "").partition(" ")[0], stations


def _two_lines(stations: str, wide: int) -> tuple[str, str]:
    """As much as goes into one line, and the rest, parted between places."""
    cut = max((at for at in range(wide + 1) if stations[at] in " |"), default=wide)
    return stations[:cut], stations[cut:].lstrip(" |")


def _value(table: CzTable, hex_: Hex, face: Face) -> int:
    if not face.nodes:
        return 0
    value = face.nodes[0].value
    if isinstance(value, int):
        return value
    return value.get(table.title.phases[table.state.phase].colour, 0)


def _place(table: CzTable, hex_: Hex, face: Face, node: int) -> str:
    """A revenue location: a town's dot, or a city's places with who is in them or is to come."""
    spec = face.nodes[node]
    if spec.kind == "town":
        return TOWN
    companies = list(table.state.board.stations.get(city_id(hex_.id, node), ()))
    kept = [
        company.lower()
        for company in homeless(table, hex_.id)
        if home_node(table, company) == node and company not in companies
    ]
    taken = [*companies, *kept][: max(spec.slots, len(companies))]
    free = FREE * (spec.slots - len(taken))
    return " ".join([*taken, free] if free else taken)


def _beside(table: CzTable) -> Iterator[Text]:
    """What did not go into a hex."""
    for hex_ in table.title.map:
        face = table.state.board.face(table.title.tile_set, hex_)
        laid = table.state.board.tiles.get(hex_.id)
        places = [_place(table, hex_, face, node) for node in range(len(face.nodes))]
        if len("|".join(places)) > INSIDE:
            what = f"tile {laid[0]}/{laid[1]}" if laid else "no tile yet"
            yield Text(f"{hex_.id} {hex_.printed.name or ''}: {what}, stations {' | '.join(places)}")
