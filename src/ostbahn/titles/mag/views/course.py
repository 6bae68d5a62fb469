"""The course of 18Mag: sets of Operating Rounds between Share Rounds, as long as the phase says."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel import chart
from ostbahn.titles.mag.state import CompanyTask, MagTable, OperatingRound, Rounds
from ostbahn.titles.mag.words.words import WORDS
from ostbahn.views.common import plural
from ostbahn.views.models import BoxView, When
from ostbahn.views.title_views import Course, Turns


def mag_course(table: MagTable) -> Course:
    state = table.state
    return Course(
        phase_name=f"{state.phase} phase",
        phase_colour=state.phase,
        boxes=tuple(_boxes(table)),
        next=_next(table),
        priority=state.priority,
        priority_words="has the priority deal card",
    )


def _course(table: MagTable) -> Rounds | None:
    return next((task for task in table.state.agenda if isinstance(task, Rounds)), None)


def _boxes(table: MagTable) -> Iterator[BoxView]:
    """The present Share Round and the Operating Rounds after it; a phase that begins may shorten the set."""
    course = _course(table)
    if course is None:
        yield BoxView(id="end", kind="end", words="the end", detail="", state="now")
        return
    yield _share_round(course.turn, bool(course.round))
    length = course.length if course.round else table.phase.operating_rounds
    if table.state.phase_began:
        length = course.round
    for number in range(1, length + 1):
        code = f"OR {course.turn}.{number}"
        state: When = "now" if number == course.round else "done" if number < course.round else "ahead"
        yield BoxView(
            id=code, kind="operating", words=WORDS.round_name(code), detail=f"{number} of {length}", state=state
        )
    if course.last or (not course.round and table.phase.final):
        yield BoxView(id="end", kind="end", words="the end", detail="", state="ahead")
    else:
        code = f"SR {course.turn + 1}"
        yield BoxView(id=code, kind="shares", words=WORDS.round_name(code), detail="", state="ahead")


def _share_round(turn: int, done: bool) -> BoxView:
    """The first Share Round is the draft."""
    code = "PRE" if turn == 1 else f"SR {turn}"
    return BoxView(
        id=code,
        kind="opening" if turn == 1 else "shares",
        words=WORDS.round_name(code),
        detail="",
        state="done" if done else "now",
    )


def _next(table: MagTable) -> str:
    course, phase = _course(table), table.phase
    if course is None:
        return ""
    if not course.round:
        last = ", the last ones" if phase.final else ""
        return f"{plural(phase.operating_rounds, 'operating round')}{last}"
    ends = table.state.phase_began or course.round == course.length
    if not ends:
        return WORDS.round_name(f"OR {course.turn}.{course.round + 1}")
    return "the end of the game" if course.last else WORDS.round_name(f"SR {course.turn + 1}")


def turns_of(table: MagTable) -> Turns:
    agenda = table.state.agenda
    for place, task in enumerate(agenda):
        if isinstance(task, OperatingRound):
            majors = chart.by_price(table) if task.majors is None else task.majors
            # the lowest task of a turn belongs to the company in turn; on top of it others may be asked
            above = (task.company for task in agenda[place + 1 :] if isinstance(task, CompanyTask))
            return Turns(next(above, None), (*task.minors, *majors))
    return Turns()
