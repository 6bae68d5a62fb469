"""Summarises events for the log: those of an answer, and of each turn or round that began after it."""

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
"""Spelled out, to avoid "2 2-trains"."""
MOST_TILES: Final = 3
"""Tiles listed singly; if there are more, they are only counted."""


class EventGroup(NamedTuple):
    """Events of an answer, or of a turn or round that began after it."""

    began: Event | None
    """The event that opens the turn, round or final reckoning; None for the answer itself."""
    events: tuple[Event, ...]


class EventSummary(NamedTuple):
    pieces: tuple[str, ...]
    rest: tuple[Event, ...]
    """Events that neither the answer nor a piece mentions."""


def group_events(events: Iterable[Event]) -> list[EventGroup]:
    """The answer's own events, then those of each turn and round that began, then the end of the game."""
    parts: list[tuple[Event | None, list[Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, records.TurnBegan | records.RoundBegan):
            parts.append((event, []))
            continue
        if isinstance(event, records.Wealth) and not isinstance(parts[-1][0], records.Wealth):
            parts.append((event, []))
        parts[-1][1].append(event)
    return [EventGroup(began, tuple(together)) for began, together in parts]


def summarise(speech: Speech, group: EventGroup, by: str, mentioned: Collection[Event] = ()) -> EventSummary:
    """Summarise a group of events.

    by: the player who answered; the answer itself mentions what they bought or sold.
    mentioned: events that the words of the answer contain.
    """
    remaining = [event for event in group.events if not any(event is other for other in mentioned)]
    company = getattr(group.began, "company", None) or speech.naming.company
    context = _Context(speech, remaining, group.began is not None, company, by)
    makers = (_tile_pieces, _single_pieces, _money_pieces, _share_pieces, _price_pieces, _train_pieces)
    pieces = [piece for make_pieces in makers for piece in make_pieces(context)]
    mentioned_ids = {id(event) for piece in pieces for event in piece.events}
    return EventSummary(
        tuple(piece.words for piece in pieces if piece.words),
        tuple(event for event in remaining if id(event) not in mentioned_ids),
    )


class _Piece(NamedTuple):
    words: str
    """May be empty: then the events are left out."""
    events: Sequence[Event]
    """The events that it covers."""


class _Context(NamedTuple):
    """The input of the functions that make pieces."""

    speech: Speech
    events: Sequence[Event]
    alone: bool
    """Whether no answer mentions the events."""
    company: str | None
    """The company in turn."""
    by: str

    @property
    def players(self) -> tuple[str, ...]:
        return self.speech.naming.table.state.players

    def who(self, account: str) -> str:
        return self.speech.naming.who(account)


def _single_pieces(context: _Context) -> Iterator[_Piece]:
    """A piece for each event that has a short text of its own, or that is highlighted."""
    speech = context.speech
    for event in context.events:
        if (text := speech.words.summaries.get(type(event))) is not None:
            yield _Piece(event_in_words(text, event, speech.later), (event,))
        elif event.is_highlighted and not isinstance(event, records.TrainMoved):
            yield _Piece(speech.tell(event), (event,))


def _tile_pieces(context: _Context) -> Iterator[_Piece]:
    """Tiles that no answer mentions."""
    laid = [event for event in context.events if isinstance(event, records.TileLaid)]
    if len(laid) > MOST_TILES:
        yield _Piece(f"{len(laid)} tiles are laid", ())
        return
    for event in laid:
        whose = "" if context.alone and event.company == context.company else f"{context.who(event.company)} "
        yield _Piece(f"{whose}lays {event.tile} {context.speech.later.at(event.hex)}", (event,))


def _money_pieces(context: _Context) -> Iterator[_Piece]:
    """Changes of the players' cash."""
    paid = [event for event in context.events if isinstance(event, records.Paid)]
    of_players = [event for event in paid if event.source in context.players or event.target in context.players]
    changes: Counter[str] = Counter()
    for event in of_players:
        changes[event.target] += event.amount
        changes[event.source] -= event.amount
    texts = [
        f"{context.who(who)} {_signed(amount)}" for who, amount in changes.items() if amount and who in context.players
    ]
    yield _Piece(", ".join(texts), of_players)


def _share_pieces(context: _Context) -> Iterator[_Piece]:
    """Changes of the players' holdings; exchanged certificates of a new director cancel out."""
    moved = [event for event in context.events if isinstance(event, records.CertificateMoved)]
    of_players = [event for event in moved if event.source in context.players or event.target in context.players]
    changes: Counter[tuple[str, str]] = Counter()
    for event in of_players:
        changes[event.target, event.company] += event.percent
        changes[event.source, event.company] -= event.percent
    yield _Piece("", of_players)
    for (who, company), percent in changes.items():
        if percent and who in context.players and (context.alone or who != context.by):
            yield _Piece(f"{context.who(who)} {_signed(percent)}% of {context.who(company)}", ())


def _price_pieces(context: _Context) -> Iterator[_Piece]:
    """Changes of share prices; the company in turn is not named."""
    moves: dict[str, list[records.PriceMoved]] = {}
    for event in context.events:
        if isinstance(event, records.PriceMoved):
            moves.setdefault(event.company, []).append(event)
    for company, moved in moves.items():
        before, after = moved[0].before, moved[-1].after
        whose = "price" if company == context.company else context.who(company)
        yield _Piece(f"{whose} {before} → {after}" if before else "", moved)


def _train_pieces(context: _Context) -> Iterator[_Piece]:
    """Trains that companies lost, or received automatically."""
    lost: dict[str, list[records.TrainMoved]] = {}
    got: dict[str, list[records.TrainMoved]] = {}
    for event in context.events:
        if not isinstance(event, records.TrainMoved):
            continue
        if event.target in ("scrap", "pool") and event.source not in records.PLACES:
            lost.setdefault(event.source, []).append(event)
        elif event.source in ("stack", "pool") and event.target not in records.PLACES:
            got.setdefault(event.target, []).append(event)
        elif event.target == "abroad":
            yield _Piece(context.speech.tell(event), (event,))
    for verb, trains in (("loses", lost), ("gets", got)):
        for who, moved in trains.items():
            whose = "" if context.alone and who == context.company else f"{context.who(who)} "
            yield _Piece(f"{whose}{verb} {_count_trains(moved)}", moved)


def _count_trains(moved: Sequence[records.TrainMoved]) -> str:
    faces = Counter(f"{event.face}-train" if event.face else "train" for event in moved)
    plurals = {face: f"{NUMBERS.get(number, number)} {face}s" for face, number in faces.items() if number > 1}
    return join_words([plurals.get(face) or with_article(f"a {face}") for face in faces])


def _signed(amount: int) -> str:
    return f"{amount:+}".replace("-", "−")
