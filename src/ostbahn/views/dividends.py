"""What each answer about income would do, found by letting it happen on a table that does not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ostbahn.kernel import chart
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Event, Paid, PriceMoved
from ostbahn.kernel.steps import Decision
from ostbahn.text.speech import Speech
from ostbahn.views.common import who_view
from ostbahn.views.question_models import DividendView, ReceiptView
from ostbahn.views.title_views import views_of


def dividend_views(game: Game) -> tuple[DividendView, ...]:
    """One for each answer that decides on the income; none at other questions."""
    question, views = game.question, views_of(game)
    if question is None or question.kind not in views.income_questions or question.company is None:
        return ()
    return tuple(
        _preview(game, question, question.company, index, option)
        for index, option in enumerate(question.options)
        if option.action.__struct_config__.tag in views.income_answers
    )


def notable(dividends: Sequence[DividendView]) -> tuple[DividendView, ...]:
    """Of many amounts those worth a button: of each price that follows the smallest payout, and the largest of all."""
    by_amount = sorted(dividends, key=_paid)
    smallest = {dividend.price_after: dividend for dividend in reversed(by_amount)}
    found = {dividend.index: dividend for dividend in (*smallest.values(), *by_amount[-1:])}
    return tuple(sorted(found.values(), key=_paid, reverse=True))


def _paid(dividend: DividendView) -> int:
    return dividend.to_bank + sum(receipt.amount for receipt in dividend.received)


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
        words=Speech(game).label(option),
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
