"""Ostbahn: railway games of the 18xx family, as software to play, host, study and build on.

What most programs need is here: `from ostbahn import new_game, load, save, Game, Refused`. Each of them is loaded when
it is first asked for, so that `import ostbahn` itself costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostbahn.interop.files import open_game as load
    from ostbahn.interop.saves import write as save
    from ostbahn.kernel.errors import Refused
    from ostbahn.kernel.game import Game
    from ostbahn.kits.catalogue import new_game

__version__ = "0.2.0"
__all__ = ["Game", "Refused", "__version__", "compiled", "load", "new_game", "save"]

_HOMES = {
    "Game": ("ostbahn.kernel.game", "Game"),
    "Refused": ("ostbahn.kernel.errors", "Refused"),
    "load": ("ostbahn.interop.files", "open_game"),
    "new_game": ("ostbahn.kits.catalogue", "new_game"),
    "save": ("ostbahn.interop.saves", "write"),
}


if not TYPE_CHECKING:  # a type checker has read the imports above, and must not take every other name for granted

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, there = _HOMES[name]
        value = globals()[name] = getattr(import_module(module), there)
        return value


def compiled() -> bool:
    """Whether the engine is the compiled one; both play the same."""
    from importlib.util import find_spec  # here, since `import ostbahn` costs nothing

    found = find_spec("ostbahn.kernel.game")
    return found is not None and not str(found.origin).endswith(".py")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
