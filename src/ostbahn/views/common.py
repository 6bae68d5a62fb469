"""What several views need: marks, places, people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ostbahn.kernel.map.board import hex_of, place_name
from ostbahn.kernel.money import BANK
from ostbahn.kernel.table import Table
from ostbahn.pictures.look import marks_of
from ostbahn.text.formatting import printable
from ostbahn.views.models import MarkView, PlaceView, WhoView


def mark_view(table: Table, company: str) -> MarkView:
    mark = marks_of(table.title)[company]
    return MarkView(letters=mark.letters, colour=mark.colour, ink=mark.ink)


def who_view(table: Table, who: str) -> WhoView:
    """A seat, or one that has none; the bank is called so."""
    return WhoView(seat=who, name="the bank" if who == BANK else printable(table.name(who)))


def place_view(table: Table, place: str) -> PlaceView:
    return PlaceView(id=place, hex=hex_of(place), name=place_name(table.title, place, table.state.board))


def place_views(table: Table, places: Iterable[str]) -> tuple[PlaceView, ...]:
    return tuple(place_view(table, place) for place in places)


def ranks(worth: Mapping[str, int]) -> dict[str, int]:
    """Places by wealth, 1 for the richest; equals share one."""
    return {who: 1 + sum(other > amount for other in worth.values()) for who, amount in worth.items()}


def listed(words: Iterable[str]) -> str:
    """a, b and c"""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def trains_later(number: int) -> str:
    """Which train it is if so many are sold before it."""
    return f"after {plural(number, 'more train')}" if number else "the next train"


def plural(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
