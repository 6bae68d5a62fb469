"""Which actions of an 18xx.games export took effect: undo, redo, chat and automatic moves resolved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

SiteEntry = dict[str, Any]

CHAT = "message"
"""Chat is not taken back by an undo, and counts for nothing."""


def without_effect(entry: SiteEntry) -> bool:
    """Chat, and programmed moves: what they bring about stands in the file as actions of its own."""
    kind = str(entry.get("type"))
    return kind == CHAT or kind.startswith("program_")


def effective(entries: Iterable[SiteEntry]) -> list[SiteEntry]:
    """The actions that were not taken back, in order."""
    kept: list[SiteEntry] = []
    undone: list[list[SiteEntry]] = []
    for entry in entries:
        kind = entry.get("type")
        if entry.get("skip"):
            continue
        if kind == "undo":
            undone.append(_take_back(kept, entry.get("action_id")))
        elif kind == "redo":
            if undone:
                kept.extend(undone.pop())
        else:
            if kind != CHAT:
                undone.clear()
            kept.append(entry)
    return kept


def _take_back(kept: list[SiteEntry], down_to: int | None) -> list[SiteEntry]:
    """Remove the last action, or all that came after the given one."""
    moves = [entry for entry in kept if entry.get("type") != CHAT]
    taken = moves[-1:] if down_to is None else [entry for entry in moves if entry["id"] > down_to]
    kept[:] = [entry for entry in kept if entry not in taken]
    return taken


def with_automatic(entry: SiteEntry) -> list[SiteEntry]:
    """An action and the moves that the site added to it."""
    return [entry, *(entry.get("auto_actions") or [])]
