"""The table of contents: which chapter answers which task, and how a game begins and ends (1, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ostbahn.eighteen.operating import PlayerAsked
from ostbahn.eighteen.running import RunStep
from ostbahn.eighteen.state import PlainState, opening
from ostbahn.kernel import chart
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import RoundBegan
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.steps import Decision, Leave, Routine
from ostbahn.kernel.table import Table
from ostbahn_wee import operating, state, stock, track
from ostbahn_wee.operating import CompanyTurn
from ostbahn_wee.running import RUNNING
from ostbahn_wee.state import WeeTable


class NextRound(Routine[WeeTable, state.Rounds]):
    def proceed(self, table: WeeTable, task: state.Rounds) -> None:
        """One round after the other; after the last, the reckoning (5.1)."""
        if task.begun == len(table.rounds):
            table.pop()
            table.reckon()
            return
        code = table.rounds[task.begun]
        table.replace(state.Rounds(task.begun + 1))
        table.state.round = code
        table.note(RoundBegan(code))
        if code.startswith("SR"):
            table.push(state.StockRound(table.state.priority))
        else:
            table.push(state.OperatingRound(tuple(chart.by_price(table))))


class WeeRulebook:
    def __init__(self) -> None:
        self.title = state.TITLE
        self.chapters: Mapping[type[Task], Decision[Any, Any] | Routine[Any, Any]] = {
            state.Rounds: NextRound(),
            state.StockRound: PlayerAsked(
                "sell and buy shares", "2.1", stock.Start(), stock.Buy(), stock.Sell(), stock.Leave()
            ),
            state.OperatingRound: operating.NextCompany(),
            state.LayTrack: CompanyTurn("lay track", "4.1", track.Lay(), Leave()),
            state.OperateTrains: CompanyTurn("run trains", "3.2", RunStep(RUNNING)),
            state.UseIncome: CompanyTurn("pay out or withhold", "3.3", operating.PayOut(), operating.Withhold()),
            state.PurchaseTrains: CompanyTurn("buy trains", "3.4", operating.Purchase(), Leave()),
        }

    def open(self, setup: Setup) -> PlainState:
        return opening(self.title, setup, state.Rounds())

    def table(self, setup: Setup, state: State) -> WeeTable:
        return WeeTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        rule = "2.1" if question.company is None else "3.1"
        return table.refuse(rule, f"{table.name(question.decider)} decides now, not {table.name(by)}")
