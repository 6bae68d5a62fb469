"""Alarms: what may have happened since a move was prepared that its owner wants to know first.

Each compares the tables before and after an answer, so that none depends on how often somebody looks. What somebody
does themselves alarms nobody, unless others were moved by the rules in the same breath.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from ostbahn.kernel.chart import position
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, holding
from ostbahn.kernel.table import Table
from ostbahn.programmed.preparing import Alarm, PreparedMove, Preparing, preparing_of
from ostbahn.text.speech import Speech


class Change(NamedTuple):
    """The table before and after an answer, as somebody sees it who has prepared something."""

    game: Game
    seat: str
    about: str
    """The company that it is about; empty if about none."""
    before: Table
    after: Table
    preparing: Preparing

    def name(self, who: str) -> str:
        return Speech(self.game).naming.who(who)

    def same(self, *parts: str) -> bool:
        """Whether parts of the state are just what they were: what changes is replaced, never changed in place."""
        before, after = self.before.state, self.after.state
        return all(getattr(before, part) is getattr(after, part) for part in parts)

    def others(self) -> Iterator[tuple[str, str, int]]:
        """Who else holds another part of a company than before: who, company, by how much."""
        if self.same("certificates"):
            return
        for company, holders in self.after.state.certificates.items():
            was = self.before.state.certificates.get(company)
            if was is None or was == holders:
                continue
            for who in sorted({*was, *holders} - {BANK, self.seat}):
                moved = holding(self.after, who, company) - holding(self.before, who, company)
                if moved:
                    yield who, company, moved

    def of_mine(self, company: str) -> bool:
        """Whether they hold some of it, or are about to buy it."""
        return company == self.about or holding(self.before, self.seat, company) > 0


def rung(game: Game, seat: str, move: PreparedMove, since: int) -> str:
    """Why a move is called off by what happened after so many answers; empty if it is not."""
    if since == len(game) or not move.alarms:
        return ""
    preparing = preparing_of(game)
    tables = [game.rulebook.table(game.setup, game.state_at(number)) for number in range(since, len(game) + 1)]
    about = getattr(move, "company", "")
    for record, before, after in zip(game.records[since:], tables, tables[1:], strict=False):
        change = Change(game, seat, about, before, after, preparing)
        if record.by == seat and not any(change.others()):
            continue
        for alarm in move.alarms:
            if why := CHECKS[alarm](change):
                return why
    return ""


def _sale(change: Change) -> str:
    for who, company, moved in change.others():
        if moved < 0 and change.of_mine(company):
            return f"{change.name(who)} sold {-moved} % of {company}"
    return ""


def _bought(change: Change) -> str:
    for who, company, moved in change.others():
        if moved > 0 and company == change.about:
            return f"{change.name(who)} bought {moved} % of {company}"
    return ""


def _directorship(change: Change) -> str:
    if change.same("certificates", "chart"):
        return ""
    for company, holders in change.after.state.certificates.items():
        was = change.before.state.certificates.get(company, holders)
        if was[0] != holders[0] and change.seat in (was[0], holders[0]):
            return f"{change.name(holders[0])} became director of {company}"
    known = change.preparing.at_risk(change.before, change.seat)
    for company in change.preparing.at_risk(change.after, change.seat):
        if company not in known:
            return f"somebody else needs but one share of {company} to direct it"
    return ""


def _affordable(change: Change) -> str:
    if change.same("certificates", "chart", "cash", "phase"):
        return ""
    known = change.preparing.affordable(change.before, change.seat)
    for what in change.preparing.affordable(change.after, change.seat):
        if what not in known:
            return f"you can pay for {what} now"
    return ""


def _price(change: Change) -> str:
    if change.same("chart"):
        return ""
    for company in change.after.state.certificates:
        before, after = position(change.before, company), position(change.after, company)
        if None not in (before, after) and before != after and change.of_mine(company):
            prices = change.after.title.prices
            return f"the price of {company} is {prices[after or 0]} now, not {prices[before or 0]}"
    return ""


def _float(change: Change) -> str:
    known = change.preparing.floated(change.before)
    new = [company for company in change.preparing.floated(change.after) if company not in known]
    return f"{new[0]} floated" if new else ""


def _phase(change: Change) -> str:
    before, after = change.before.state.phase, change.after.state.phase
    return f"phase {after} began" if before != after else ""


CHECKS: Final[Mapping[Alarm, Callable[[Change], str]]] = {
    "sale": _sale,
    "directorship": _directorship,
    "affordable": _affordable,
    "price": _price,
    "float": _float,
    "bought": _bought,
    "phase": _phase,
}
