"""The coach: proofs and estimates apart, no estimate that was not shown to be good, and exercises of both."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

from ostbahn.interop import files
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kits
from ostbahn.review.coach import check_amount, check_answer, choices, coach, coach_answers, exercises, merge_findings
from ostbahn.review.estimated import CATEGORIES, CoachStandard, EstimateAccuracy, coach_standard_of
from ostbahn.review.proven import proven_findings, proven_findings_at
from ostbahn.titles.cz.actions import RunTrains, Withhold
from tests.review.test_proven import played_until

GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def golden(name: str) -> Game:
    return files.open_game(GOLDEN / f"{name}.json")


def trusting(title: str, kind: str) -> CoachStandard:
    """As if rehearsals had shown that one kind of estimate can be believed as it is."""
    standard = coach_standard_of(title)
    assert standard is not None
    measured = EstimateAccuracy(by="net", factor=1.0, spread=0.01, doubt=1.0, decisions=100)
    return structs.replace(standard, measured={kind: measured})


# Proven


@pytest.mark.parametrize(
    ("name", "number", "lost", "words"),
    [
        ("18CZ-base-4", 221, 10, "the same could be had for 0 K: lay 9 on H10, S4 waives the cost"),
        ("18Mag-base-6", 65, 30, "the same could be had for 10 Ft: lay 3 on H11 with a terrain token"),
    ],
)
def test_a_power_that_was_never_needed_would_have_paid_for_a_tile(
    name: str, number: int, lost: int, words: str
) -> None:
    (found,) = proven_findings_at(golden(name), number)
    assert (found.proof, found.number, found.lost) == ("same for less", number, lost)
    assert words in found.words


def test_a_power_pays_for_one_tile_only() -> None:
    """Each of four tiles could have been free; but there was one power for all of them."""
    assert [each.proof for each in proven_findings(golden("18CZ-bohemia-2"))] == ["same for less"]


def test_while_a_game_goes_on_a_power_may_still_be_needed() -> None:
    assert proven_findings_at(golden("18CZ-base-4").position(300), 221) == []


def test_a_power_that_was_used_later_was_not_free() -> None:
    """Where tiles were laid by a power, it could not have paid for one before."""
    game = golden("18Mag-base-3")
    used = [number for number, record in enumerate(game.records, start=1) if getattr(record.action, "token", False)]
    assert used
    paid = [number for number in range(1, used[-1]) if type(game.records[number - 1].action).__name__ == "LayTile"]
    assert not any(proven_findings_at(game, number) for number in paid)


# Estimated


def withheld() -> Game:
    """Late in a game a company keeps an income for which it has no use."""
    game = golden("18CZ-base-3")
    late = max(
        number
        for number, record in enumerate(game.records, start=1)
        if type(record.action).__name__ == "PayOut" and number < len(game) - 20
    )
    earlier = game.position(late - 1)
    earlier.apply(Withhold())
    return earlier


def test_what_was_not_shown_to_be_good_is_not_told() -> None:
    game = withheld()
    nothing = structs.replace(trusting("18CZ", "use_income"), measured={})
    found = merge_findings(game, [coach_answers(game, len(game), len(game), nothing)], nothing)
    assert (found.estimated, found.mistakes, found.judged) == ((), (), ())


def test_an_income_that_was_kept_to_no_purpose_costs_its_dividend() -> None:
    game, standard = withheld(), trusting("18CZ", "use_income")
    found = merge_findings(game, [coach_answers(game, len(game), len(game), standard)], standard)
    (costly,) = found.estimated
    assert (costly.number, costly.category) == (len(game), "income")
    assert costly.low < costly.lost < costly.high
    assert costly.best == "pay out"
    assert 1 <= len(costly.reasons) <= 3
    (mistakes,) = found.mistakes
    assert (mistakes.seat, mistakes.category, mistakes.decisions) == (costly.seat, "income", 1)
    assert abs(mistakes.each - costly.lost) <= 5
    (exercise,) = exercises(game, found)
    assert (exercise.proven, exercise.asks, exercise.answer) == (False, "answer", "Pay out")
    option = next(each.option for each in choices(game, len(game)) if each.words == "Pay out")
    assert check_answer(game, len(game), False, option, standard).good
    same = next(each.option for each in choices(game, len(game)) if each.words != "Pay out")
    assert check_answer(game, len(game), False, same, standard) == (False, "That is what was played.")


def test_where_the_net_is_less_sure_than_it_was_measured_nothing_is_told() -> None:
    game, standard = withheld(), trusting("18CZ", "use_income")
    unsure = structs.replace(standard.measured["use_income"], doubt=0.0001)
    standard = structs.replace(standard, measured={"use_income": unsure})
    assert coach_answers(game, len(game), len(game), standard).decided == ()


def test_only_decisions_of_the_seats_one_asks_for_are_told() -> None:
    game, standard = withheld(), trusting("18CZ", "use_income")
    found = merge_findings(game, [coach_answers(game, len(game), len(game), standard)], standard)
    own = found.estimated[0].seat
    assert found.of([own]).estimated == found.estimated
    others = [seat for seat in game.state.players if seat != own]
    assert found.of(others)._replace(judged=()) == ((), (), (), ())


@pytest.mark.parametrize("title", [title for title, kit in kits().items() if kit.policy.has_learnt])
def test_every_kind_that_is_judged_is_about_something_and_was_measured(title: str) -> None:
    standard = coach_standard_of(title)
    assert standard is not None
    assert set(standard.categories.values()) <= set(CATEGORIES)
    for name, measured in standard.measured.items():
        assert name.removesuffix(" settled") in standard.categories
        assert measured.decisions >= 20
        assert measured.factor > 0


# Exercises


def test_a_run_is_found_again_by_what_it_brings() -> None:
    def runs(_: Game, question: Question) -> bool:
        return question.kind == "operate_trains" and bool(best(question).runs)

    def best(question: Question) -> RunTrains:
        action: Action = question.only(RunTrains)[0].action
        assert isinstance(action, RunTrains)
        return action

    game = played_until("18CZ", runs)
    game.apply(RunTrains(()))
    standard = structs.replace(trusting("18CZ", "use_income"), measured={})
    (exercise,) = exercises(game, merge_findings(game, [coach_answers(game, len(game), len(game), standard)], standard))
    assert (exercise.asks, exercise.proven, exercise.lost) == ("amount", True, exercise.best)
    assert exercise.routes
    assert check_amount(exercise, exercise.best, "").good
    assert not check_amount(exercise, exercise.best + 10, "").good
    assert not check_amount(exercise, 0, "").good


def test_the_tile_for_less_is_the_answer_and_the_one_that_was_laid_is_not() -> None:
    game = golden("18CZ-base-4")
    standard = structs.replace(trusting("18CZ", "acquire"), measured={})
    (exercise,) = exercises(game, merge_findings(game, [coach_answers(game, 215, 225, standard)], standard))
    assert exercise.number == 221
    listed = {each.words: each.option for each in choices(game, 221)}
    assert check_answer(game, 221, True, listed["Lay 9 on H10, S4 waives the cost"]).good
    assert not check_answer(game, 221, True, listed["Lay 9 on H10"]).good
    assert not check_answer(game, 221, True, 10_000).good


def test_the_coach_tells_how_far_it_is() -> None:
    game, heard = golden("18CZ-moravia-2"), list[int]()
    coach(game, heard.append, structs.replace(trusting("18CZ", "acquire"), measured={}))
    assert heard == list(range(1, len(game) + 1))
