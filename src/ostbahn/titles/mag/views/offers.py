"""What stands on the cards of 18Mag in the draft and in Share Rounds, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ostbahn.eighteen.text import proceeds
from ostbahn.kernel import chart, money
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import BuyDirectorShare, BuyShare, DraftMinor, DraftShare, DraftSupporter, SellShares
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.draft import shares_of as drafted
from ostbahn.titles.mag.modules.supporters_table import cards_of
from ostbahn.titles.mag.state import Draft, MagTable, SoloDraft, StockRound
from ostbahn.titles.mag.stock import certificate_limit
from ostbahn.titles.mag.words.cards import does, holder_of
from ostbahn.titles.mag.words.face import home_name
from ostbahn.views.common import mark_view, plural, who_view
from ostbahn.views.question import ItemView
from ostbahn.views.title_views import Candidate

PACKAGE: Final = "none left to draft"

SHORT: Final[Mapping[str, str]] = {
    "V/1": PACKAGE,
    "V/2": PACKAGE,
    "X/13": PACKAGE,
    "V/6": "you have {drafted} already",
    "M.5/1": "you have {supporters} already",
    "XI.1/7": "{solo}",
    "XI.1/8": "the other side has one of these",
    "VII.3/1": "{certificates} of {limit} certificates",
    "VII.3/3": "at most {holding_limit} %",
    "VII.4/2": "must keep {card} %",
    "VII.5/1": "{left}",
    "VII.5/2": "sold in this round",
    "S.4/1": "sold in this turn already",
}
"""Refusals as they stand on a card, by the rule that they cite."""


def mag_candidates(table: MagTable, question: Question) -> Iterator[Candidate]:
    task = question.task
    if isinstance(task, StockRound):
        for major in table.title.companies:
            yield from _shares(table, question, task.player, major)
    elif isinstance(task, Draft | SoloDraft):
        for minor, owner in table.state.owners.items():
            if owner == BANK:
                yield Candidate(minor, "draft", "Draft", None, DraftMinor(minor))
        for major in table.title.companies:
            yield Candidate(major, "draft", f"Draft {share_unit(table, major)} %", None, DraftShare(major))
        for supporter in cards_of(table, BANK):
            yield Candidate(supporter, "draft", "Draft", None, DraftSupporter(supporter))


def _shares(table: MagTable, question: Question, player: str, major: str) -> Iterator[Candidate]:
    unit = share_unit(table, major)
    yield Candidate(major, "buy", f"Buy {unit} %", chart.price(table, major), BuyShare(major))
    if BuyDirectorShare(major) in question:
        card = table.title.companies[major].certificates[0]
        words = f"{unit} % into the {card} % director share"
        yield Candidate(major, "buy", words, chart.price(table, major), BuyDirectorShare(major))
    for percent in range(unit, holding(table, player, major) + 1, unit):
        brings = proceeds(table, major, percent)
        sale, short = SellShares(major, percent), f"{percent} %"
        yield Candidate(major, "sell", f"Sell {short}", brings, sale, "Sell", "Sell more", short)


def short_reason(table: MagTable, question: Question, candidate: Candidate, refusal: Refusal) -> str:
    """In few words for the one who is asked; what has none is told in full."""
    text = SHORT.get(refusal.rule.rpartition(" ")[2])
    return refusal.text if text is None else text.format(**_facts(table, question.decider, candidate))


def _facts(table: MagTable, player: str, candidate: Candidate) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "drafted": plural(len(minors_of(table, player)), "minor"),
        "supporters": plural(len(cards_of(table, player)), "supporter"),
        "solo": "you have as many as the other side",
        "certificates": money.count_certificates(table, player),
        "limit": certificate_limit(table),
    }
    major = candidate.subject
    if major in table.title.companies:
        dear = f"you have only {table.state.cash[player]} Ft"
        facts |= {
            "drafted": plural(drafted(table, player), "share"),
            "solo": "first the minors, then a share",
            "holding_limit": table.title.major.holding_limit,
            "card": table.title.companies[major].certificates[0],
            "left": dear if money.ordinary_certificates(table, BANK, major) else "none left",
        }
    return facts


def mag_items(table: MagTable, question: Question) -> tuple[ItemView, ...]:
    """Minors and supporters while they are drafted, with those who have them already."""
    if not isinstance(question.task, Draft | SoloDraft):
        return ()
    return (*_minor_items(table), *_supporter_items(table))


def _minor_items(table: MagTable) -> Iterator[ItemView]:
    yield from (
        ItemView(
            id=minor,
            name=table.title.minors[minor].name,
            words=item_words(table, minor),
            mark=mark_view(table, minor),
            holder=who_view(table, owner) if owner != BANK else None,
        )
        for minor, owner in table.state.owners.items()
    )


def _supporter_items(table: MagTable) -> Iterator[ItemView]:
    for supporter, spec in table.title.supporters.items():
        owner = holder_of(table, supporter)
        yield ItemView(
            id=supporter,
            name=spec.short,
            words=f"supporter: {does(supporter)}",
            holder=who_view(table, owner) if owner != BANK else None,
        )


def item_words(table: MagTable, minor: str) -> str:
    """`home Pest; 2 terrain tokens`"""
    tokens = table.title.minors[minor].terrain_tokens
    return f"home {home_name(table.title, minor)}" + (f"; {plural(tokens, 'terrain token')}" if tokens else "")
