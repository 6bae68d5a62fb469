"""Terminal renderer of 18Mag: its boards and minors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ostbahn.eighteen.terminal import BaseTerminalRenderer, TableColumn
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.money import BANK
from ostbahn.terminal.board_text import TRACK_LEGEND, BoardText
from ostbahn.titles.mag.state import MagTable
from ostbahn.views.models import CompanyView

WATER: Final = "≈"


class MagBoardText(BoardText[MagTable]):
    def __init__(self, table: MagTable) -> None:
        super().__init__(table)
        self.homes = {
            city_id(spec.home.hex, spec.home.node): minor
            for minor, spec in table.title.minors.items()
            if table.state.owners.get(minor) == BANK
        }
        """Home cities of minors still to draft."""

    def colour(self) -> str:
        return self.table.state.phase

    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        first, name, stations = super().content(hex_, face, wide)
        return first, name, WATER * wide if hex_.shores else stations

    def name(self, hex_: Hex, face: Face) -> str:
        if hex_.id not in self.board.tiles:
            if hex_.shores:
                return "Balaton"
            if "mine" in face.kinds:
                return "mine"
        return super().name(hex_, face)

    def reserved_for(self, hex_: Hex, node: int) -> list[str]:
        city = city_id(hex_.id, node)
        return [f"{self.homes[city]}?"] if city in self.homes else []


class MagTerminalRenderer(BaseTerminalRenderer[MagTable]):
    legend = (
        "57/2: tile 57 at rotation 2   +20: pays 20 Ft, and 10 Ft more for each marker of a major in the city",
        "~10 river, ▲10 mountain, ~▲20 both: cost of the first tile; OO and B cost 20 Ft again when they turn green",
        "○ free place   7 station of minor 7   SIK marker of SIK   7? home of minor 7, which nobody has taken yet",
        "a|b two cities   • town   OO, B, K: takes tiles so marked, K from green on",
        f"{TRACK_LEGEND}   ▒▒▒ barrier   ≈ Balaton: no track across",
    )
    priority = "PD"
    headings = ("Minors", "Majors by price")
    sketch = MagBoardText

    def company_label(self, company: CompanyView) -> str:
        minor = self.table.title.minors.get(company.id)
        return company.id if minor is None else f"{company.id:<3}{minor.short}"

    def company_columns(self, companies: Sequence[CompanyView]) -> Iterator[TableColumn]:
        yield from super().company_columns(companies)
        yield TableColumn("terrain tokens", self._terrain_tokens, figures=True)

    def _terrain_tokens(self, company: CompanyView) -> str:
        if company.id not in self.table.title.minors:
            return ""
        return "endless" if company.terrain_tokens is None else str(company.terrain_tokens or "")
