"""Logs of long runs: JSON lines, first the settings; a run that was interrupted goes on from its log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.storage import atomic_write


class RunLog:
    """What has been played so far. A line with the field `end` ended an earlier run, and is left out."""

    def __init__(self, path: Path, settings: dict[str, Any], end: str) -> None:
        self.path = path
        self.lines = [line for line in _read(path) if end not in line] or [settings]
        if self.lines[0] != settings:
            raise BadSetup(f"{path} is the log of another run, with {json.dumps(self.lines[0])}; choose another file")
        self._write()  # now, so that a file that cannot be written costs nothing

    def add(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        self._write()

    def _write(self) -> None:
        with atomic_write(self.path) as file:
            file.write("".join(json.dumps(each) + "\n" for each in self.lines).encode())


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as fault:
        raise BadFile(f"{path} is no log that could be gone on with: {fault}") from None
    if not all(isinstance(line, dict) for line in lines):
        raise BadFile(f"{path} is no log that could be gone on with: not every line is an object")
    return lines
