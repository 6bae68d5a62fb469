"""Moments of games, ready to be measured."""

from __future__ import annotations

from ostbahn.kernel.game import Game


def forgotten(game: Game) -> Game:
    """The same position on a board that remembers nothing."""
    state = game.state
    fresh = type(state.board)(state.board.tiles, state.board.stations)
    other = type(state)(**{name: getattr(state, name) for name in state.__struct_fields__} | {"board": fresh})
    return Game.from_state(game.rulebook, game.setup, other)
