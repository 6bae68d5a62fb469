"""What the board of 18CZ shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.tiles import Face
from ostbahn.terminal import board_text
from ostbahn.terminal.board_text import FULL_WIDTH, INSIDE, STYLES, TRACK_LEGEND
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import home_node, homeless

LEGEND: Final = (
    "57/2: tile 57 at rotation 2   +20: pays 20 K   ~10 river, ^20 hill, ▲40 mountain: cost of the first tile",
    "○ free place   ekj: place kept for EKJ   a|b: two cities   • town   Y: takes tiles marked Y",
    TRACK_LEGEND,
)


def board_lines(table: CzTable, width: int = FULL_WIDTH) -> list[Text]:
    return board_text.board_lines(CzSketch(table), width)


class CzSketch:
    def __init__(self, table: CzTable) -> None:
        self.table = table
        self.map, self.tile_set, self.board = table.title.map, table.title.tile_set, table.state.board

    def style(self, hex_: Hex) -> str:
        laid = self.board.tiles.get(hex_.id)
        if laid is not None:
            return STYLES[self.table.title.tiles[laid[0]].colour]
        printed = hex_.printed
        if printed.ground in ("yellow", "grey"):
            return STYLES[printed.ground]
        if printed.reserved_for:
            return "red"
        return STYLES.get(printed.terrain or "", "")

    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        """Name and money, tile or place, stations."""
        laid = self.board.tiles.get(hex_.id)
        printed = hex_.printed
        value = board_text.value_of(face, self.table.title.phases[self.table.state.phase].colour)
        cost = board_text.terrain_cost(hex_, self.board)
        first = board_text.first_line(hex_, cost or (f"+{value}" if value else ""), wide)
        if printed.reserved_for and laid is None:
            return first, "home", f"of {printed.reserved_for}"
        places = self._places(hex_, face)
        waiting = self.board.stations.get(hex_.id, ())
        stations = "|".join(places) + "".join(f" {company}" for company in waiting)
        if len(stations) > wide:
            return first, *board_text.two_lines(stations, wide)
        if len(places) == 1 and printed.label and len(f"{stations} {printed.label}") <= wide:
            stations = f"{stations} {printed.label}"
        if laid is not None:
            return first, f"{laid[0]}/{laid[1]}", stations
        return first, (printed.name or "").partition(" ")[0], stations

    def _places(self, hex_: Hex, face: Face) -> list[str]:
        return [
            board_text.place(self.board, hex_, face, node, self._kept(hex_, node)) for node in range(len(face.nodes))
        ]

    def _kept(self, hex_: Hex, node: int) -> list[str]:
        """Companies that will have their home in a city, in small letters."""
        here = self.board.stations.get(city_id(hex_.id, node), ())
        return [
            company.lower()
            for company in homeless(self.table, hex_.id)
            if home_node(self.table, company) == node and company not in here
        ]

    def beside(self) -> Iterator[str]:
        for hex_ in self.map:
            laid = self.board.tiles.get(hex_.id)
            places = self._places(hex_, self.board.face(self.tile_set, hex_))
            if len("|".join(places)) > INSIDE:
                what = f"tile {laid[0]}/{laid[1]}" if laid else "no tile yet"
                yield f"{hex_.id} {hex_.printed.name or ''}: {what}, stations {' | '.join(places)}"
