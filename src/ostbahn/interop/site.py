"""Import of games exported by 18xx.games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ostbahn.interop import saves
from ostbahn.interop.imported import FileMark, Imported
from ostbahn.kernel.errors import BadFile
from ostbahn.kits.catalogue import kits
from ostbahn.storage import StrPath


def import_game(document: Mapping[str, Any]) -> Imported:
    """Replay an export, every action checked, under the site's rulings."""
    try:
        title = str(document.get("title"))
        if title not in kits():
            raise BadFile(f"an 18xx.games export of {title!r}; only {' and '.join(kits())} can be imported")
        saves.check_number(document["actions"])
        return kits()[title].site.importer(document).run()
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as fault:
        raise BadFile(f"this 18xx.games export cannot be read: {type(fault).__name__} {fault}") from fault


def open_imported(path: StrPath) -> Imported:
    """The game in a file with its marks; in a save of ours every action is one."""
    return saves.about(path, lambda: _imported(saves.parse(saves.read_bytes(path))))


def _imported(document: saves.Document) -> Imported:
    if not saves.is_save(document):
        return import_game(document)
    game = saves.restore(document)
    return Imported(game, [FileMark(number, number) for number in range(len(game) + 1)])
