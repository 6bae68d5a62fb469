"""The findings of the coach, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ostbahn.cli.invocation import print_json
from ostbahn.interop import files
from ostbahn.interop.saves import encode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.review.coach import Coaching, coach, exercises
from ostbahn.review.estimated import CATEGORIES
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.speech import text_renderer_of


def show(file: Path, as_json: bool) -> None:
    game = files.open_game(file)
    coaching = _coach_with_bar(game)
    if as_json:
        print_json(coaching_document(game, coaching))
        return
    console = open_console()
    for line in coaching_lines(game, coaching):
        print_line(console, line)


def _coach_with_bar(game: Game) -> Coaching:
    """Run the coach, with a progress bar if stderr is a terminal."""
    columns = (TextColumn("The coach looks at the game"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(game))
        return coach(game, lambda number: progress.update(task, completed=number))


def coaching_lines(game: Game, coaching: Coaching) -> Iterator[str]:
    name, money = game.table.name, text_renderer_of(game).words.money
    yield "Proven"
    for finding in coaching.proven:
        player = name(finding.seat) + (f" for {name(finding.company)}" if finding.company else "")
        yield f"  move {finding.number}, {finding.round}, {player}: {money(finding.lost)}. {finding.words}"
    yield f"  together {money(sum(finding.lost for finding in coaching.proven))}" if coaching.proven else "  nothing"
    yield "Estimated"
    if not coaching.judged:
        yield "  there are no estimates for this game that were shown to be good"
        return
    for mistake in coaching.estimated:
        cost = f"about {money(mistake.lost)} ({mistake.low} to {money(mistake.high)})"
        where = f"move {mistake.number}, {mistake.round}, {name(mistake.seat)}"
        yield f"  {where}: {mistake.played} cost {cost}; better: {mistake.best}. {'; '.join(mistake.reasons)}"
    if not coaching.estimated:
        yield "  no decision that cost much"
    yield "What a free decision cost on average"
    for seat in game.state.players:
        own = {row.category: row for row in coaching.mistakes if row.seat == seat}
        averages = [(category, own[category]) for category in CATEGORIES if category in own]
        parts = [f"{category} {money(row.each)} (of {row.decisions})" for category, row in averages]
        yield f"  {name(seat)}: {', '.join(parts) or 'nothing to tell'}"


def coaching_document(game: Game, coaching: Coaching) -> dict[str, Any]:
    """The findings and exercises as JSON data."""

    def plain(value: Any) -> Any:
        if isinstance(value, Action):
            return encode_action(value)
        if hasattr(value, "_asdict"):
            return {key: plain(item) for key, item in value._asdict().items()}
        return [plain(item) for item in value] if isinstance(value, (tuple, list)) else msgspec.to_builtins(value)

    document = {**coaching._asdict(), "exercises": exercises(game, coaching)}
    return {key: plain(value) for key, value in document.items()}
