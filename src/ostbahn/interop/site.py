"""Games of 18xx.games: what a title knows of them, and taking in what that site exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ostbahn.interop import saves
from ostbahn.interop.exporting import Exporter
from ostbahn.interop.imported import Imported
from ostbahn.interop.importing import Importer
from ostbahn.interop.traces import TraceLine
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import sites


class Site(NamedTuple):
    """What a title knows of its games there."""

    importer: Callable[[Mapping[str, Any]], Importer]
    """Reads a file."""
    exporter: Callable[[Game], Exporter]
    """Writes one."""
    variants: tuple[str, ...]
    """Those that can be played there."""
    state_line: Callable[[Game], TraceLine]
    """A state as a trace tells it."""
    legal_line: Callable[[Game, bool], TraceLine | None]
    """What could be laid and placed, as a trace tells it; whether the site still is in a step that is over for us."""


def import_game(document: Mapping[str, Any]) -> Imported:
    """Replay an export, every action checked, under the site's rulings."""
    try:
        title = str(document.get("title"))
        known = sites()
        if title not in known:
            raise BadFile(f"an 18xx.games export of {title!r}; only {' and '.join(known)} can be imported")
        saves.check_number(document["actions"])
        return known[title].importer(document).run()
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as fault:
        raise BadFile(f"this 18xx.games export cannot be read: {type(fault).__name__} {fault}") from fault
