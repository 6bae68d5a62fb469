"""What the JSON interface sends otherwise than as the structure that a handler returns: described here, made
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

EventName = Literal["state", "chat", "proposal", "seats", "joined", "presence", "origin"]


class TableEvent(Struct, frozen=True, kw_only=True):
    """A message of the event stream: `event: state`, then `data: 12`. It says what is new; ask for it if you need
    it.
    """

    event: EventName
    """What is new.

    - `state`: the game has moved on, or was undone. Ask for the question or the table.
    - `chat`: somebody has written in the chat.
    - `proposal`: somebody proposes to go back or to change the clock, or such a proposal is settled.
    - `seats`: other people or bots play some seats.
    - `joined`: somebody has sat down or has changed their name, or a planning board was renamed.
    - `presence`: somebody has come to the table or has left it.
    - `origin`: on a planning board, something is new in its game.
    """
    data: str
    """The version of the game in decimal digits; `0` where the message is not about a version."""


class SaveFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A save file: a game as its setup and every action."""

    format: str
    """Always `ostbahn`, or what an earlier version wrote."""
    version: int
    """The version of the file format."""
    setup: Mapping[str, Any]
    """Title, variant, players, options and rulings."""
    rules: int | str | None = None
    """The version of the rules."""
    bots: Mapping[str, str] | None = None
    """The bots by seat."""
    actions: tuple[Mapping[str, Any], ...] = ()
    """Every action in order, each with `by`, the seat that took it."""
    digest: str | None = None
    """A hash of the state at the end, by which readers check that they replay the same game."""
