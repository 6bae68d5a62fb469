"""Files with a game in them, whichever program wrote them."""

from __future__ import annotations

from ostbahn.interop import saves
from ostbahn.interop.saves import Document
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.storage import StrPath

EXPORT_KEYS = frozenset({"actions", "title", "players"})
"""By these an export of 18xx.games is recognised."""


def open_game(path: StrPath) -> Game:
    """The game in a file: an Ostbahn save, or an export of 18xx.games."""
    return saves.about(path, lambda: game_in(saves.read_bytes(path)))


def game_in(data: bytes) -> Game:
    """The game in what somebody has read or sent."""
    return _game(saves.parse(data))


def open_save(path: StrPath) -> Game:
    """The game in a file that will be written again, which must not cost anybody his export."""
    return saves.about(path, lambda: _save(saves.parse(saves.read_bytes(path))))


def read_text(path: StrPath) -> str:
    """The text in a file that somebody wrote."""
    return saves.about(path, lambda: text_in(saves.read_bytes(path)))


def text_in(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadFile(f"this is not a text file in UTF-8 (byte {fault.start + 1})") from None


def is_export(document: Document) -> bool:
    return document.keys() >= EXPORT_KEYS and not saves.is_save(document)


def _game(document: Document) -> Game:
    if is_export(document):
        from ostbahn.interop.site import import_game  # here, since saves need none of it

        return import_game(document).game
    if not saves.is_save(document):
        raise BadFile("this is neither an Ostbahn save nor an export of 18xx.games")
    return saves.restore(document)


def _save(document: Document) -> Game:
    if is_export(document):
        raise BadFile("this is an export of 18xx.games, which is only read; `replay --save NEW` makes a save of it")
    return saves.restore(document)
