"""The whole table at a glance, and what happened last."""

from __future__ import annotations

from rich.console import Console

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.kits.catalogue import variant_label
from ostbahn.terminal.screen import print_line, print_lines, terminal_renderer_of
from ostbahn.text.formatting import printable
from ostbahn.text.speech import Speech, standings_rows, text_renderer_of

LAST = 5  # answers shown


def show(console: Console, game: Game) -> None:
    from ostbahn.cli.outlook import show_outlook  # here, since views take long to load

    renderer = text_renderer_of(game)
    phase, *more = renderer.headline()
    round_ = "the game is over" if game.over else renderer.round_name()
    headline = [variant_label(game.setup), round_, phase, f"{len(game)} actions", *more]
    print_line(console, " · ".join(headline), style="bold")
    show_copy(console, game)
    terminal_renderer_of(game).show_table(console)
    show_outlook(console, game)
    show_board(console, game)
    show_last(console, game)
    if game.over:
        show_results(console, game)


def show_copy(console: Console, game: Game) -> None:
    """Print a note if later random draws differ from those of the copied game."""
    if game.setup.draws and not game.over:
        print_line(console, "A copy of a game in progress: it holds the draws made so far. Later draws are its own.")


def show_board(console: Console, game: Game, legend: bool = True) -> None:
    renderer = terminal_renderer_of(game)
    print_lines(console, renderer.board_lines(console.width))
    if legend:
        for line in renderer.legend:
            print_line(console, line, style="dim")


# What happened


def show_last(console: Console, game: Game) -> None:
    records = game.records
    if not records:
        return
    print_line(console, f"The last of {len(records)} actions" if len(records) > 1 else "The first action", style="bold")
    first = max(len(records) - LAST, 0)
    for position, record in enumerate(records[first:], start=first + 1):
        show_record(console, game, record, position)


def show_record(console: Console, game: Game, record: Record, number: int, note: str = "") -> None:
    speech = Speech(game.position(number - 1), game.position(number))
    company = speech.company(record)
    whose = f" for {speech.naming.who(company)}" if company else ""
    print_line(console, f"{number}. {speech.naming.who(record.by)}{whose}: {speech.did(record)}{note}")
    for event in record.events:
        print_line(console, f"     {speech.tell(event)}")


def show_results(console: Console, game: Game) -> None:
    """Print the players' worth; at the end of the game, also who has won."""
    words = text_renderer_of(game).words
    for place, row in enumerate(standings_rows(game), start=1):
        won = "  wins" if row["winner"] else ""
        print_line(console, f"{place}. {printable(row['name'])} {words.money(row['wealth'])}{won}")
