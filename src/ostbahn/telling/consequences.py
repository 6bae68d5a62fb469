"""What an answer would bring about, told to somebody before they give it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from msgspec import Struct

from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Paid
from ostbahn.telling.faces import face_of


class Consequence(Struct, frozen=True):
    text: str
    grave: bool
    """Whether one should think twice: it cannot be mended, or it concerns everybody."""


def consequences(game: Game, action: Action) -> list[Consequence]:
    """What matters to somebody about to give an answer; nothing if it would be refused."""
    try:
        record = game.copy().apply(action)
    except Refused:
        return []
    face = face_of(game)
    names, accounts = face.names(), face.accounts(record.by)
    return [
        Consequence(face.words.tell(event, names), event.ahead == "grave")
        for event in takewhile(lambda event: event.ahead != "beyond", record.events)
        if event.ahead != "untold" and _concerns(event, accounts)
    ]


def _concerns(event: Event, accounts: Collection[str]) -> bool:
    """Payments between others are their own affair."""
    return not isinstance(event, Paid) or event.source in accounts or event.target in accounts
