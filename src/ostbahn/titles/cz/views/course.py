"""The process track of 18CZ."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.titles.cz.bohemia_table import BohemiaTable
from ostbahn.titles.cz.rounds import present_box, sets_of
from ostbahn.titles.cz.state import CompanyTask, CzTable, OperatingRound
from ostbahn.titles.cz.words.words import WORDS
from ostbahn.views.models import BoxView, When
from ostbahn.views.title_views import Course, Turns


def cz_course(table: CzTable) -> Course:
    state, colour = table.state, table.title.phases[table.state.phase].colour
    boxes = tuple(_boxes(table))
    return Course(
        phase_name=f"phase {state.phase}",
        phase_colour=colour,
        boxes=boxes,
        next=_next(boxes),
        priority=state.order[0],
        priority_words="first in playing order, which goes by cash after every stock round",
    )


def _boxes(table: CzTable) -> Iterator[BoxView]:
    """The opening, every box of the track, and the end."""
    present, boxes = present_box(table), table.title.boxes
    opening = table.title.opening
    yield BoxView(id="opening", kind="opening", words=opening, detail="", state="now" if present < 0 else "done")
    for number, places in enumerate(sets_of(boxes), start=1):
        for at in places:
            yield _box(table, at, number, at - places.start, _when(at, present))
    yield BoxView(id="end", kind="end", words="the end", detail="", state="now" if present >= len(boxes) else "ahead")


def _when(at: int, present: int) -> When:
    return "now" if at == present else "done" if at < present else "ahead"


def _box(table: CzTable, at: int, number: int, round_: int, state: When) -> BoxView:
    kind = table.title.boxes[at]
    if kind == "SR":
        return BoxView(id=f"SR {number}", kind="shares", words=WORDS.round_name(f"SR {number}"), detail="", state=state)
    if kind == "export":
        words = "Vaclav's companies get trains" if isinstance(table, BohemiaTable) else "a train card goes abroad"
        return BoxView(id=f"export {number}", kind="between", words=words, detail="", state=state)
    code = f"OR {number}.{round_}"
    return BoxView(
        id=code, kind="operating", words=WORDS.round_name(code), detail=f"Local Railways at {kind} K", state=state
    )


def _next(boxes: tuple[BoxView, ...]) -> str:
    """What follows the present round, up to the next one."""
    ahead = [box for box in boxes if box.state == "ahead"]
    found = []
    for box in ahead:
        found.append(box.words)
        if box.kind != "between":
            break
    return ", then ".join(found)


def turns_of(table: CzTable) -> Turns:
    agenda = table.state.agenda
    for place, task in enumerate(agenda):
        if isinstance(task, OperatingRound):
            waiting = tuple(company for company in task.waiting if company in table.state.certificates)
            # the lowest task of a turn belongs to the company in turn; on top of it others may be asked
            above = (task.company for task in agenda[place + 1 :] if isinstance(task, CompanyTask))
            return Turns(next(above, None), waiting)
    return Turns()
