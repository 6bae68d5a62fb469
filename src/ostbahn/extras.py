"""Optional dependencies (extras in pyproject.toml). The engine needs only msgspec."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ostbahn.kernel.errors import OstbahnError


class MissingExtra(OstbahnError):
    """An extra that is not installed; names the command that installs it."""


def install_command(extra: str) -> str:
    """The command that installs an extra: dev.py in its own environment, pip elsewhere."""
    made_by_dev = Path(sys.prefix).parts[-2:] == (".dev", "venv")
    return f"python3 dev.py install {extra}" if made_by_dev else f'pip install "ostbahn[{extra}]"'


@contextmanager
def require_extra(extra: str, what: str) -> Iterator[None]:
    """Guard imports of an extra: `with require_extra("web", "the server needs"): …`."""
    try:
        yield
    except ModuleNotFoundError as fault:
        package = (fault.name or "ostbahn").partition(".")[0]
        if package == "ostbahn" or package in sys.stdlib_module_names:  # no extra would bring that
            raise
        raise MissingExtra(f"{what} the {extra} extra: {install_command(extra)}") from None
