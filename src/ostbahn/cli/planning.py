"""`ostbahn plan`: boards of one's own beside a save. `main` has the group, which loads these commands."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer
from rich.table import Table as Grid

from ostbahn.cli import asking, overview
from ostbahn.cli.invocation import AsJson, Commands, print_json
from ostbahn.cli.opponents import substitute_bot
from ostbahn.cli.routes import companies, tell_run
from ostbahn.interop import files, saves
from ostbahn.interop.saves import Save
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.planning import comparing
from ostbahn.planning.files import default_plan_file, read_plans, write_plans
from ostbahn.planning.plan import Plan, compare_with_game, first_move, rebased
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.formatting import printable
from ostbahn.text.speech import heading, seat_of, text_renderer_of

plan = Commands()

PlanName = Annotated[str, typer.Argument(metavar="NAME", help="What the plan is called.", show_default=False)]
BotCode = Annotated[str, typer.Argument(metavar="CODE", help="Which bot, as in `do --bot`.")]
LARGEST_SEED: Final = 2**31 - 1


class PlanSession:
    def __init__(self, context: typer.Context) -> None:
        file, plans = context.obj
        self.file: Path = file
        self.save: Save = files.open_save(self.file)
        self.path = plans or default_plan_file(self.file)
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
def changing(context: typer.Context, name: str) -> Iterator[Plan]:
    """A plan that is saved unless an error occurs."""
    session = PlanSession(context)
    yield session.plan(name)
    session.keep()


@plan.command("list")
def list_plans(context: typer.Context) -> None:
    """List the plans, and say which of them still fit the game."""
    session = PlanSession(context)
    if not session.plans:
        print_line(open_console(), "There are no plans for this game.")
    for plan in session.plans.values():
        print_line(open_console(), f"{plan.name}: {_fit_text(plan, session.game)}")


def _fit_text(plan: Plan, game: Game) -> str:
    found = compare_with_game(plan, game)
    begins = f"{len(plan.answers)} answers after move {plan.fork}"
    if found.broke is not None:
        return f"{begins}; broken: {found.broke}"
    return f"{begins}; fits, {len(found.left)} of them are still to come"


@plan.command()
def new(
    context: typer.Context,
    name: PlanName,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="After so many actions of the game.")] = None,
    lots: Annotated[
        int | None, typer.Option("--lots", metavar="N", help="Where chance goes on in the plan; by default anywhere.")
    ] = None,
) -> None:
    """Begin a plan where the game stands, or stood."""
    session = PlanSession(context)
    if name in session.plans:
        raise BadSetup(f"there is a plan {name!r} already; `drop` it first")
    drawn = secrets.randbelow(LARGEST_SEED) + 1 if lots is None else lots
    plan = Plan.forked(name, session.game, len(session.game) if at is None else at, drawn)
    session.plans[plan.name] = plan
    session.keep()
    print_line(open_console(), f"{session.path}: {plan.name}, from move {plan.fork}")
    _what_next(plan.game)


@plan.command()
def show(context: typer.Context, name: PlanName) -> None:
    """Show the board of a plan, and how it stands to the game."""
    session = PlanSession(context)
    plan = session.plan(name)
    print_line(open_console(), f"{plan.name}: {_fit_text(plan, session.game)}", style="bold")
    overview.show(open_console(), plan.game)


@plan.command()
def ask(context: typer.Context, name: PlanName) -> None:
    """Say who decides what on the board of a plan, and number the answers."""
    asking.tell(PlanSession(context).plan(name).game)


@plan.command()
def do(
    context: typer.Context,
    name: PlanName,
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="A number (12, 12@50 with a price) or JSON.")],
) -> None:
    """Answer on the board of a plan, for whoever is asked."""
    with changing(context, name) as plan:
        by, action = asking.answer(plan.game, answer)
        record = plan.answer(action, None if by is None else seat_of(plan.game, by))
    _tell(plan.game, [record])


@plan.command()
def bot(
    context: typer.Context,
    name: PlanName,
    code: BotCode = "S",
    until: Annotated[
        str | None, typer.Option("--until", metavar="WHO", help="For all others, until this player is asked.")
    ] = None,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", help="How long it may think each time.")] = 30.0,
) -> None:
    """Let a bot answer on the board of a plan: once, or until somebody is asked."""
    with changing(context, name) as plan:
        substitute = substitute_bot(plan.game, {}, code, limit)
        if until is None:
            given = [plan.let_answer(substitute)]
        else:
            given = plan.let_answer_until(substitute, seat_of(plan.game, until))
    _tell(plan.game, given)


@plan.command()
def undo(context: typer.Context, name: PlanName) -> None:
    """Take back the last answer of a plan."""
    with changing(context, name) as plan:
        plan.undo()
    print_line(open_console(), f"{plan.name}: taken back to move {len(plan.game)}")
    _what_next(plan.game)


@plan.command()
def redo(context: typer.Context, name: PlanName) -> None:
    """Give again what was taken back last."""
    with changing(context, name) as plan:
        record = plan.redo()
    _tell(plan.game, [record])


@plan.command()
def routes(
    context: typer.Context,
    name: PlanName,
    company: Annotated[str | None, typer.Argument(metavar="[COMPANY]", help="By default the one in turn.")] = None,
) -> None:
    """What a company would run for on the board of a plan."""
    game = PlanSession(context).plan(name).game
    for each in companies(game, company):
        tell_run(game, each)


@plan.command()
def renew(context: typer.Context, name: PlanName) -> None:
    """Begin a plan anew where the game stands, with what can still be given."""
    session = PlanSession(context)
    session.plans[name] = rebased(session.plan(name), session.game)
    session.keep()
    print_line(open_console(), f"{name}: {_fit_text(session.plans[name], session.game)}")


@plan.command()
def play(context: typer.Context, name: PlanName) -> None:
    """Play the first move of a plan in the game, and save it."""
    session = PlanSession(context)
    first = first_move(session.plan(name), session.game)
    record = session.game.apply(first.action, first.by)
    saves.write(session.file, *session.save)
    _tell(session.game, [record])


@plan.command()
def drop(context: typer.Context, name: PlanName) -> None:
    """Throw a plan away."""
    session = PlanSession(context)
    del session.plans[session.plan(name).name]
    session.keep()


def _tell(game: Game, records: list[Record]) -> None:
    for number, record in enumerate(records, start=len(game) - len(records) + 1):
        overview.show_record(open_console(), game, record, number)
    _what_next(game)


def _what_next(game: Game) -> None:
    print_line(open_console(), "The game is over." if game.over else heading(game)[0])


# Side by side


@plan.command()
def compare(
    context: typer.Context,
    one: PlanName,
    other: Annotated[str | None, typer.Argument(metavar="[OTHER]", help="Another plan; by default the game.")] = None,
    as_json: AsJson = False,
) -> None:
    """Two plans side by side, or a plan and the game."""
    session = PlanSession(context)
    left = comparing.figures(one, session.plan(one).game)
    right = comparing.figures(other or "the game", session.game if other is None else session.plan(other).game)
    found = comparing.compare(left, right, text_renderer_of(session.game).words.currency)
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    for grid in _grids(found):
        open_console().print(grid)


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
    for pair in zip(one, other, strict=True):
        yield from ("–" if value is None else str(value) for value in pair)
