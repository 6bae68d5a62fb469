"""What is otherwise worked out when it is first wanted, worked out before anybody can ask, by one thread alone.

msgspec finds out how a type is read when it first reads one. Two threads that read the first of a type at once end the
whole process: one of them uses what the other has only begun. So every type there is comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import walk_packages
from types import ModuleType
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.json import Decoder

import ostbahn
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import CATALOGUE, GROUP, rulebook
from ostbahn.server.play.legs import change_decoder, record_decoder
from ostbahn.views.setup import catalogue_view

Kind = TypeVar("Kind", bound=Struct)
ELSEWHERE: Final = (
    "ostbahn.cli",
    "ostbahn.research",
    "ostbahn.review.reports",
    "ostbahn.server.store.migrations",
    "ostbahn.server.upkeep.prometheus",
)
"""What no request comes to here: what stands above the server or beside it, what draws charts in another process, and
what Alembic runs, and what needs another extra than pages do."""


def make_ready() -> None:
    """Load what requests may need: all modules, all types, all titles."""
    for package in [ostbahn, *_titles_from_outside()]:
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(ELSEWHERE):
                import_module(module.name)
    for kind in _kinds(Struct):
        with suppress(TypeError):  # of a library; what cannot be read at all is never read
            Decoder(kind)
    for kind in _kinds(State):
        change_decoder(kind)
    for entry in CATALOGUE:
        record_decoder(entry.title)
        for number in entry.players:
            book = rulebook(entry.title, entry.variant, number).title
            _ = book.rules, book.readings  # which are read when they are first asked for
    catalogue_view()


def _titles_from_outside() -> list[ModuleType]:
    """The packages of titles that do not come with Ostbahn."""
    packages = {point.module.partition(".")[0] for point in entry_points(group=GROUP)} - {ostbahn.__name__}
    return [package for name in sorted(packages) if hasattr(package := import_module(name), "__path__")]


def _kinds(of: type[Kind]) -> Iterator[type[Kind]]:
    """All types made from one; those with parts of their own see to these as well."""
    for kind in of.__subclasses__():
        yield kind
        yield from _kinds(kind)
