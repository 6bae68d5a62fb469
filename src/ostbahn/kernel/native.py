"""Declarations for the compiled engine (mypyc, docs/architecture.md). They have no effect in pure Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

COMPILING: Final = False
"""True only while compiling (hatch_build.py)."""

if not COMPILING:  # first: type checkers of other packages take the first branch
    from collections.abc import Mapping as Lookup
else:
    Lookup = dict

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as native
else:

    def native(**_options):
        """`allow_interpreted_subclasses=True`: titles of other packages, which are not compiled, subclass it."""
        return lambda cls: cls


__all__ = ["Lookup", "class_attribute", "native"]

# Lookup: a read-only mapping to type checkers, a `dict` to the compiler, which then needs no method lookup by name.


def class_attribute(thing: object, name: str) -> Any:
    """An attribute of an instance or its class. Compiled code would miss class attributes of interpreted subclasses."""
    return getattr(thing, name)
