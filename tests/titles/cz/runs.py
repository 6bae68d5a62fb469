"""Companies about to run their trains, for the tests of VIII.7 and VIII.8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import RunTrains, TrainRun
from ostbahn.titles.cz.state import OperateTrains
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.lines import Tiles
from tests.titles.cz.scenes import scene, state_of

CARD_OF = {"2": "a", "3": "c", "4": "e", "5": "g", "2+2": "b", "3+3": "d", "4+4": "f", "5+5": "h"}
CARD_OF |= {"3E": "d", "4E": "f", "5E": "h", "6E": "i", "8E": "j"}
START = {"small": (60, 0), "medium": (70, 1), "large": (100, 3)}
"""By size a starting price, and the shares beside the Director's certificate that float the company."""


def running(
    company: str,
    trains: Sequence[str],
    tiles: Tiles,
    stations: Mapping[str, Sequence[str]],
    *,
    phase: str = "d",
    highest: bool = False,
    rulings: Mapping[str, str] | None = None,
    **fields: Any,
) -> Game:
    """A company that must run trains of these faces, the first on card 1 of its letter, the second on card 2.

    Only with `highest` a run that earns less than it could is refused.
    """
    price, shares = START[cz_title().companies[company].size]
    return scene(
        phase=phase,
        started={company: (price, "p1")},
        shares={company: {"p1": shares}},
        trains={company: list(zip(cards(*trains), trains, strict=True))},
        tiles=tiles,
        stations=stations,
        agenda=[OperateTrains(company)],
        rulings={"highest_revenue": "demanded" if highest else "not demanded", **(rulings or {})},
        **fields,
    )


def cards(*faces: str) -> list[str]:
    """The cards on which `running` gives a company trains of these faces."""
    return [f"{CARD_OF[face]}{number}" for number, face in enumerate(faces, start=1)]


def run(game: Game, *ways: Sequence[str]) -> RunTrains:
    """The company's trains on these ways, each train on its own."""
    question = game.question
    assert question is not None
    assert question.company is not None
    owned = [train.card for train in state_of(game).trains[question.company]]
    return RunTrains(tuple(TrainRun(card, tuple(path)) for card, path in zip(owned, ways, strict=False)))


def earned(game: Game, *ways: Sequence[str]) -> int:
    """What the company earns on these ways; they must be allowed."""
    return _earned(game, run(game, *ways))


def rule_against(game: Game, *ways: Sequence[str]) -> str:
    """The rule by which these ways are refused."""
    refusal = game.refusal(run(game, *ways))
    assert refusal is not None, f"{ways} are allowed"
    return refusal.rule


def best(game: Game) -> int:
    """What the company earns by the run that the engine proposes."""
    question = game.question
    assert question is not None
    (option,) = question.only(RunTrains)
    assert isinstance(option.action, RunTrains)
    assert option.action in question
    return _earned(game, option.action)


def _earned(game: Game, action: RunTrains) -> int:
    company = game.question.company if game.question else None
    assert company is not None
    twin = game.copy()
    twin.apply(action)
    return state_of(twin).revenue[company]
