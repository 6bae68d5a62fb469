"""The log: a line for every answer and its events, with links to the hexes and companies that its text mentions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Record, RoundBegan, Topic, TurnBegan
from ostbahn.kernel.title import Title
from ostbahn.text.speech import Speech, text_renderer_of
from ostbahn.text.summary import EventGroup, EventSummary, group_events, summarise
from ostbahn.views.catalogue import module_names
from ostbahn.views.common import mark_view
from ostbahn.views.models import LogEvent, LogLine, LogSection, SectionKind, TextPart
from ostbahn.views.title_views import first_field

SHORT: Final = 4
"""The longest name that may be an ordinary word at the beginning of a sentence."""
BEGINNING: Final = re.compile(r"(?:^|[.!?…:]\s+|\n\s*)$")


class MentionTarget(NamedTuple):
    """The hex or company that a name stands for; neither for a player."""

    hex: str | None = None
    company: str | None = None


class Vocabulary(NamedTuple):
    names: Mapping[str, MentionTarget]
    pattern: re.Pattern[str]


class MentionFinder:
    """Finds names of hexes and companies in texts about one game."""

    def __init__(self, game: Game) -> None:
        self._table, names = game.table, text_renderer_of(game).names()
        title = self._table.title
        companies = tuple((names.get(company, company), company) for company in title.charters)
        self._exact, self._unaccented = _vocabularies(title, companies, self._table.players)

    def parts(self, text: str) -> tuple[TextPart, ...]:
        """Split a generated text at the places and companies in it."""
        return tuple(self._split(text, self._exact.pattern.finditer(text), self._exact))

    def mentions_in_chat(self, text: str) -> tuple[TextPart, ...]:
        """Split a chat message; it may lack accents, and begin sentences with capitals."""
        plain = _without_accents(text)
        matches = (match for match in self._unaccented.pattern.finditer(plain) if not _may_be_a_word(plain, match))
        return tuple(self._split(text, matches, self._unaccented))

    def _split(self, text: str, matches: Iterator[re.Match[str]], vocabulary: Vocabulary) -> Iterator[TextPart]:
        end = 0
        for match in matches:
            target = vocabulary.names[match[0]]
            if target == MentionTarget():  # a player
                continue
            if match.start() > end:
                yield TextPart(text=text[end : match.start()])
            end = match.end()
            mark = mark_view(self._table, target.company) if target.company is not None else None
            yield TextPart(text=text[match.start() : end], hex=target.hex, company=target.company, mark=mark)
        if end < len(text):
            yield TextPart(text=text[end:])


@lru_cache(maxsize=256)
def _vocabularies(
    title: Title, companies: tuple[tuple[str, str], ...], people: tuple[str, ...]
) -> tuple[Vocabulary, Vocabulary]:
    """The names of hexes, companies and players on a table, exact and without accents."""
    names = {hex_.id: MentionTarget(hex=hex_.id) for hex_ in title.map}
    for hex_ in title.map:
        printed = hex_.printed
        name = printed.name or hex_.id
        names |= dict.fromkeys((name, *printed.city_names, *name.split(" & ")), MentionTarget(hex=hex_.id))
    names |= {name: MentionTarget(company=company) for name, company in companies}
    names |= {title.companies[company].name: MentionTarget(company=company) for company in title.companies}
    names |= dict.fromkeys(filter(None, people), MentionTarget())
    return _compile(names), _compile({_without_accents(name): target for name, target in names.items()})


def _compile(names: Mapping[str, MentionTarget]) -> Vocabulary:
    """Make a pattern for whole words; longer names match first."""
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return Vocabulary(names, re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)"))


def _without_accents(text: str) -> str:
    """Remove accents letter by letter, so that positions in the text stay the same."""
    return "".join(unicodedata.normalize("NFKD", letter)[0] for letter in text)


def _may_be_a_word(text: str, match: re.Match[str]) -> bool:
    """Whether a short name at the beginning of a sentence may be an ordinary word; all capitals are a name."""
    name = match[0]
    looks_like_a_word = len(name) <= SHORT and name.isalpha() and name.istitle()
    return looks_like_a_word and BEGINNING.search(text[: match.start()]) is not None


SEPARATOR: Final = " · "
"""Stands between the pieces of a summary."""


class LogLines:
    """Makes the lines of the log of one game."""

    def __init__(self, game: Game) -> None:
        self._game, self._records = game, game.records
        self._names = text_renderer_of(game).names()
        self._mentions = MentionFinder(game)
        self._table = game.table
        self._companies = frozenset(self._table.title.charters)
        self._seats = frozenset(self._table.state.players)

    def line(self, number: int) -> LogLine:
        """The line of an answer by its number; 0 is the set-up."""
        return self._opening_line() if number == 0 else self._answer_line(number, self._records[number - 1])

    def _opening_line(self) -> LogLine:
        start = self._game.position(0)
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

    def _answer_line(self, number: int, record: Record) -> LogLine:
        speech = Speech(self._game.position(number - 1), self._game.position(number))
        own, *later = group_events(record.events)
        short = summarise(speech, own, record.by, speech.mentioned_events(record))
        after = [(group, summarise(speech, group, record.by)) for group in later]
        folded = {id(event) for summary in (short, *(summary for _, summary in after)) for event in summary.rest}
        events = tuple(self._event(speech, event, folded=id(event) in folded) for event in record.events)
        company, words = speech.company(record), speech.did(record)
        brief = SEPARATOR.join(short.pieces)
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
            grave=any(event.is_highlighted for event in own.events),
            after=tuple(filter(None, (self._section(speech, group, summary) for group, summary in after))),
            events=events,
        )

    def _section(self, speech: Speech, group: EventGroup, summary: EventSummary) -> LogSection | None:
        """A round that began, or a turn with events before its first answer; None for a turn without."""
        brief, began = SEPARATOR.join(summary.pieces), group.began
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

    def concerns(self, number: int, seat: str | None, company: str | None, topic: str | None) -> bool:
        """Whether a line is about a seat, company and topic, decided without making the line."""
        events = self._game.opening if number == 0 else self._records[number - 1].events
        record = None if number == 0 else self._records[number - 1]
        if topic is not None and all(event.topic != topic for event in events):
            return False
        if seat is not None and not (record and record.by == seat) and not _is_party(events, seat):
            return False
        if company is None or _is_party(events, company):
            return True
        if record is None:
            return False
        deciding_company = getattr(self._game.state_at(number - 1).agenda[-1], "company", None)
        return company in (deciding_company, first_field(record.action, ("company", "major", "minor")))

    def _event(self, speech: Speech, event: Event, *, folded: bool) -> LogEvent:
        parties = tuple(dict.fromkeys(getattr(event, field) for field in event.parties if hasattr(event, field)))
        text = speech.tell(event)
        return LogEvent(
            kind=str(event.__struct_config__.tag),
            topic=event.topic,
            text=text,
            parts=self._mentions.parts(text),
            companies=tuple(name for name in parties if name in self._companies),
            seats=tuple(name for name in parties if name in self._seats),
            grave=event.is_highlighted,
            folded=folded and not isinstance(event, TurnBegan | RoundBegan),
        )


class RecentLogLines:
    """The last lines of a running game, each cached until its record is undone."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Record, LogLine]] = {}

    def last(self, game: Game, count: int) -> tuple[LogLine, ...]:
        log_lines, records = LogLines(game), game.records
        opening = (log_lines.line(0),) if len(game) < count else ()
        cached, self._lines = self._lines, {}
        for number in range(max(1, len(game) - count + 1), len(game) + 1):
            record = records[number - 1]
            cached_record, line = cached.get(number, (None, None))
            if line is None or cached_record is not record:
                line = log_lines.line(number)
            self._lines[number] = record, line
        return opening + tuple(line for _, line in self._lines.values())


def filtered_lines(
    game: Game,
    *,
    seat: str | None = None,
    company: str | None = None,
    kind: str | None = None,
    limit: int = 50,
    before: int | None = None,
    also: Container[int] = (),
) -> tuple[LogLine, ...]:
    """The latest lines about a seat, company or topic, latest first.

    kind: a topic, such as `track` or `money`.
    before: only lines with lower numbers, to continue a list.
    also: numbers of lines to include in any case.
    """
    lines = LogLines(game)
    newest = len(game) if before is None else before - 1
    numbers = (n for n in range(newest, -1, -1) if n in also or lines.concerns(n, seat, company, kind))
    return tuple(lines.line(number) for number in islice(numbers, limit))


def first_since(game: Game, seat: str) -> int:
    """The number after a seat's last answer, from which everything is new to it; 0 if it has never answered."""
    records = game.records
    return next((number + 1 for number in range(len(records), 0, -1) if records[number - 1].by == seat), 0)


def _topics(events: tuple[LogEvent, ...]) -> tuple[Topic, ...]:
    return tuple(dict.fromkeys(event.topic for event in events))


def _is_party(events: tuple[Event, ...], name: str) -> bool:
    """Whether a seat or company is a party of any of the events."""
    return any(getattr(event, field, None) == name for event in events for field in event.parties)
