"""Operating Rounds in which no train is sold (18Mag VI.4.3/6 to VI.4.3/9), by all rulings about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, PhaseBegan
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain
from ostbahn.titles.mag.events import NoTrainSold, PaidOut
from ostbahn.titles.mag.state import EndTurn, OperatingRound, PayOut, PlaceMarker, PurchaseTrains, Rounds
from tests.titles.mag.run_scenes import in_set, minimal_action, play_to, question_of, refusal_rule, rounds_of
from tests.titles.mag.scenes import scene, state_of

WHEN = ("after the last minor", "at the end of the round")
COUNT = ("first of a new stack", "any from a stack")
ADVANCE = ("its tile is used up", "every unopened stack can")


def ending(tokens: int = 0, rounds: Rounds | None = None, *, director: bool = False, **fields: Any) -> Game:
    """The last minor of an Operating Round may buy; the majors follow, of which RÁBA may have a director."""
    game = scene(
        **{
            "agenda": [OperatingRound(()), EndTurn("1"), PurchaseTrains("1")],
            "trains": {"1": [], "4": ["2"]},
            "cash": {"1": 1000, "4": 1000, "RÁBA": 100},
            "owners": {"1": "p1", "4": "p1"},
            "directors": {"RÁBA": "p2"} if director else {},
            "no_train": tokens,
            **fields,
        }
    )
    return in_set(game, rounds or Rounds(2, 1, 1))


def finish(game: Game, *bought: str) -> list[Event]:
    """The minor buys these trains, and everybody else does as little as possible until the next round."""
    start, done = len(game), len(rounds_of(game))
    for face in bought:
        game.apply(BuyTrain(face))
    while len(rounds_of(game)) == done and not game.over:
        game.apply(minimal_action(game))
    return [event for record in game.records[start:] for event in record.events]


def places(events: Sequence[Event], *wanted: Event) -> list[int]:
    return [events.index(event) for event in wanted]


# Tokens


@pytest.mark.rule("18Mag VI.4.3/6")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("tokens", [0, 1])
def test_a_round_without_a_sale_brings_a_token(tokens: int, when: str) -> None:
    game = ending(tokens, rulings={"no_train_sold_when": when})
    events = finish(game)
    assert state_of(game).no_train == tokens + 1
    assert NoTrainSold(tokens + 1) in events
    assert state_of(game).phase == "yellow"


@pytest.mark.rule("18Mag VI.4.3/6")
@pytest.mark.parametrize("count", COUNT)
def test_a_round_with_a_sale_brings_none(count: str) -> None:
    game = ending(0, rulings={"no_train_sold_count": count})
    finish(game, "2")
    assert state_of(game).no_train == 0


@pytest.mark.rule("18Mag VI.4.3/6")
@pytest.mark.parametrize("site", [False, True])
def test_trade_between_minors_is_no_sale(site: bool) -> None:
    game = ending(0, site=site)
    game.apply(OfferForTrain("2-1", 10))
    finish(game)
    assert state_of(game).no_train == 1


@pytest.mark.rule("18Mag VI.4.3/6")
def test_a_sale_in_one_round_does_not_count_in_the_next() -> None:
    game = ending(0, Rounds(2, 1, 2), phase="green")
    finish(game, "2")
    assert state_of(game).round == "OR 2.2"
    finish(game)
    assert state_of(game).no_train == 1


@pytest.mark.rule("18Mag VI.4.3/6", "18Mag VI.4.3/9")
@pytest.mark.parametrize(("when", "tokens"), list(zip(WHEN, (1, 0), strict=True)))
def test_the_token_is_placed_before_or_after_the_majors(when: str, tokens: int) -> None:
    game = ending(0, director=True, rulings={"no_train_sold_when": when})
    game.apply(Pass())
    assert isinstance(question_of(game).task, PlaceMarker)
    assert state_of(game).no_train == tokens
    finish(game)
    assert state_of(game).no_train == 1


@pytest.mark.rule("18Mag VI.4.3/6")
@pytest.mark.parametrize("site", [False, True])
def test_when_no_stack_can_change_the_phase_there_are_no_tokens(site: bool) -> None:
    """In the last phase, whatever stacks were opened; the game is over after three rounds, not earlier or later."""
    for indicators in (), ("4", "6"):
        game = ending(0, Rounds(2, 1, 3, last=True), phase="grey", indicators=indicators, site=site)
        play_to(game, "end")
        assert rounds_of(game) == ["OR 2.2", "OR 2.3"]
        assert state_of(game).no_train == 0


# What takes them back


@pytest.mark.rule("18Mag VI.4.3/7")
@pytest.mark.parametrize("count", COUNT)
@pytest.mark.parametrize("face", ["3", "4", "6"])
def test_the_first_train_of_a_new_stack_takes_all_tokens_back(face: str, count: str) -> None:
    game = ending(2, rulings={"no_train_sold_count": count})
    game.apply(BuyTrain(face))
    assert (state_of(game).no_train, state_of(game).phase) == (0, "green")


@pytest.mark.rule("18Mag VI.4.3/7")
@pytest.mark.parametrize(("count", "left"), list(zip(COUNT, (2, 0), strict=True)))
@pytest.mark.parametrize("face", ["2", "3"])
def test_another_train_leaves_them_or_takes_them_back_by_the_ruling(face: str, count: str, left: int) -> None:
    game = ending(2, phase="green", rulings={"no_train_sold_count": count})
    finish(game, face)
    assert (state_of(game).no_train, state_of(game).phase) == (left, "green")


@pytest.mark.rule("18Mag VI.4.3/7", "18Mag VI.4.3/8")
@pytest.mark.parametrize(("count", "phase"), list(zip(COUNT, ("green", "yellow"), strict=True)))
def test_the_three_rounds_need_not_follow_each_other(count: str, phase: str) -> None:
    game = ending(2, rulings={"no_train_sold_count": count})
    finish(game, "2")
    play_to(game, "SR 4")
    assert state_of(game).phase == phase
    assert state_of(game).no_train == (0 if phase == "green" else 1)


# The third token


@pytest.mark.rule("18Mag VI.4.3/8")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("advance", ADVANCE)
@pytest.mark.parametrize(("phase", "next_phase"), [("yellow", "green"), ("green", "brown"), ("brown", "grey")])
def test_the_third_token_begins_the_next_phase(phase: str, next_phase: str, when: str, advance: str) -> None:
    rulings = {"no_train_sold_when": when, "no_train_sold_advance": advance}
    game = ending(2, phase=phase, rulings=rulings)
    assert PhaseBegan(next_phase) in finish(game)
    assert (state_of(game).phase, state_of(game).no_train) == (next_phase, 0)


@pytest.mark.rule("18Mag VI.4.3/8", "18Mag VI.4.3/6")
def test_three_idle_rounds_from_the_first_lead_to_green() -> None:
    game = ending()
    play_to(game, "OR 4.1")
    assert rounds_of(game) == ["SR 3", "OR 3.1", "SR 4", "OR 4.1"]
    assert (state_of(game).phase, state_of(game).no_train) == ("yellow", 2)
    play_to(game, "OR 5.2")
    assert rounds_of(game)[4:] == ["SR 5", "OR 5.1", "OR 5.2"]
    assert state_of(game).phase == "green"


@pytest.mark.rule("18Mag VI.4.3/9", "18Mag VI.4.3/8")
@pytest.mark.parametrize("when", WHEN)
def test_the_majors_finish_the_round_and_a_share_round_follows(when: str) -> None:
    """In the first of two rounds of the set; majors act in the new phase if the token was placed before."""
    game = ending(2, Rounds(4, 1, 2), phase="green", director=True, rulings={"no_train_sold_when": when})
    game.apply(Pass())
    assert isinstance(question_of(game).task, PlaceMarker)
    assert state_of(game).phase == ("brown" if when == WHEN[0] else "green")
    game.apply(Pass())
    assert isinstance(question_of(game).task, PayOut)
    events = [event for record in game.records for event in record.events] + finish(game)
    assert rounds_of(game) == ["SR 5"]
    begun, payout = places(events, PhaseBegan("brown"), PaidOut("RÁBA", 0))
    assert (begun < payout) is (when == WHEN[0])
    assert state_of(game).phase == "brown"


@pytest.mark.rule("18Mag VI.4.3/9", "18Mag VI.3.9/6")
@pytest.mark.parametrize("when", WHEN)
def test_tokens_may_begin_the_end_of_the_game(when: str) -> None:
    game = ending(2, Rounds(4, 1, 2), phase="brown", rulings={"no_train_sold_when": when})
    play_to(game, "end")
    assert rounds_of(game) == ["SR 5", "OR 5.1", "OR 5.2", "OR 5.3"]


# Which stacks can change the phase afterwards


def after_tokens(advance: str, phase: str = "yellow", **fields: Any) -> Game:
    """The next Operating Round after the third token, with minor 1 about to buy."""
    game = ending(2, phase=phase, rulings={"no_train_sold_advance": advance}, **fields)
    while state_of(game).phase == phase or not isinstance(question_of(game).task, PurchaseTrains):
        game.apply(minimal_action(game))
    assert refusal_rule(game, BuyTrain("6")) == "allowed"
    return game


def begins(game: Game, face: str) -> str:
    """The phase after such a train was bought."""
    twin = game.copy()
    twin.apply(BuyTrain(face))
    return state_of(twin).phase


@pytest.mark.rule("18Mag VI.4.3/8")
@pytest.mark.parametrize(
    ("phase", "indicators", "begun"),
    [
        ("yellow", ("3", "4", "6"), {"3": "green", "4": "brown", "6": "brown"}),
        ("green", ("4", "6"), {"3": "brown", "4": "brown", "6": "grey"}),
        ("green", ("3", "6"), {"3": "brown", "4": "brown", "6": "grey"}),
        ("green", ("3", "4"), {"3": "brown", "4": "grey", "6": "brown"}),
        ("brown", ("6",), {"3": "grey", "4": "grey", "6": "grey"}),
    ],
)
def test_the_tile_under_the_tokens_is_used_up(phase: str, indicators: tuple[str, ...], begun: dict[str, str]) -> None:
    """The tokens lie on the lowest stack with a tile; the first train of that stack changes nothing later."""
    game = after_tokens(ADVANCE[0], phase, indicators=indicators)
    assert {face: begins(game, face) for face in begun} == begun


@pytest.mark.rule("18Mag VI.4.3/8")
@pytest.mark.parametrize(
    ("phase", "indicators", "begun"),
    [
        ("yellow", ("3", "4", "6"), {"3": "brown", "4": "brown", "6": "brown"}),
        ("green", ("4", "6"), {"3": "brown", "4": "grey", "6": "grey"}),
        ("brown", ("6",), {"3": "grey", "4": "grey", "6": "grey"}),
    ],
)
def test_as_the_site_reads_it_every_unopened_stack_can_change_the_phase(
    phase: str, indicators: tuple[str, ...], begun: dict[str, str]
) -> None:
    game = after_tokens(ADVANCE[1], phase, indicators=indicators)
    assert {face: begins(game, face) for face in begun} == begun


@pytest.mark.rule("18Mag VI.4.3/8", "18Mag VI.3.9/2", "18Mag VI.3.9/3")
def test_all_phases_are_reached_when_one_came_by_tokens() -> None:
    game = after_tokens(ADVANCE[0])
    for face, phase in ("3", "green"), ("6", "brown"):
        game.apply(BuyTrain(face))
        assert state_of(game).phase == phase
    game = after_tokens(ADVANCE[1])
    for face, phase in ("6", "brown"), ("4", "grey"):
        game.apply(BuyTrain(face))
        assert state_of(game).phase == phase


@pytest.mark.rule("18Mag VI.3.9/6")
@pytest.mark.parametrize("site", [False, True])
def test_in_the_last_set_a_stack_that_was_never_opened_ends_nothing_early(site: bool) -> None:
    game = ending(0, Rounds(6, 1, 3, last=True), phase="grey", indicators=("6",), site=site)
    finish(game, "6")
    assert rounds_of(game) == ["OR 6.2"]
    play_to(game, "end")
    assert rounds_of(game) == ["OR 6.2", "OR 6.3"]
