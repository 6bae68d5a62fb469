"""What lies ahead of all companies: which trains are sold and live, how many one may have, and what money becomes.

Cards in the base game: 5 a, then 4 of each letter from b to g, 2 h and 2 i, and any number of j. The first e-card is
the 18th, and a train on it scraps all 2-trains.
"""

from __future__ import annotations

import pytest
from msgspec import structs

from ostbahn.kits.catalogue import rulebook
from ostbahn.titles.cz.opponents.calendar import (
    RoundForecast,
    cards_gone_when_scrapped,
    cash_by_round,
    round_forecast_of,
    rounds_before_box,
    usual_pace,
)
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_weights
from ostbahn.titles.cz.title import CzTitle, cz_title

FIRST_OF_B, FIRST_OF_D, FIRST_OF_E = 5, 13, 17
"""Cards that have gone when the first one of a letter lies on top."""


def weights(**future: object) -> CzWeights:
    """With numbers of one's own for what is to come; otherwise two cards of a kind go before it scraps others."""
    return structs.replace(cz_weights(), future=structs.replace(cz_weights().future, **{"grace": 2, **future}))


def variant(name: str, players: int) -> CzTitle:
    title = rulebook("18CZ", name, players).title
    assert isinstance(title, CzTitle)
    return title


def ahead(
    *gone: int,
    cards_gone: int = 0,
    phase: str = "a",
    scrapped: tuple[str, ...] = (),
    title: CzTitle | None = None,
    by: CzWeights | None = None,
) -> RoundForecast:
    """With so many cards gone at the beginning of each Operating Round."""
    return round_forecast_of(title or cz_title(), by or weights(), gone, cards_gone, phase, scrapped)


def sold(found: RoundForecast, size: str, number: int = 0) -> list[tuple[str, int]]:
    return list(found.for_sale(number, size))


# Trains that are sold


def test_what_is_sold_goes_by_the_card_on_top() -> None:
    found = ahead(FIRST_OF_B - 1, FIRST_OF_B, FIRST_OF_E, 400)
    assert [found.letter_at(number) for number in range(4)] == ["a", "b", "e", "j"]
    assert sold(found, "small", 0) == sold(found, "small", 1) == [("2", 70)]
    assert sold(found, "small", 2) == [("4", 250)]
    assert sold(found, "small", 3) == [("5", 350)]


def test_each_size_has_its_own_faces_on_a_card() -> None:
    found = ahead(FIRST_OF_D)
    assert [sold(found, size) for size in ("small", "medium", "large")] == [[("3", 120)], [("3+3", 180)], [("3E", 250)]]
    assert sold(ahead(0), "medium") == []


def test_before_the_first_round_it_is_as_in_the_first_and_after_the_last_as_in_the_last() -> None:
    found = ahead(FIRST_OF_B, FIRST_OF_E)
    assert (found.gone_at(-1), found.gone_at(2), found.gone_at(99)) == (FIRST_OF_B, FIRST_OF_E, FIRST_OF_E)


def test_faces_that_are_out_of_the_game_are_neither_sold_nor_do_they_run() -> None:
    """Asked in turn with and without: neither answer is taken for the other."""
    for _ in range(2):
        without, before = ahead(FIRST_OF_E, scrapped=("3E",)), ahead(FIRST_OF_E)
        assert (sold(without, "large"), sold(before, "large")) == ([], [("3E", 250)])
        assert (without.lives("3E", 0), before.lives("3E", 0)) == (False, True)


# How long they live


def test_trains_live_until_enough_cards_of_the_kind_have_gone_that_scraps_them() -> None:
    gone = range(FIRST_OF_E, FIRST_OF_E + 5)
    lives = {grace: [ahead(*gone, by=weights(grace=grace)).lives("2", each) for each in range(5)] for grace in (2, 3)}
    assert lives == {2: [True, True, False, False, False], 3: [True, True, True, False, False]}


def test_there_is_no_waiting_for_more_cards_of_a_kind_than_there_are() -> None:
    """Of e-cards there are four."""
    scrapped_after = cards_gone_when_scrapped(cz_title(), weights(grace=100))
    assert scrapped_after["2"] == FIRST_OF_E + 4
    assert "8E" not in scrapped_after


def test_the_first_card_that_scraps_a_face_counts() -> None:
    """3E-trains go with 6E-trains, long before the first 8E-train, which scraps them as well."""
    first_of_i = len([card for card in map(cz_title().stack.card, range(60)) if card[0] < "i"])
    assert cards_gone_when_scrapped(cz_title(), weights(grace=1))["3E"] == first_of_i + 1


def test_trains_that_run_now_live_until_one_more_card_goes() -> None:
    late = FIRST_OF_E + 8
    found = ahead(late, late + 1, cards_gone=late)
    assert [found.lives("2", number) for number in (0, 1)] == [True, False]
    assert not ahead(late, late + 1, cards_gone=0).lives("2", 0)


def test_trains_that_nothing_scraps_live_for_ever() -> None:
    assert ahead(10_000).lives("8E", 0)


# How many one may have


def test_the_limit_goes_by_the_last_card_that_has_gone() -> None:
    """From e on small companies may have two."""
    found = ahead(0, FIRST_OF_E, FIRST_OF_E + 1)
    assert [found.limit_at(number, "small") for number in range(3)] == [3, 3, 2]
    assert [found.limit_at(number, "large") for number in range(3)] == [0, 3, 3]


def test_the_limit_never_belongs_to_an_earlier_phase_than_the_present_one() -> None:
    assert [ahead(0, phase=phase).limit_at(0, "small") for phase in ("a", "h", "e", "a")] == [3, 1, 2, 3]


# The process track


@pytest.mark.parametrize(
    ("box", "operating", "stock"), [(0, 0, 0), (1, 0, 1), (2, 1, 1), (3, 1, 1), (14, 5, 5), (15, 6, 5), (28, 13, 8)]
)
def test_rounds_behind_are_counted_up_to_the_next_box(box: int, operating: int, stock: int) -> None:
    assert cz_title().boxes[:4] == ("SR", 40, "export", "SR")
    assert rounds_before_box(cz_title(), box) == (operating, stock)


def test_variants_with_fewer_rounds_begin_later_in_the_usual_pace() -> None:
    """Moravia-Silesia has eleven Operating Rounds where the base game has thirteen."""
    by = weights(pace=tuple(range(13)))
    assert usual_pace(cz_title(), by) == tuple(range(13))
    assert usual_pace(variant("moravia", 3), by) == tuple(range(2, 13))


def test_money_becomes_less_with_every_stock_round_and_is_itself_after_the_last() -> None:
    """The base game has eight Stock Rounds, Moravia-Silesia six, each before one to three Operating Rounds."""
    by = weights(cash=tuple(float(number) for number in range(9, 0, -1)))
    assert cash_by_round(cz_title(), by) == (8, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1)
    assert cash_by_round(variant("moravia", 3), by) == (6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1)
    assert [ahead(0, by=by).cash_after(number) for number in (0, 12, 50)] == [8, 1, 1]


# What is kept is not mixed up


def test_several_titles_in_one_process_keep_their_own_cards() -> None:
    """With five cards gone: in the base game the first b-card, in Moravia-Silesia one for three or for two players."""
    base, three, two = cz_title(), variant("moravia", 3), variant("moravia", 2)
    for _ in range(2):
        assert [ahead(5, title=title).letter_at(0) for title in (base, three, two)] == ["b", "a", "d"]
        assert [ahead(5, title=title).limit_at(0, "large") for title in (base, three, two)] == [0, 4, 4]
    assert sold(ahead(5, title=two), "large") == [("3", 120)]


def test_weights_that_differ_are_told_apart_even_if_their_hash_does_not() -> None:
    ones = weights()
    others = structs.replace(ones, trains=structs.replace(ones.trains, payback=ones.trains.payback + 1))
    assert hash(ones) == hash(others)
    for by in (ones, others, ones):
        assert ahead(0, by=by).weights == by


def test_what_is_the_same_ahead_is_the_same_object_so_that_more_can_be_kept_with_it() -> None:
    assert ahead(1, 2, by=weights(grace=1)) is ahead(1, 2, by=weights(grace=1))
    assert ahead(1, 2) is not ahead(1, 3)
