"""Bots that somebody wrote himself, from a Python file."""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from ostbahn.kernel.errors import BadFile, BadSetup


def from_file(path: str, name: str) -> Callable[..., Any]:
    """The class of that name in a file, or a function that makes a bot."""
    module = _run(Path(path))
    make: object = getattr(module, name, None)
    if callable(make):
        return make
    there = [each for each, thing in vars(module).items() if inspect.isclass(thing) and hasattr(thing, "choose")]
    raise BadSetup(f"{path} has no bot {name}; found there: {', '.join(there) or 'none'}")


class _Fresh(SourceFileLoader):
    """Leaves no compiled file behind: it would litter somebody's folder, and might outlive a change."""

    def set_data(self, path: str, data: object, *, _mode: int = 0) -> None:
        return


def _run(path: Path) -> ModuleType:
    """The file as a module; it is run anew each time, so that a change to it counts."""
    if not path.is_file():
        raise BadFile(f"there is no file {path}")
    full = str(path.resolve())
    name = f"ostbahn_own_bot_{hashlib.sha256(full.encode()).hexdigest()[:8]}"
    loader = _Fresh(name, full)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # data classes look themselves up there
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        del sys.modules[name]
        raise BadFile(f"{path} does not run: {_where(fault, full)}{type(fault).__name__}: {fault}") from fault
    return module


def _where(fault: BaseException, file: str) -> str:
    """The line of the file at which it went wrong, if it was in there."""
    lines = [frame.lineno for frame in traceback.extract_tb(fault.__traceback__) if frame.filename == file]
    return f"line {lines[-1]}: " if lines else ""
