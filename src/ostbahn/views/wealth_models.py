"""The view models of wealth: what everybody is worth, of what that is made, and how a game ended."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.views.models import Role, View


class WealthPoint(View, frozen=True, kw_only=True):
    """What everybody was worth at one moment."""

    number: int
    round: str
    round_name: str
    worth: Mapping[str, int]
    """By seat."""


class WealthView(View, frozen=True, kw_only=True):
    currency: str
    names: Mapping[str, str]
    """By seat, in the order of seats."""
    points: tuple[WealthPoint, ...]
    """The beginning of every round, and today."""


class PartView(View, frozen=True, kw_only=True):
    """A part of somebody's wealth; debts and penalties are negative."""

    name: str
    amount: int


class ResultPlace(View, frozen=True, kw_only=True):
    place: int
    """1 for the richest; equals share a place."""
    seat: str
    name: str
    role: Role
    worth: int
    parts: tuple[PartView, ...]
    """Together they are what somebody is worth."""
    winner: bool


class ResultView(View, frozen=True, kw_only=True):
    currency: str
    places: tuple[ResultPlace, ...]
    winners: tuple[str, ...]
    words: str
    """`Anna wins with 4300 K`"""
