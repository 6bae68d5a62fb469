"""What is otherwise worked out when it is first wanted, worked out before anybody can ask, by one thread alone.

msgspec finds out how a type is read when it first reads one. Two threads that read the first of a type at once end the
whole process: one of them uses what the other has only begun. So every type there is comes first.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.json import Decoder

import ostbahn
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import CATALOGUE, kits, rulebook
from ostbahn.kits.installed import OutsideKit, blaming
from ostbahn.table.snapshots import change_decoder, record_decoder
from ostbahn.views.catalogue import catalogue_view

Kind = TypeVar("Kind", bound=Struct)
LOG: Final = logging.getLogger(__name__)
ELSEWHERE: Final = (
    "ostbahn.bots.cluster",
    "ostbahn.cli",
    "ostbahn.review.reports",
    "ostbahn.server.db.migrations",
    "ostbahn.server.ops.prometheus",
)
"""What no request comes to here: what stands above the server, what draws charts in another process, what
Alembic runs, and what needs another extra than pages do."""


def make_ready() -> None:
    """Load what requests may need: all modules, all types, all titles."""
    for module in walk_packages(ostbahn.__path__, "ostbahn."):
        if not module.name.startswith(ELSEWHERE):
            import_module(module.name)
    for broken in kits().broken:
        LOG.warning("%s", broken)
    for kit in kits().outside:
        _load_all_modules(kit)
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


def _load_all_modules(kit: OutsideKit) -> None:
    """Load the package of a title that does not come with Ostbahn; a module in it may need what is not installed."""
    names = [kit.module]
    for name in names:
        try:
            with blaming(kit.package):
                path = getattr(import_module(name), "__path__", ())
                names += [module.name for module in iter_modules(path, f"{name}.")]
        except OstbahnError as fault:
            LOG.warning("%s was not loaded: %s", name, fault)


def _kinds(of: type[Kind]) -> Iterator[type[Kind]]:
    """All types made from one; those with parts of their own see to these as well."""
    for kind in of.__subclasses__():
        yield kind
        yield from _kinds(kind)
