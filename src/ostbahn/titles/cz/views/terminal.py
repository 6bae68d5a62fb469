"""The board and legend of 18CZ at the terminal."""

from __future__ import annotations

from ostbahn.eighteen.terminal import BaseTerminalRenderer
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.tiles import Face
from ostbahn.terminal.board_text import TRACK_LEGEND, BoardText
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import home_node, homeless


class CzBoardText(BoardText[CzTable]):
    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        first, name, stations = super().content(hex_, face, wide)
        if hex_.printed.reserved_for and hex_.id not in self.board.tiles:
            return first, "home", f"of {hex_.printed.reserved_for}"
        return first, name, stations

    def reserved_for(self, hex_: Hex, node: int) -> list[str]:
        """Return companies that will have their home in a city, in lower case."""
        here = self.board.stations.get(city_id(hex_.id, node), ())
        return [
            company.lower()
            for company in homeless(self.table, hex_.id)
            if home_node(self.table, company) == node and company not in here
        ]


class CzTerminalRenderer(BaseTerminalRenderer[CzTable]):
    legend = (
        "57/2: tile 57 at rotation 2   +20: pays 20 K   ~10 river, ^20 hill, ▲40 mountain: cost of the first tile",
        "○ free place   ekj: place kept for EKJ   a|b: two cities   • town   Y: takes tiles marked Y",
        TRACK_LEGEND,
    )
    director = "Director"
    chart_rows = 2
    """Rows of the zigzag price chart."""
    sketch = CzBoardText
