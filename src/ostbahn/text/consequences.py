"""What an answer would bring about, told to somebody before they give it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from msgspec import Struct

from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Paid, Record
from ostbahn.text.faces import Face, face_of
from ostbahn.text.speech import Speech, of_the_answer


class Consequence(Struct, frozen=True):
    text: str
    grave: bool
    """Whether one should think twice: a loan or one's own money for a company, a lost directorship, scrapped trains, a
    new phase, the end of a company or of the game. Where nothing is grave, nobody need be asked before it is done."""


def consequences(game: Game, action: Action) -> list[Consequence]:
    """What matters to somebody about to give an answer; nothing if it would be refused."""
    question, after = game.question, game.branch()
    try:
        record = after.apply(action)
    except Refused:
        return []
    assert question is not None
    face = face_of(game)
    events = list(of_the_answer(record.events))
    return [
        *_told(face, Speech(game, after), record, events),
        *(Consequence(text, grave=False) for text in _left(face, record, events)),
        *(Consequence(text, grave=False) for text in face.foresee(question, action, after.table)),
        *_end(after, record, events),
    ]


def _told(face: Face, speech: Speech, record: Record, events: list[Event]) -> Iterator[Consequence]:
    """What happens, as far as it concerns them: payments between others are their own affair."""
    accounts = face.accounts(record.by)
    for event in events:
        if event.ahead == "untold" or (isinstance(event, Paid) and not {event.source, event.target} & set(accounts)):
            continue
        yield Consequence(speech.tell(event), event.grave_for(record.by) or _is_own_money(face, event, record.by))


def _is_own_money(face: Face, event: Event, by: str) -> bool:
    """Whether a player pays for a company."""
    return isinstance(event, Paid) and event.source == by and event.target in face.table.title.charters


def _left(face: Face, record: Record, events: Collection[Event]) -> Iterator[str]:
    """What whoever pays has then."""
    spent: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            spent[event.source] += event.amount
            spent[event.target] -= event.amount
    for who in sorted(face.accounts(record.by) & set(spent)):
        if spent[who]:
            has = face.words.money(face.table.state.cash[who] - spent[who])
            yield f"{face.names().get(who, who)} then has {has}"


def _end(after: Game, record: Record, events: Collection[Event]) -> Iterator[Consequence]:
    if after.over and len(events) == len(record.events):
        yield Consequence("the game is over", grave=True)
