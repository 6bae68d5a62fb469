"""What clocks are read from, as the database keeps it: who was asked since when, what was decided about the clock, when
somebody was away, and when no worker ran."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from ostbahn.server.clocks.clock import More, Running, Stretch, between
from ostbahn.server.clocks.tables import ClockRow, HolidayRow, PulseRow
from ostbahn.server.games.seat_owners import owners_at
from ostbahn.server.games.tables import AskedRow
from ostbahn.server.games.turns import Asked
from ostbahn.table.slots import TableClock

NO_CLOCK: Final = "null"
FAR_BACK: Final = 60
"""Lines that are looked at where only this turn counts: nobody takes back and gives again more often."""
GAP: Final = timedelta(seconds=60)
"""From this on a silence of all workers means that none ran."""
INSTANT: Final = timedelta(microseconds=1)

LineKind = Literal["set", "pause", "resume", "more", "ended"]


# What was decided


def add_line(session: Session, game: str, kind: LineKind, now: datetime, data: Any = None) -> None:
    session.add(ClockRow(game=game, kind=kind, data=msgspec.json.encode(data).decode(), at=now))


def lines_of(session: Session, game: str) -> list[ClockRow]:
    return list(session.scalars(select(ClockRow).where(ClockRow.game == game).order_by(ClockRow.id)))


def clock_in(lines: Sequence[ClockRow]) -> TableClock | None:
    """The clock that was chosen last."""
    chosen = next((line.data for line in reversed(lines) if line.kind == "set"), NO_CLOCK)
    return msgspec.json.decode(chosen, type=TableClock | None)


# All of it


def read(session: Session, game: str, now: datetime) -> Running | None:
    """What the clock of a game is read from; None where there is none."""
    lines = lines_of(session, game)
    clock = clock_in(lines)
    if clock is None:
        return None
    since = max(index for index, line in enumerate(lines) if line.kind == "set")
    begun = lines[since].at
    more = [msgspec.json.decode(line.data, type=More) for line in lines[since:] if line.kind == "more"]
    pauses, paused = _pauses(lines, now)
    return Running(
        clock=clock,
        since=begun,
        asked=_asked_since(session, game, clock),
        still=[*pauses, *silences(session, begun, now)],
        away=away(session, game) if clock.kind == "days" else {},
        more=more,
        paused=paused,
        serial=lines[-1].id,
    )


def _pauses(lines: Sequence[ClockRow], now: datetime) -> tuple[list[Stretch], bool]:
    found, began = [], None
    for line in lines:
        if line.kind == "pause" and began is None:
            began = line.at
        elif line.kind == "resume" and began is not None:
            found.append(Stretch(began, line.at))
            began = None
    return (found, False) if began is None else ([*found, Stretch(began, max(began, now))], True)


def _asked_since(session: Session, game: str, clock: TableClock) -> list[Asked]:
    columns = AskedRow.version, AskedRow.seat, AskedRow.turn, AskedRow.at
    wanted = select(*columns).where(AskedRow.game == game).order_by(AskedRow.version.desc())
    if clock.kind != "game":
        wanted = wanted.limit(FAR_BACK)
    return [Asked(*row) for row in reversed(session.execute(wanted).all())]


def silences(session: Session, since: datetime, now: datetime) -> list[Stretch]:
    """When no worker ran; a clock that was put forward looks the same, and takes no time from anybody either."""
    rows = session.scalars(select(PulseRow).where(PulseRow.ends >= since)).all()
    if not rows:
        return []
    ran = [Stretch(row.begins, max(row.ends, row.begins + INSTANT)) for row in rows]
    return [gap for gap in between([*ran, Stretch(now, now + INSTANT)]) if gap.ends - gap.begins > GAP]


def away(session: Session, game: str) -> dict[str, Sequence[Stretch]]:
    """Holidays of those at a table, by seat."""
    owners = owners_at(session, game)
    columns = HolidayRow.owner, HolidayRow.begins, HolidayRow.ends
    everybody = {owner for each in owners.values() for owner in each}
    rows = session.execute(select(*columns).where(HolidayRow.owner.in_(everybody))).all()
    return {seat: [Stretch(begins, ends) for owner, begins, ends in rows if owner in owners[seat]] for seat in owners}
