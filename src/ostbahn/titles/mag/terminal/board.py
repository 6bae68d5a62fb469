"""What the boards of 18Mag show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.money import BANK
from ostbahn.terminal import board_text
from ostbahn.terminal.board_text import FULL_WIDTH, INSIDE, STYLES, TRACK_LEGEND
from ostbahn.titles.mag.state import MagTable

WATER: Final = "≈"
LEGEND: Final = (
    "57/2: tile 57 at rotation 2   +20: pays 20 Ft, and 10 Ft more for each marker of a major in the city",
    "~10 river, ▲10 mountain, ~▲20 both: cost of the first tile; OO and B cost 20 Ft again when they turn green",
    "○ free place   7 station of minor 7   SIK marker of SIK   7? home of minor 7, which nobody has taken yet",
    "a|b two cities   • town   OO, B, K: takes tiles so marked, K from green on",
    f"{TRACK_LEGEND}   ▒▒▒ barrier   ≈ Balaton: no track across",
)


def board_lines(table: MagTable, width: int = FULL_WIDTH) -> list[Text]:
    return board_text.board_lines(MagSketch(table), width)


class MagSketch:
    def __init__(self, table: MagTable) -> None:
        self.table = table
        self.map, self.tile_set, self.board = table.title.map, table.title.tile_set, table.state.board
        self.homes = {
            city_id(spec.home.hex, spec.home.node): minor
            for minor, spec in table.title.minors.items()
            if table.state.owners.get(minor) == BANK
        }
        """Of minors that can still be taken."""

    def style(self, hex_: Hex) -> str:
        laid = self.board.tiles.get(hex_.id)
        if laid is not None:
            return STYLES[self.table.title.tiles[laid[0]].colour]
        printed = hex_.printed
        if printed.ground in STYLES:
            return STYLES[printed.ground]
        if printed.shores:
            return STYLES["river"]
        return STYLES.get((printed.terrain or "").rpartition(" ")[2], "")

    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        """Name and money, tile or place, stations."""
        value = board_text.value_of(face, self.table.state.phase)
        money = board_text.terrain_cost(hex_, self.board) or (f"+{value}" if value else "")
        first = board_text.first_line(hex_, money, wide)
        stations, label = "|".join(self._places(hex_, face)), hex_.printed.label
        if len(stations) > wide:
            return first, *board_text.two_lines(stations, wide)
        if label and len(f"{stations} {label}") <= wide:
            stations = f"{stations} {label}"
        if hex_.shores:
            stations = WATER * wide
        return first, self._title(hex_, face), stations

    def _title(self, hex_: Hex, face: Face) -> str:
        laid = self.board.tiles.get(hex_.id)
        if laid is not None:
            return f"{laid[0]}/{laid[1]}"
        if hex_.shores:
            return "Balaton"
        if "mine" in face.kinds:
            return "mine"
        return (hex_.printed.name or "").partition(" ")[0]

    def _places(self, hex_: Hex, face: Face) -> list[str]:
        return [
            board_text.place(self.board, hex_, face, node, self._kept(city_id(hex_.id, node)))
            for node in range(len(face.nodes))
        ]

    def _kept(self, city: str) -> list[str]:
        return [f"{self.homes[city]}?"] if city in self.homes else []

    def beside(self) -> Iterator[str]:
        """Stations that did not go into a hex, and which city is which while no tile lies on two of them."""
        for hex_ in self.map:
            laid, names = self.board.tiles.get(hex_.id), hex_.printed.city_names
            places = self._places(hex_, self.board.face(self.tile_set, hex_))
            if laid is None and names:
                told = " | ".join(f"{name} {place}" for name, place in zip(names, places, strict=True))
                yield f"{hex_.id}: {told}"
            elif len("|".join(places)) > INSIDE:
                what = f"tile {laid[0]}/{laid[1]}" if laid else "no tile yet"
                yield f"{hex_.id} {hex_.printed.name or ''}: {what}, stations {' | '.join(places)}"
