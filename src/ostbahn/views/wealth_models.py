"""The view models of wealth: what everybody is worth, of what that is made, and how a game ended."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.views.models import Role, View


class WealthPoint(View, frozen=True, kw_only=True):
    """What everybody was worth at one moment."""

    number: int
    """After this many answers."""
    round: str
    round_name: str
    worth: Mapping[str, int]
    """By seat."""


class WealthView(View, frozen=True, kw_only=True):
    """Everybody's worth over the game."""

    currency: str
    names: Mapping[str, str]
    """The names by seat."""
    points: tuple[WealthPoint, ...]
    """The beginning of every round, and the present."""


class PartView(View, frozen=True, kw_only=True):
    """A part of a player's worth; debts and penalties are negative."""

    name: str
    amount: int


class ResultPlace(View, frozen=True, kw_only=True):
    """A player and their place in the result."""

    place: int
    """1 for the richest; equals share a place."""
    seat: str
    name: str
    role: Role
    """`player`, `automaton` or `bystander`."""
    worth: int
    parts: tuple[PartView, ...]
    """What their worth is made of."""
    winner: bool


class ResultView(View, frozen=True, kw_only=True):
    """How the game ended."""

    currency: str
    places: tuple[ResultPlace, ...]
    winners: tuple[str, ...]
    words: str
    """`Anna wins with 4300 K`"""
