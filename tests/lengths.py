"""How long tests are: short in `dev.py test`; those with the mark `longer_in_soak` have all their length in a soak."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])
SHARE: Final = 4
"""One of so many examples is tried where nobody soaks."""
longer_in_soak = pytest.mark.longer_in_soak

_soaking = False


def look_at(config: pytest.Config) -> bool:
    """Whether this is a soak, which has to be known before tests are loaded."""
    global _soaking
    _soaking = bool(config.getoption("markexpr") == "soak")
    return _soaking


def length(short: int, full: int) -> int:
    return full if _soaking else short


def others_in_soak(names: Iterable[str], usual: Collection[str]) -> list[Any]:
    """Parameters of a test: the usual ones every time, and the others in a soak."""
    return [name if name in usual else pytest.param(name, marks=pytest.mark.soak) for name in names]


def at_random(examples: int) -> Callable[[Test], Test]:
    """For a property: so many examples in a soak, a part of them elsewhere, and always the same ones."""
    chosen = settings(max_examples=length(max(examples // SHARE, 25), examples), deadline=None, derandomize=True)

    def of(test: Test) -> Test:
        marked: Test = longer_in_soak(chosen(test))
        return marked

    return of
