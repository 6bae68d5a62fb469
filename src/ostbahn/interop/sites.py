"""What a title knows of its games at 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ostbahn.interop.exporting import Exporter
from ostbahn.interop.importing import Importer
from ostbahn.interop.lines import TraceLine
from ostbahn.kernel.game import Game


class Site(NamedTuple):
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
