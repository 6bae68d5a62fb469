"""Files of plans beside a save. Each plan has all answers from the start of the game, so it needs no save.

Reading a plan replays it and checks every answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from operator import eq
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from ostbahn.interop.saves import decode_action, decode_file, encode_action, parse
from ostbahn.kernel.errors import BadFile, Refused
from ostbahn.kernel.game import Game, Setup
from ostbahn.planning.plan import MOST_ANSWERS, AnswerSource, Plan, PlannedAnswer, board_at, plan_name
from ostbahn.storage import atomic_write

FORMAT: Final = "ostbahn plans"
VERSION: Final = 1
MOST_PLANS: Final = 30
MOST_BEFORE: Final = 20_000
"""Answers before the fork, as many as a save can have."""


class StoredAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    by: str
    action: dict[str, Any]
    how: AnswerSource = "person"


class StoredPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    lots: int
    before: tuple[StoredAnswer, ...]
    """Answers before the fork."""
    answers: tuple[StoredAnswer, ...]
    undone: tuple[StoredAnswer, ...] = ()
    """Undone answers that can be redone, the next one first."""


class PlanFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str
    version: int
    setup: Setup
    plans: tuple[StoredPlan, ...]


def default_plan_file(save: Path) -> Path:
    return save.with_name(f"{save.stem}.plans.json")


def read_plans(path: Path, game: Game) -> dict[str, Plan]:
    """Read plans by name; no file means no plans."""
    if not path.exists():
        return {}
    return decode_file(path, lambda data: _plans(_checked(parse(data)), game))


def write_plans(path: Path, setup: Setup, plans: Sequence[Plan]) -> None:
    if len(plans) > MOST_PLANS:
        raise BadFile(f"{path} has room for {MOST_PLANS} plans; `drop` one of them")
    stored = tuple(map(_stored_plan, plans))
    data = msgspec.json.encode(PlanFile(format=FORMAT, version=VERSION, setup=setup, plans=stored))
    with atomic_write(path) as file:
        file.write(msgspec.json.format(data, indent=1) + b"\n")


def _checked(document: dict[str, Any]) -> PlanFile:
    if document.get("format") != FORMAT:
        raise BadFile(f'these are no plans (the "format" is not "{FORMAT}")')
    if document.get("version") != VERSION:
        raise BadFile(f"these plans are of version {document.get('version')!r}, and this Ostbahn reads {VERSION}")
    try:
        file = msgspec.convert(document, PlanFile)
    except msgspec.ValidationError as fault:
        raise BadFile(f"these plans are faulty: {fault}") from None
    for plan in file.plans:
        if len(plan.before) > MOST_BEFORE or len(plan.answers) + len(plan.undone) > 2 * MOST_ANSWERS:
            raise BadFile(f"the plan {plan.name!r} is longer than any")
    if len(file.plans) > MOST_PLANS:
        raise BadFile(f"there are {len(file.plans)} plans, and at most {MOST_PLANS} are read")
    return file


def _plans(file: PlanFile, game: Game) -> dict[str, Plan]:
    planned, present = file.setup, game.setup
    if planned.draws is not UNSET and present.draws is not UNSET and all(map(eq, planned.draws, present.draws)):
        # copies of a game differ in their seeds
        planned = msgspec.structs.replace(planned, seed=present.seed, draws=present.draws)
    if msgspec.structs.replace(planned, players=present.players) != present:  # players may have changed their names
        raise BadFile("these are plans for another game")
    return {plan.name: _replayed_plan(plan, game) for plan in file.plans}


def _replayed_plan(stored: StoredPlan, real: Game) -> Plan:
    title = real.setup.title
    try:
        game = _game_at_fork(stored, real)
        plan = Plan(plan_name(stored.name), board_at(game, len(game), stored.lots), len(game), stored.lots)
        for answer in (*stored.answers, *stored.undone):
            plan.answer(decode_action(title, answer.action), answer.by, answer.how)
    except Refused as refused:
        raise BadFile(f"the plan {stored.name!r} cannot be replayed: {refused}") from None
    for _ in stored.undone:
        plan.undo()
    return plan


def _game_at_fork(stored: StoredPlan, real: Game) -> Game:
    """The game up to the fork; the part that the save shares is not replayed."""
    answers = [(answer.by, decode_action(real.setup.title, answer.action)) for answer in stored.before]
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(answers, real.actions(), strict=False)))
    game = real.position(common)
    for by, action in answers[common:]:
        game.apply(action, by)
    return game


def _stored_plan(plan: Plan) -> StoredPlan:
    before = (PlannedAnswer(record.by, record.action) for record in plan.game.records[: plan.fork])
    return StoredPlan(
        name=plan.name,
        lots=plan.lots,
        before=_stored_answers(before),
        answers=_stored_answers(plan.answers),
        undone=_stored_answers(plan.undone),
    )


def _stored_answers(answers: Iterable[PlannedAnswer]) -> tuple[StoredAnswer, ...]:
    return tuple(StoredAnswer(answer.by, encode_action(answer.action), answer.how) for answer in answers)
