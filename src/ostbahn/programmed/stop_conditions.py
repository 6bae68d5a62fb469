"""Stop conditions: events that cancel a programmed move.

Each compares the tables before and after one answer, so the result does not depend on how often they are checked.
Answers of the move's owner are skipped, unless the rules changed what others hold at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from ostbahn.kernel.chart import position
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK, holding
from ostbahn.kernel.table import Table
from ostbahn.programmed.moves import ProgrammableMoves, ProgrammedMove, StopCondition, programmable_of
from ostbahn.text.speech import Speech


class Change(NamedTuple):
    """The table before and after an answer, for the owner of a programmed move."""

    game: Game
    seat: str
    about: str
    """The company that the move is about; may be empty."""
    before: Table
    after: Table
    programmable: ProgrammableMoves

    def name(self, who: str) -> str:
        return Speech(self.game).naming.who(who)

    def is_unchanged(self, *parts: str) -> bool:
        """Compare by identity: states replace their tables and never change them in place."""
        before, after = self.before.state, self.after.state
        return all(getattr(before, part) is getattr(after, part) for part in parts)

    def trades_of_others(self) -> Iterator[tuple[str, str, int]]:
        """Holder, company and percentage gained or lost, for everybody but the owner."""
        if self.is_unchanged("certificates"):
            return
        for company, holders in self.after.state.certificates.items():
            holders_before = self.before.state.certificates.get(company)
            if holders_before is None or holders_before == holders:
                continue
            for who in sorted({*holders_before, *holders} - {BANK, self.seat}):
                percent = holding(self.after, who, company) - holding(self.before, who, company)
                if percent:
                    yield who, company, percent

    def concerns(self, company: str) -> bool:
        """Whether the owner holds shares of it, or is about to buy some."""
        return company == self.about or holding(self.before, self.seat, company) > 0


def triggered_condition(game: Game, seat: str, move: ProgrammedMove, since: int) -> str:
    """The stop condition that was met after answer number `since`, in words; empty if none was."""
    if since == len(game) or not move.alarms:
        return ""
    programmable = programmable_of(game)
    tables = [game.rulebook.table(game.setup, game.state_at(number)) for number in range(since, len(game) + 1)]
    about = getattr(move, "company", "")
    for record, before, after in zip(game.records[since:], tables, tables[1:], strict=False):
        change = Change(game, seat, about, before, after, programmable)
        if record.by == seat and not any(change.trades_of_others()):
            continue
        for condition in move.alarms:
            if why := CHECKS[condition](change):
                return why
    return ""


def _sale(change: Change) -> str:
    for who, company, percent in change.trades_of_others():
        if percent < 0 and change.concerns(company):
            return f"{change.name(who)} sold {-percent} % of {company}"
    return ""


def _bought(change: Change) -> str:
    for who, company, percent in change.trades_of_others():
        if percent > 0 and company == change.about:
            return f"{change.name(who)} bought {percent} % of {company}"
    return ""


def _directorship(change: Change) -> str:
    if change.is_unchanged("certificates", "chart"):
        return ""
    for company, holders in change.after.state.certificates.items():
        director_before = change.before.state.certificates.get(company, holders)[0]
        if director_before != holders[0] and change.seat in (director_before, holders[0]):
            return f"{change.name(holders[0])} became director of {company}"
    at_risk_before = change.programmable.at_risk(change.before, change.seat)
    for company in change.programmable.at_risk(change.after, change.seat):
        if company not in at_risk_before:
            return f"somebody else needs but one share of {company} to direct it"
    return ""


def _affordable(change: Change) -> str:
    if change.is_unchanged("certificates", "chart", "cash", "phase"):
        return ""
    affordable_before = change.programmable.affordable(change.before, change.seat)
    for item in change.programmable.affordable(change.after, change.seat):
        if item not in affordable_before:
            return f"you can pay for {item} now"
    return ""


def _price(change: Change) -> str:
    if change.is_unchanged("chart"):
        return ""
    for company in change.after.state.certificates:
        before, after = position(change.before, company), position(change.after, company)
        if None not in (before, after) and before != after and change.concerns(company):
            prices = change.after.title.prices
            return f"the price of {company} is {prices[after or 0]} now, not {prices[before or 0]}"
    return ""


def _float(change: Change) -> str:
    floated_before = change.programmable.floated(change.before)
    new = [company for company in change.programmable.floated(change.after) if company not in floated_before]
    return f"{new[0]} floated" if new else ""


def _phase(change: Change) -> str:
    before, after = change.before.state.phase, change.after.state.phase
    return f"phase {after} began" if before != after else ""


CHECKS: Final[Mapping[StopCondition, Callable[[Change], str]]] = {
    "sale": _sale,
    "directorship": _directorship,
    "affordable": _affordable,
    "price": _price,
    "float": _float,
    "bought": _bought,
    "phase": _phase,
}
