"""Analysis of games at the terminal. Libraries for charts and data frames are imported where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table as Grid

from ostbahn.interop import files
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.review.accounts import Accounts, accounts_of
from ostbahn.review.explore import read_games, summary_lines
from ostbahn.review.proven import proven_findings
from ostbahn.review.reports.subject import Report, ReportProgress
from ostbahn.storage import atomic_write
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.speech import text_renderer_of
from ostbahn.text.words import plural
from ostbahn.views.common import ranks

SUFFIXES: Final = (".html", ".pdf")


def analyse(file: Path, out: Path | None, folders: Mapping[str, Path | None]) -> None:
    """Write the requested files, or print a summary if there are none; `folders` are by format of data files."""
    if out is not None:
        _report_suffix(out)
    game, console = files.open_game(file), open_console()
    wanted = {file_format: folder for file_format, folder in folders.items() if folder is not None}
    if out is not None:
        from ostbahn.review.reports.report import report_of

        with _progress_bar(console) as progress:
            _write_report(out, lambda: report_of(game, progress))
        print_line(console, f"The report is in {out}.")
    for file_format, folder in wanted.items():
        from ostbahn.review.reports.frames import FORMS, write_frames

        write_frames(accounts_of(game), folder, next(form for form in FORMS if form == file_format))
        print_line(console, f"The figures are in {folder}.")
    if out is None and not wanted:
        _print_summary(game, console)


def _report_suffix(out: Path) -> str:
    """The suffix of a report's file name; refuse any that names no format."""
    suffix = out.suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"{out}: the name of a report ends in {' or '.join(SUFFIXES)}")
    return suffix


def _write_report(out: Path, make: Callable[[], Report]) -> None:
    """Make and write a report. The import fails first if an extra is missing."""
    from ostbahn.review.reports.report import page_of, pdf_of

    report = make()
    data = pdf_of(report) if _report_suffix(out) == ".pdf" else page_of(report).encode()
    with atomic_write(out) as file:
        file.write(data)


@contextmanager
def _progress_bar(console: Console) -> Iterator[ReportProgress]:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("reading", total=None)
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


def _print_summary(game: Game, console: Console) -> None:
    accounts = accounts_of(game)
    if not accounts.rounds:
        print_line(console, "The game has not begun.")
        return
    console.print(_players_grid(accounts, game))
    with _progress_bar(console) as progress:
        findings = proven_findings(game, lambda done: progress("looking for better runs", done, len(game)))
    runs = sum(hasattr(record.action, "runs") for record in game.records)
    lost = text_renderer_of(game).words.money(sum(finding.lost for finding in findings))
    print_line(console, f"{plural(len(accounts.rounds), 'round')}, {plural(len(accounts.payments), 'payment')}.")
    print_line(console, f"Left lying for certain: {lost}, {plural(len(findings), 'time')} in {plural(runs, 'run')}.")
    print_line(console, "`--out report.html` writes the whole report.")


def _players_grid(accounts: Accounts, game: Game) -> Grid:
    """Worth of the players after the last round, by parts, and what they have earned."""
    last, money = accounts.rounds[-1], text_renderer_of(game).words.money
    players = {player.seat: player for player in last.players}
    worth = {seat: player.worth for seat, player in players.items()}
    places = ranks(worth)
    parts = list(dict.fromkeys(part for player in last.players for part in player.parts))
    grid = Grid(title=f"{accounts.title} after {text_renderer_of(game).words.round_name(last.name)}")
    for name in ("", "player", "worth", *parts, "earned"):
        grid.add_column(name, justify="left" if name == "player" else "right")
    for seat in sorted(worth, key=lambda seat: -worth[seat]):
        earned = sum(player.income for round_ in accounts.rounds for player in round_.players if player.seat == seat)
        figures = [money(players[seat].parts.get(part, 0)) for part in parts]
        grid.add_row(f"{places[seat]}.", accounts.names[seat], money(worth[seat]), *figures, money(earned))
    return grid


# Many games


def explore(folders: Sequence[Path], out: Path | None, jobs: int) -> None:
    if out is not None:
        _report_suffix(out)
    console = open_console()
    with _progress_bar(console) as progress:
        collection = read_games(folders, jobs, progress)
    if broken := collection.broken:
        print_line(console, f"{plural(len(broken), 'file')} left out, the first: {broken[0]}")
    if out is None:
        for line in summary_lines(collection.games):
            print_line(console, line)
        return
    from ostbahn.review.reports.many_games import report_of_games

    _write_report(out, lambda: report_of_games(collection.games))
    print_line(console, f"The report of {plural(len(collection.games), 'game')} is in {out}.")
