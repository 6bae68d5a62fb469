"""Minors about to run their trains, and track for them to run on: short lines, described by the sides they join.

A scene may put any tile on any hex, so a board is as small as its test wants it. Row F has neither red hexes nor
mines; H1 (Trieszt) lies west of row H, C6 (Bécs) west of row C, E26 (a mine) east of row E.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import RoundBegan
from ostbahn.titles.mag.actions import Car, RunTrains, TrainRun
from ostbahn.titles.mag.state import OperateWithCars, Rounds
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.scenes import cards_of, scene, state_of, table_of

CITY_20, CITY_30, CITY_40, CITY_50 = "57", "14", "611", "455"
SHARP_CITY = "5"
TOWN_10, TOWN_20, TOWN_30 = "4", "G17", "L38"
SHARP_TOWN = "3"
STRAIGHT, GENTLE, SHARP = "9", "8", "7"

OPPOSITE = {"SW": "NE", "W": "E", "NW": "SE", "NE": "SW", "E": "W", "SE": "NW"}
AROUND_F15 = {"SW": "G14", "W": "F13", "NW": "E14", "NE": "E16", "E": "F17", "SE": "G16"}

Tiles = Mapping[str, tuple[str, int]]
Path = Sequence[str]


# Track


def turned(tile: str, *sides: str) -> tuple[str, int]:
    """A tile, turned so that its city, its town or one of its tracks joins these sides."""
    wanted = sum(1 << DIRECTIONS.index(side) for side in sides)
    for rotation, face in enumerate(mag_title().tile_set.faces[tile]):
        if wanted in face.pairs or any(wanted & ~exits == 0 for exits in face.node_exits):
            return tile, rotation
    raise ValueError(f"{tile} does not join {sides}")


def line(start: str, *tiles: str) -> dict[str, tuple[str, int]]:
    """Tiles side by side from west to east."""
    row, column = start[0], int(start[1:])
    return {f"{row}{column + 2 * step}": turned(tile, "W", "E") for step, tile in enumerate(tiles)}


def path_of_line(tiles: Tiles) -> tuple[str, ...]:
    """The way along a line from its first hex to its last."""
    return tuple(f"{name}.0" if mag_title().tiles[tile].nodes else name for name, (tile, _) in tiles.items())


def star(centre: tuple[str, int], *sides: str) -> dict[str, tuple[str, int]]:
    """A tile on F15 with a city of 20 beyond each of these sides."""
    around = {AROUND_F15[side]: turned(CITY_20, OPPOSITE[side]) for side in sides}
    return {"F15": centre, **around}


# Games


def running(
    minor: str,
    trains: Sequence[str],
    tiles: Tiles,
    stations: Mapping[str, Sequence[str]] | None = None,
    *,
    cars: Sequence[Car] = (),
    strict: bool = False,
    rulings: Mapping[str, str] | None = None,
    **fields: Any,
) -> Game:
    """A minor, the only one in the game, that must run trains of these faces with the cars it has bought.

    Only if strict a run is refused that earns less than it could, or that leaves a car unused.
    """
    lenient = {} if strict else {"highest_revenue": "not demanded", "unused_rail_car": "allowed"}
    return scene(
        **{
            "owners": {minor: "p1"},
            "trains": {minor: trains},
            "tiles": tiles,
            "stations": stations,
            "agenda": [OperateWithCars(minor, tuple(cars))],
            "rulings": {**lenient, **(rulings or {})},
            **fields,
        }
    )


def in_set(game: Game, rounds: Rounds) -> Game:
    """The same position in another set of Operating Rounds."""
    state = state_of(game)
    return Game.from_state(
        game.rulebook, game.setup, msgspec.structs.replace(state, agenda=(rounds, *state.agenda[1:]))
    )


def run(game: Game, *ways: Path, cars: Sequence[Sequence[Car]] = ()) -> RunTrains:
    """The minor's trains on these ways, each train on its own, with these cars."""
    minor = question_of(game).company
    assert minor is not None
    owned = cards_of(game, minor)
    given = [*cars, *[()] * len(ways)]
    return RunTrains(
        tuple(
            TrainRun(card, tuple(path), tuple(with_it)) for card, path, with_it in zip(owned, ways, given, strict=False)
        )
    )


def revenue_of(game: Game, *ways: Path, cars: Sequence[Sequence[Car]] = ()) -> int:
    """The revenue of these ways, mines aside; they must be allowed."""
    return outcome(game, run(game, *ways, cars=cars))[0]


def income_of(game: Game, *ways: Path, cars: Sequence[Sequence[Car]] = ()) -> tuple[int, int]:
    """Revenue and mine money of these ways; they must be allowed."""
    return outcome(game, run(game, *ways, cars=cars))


def refusal_of_run(game: Game, *ways: Path, cars: Sequence[Sequence[Car]] = ()) -> str:
    """The rule by which these ways are refused."""
    return refusal_rule(game, run(game, *ways, cars=cars))


def proposed_run(game: Game) -> RunTrains:
    """The run that the engine proposes, which must be legal."""
    (option,) = question_of(game).only(RunTrains)
    assert isinstance(option.action, RunTrains)
    assert option.action in question_of(game), question_of(game).refusal(option.action)
    return option.action


def best_income(game: Game) -> tuple[int, int]:
    """Revenue and mine money of the run that the engine proposes."""
    return outcome(game, proposed_run(game))


def outcome(game: Game, action: RunTrains) -> tuple[int, int]:
    minor = question_of(game).company
    assert minor is not None
    twin = game.copy()
    before = state_of(game).cash[minor]
    twin.apply(action)
    revenue = state_of(twin).revenue[minor]
    return revenue, state_of(twin).cash[minor] - before - revenue // 2


# What tests ask of a game


def question_of(game: Game) -> Question:
    """The question; the test is wrong if the game is over."""
    question = game.question
    assert question is not None
    return question


def refusal_rule(game: Game, action: Action, by: str | None = None) -> str:
    """The rule on which a refusal rests; a test that gets "allowed" fails with the right word."""
    refusal = game.refusal(action, by)
    return "allowed" if refusal is None else refusal.rule


def price_of(game: Game, major: str) -> int:
    return chart.price(table_of(game), major)


def cash_of(game: Game, *accounts: str) -> list[int]:
    return [state_of(game).cash[account] for account in accounts]


def gains(before: Game, after: Game) -> dict[str, int]:
    """Whose money changed, and by how much."""
    old, new = state_of(before).cash, state_of(after).cash
    return {account: new[account] - old[account] for account in new if new[account] != old[account]}


def rounds_of(game: Game) -> list[str]:
    """The rounds that have begun since the game was looked at first."""
    events = [event for record in game.records for event in record.events]
    return [event.round for event in events if isinstance(event, RoundBegan)]


def minimal_action(game: Game) -> Action:
    """The least that can be answered: a pass, otherwise the first of what must be."""
    return Pass() if Pass() in question_of(game) else question_of(game).options[0].action


def play_to(game: Game, name: str) -> None:
    """Do as little as possible until a round has begun; `end` is never one."""
    while name not in rounds_of(game) and not game.over:
        game.apply(minimal_action(game))
