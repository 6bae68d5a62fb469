"""What may call a prepared move off, found out from events and certificates and not by the code that is tried.

Events say what was bought and sold (payments for shares), which prices moved, what floated, who directs, and which
phase began; only what somebody can pay for, and who could outdo a director, is reckoned from the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import DirectorChanged, Paid, PhaseBegan, PriceMoved, Record
from ostbahn.kernel.state import State
from ostbahn.programmed.moves import ProgrammedMove


def stop_conditions_since(game: Game, seat: str, move: ProgrammedMove, given: int) -> Iterator[str]:
    """Alarms of a move that held at some answer since it was prepared."""
    oracle = Oracle(game, seat, getattr(move, "company", ""))
    history = game.history
    for number in range(given, len(game)):
        before, record, after = history.states[number], history.records[number], history.states[number + 1]
        held = oracle.held(before, record, after)
        yield from (f"{condition} at answer {number + 1}" for condition in move.alarms if condition in held)


class Oracle:
    def __init__(self, game: Game, seat: str, about: str) -> None:
        self.title, self.seat, self.about = game.table.title, seat, about

    def held(self, before: State, record: Record, after: State) -> set[str]:
        trades = list(self._trades(record))
        found = set()
        if any(kind == "sale" and self._mine(before, company) for kind, company in trades):
            found.add("sale")
        if any(kind == "purchase" and company == self.about for kind, company in trades):
            found.add("bought")
        if record.by != self.seat:
            found |= self._beside_shares(before, record, after)
        return found

    def _trades(self, record: Record) -> Iterator[tuple[str, str]]:
        """What others than the one who has prepared something sold and bought."""
        for event in record.events:
            if isinstance(event, Paid) and event.purpose == "shares":
                company = event.why.rpartition(" of ")[2]
                if event.source == BANK and event.target != self.seat:
                    yield "sale", company
                if event.target == BANK and event.source != self.seat:
                    yield "purchase", company

    def _beside_shares(self, before: State, record: Record, after: State) -> set[str]:
        found = set()
        moved: dict[str, tuple[int, int]] = {}
        for event in record.events:
            match event:
                case PhaseBegan():
                    found.add("phase")
                case PriceMoved(before=low, after=high, company=company):
                    moved[company] = (moved.get(company, (low,))[0], high)
                case DirectorChanged(before=was, after=now) if self.seat in (was, now):
                    found.add("directorship")
                case _ if event.__struct_config__.tag == "floated":
                    found.add("float")
        if any(low and low != high and self._mine(before, company) for company, (low, high) in moved.items()):
            found.add("price")
        if self._outdone(after) - self._outdone(before):
            found.add("directorship")
        if self._payable(after) - self._payable(before):
            found.add("affordable")
        return found

    def _mine(self, state: State, company: str) -> bool:
        return company == self.about or self.seat in state.certificates.get(company, ())

    def _held(self, state: State, company: str) -> dict[str, int]:
        held: dict[str, int] = {}
        for percent, holder in zip(
            self.title.companies[company].certificates, state.certificates[company], strict=True
        ):
            held[holder] = held.get(holder, 0) + percent
        return held

    def _prices(self, state: State) -> dict[str, int]:
        return {
            company: price for price, stack in zip(self.title.prices, state.chart, strict=True) for company in stack
        }

    def _outdone(self, state: State) -> set[str]:
        """Companies that the seat directs and somebody could direct with one more share from the bank."""
        found = set()
        for company in self._prices(state):
            holders, held = state.certificates[company], self._held(state, company)
            if holders[0] == self.seat and BANK in holders[1:]:
                unit = self.title.companies[company].certificates[-1]
                rivals = [part for who, part in held.items() if who in state.players and who != self.seat]
                if max(rivals, default=0) + unit > held[self.seat]:
                    found.add(company)
        return found

    def _payable(self, state: State) -> set[str]:
        cash = state.cash[self.seat]
        prices = self._prices(state)
        shares = {each for each, price in prices.items() if price <= cash and BANK in state.certificates[each][1:]}
        return shares | {company for company, price in self._starts(state) if price <= cash}

    def _starts(self, state: State) -> Iterator[tuple[str, int]]:
        """Companies that can be started, with what that costs at least, in the title that has such."""
        for company, holders in state.certificates.items():
            spec: Any = getattr(self.title.companies[company], "spec", None)
            if spec is not None and holders[0] == BANK and state.phase >= spec.opens_in_phase:
                yield company, 2 * min(spec.start_prices)
