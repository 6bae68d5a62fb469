"""Positions for the tests of trains: who has which, what lies on the stack, who buys next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Paid, Record
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import asked as asked
from tests.titles.cz.scenes import scene, state_of

BUYERS = {"small": "VBW", "medium": "KFN", "large": "Ug"}
STARTED = {
    **dict.fromkeys(("EKJ", "OFE", "BCB", "MW", "VBW"), (60, "p1")),
    **dict.fromkeys(("BN", "NWB", "ATE", "BTE", "KFN"), (60, "p2")),
    **dict.fromkeys(("Sx", "Pr", "By", "kk", "Ug"), (90, "p3")),
}
SHARES = {
    **{company: {"p2": 1} for company in ("BN", "NWB", "ATE", "BTE", "KFN")},
    **{company: {"p3": 3} for company in ("Sx", "Pr", "By", "kk", "Ug")},
}
FLEET = {
    "2": ("EKJ", "a1"),
    "3": ("OFE", "c1"),
    "4": ("BCB", "e1"),
    "5": ("MW", "g1"),
    "2+2": ("BN", "b1"),
    "3+3": ("NWB", "d1"),
    "4+4": ("ATE", "f1"),
    "5+5": ("BTE", "h1"),
    "3E": ("Sx", "d2"),
    "4E": ("Pr", "f2"),
    "5E": ("By", "h2"),
    "6E": ("kk", "i1"),
    "8E": ("kk", "j1"),
}
"""One train of each kind: who has it, on which card."""
HARMLESS = ("2", "3", "2+2", "3+3", "3E", "4E", "5E")
"""The trains that scrap nothing, so all of them can be in the game together."""


def first_of(letter: str) -> int:
    """How many cards have gone when the first one of a letter lies on top."""
    return next(number for number in range(40) if cz_title().stack.card(number)[0] == letter)


def phase_before(letter: str) -> dict[str, Any]:
    """Phase and stack just before the first card of a letter is sold."""
    letters = cz_title().stack.letters
    return {"phase": letters[letters.index(letter) - 1], "cards_gone": first_of(letter)}


def buyer_of(face: str) -> str:
    return BUYERS[cz_title().train_faces[face].size]


def table_with(*, agenda: Sequence[Any], trains: dict[str, list[tuple[str, str]]] | None = None, **more: Any) -> Game:
    """All fifteen companies, those that buy with plenty of money."""
    more.setdefault("cash", dict.fromkeys(BUYERS.values(), 3000))
    return scene(started=STARTED, shares=SHARES, trains=trains, agenda=agenda, **more)


def fleet(*faces: str) -> dict[str, list[tuple[str, str]]]:
    owned: dict[str, list[tuple[str, str]]] = {}
    for face in faces:
        company, card = FLEET[face]
        owned.setdefault(company, []).append((card, face))
    return owned


def faces_left(game: Game) -> set[str]:
    state = state_of(game)
    return {train.face for trains in (*state.trains.values(), state.pool) for train in trains}


def rule_of(game: Game, action: Action) -> str | None:
    """The rule by which an action is refused; None if it is allowed."""
    refusal = game.refusal(action)
    return refusal.rule if refusal else None


def payments(record: Record) -> list[tuple[str, str, int]]:
    """Who paid whom how much."""
    return [(paid.source, paid.target, paid.amount) for paid in record.events if isinstance(paid, Paid)]
