"""Extras: the engine needs msgspec alone, and whoever wants more than that installs what it takes.

Which extra brings which libraries is said in pyproject.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ostbahn.kernel.errors import OstbahnError


class MissingExtra(OstbahnError):
    """Something that was not installed; says how it is."""


@contextmanager
def needed(extra: str, what: str) -> Iterator[None]:
    """Import here what only an extra brings: `with needed("web", "the server needs"): …`."""
    try:
        yield
    except ModuleNotFoundError as fault:
        package = (fault.name or "ostbahn").partition(".")[0]
        if package == "ostbahn" or package in sys.stdlib_module_names:  # no extra would bring that
            raise
        raise MissingExtra(f'{what} the {extra} extra: pip install "ostbahn[{extra}]"') from None
