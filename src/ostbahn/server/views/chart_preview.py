"""What each answer about income would do, found by letting it happen on a table that does not count."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import chart
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Event, Paid, PriceMoved
from ostbahn.kernel.steps import Decision
from ostbahn.server.views.common import who_view
from ostbahn.server.views.play_models import DividendView, ReceiptView
from ostbahn.telling.faces import face_of

ASKED: Final = ("use_income", "pay_out")
"""The questions about income: of 18CZ, and of 18Mag's majors."""
ANSWERS: Final = ("pay_out", "withhold", "pay_dividend")
"""Their answers; in 18CZ Local Railways may be dealt with at the same time."""


def dividend_views(game: Game) -> tuple[DividendView, ...]:
    """One for each answer that decides on the income; none at other questions."""
    question = game.question
    if question is None or question.kind not in ASKED or question.company is None:
        return ()
    return tuple(
        _preview(game, question, question.company, index, option)
        for index, option in enumerate(question.options)
        if option.action.__struct_config__.tag in ANSWERS
    )


def _preview(game: Game, question: Question, company: str, index: int, option: Option) -> DividendView:
    table = game.table
    before, treasury = chart.price(table, company), table.state.cash[company]
    chapter = game.rulebook.chapters[type(question.task)]
    step = chapter.step_for(option.action) if isinstance(chapter, Decision) else None
    if step is None:
        raise OstbahnError(f"{option.action} does not answer {question.task}")
    step.perform(table, question.task, option.action)
    received = _received(table.events)
    to_bank = received.pop(BANK, 0)
    return DividendView(
        index=index,
        words=face_of(game).words.describe_option(option),
        price_before=before,
        price_after=_price_after(table.events, company, before),
        treasury_before=treasury,
        treasury_after=table.state.cash[company],
        received=tuple(
            ReceiptView(who=who_view(table, who), amount=amount)
            for who, amount in received.most_common()
            if who in table.state.players
        ),
        to_bank=to_bank,
    )


def _received(events: list[Event]) -> Counter[str]:
    """Who is paid how much."""
    found: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            found[event.target] += event.amount
    return found


def _price_after(events: list[Event], company: str, before: int) -> int:
    moved = [event.after for event in events if isinstance(event, PriceMoved) and event.company == company]
    return moved[-1] if moved else before
