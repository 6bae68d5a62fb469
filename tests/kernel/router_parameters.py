"""Other parameters of the router for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import structs

from ostbahn.kernel.routes import parameters
from ostbahn.kernel.routes.optimiser import clear_caches


@contextmanager
def router_parameters(**changes: Any) -> Iterator[None]:
    """Nothing is cached before, and nothing stays cached after."""
    before = parameters.active
    parameters.active = structs.replace(before, **changes)
    clear_caches()
    try:
        yield
    finally:
        parameters.active = before
        clear_caches()
