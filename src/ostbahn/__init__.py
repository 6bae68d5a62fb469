"""Ostbahn: railway games of the 18xx family, as software to play, host, study and build on.

What most programs need is here: `from ostbahn import new_game, load, save, Game, Refused, best_run`. Each name is
loaded on first use, so `import ostbahn` costs nothing. docs/library.md lists the public modules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostbahn.analysis.gains import gains
    from ostbahn.analysis.runs import best_run, run_with_station, run_with_tile
    from ostbahn.interop.files import open_game as load
    from ostbahn.interop.saves import write as save
    from ostbahn.kernel.errors import GameOver, Refused
    from ostbahn.kernel.game import Game
    from ostbahn.kits.catalogue import new_game
    from ostbahn.review.accounts import accounts_of
    from ostbahn.views.wealth import wealth_over_time

__version__ = "0.2.0"
__all__ = [
    "Game",
    "GameOver",
    "Refused",
    "__version__",
    "accounts_of",
    "best_run",
    "compiled",
    "gains",
    "load",
    "new_game",
    "run_with_station",
    "run_with_tile",
    "save",
    "wealth_over_time",
]

_HOMES = {
    "Game": ("ostbahn.kernel.game", "Game"),
    "GameOver": ("ostbahn.kernel.errors", "GameOver"),
    "Refused": ("ostbahn.kernel.errors", "Refused"),
    "accounts_of": ("ostbahn.review.accounts", "accounts_of"),
    "best_run": ("ostbahn.analysis.runs", "best_run"),
    "gains": ("ostbahn.analysis.gains", "gains"),
    "load": ("ostbahn.interop.files", "open_game"),
    "new_game": ("ostbahn.kits.catalogue", "new_game"),
    "run_with_station": ("ostbahn.analysis.runs", "run_with_station"),
    "run_with_tile": ("ostbahn.analysis.runs", "run_with_tile"),
    "save": ("ostbahn.interop.saves", "write"),
    "wealth_over_time": ("ostbahn.views.wealth", "wealth_over_time"),
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
