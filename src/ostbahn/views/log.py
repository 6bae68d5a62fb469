"""The log: every answer and what came of it. Names are those of today's table, so no earlier state is worked out."""

from __future__ import annotations

from collections.abc import Container

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Record, Topic
from ostbahn.telling.faces import face_of
from ostbahn.telling.words import Names, Words
from ostbahn.views.models import LogEvent, LogLine


class Teller:
    """Tells the records of one game."""

    def __init__(self, game: Game, names: Names | None = None) -> None:
        face = face_of(game)
        self._game, self._records = game, game.records
        self._words: Words = face.words
        self._names: Names = face.names() if names is None else {**face.names(), **names}
        table = game.table
        self._companies = frozenset(table.title.charters)
        self._seats = frozenset(table.state.players)

    def line(self, number: int) -> LogLine:
        """The answer of a number; 0 is what happened before the first one."""
        if number == 0:
            events = tuple(self._event(event) for event in self._game.opening)
            return LogLine(
                number=0,
                by="",
                by_name="",
                company=None,
                kind="opening",
                topics=_topics(events),
                words="the game is set up",
                events=events,
            )
        record = self._records[number - 1]
        events = tuple(self._event(event) for event in record.events)
        return LogLine(
            number=number,
            by=record.by,
            by_name=self._names.get(record.by, record.by),
            company=self.company(number),
            kind=str(record.action.__struct_config__.tag),
            topics=_topics(events),
            words=self._words.describe(record.action),
            events=events,
        )

    def company(self, number: int) -> str | None:
        """For which company an answer was given: that of the task that it answered."""
        return getattr(self._game.at(number - 1).state.agenda[-1], "company", None)

    def concerns(self, number: int, seat: str | None, company: str | None, topic: str | None) -> bool:
        """Whether a line is about somebody and something, found out without telling it."""
        events = self._game.opening if number == 0 else self._records[number - 1].events
        record = None if number == 0 else self._records[number - 1]
        if topic is not None and all(event.topic != topic for event in events):
            return False
        if seat is not None and not (record and record.by == seat) and not _named(events, seat):
            return False
        return company is None or _named(events, company) or (record is not None and self._by(number, record, company))

    def _by(self, number: int, record: Record, company: str) -> bool:
        """Whether an answer was given for a company, or names it."""
        return _subject(record) == company or self.company(number) == company

    def _event(self, event: Event) -> LogEvent:
        named = tuple(dict.fromkeys(getattr(event, field) for field in event.parties if hasattr(event, field)))
        return LogEvent(
            kind=str(event.__struct_config__.tag),
            topic=event.topic,
            text=self._words.tell(event, self._names),
            companies=tuple(name for name in named if name in self._companies),
            seats=tuple(name for name in named if name in self._seats),
            grave=event.momentous,
        )


class Told:
    """The last lines of a game that goes on: a line is told once, and stays as long as its record does."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Record, LogLine]] = {}

    def last(self, game: Game, count: int) -> tuple[LogLine, ...]:
        teller, records = Teller(game), game.records
        opening = (teller.line(0),) if len(game) < count else ()
        before, self._lines = self._lines, {}
        for number in range(max(1, len(game) - count + 1), len(game) + 1):
            record = records[number - 1]
            told, line = before.get(number, (None, None))
            self._lines[number] = record, line if line is not None and told is record else teller.line(number)
        return opening + tuple(line for _, line in self._lines.values())


def filtered(
    game: Game,
    *,
    seat: str | None = None,
    company: str | None = None,
    kind: str | None = None,
    limit: int = 50,
    before: int | None = None,
    names: Names | None = None,
    also: Container[int] = (),
) -> tuple[LogLine, ...]:
    """The last lines about somebody or something, latest first; `before` goes on where a list ended.

    kind: one of the topics, such as `track` or `money`.
    also: numbers of lines to take in for another reason.
    """
    teller = Teller(game, names)
    newest = len(game) if before is None else before - 1
    numbers = (
        number for number in range(newest, -1, -1) if number in also or teller.concerns(number, seat, company, kind)
    )
    return tuple(teller.line(number) for number, _ in zip(numbers, range(limit), strict=False))


def first_since(game: Game, seat: str) -> int:
    """The number after a seat's last answer: what it has not seen begins there; 0 if it has answered nothing."""
    records = game.records
    return next((number + 1 for number in range(len(records), 0, -1) if records[number - 1].by == seat), 0)


def _topics(events: tuple[LogEvent, ...]) -> tuple[Topic, ...]:
    return tuple(dict.fromkeys(event.topic for event in events))


def _named(events: tuple[Event, ...], name: str) -> bool:
    return any(getattr(event, field, None) == name for event in events for field in event.parties)


def _subject(record: Record) -> str | None:
    """The company that an answer names."""
    action = record.action
    for field in ("company", "major", "minor"):
        if (found := getattr(action, field, None)) is not None:
            return str(found)
    return None
