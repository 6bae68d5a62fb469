"""István, who plays by his cards: his turns in an Operating Round (18Mag XI.2, XI.3)."""

from __future__ import annotations

from ostbahn.kernel.money import director
from ostbahn.kernel.records import TurnBegan
from ostbahn.titles.mag import operating
from ostbahn.titles.mag.payouts import pay_everything
from ostbahn.titles.mag.solo_table import ISTVAN, is_his
from ostbahn.titles.mag.state import (
    EndTurn,
    IstvanBuys,
    IstvanRuns,
    IstvanScraps,
    IstvanStation,
    IstvanTrack,
    MagTable,
)


class SoloNextCompany(operating.NextCompany):
    def minor_turn(self, table: MagTable, minor: str) -> None:
        """His minors act by their cards (XI.2)."""
        if not is_his(table, minor):
            super().minor_turn(table, minor)
            return
        table.note(TurnBegan(minor))
        table.push(
            EndTurn(minor),
            IstvanBuys(minor),
            IstvanRuns(minor),
            IstvanScraps(minor),
            IstvanStation(minor),
            IstvanTrack(minor),
        )

    def major_turn(self, table: MagTable, major: str) -> None:
        """Majors that he directs place no markers and pay out everything (XI.3/1)."""
        if director(table, major) != ISTVAN:
            super().major_turn(table, major)
            return
        table.note(TurnBegan(major))
        pay_everything(table, major)
