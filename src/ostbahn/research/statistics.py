"""What a contest shows, with how sure it is (95 %)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from ostbahn.research.arena import Contest, Played

Z: Final = 1.959964
"""Of the normal distribution, for 95 % in the middle."""


class Interval(NamedTuple):
    low: float
    high: float


class Line(Struct, frozen=True, kw_only=True):
    """All places of one kind of bot in a contest, or of somebody whom the rules play."""

    bot: str
    seats: int
    """How many of the seats it had in each game."""
    games: int
    win_rate: float
    """How often one of them won."""
    win_interval: Interval
    fair: float
    """How often one of them would win if all were equal."""
    wealth: float
    """The mean of one seat."""
    wealth_interval: Interval
    together: float
    """The mean of what all seats of a game had, whoever sat there."""
    median_ms: float | None
    """Of an answer; None if it was never asked."""
    p95_ms: float | None
    failures: int


def summary(contest: Contest, games: Sequence[Played]) -> list[Line]:
    """A line for each kind of bot and for whom the rules play, the most successful first."""
    others = (place.bot for played in games for place in played.places if place.entry is None)
    lines = [_line(contest, games, bot) for bot in dict.fromkeys((*contest.bots, *others))]
    return sorted(lines, key=lambda line: -line.win_rate / line.fair)


def _line(contest: Contest, games: Sequence[Played], bot: str) -> Line:
    places = [place for played in games for place in played.places if place.bot == bot]
    wins, wealth = sum(place.won for place in places), [float(place.wealth) for place in places]
    entries = {entry for entry, code in enumerate(contest.bots) if code == bot}
    times = sorted(time for played in games for entry in entries for time in played.times_ms[entry])
    return Line(
        bot=bot,
        seats=len(places) // len(games),
        games=len(games),
        win_rate=wins / len(games),
        win_interval=wilson(wins, len(games)),
        fair=len(places) / sum(len(played.places) for played in games),
        wealth=mean(wealth),
        wealth_interval=mean_interval(wealth),
        together=mean([float(sum(place.wealth for place in played.places)) for played in games]),
        median_ms=quantile(times, 0.5),
        p95_ms=quantile(times, 0.95),
        failures=sum(len(played.failures) for played in games),
    )


def wilson(wins: float, games: int) -> Interval:
    """Wilson's interval: right for few games and for rates near 0 and 1, where the simple one is not."""
    rate, z2 = wins / games, Z * Z
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def mean_interval(values: Sequence[float]) -> Interval:
    """Around the mean of many values, as if they did not depend on each other."""
    middle = mean(values)
    if len(values) < 2:
        return Interval(middle, middle)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    half = Z * spread / math.sqrt(len(values))
    return Interval(middle - half, middle + half)


def quantile(ordered: Sequence[float], part: float) -> float | None:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else None
