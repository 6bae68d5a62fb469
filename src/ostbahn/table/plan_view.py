"""A planning board beside its table: how it stands to its game, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.kernel.errors import OstbahnError, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.planning.fits import Fit, Replayed, first_move, fit, replayed, told
from ostbahn.planning.plan import Answer
from ostbahn.table.access import BOARD, Access
from ostbahn.table.errors import NotYours
from ostbahn.table.plan_room import PlanRoom
from ostbahn.table.room import Given
from ostbahn.text.formatting import printable, sentence_case
from ostbahn.text.speech import face_of

STANDING: Final = "how a plan stands"
"""Under this a room remembers it."""


class Real(NamedTuple):
    """The game that is planned for, as it stands."""

    game: Game
    given: tuple[Given, ...]
    version: int
    name: str
    seats: tuple[str, ...]
    """Those of whoever plans."""


class Standing(NamedTuple):
    """How a plan stands to its game."""

    fit: Fit
    again: Replayed | None
    """What of it could be given on the game of today; only where it no longer fits."""


class Kept(NamedTuple):
    """A plan in a list."""

    id: str
    name: str
    number: int
    """How many answers stand on its board."""
    round: str
    touched: datetime


class PlanSummary(Struct, frozen=True, kw_only=True):
    """A planning board in a list."""

    id: str
    key: str
    """Its key. It opens the board like a table."""
    path: str
    name: str
    number: int
    """How many answers have been given on it, those of the game included."""
    round: str


class FirstMove(Struct, frozen=True, kw_only=True):
    """The planned move that would come next in the game."""

    words: str
    """The move; empty if none is planned."""
    refusal: str
    """Why it cannot be played now; empty if it can."""


class PlanView(Struct, frozen=True, kw_only=True):
    """How a planning board relates to its game."""

    id: str
    name: str
    table: str
    """The key of the table of the game."""
    game: str
    """The name of the game."""
    fork: int
    """After which answer the plan begins."""
    answers: int
    """How many answers of its own the plan has. Here and below, answers without a choice do not count."""
    now: int
    """How many answers the game has now."""
    followed: int
    """How many answers of the plan the game has followed."""
    broke: str
    """Where plan and game differ, in words; empty while the plan fits."""
    broke_at: int | None
    """At which answer they differ; null while the plan fits."""
    usable: int
    """How many of the remaining answers are still legal in the present game."""
    left: int
    """How many answers of the plan remain."""
    stopped: str
    """Why the first of the others is no longer legal."""
    first: FirstMove
    """The planned move that would come next in the game."""
    until: str
    """The seat at which bots stop: yours, or the one that was to move where the plan begins."""
    until_name: str
    asked: bool
    """Whether that seat is to move now."""
    can_redo: bool


def standing_of(room: PlanRoom, real: Real) -> Standing:
    """Worked out once for each state of the two."""
    moment = (room.version, real.version)
    known: tuple[object, Standing] | None = room.memory.get(STANDING)
    if known is None or known[0] != moment:
        plan, found = room.plan, fit(room.plan, real.game)
        known = moment, Standing(found, None if found.broke is None else replayed(plan, real.game))
        room.memory[STANDING] = known
    return known[1]


def first_planned(room: PlanRoom, real: Real) -> Answer:
    """The planned move that its owner may play now; else it says why there is none."""
    if not real.seats:
        raise NotYours("those who look on can plan, but not play")
    first = first_move(room.plan, real.game)
    if first.by not in real.seats:
        raise Refused(Refusal("", f"it is the turn of {face_of(real.game).names()[first.by]}"))
    return first


def plan_view(room: PlanRoom, real: Real, table: str) -> PlanView:
    """table: the key of the table of the game."""
    standing = standing_of(room, real)
    broke, again, until = standing.fit.broke, standing.again, _until(room, real)
    own = room.plan.answers
    return PlanView(
        id=room.id,
        name=room.name,
        table=table,
        game=real.name,
        fork=room.fork,
        answers=_decisions(own),
        now=len(real.game),
        followed=_decisions(own[: standing.fit.followed]),
        broke="" if broke is None else sentence_case(str(broke)),
        broke_at=None if broke is None else broke.number,
        usable=_decisions(standing.fit.left if again is None else again.kept),
        left=_decisions(standing.fit.left),
        stopped="" if again is None else again.stopped,
        first=_first(room, real, standing),
        until=until,
        until_name=printable(face_of(room.game).names()[until]),
        asked=room.turn == until,
        can_redo=bool(room.undone),
    )


def _first(room: PlanRoom, real: Real, standing: Standing) -> FirstMove:
    """What would be played, also where it cannot be: it says why."""
    left = standing.fit.left if standing.again is None else standing.again.kept
    words = sentence_case(told(real.game, left[0])) if left and real.game.question is not None else ""
    try:
        first_planned(room, real)
    except OstbahnError as refused:
        return FirstMove(words=words, refusal=sentence_case(str(refused)))
    return FirstMove(words=words, refusal="")


def _decisions(answers: Iterable[Answer]) -> int:
    return sum(answer.how != "obvious" for answer in answers)


def _until(room: PlanRoom, real: Real) -> str:
    if len(real.seats) == 1:
        return real.seats[0]
    asked = room.at(room.fork).question
    return room.game.state.players[0] if asked is None else asked.decider


def summaries(kept: Iterable[Kept], who: Access) -> list[PlanSummary]:
    """who: at the table, or at a board of it."""
    own = who.key.partition(BOARD)[0]
    return [
        PlanSummary(
            id=plan.id,
            key=f"{own}{BOARD}{plan.id}",
            path=f"/t/{own}{BOARD}{plan.id}",
            name=plan.name,
            number=plan.number,
            round=plan.round,
        )
        for plan in kept
    ]
