"""The log: every answer and what came of it, in a line each. Seats are called as they are called today."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Record, RoundBegan, Topic, TurnBegan
from ostbahn.text.faces import face_of
from ostbahn.text.gist import Gist, Stretch, gist, stretches
from ostbahn.text.naming import Names
from ostbahn.text.speech import Speech
from ostbahn.views.common import mark_view
from ostbahn.views.mentions import Mentions
from ostbahn.views.models import LogEvent, LogLine, LogSection, SectionKind
from ostbahn.views.setup import module_names

BESIDE: Final = " · "
"""Between the pieces of what came of an answer."""


class Teller:
    """Tells the records of one game."""

    def __init__(self, game: Game, names: Names | None = None) -> None:
        self._game, self._records = game, game.records
        self._called = names
        self._names: Names = {**face_of(game).names(), **(names or {})}
        self._mentions = Mentions(game)
        self._table = game.table
        self._companies = frozenset(self._table.title.charters)
        self._seats = frozenset(self._table.state.players)

    def line(self, number: int) -> LogLine:
        """The answer of a number; 0 is what happened before the first one."""
        return self._opening() if number == 0 else self._answer(number, self._records[number - 1])

    def _opening(self) -> LogLine:
        start = self._game.at(0)
        events = tuple(self._event(Speech(start), event, folded=True) for event in self._game.opening)
        setup = self._game.setup
        modules = ", ".join(module_names(setup.title, setup.variant, setup.modules)).lower()
        words = f"the game is set up with {modules}" if modules else "the game is set up"
        return LogLine(
            number=0,
            by="",
            by_name="",
            company=None,
            kind="opening",
            topics=_topics(events),
            words=words,
            parts=self._mentions.parts(words),
            brief="",
            brief_parts=(),
            grave=False,
            after=(),
            events=events,
        )

    def _answer(self, number: int, record: Record) -> LogLine:
        speech = Speech(self._game.at(number - 1), self._game.at(number), self._called)
        own, *later = stretches(record.events)
        short = gist(speech, own, record.by, speech.told(record))
        after = [(stretch, gist(speech, stretch, record.by)) for stretch in later]
        folded = {id(event) for found in (short, *(found for _, found in after)) for event in found.rest}
        events = tuple(self._event(speech, event, folded=id(event) in folded) for event in record.events)
        company, words = speech.company(record), speech.did(record)
        brief = BESIDE.join(short.pieces)
        return LogLine(
            number=number,
            by=record.by,
            by_name=self._names.get(record.by, record.by),
            company=company,
            company_name=speech.naming.who(company) if company is not None else "",
            mark=mark_view(self._table, company) if company in self._companies else None,
            kind=str(record.action.__struct_config__.tag),
            topics=_topics(events),
            words=words,
            parts=self._mentions.parts(words),
            brief=brief,
            brief_parts=self._mentions.parts(brief),
            grave=any(event.momentous for event in own.events),
            after=tuple(filter(None, (self._section(speech, stretch, found) for stretch, found in after))),
            events=events,
        )

    def _section(self, speech: Speech, stretch: Stretch, found: Gist) -> LogSection | None:
        """A round that began, or a turn in which something happened by itself."""
        brief, began = BESIDE.join(found.pieces), stretch.began
        company: str | None = getattr(began, "company", None)
        if company is not None and not brief:
            return None
        if isinstance(began, RoundBegan):
            words = speech.words.round_name(began.round)
        else:
            words = "The game is over" if company is None else speech.naming.who(company)
        kind: SectionKind = "turn" if company is not None else "round" if isinstance(began, RoundBegan) else "end"
        return LogSection(
            kind=kind,
            company=company,
            mark=mark_view(self._table, company) if company is not None else None,
            words=words,
            brief=brief,
            brief_parts=self._mentions.parts(brief),
        )

    def company(self, number: int) -> str | None:
        """For which company a question was asked."""
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

    def _event(self, speech: Speech, event: Event, *, folded: bool) -> LogEvent:
        named = tuple(dict.fromkeys(getattr(event, field) for field in event.parties if hasattr(event, field)))
        text = speech.tell(event)
        return LogEvent(
            kind=str(event.__struct_config__.tag),
            topic=event.topic,
            text=text,
            parts=self._mentions.parts(text),
            companies=tuple(name for name in named if name in self._companies),
            seats=tuple(name for name in named if name in self._seats),
            grave=event.momentous,
            folded=folded and not isinstance(event, TurnBegan | RoundBegan),
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
