"""What came of an answer, in short: the pieces that stand beside it in the log, and what then began by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ostbahn.kernel import records
from ostbahn.kernel.records import Event
from ostbahn.text.formatting import with_article
from ostbahn.text.speech import Speech
from ostbahn.text.words import event_in_words, join_words

NUMBERS: Final = {2: "two", 3: "three", 4: "four"}
"""In words, so that nobody reads "2 2-trains"."""
FEW: Final = 3
"""Tiles that are told one by one."""


class EventGroup(NamedTuple):
    """Events that belong together: those of the answer, or those of a turn or round that began after it."""

    began: Event | None
    """The turn or round, or the first event of the reckoning at the end; None for the answer itself."""
    events: tuple[Event, ...]


class EventSummary(NamedTuple):
    pieces: tuple[str, ...]
    rest: tuple[Event, ...]
    """Events that neither the answer nor a piece tells."""


def group_events(events: Iterable[Event]) -> list[EventGroup]:
    """The answer's own events first, then those of each turn and round that began, and the end of the game."""
    parts: list[tuple[Event | None, list[Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, records.TurnBegan | records.RoundBegan):
            parts.append((event, []))
            continue
        if isinstance(event, records.Wealth) and not isinstance(parts[-1][0], records.Wealth):
            parts.append((event, []))
        parts[-1][1].append(event)
    return [EventGroup(began, tuple(together)) for began, together in parts]


def summarise(speech: Speech, stretch: EventGroup, by: str, told: Collection[Event] = ()) -> EventSummary:
    """What matters of a stretch, in short.

    by: who has answered; what they bought or sold is told by the answer.
    told: payments that the answer tells.
    """
    fresh = [event for event in stretch.events if not any(event is other for other in told)]
    company = getattr(stretch.began, "company", None) or speech.naming.company
    view = _View(speech, fresh, stretch.began is not None, company, by)
    pieces = [piece for tell in (_tiles, _plain, _money, _shares, _prices, _trains) for piece in tell(view)]
    said_of = {id(event) for piece in pieces for event in piece.events}
    return EventSummary(
        tuple(piece.words for piece in pieces if piece.words),
        tuple(event for event in fresh if id(event) not in said_of),
    )


class _Piece(NamedTuple):
    words: str
    """Empty where nothing need be said."""
    events: Sequence[Event]
    """Of which it tells."""


class _View(NamedTuple):
    """What the pieces of a stretch are made of."""

    speech: Speech
    events: Sequence[Event]
    alone: bool
    """Whether it happened by itself, and no answer tells of it."""
    company: str | None
    """The company in turn."""
    by: str

    @property
    def players(self) -> tuple[str, ...]:
        return self.speech.naming.table.state.players

    def who(self, account: str) -> str:
        return self.speech.naming.who(account)


def _plain(view: _View) -> Iterator[_Piece]:
    """Events that are told one by one."""
    speech = view.speech
    for event in view.events:
        if (text := speech.words.summaries.get(type(event))) is not None:
            yield _Piece(event_in_words(text, event, speech.later), (event,))
        elif event.is_highlighted and not isinstance(event, records.TrainMoved):
            yield _Piece(speech.tell(event), (event,))


def _tiles(view: _View) -> Iterator[_Piece]:
    """Track that was laid by itself; of much track only how much."""
    laid = [event for event in view.events if isinstance(event, records.TileLaid)]
    if len(laid) > FEW:
        yield _Piece(f"{len(laid)} tiles are laid", ())
        return
    for event in laid:
        whose = "" if view.alone and event.company == view.company else f"{view.who(event.company)} "
        yield _Piece(f"{whose}lays {event.tile} {view.speech.later.at(event.hex)}", (event,))


def _money(view: _View) -> Iterator[_Piece]:
    """By how much everybody's money has changed."""
    paid = [event for event in view.events if isinstance(event, records.Paid)]
    theirs = [event for event in paid if event.source in view.players or event.target in view.players]
    changes: Counter[str] = Counter()
    for event in theirs:
        changes[event.target] += event.amount
        changes[event.source] -= event.amount
    told = [f"{view.who(who)} {_signed(amount)}" for who, amount in changes.items() if amount and who in view.players]
    yield _Piece(", ".join(told), theirs)


def _shares(view: _View) -> Iterator[_Piece]:
    """What others hold more or less of a company; a change of directors leaves them with as much."""
    moved = [event for event in view.events if isinstance(event, records.CertificateMoved)]
    theirs = [event for event in moved if event.source in view.players or event.target in view.players]
    changes: Counter[tuple[str, str]] = Counter()
    for event in theirs:
        changes[event.target, event.company] += event.percent
        changes[event.source, event.company] -= event.percent
    yield _Piece("", theirs)
    for (who, company), percent in changes.items():
        if percent and who in view.players and (view.alone or who != view.by):
            yield _Piece(f"{view.who(who)} {_signed(percent)}% of {view.who(company)}", ())


def _prices(view: _View) -> Iterator[_Piece]:
    """Where prices went; that of the company in turn goes without its name."""
    moves: dict[str, list[records.PriceMoved]] = {}
    for event in view.events:
        if isinstance(event, records.PriceMoved):
            moves.setdefault(event.company, []).append(event)
    for company, moved in moves.items():
        before, after = moved[0].before, moved[-1].after
        whose = "price" if company == view.company else view.who(company)
        yield _Piece(f"{whose} {before} → {after}" if before else "", moved)


def _trains(view: _View) -> Iterator[_Piece]:
    """Who has lost trains, and who has got some without having answered for it."""
    lost: dict[str, list[records.TrainMoved]] = {}
    got: dict[str, list[records.TrainMoved]] = {}
    for event in view.events:
        if not isinstance(event, records.TrainMoved):
            continue
        if event.target in ("scrap", "pool") and event.source not in records.PLACES:
            lost.setdefault(event.source, []).append(event)
        elif event.source in ("stack", "pool") and event.target not in records.PLACES:
            got.setdefault(event.target, []).append(event)
        elif event.target == "abroad":
            yield _Piece(view.speech.tell(event), (event,))
    for verb, trains in (("loses", lost), ("gets", got)):
        for who, moved in trains.items():
            whose = "" if view.alone and who == view.company else f"{view.who(who)} "
            yield _Piece(f"{whose}{verb} {_counted(moved)}", moved)


def _counted(moved: Sequence[records.TrainMoved]) -> str:
    faces = Counter(f"{event.face}-train" if event.face else "train" for event in moved)
    several = {face: f"{NUMBERS.get(number, number)} {face}s" for face, number in faces.items() if number > 1}
    return join_words([several.get(face) or with_article(f"a {face}") for face in faces])


def _signed(amount: int) -> str:
    return f"{amount:+}".replace("-", "−")
