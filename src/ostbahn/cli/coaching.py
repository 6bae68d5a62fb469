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
    for found in coaching.proven:
        whose = f" for {name(found.company)}" if found.company else ""
        yield f"  move {found.number}, {found.round}, {name(found.seat)}{whose}: {money(found.lost)}. {found.words}"
    yield f"  together {money(sum(each.lost for each in coaching.proven))}" if coaching.proven else "  nothing"
    yield "Estimated"
    if not coaching.judged:
        yield "  there are no estimates for this game that were shown to be good"
        return
    for each in coaching.estimated:
        cost = f"about {money(each.lost)} ({each.low} to {money(each.high)})"
        where = f"move {each.number}, {each.round}, {name(each.seat)}"
        yield f"  {where}: {each.played} cost {cost}; better: {each.best}. {'; '.join(each.reasons)}"
    if not coaching.estimated:
        yield "  no decision that cost much"
    yield "What a free decision cost on average"
    for seat in game.state.players:
        own = {each.category: each for each in coaching.mistakes if each.seat == seat}
        parts = [f"{each} {money(own[each].each)} (of {own[each].decisions})" for each in CATEGORIES if each in own]
        yield f"  {name(seat)}: {', '.join(parts) or 'nothing to tell'}"


def coaching_document(game: Game, coaching: Coaching) -> dict[str, Any]:
    """The findings and exercises as JSON data."""

    def plain(value: Any) -> Any:
        if isinstance(value, Action):
            return encode_action(value)
        if hasattr(value, "_asdict"):
            return {key: plain(each) for key, each in value._asdict().items()}
        return [plain(each) for each in value] if isinstance(value, (tuple, list)) else msgspec.to_builtins(value)

    found = {**coaching._asdict(), "exercises": exercises(game, coaching)}
    return {key: plain(value) for key, value in found.items()}
