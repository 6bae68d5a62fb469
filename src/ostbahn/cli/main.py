"""The command line. Each command imports what it needs when it runs, so that help and mistakes are quick."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from ostbahn.cli.invocation import (
    CODES,
    AnyFile,
    AsJson,
    At,
    AtAction,
    BoardOption,
    Commands,
    ContestPlan,
    File,
    GamePlan,
    Limit,
    Rulings,
    Variant,
    WorkerOptions,
    print_error,
)
from ostbahn.cli.server import backup, check_app, people, restore, serve
from ostbahn.extras import require_extra

app = Commands(name="ostbahn", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


class PlanCommands(TyperGroup):
    """The commands of `ostbahn plan`, loaded when they are used."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from ostbahn.cli import planning

        self.commands = typer.main.get_group(planning.plan).commands
        return super().parse_args(ctx, args)


plan = typer.Typer(
    cls=PlanCommands, no_args_is_help=True, help="Plan ahead beside a save, on boards that never change it."
)
app.add_typer(people, name="people")
app.add_typer(plan, name="plan")
app.add_typer(check_app, name="check")
for command in (serve, backup, restore):
    app.command()(command)


def run() -> NoReturn:
    """Run the command line; errors print one line instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # for terminals that lack some letters
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as fault:
        if os.environ.get("OSTBAHN_TRACEBACK"):
            raise
        print_error(f"this is a fault of Ostbahn itself: {fault!r} (OSTBAHN_TRACEBACK=1 shows where)")
        sys.exit(70)
    sys.exit(0)


def _print_version(wanted: bool) -> None:
    if wanted:
        from ostbahn import __version__, compiled

        print(f"ostbahn {__version__}{' (compiled)' if compiled() else ''}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Tell the version and end.")
    ] = False,
) -> None:
    """Railway games of the 18xx family, at the terminal and in the browser."""


# Commands


@app.command()
def titles() -> None:
    """List what can be played."""
    from ostbahn.cli import commands

    commands.titles()


@app.command()
def new(
    file: File,
    plan: GamePlan,
    rulings: Rulings,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Begin a game and save it in FILE."""
    from ostbahn.cli import commands

    commands.new(file, plan, rulings, force)


@app.command()
def show(file: AnyFile, at: At = None) -> None:
    """Show the table: players, companies, chart, trains, board, and what happened last."""
    from ostbahn.cli import commands

    commands.show(file, at)


@app.command()
def ask(file: AnyFile, json: AsJson = False, at: At = None) -> None:
    """Say who decides what now, and list the answers with their numbers."""
    from ostbahn.cli import asking

    asking.ask(file, json, at)


@app.command()
def do(
    file: File,
    answer: Annotated[
        str | None, typer.Argument(metavar="[ANSWER]", help="A number (12, 12@50 with a price) or JSON.")
    ] = None,
    by: Annotated[str | None, typer.Option(metavar="WHO", help="Seat or name; refused if another decides.")] = None,
    bot: Annotated[
        str | None,
        typer.Option(metavar="CODE", help=f"Instead of ANSWER, a bot that answers: {CODES}."),
    ] = None,
    limit: Limit = 30.0,
) -> None:
    """Answer the question: by its number in `ask`, by an action in JSON, or by a bot."""
    from ostbahn.cli import commands
    from ostbahn.kernel.errors import BadSetup

    if answer is not None and bot is None:
        commands.do(file, answer, by)
    elif bot is not None and answer is None:
        commands.let_bot_do(file, bot, by, limit)
    else:
        raise BadSetup("who answers? Give an ANSWER, as `ask` numbers them, or name a bot with --bot CODE, not both")


@app.command()
def undo(file: File, number: Annotated[int, typer.Argument(metavar="[N]", help="How many.", min=1)] = 1) -> None:
    """Take back the last answer, or the last N."""
    from ostbahn.cli import commands

    commands.undo(file, number)


@app.command()
def play(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A save to go on with, or a new one.")] = None,
    *,
    plan: GamePlan,
    ask_all: Annotated[bool, typer.Option("--ask-all", help="Ask even where one answer is left.")] = False,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODE",
            help=f"A bot on the next of the last seats, instead of those in FILE: {CODES}.",
        ),
    ] = None,
    no_bots: Annotated[
        bool, typer.Option("--no-bots", help="All seats at the keyboard, also those that bots have in FILE.")
    ] = False,
    limit: Limit = 30.0,
) -> None:
    """Play at this terminal, all players at one keyboard, bots among them. The bots of a save sit down again."""
    from ostbahn.cli import hotseat
    from ostbahn.kernel.errors import BadSetup

    if bot and no_bots:
        raise BadSetup("--bot and --no-bots contradict each other: leave one of them out")
    hotseat.play(file, plan, ask_all, tuple(bot or ()) if bot or no_bots else None, limit)


@app.command()
def arena(
    plan: ContestPlan,
    workers: WorkerOptions,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Go on with the contest in it, such as arena/001; --games may lengthen it."
        ),
    ] = None,
) -> None:
    """Let bots play many games against each other, with the seats turned."""
    from ostbahn.cli import arena as contests

    if resume is None:
        contests.arena(plan, workers)
    else:
        contests.resume(resume, plan, workers)


@app.command()
def hint(file: AnyFile, json: AsJson = False) -> None:
    """Tell what the best bot would answer now, what it leads to and what speaks for it, and what else there is."""
    from ostbahn.cli import commands

    commands.hint(file, json)


@app.command()
def coach(file: AnyFile, json: AsJson = False) -> None:
    """Tell what could have been had in a game: what is proven, and apart from it what is estimated."""
    with require_extra("learnt", "the coach needs"):
        from ostbahn.cli import coaching

    coaching.show(file, json)


@app.command()
def replay(
    file: AnyFile,
    trace: Annotated[Path | None, typer.Option(metavar="OUT", help="Write every state, as JSON lines.")] = None,
    legal: Annotated[Path | None, typer.Option(metavar="OUT", help="Write what was legal, as JSON lines.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="OUT", help="Write a save of the game.")] = None,
) -> None:
    """Replay a game with every check on, and tell its result."""
    from ostbahn.cli import commands

    commands.replay(file, trace, legal, save)


@app.command()
def export(
    file: AnyFile,
    file_format: Annotated[str, typer.Option("--as", metavar="FORM", help="18xx.games", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="OUT", help="Instead of the screen.")] = None,
) -> None:
    """Write a game in the form of another program."""
    from ostbahn.cli import commands

    commands.export(file, file_format, out)


@app.command()
def routes(
    file: AnyFile,
    company: Annotated[str | None, typer.Argument(metavar="[COMPANY]", help="By default the one in turn.")] = None,
    at: AtAction = None,
    json: AsJson = False,
    limit: Annotated[float | None, typer.Option(metavar="SECONDS", help="Stop there, proven or not.", min=0)] = None,
) -> None:
    """Find the best run of a company: routes, stops, sums, and the bound that proves it."""
    from ostbahn.cli.routes import routes as best_routes

    best_routes(file, company, at, json, limit)


@app.command()
def picture(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="A name in .svg, .png or .pdf.")],
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A save, or an 18xx.games export.")] = None,
    at: AtAction = None,
    what: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="board, hex:E11, routes:COMPANY (its best run), chart, process, charter:COMPANY, "
            "certificates:COMPANY, trains, upgrades, tiles, tiles:all, tile:57/2, aid, or what only one title has.",
        ),
    ] = "board",
    theme: Annotated[str, typer.Option(metavar="THEME", help="light, dark or colour-blind.")] = "light",
    blank: Annotated[str | None, typer.Option(metavar="TITLE", help="Instead of FILE: nothing played yet.")] = None,
    variant: Variant = None,
    board: BoardOption = None,
    paper: Annotated[str | None, typer.Option(metavar="PAPER", help="For PDF: a4, a3 or fit.")] = None,
    scale: Annotated[float, typer.Option(metavar="X", help="For PNG: pixels for each one of the SVG.")] = 2.0,
) -> None:
    """Draw a game, or a part of it, as SVG, PNG or PDF; --blank draws what is printed."""
    from ostbahn.cli import picture as drawing
    from ostbahn.kernel.errors import BadSetup

    if (file is None) == (blank is None):
        raise BadSetup("what is to be drawn? Name a FILE with a game, or a title with --blank TITLE, not both")
    if blank is None and (variant or board):
        raise BadSetup("--variant and --board go with --blank: a file with a game says what is played")
    source = file if file is not None else GamePlan(blank, variant, board=board)
    drawing.picture(source, at, drawing.PictureOptions(what, theme, paper, scale), out)


@app.command()
def analyse(
    file: AnyFile,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="The whole report: a name in .html or .pdf.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FOLDER", help="All figures as CSV files.")] = None,
    parquet: Annotated[Path | None, typer.Option(metavar="FOLDER", help="All figures as Parquet files.")] = None,
) -> None:
    """Look back at a game: worth, money, companies, who was ahead when, and what was left lying."""
    from ostbahn.cli import analyse as analysis

    analysis.analyse(file, out, {"csv": csv, "parquet": parquet})


@app.command()
def explore(
    folder: Annotated[
        list[Path], typer.Argument(metavar="FOLDER…", help="With saves, exports or a contest.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="As a report: a name in .html or .pdf.")
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=0, help="Games at the same time; 0: one for each core.")] = 0,
) -> None:
    """Look at many games at once: start prices, what was drafted, trains and seats against results."""
    from ostbahn.cli import analyse as analysis

    analysis.explore(folder, out, jobs)


@app.command()
def rules(
    title: Annotated[str, typer.Argument(metavar="TITLE", show_default=False)],
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORDS]", help="An id, a chapter, or words.")] = None,
    rulings: Annotated[bool, typer.Option("--rulings", help="Only the rulings on open questions.")] = False,
) -> None:
    """Look rules up, by id (VIII.6/5), chapter (VIII.6) or words."""
    from ostbahn.cli.rules import show_rules

    show_rules(title, words or [], rulings)


@plan.callback()
def which(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A save.", show_default=False)],
    plans: Annotated[
        Path | None, typer.Option("--plans", metavar="PLANS", help="Where plans are kept.", show_default="beside FILE")
    ] = None,
) -> None:
    """Plan ahead beside a save, on boards that never change it: ostbahn plan game.json new NAME"""
    context.obj = (file, plans)


if __name__ == "__main__":
    run()
