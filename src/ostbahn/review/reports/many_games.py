"""Many games as a report: charts with their intervals, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.kits.catalogue import entry_of
from ostbahn.pictures.axes import INKS
from ostbahn.pictures.line_charts import Estimate, interval_chart
from ostbahn.review.explore import (
    GameFacts,
    Rate,
    Timing,
    groups,
    of_first_trains,
    of_openings,
    of_seats,
    timings,
)
from ostbahn.review.reports.subject import DataTable, Exhibit, Report, Section, drawings
from ostbahn.text.words import plural

CHARTED: Final = 24
"""Rows of a chart at most: what happened most often."""
SURE: Final = "Lines are 95 % intervals, as if games did not depend on each other."


def report_of_games(games: Sequence[GameFacts]) -> Report:
    found = groups(games)
    sections = tuple(_section(number, key, own) for number, (key, own) in enumerate(found.items()))
    return Report(
        heading="Many games",
        lead=f"{plural(len(games), 'finished game')}: who began how, and how it ended.",
        facts=(),
        sections=sections,
        inks=dict(INKS),
        foot="Made by Ostbahn from the records of the games alone.",
    )


def _section(number: int, key: tuple[str, str, int], games: Sequence[GameFacts]) -> Section:
    title, variant, players = key
    name, fair = entry_of(title, variant).name, games[0].fair
    tables = {"Seats, in the first playing order": of_seats(games), **of_openings(games)}
    tables["Who had the first train of a kind"] = of_first_trains(games)
    exhibits = [
        _rates(f"{name}, {players}: {heading}", heading, found, fair) for heading, found in tables.items() if found
    ]
    phases, trains = timings(game.phases for game in games), timings(game.trains for game in games)
    for heading, found in (("When phases began", phases), ("When the first train of a kind came", trains)):
        if found:
            exhibits.append(_timing(f"{name}, {players}: {heading}", heading, found))
    return Section(
        id=f"games-{number}",
        heading=f"{name}, {plural(players, 'player')}: {plural(len(games), 'game')}",
        words=(f"The dashed line is a fair part of the wins, {fair:.0%}. {SURE}",),
        exhibits=tuple(exhibits),
    )


def _rates(name: str, heading: str, found: Sequence[Rate], fair: float) -> Exhibit:
    drawn = [
        Estimate(each.what, each.win_rate, *each.win_interval, f"{each.win_rate:.0%} of {plural(each.times, 'time')}")
        for each in found[:CHARTED]
    ]
    rows = tuple(
        (
            each.what,
            str(each.times),
            f"{each.win_rate:.0%}",
            f"{each.win_interval.low:.0%}–{each.win_interval.high:.0%}",
            f"{each.part:.2f}",
            f"{each.part_interval.low:.2f}–{each.part_interval.high:.2f}",
        )
        for each in found
    )
    columns = ("What", "Times", "Wins", "95 %", "Wealth by the table's mean", "95 %")
    table = DataTable(caption=heading, columns=columns, rows=rows)
    words = f"The {CHARTED} most frequent of {len(found)} are drawn." if len(found) > CHARTED else ""
    return Exhibit(heading=heading, words=words, drawings=drawings(interval_chart(name, drawn, fair)), table=table)


def _timing(name: str, heading: str, found: Sequence[Timing]) -> Exhibit:
    drawn = [
        Estimate(each.what, each.middle, *each.interval, f"round {each.middle:.1f} in {plural(each.games, 'game')}")
        for each in found
    ]
    rows = tuple(
        (
            each.what,
            str(each.games),
            f"{each.middle:.1f}",
            f"{each.interval.low:.1f}–{each.interval.high:.1f}",
            str(each.first),
            str(each.last),
        )
        for each in found
    )
    columns = ("What", "Games", "Operating Round", "95 %", "Earliest", "Latest")
    return Exhibit(
        heading=heading,
        words="Operating Rounds are counted through the game; 0 is before the first.",
        drawings=drawings(interval_chart(name, drawn)),
        table=DataTable(caption=heading, columns=columns, rows=rows),
    )
