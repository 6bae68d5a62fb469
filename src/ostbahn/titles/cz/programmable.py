"""Programmable moves of 18CZ: shares and Local Railways, bids in Moravia-Silesia, turns, and replies to offers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.money import BANK
from ostbahn.kernel.state import Task
from ostbahn.programmed.moves import MoveSubject, PendingOffer, ProgrammableMoves
from ostbahn.titles.cz.actions import Bid, BuyShare, OfferAcquisition, OfferForLocal, OfferForTrain
from ostbahn.titles.cz.auction import least_bid, on_sale
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.offers import thing
from ostbahn.titles.cz.state import Auction, Bidding, Consent, CzTable


class CzProgrammableMoves(ProgrammableMoves):
    share_questions = frozenset(("stock_round", "pre_stock"))
    floats = True
    routine = "lay, place, take over and buy nothing, run for the most and pay out"

    def purchase(self, table: CzTable, company: str) -> Action:
        return BuyShare(company)

    def affordable(self, table: CzTable, seat: str) -> Collection[str]:
        """Return affordable companies, including those that could be started at their lowest price."""
        specs = {company: table.title.companies[company].spec for company in table.state.certificates}
        to_start = [
            company
            for company, spec in specs.items()
            if table.state.certificates[company][0] == BANK
            and table.phase_from(spec.opens_in_phase)
            and 2 * min(spec.start_prices) <= table.state.cash[seat]
        ]
        return [*super().affordable(table, seat), *to_start]

    def floated(self, table: CzTable) -> Collection[str]:
        return table.state.floated

    def auction_items(self, table: CzTable) -> Sequence[MoveSubject]:
        """Return the papers still for sale during the auction."""
        if not isinstance(table, MoraviaTable) or not any(isinstance(task, Auction) for task in table.state.agenda):
            return ()
        return [MoveSubject(paper, table.title.locals[paper].name) for paper in on_sale(table)]

    def bid(self, table: CzTable, task: Task, item: str, most: int) -> Action | None:
        if not isinstance(table, MoraviaTable) or not isinstance(task, Bidding) or task.paper != item:
            return None
        least = least_bid(table, task)
        return Bid(least) if least <= most else Pass()

    def offerable_items(self, table: CzTable, seat: str) -> Sequence[MoveSubject]:
        """Return a player's Local Railways, their companies' trains and the companies themselves."""
        own = self.companies(table, seat)
        locals_ = [local for local, owner in table.state.locals.items() if owner == seat]
        return [
            *(MoveSubject(thing(OfferForLocal(local, 1)), table.paper(local)) for local in locals_),
            *(
                MoveSubject(thing(OfferForTrain(train.card, 1)), f"the {train.face}-train of {company}")
                for company in own
                for train in table.state.trains.get(company, ())
            ),
            *(MoveSubject(thing(OfferAcquisition(company, 1)), f"{company} itself, for each share") for company in own),
        ]

    def pending_offer(self, table: CzTable, task: Task) -> PendingOffer | None:
        return PendingOffer(thing(task.offer), task.offer.price) if isinstance(task, Consent) else None
