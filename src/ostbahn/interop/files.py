"""Files with a game in them, whichever program wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ostbahn.interop import saves
from ostbahn.interop.saves import NO_BOTS, Document, Save
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.storage import StrPath

EXPORT_KEYS = frozenset({"actions", "title", "players"})
"""By these an export of 18xx.games is recognised."""


class FileMark(NamedTuple):
    """Where an action of the file had taken effect."""

    id: int
    """Its number in the file; 0 is before the first."""
    actions: int
    """How many actions our game had by then."""
    lingering: bool = False
    """Whether the site was still in the track step, with nothing left to lay."""


class ImportedGame(NamedTuple):
    """A game, and how far it was after each action of the file."""

    game: Game
    marks: list[FileMark]
    bots: Mapping[str, str] = NO_BOTS
    """The code of each bot by its seat; only saves of ours tell."""


def open_game(path: StrPath) -> Game:
    """The game in a file: an Ostbahn save, or an export of 18xx.games."""
    return saves.decode_file(path, decode_game)


def decode_game(data: bytes) -> Game:
    """The game in what somebody has read or sent."""
    return _imported(saves.parse(data)).game


def open_with_marks(path: StrPath) -> ImportedGame:
    """The game in a file with its marks; in a save of ours every action is one."""
    return saves.decode_file(path, lambda data: _imported(saves.parse(data)))


def open_save(path: StrPath) -> Save:
    """All that is in a file that will be written again, which must not cost anybody their export."""
    return saves.decode_file(path, _save)


def read_text(path: StrPath) -> str:
    return saves.decode_file(path, decode_text)


def decode_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadFile(f"this is not a text file in UTF-8 (byte {fault.start + 1})") from None


def is_export(document: Document) -> bool:
    """Whether this is an export of 18xx.games or a save of ours; whatever else it is, it is refused."""
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
