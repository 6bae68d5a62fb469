"""The rulebook: the handler of each task, and the course of rounds (1, 5)."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.operating import PlayerDecision
from ostbahn.eighteen.running import RunStep
from ostbahn.eighteen.state import PlainRulebook
from ostbahn.eighteen.table import PlainTable
from ostbahn.kernel import chart
from ostbahn.kernel.records import RoundBegan
from ostbahn.kernel.steps import PassStep, Routine
from ostbahn_wee import operating, state, stock, track
from ostbahn_wee.operating import RUNNING, CompanyTurn


class NextRound(Routine[PlainTable, state.Rounds]):
    def proceed(self, table: PlainTable, task: state.Rounds) -> None:
        """Begin the next round; after the last, note everyone's wealth (5.1)."""
        if task.begun == len(table.rounds):
            table.pop()
            table.note_final_wealth()
            return
        table.state.round = code = table.rounds[task.begun]
        table.replace(state.Rounds(task.begun + 1))
        table.note(RoundBegan(code))
        if code.startswith("SR"):
            table.push(state.StockRound(table.state.priority))
        else:
            table.push(state.OperatingRound(tuple(chart.companies_by_price(table))))


RULEBOOK: Final = PlainRulebook(
    state.TITLE,
    state.Rounds(),
    {
        state.Rounds: NextRound(),
        state.StockRound: PlayerDecision(
            "sell and buy shares", "2.1", stock.Start(), stock.Buy(), stock.Sell(), stock.PassTurn()
        ),
        state.OperatingRound: operating.NextCompany(),
        state.LayTrack: CompanyTurn("lay track", "4.1", track.Lay(), PassStep()),
        state.OperateTrains: CompanyTurn("run trains", "3.2", RunStep(RUNNING)),
        state.UseIncome: CompanyTurn("pay out or withhold", "3.3", operating.PayOut(), operating.Withhold()),
        state.PurchaseTrains: CompanyTurn("buy trains", "3.4", operating.Purchase(), PassStep()),
    },
    turns=("2.1", "3.1"),
)
