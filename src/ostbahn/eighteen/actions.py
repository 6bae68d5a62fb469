"""Actions that several titles share."""

from __future__ import annotations

from msgspec import Struct

from ostbahn.kernel.actions import Action


class TrainRun(Struct, frozen=True, forbid_unknown_fields=True):
    """A train and the way it takes: revenue locations (`E11.1`) and hexes of plain track in order."""

    card: str
    path: tuple[str, ...]


class RunTrains(Action, frozen=True, tag="run_trains"):
    """Run all trains. The claim is what is said to come of it; only imported games make one."""

    runs: tuple[TrainRun, ...]
    claim: int | None = None
