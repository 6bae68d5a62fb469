"""Which actions of an 18xx.games export took effect: undo, redo, chat and automatic moves resolved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Entry = dict[str, Any]

SILENT = {"message", "log"}
"""Entries that carry no rule."""


def effective(entries: Iterable[Entry]) -> list[Entry]:
    """The actions that were not taken back, in order."""
    kept: list[Entry] = []
    undone: list[list[Entry]] = []
    for entry in entries:
        kind = entry.get("type")
        if kind in SILENT or entry.get("skip"):
            continue
        if kind == "undo":
            undone.append(_take_back(kept, entry.get("action_id")))
        elif kind == "redo":
            if undone:
                kept.extend(undone.pop())
        else:
            undone.clear()
            kept.append(entry)
    return kept


def _take_back(kept: list[Entry], down_to: int | None) -> list[Entry]:
    """Remove the last action, or all that came after the given one."""
    if down_to is None:
        start = max(len(kept) - 1, 0)
    else:
        start = next((index for index, entry in enumerate(kept) if entry["id"] > down_to), len(kept))
    taken = kept[start:]
    del kept[start:]
    return taken


def with_automatic(entry: Entry) -> list[Entry]:
    """An action and the moves that the site added to it."""
    return [entry, *(entry.get("auto_actions") or [])]
