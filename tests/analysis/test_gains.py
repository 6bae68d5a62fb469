"""What each offered tile and station adds to the best run: figures against answers that are really given."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ostbahn.analysis.gains import GainView, builds, gains
from ostbahn.analysis.runs import CompanyTrains, best_run, companies_of
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.routes.budget import UNLIMITED, StepBudget
from ostbahn.kernel.table import Table
from ostbahn.titles.cz.actions import LayPurpleTile, LayTile, PlaceStation
from ostbahn.titles.cz.state import EstablishStation, LayTrack, OperateTrains
from tests.golden.games import GOLDEN, USUAL, golden_game
from tests.lengths import others_in_soak
from tests.titles.cz.scenes import scene
from tests.titles.cz.test_local_railways_powers import sx_on_d4

MOMENTS = 12
"""How many questions of a golden game are looked at."""
ANSWERS = 12
"""How many answers of each are given."""


def bcb(**fields: object) -> Game:
    """BCB in Pardubice (E15) with a 3-train; track to Hradec Králové (D16) and to the west."""
    told: dict[str, object] = {
        "phase": "c",
        "started": {"BCB": (60, "p1")},
        "cash": {"BCB": 200},
        "tiles": {"E15": ("6", 1), "D16": ("6", 0)},
        "stations": {"E15.0": ["BCB"]},
        "trains": {"BCB": [("c1", "3")]},
        "agenda": [LayTrack("BCB", first=False)],
    }
    return scene(**(told | fields))  # type: ignore[arg-type]


def asked(game: Game) -> Question:
    assert game.question is not None
    return game.question


def told(game: Game, kind: type[LayTile | PlaceStation | LayPurpleTile], **fields: object) -> GainView:
    """What is said of the only answer of that kind with those fields."""
    question = asked(game)
    (option,) = question.only(kind, **fields)
    return gains(game)[question.options.index(option)]


def test_track_to_another_stop_adds_what_it_is_worth() -> None:
    """E13 has two towns: one of them joins the run with 10 K, however they lie. C15 is open country."""
    game = bcb()
    question, found = asked(game), gains(game)
    by_hex: dict[str, set[GainView]] = {}
    for number, figure in found.items():
        by_hex.setdefault(getattr(question.options[number].action, "hex", ""), set()).add(figure)
    assert by_hex == {"E13": {GainView(gain=10, best=50, proven=True)}, "C15": {GainView(gain=0, best=40, proven=True)}}


def test_a_city_that_is_promoted_is_worth_more() -> None:
    """Pardubice turns green: 30 K instead of 20 K."""
    assert told(bcb(phase="d"), LayTile, hex="E15", tile="14", rotation=0).gain == 10


def test_a_station_where_trains_pass_anyway_adds_nothing() -> None:
    game = bcb(
        phase="e",
        tiles={"E15": ("14", 0), "D16": ("6", 0), "E13": ("55", 0)},
        stations={"D16.0": ["BCB"]},
        agenda=[EstablishStation("BCB")],
    )
    assert told(game, PlaceStation, city="E15.0") == GainView(gain=0, best=60, proven=True)


def test_only_answers_that_build_have_a_figure() -> None:
    game = bcb()
    options = asked(game).options
    assert set(gains(game)) == {number for number, option in enumerate(options) if isinstance(option.action, LayTile)}
    assert len(options) > len(gains(game))


def test_without_a_train_there_are_no_figures() -> None:
    assert gains(bcb(trains={})) == {}


def test_where_nothing_is_built_there_are_no_figures() -> None:
    assert gains(bcb(agenda=[OperateTrains("BCB")])) == {}
    assert gains(bcb(agenda=[])) == {}, "a Stock Round"


def test_a_lay_is_the_same_however_it_is_paid() -> None:
    """L1 waives the cost of the hill E5; with it and without it the same track lies there."""
    game = sx_on_d4(trains={"Sx": [("e1", "3E")]}, cash={"Sx": 200})
    question, found = asked(game), gains(game)
    figures: dict[object, list[GainView]] = {}
    for number, figure in found.items():
        action = question.options[number].action
        if isinstance(action, LayTile):
            figures.setdefault((action.hex, action.tile, action.rotation), []).append(figure)
    assert {len(each) for each in figures.values()} == {1, 2}, "some lays are offered with the waiver as well"
    assert all(len(set(each)) == 1 for each in figures.values())


def test_powers_of_local_railways_have_figures_too() -> None:
    game = sx_on_d4(trains={"Sx": [("e1", "3E")]})
    options = asked(game).options
    purple = {number for number, option in enumerate(options) if isinstance(option.action, LayPurpleTile)}
    assert purple
    assert purple <= set(gains(game))


def test_the_game_is_as_it_was() -> None:
    game = bcb()
    before = game.state.digest
    gains(game)
    assert game.state.digest == before
    assert len(game) == 0


def test_without_patience_nothing_is_called_proven_that_is_not() -> None:
    """Two trains that get into each other's way, and lays that bring them more."""
    games = ((each, gains(each, UNLIMITED)) for each in moments("18CZ-base-4", 40) if len(fleet(each).faces) > 1)
    game, true = next(each for each in games if any(figure.gain for figure in each[1].values()))
    assert all(figure.proven for figure in true.values())
    hurried = gains(game, StepBudget(0, free_steps=0))
    assert not all(figure.proven for figure in hurried.values())
    assert all(not figure.proven or figure.gain == true[number].gain for number, figure in hurried.items())


# Golden games


def fleet(game: Game) -> CompanyTrains:
    return CompanyTrains(game.table, asked(game).company or "")


def moments(name: str, most: int) -> list[Game]:
    """Questions of a golden game at which a company with a train can build, chosen by lot."""
    whole = golden_game(name)
    found = [number for number in range(len(whole)) if _can_build(whole.position(number))]
    return [whole.position(number) for number in sorted(Random(1).sample(found, min(most, len(found))))]


def _can_build(game: Game) -> bool:
    question = game.question
    if question is None or question.company not in companies_of(game) or not fleet(game).faces:
        return False
    return any(builds(option.action) for option in question.options)


@pytest.mark.slow
@pytest.mark.parametrize("name", others_in_soak([golden.name for golden in GOLDEN], USUAL))
def test_figures_are_those_of_answers_that_are_given(name: str) -> None:
    chance = Random(2)
    seen = Counter[str]()
    for game in moments(name, MOMENTS):
        question, found = asked(game), gains(game)
        company = question.company or ""
        before = best_run(game, company)
        for number in chance.sample(sorted(found), min(ANSWERS, len(found))):
            action = question.options[number].action
            tried, after = game.table_after(action), game.copy()
            after.apply(action)
            then = CompanyTrains(tried, company).best(None)
            if _shows_the_same(after, tried, company):
                run = best_run(after, company)
                assert (run.revenue, run.subsidy, run.bound) == (then.revenue, then.subsidy, then.bound)
                seen["given"] += 1
            figure, worth = found[number], then.revenue + then.subsidy
            assert then.bound == worth
            if figure.proven and before.proven:
                assert figure.best == worth
                assert figure.gain == worth - before.revenue - before.subsidy
            seen["proven" if figure.proven else "not proven"] += 1
            seen["gains"] += figure.gain > 0
    assert seen["given"]
    assert seen["gains"]
    assert seen["proven"] > 2 * seen["not proven"]


def _shows_the_same(game: Game, table: Table, company: str) -> bool:
    """Whether nothing has followed from an answer that would count for the company's run."""
    then = game.table
    same = (then.state.board, then.state.phase) == (table.state.board, table.state.phase)
    return same and CompanyTrains(then, company).faces == CompanyTrains(table, company).faces
