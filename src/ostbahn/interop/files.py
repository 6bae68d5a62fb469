"""Open files that contain a game, whichever program wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ostbahn.interop import saves
from ostbahn.interop.saves import NO_BOTS, Document, Save
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.storage import StrPath

EXPORT_KEYS = frozenset({"actions", "title", "players"})
"""Keys that identify an export of 18xx.games."""


class FileMark(NamedTuple):
    """How far the game was after an entry of the file."""

    id: int
    """Id of the entry; 0 before the first."""
    actions: int
    """Number of actions in our game by then."""
    lingering: bool = False
    """Whether the site was still in the track step with nothing left to lay."""


class ImportedGame(NamedTuple):
    """A game with a mark for each entry of its file."""

    game: Game
    marks: list[FileMark]
    bots: Mapping[str, str] = NO_BOTS
    """Bot codes by seat; empty for exports."""


def open_game(path: StrPath) -> Game:
    """The game in a file: an Ostbahn save, or an export of 18xx.games."""
    return saves.decode_file(path, decode_game)


def decode_game(data: bytes) -> Game:
    return _imported(saves.parse(data)).game


def open_with_marks(path: StrPath) -> ImportedGame:
    """The game in a file with its marks; a save has one per action."""
    return saves.decode_file(path, lambda data: _imported(saves.parse(data)))


def open_save(path: StrPath) -> Save:
    """The save in a file that will be rewritten; exports are refused, so that none is overwritten."""
    return saves.decode_file(path, _save)


def read_text(path: StrPath) -> str:
    return saves.decode_file(path, decode_text)


def decode_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadFile(f"this is not a text file in UTF-8 (byte {fault.start + 1})") from None


def is_export(document: Document) -> bool:
    """Whether the document is an export of 18xx.games and not a save; anything else is refused."""
    if not saves.is_save(document) and not document.keys() >= EXPORT_KEYS:
        raise BadFile("this is neither an Ostbahn save nor an export of 18xx.games")
    return not saves.is_save(document)


def _imported(document: Document) -> ImportedGame:
    if is_export(document):
        from ostbahn.interop.site_adapter import import_game  # here, since saves need none of it

        return import_game(document)
    game, bots = saves.restore(document)
    return ImportedGame(game, [FileMark(number, number) for number in range(len(game) + 1)], bots)


def _save(data: bytes) -> Save:
    document = saves.parse(data)
    if is_export(document):
        raise BadFile("this is an export of 18xx.games, which is only read; `replay --save NEW` makes a save of it")
    return saves.restore(document)
