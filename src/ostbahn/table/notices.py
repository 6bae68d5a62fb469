"""What happens at a table beside the game: people sit down, seats are given to others, answers are taken back.

These are lines of the log like answers, so all can see them; the game itself knows nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

HERE: Final = "here"
"""A seat that is played with the key of whoever makes the game."""
LINK: Final = "link"
"""A seat with a secret link of its own."""


class Handover(Struct, frozen=True):
    """Somebody else plays a seat from now on: `here` (the host), `link` or the code of a bot, as in a new table."""

    seat: str
    was: str
    who: str


class Naming(Struct, frozen=True):
    """Somebody at a seat says what they are called."""

    seat: str
    was: str
    name: str
    joins: bool
    """Whether that is how they sat down; else they had the seat already."""

    @property
    def forgets(self) -> bool:
        """Whether a name was forgotten with it: then earlier lines of the log are not what they were."""
        return not self.joins and self.was == self.name


class Notice(Struct, frozen=True, kw_only=True):
    version: int
    number: int
    """After which of the answers that stand it is told."""
    by: str
    """A seat, or `host`."""
    note: str
    handover: Handover | None = None
    naming: Naming | None = None
    gone: int = 0
    """How many answers were taken back."""


class Notices:
    """All of a room, in the order of their versions."""

    def __init__(self, told: Iterable[Notice] = ()) -> None:
        self.all = list(told)

    def hand_over(self, version: int, number: int, by: str, note: str, handover: Handover) -> None:
        self.all.append(Notice(version=version, number=number, by=by, note=note, handover=handover))

    def name(self, version: int, number: int, by: str, naming: Naming) -> None:
        self.all.append(Notice(version=version, number=number, by=by, note="", naming=naming))

    def namings(self, seat: str) -> int:
        """How often somebody at a seat has said what they are called."""
        return sum(each.naming is not None and each.naming.seat == seat for each in self.all)

    def take_back(self, version: int, keep: int, by: str, note: str, gone: int) -> None:
        """What was told after an answer that is gone is told after the last one that stays."""
        self.all = [msgspec.structs.replace(each, number=min(each.number, keep)) for each in self.all]
        self.all.append(Notice(version=version, number=keep, by=by, note=note, gone=gone))

    def last_handover(self, seat: str) -> Notice | None:
        """By which a seat came to whoever plays it now; none if that is as it was at the beginning."""
        given = (each for each in reversed(self.all) if each.handover is not None and each.handover.seat == seat)
        return next(given, None)

    def replaced(self, keep: int) -> tuple[str, ...]:
        """Seats whose link somebody has lost since the first `keep` answers, who saw what would be taken back."""
        lost = {
            each.handover.seat
            for each in self.all
            if each.handover is not None and each.handover.was == LINK and each.number > keep
        }
        return tuple(sorted(lost))
