"""What a title knows of its games at 18xx.games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ostbahn.interop.exporting import Exporter
from ostbahn.interop.importing import Importer
from ostbahn.interop.lines import Line
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_of, kits


class Site(NamedTuple):
    importer: Callable[[Mapping[str, Any]], Importer]
    """Reads a file."""
    exporter: Callable[[Game], Exporter]
    """Writes one."""
    variants: tuple[str, ...]
    """Those that can be played there."""
    state_line: Callable[[Game], Line]
    """A state as a trace tells it."""
    legal_line: Callable[[Game, bool], Line | None]
    """What could be laid and placed, as a trace tells it; whether the site still is in a step that is over for us."""


def sites() -> dict[str, Site]:
    """The titles that are played there."""
    return {kit.name: site for kit in kits().values() if (site := kit.site) is not None}


def site_of(game: Game) -> Site:
    found = kit_of(game).site
    if found is None:
        raise BadSetup(f"18xx.games has no {game.setup.title}: it plays {', '.join(sites())}")
    return found
