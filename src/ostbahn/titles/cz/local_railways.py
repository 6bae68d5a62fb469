"""Local Railways in a company's turn: bought from players, sold to the bank, their purple tiles (18CZ IV.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.steps import Step
from ostbahn.titles.cz.actions import LayPurpleTile, Offer, OfferForLocal, SellLocal
from ostbahn.titles.cz.events import LocalRailwayGone
from ostbahn.titles.cz.offers import lowest_offer, propose, repeated_offer_refusal
from ostbahn.titles.cz.state import CompanyTask, CzTable, EndTurn
from ostbahn.titles.cz.title import RANKS, SIZES
from ostbahn.titles.cz.track import POWER_RULES, TrackBuilding, lays, power_refusal, unused_locals, use_power

SIZE_RULES = {"small": "IV.2.b/4", "medium": "IV.2.c/4", "large": "IV.2.d/4"}


def not_in_turn_refusal(table: CzTable, company: str) -> Refusal | None:
    """Refuse deals in Local Railways outside the company's own turn (IV.1/27, VIII.3/4)."""
    for task in table.state.agenda:
        if type(task) is EndTurn and task.company == company:
            return None
    return table.refuse("IV.1/27", f"it is not the turn of {company}")


class BuyFromPlayer(Step[CzTable, CompanyTask, OfferForLocal]):
    """Buy from a player from phase b on, for 1 K to the current price, if the owner agrees (IV.1/7 to IV.1/10)."""

    action = OfferForLocal

    def answers(self, table: CzTable, task: CompanyTask) -> Iterator[Option]:
        company, state = task.company, table.state
        high = min(state.local_price, state.cash[company])
        if high < 1 or self.closed(table, task):
            return
        players, papers = state.players, table.title.locals
        sizes = SIZES[: RANKS[table.size(company)] + 1]
        for local, owner in state.locals.items():
            if owner in players and papers[local].size in sizes:
                offer = OfferForLocal(local, 1)
                low = lowest_offer(table, offer, 1)
                if low > 1:
                    offer = OfferForLocal(local, low)
                if low <= high and self.unsuitable(table, company, offer) is None:
                    yield Option(offer, Span(low, high))

    def refusal(self, table: CzTable, task: CompanyTask, action: OfferForLocal) -> Refusal | None:
        return self.closed(table, task) or self.unsuitable(table, task.company, action)

    def unsuitable(self, table: CzTable, company: str, action: OfferForLocal) -> Refusal | None:
        """Return why a company cannot make this offer, apart from the time."""
        local, state = action.local, table.state
        owner = state.locals.get(local)
        if owner not in state.players:
            rule = "IV.1/9" if owner else "IV.1/25"
            return table.refuse(rule, f"no player owns a Local Railway {local}")
        size, own = table.title.locals[local].size, table.size(company)
        if RANKS[size] > RANKS[own]:
            return table.refuse(SIZE_RULES[own], f"{company} is a {own} company and may not own the {size} {local}")
        if not 1 <= action.price <= state.local_price:
            text = f"the price of {local} is 1 K to {state.local_price} K, not {action.price} K"
            return table.refuse(self.price_rule(local), text)
        if action.price > state.cash[company]:
            return table.refuse("V/7", f"{company} has only {state.cash[company]} K")
        return repeated_offer_refusal(table, action)

    def closed(self, table: CzTable, task: CompanyTask) -> Refusal | None:
        """Return why no Local Railway can be bought now."""
        title, letter = table.title, table.title.locals_open_in_phase
        if refusal := not_in_turn_refusal(table, task.company):
            return refusal
        if table.phase_from(letter):
            return None
        return table.refuse(title.locals_rule, f"companies may buy Local Railways only after the first {letter}-train")

    def price_rule(self, local: str) -> str:
        return "IV.1/8"

    def perform(self, table: CzTable, task: CompanyTask, action: OfferForLocal) -> None:
        propose(table, task.company, table.state.locals[action.local], action, hand_over)


def hand_over(table: CzTable, company: str, offer: Offer) -> None:
    """Pay the owner from the treasury and move the Local Railway (IV.1/10)."""
    assert isinstance(offer, OfferForLocal)
    owner = table.state.locals[offer.local]
    pay(table, company, owner, offer.price, table.paper(offer.local), "papers")
    table.take_local(company, offer.local)


class SellToBank(Step[CzTable, CompanyTask, SellLocal]):
    """Sell to the bank at the current price; the Local Railway leaves the game (IV.1/24 to IV.1/27)."""

    action = SellLocal

    def answers(self, table: CzTable, task: CompanyTask) -> Iterator[Option]:
        company = task.company
        if not_in_turn_refusal(table, company):
            return
        for local, owner in table.state.locals.items():
            if owner == company:
                yield Option(SellLocal(local))

    def refusal(self, table: CzTable, task: CompanyTask, action: SellLocal) -> Refusal | None:
        if refusal := not_in_turn_refusal(table, task.company):
            return refusal
        if table.state.locals.get(action.local) != task.company:
            return table.refuse("IV.1/24", f"{task.company} does not own a Local Railway {action.local}")
        return None

    def perform(self, table: CzTable, task: CompanyTask, action: SellLocal) -> None:
        pay(table, BANK, task.company, table.state.local_price, f"{table.paper(action.local)} sold", "papers")
        state = table.state
        state.locals = {local: owner for local, owner in state.locals.items() if local != action.local}
        state.used_powers = tuple(local for local in state.used_powers if local != action.local)
        table.note(LocalRailwayGone(action.local))


class LayPurple(TrackBuilding):
    """Lay one purple-edged tile besides normal track, at any point of the turn (IV.1/18, IV.1/19)."""

    action = LayPurpleTile

    def answers(self, table: CzTable, task: CompanyTask) -> Iterator[Option]:
        if not_in_turn_refusal(table, task.company):
            return
        lays_of: dict[tuple[str, ...], list[tuple[str, str, int]]] = {}
        for local in unused_locals(table, task.company):
            colours = table.title.locals[local].purple
            if colours not in lays_of:
                lays_of[colours] = list(lays(table, task.company, colours))
            for hex_id, tile, rotation in lays_of[colours]:
                yield Option(LayPurpleTile(local, hex_id, tile, rotation))

    def refusal(self, table: CzTable, task: CompanyTask, action: LayPurpleTile) -> Refusal | None:
        if refusal := not_in_turn_refusal(table, task.company) or power_refusal(table, task.company, action.local):
            return refusal
        spec = table.title.locals[action.local]
        tile = table.title.tiles.get(action.tile)
        if tile is None or not tile.purple:
            return table.refuse("IV.1/18", f"{action.tile} is not a purple-edged tile")
        if tile.colour not in spec.purple:
            rule = POWER_RULES[spec.size]
            colours = " and ".join(spec.purple)
            return table.refuse(rule, f"{action.local} lays purple-edged tiles in {colours}, not in {tile.colour}")
        unsuitable = self.tile_refusal(table, action.hex, action.tile, action.rotation)
        return unsuitable or self.connection_refusal(table, task.company, action)

    def perform(self, table: CzTable, task: CompanyTask, action: LayPurpleTile) -> None:
        use_power(table, action.local)
        self.lay(table, task.company, action)


AT_ANY_POINT = (BuyFromPlayer(), SellToBank(), LayPurple())
"""Steps open at any point of a company's turn (VIII.3/4)."""
