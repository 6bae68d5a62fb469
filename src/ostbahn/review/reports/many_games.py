"""Many games as a report: charts with their intervals, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.bots.arena import ConfidenceInterval
from ostbahn.kits.catalogue import entry_of
from ostbahn.pictures.axes import THEME_COLOURS
from ostbahn.pictures.line_charts import IntervalRow, interval_chart
from ostbahn.review.explore import GameFacts, Timing, WinRate, groups, of_first_trains, of_openings, of_seats, timings
from ostbahn.review.reports.subject import DataTable, Exhibit, Report, ReportSection, drawings
from ostbahn.text.words import plural

CHARTED: Final = 24
"""Rows of a chart at most: what happened most often."""
SURE: Final = "Lines are 95 % intervals, as if games did not depend on each other."


def report_of_games(games: Sequence[GameFacts]) -> Report:
    sections = tuple(_section(number, key, own) for number, (key, own) in enumerate(groups(games).items()))
    return Report(
        heading="Many games",
        lead=f"{plural(len(games), 'finished game')}: who began how, and how it ended.",
        facts=(),
        sections=sections,
        inks=dict(THEME_COLOURS),
        foot="Made by Ostbahn from the records of the games alone.",
    )


def _section(number: int, key: tuple[str, str, int], games: Sequence[GameFacts]) -> ReportSection:
    title, variant, players = key
    name, fair = entry_of(title, variant).name, games[0].fair
    tables = {"Seats, in the first playing order": of_seats(games), **of_openings(games)}
    tables["Who had the first train of a kind"] = of_first_trains(games)
    begun = {
        "When phases began": timings(game.phases for game in games),
        "When the first train of a kind came": timings(game.trains for game in games),
    }
    named = f"{name}, {players}"
    exhibits = [_rates(f"{named}: {heading}", heading, rates, fair) for heading, rates in tables.items() if rates]
    exhibits += [_timing(f"{named}: {heading}", heading, times) for heading, times in begun.items() if times]
    return ReportSection(
        id=f"games-{number}",
        heading=f"{name}, {plural(players, 'player')}: {plural(len(games), 'game')}",
        words=(f"The dashed line is a fair part of the wins, {fair:.0%}. {SURE}",),
        exhibits=tuple(exhibits),
    )


def _rates(name: str, heading: str, rates: Sequence[WinRate], fair: float) -> Exhibit:
    drawn = [
        IntervalRow(
            each.what, each.win_rate, *each.win_interval, f"{each.win_rate:.0%} of {plural(each.times, 'time')}"
        )
        for each in rates[:CHARTED]
    ]
    rows = tuple(
        (
            each.what,
            str(each.times),
            f"{each.win_rate:.0%}",
            _span(each.win_interval, ".0%"),
            f"{each.part:.2f}",
            _span(each.part_interval, ".2f"),
        )
        for each in rates
    )
    columns = ("What", "Times", "Wins", "95 %", "Wealth by the table's mean", "95 %")
    words = f"The {CHARTED} most frequent of {len(rates)} are drawn." if len(rates) > CHARTED else ""
    table = DataTable(caption=heading, columns=columns, rows=rows)
    return Exhibit(heading=heading, words=words, drawings=drawings(interval_chart(name, drawn, fair)), table=table)


def _span(interval: ConfidenceInterval, form: str) -> str:
    return f"{interval.low:{form}}–{interval.high:{form}}"


def _timing(name: str, heading: str, begun: Sequence[Timing]) -> Exhibit:
    drawn = [
        IntervalRow(each.what, each.middle, *each.interval, f"round {each.middle:.1f} in {plural(each.games, 'game')}")
        for each in begun
    ]
    rows = tuple(
        (each.what, str(each.games), f"{each.middle:.1f}", _span(each.interval, ".1f"), str(each.first), str(each.last))
        for each in begun
    )
    columns = ("What", "Games", "Operating Round", "95 %", "Earliest", "Latest")
    words = "Operating Rounds are counted through the game; 0 is before the first."
    table = DataTable(caption=heading, columns=columns, rows=rows)
    return Exhibit(heading=heading, words=words, drawings=drawings(interval_chart(name, drawn)), table=table)
