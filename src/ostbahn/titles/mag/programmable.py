"""Programmable moves of 18Mag: shares of majors, turns of minors and majors, and replies to offers for trains."""

from __future__ import annotations

from collections.abc import Sequence

from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.programmed.moves import MoveSubject, PendingOffer, ProgrammableMoves
from ostbahn.titles.mag.actions import BuyShare, PayDividend
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.state import Consent, MagTable, PayOut


class MagProgrammableMoves(ProgrammableMoves):
    routine = "lay, place, scrap and buy nothing, run for the most; a major pays out all it has"

    def purchase(self, table: MagTable, company: str) -> Action:
        return BuyShare(company)

    def companies(self, table: MagTable, seat: str) -> list[str]:
        """Minors by their owner, majors by their director."""
        return [*minors_of(table, seat), *(major for major in table.title.companies if director(table, major) == seat)]

    def income(self, table: MagTable, question: Question) -> Action | None:
        """Pay out the treasury, rounded down to a payable amount."""
        if not isinstance(question.task, PayOut):
            return None
        cash, step = table.state.cash[question.task.company], table.title.major.payout_step
        return PayDividend(cash - cash % step)

    def offerable_items(self, table: MagTable, seat: str) -> Sequence[MoveSubject]:
        return [
            MoveSubject(train.card, f"the {train.face}-train of minor {minor}")
            for minor in minors_of(table, seat)
            for train in table.trains_of(minor)
        ]

    def pending_offer(self, table: MagTable, task: Task) -> PendingOffer | None:
        return PendingOffer(task.offer.card, task.offer.price) if isinstance(task, Consent) else None
