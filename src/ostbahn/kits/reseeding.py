"""Copies of games with chance of their own: they hold the draws made so far instead of the seed.

Whoever has the seed of a game can foretell its draws, so nobody gets it before the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from msgspec.structs import replace

from ostbahn.kernel.chance import SITE_SEEDS, Chance
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import RngState, State
from ostbahn.kits.catalogue import begin

Draws = tuple[int, ...]


def reseeded(game: Game, seed: int) -> Game:
    """The same game, move by move; its set-up holds the draws made so far, and another seed for those to come."""
    if not hasattr(game.state, "chance"):  # such a title draws nothing once it has begun
        return game
    history = game.history
    if isinstance(_chance(game.state), RngState):
        until = [_noted(state) for state in history.states]
    else:
        until = list(accumulate(_drawn_again(game), lambda before, new: before + new))
    made = until[-1]
    states = tuple(
        replace(state, chance=RngState(seed, made, len(drawn)))
        for state, drawn in zip(history.states, until, strict=True)
    )
    setup = replace(history.setup, seed=seed, draws=made)
    return Game.retold(game.rulebook, history._replace(setup=setup, states=states))


def _drawn_again(game: Game) -> Iterator[Draws]:
    """What a game that notes nothing drew before its first answer, and then at each answer."""
    setup = game.setup
    yield _noted(begin(replace(setup, seed=setup.seed % SITE_SEEDS, draws=())).state)
    for number, record in enumerate(game.records):
        before, after = game.state_at(number), game.state_at(number + 1)
        if _chance(before) == _chance(after):
            yield ()
        else:
            noting = RngState(Chance(_chance(before)).value)
            again = Game.resume(game.rulebook, setup, replace(before, chance=noting))
            again.repeat(record.action, record.by)
            yield _noted(again.state)


def _noted(state: State) -> Draws:
    chance = _chance(state)
    if not isinstance(chance, RngState):
        raise BadSetup("this title does not note its draws, so there is no copy of a game that goes on")
    return chance.draws[: chance.used]


def _chance(state: State) -> int | RngState:
    chance: int | RngState = state.chance  # type: ignore[attr-defined]
    return chance
