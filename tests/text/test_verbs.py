"""Verbs in the past tense."""

from __future__ import annotations

import pytest

from ostbahn.text.formatting import in_past_tense, sentence_case
from ostbahn.titles.cz.words.words import WORDS as CZ
from ostbahn.titles.mag.words.words import WORDS as MAG


@pytest.mark.parametrize(
    ("to_do", "done"),
    [
        ("buy a share", "bought a share"),
        ("lay no more track", "laid no more track"),
        ("place a station", "placed a station"),
        ("pass", "passed"),
        ("carry it", "carried it"),
        ("play on", "played on"),
        ("scrap a train", "scrapped a train"),
    ],
)
def test_what_was_done(to_do: str, done: str) -> None:
    assert in_past_tense(to_do) == done


def test_every_answer_begins_with_a_verb() -> None:
    texts = [text for words in (CZ, MAG) for text in words.actions.values() if isinstance(text, str)]
    passes = [passing for words in (CZ, MAG) for passing in words.passing.values()]
    texts += [text for passing in passes for text in (passing.words, passing.more) if text]
    known = (
        "accept bid build buy decline give keep lay pass pay place put repay run scrap sell start take turn withhold"
    )
    assert {text.split()[0] for text in texts} <= set(known.split())


def test_a_button_begins_with_a_capital() -> None:
    assert sentence_case("lay no track") == "Lay no track"
    assert sentence_case("") == ""
