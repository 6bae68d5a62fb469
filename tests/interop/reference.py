"""The reference games beside the project: real and generated ones, with their states."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference"
MISSING = f"the reference games are not beside the project ({FOLDER.parent.name}/{FOLDER.name})"


def games(title: str = "18CZ") -> list[Path]:
    """All games of a title, those of people first; games with modules that we do not have yet are left out."""
    folders = (FOLDER / title, FOLDER / "generated" / title, FOLDER / "more" / title)
    found = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    return [path for path in found if not document(path)["settings"].get("optional_rules")]


def whole_games(title: str = "18CZ") -> list[Path]:
    """Games that were played to the end."""
    return [path for path in games(title) if document(path).get("game_end_reason") != "manually_ended"]


def document(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def lines(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path.with_suffix(f".{kind}.jsonl.gz"), "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)
