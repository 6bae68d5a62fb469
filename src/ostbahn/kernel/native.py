"""What the compiler of the compiled engine has to be told (docs/performance.md). The pure engine takes no notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as native
else:

    def native(**_told):
        """`allow_interpreted_subclasses=True`: titles of others, which nobody compiles, have subclasses of it."""
        return lambda cls: cls


__all__ = ["native"]
