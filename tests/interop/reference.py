"""The reference games beside the project: real and generated ones, with their states."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference"
MISSING = f"the reference games are not beside the project ({FOLDER.parent.name}/{FOLDER.name})"


def games() -> list[Path]:
    """All 18CZ games, those of people first."""
    return [*sorted((FOLDER / "18CZ").glob("*.json")), *sorted((FOLDER / "generated" / "18CZ").glob("*.json"))]


def document(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def lines(path: Path, kind: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path.with_suffix(f".{kind}.jsonl.gz"), "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)
