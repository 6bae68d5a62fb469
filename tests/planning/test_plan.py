"""Plans: whatever is done on a board, the game stays as it is, and chance keeps its secrets."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from ostbahn.bots.playing import RandomBot
from ostbahn.interop.saves import dump
from ostbahn.kernel.errors import BadFile, BadSetup, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game, reseeded
from ostbahn.planning.comparing import compare, figures
from ostbahn.planning.files import default_plan_file, read_plans, write_plans
from ostbahn.planning.plan import (
    MOST_ANSWERS,
    Plan,
    board_at,
    compare_with_game,
    first_move,
    rebased,
    replay_on,
)
from ostbahn.testing import play_random, uniform
from tests.golden.games import golden_game
from tests.server.sample_games import random_game
from tests.server.tables import NAMES, WAYS


def all_of(game: Game) -> tuple[bytes, object, list[str]]:
    """Everything that a plan could have changed."""
    return dump(game), game.records, [state.digest for state in game.history.states]


def wander(plan: Plan, rng: Random, steps: int) -> None:
    """Do, take back, give again, and let a bot answer, in any order."""
    for _ in range(steps):
        what = rng.random()
        if plan.game.over or (what < 0.2 and plan.answers):
            plan.undo()
        elif what < 0.35 and plan.undone:
            plan.redo()
        elif what < 0.5:
            plan.let_answer(RandomBot(rng.randrange(1000)))
        else:
            plan.answer(uniform(plan.game, rng))


def first_lot(game: Game) -> int:
    """After how many answers the next one leads to a lot."""
    chances = pairwise(getattr(state, "chance", None) for state in game.history.states)
    return next(number for number, (before, after) in enumerate(chances) if before != after)


def answer_on(plan: Plan, steps: int, rng: Random) -> None:
    for _ in range(steps):
        plan.answer(uniform(plan.game, rng))


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_a_plan_never_changes_the_game(title: str, variant: str) -> None:
    rng = Random(f"{title} {variant}")
    game = random_game(title, variant).position(150)
    before = all_of(game)
    for number in (len(game), *rng.sample(range(len(game)), 3)):
        plan = Plan.forked("A try", game, number, lots=rng.randrange(1, 10**6))
        wander(plan, rng, 30)
        compare_with_game(plan, game)
        replay_on(plan, game)
        rebased(plan, game)
        assert plan.game.records[:number] == game.records[:number]
    assert all_of(game) == before


def test_what_is_taken_back_can_be_given_again_but_not_what_the_game_was() -> None:
    plan = Plan.forked("A try", golden_game("18CZ-base-3"), 50, lots=1)
    with pytest.raises(Refused, match="nothing is planned after move 50"):
        plan.undo()
    answer_on(plan, 3, Random(1))
    after = plan.game.state.digest
    plan.undo()
    plan.undo()
    assert [each.action for each in plan.undone] == [record.action for record in (plan.redo(), plan.redo())]
    assert plan.game.state.digest == after
    plan.undo()
    plan.let_answer(RandomBot())
    with pytest.raises(Refused, match="nothing has been taken back"):
        plan.redo()
    assert [each.how for each in plan.answers] == ["person", "person", "bot"]


def test_bots_answer_until_somebody_is_asked() -> None:
    plan = Plan.forked("A try", new_game("18CZ", NAMES[:3], seed=3, draw_order=False), 0, lots=1)
    assert plan.let_answer_until(RandomBot(), "p1") == []
    given = plan.let_answer_until(RandomBot(), "p3")
    assert [record.by for record in given] == ["p1", "p2"]
    assert plan.game.ask().decider == "p3"


def test_a_plan_tells_nothing_of_the_lots_that_the_game_will_draw() -> None:
    """Games that differ in their lots to come are the same on a board; and lots are drawn on it."""
    played = random_game("18CZ", "bohemia")
    drawn = first_lot(played)
    history = played.position(drawn).history
    other = structs.replace(history.states[-1], chance=77)
    twin = Game.from_history(played.rulebook, history._replace(states=(*history.states[:-1], other)))
    ends = set()
    for lots in range(1, 9):
        boards = [board_at(game, drawn, lots) for game in (played, twin)]
        for board in boards:
            board.apply(played.records[drawn].action)
        assert boards[0].state.digest == boards[1].state.digest
        ends.add(boards[0].records[-1].events)
    assert len(ends) > 1


# Whether a plan still fits


def planned(game: Game, number: int, steps: int, seed: int = 1) -> Plan:
    plan = Plan.forked("A try", game, number, lots=5)
    answer_on(plan, steps, Random(seed))
    return plan


def test_a_plan_fits_as_long_as_the_game_goes_along_with_it() -> None:
    real = golden_game("18CZ-base-3").position(100)
    plan = planned(real, 100, 4)
    for gone in range(4):
        found = compare_with_game(plan, real)
        assert (found.followed, len(found.left), found.broke) == (gone, 4 - gone, None)
        first = first_move(plan, real)
        assert first == plan.answers[gone]
        real.apply(first.action, first.by)
    assert compare_with_game(plan, real).left == ()
    with pytest.raises(Refused, match="nothing is planned beyond"):
        first_move(plan, real)


def test_a_plan_that_broke_says_where_and_what_is_left_of_it() -> None:
    real = new_game("18CZ", NAMES[:3], seed=3, draw_order=False)
    plan = Plan.forked("A try", real, 0, lots=5)
    for local in ("L1", "L2", "L3", "M1"):
        plan.answer(plan.game.ask().only(local=local)[0].action)
    for local in ("L1", "S1"):
        real.apply(real.ask().only(local=local)[0].action)
    found = compare_with_game(plan, real)
    assert (found.common, found.followed) == (1, 1)
    assert str(found.broke) == (
        "at move 2 the plan was: Boris bought Local Railway L2 for 60 K;"
        " the game went on: Boris bought Local Railway S1 for 25 K"
    )
    again = replay_on(plan, real)
    assert [each.action for each in again.kept] == [each.action for each in plan.answers[2:]]  # Boris is overtaken
    assert first_move(plan, real).by == "p3"
    renewed = rebased(plan, real)
    assert (renewed.fork, len(renewed.answers), compare_with_game(renewed, real).broke) == (2, 2, None)


def test_what_can_be_given_no_more_is_told_with_its_reason() -> None:
    real = new_game("18CZ", NAMES[:3], seed=3, draw_order=False)
    plan = Plan.forked("A try", real, 0, lots=5)
    for local in ("L1", "L2", "L3"):
        plan.answer(plan.game.ask().only(local=local)[0].action)
    for local in ("L1", "L3"):
        real.apply(real.ask().only(local=local)[0].action)
    again = replay_on(plan, real)
    assert again.kept == ()
    assert again.stopped.startswith("“buy Local Railway L3")
    assert "already belongs to Boris (18CZ VI/2)" in again.stopped
    with pytest.raises(Refused, match="already belongs to Boris"):
        first_move(plan, real)


def test_a_game_that_went_back_before_a_plan_may_come_to_it_again() -> None:
    real = golden_game("18CZ-base-3").position(100)
    plan = planned(real, 100, 2)
    again = real.position(98)
    found = compare_with_game(plan, again)
    assert (found.broke, found.followed, len(found.left)) == (None, 0, 4)
    assert first_move(plan, again).action == real.records[98].action


def test_lots_that_fall_otherwise_break_a_plan() -> None:
    played = random_game("18CZ", "bohemia")
    drawn = first_lot(played)
    answer = played.records[drawn]
    plans = [Plan.forked("A try", played, drawn, lots) for lots in range(1, 20)]
    for plan in plans:
        plan.answer(answer.action, answer.by)
    broken = [compare_with_game(plan, played.position(drawn + 1)).broke for plan in plans]
    assert f"at move {drawn + 1} lots were drawn otherwise" in {str(each) for each in broken}


# Side by side, and in files


@pytest.mark.parametrize(("name", "company"), [("18CZ-base-3", "ATE"), ("18Mag-base-3", "1")])
def test_two_plans_side_by_side(name: str, company: str) -> None:
    game = golden_game(name)
    one, other = game.position(len(game) // 2), game.position(len(game) * 2 // 3)
    found = compare(figures("one", one), figures("other", other), "K")
    for row in found.players:
        assert row.one.worth == one.worth()[row.one.seat]
        assert row.other.cash == other.state.cash[row.other.seat]
    assert company in {row.company for row in found.companies}
    for line in found.companies:
        for figure, at in ((line.one, one), (line.other, other)):
            faces = () if figure is None else tuple(train.face for train in at.state.trains.get(line.company, ()))
            assert figure is None or figure.trains == faces
    assert any(line.one and line.other and line.one.revenue != line.other.revenue for line in found.companies)


def test_plans_are_kept_in_a_file_beside_the_save(tmp_path: Path) -> None:
    real = golden_game("18Mag-base-3").position(120)
    plans = [planned(real, number, 5, seed) for seed, number in enumerate((60, 120))]
    plans[1].name = "Another"
    plans[0].undo()
    path = default_plan_file(tmp_path / "game.json")
    write_plans(path, real.setup, plans)
    for now in (real, real.position(30)):  # whatever becomes of the save
        read = read_plans(path, now)
        assert list(read) == ["A try", "Another"]
        for plan in plans:
            again = read[plan.name]
            assert (again.fork, again.answers, again.undone) == (plan.fork, plan.answers, plan.undone)
            assert again.game.state.digest == plan.game.state.digest
    with pytest.raises(BadFile, match="plans for another game"):
        read_plans(path, new_game("18Mag", NAMES[:3], seed=99))


def test_plans_for_a_copy_of_a_running_game_fit_the_next_copy_of_it(tmp_path: Path) -> None:
    """Somebody plans with the save of a game at a server, and downloads it again some moves later."""
    real = golden_game("18CZ-bohemia-2")
    then, now = (reseeded(real.position(number), 2**128 + number) for number in (60, 150))
    plan = planned(then, 50, 5, 3)
    path = default_plan_file(tmp_path / "game.json")
    write_plans(path, then.setup, [plan])
    for copy in (then, now):
        assert read_plans(path, copy)[plan.name].game.state.cash == plan.game.state.cash
    otherwise = new_game("18CZ", then.setup.players, variant="bohemia", seed=2**128 + 8, draws=(1, 0, 2))
    with pytest.raises(BadFile, match="plans for another game"):
        read_plans(path, otherwise)


def test_names_and_lengths_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    real = golden_game("18CZ-base-3").position(20)
    for name in ("", "x" * 61, "two\x00lines"):
        with pytest.raises(BadSetup, match="name of a plan"):
            Plan.forked(name, real, 20, 1)
    with pytest.raises(Refused, match="go from 0 to 20"):
        Plan.forked("A try", real, 21, 1)
    plan = Plan.forked("A try", real, 20, 1)
    play_random(plan.game, Random(1), 3)
    plan.how = ["person"] * MOST_ANSWERS
    with pytest.raises(Refused, match="at most"):
        plan.answer(uniform(plan.game, Random(1)))
