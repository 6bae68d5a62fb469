"""What a title says about the course of the game."""

from __future__ import annotations

from typing import NamedTuple

from ostbahn.server.views.models import BoxView


class Course(NamedTuple):
    phase_name: str
    phase_colour: str
    boxes: tuple[BoxView, ...]
    next: str
    priority: str
    """The seat that begins the next Stock or Share Round as things stand."""
    priority_words: str
