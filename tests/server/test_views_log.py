"""The log of a game as a page shows it."""

from __future__ import annotations

import msgspec
import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.text.speech import Speech
from ostbahn.views.log import LogLines, filtered_lines, first_since
from ostbahn.views.models import LogLine
from tests.server.sample_games import NAMES, SAMPLES, sample
from tests.text.positions import INNER_ID

TOPICS = ("track", "stations", "trains", "shares", "money", "prices")


def log_views(game: Game, first: int = 0) -> tuple[LogLine, ...]:
    """The lines from one number on."""
    teller = LogLines(game)
    return tuple(teller.line(number) for number in range(first, len(game) + 1))


@pytest.fixture(params=SAMPLES, ids=lambda chosen: "-".join(map(str, chosen)))
def game(request: pytest.FixtureRequest) -> Game:
    return sample(*request.param)


def test_every_answer_has_a_line_and_every_event_its_words(game: Game) -> None:
    lines = log_views(game)
    assert [line.number for line in lines] == list(range(len(game) + 1))
    for line, record in zip(lines[1:], game.records, strict=True):
        speech = Speech(game.position(line.number - 1), game.position(line.number))
        assert (line.by, line.words) == (record.by, speech.did(record))
        assert [event.text for event in line.events] == [speech.tell(event) for event in record.events]
    data = msgspec.json.encode(lines)
    assert msgspec.json.decode(data, type=tuple[LogLine, ...]) == lines


def test_nobody_reads_what_only_the_engine_calls_something(game: Game) -> None:
    """Neither cities like E21.0 nor cards like a2; a11 is a hex of the map for two."""
    hexes = set(game.table.title.map.hexes)
    for line in log_views(game):
        for text in (line.words, line.brief, *(part.brief for part in line.after), *(e.text for e in line.events)):
            assert set(INNER_ID.findall(text)) <= hexes, text
            assert "{" not in text


def test_every_event_is_told_somewhere(game: Game) -> None:
    """By the answer, in short, or folded; the sum of money that everybody gets is what they get."""
    for line in log_views(game, 1):
        assert line.words
        assert not any(event.folded for event in line.events if event.kind in ("turn_began", "round_began"))
        assert line.brief == "".join(part.text for part in line.brief_parts)
        assert line.words == "".join(part.text for part in line.parts)


def test_the_round_that_begins_is_a_heading(game: Game) -> None:
    rounds = [part.words for line in log_views(game) for part in line.after if part.kind == "round"]
    began = [event.text for line in log_views(game, 1) for event in line.events if event.kind == "round_began"]
    assert [f"{words} begins" for words in rounds] == began
    assert rounds


def test_an_answer_to_an_offer_is_given_for_oneself(game: Game) -> None:
    replies = [line for line in log_views(game) if line.kind in ("accept", "decline")]
    assert all(line.company is None and line.mark is None for line in replies)


def test_a_line_belongs_to_the_company_that_was_asked(game: Game) -> None:
    for line in log_views(game, 1)[::17]:
        company = game.position(line.number - 1).ask().company
        assert line.company == (None if line.kind in ("accept", "decline") else company)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_found_from_the_end(game: Game, topic: str) -> None:
    wanted = [line for line in reversed(log_views(game)) if topic in line.topics]
    assert filtered_lines(game, kind=topic, limit=len(game) + 1) == tuple(wanted)
    assert filtered_lines(game, kind=topic, limit=3) == tuple(wanted[:3])
    if len(wanted) > 3:
        assert filtered_lines(game, kind=topic, limit=2, before=wanted[0].number) == tuple(wanted[1:3])


def test_a_seat_is_found_where_it_answers_or_is_named(game: Game) -> None:
    lines = log_views(game)
    wanted = [line for line in lines if line.by == "p1" or any("p1" in event.seats for event in line.events)]
    assert filtered_lines(game, seat="p1", limit=len(lines)) == tuple(reversed(wanted))
    assert 0 < len(wanted) < len(lines)


def test_a_company_is_found_where_it_acts_or_is_named(game: Game) -> None:
    lines = log_views(game)
    company = next(line.company for line in reversed(lines) if line.company)
    found = filtered_lines(game, company=company, limit=len(lines))
    must = [
        line.number
        for line in lines
        if line.company == company or any(company in event.companies for event in line.events)
    ]
    assert set(must) <= {line.number for line in found}
    for line in found:
        assert line.number in must or company in line.words


def test_what_a_seat_has_not_seen_begins_after_its_last_answer(game: Game) -> None:
    for seat in game.state.players:
        first = first_since(game, seat)
        own = [number for number, (by, _) in enumerate(game.actions(), start=1) if by == seat]
        assert first == (own[-1] + 1 if own else 0)
    assert first_since(game, game.records[-1].by) == len(game) + 1


def test_who_has_answered_nothing_has_seen_nothing() -> None:
    assert first_since(new_game("18CZ", NAMES[:3]), "p1") == 0


def test_phases_and_scrapped_trains_are_grave_and_payments_are_not(game: Game) -> None:
    events = [event for line in log_views(game) for event in line.events]
    assert all(event.grave for event in events if event.kind in ("phase_began", "director_changed"))
    assert all(event.grave for event in events if event.kind == "train_moved" and "is scrapped" in event.text)
    assert not any(event.grave for event in events if event.kind in ("paid", "tile_laid"))
