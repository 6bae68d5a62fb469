"""Rules found by the words that players type."""

from __future__ import annotations

import pytest

from ostbahn.text.rules import book_named, find_rules, index_text, rank_texts, search_words, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("station", "stations"),
        ("lay", "lays", "laying", "laid"),
        ("scrap", "scraps", "scrapped", "scrapping"),
        ("company", "companies"),
        ("price", "prices", "priced", "pricing"),
        ("promote", "promoted", "promotion", "promotions"),
        ("buy", "buying", "bought"),
        ("pass", "passes", "passed", "passing"),
        ("run", "runs", "running", "ran"),
        ("sell", "selling", "sold"),
    ],
)
def test_all_forms_of_a_word_are_one(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1, [stem(form) for form in forms]


def test_other_words_stay_others() -> None:
    words = "mine minor train terrain state share short route round red rail gross grass bus bed ring"
    assert len({stem(word) for word in words.split()}) == len(words.split())


@pytest.mark.parametrize(
    ("title", "words", "first"),
    [
        ("18CZ", "station price", "VIII.6/5"),
        ("18CZ", "price of a station", "VIII.6/5"),
        ("18CZ", "How much do stations cost?", "VIII.6/5"),
        ("18CZ", "rivers cost", "VIII.4/17"),
        ("18CZ", "cost of mountains", "VIII.4/17"),
        ("18CZ", "director changes", "VII.5.b/"),
        ("18CZ", "president", "VII.5.b/"),
        ("18CZ", "selling shares", "VII.6/"),
        ("18CZ", "upgrading track", "VIII.5/"),
        ("18CZ", "taking over companies", "VIII.9/"),
        ("18CZ", "floating", "VII.3/11"),
        ("18CZ", "best revenue", "VIII.8/6"),
        ("18CZ", "limit of certificates", "VII.4/"),
        ("18CZ", "end of game", "X.1/"),
        ("18CZ", "buying a train of another company", "VIII.10/9"),
        ("18Mag", "scrapping trains", "VI.3.5/1"),
        ("18Mag", "certificate limits", "VII.3/"),
        ("18Mag", "sale of shares", "VII.4/"),
        ("18Mag", "upgrades", "VI.3.3/"),
        ("18Mag", "changing phase", "VI.3.9/"),
        ("18Mag", "mines", "VI.3.7/"),
        ("18Mag", "majors markers", "VI.4.2/"),
        ("18Mag", "no train sold", "VI.4.3/6"),
        ("18Mag", "game end", "IX.1/1"),
        ("18Mag", "director's share", "VII.6/2"),
        ("18Mag", "cost of terrain", "VI.3.2/12"),
        ("18Mag", "istvan buys shares", "XI.4/"),
    ],
)
def test_what_players_look_for_comes_first(title: str, words: str, first: str) -> None:
    found = [rule.id for rule in find_rules(book_named(title), words.split())]
    assert found[0].startswith(first), found[:5]


def test_the_order_of_words_does_not_matter() -> None:
    book = book_named("18CZ")
    one, other = (list(find_rules(book, words.split())) for words in ("price station", "the stations prices"))
    assert [rule.id for rule in one] == [rule.id for rule in other]


def test_the_beginning_of_a_word_is_enough() -> None:
    book = book_named("18CZ")
    assert {rule.id for rule in find_rules(book, ["emergen"])} <= {rule.id for rule in find_rules(book, ["emergency"])}
    assert list(find_rules(book, ["emergen"]))
    assert list(find_rules(book, ["xyzzy"])) == []


def test_idle_words_count_only_alone() -> None:
    assert search_words(["how", "much", "is", "a", "station"]) == ["station"]
    assert search_words(["what", "is", "it"]) == ["what", "is", "it"]
    assert search_words([]) == []


def test_who_speaks_of_all_words_comes_before_who_speaks_of_one_often() -> None:
    texts = [index_text("", "red red red red"), index_text("", "a blue line"), index_text("", "red and blue")]
    assert rank_texts(texts, ["blue", "red"], [1, 1, 1])[0] == 2
    assert rank_texts(texts, [], [1, 1, 1]) == [0, 1, 2]
    assert rank_texts([], ["blue"], []) == []
