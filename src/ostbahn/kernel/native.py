"""What the compiler of the compiled engine has to be told (docs/architecture.md). The pure engine takes no notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

COMPILING: Final = False
"""True only in the eyes of the compiler (hatch_build.py)."""

if not COMPILING:  # first, since type checkers of others, which know nothing of COMPILING, take the first branch
    from collections.abc import Mapping as Lookup
else:
    Lookup = dict

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as native
else:

    def native(**_told):
        """`allow_interpreted_subclasses=True`: titles of others, which nobody compiles, have subclasses of it."""
        return lambda cls: cls


__all__ = ["Lookup", "class_attribute", "native"]

# Lookup: a mapping that nobody changes. All of ours are dictionaries, which compiled code reads without asking for
# methods by their names; type checkers see to it that nobody takes one for a thing to write in.


def class_attribute(thing: object, name: str) -> Any:
    """What a thing or its class says under a name. Compiled code looks in the thing alone, where it was compiled; but a
    subclass that was not says such things in its class."""
    return getattr(thing, name)
