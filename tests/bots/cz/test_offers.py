"""Offers of others for trains: bots agree to what is fair, and give nothing away (18CZ VIII.10/9)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from ostbahn.kernel.actions import Accept
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Option
from ostbahn.titles.cz.actions import OfferForTrain
from ostbahn.titles.cz.opponents.policy import proposals
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights
from ostbahn.titles.cz.state import Consent, PurchaseTrains
from tests.bots.cz.rehearsals import played
from tests.titles.cz.asking import asked
from tests.titles.cz.scenes import state_of, table_of


class Wanted(NamedTuple):
    """A train of somebody else's company, and a question at which it could be bought."""

    game: Game
    option: Option
    owner: str
    list_price: int

    def accepted(self, price: int, weights: CzWeights) -> bool:
        """Whether the other side agrees."""
        trial = self.game.copy()
        trial.apply(self.option.with_price(price))
        assert isinstance(asked(trial).task, Consent)
        return proposals(asked(trial), trial, weights)[0].action == Accept()


@cache
def all_wanted() -> tuple[Wanted, ...]:
    """Every train of a game that somebody else could have asked for, once in each round."""
    found: dict[tuple[str, str], Wanted] = {}
    full = played("base", 3).game
    for number in range(len(full)):
        game = full.position(number)
        if isinstance(asked(game).task, PurchaseTrains):
            for each in _wanted(game):
                found.setdefault((state_of(game).round, str(each.option.action)), each)
    return tuple(found.values())


def _wanted(game: Game) -> Iterator[Wanted]:
    state, stack = state_of(game), table_of(game).title.stack
    for option in asked(game).only(OfferForTrain):
        assert isinstance(option.action, OfferForTrain)
        owner, train = next(
            (company, train)
            for company, trains in state.trains.items()
            for train in trains
            if train.card == option.action.card
        )
        trial = game.copy()
        trial.apply(option.action)
        if not trial.over and isinstance(asked(trial).task, Consent):
            yield Wanted(game, option, owner, stack.price(train))


@pytest.fixture(params=["G", "S"])
def weights(request: pytest.FixtureRequest) -> CzWeights:
    return cz_weights() if request.param == "G" else cz_search_weights()


@pytest.mark.slow
def test_no_train_that_still_runs_is_given_away(weights: CzWeights) -> None:
    """Those of the game that are not scrapped within the round, also where the owner has two."""
    full = played("base", 3).game
    kept = [each for each in all_wanted() if _runs_again(full, each)]
    assert any(len(state_of(each.game).trains[each.owner]) > 1 for each in kept)
    given = [(each.owner, each.option.action) for each in kept if each.accepted(1, weights)]
    assert not given


def _runs_again(full: Game, wanted: Wanted) -> bool:
    """Whether the train is still its owner's when the next Operating Round begins."""
    assert isinstance(wanted.option.action, OfferForTrain)
    rounds = [state_of(full.position(number)).round for number in range(len(full))]
    now = state_of(wanted.game).round
    later = [number for number in range(len(wanted.game), len(full)) if rounds[number] not in (now, "")]
    following = next((number for number in later if rounds[number].startswith("OR")), None)
    if following is None:
        return False
    trains = state_of(full.position(following)).trains.get(wanted.owner, ())
    return any(train.card == wanted.option.action.card for train in trains)


def test_good_money_is_taken(weights: CzWeights) -> None:
    """Three times what the bank would take, for one of two trains."""
    spare = [each for each in all_wanted() if len(state_of(each.game).trains[each.owner]) > 1]
    rich = [each for each in spare if each.option.span is not None and each.option.span.high >= 3 * each.list_price]
    assert rich
    assert any(each.accepted(3 * each.list_price, weights) for each in rich)
