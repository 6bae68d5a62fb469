"""What the commands of `ostbahn plan` do."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from rich.table import Table as Grid

from ostbahn.cli import asking, overview
from ostbahn.cli.opponents import stand_in
from ostbahn.cli.plan import PlannedSave
from ostbahn.cli.routes import companies, tell_run
from ostbahn.interop import files, saves
from ostbahn.interop.saves import Save
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.planning import comparing
from ostbahn.planning.files import beside, read_plans, write_plans
from ostbahn.planning.fits import brought_up_to_date, first_move, fit
from ostbahn.planning.plan import Plan
from ostbahn.terminal.screen import say, screen
from ostbahn.text.formatting import printable
from ostbahn.text.speech import face_of, heading, seat_of

LOTS: Final = 2**31 - 1


class Desk:
    """A save with all its plans."""

    def __init__(self, place: PlannedSave) -> None:
        self.save: Save = files.open_save(place.save)
        self.path = place.plans or beside(place.save)
        self.plans: dict[str, Plan] = read_plans(self.path, self.game)

    @property
    def game(self) -> Game:
        return self.save.game

    def plan(self, name: str) -> Plan:
        if name not in self.plans:
            known = ", ".join(self.plans) or "there are none yet"
            raise BadSetup(f"there is no plan {name!r}; the plans for this game: {known}")
        return self.plans[name]

    def keep(self) -> None:
        write_plans(self.path, self.game.setup, list(self.plans.values()))


@contextmanager
def changing(place: PlannedSave, name: str) -> Iterator[Plan]:
    """A plan that is kept again, if all went well."""
    desk = Desk(place)
    yield desk.plan(name)
    desk.keep()


def list_plans(place: PlannedSave) -> None:
    desk = Desk(place)
    if not desk.plans:
        say(screen(), "There are no plans for this game.")
    for plan in desk.plans.values():
        say(screen(), f"{plan.name}: {_standing(plan, desk.game)}")


def _standing(plan: Plan, game: Game) -> str:
    found = fit(plan, game)
    begins = f"{len(plan.answers)} answers after move {plan.fork}"
    if found.broke is not None:
        return f"{begins}; broken: {found.broke}"
    return f"{begins}; fits, {len(found.left)} of them are still to come"


def new(place: PlannedSave, name: str, at: int | None, lots: int | None) -> None:
    desk = Desk(place)
    if name in desk.plans:
        raise BadSetup(f"there is a plan {name!r} already; `drop` it first")
    drawn = secrets.randbelow(LOTS) + 1 if lots is None else lots
    plan = Plan.forked(name, desk.game, len(desk.game) if at is None else at, drawn)
    desk.plans[plan.name] = plan
    desk.keep()
    say(screen(), f"{desk.path}: {plan.name}, from move {plan.fork}")
    _what_next(plan.game)


def show(place: PlannedSave, name: str) -> None:
    desk = Desk(place)
    plan = desk.plan(name)
    say(screen(), f"{plan.name}: {_standing(plan, desk.game)}", style="bold")
    overview.show(screen(), plan.game)


def ask(place: PlannedSave, name: str) -> None:
    asking.tell(Desk(place).plan(name).game)


def do(place: PlannedSave, name: str, text: str) -> None:
    with changing(place, name) as plan:
        by, action = asking.answer(plan.game, text)
        record = plan.answer(action, None if by is None else seat_of(plan.game, by))
    _tell(plan.game, [record])


def bot(place: PlannedSave, name: str, code: str, until: str | None, limit: float) -> None:
    with changing(place, name) as plan:
        answers = stand_in(plan.game, {}, code, limit)
        if until is None:
            given = [plan.let_answer(answers)]
        else:
            given = plan.let_answer_until(answers, seat_of(plan.game, until))
    _tell(plan.game, given)


def undo(place: PlannedSave, name: str) -> None:
    with changing(place, name) as plan:
        plan.undo()
    say(screen(), f"{plan.name}: taken back to move {len(plan.game)}")
    _what_next(plan.game)


def redo(place: PlannedSave, name: str) -> None:
    with changing(place, name) as plan:
        record = plan.redo()
    _tell(plan.game, [record])


def routes(place: PlannedSave, name: str, company: str | None) -> None:
    game = Desk(place).plan(name).game
    for each in companies(game, company):
        tell_run(game, each)


def renew(place: PlannedSave, name: str) -> None:
    desk = Desk(place)
    desk.plans[name] = brought_up_to_date(desk.plan(name), desk.game)
    desk.keep()
    say(screen(), f"{name}: {_standing(desk.plans[name], desk.game)}")


def play(place: PlannedSave, name: str) -> None:
    """The one command that changes the save."""
    desk = Desk(place)
    first = first_move(desk.plan(name), desk.game)
    record = desk.game.apply(first.action, first.by)
    saves.write(place.save, *desk.save)
    _tell(desk.game, [record])


def drop(place: PlannedSave, name: str) -> None:
    desk = Desk(place)
    del desk.plans[desk.plan(name).name]
    desk.keep()


def _tell(game: Game, records: list[Record]) -> None:
    """The last answers, and what is asked then."""
    for number, record in enumerate(records, start=len(game) - len(records) + 1):
        overview.show_record(screen(), game, record, number)
    _what_next(game)


def _what_next(game: Game) -> None:
    say(screen(), "The game is over." if game.over else heading(game)[0])


# Side by side


def compare(place: PlannedSave, one: str, other: str | None, as_json: bool) -> None:
    desk = Desk(place)
    left = comparing.figures(one, desk.plan(one).game)
    right = comparing.figures("the game", desk.game) if other is None else _figures(desk, other)
    found = comparing.compare(left, right, face_of(desk.game).words.currency)
    if as_json:
        print(json.dumps(msgspec.to_builtins(found), ensure_ascii=False, indent=1))
        return
    for grid in _grids(found):
        screen().print(grid)


def _figures(desk: Desk, name: str) -> comparing.Figures:
    return comparing.figures(name, desk.plan(name).game)


def _grids(found: comparing.Comparison) -> Iterator[Grid]:
    names = [printable(found.one.name), printable(found.other.name)]
    players = Grid("", *(f"{what}: {name}" for what in ("worth", "cash", "income") for name in names))
    for row in found.players:
        pairs = ((each.worth, each.cash, each.income) for each in (row.one, row.other))
        players.add_row(row.one.name, *_side_by_side(*pairs))
    yield players
    companies = Grid("", *(f"{what}: {name}" for what in ("price", "best run", "treasury", "trains") for name in names))
    for line in found.companies:
        companies.add_row(line.company, *_side_by_side(_company(line.one), _company(line.other)))
    yield companies


def _company(figures: comparing.CompanyFigures | None) -> tuple[Any, ...]:
    if figures is None:
        return (None,) * 4
    return figures.price, figures.revenue, figures.treasury, " ".join(figures.trains)


def _side_by_side(one: tuple[Any, ...], other: tuple[Any, ...]) -> Iterator[str]:
    for left, right in zip(one, other, strict=True):
        yield "–" if left is None else str(left)
        yield "–" if right is None else str(right)
