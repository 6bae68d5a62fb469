"""Trade: fair prices at once, and no haggling by single coins."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.bots.learnt import LearntBot, cheapest_agreeable_offers, players_who_declined
from ostbahn.bots.policies import Candidate, price_offers
from ostbahn.interop import files
from ostbahn.kernel.actions import Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.records import OfferDeclined, RoundBegan
from ostbahn.titles.cz.actions import OfferForLocal, OfferForTrain

GOLDEN = Path(__file__).parents[1] / "golden"


def asked(offer: OfferForTrain | OfferForLocal, low: int, high: int) -> list[Candidate]:
    return list(price_offers(Option(offer, Span(low, high)), "p2", "K"))


def price(idea: Candidate) -> int:
    assert isinstance(idea.action, OfferForTrain | OfferForLocal)
    return idea.action.price


def test_prices_go_from_the_lowest_to_the_highest() -> None:
    assert [price(idea) for idea in asked(OfferForTrain("c1", 10), 10, 70)] == [10, 20, 30, 40, 50, 60, 70]
    assert [price(idea) for idea in asked(OfferForTrain("c1", 10), 10, 11)] == [10, 11]
    assert {idea.partner for idea in asked(OfferForTrain("c1", 1), 1, 9)} == {"p2"}


@pytest.mark.parametrize("least", range(0, 90, 7))
def test_of_each_thing_the_cheapest_offer_that_the_other_side_takes_is_left(least: int) -> None:
    train, local = asked(OfferForTrain("c1", 10), 10, 70), asked(OfferForLocal("L1", 40), 40, 45)
    found = cheapest_agreeable_offers([Candidate(Pass()), *train, *local], lambda idea: price(idea) >= least)
    wanted = [next((idea for idea in group if price(idea) >= least), None) for group in (train, local)]
    assert found == [Candidate(Pass()), *(idea for idea in wanted if idea is not None)]


def declined() -> Game:
    """A game in which somebody has just declined an offer for a train."""
    game = files.open_game(GOLDEN / "18CZ-base-3.json")
    for number, record in enumerate(game.records):
        if isinstance(record.action, Decline) and isinstance(game.records[number - 1].action, OfferForTrain):
            found = game.position(number + 1)
            if found.question is not None and found.question.only(OfferForTrain):
                return found
    raise AssertionError("nobody declined")


def test_whoever_has_declined_is_left_alone_until_the_next_round() -> None:
    game = declined()
    (refused,) = (event for event in game.records[-1].events if isinstance(event, OfferDeclined))
    assert refused.player in players_who_declined(game)
    question = game.question
    assert question is not None
    assert all(each.candidate.partner != refused.player for each in LearntBot().evaluate(question, game))
    whole = files.open_game(GOLDEN / "18CZ-base-3.json")
    began = next(
        number
        for number in range(len(game), len(whole.records))
        if any(isinstance(event, RoundBegan) for event in whole.records[number].events)
    )
    assert players_who_declined(whole.position(began)) >= {refused.player}
    assert not players_who_declined(whole.position(began + 1))
