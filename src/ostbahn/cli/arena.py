"""Contests of bots at the terminal: a bar while they play, and then how they did."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from ostbahn.cli.screen import screen
from ostbahn.research.arena import Contest, Played, checked, contest_games, encoded, numbered
from ostbahn.research.statistics import Line, summary
from ostbahn.storage import replacing
from ostbahn.telling.rules import title_named


def seats(bots: str, players: int | None) -> tuple[str, ...]:
    """The bots by seat; if there are more players than bots, the last one fills the table."""
    named = tuple(part.strip() for part in bots.split(",") if part.strip())
    return named + named[-1:] * max((players or 0) - len(named), 0)


def arena(contest: Contest, jobs: int, folder: Path) -> None:
    contest = checked(msgspec.structs.replace(contest, title=title_named(contest.title)))
    console = screen()
    kept = numbered(folder)
    games: list[Played] = []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(" ".join(contest.bots), total=contest.games)
        for played in contest_games(contest, jobs or os.cpu_count() or 1, kept):
            games.append(played)
            progress.advance(task)
    lines = summary(contest, games)
    with replacing(kept / "contest.json") as file:
        file.write(encoded(contest, games))
    with replacing(kept / "summary.json") as file:
        file.write(msgspec.json.format(msgspec.json.encode(lines), indent=1))
    console.print(_grid(contest, lines))
    for line in lines:
        if line.failures:
            console.print(f"{line.failures} times a bot failed; the games say where.")
            break
    console.print(f"All together had {lines[0].together:,.0f} on average. The games are in {kept}.")


def _grid(contest: Contest, lines: list[Line]) -> Grid:
    grid = Grid(title=f"{contest.title} ({contest.variant}), {contest.games} games, seats turned")
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
            f"{line.median_ms:.1f}",
            f"{line.p95_ms:.1f}",
        )
    return grid
