"""What happened at a table beside the game, in words: who sat down, who plays a seat now, and what was taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.bots.registry import in_words
from ostbahn.table.notices import HERE, LINK, Handover, Naming, Notice
from ostbahn.table.room import ALL, CLOCK, HOST, Room
from ostbahn.text.formatting import printable, seat_names
from ostbahn.text.words import Names
from ostbahn.views.common import plural
from ostbahn.views.models import NoticeView

FROM_NOW_ON: Final = {HERE: "the host", LINK: "whoever has the new link"}
UNTIL_NOW: Final = {HERE: "the host", LINK: "whoever had the link"}
GIVERS: Final = {HOST: "The host", CLOCK: "The clock", ALL: "Everybody"}
"""Who gives seats to others."""


def notice_views(room: Room) -> Mapping[int, tuple[NoticeView, ...]]:
    """By the answer after which they are told, the first one first."""
    names = seat_names(room.game.setup.players)
    found: dict[int, tuple[NoticeView, ...]] = {}
    for notice in room.notices.all:
        if notice.naming is not None and notice.naming.forgets:
            continue
        found[notice.number] = (*found.get(notice.number, ()), _view(notice, names))
    return found


def _view(notice: Notice, names: Names) -> NoticeView:
    handover, naming = notice.handover, notice.naming
    if naming is not None:
        name = printable(naming.name)
        return NoticeView(
            version=notice.version, kind="name", seat=naming.seat, by_name=name, words=_named(naming), note=""
        )
    return NoticeView(
        version=notice.version,
        kind="undo" if handover is None else "seat",
        seat=notice.by if handover is None else handover.seat,
        by_name=names.get(notice.by) or GIVERS[notice.by],
        words=_back(notice) if handover is None else _handed(handover, names),
        note=notice.note,
    )


def _handed(handover: Handover, names: Names) -> str:
    now = FROM_NOW_ON.get(handover.who) or in_words(handover.who)
    was = UNTIL_NOW.get(handover.was) or in_words(handover.was)
    return f"from now on {now} plays for {names[handover.seat]}, in place of {was}"


def _named(naming: Naming) -> str:
    if not naming.joins:
        return f"was called {printable(naming.was)} until now"
    return "sits down" if naming.name == naming.was else f"sits down in the seat of {printable(naming.was)}"


def _back(notice: Notice) -> str:
    taken = f": {plural(notice.gone, 'answer')} {'is' if notice.gone == 1 else 'are'} taken back" if notice.gone else ""
    return f"goes back to move {notice.number}{taken}"


def numbers_about(room: Room, seat: str | None, company: str | None, topic: str | None) -> frozenset[int]:
    """The answers after which something is told about a seat; it is never about a company."""
    if company is not None or topic not in (None, "table"):
        return frozenset()
    told = notice_views(room)
    return frozenset(number for number, views in told.items() if any(seat in (None, view.seat) for view in views))
