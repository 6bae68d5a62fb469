"""`ostbahn plan`: planning boards beside a save. `main` has the group, which loads these commands."""

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
from ostbahn.cli.routes import companies, print_run
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
    """A save and its plans, as opened for one command."""

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

    def write(self) -> None:
        write_plans(self.path, self.game.setup, list(self.plans.values()))


@contextmanager
def changing(context: typer.Context, name: str) -> Iterator[Plan]:
    """Open a plan, and save it unless an error occurs."""
    session = PlanSession(context)
    yield session.plan(name)
    session.write()


@plan.command("list")
def list_plans(context: typer.Context) -> None:
    """List the plans, and say which of them still fit the game."""
    session = PlanSession(context)
    if not session.plans:
        print_line(open_console(), "There are no plans for this game.")
    for plan in session.plans.values():
        print_line(open_console(), f"{plan.name}: {_fit_text(plan, session.game)}")


def _fit_text(plan: Plan, game: Game) -> str:
    """Say whether a plan still fits the game."""
    fit = compare_with_game(plan, game)
    extent = f"{len(plan.answers)} answers after move {plan.fork}"
    if fit.broke is not None:
        return f"{extent}; broken: {fit.broke}"
    return f"{extent}; fits, {len(fit.left)} of them are still to come"


@plan.command()
def new(
    context: typer.Context,
    name: PlanName,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="After so many actions of the game.")] = None,
    seed: Annotated[
        int | None, typer.Option("--lots", metavar="N", help="Where chance goes on in the plan; by default anywhere.")
    ] = None,
) -> None:
    """Begin a plan where the game stands, or stood."""
    session = PlanSession(context)
    if name in session.plans:
        raise BadSetup(f"there is a plan {name!r} already; `drop` it first")
    seed = secrets.randbelow(LARGEST_SEED) + 1 if seed is None else seed
    plan = Plan.forked(name, session.game, len(session.game) if at is None else at, seed)
    session.plans[plan.name] = plan
    session.write()
    print_line(open_console(), f"{session.path}: {plan.name}, from move {plan.fork}")
    _print_what_next(plan.game)


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
    asking.print_question(PlanSession(context).plan(name).game)


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
    _print_records(plan.game, [record])


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
            records = [plan.let_answer(substitute)]
        else:
            records = plan.let_answer_until(substitute, seat_of(plan.game, until))
    _print_records(plan.game, records)


@plan.command()
def undo(context: typer.Context, name: PlanName) -> None:
    """Take back the last answer of a plan."""
    with changing(context, name) as plan:
        plan.undo()
    print_line(open_console(), f"{plan.name}: taken back to move {len(plan.game)}")
    _print_what_next(plan.game)


@plan.command()
def redo(context: typer.Context, name: PlanName) -> None:
    """Give again what was taken back last."""
    with changing(context, name) as plan:
        record = plan.redo()
    _print_records(plan.game, [record])


@plan.command()
def routes(
    context: typer.Context,
    name: PlanName,
    company: Annotated[str | None, typer.Argument(metavar="[COMPANY]", help="By default the one in turn.")] = None,
) -> None:
    """What a company would run for on the board of a plan."""
    game = PlanSession(context).plan(name).game
    for running in companies(game, company):
        print_run(game, running)


@plan.command()
def renew(context: typer.Context, name: PlanName) -> None:
    """Begin a plan anew where the game stands, with what can still be given."""
    session = PlanSession(context)
    session.plans[name] = rebased(session.plan(name), session.game)
    session.write()
    print_line(open_console(), f"{name}: {_fit_text(session.plans[name], session.game)}")


@plan.command()
def play(context: typer.Context, name: PlanName) -> None:
    """Play the first move of a plan in the game, and save it."""
    session = PlanSession(context)
    first = first_move(session.plan(name), session.game)
    record = session.game.apply(first.action, first.by)
    saves.write(session.file, *session.save)
    _print_records(session.game, [record])


@plan.command()
def drop(context: typer.Context, name: PlanName) -> None:
    """Throw a plan away."""
    session = PlanSession(context)
    del session.plans[session.plan(name).name]
    session.write()


def _print_records(game: Game, records: list[Record]) -> None:
    """Print the last records of a game, and what comes next."""
    for number, record in enumerate(records, start=len(game) - len(records) + 1):
        overview.show_record(open_console(), game, record, number)
    _print_what_next(game)


def _print_what_next(game: Game) -> None:
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
    comparison = comparing.compare(left, right, text_renderer_of(session.game).words.currency)
    if as_json:
        print_json(msgspec.to_builtins(comparison))
        return
    for grid in _comparison_grids(comparison):
        open_console().print(grid)


def _comparison_grids(comparison: comparing.Comparison) -> Iterator[Grid]:
    names = [printable(comparison.one.name), printable(comparison.other.name)]
    players = Grid("", *(f"{what}: {name}" for what in ("worth", "cash", "income") for name in names))
    for row in comparison.players:
        one, other = ((side.worth, side.cash, side.income) for side in (row.one, row.other))
        players.add_row(row.one.name, *_alternate(one, other))
    yield players
    companies = Grid("", *(f"{what}: {name}" for what in ("price", "best run", "treasury", "trains") for name in names))
    for line in comparison.companies:
        companies.add_row(line.company, *_alternate(_company_cells(line.one), _company_cells(line.other)))
    yield companies


def _company_cells(figures: comparing.CompanyFigures | None) -> tuple[Any, ...]:
    if figures is None:
        return (None,) * 4
    return figures.price, figures.revenue, figures.treasury, " ".join(figures.trains)


def _alternate(one: tuple[Any, ...], other: tuple[Any, ...]) -> Iterator[str]:
    """Each value of one side followed by that of the other, as text."""
    for pair in zip(one, other, strict=True):
        yield from ("–" if value is None else str(value) for value in pair)
