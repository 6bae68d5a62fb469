"""Rules, rulings and readings, found by those who show them."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import BadSetup
from ostbahn.text.rules import book_named, find_open, find_rules, presets_with, title_named


def test_titles_however_they_are_written() -> None:
    assert title_named("18cz") == "18CZ"
    assert book_named("18MAG").name == "18Mag"
    with pytest.raises(BadSetup, match="there is no 1830"):
        book_named("1830")


def test_an_id_finds_one_rule_a_chapter_all_of_its_rules_and_words_those_that_speak_of_them() -> None:
    book = book_named("18CZ")
    assert [rule.id for rule in find_rules(book, ["18CZ viii.6/5"])] == ["VIII.6/5"]
    chapter = [rule.id for rule in find_rules(book, ["VIII.6"])]
    assert len(chapter) > 1
    assert all(id_.startswith("VIII.6/") for id_ in chapter)
    assert (
        {rule.id for rule in find_rules(book, ["prerov"])}
        == {rule.id for rule in find_rules(book, ["Přerov"])}
        != set()
    )


def test_a_single_rule_brings_the_rulings_on_it() -> None:
    book = book_named("18CZ")
    (rule,) = find_rules(book, ["VIII.6/5"])
    assert [ruling.id for ruling in find_open(book, book.all_rulings, ["VIII.6/5"], [rule])] == [
        "marker_price_after_acquisition"
    ]


def test_an_ambiguity_brings_its_rules_and_what_was_decided_on_it() -> None:
    book = book_named("18CZ")
    rules = list(find_rules(book, ["A10"]))
    assert [rule.id for rule in rules] == ["III.3/6", "VIII.13/1"]
    assert [reading.id for reading in find_open(book, book.readings.values(), ["A10"], rules)] == ["A10"]
    assert find_open(book, book.all_rulings, ["A10"], rules) == []
    assert [ruling.id for ruling in find_open(book, book.all_rulings, ["A55"], [])] == ["vaclav_runs"], "of a variant"
    assert find_open(book, book.readings.values(), ["A55"], []) == []


def test_readings_are_found_by_rule_and_by_words() -> None:
    book = book_named("18CZ")
    (rule,) = find_rules(book, ["VIII.12/22"])
    assert [reading.id for reading in find_open(book, book.readings.values(), ["VIII.12/22"], [rule])] == ["A36"]
    assert [reading.id for reading in find_open(book, book.readings.values(), ["garbled"], [])] == []
    mag = book_named("18Mag")
    assert [reading.id for reading in find_open(mag, mag.readings.values(), ["garbled"], [])] == ["A37"]


def test_presets_are_named_at_the_values_that_they_choose() -> None:
    ruling = book_named("18CZ").rulings["praha_first_tile"]
    assert presets_with(ruling, "promotion") == ("rulebook",)
    assert presets_with(ruling, "yellow lay") == ("18xx.games",)
    assert presets_with(ruling, "neither") == ()
