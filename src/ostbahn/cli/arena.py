"""Contests of bots at the terminal, with a progress bar and the standings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from ostbahn.bots.arena import (
    BotStanding,
    Contest,
    PlayedGame,
    bot_standings,
    load_record,
    new_numbered_folder,
    play_contest,
    resume_contest,
    save_record,
    validated_contest,
)
from ostbahn.bots.jobs import backend_at
from ostbahn.bots.limits import LIMIT
from ostbahn.cli.commands import pairs
from ostbahn.cli.invocation import ContestPlan, WorkerOptions
from ostbahn.kernel.errors import BadSetup
from ostbahn.storage import atomic_write
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.rules import title_named

GAMES: Final = 100
OUT: Final = Path("arena")


def new_contest(plan: ContestPlan) -> Contest:
    if plan.title is None or plan.bots is None:
        raise BadSetup("what is to be played? Name a TITLE and --bots, or go on with a contest by --resume FOLDER")
    return validated_contest(
        Contest(
            title=title_named(plan.title),
            variant=plan.variant or "base",
            bots=seats(plan.bots, plan.players),
            games=GAMES if plan.games is None else plan.games,
            seed=1 if plan.seed is None else plan.seed,
            options=pairs("an option", "NAME", plan.options),
            modules=tuple(plan.modules or ()),
            limit=LIMIT if plan.limit is None else plan.limit,
        )
    )


def games_of(plan: ContestPlan, contest: Contest, folder: Path) -> int:
    """The number of games of a resumed contest; refuse options that contradict it."""
    for flag, given, recorded in _options_compared(plan, contest, folder):
        if given is not None and given != recorded:
            raise BadSetup(
                f"{flag}{given} contradicts the contest in {folder} ({recorded}): leave it out, "
                "or begin another contest without --resume"
            )
    games = contest.games if plan.games is None else plan.games
    if games < contest.games:
        raise BadSetup(f"the contest in {folder} has {contest.games} games, and --games {games} cannot shorten it")
    return games


def _options_compared(plan: ContestPlan, contest: Contest, folder: Path) -> Iterator[tuple[str, object, object]]:
    """Each option with its given and its recorded value."""
    size = len(contest.bots)
    yield "", None if plan.title is None else title_named(plan.title), contest.title
    yield "--variant ", plan.variant, contest.variant
    yield "--players ", plan.players, size
    yield "--bots ", None if plan.bots is None else ",".join(seats(plan.bots, size)), ",".join(contest.bots)
    yield "--seed ", plan.seed, contest.seed
    yield "--limit ", plan.limit, contest.limit
    yield "--out ", None if plan.out is None else plan.out.resolve(), folder.resolve().parent
    for name, value in pairs("an option", "NAME", plan.options).items():
        yield f"--option {name}=", value, contest.options.get(name, "there is none")
    for module in plan.modules or ():
        yield "--module ", module, module if module in contest.modules else "there is no such module in it"


def seats(bots: str, players: int | None) -> tuple[str, ...]:
    """Parse the bots by seat; if there are more players than bots, the last one fills the table."""
    codes = tuple(code.strip() for code in bots.split(",") if code.strip())
    return codes + codes[-1:] * max((players or 0) - len(codes), 0)


def arena(plan: ContestPlan, workers: WorkerOptions) -> None:
    contest = new_contest(plan)
    backend_at(workers.on, workers.jobs)  # fail before a folder is created
    _play(contest, workers, new_numbered_folder(plan.out or OUT), [])


def resume(folder: Path, plan: ContestPlan, workers: WorkerOptions) -> None:
    """Continue a contest, or print the result of a complete one again."""
    record = load_record(folder)
    games = games_of(plan, record.contest, folder)
    if len(record.games) == games:
        _print_standings(open_console(), record.contest, record.games, folder)
    else:
        contest, played = resume_contest(folder, record, games)
        _play(contest, workers, folder, played)


def _play(contest: Contest, workers: WorkerOptions, folder: Path, games: list[PlayedGame]) -> None:
    """Play the missing games, and print the standings. `contest.json` is written last, so a complete one means done."""
    console = open_console()
    save_record(folder, contest, games)
    try:
        games = _play_with_bar(console, contest, workers, folder, games)
    except KeyboardInterrupt:
        print_line(console, f"`ostbahn arena --resume {shlex.quote(str(folder))}` goes on with this contest.")
        raise
    with atomic_write(folder / "summary.json") as file:
        file.write(msgspec.json.format(msgspec.json.encode(bot_standings(contest, games)), indent=1))
    save_record(folder, contest, games)
    _print_standings(console, contest, games, folder)


def _play_with_bar(
    console: Console, contest: Contest, workers: WorkerOptions, folder: Path, games: Sequence[PlayedGame]
) -> list[PlayedGame]:
    """Play the games that `games` lacks; return all of them in order."""
    by_number = {played.number: played for played in games}
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(" ".join(contest.bots), total=contest.games, completed=len(by_number))
        for played in play_contest(contest, workers.jobs, folder, frozenset(by_number), workers.on):
            by_number[played.number] = played
            progress.advance(task)
    return [by_number[number] for number in sorted(by_number)]


def _print_standings(console: Console, contest: Contest, games: Sequence[PlayedGame], folder: Path) -> None:
    lines = bot_standings(contest, games)
    console.print(_standings_grid(contest, lines))
    if failed := next((line.failures for line in lines if line.failures), 0):
        console.print(f"{failed} times a bot failed; the games say where.")
    console.print(f"All together had {lines[0].together:,.0f} on average. The games are in {folder}.")


def _standings_grid(contest: Contest, lines: list[BotStanding]) -> Grid:
    options = (f"{name}={value}" for name, value in contest.options.items())
    chosen = ", ".join((contest.variant, *contest.modules, *options))
    turned = ", seats turned" if len(contest.bots) > 1 else ""
    grid = Grid(title=f"{contest.title} ({chosen}), {contest.games} games{turned}")
    for name in ("bot", "seats", "wins", "95 %", "fair", "wealth", "95 %", "ms median", "ms 95 %"):
        grid.add_column(name, justify="left" if name == "bot" else "right")
    for line in lines:
        grid.add_row(
            line.bot,
            str(line.seats),
            f"{line.win_rate:.1%}",
            f"{line.win_interval.low:.1%} – {line.win_interval.high:.1%}",
            f"{line.fair:.1%}",
            f"{line.wealth:,.0f}",
            f"{line.wealth_interval.low:,.0f} – {line.wealth_interval.high:,.0f}",
            *("–" if time is None else f"{time:.1f}" for time in (line.median_ms, line.p95_ms)),
        )
    return grid
