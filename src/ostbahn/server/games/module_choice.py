"""Modules of an expansion in a form: what may be chosen with what, and for how many."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from ostbahn.views.catalogue import EntryView, ModuleView, RulingView


class ModuleChoice(Struct, frozen=True):
    """A module as it stands in a form."""

    module: ModuleView
    chosen: bool
    barred: str
    """Why it cannot be played with what has been chosen so far; empty if it can."""


def module_choices(entry: EntryView, chosen: Collection[str], players: int) -> tuple[ModuleChoice, ...]:
    return tuple(
        ModuleChoice(module, module.id in chosen, barred(entry, module, chosen, players)) for module in entry.modules
    )


def barred(entry: EntryView, module: ModuleView, chosen: Collection[str], players: int) -> str:
    if players not in module.players:
        return f"Not with {players} players: it is for {_range(module.players)}."
    others = [other.name for other in entry.modules if other.id in chosen and other.id in module.excludes]
    return f"Not together with {' and '.join(others)}." if others else ""


def playable(entry: EntryView, chosen: Collection[str], players: int) -> tuple[str, ...]:
    """What of a choice can stay where the form is shown anew: of two that exclude each other the first."""
    kept: list[str] = []
    for module in entry.modules:
        if module.id in chosen and not barred(entry, module, kept, players):
            kept.append(module.id)
    return tuple(kept)


def rulings_with(entry: EntryView, chosen: Collection[str]) -> list[tuple[RulingView, str]]:
    """The questions that come up with a choice, those of modules last and with their name."""
    own = [(ruling, "") for ruling in entry.rulings]
    return own + [(ruling, module.name) for module in entry.modules if module.id in chosen for ruling in module.rulings]


def _range(players: tuple[int, ...]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"
