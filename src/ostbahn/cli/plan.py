"""`ostbahn plan`: boards of one's own beside a save. What the commands do is in `planning.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ostbahn.cli.invocation import fair

plan = typer.Typer(no_args_is_help=True, help="Plan ahead beside a save, on boards that never change it.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the plan is called.", show_default=False)]
Bot = Annotated[str, typer.Argument(metavar="CODE", help="Which bot, as in `do --bot`.")]


class PlannedSave(NamedTuple):
    """Which game is planned for, and where its plans are kept."""

    save: Path
    plans: Path | None


@plan.callback()
def which(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A save.", show_default=False)],
    plans: Annotated[
        Path | None, typer.Option("--plans", metavar="PLANS", help="Where plans are kept.", show_default="beside FILE")
    ] = None,
) -> None:
    """Plan ahead beside a save, on boards that never change it: ostbahn plan game.json new NAME"""
    context.obj = PlannedSave(file, plans)


@plan.command("list")
@fair
def list_plans(context: typer.Context) -> None:
    """List the plans, and say which of them still fit the game."""
    from ostbahn.cli import planning

    planning.list_plans(context.obj)


@plan.command()
@fair
def new(
    context: typer.Context,
    name: Name,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="After so many actions of the game.")] = None,
    lots: Annotated[
        int | None, typer.Option("--lots", metavar="N", help="Where chance goes on in the plan; by default anywhere.")
    ] = None,
) -> None:
    """Begin a plan where the game stands, or stood."""
    from ostbahn.cli import planning

    planning.new(context.obj, name, at, lots)


@plan.command()
@fair
def show(context: typer.Context, name: Name) -> None:
    """Show the board of a plan, and how it stands to the game."""
    from ostbahn.cli import planning

    planning.show(context.obj, name)


@plan.command()
@fair
def ask(context: typer.Context, name: Name) -> None:
    """Say who decides what on the board of a plan, and number the answers."""
    from ostbahn.cli import planning

    planning.ask(context.obj, name)


@plan.command()
@fair
def do(
    context: typer.Context,
    name: Name,
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="A number (12, 12@50 with a price) or JSON.")],
) -> None:
    """Answer on the board of a plan, for whoever is asked."""
    from ostbahn.cli import planning

    planning.do(context.obj, name, answer)


@plan.command()
@fair
def bot(
    context: typer.Context,
    name: Name,
    code: Bot = "S",
    until: Annotated[
        str | None, typer.Option("--until", metavar="WHO", help="For all others, until this player is asked.")
    ] = None,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", help="How long it may think each time.")] = 30.0,
) -> None:
    """Let a bot answer on the board of a plan: once, or until somebody is asked."""
    from ostbahn.cli import planning

    planning.bot(context.obj, name, code, until, limit)


@plan.command()
@fair
def undo(context: typer.Context, name: Name) -> None:
    """Take back the last answer of a plan."""
    from ostbahn.cli import planning

    planning.undo(context.obj, name)


@plan.command()
@fair
def redo(context: typer.Context, name: Name) -> None:
    """Give again what was taken back last."""
    from ostbahn.cli import planning

    planning.redo(context.obj, name)


@plan.command()
@fair
def routes(
    context: typer.Context,
    name: Name,
    company: Annotated[str | None, typer.Argument(metavar="[COMPANY]", help="By default the one in turn.")] = None,
) -> None:
    """What a company would run for on the board of a plan."""
    from ostbahn.cli import planning

    planning.routes(context.obj, name, company)


@plan.command()
@fair
def compare(
    context: typer.Context,
    one: Name,
    other: Annotated[str | None, typer.Argument(metavar="[OTHER]", help="Another plan; by default the game.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Two plans side by side, or a plan and the game."""
    from ostbahn.cli import planning

    planning.compare(context.obj, one, other, json)


@plan.command()
@fair
def renew(context: typer.Context, name: Name) -> None:
    """Begin a plan anew where the game stands, with what can still be given."""
    from ostbahn.cli import planning

    planning.renew(context.obj, name)


@plan.command()
@fair
def play(context: typer.Context, name: Name) -> None:
    """Play the first move of a plan in the game, and save it."""
    from ostbahn.cli import planning

    planning.play(context.obj, name)


@plan.command()
@fair
def drop(context: typer.Context, name: Name) -> None:
    """Throw a plan away."""
    from ostbahn.cli import planning

    planning.drop(context.obj, name)
