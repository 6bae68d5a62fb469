"""What can be proven of a game: nothing that is not so, and all that was left lying."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ostbahn.analysis.runs import best_run
from ostbahn.bots.search import GreedyBot
from ostbahn.interop import files
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, Revenue
from ostbahn.kits.catalogue import SITE, new_game, rulebook_for
from ostbahn.review.proven import Finding, MoneyAfterRun, proven_findings
from ostbahn.titles.cz.actions import BuyTrain, RunTrains
from ostbahn.titles.cz.state import PurchaseTrains
from ostbahn.titles.mag import actions as mag
from tests.interop.reference import MISSING, reference_games
from tests.titles.cz.scenes import scene

GOLDEN = Path(__file__).parents[1] / "golden"
PEOPLE = [path for path in reference_games("18CZ") if path.stem == "29247"]


def played_until(title: str, wanted: Callable[[Game, Question], bool], seed: int = 5) -> Game:
    """A game by the rulings of the site, which lets people run for less, at the first question that is wanted."""
    game, bot = new_game(title, ["Anna", "Ben", "Cyril"], seed=seed, preset=SITE), GreedyBot()
    while (question := game.question) is not None:
        if wanted(game, question):
            return game
        game.apply(bot.choose(question, game))
    raise AssertionError("it never came to that")


def run_option(question: Question, kind: type[Action]) -> Action:
    return question.only(kind)[0].action


def test_a_run_below_the_best_is_found_with_the_better_one() -> None:
    game = played_until(
        "18CZ",
        lambda game, question: question.kind == "operate_trains" and best_run(game, question.company or "").revenue > 0,
    )
    assert game.question is not None
    company, seat = game.question.company, game.question.decider
    assert company is not None
    best = best_run(game, company)
    game.apply(RunTrains(()))
    (found,) = proven_findings(game)
    assert (found.proof, found.number, found.seat, found.company) == ("run", len(game), seat, company)
    assert found.lost == best.revenue == found.better.revenue  # type: ignore[union-attr]
    assert found.words == f"ran for 0 K; {best.revenue} K was there"


def test_the_best_run_is_no_finding() -> None:
    game = played_until("18CZ", lambda _, question: question.kind == "operate_trains")
    assert game.question is not None
    game.apply(run_option(game.question, RunTrains))
    assert proven_findings(game) == []


@pytest.mark.parametrize("name", ["18CZ-bohemia-2", "18CZ-moravia-2", "18CZ-moravia-3"])
def test_where_the_best_run_is_demanded_nobody_runs_below_it(name: str) -> None:
    found = proven_findings(files.open_game(GOLDEN / f"{name}.json"))
    assert [each for each in found if each.proof != "same for less"] == []


def with_car(game: Game, car: mag.BuyCar) -> Game:
    later = game.copy()
    later.apply(car)
    assert later.question is not None
    later.apply(run_option(later.question, mag.RunTrains))
    return later


def test_a_rail_car_that_would_have_paid_for_both_is_found() -> None:
    """For the owner and for the minor: with it both have more, so nobody can say that it was meant so."""

    def pays(game: Game, question: Question) -> bool:
        minor, seat = question.company, question.decider
        if question.kind != "operate_trains" or minor is None:
            return False
        without = game.copy()
        without.apply(run_option(question, mag.RunTrains))
        for option in question.only(mag.BuyCar):
            assert isinstance(option.action, mag.BuyCar)
            then = with_car(game, option.action)
            if all(then.state.cash[who] > without.state.cash[who] for who in (seat, minor)):
                return True
        return False

    game = played_until("18Mag", pays, seed=3)
    assert game.question is not None
    game.apply(run_option(game.question, mag.RunTrains))
    found = proven_findings(game)[-1]
    assert (found.proof, found.number) == ("bought for a run", len(game))
    assert found.lost > 0
    assert "had it chosen to buy the" in found.words


@pytest.mark.parametrize(
    ("owner", "trains", "needless"),
    [
        ("p1", [("b1", "2+2"), ("b2", "2+2")], True),
        ("p1", [("b1", "2+2")], False),  # then ATE would have none
        ("p1", [("b1", "2"), ("b2", "2")], False),  # these are for small companies
        ("p2", [("b1", "2+2"), ("b2", "2+2")], False),  # who need not agree
    ],
)
def test_a_director_who_paid_although_a_train_was_at_hand_is_told_so(
    owner: str, trains: list[tuple[str, str]], needless: bool
) -> None:
    game = scene(
        phase="d",
        started={"BN": (60, "p1"), "ATE": (60, owner)},
        cash={"BN": 30, "p1": 200},
        trains={"ATE": trains},
        agenda=[PurchaseTrains("BN")],
    )
    game.apply(BuyTrain("d2", "3+3"))
    words = "its Director added 150 K for a train; it could offer 1 K for a 2+2-train of ATE instead"
    expected = [("forced purchase", "BN", 150, words)] if needless else []
    assert [(each.proof, each.company, each.lost, each.words) for each in proven_findings(game)] == expected


@pytest.mark.parametrize("name", ["18CZ-base-3", "18CZ-base-6"])
def test_who_has_to_pay_since_nothing_else_is_left_is_not_told_otherwise(name: str) -> None:
    game = files.open_game(GOLDEN / f"{name}.json")
    paid = [event for record in game.records for event in record.events if isinstance(event, Paid)]
    assert any(event.purpose == "emergencies" for event in paid)
    assert proven_findings(game) == []


def test_another_purse_is_better_for_sure_only_if_nothing_is_less() -> None:
    had = MoneyAfterRun(100, 50, 0)
    assert had.gains(MoneyAfterRun(110, 50, 0)).certain_gain == 10
    assert had.gains(MoneyAfterRun(110, 55, 20)).certain_gain == 35
    assert had.gains(MoneyAfterRun(200, 49, 0)).certain_gain == 0
    assert had.gains(had).certain_gain == 0


@pytest.mark.skipif(not PEOPLE, reason=MISSING)
def test_people_ran_below_the_best_23_times_in_a_known_game() -> None:
    """Of 78 runs that earned something; 15 of them would be below the best by the rulebook too.

    The other eight are all of one kind: by the site's ruling an E-train may leave a poor city out for a good town, by
    the rulebook every city counts (A25), so there were better runs by the rules of this game than by the book.
    """
    game = files.open_game(PEOPLE[0])
    found = proven_findings(game)
    assert (len(found), sum(each.lost for each in found)) == (23, 600)
    assert {each.proof for each in found} == {"run"}
    runs = [record for record in game.records if isinstance(record.action, RunTrains)]
    assert sum(any(isinstance(event, Revenue) and event.amount for event in record.events) for record in runs) == 78
    by_the_book = [each for each in found if earned(game, each) < best_by_the_book(game, each)]
    assert len(by_the_book) == 15
    others = [each for each in found if each not in by_the_book]
    assert {(each.company, each.lost) for each in others} == {("Ug", 10), ("kk", 50), ("By", 10)}
    for each in others:
        assert any(train.face.endswith("E") for train in game.position(each.number - 1).state.trains[each.company]), (
            each
        )


def earned(game: Game, finding: Finding) -> int:
    return next(event.amount for event in game.records[finding.number - 1].events if isinstance(event, Revenue))


def best_by_the_book(game: Game, finding: Finding) -> int:
    """The best run, had only the ruling on the stops of E-trains been the rulebook's."""
    rulings = {**game.setup.rulings, "e_train_stops": "all cities and the best towns"}
    setup, state = structs.replace(game.setup, rulings=rulings), game.position(finding.number - 1).state
    state = structs.replace(state, board=Board(state.board.tiles, state.board.stations))  # which remembers nothing
    return best_run(Game.from_state(rulebook_for(setup), setup, state), finding.company).revenue
