"""Extras: the engine needs msgspec alone, and whoever wants more than that installs what it takes.

Which extra brings which libraries is said in pyproject.toml.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ostbahn.kernel.errors import OstbahnError


class MissingExtra(OstbahnError):
    """Something that was not installed; says how it is."""


def install_command(extra: str) -> str:
    """The command that adds an extra: dev.py where it made this environment, and pip elsewhere."""
    made_by_dev = Path(sys.prefix).parts[-2:] == (".dev", "venv")
    return f"python3 dev.py install {extra}" if made_by_dev else f'pip install "ostbahn[{extra}]"'


@contextmanager
def require_extra(extra: str, what: str) -> Iterator[None]:
    """Import here what only an extra brings: `with require_extra("web", "the server needs"): …`."""
    try:
        yield
    except ModuleNotFoundError as fault:
        package = (fault.name or "ostbahn").partition(".")[0]
        if package == "ostbahn" or package in sys.stdlib_module_names:  # no extra would bring that
            raise
        raise MissingExtra(f"{what} the {extra} extra: {install_command(extra)}") from None
