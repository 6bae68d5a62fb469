"""Files with a game in them, whichever program wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ostbahn.interop import saves
from ostbahn.interop.saves import NO_BOTS, Document, Save
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.storage import StrPath

EXPORT_KEYS = frozenset({"actions", "title", "players"})
"""By these an export of 18xx.games is recognised."""
FileKind = Literal["save", "export"]


class FileMark(NamedTuple):
    """Where an action of the file had taken effect."""

    id: int
    """Its number in the file; 0 is before the first."""
    actions: int
    """How many actions our game had by then."""
    lingering: bool = False
    """Whether the site was still in the track step, with nothing left to lay."""


class Imported(NamedTuple):
    """A game, and how far it was after each action of the file."""

    game: Game
    marks: list[FileMark]
    bots: Mapping[str, str] = NO_BOTS
    """The code of each bot by its seat; only saves of ours tell."""


def open_game(path: StrPath) -> Game:
    """The game in a file: an Ostbahn save, or an export of 18xx.games."""
    return saves.about(path, lambda: game_in(saves.read_bytes(path)))


def game_in(data: bytes) -> Game:
    """The game in what somebody has read or sent."""
    return _imported(saves.parse(data)).game


def open_imported(path: StrPath) -> Imported:
    """The game in a file with its marks; in a save of ours every action is one."""
    return saves.about(path, lambda: _imported(saves.parse(saves.read_bytes(path))))


def open_save(path: StrPath) -> Save:
    """All that is in a file that will be written again, which must not cost anybody their export."""
    return saves.about(path, lambda: _save(saves.parse(saves.read_bytes(path))))


def read_text(path: StrPath) -> str:
    return saves.about(path, lambda: text_in(saves.read_bytes(path)))


def text_in(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadFile(f"this is not a text file in UTF-8 (byte {fault.start + 1})") from None


def kind_of(document: Document) -> FileKind:
    """Whether this is a save of ours or an export of 18xx.games; whatever else it is, it is refused."""
    if saves.is_save(document):
        return "save"
    if document.keys() >= EXPORT_KEYS:
        return "export"
    raise BadFile("this is neither an Ostbahn save nor an export of 18xx.games")


def _imported(document: Document) -> Imported:
    if kind_of(document) == "export":
        from ostbahn.interop.site import import_game  # here, since saves need none of it

        return import_game(document)
    game, bots = saves.restore(document)
    return Imported(game, [FileMark(number, number) for number in range(len(game) + 1)], bots)


def _save(document: Document) -> Save:
    if kind_of(document) == "export":
        raise BadFile("this is an export of 18xx.games, which is only read; `replay --save NEW` makes a save of it")
    return saves.restore(document)
