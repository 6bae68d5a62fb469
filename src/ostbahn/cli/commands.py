"""The commands that need no module of their own; `main` parses their arguments."""

from __future__ import annotations

import gzip
import json
import secrets
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table as Grid

from ostbahn.cli import asking, overview
from ostbahn.cli.invocation import GamePlan, Rulings, print_json
from ostbahn.interop import files, saves
from ostbahn.interop.saves import Save
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadData, BadFile, BadSetup, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import CATALOGUE, SITE, entry_of, kits, new_game, variant_label
from ostbahn.storage import atomic_write
from ostbahn.terminal.screen import open_console, print_line
from ostbahn.text.rules import first_title, title_named
from ostbahn.text.speech import Speech, heading, seat_of, text_renderer_of

DEFAULT: Final = Rulings()


def players_of(plan: GamePlan) -> tuple[str, ...]:
    """The given names, or default names for the given number."""
    if plan.names and plan.number not in (None, len(plan.names)):
        raise BadSetup(f"{plan.number} players should have as many names, not {len(plan.names)}")
    if plan.names:
        return tuple(plan.names)
    if plan.number is None:
        raise BadSetup("who plays? Name each with --player NAME, or say --players N")
    return tuple(f"Player {seat}" for seat in range(1, min(plan.number, 99) + 1))


def title_of(plan: GamePlan) -> str:
    return first_title() if plan.title is None else title_named(plan.title)


def start_game(plan: GamePlan, rulings: Rulings = DEFAULT) -> Game:
    """Create a game from the options of the command line."""
    players = players_of(plan)
    board, deck = (None if path is None else files.read_text(path) for path in (plan.board, plan.deck))
    try:
        return new_game(
            title_of(plan),
            players,
            variant=plan.variant or "base",
            seed=secrets.randbelow(2**31) if plan.seed is None else plan.seed,
            draw_order=not rulings.given_order,
            preset=rulings.preset,
            rulings=pairs("a ruling", "ID", rulings.ruling),
            board=board,
            deck=deck,
            options=pairs("an option", "NAME", plan.options),
            modules=plan.modules or (),
        )
    except BadData as fault:
        path = plan.board or plan.deck
        raise fault if path is None else BadData(f"{path}: {fault}") from None


def pairs(what: str, key: str, texts: Iterable[str] | None) -> dict[str, str]:
    """Parse `name=value` options; `what` and `key` name them in the error message."""
    values = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise BadSetup(f"{what} is given as {key}=VALUE, not {text!r}")
        values[name.strip()] = value.strip()
    return values


def titles() -> None:
    grid = Grid("title", "variant", "players", "")
    for entry in CATALOGUE:
        grid.add_row(entry.title, entry.variant, ", ".join(map(str, entry.players)), entry.about)
        for id_, module in entry.modules.items():
            grid.add_row("", f"+ {id_}", ", ".join(map(str, module.players)), module.about)
    console = open_console()
    console.print(grid)
    for broken in kits().broken:
        print_line(console, str(broken))


def new(file: Path, plan: GamePlan, rulings: Rulings, force: bool) -> None:
    if not force and (file.exists() or file.is_symlink()):
        raise BadFile(f"{file} exists already; --force overwrites it")
    game = start_game(plan, rulings)
    saves.write(file, game)
    console = open_console()
    print_line(console, f"{file}: {variant_label(game.setup)}, seed {game.setup.seed}")
    say_variant_note(console, game)
    names = text_renderer_of(game).names()
    print_line(console, f"Playing order: {', '.join(names[seat] for seat in game.state.order)}")


def say_variant_note(console: Console, game: Game) -> None:
    """Print what players should know about a variant."""
    note = entry_of(game.setup.title, game.setup.variant).note
    if note and game.setup.board is None and game.setup.deck is None:
        print_line(console, note)


def show(file: Path, number: int | None) -> None:
    overview.show(open_console(), asking.open_at(file, number))


def do(file: Path, text: str, by: str | None) -> None:
    save = files.open_save(file)
    named, action = asking.answer(save.game, text)
    _apply_and_save(file, save, action, by if by is not None else named)


def let_bot_do(file: Path, code: str, by: str | None, limit: float) -> None:
    from ostbahn.bots.playing import answer  # here, since bots load what nothing else needs
    from ostbahn.bots.registry import OWN_BOT
    from ostbahn.cli.opponents import substitute_bot

    file = file.absolute()  # a bot may change the working directory
    save = files.open_save(file)
    action, note = answer(substitute_bot(*save, code, limit), save.game)
    _apply_and_save(
        file, save, action, by, f" ({note})" if note else "", own_bot=code if OWN_BOT.fullmatch(code) else ""
    )


def _apply_and_save(file: Path, save: Save, action: Action, by: str | None, note: str = "", own_bot: str = "") -> None:
    """Apply an action, save the game, and print the result; check first that a user's own bot changed nothing."""
    game = save.game
    record = game.apply(action, None if by is None else seat_of(game, by))
    if own_bot:
        _check_replays(save, own_bot)
    saves.write(file, *save)
    overview.show_record(open_console(), game, record, len(game), note)
    _print_what_next(game)


def _check_replays(save: Save, bot: str) -> None:
    """Replay a save in a fresh process; fail if the bot has changed the game or the rules in this one."""
    from ostbahn.bots.playing import GameChanged
    from ostbahn.interop.replay_check import replayed_result_in_subprocess

    try:
        replayed_result_in_subprocess(saves.dump(*save))
    except BadFile as fault:
        raise GameChanged(f"nothing is saved: the bot {bot} changed the game or the rules, and {fault}") from None


def _print_what_next(game: Game) -> None:
    console = open_console()
    if game.over:
        print_line(console, "The game is over.")
        overview.show_results(console, game)
    else:
        print_line(console, heading(game)[0])


def undo(file: Path, number: int) -> None:
    game, bots = files.open_save(file)
    if number > len(game):
        raise Refused(Refusal("", f"the game has {len(game)} actions, so {number} cannot be taken back"))
    console = open_console()
    undone = []
    for _ in range(number):
        position = len(game)
        record = game.undo()
        undone.append(f"taken back: {position}. {Speech(game).naming.who(record.by)}: {Speech(game).did(record)}")
    saves.write(file, game, bots)
    for line in undone:
        print_line(console, line)
    _print_what_next(game)


def replay(file: Path, trace: Path | None, legal: Path | None, save: Path | None) -> None:
    imported = files.open_with_marks(file)
    game = imported.game
    if trace is not None or legal is not None:
        from ostbahn.interop import site_adapter

        if trace is not None:
            write_lines(trace, site_adapter.trace_lines(imported))
        if legal is not None:
            write_lines(legal, site_adapter.legal_lines(imported))
    if save is not None:
        saves.write(save, game, imported.bots)
    console = open_console()
    print_line(
        console, f"{len(game)} actions, every one accepted; {'the game is over' if game.over else 'not yet over'}"
    )
    overview.show_results(console, game)
    print_line(console, f"digest {game.state.digest}")


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write JSON lines, gzipped if the name ends in .gz; without a timestamp, so equal rows give identical bytes."""
    with atomic_write(path) as file:
        output = gzip.GzipFile("", "wb", fileobj=file, mtime=0) if path.suffix == ".gz" else nullcontext(file)
        with output as target:
            for row in rows:
                target.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


def export(file: Path, file_format: str, out: Path | None) -> None:
    from ostbahn.interop import site_adapter

    if file_format != SITE:
        raise BadSetup(f"a game can be exported as {SITE}, not as {file_format!r}")
    data = site_adapter.dump(site_adapter.export_game(files.open_game(file)))
    if out is None:
        print(data.decode(), end="")
        return
    with atomic_write(out) as target:
        target.write(data)


def hint(file: Path, as_json: bool) -> None:
    from ostbahn.cli.opponents import hint_document, show_hint  # here, since bots load what nothing else needs

    game = files.open_game(file)
    if as_json:
        print_json(hint_document(game))
        return
    console = open_console()
    for line in heading(game):
        print_line(console, line)
    show_hint(console, game)
