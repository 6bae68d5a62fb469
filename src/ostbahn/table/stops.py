"""Where a page stops that goes through what was missed: the moments after the answers of others, dull ones left out."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.table.access import Access
from ostbahn.table.room import Room
from ostbahn.views.moves import shows
from ostbahn.views.question import tag_of
from ostbahn.views.routes import RUN

FURTHEST: Final = 500
"""Answers that are looked through at most, from the latest back."""


def stops_after(room: Room, who: Access, after: int) -> list[int]:
    """The moments worth stopping at after so many answers, in their order.

    One's own answers are no news. An answer after which nothing looks different is none either if it answered itself,
    or if a company only left a step of its turn out; that a player passes is worth a moment.
    """
    first = max(after, room.number - FURTHEST, room.skipped)
    game, records = room.game, room.game.records
    return [
        index + room.skipped + 1
        for index in range(first - room.skipped, len(records))
        if _is_news(game, index, records[index], room.given[index].how == "obvious", who)
    ]


def _is_news(game: Game, index: int, record: Record, obvious: bool, who: Access) -> bool:
    if record.by in who.seats:
        return False
    return shows(record) or not (obvious or _leaves_out(game, index, record))


def _leaves_out(game: Game, index: int, record: Record) -> bool:
    """Whether a company passes, or has no train to run."""
    if not isinstance(record.action, Pass) and tag_of(record.action) != RUN:
        return False
    return getattr(game.state_at(index).agenda[-1], "company", None) is not None


def moment_after(room: Room, who: Access, after: int) -> int | None:
    """What to show after a moment: the next stop, or first how things were just before it; None is now."""
    following = next(iter(stops_after(room, who, after)), None)
    if following is None or following == after + 1:
        return following
    return following - 1
