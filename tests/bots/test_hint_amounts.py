"""The amounts in a hint are those that its button pays: both come from the same rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ostbahn.bots.hints import hint
from ostbahn.bots.policies import Proposal, weighted_policy_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid
from ostbahn.views.hints import hint_view
from ostbahn.views.question import dividend_views, question_view
from tests.golden.games import GOLDEN, USUAL, golden_game
from tests.lengths import others_in_soak

SLOW = ("lay_track", "lay_waived")
"""Bots think long about track, and tell no exact amounts of it."""
EACH = 8
"""Questions of a kind that are looked at in a game."""
HINTED = ("use_income", "pay_out", "stock_round", "purchase_trains", "pre_stock", "bidding", "acquire")


def positions(name: str) -> Iterator[Game]:
    """Moments of a golden game at which there is a choice."""
    game = golden_game(name)
    now, seen = game.position(0), Counter[str]()
    for _, action in game.actions():
        question = now.question
        assert question is not None
        if question.kind not in SLOW and not question.obvious and seen[question.kind] < EACH:
            seen[question.kind] += 1
            yield now.copy()
        now.apply(action)


def payments(game: Game, action: Action) -> list[Paid]:
    """What is paid at once if an action is taken, before anything else happens."""
    then = game.copy()
    return [event for event in then.apply(action).events if isinstance(event, Paid)]


def own_dividend(game: Game, action: Action) -> int:
    question = game.question
    assert question is not None
    why = f"dividend of {question.company}"
    return sum(paid.amount for paid in payments(game, action) if (paid.target, paid.why) == (question.decider, why))


def into_treasury(game: Game, action: Action) -> int:
    assert game.question is not None
    return next(paid.amount for paid in payments(game, action) if paid.target == game.question.company)


def cost(game: Game, action: Action) -> int:
    """What the player or the company that decides pays for it; sellers and the bank may share it."""
    question = game.question
    assert question is not None
    own = [paid for paid in payments(game, action) if paid.source in (question.decider, question.company)]
    return sum(paid.amount for paid in own if paid.purpose == own[0].purpose)


def price(game: Game, action: Any) -> int:
    return int(action.price)


EXACT: dict[str, Callable[[Game, Action], int]] = {
    r"^a dividend of (\d+) K for you$": own_dividend,
    r"^(\d+) Ft of it for you$": own_dividend,
    r"^(\d+) K more for trains$": into_treasury,
    r", for (\d+) (?:K|Ft)(?: once)?$": cost,
    r"^a share may grow from (\d+) K to \d+ K$": price,
    r"^each of your shares of \w+ brings (\d+) K$": price,
}
"""Amounts without "about", and what the game makes of the action."""


def amounts(game: Game, proposal: Proposal) -> Iterator[tuple[str, int, int]]:
    """Each exact amount that is told: the reason, the amount, and what the game makes of it."""
    for reason in proposal.reasons:
        for pattern, real in EXACT.items():
            if found := re.search(pattern, reason):
                yield reason, int(found[1]), real(game, proposal.action)


@pytest.mark.parametrize("name", others_in_soak([golden.name for golden in GOLDEN], USUAL))
def test_reasons_tell_the_amounts_that_are_paid(name: str) -> None:
    """Of everything that a bot weighs, since any of it may become a hint."""
    found: list[tuple[str, int, int]] = []
    for game in positions(name):
        assert game.question is not None
        for proposal in weighted_policy_of(game.setup.title).proposals(game.question, game):
            found += amounts(game, proposal)
    assert found, "some amounts are told"
    assert [(reason, real) for reason, told, real in found if told != real] == []


@pytest.mark.parametrize("name", ["18CZ-base-4", "18CZ-bohemia-2", "18CZ-moravia-3", "18Mag-base-4"])
def test_a_hint_reads_like_the_button_of_its_action(name: str) -> None:
    """The words of a hint have the figures of the answer on the page, and its dividend those beside the button."""
    compared = Counter[str]()
    for game in positions(name):
        question = game.question
        assert question is not None
        if question.kind not in HINTED or compared[question.kind] >= 3:
            continue
        told = hint(game)
        words = hint_view(game, told, 0).words
        index = next(
            (at for at, each in enumerate(question.options) if each.action == told.action and each.span is None), None
        )
        if index is None:  # an offer at a price of one's own
            assert str(price(game, told.action)) in re.findall(r"\d+", words)
            continue
        compared[question.kind] += 1
        view = question_view(game)
        assert view is not None
        assert re.findall(r"\d+", words) == re.findall(r"\d+", view.answers[index].words)
        for dividend in (each for each in dividend_views(game) if each.index == index):
            own = {receipt.who.seat: receipt.amount for receipt in dividend.received}.get(question.decider, 0)
            figures = re.findall(r"(\d+) (?:K|Ft)(?: of it)? for you", " ".join(told.reasons))
            assert figures in ([], [str(own)])
    assert sum(compared.values()) >= 5
