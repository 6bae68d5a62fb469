"""18CZ as people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money.certificates import director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.telling.naming import Names
from ostbahn.telling.text import seat_names
from ostbahn.titles.cz.reckoning import standings, winners
from ostbahn.titles.cz.state import Consent, CzTable
from ostbahn.titles.cz.words.foresight import foresee
from ostbahn.titles.cz.words.reasons import tries
from ostbahn.titles.cz.words.remarks import cz_table, matter, remark
from ostbahn.titles.cz.words.words import WORDS

CHAPTERS: Final = {
    "pre_stock": "VI",
    "stock_round": "VII.1",
    "red_home": "VIII.4",
    "home_city": "VIII.6",
    "lay_track": "VIII.3",
    "lay_waived": "IV.1",
    "establish_station": "VIII.6",
    "operate_trains": "VIII.7",
    "use_income": "VIII.8",
    "acquire": "VIII.9",
    "return_station": "VIII.9",
    "join_stations": "VIII.9",
    "settle_trains": "VIII.9",
    "purchase_trains": "VIII.10",
    "return_trains": "VIII.12",
    "offer_for_local": "IV.1",
    "offer_for_train": "VIII.10",
    "offer_acquisition": "VIII.9",
    "auction": "XI.2",
    "bidding": "XI.2",
    "build_home": "XI.2",
}
"""For each question, or the offer it is about, the chapter of the rulebook that a lone `?` points to."""


class CzFace:
    words = WORDS

    def __init__(self, game: Game) -> None:
        self.table = cz_table(game)

    def names(self) -> Names:
        return seat_names(self.table.players)

    def remark(self, question: Question, action: Action) -> str:
        return remark(self.table, question, action)

    def matter(self, question: Question) -> str:
        return matter(self.table, question)

    def chapter(self, question: Question) -> str:
        task = question.task
        what = task.offer if isinstance(task, Consent) else task
        return CHAPTERS[str(what.__struct_config__.tag)]

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        return tries(self.table, question, what)

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        assert isinstance(later, CzTable)
        return foresee(self.table, later, question, action)

    def accounts(self, seat: str) -> set[str]:
        return {seat, *(company for company in self.table.state.certificates if director(self.table, company) == seat)}

    def standings(self) -> dict[str, int]:
        return standings(self.table)

    def winners(self) -> list[str]:
        return winners(self.table)

    def round_name(self) -> str:
        return self.words.round_name(self.table.state.round)

    def headline(self) -> list[str]:
        state = self.table.state
        parts = [f"phase {state.phase} ({self.table.title.phases[state.phase].colour} tiles)"]
        if state.local_price:
            parts.append(f"Local Railways at {state.local_price} K")
        return parts
