"""What an answer would bring about, told to somebody before he gives it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from ostbahn.kernel import records
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event
from ostbahn.telling.faces import face_of
from ostbahn.telling.words import Words

PLACES = ("stack", "pool", "scrap", "abroad")
"""Where train cards lie that no company owns."""


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
        Consequence(face.words.tell(event, names), _is_grave(face.words, event))
        for event in _foreseeable(face.words, record.events)
        if _matters(face.words, event, accounts)
    ]


def _foreseeable(words: Words, events: Iterable[Event]) -> Iterator[Event]:
    """Up to the next turn or round, or a lot that is drawn: nobody may look further ahead than at the table."""
    for event in events:
        if isinstance(event, records.RoundBegan):
            return
        if isinstance(event, records.Noted) and event.what in words.beyond:
            return
        yield event


def _matters(words: Words, event: Event, accounts: Collection[str]) -> bool:
    match event:
        case records.Paid():
            return event.source in accounts or event.target in accounts
        case records.TrainMoved():
            return event.target in ("scrap", "pool")
        case records.Noted():
            return event.what in words.ahead or event.what in words.grave
        case records.PriceMoved() | records.DirectorChanged() | records.PhaseBegan():
            return True
    return False


def _is_grave(words: Words, event: Event) -> bool:
    match event:
        case records.TrainMoved():
            return event.source not in PLACES
        case records.Noted():
            return event.what in words.grave
        case records.DirectorChanged() | records.PhaseBegan():
            return True
    return False
