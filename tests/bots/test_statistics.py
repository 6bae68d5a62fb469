from __future__ import annotations

import pytest

from ostbahn.bots.arena import Contest, PlayedGame, SeatResult, bot_standings, mean_interval, quantile, wilson_interval


def test_wilson_agrees_with_published_values() -> None:
    """Newcombe 1998, table I: 81 of 263, and 0 of 20."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_the_interval_of_a_mean_is_two_standard_errors_wide_on_both_sides() -> None:
    values = [10.0, 20.0] * 50
    low, high = mean_interval(values)
    assert (low + high) / 2 == pytest.approx(15)
    assert high - low == pytest.approx(2 * 1.96 * 5.025 / 10, rel=1e-3)


def test_quantiles_of_nothing_are_nothing() -> None:
    assert quantile([], 0.5) is None
    assert quantile([1, 2, 3, 4], 0.5) == 3
    assert quantile([1, 2, 3, 4], 0.95) == 4


def played(number: int, *places: tuple[str, int | None, int, float]) -> PlayedGame:
    found = tuple(
        SeatResult(f"p{seat}", bot, entry, wealth, won) for seat, (bot, entry, wealth, won) in enumerate(places, 1)
    )
    times = {place.entry: (1.0, 3.0) for place in found if place.entry is not None}
    return PlayedGame(number=number, seed=1, places=found, answers=5, seconds=1.0, times_ms=times, failures=())


def test_bots_of_one_kind_are_told_together() -> None:
    contest = Contest(title="18CZ", bots=("S", "G", "G"), games=2)
    games = [
        played(0, ("S", 0, 900, 1.0), ("G", 1, 300, 0.0), ("G", 2, 600, 0.0)),
        played(1, ("G", 1, 500, 0.5), ("G", 2, 500, 0.5), ("S", 0, 100, 0.0)),
    ]
    best, other = bot_standings(contest, games)
    assert (best.bot, best.seats, best.win_rate, best.fair, best.wealth) == ("S", 1, 0.5, 1 / 3, 500)
    assert (other.bot, other.seats, other.win_rate, other.fair, other.wealth) == ("G", 2, 0.5, 2 / 3, 475)
    assert best.together == (1800 + 1100) / 2


def test_who_is_played_by_the_rules_has_a_line_too() -> None:
    contest = Contest(title="18Mag", variant="solo", bots=("S",), games=4)
    games = [
        played(number, ("S", 0, mine, float(mine > his)), ("István", None, his, float(his > mine)))
        for number, (mine, his) in enumerate([(900, 500), (400, 500), (800, 300), (700, 300)])
    ]
    mine, his = bot_standings(contest, games)
    assert (mine.bot, mine.seats, mine.win_rate, mine.fair, mine.wealth) == ("S", 1, 0.75, 0.5, 700)
    assert (his.bot, his.seats, his.win_rate, his.fair, his.wealth) == ("István", 1, 0.25, 0.5, 400)
    assert his.wealth_interval == mean_interval([500.0, 500.0, 300.0, 300.0])
    assert his.win_interval == wilson_interval(1, 4)
    assert (his.median_ms, his.p95_ms, mine.median_ms) == (None, None, 3.0)
    assert mine.together == his.together == 1100
