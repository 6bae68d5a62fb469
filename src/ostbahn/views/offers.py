"""What stands as buttons on the cards of companies and items: what may be answered, and why something may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ostbahn.kernel.actions import Action
from ostbahn.kernel.questions import Option, Question
from ostbahn.views.question_models import OfferView, RefusalView, SpanView
from ostbahn.views.title_views import Candidate, TitleViews


def offer_views(views: TitleViews, question: Question) -> dict[str, tuple[OfferView, ...]]:
    """By company or item, in the order in which the title names them."""
    candidates = list(views.candidates(question))
    if not candidates:
        return {}
    listed = {option.action: (index, option) for index, option in enumerate(question.options)}
    found: dict[str, list[OfferView]] = {}
    for (subject, _), same in groupby(candidates, key=lambda candidate: (candidate.subject, candidate.kind)):
        found.setdefault(subject, []).extend(_of_a_kind(views, question, list(same), listed))
    return {subject: tuple(offers) for subject, offers in found.items()}


def _of_a_kind(
    views: TitleViews, question: Question, candidates: list[Candidate], listed: Mapping[Action, tuple[int, Option]]
) -> Iterator[OfferView]:
    """What is allowed one by one; then what is refused, once for each reason."""
    refused: dict[RefusalView, list[Candidate]] = {}
    allowed = False
    for candidate in candidates:
        index, option = listed.get(candidate.action, (None, None))
        if option is not None:
            allowed = True
            yield _offer(candidate, index=index, span=span_view(option))
        elif refusal := question.refusal(candidate.action):
            reason = RefusalView(
                rule=refusal.rule.rpartition(" ")[2], text=views.short_reason(question, candidate, refusal)
            )
            refused.setdefault(reason, []).append(candidate)
    for reason, same in refused.items():
        first, several = same[0], len(same) > 1
        words = (first.rest if allowed else first.together) if several else first.words
        yield OfferView(kind=first.kind, words=words, price=first.price, refusal=reason)


def _offer(candidate: Candidate, **fields: Any) -> OfferView:
    return OfferView(kind=candidate.kind, words=candidate.words, short=candidate.short, price=candidate.price, **fields)


def span_view(option: Option) -> SpanView | None:
    return None if option.span is None else SpanView(low=option.span.low, high=option.span.high)
