"""Many games at once: what is counted, and for whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.interop import files
from ostbahn.review.explore import SeatFacts, facts_of, groups, of_openings, of_seats, rates, timings

GOLDEN = Path(__file__).parents[1] / "golden"


def test_facts_of_a_game_are_those_of_its_log() -> None:
    """18Mag for three: each drafts four minors and two shares; the story in the golden game says who took what."""
    facts = facts_of(files.open_game(GOLDEN / "18Mag-base-3.json"))
    assert [seat.place for seat in facts.seats] == [1, 2, 3]
    assert sum(seat.won for seat in facts.seats) == 1
    assert sum(seat.part for seat in facts.seats) == pytest.approx(3)
    minors = [what for seat in facts.seats for heading, what in seat.took if heading == "Drafted minors"]
    assert len(minors) == len(set(minors)) == 12
    assert all(sum(heading == "Drafted shares" for heading, _ in seat.took) == 2 for seat in facts.seats)
    assert facts.trains["2"] == 0, "minors begin with one"
    assert 0 < facts.trains["3"] <= facts.trains["4"] <= facts.trains["6"] <= facts.rounds
    assert list(facts.phases) == ["green", "brown", "grey"]


def test_start_prices_and_local_railways_are_those_of_18cz() -> None:
    game = files.open_game(GOLDEN / "18CZ-base-3.json")
    openings = of_openings([facts_of(game)])
    assert set(openings) == {"Local Railways", "Start prices"}
    started = {each.what for each in openings["Start prices"]}
    assert all(" at " in what for what in started)
    assert {what.partition(" ")[0] for what in started} <= set(game.table.title.companies)


def test_whoever_the_rules_play_has_no_seat_but_may_win() -> None:
    facts = facts_of(files.open_game(GOLDEN / "18Mag-solo-1-difficult-short.json"))
    assert len(facts.seats) == 1
    assert facts.fair == 0.5
    assert facts.seats[0].won == 0


def test_rates_are_counted_with_their_intervals() -> None:
    won, lost = SeatFacts(1, 1.0, 1.5, (), ()), SeatFacts(1, 0.0, 0.5, (), ())
    (rate, other) = rates([("x", won), ("x", lost), ("x", lost), ("x", lost), ("y", won)])
    assert (rate.what, rate.times, rate.wins, rate.win_rate, rate.part) == ("x", 4, 1, 0.25, 0.75)
    assert rate.win_interval.low == pytest.approx(0.0456, abs=0.001)
    assert rate.win_interval.high == pytest.approx(0.6994, abs=0.001)
    assert other.what == "y"


def test_only_games_of_a_kind_are_compared() -> None:
    names = ("18CZ-moravia-2", "18CZ-moravia-3", "18Mag-solo-1-easy-short")
    facts = [facts_of(files.open_game(GOLDEN / f"{name}.json")) for name in names]
    assert [(key, len(own)) for key, own in groups(facts).items()] == [
        (("18CZ", "moravia", 2), 1),
        (("18CZ", "moravia", 3), 1),
        (("18Mag", "solo", 1), 1),
    ]
    assert [each.what for each in of_seats(facts[:1])] == ["seat 1", "seat 2"]


def test_timings_are_means_in_their_order() -> None:
    found = timings([{"b": 1, "c": 4}, {"b": 2}, {"b": 3, "c": 2}])
    assert [(each.what, each.games, each.middle, each.first, each.last) for each in found] == [
        ("b", 3, 2.0, 1, 3),
        ("c", 2, 3.0, 2, 4),
    ]
