"""The course of the game (directors, certificates, phases, trains), who was ahead when, and missed opportunities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ostbahn.kernel.records import PLACES
from ostbahn.pictures.board import DrawnRoute
from ostbahn.pictures.line_charts import Band, Series, area_chart, dot_matrix, line_chart
from ostbahn.review.accounts import CompanyAccount
from ostbahn.review.estimated import Forecast, NoForecast, forecasts
from ostbahn.review.proven import Finding, proven_findings
from ostbahn.review.reports.player_sections import player_lines
from ostbahn.review.reports.subject import NOTHING, DataTable, Exhibit, ReportContext, ReportSection, drawings
from ostbahn.text.formatting import sentence_case
from ostbahn.text.words import Naming, plural


def control_section(subject: ReportContext) -> ReportSection:
    held = {seat: [each.certificates for each in subject.of_player(seat)] for seat in subject.seats}
    exhibits = [
        *subject.company_timeline(
            "Directors and owners",
            lambda each: bool(each.director),
            partial(_bands, subject),
            lambda each: _who(subject, each.director),
        ),
        player_lines(subject, "Certificates", held, str, "", 280, steps=True),
    ]
    return ReportSection(id="control", heading="Who directed what, and certificates", exhibits=tuple(exhibits))


def _who(subject: ReportContext, seat: str | None) -> str:
    return NOTHING if seat is None else subject.accounts.names.get(seat, seat)


def _bands(subject: ReportContext, row: int, rounds: Sequence[CompanyAccount]) -> Iterator[Band]:
    directors, start = [each.director for each in rounds], 0
    for at in range(1, len(directors) + 1):
        if at == len(directors) or directors[at] != directors[start]:
            who = directors[start]
            if who is not None:
                known = who in subject.accounts.names
                yield Band(row, start, at, _who(subject, who), subject.hue(who) if known else None)
            start = at


def course_section(subject: ReportContext) -> ReportSection:
    accounts = subject.accounts
    rows = tuple((each.phase, subject.words.round_name(each.round), str(each.number)) for each in accounts.phases)
    columns = ("Phase", "Began in", "With answer")
    exhibits = [
        Exhibit(
            heading="Phases",
            words="" if rows else "No phase has begun after the first one.",
            table=DataTable(caption="When phases began", columns=columns, rows=rows, texts=2) if rows else None,
        ),
        *_purchases(subject),
    ]
    return ReportSection(id="course", heading="Phases and trains", exhibits=tuple(exhibits))


def _purchases(subject: ReportContext) -> Iterator[Exhibit]:
    accounts = subject.accounts
    bought = [each for each in accounts.trains if each.source in PLACES and each.round in subject.labels]
    faces = list(dict.fromkeys(each.face for each in bought))
    if not faces:
        return
    counts = Counter((faces.index(each.face), subject.labels.index(each.round)) for each in bought)
    rows = []
    for face in faces:
        own = [each for each in bought if each.face == face]
        first = accounts.companies[own[0].company].name
        rows.append((face, subject.words.round_name(own[0].round), first, str(len(own))))
    table = DataTable(
        caption="Trains that companies got from the bank",
        columns=("Train", "First in", "By", "In all"),
        rows=tuple(rows),
        texts=3,
    )
    yield Exhibit(
        heading="When trains were bought",
        words="How many of each kind companies got from the bank in each round.",
        drawings=drawings(dot_matrix("When trains were bought", subject.labels, faces, counts)),
        table=table,
    )


DRAWN: Final = 12
"""Findings that are drawn: those that cost most."""
AHEAD: Final = "Who was ahead when"


def forecast_section(subject: ReportContext) -> ReportSection:
    """By the value of the bots, with its uncertainty."""
    try:
        found = forecasts(subject.game)
    except NoForecast as why:
        return ReportSection(id="forecast", heading=AHEAD, words=(f"{sentence_case(str(why))}.",))
    words = (
        "At the beginning of each round the net of the best bot foresees what everybody will have in the end. "
        "It has learnt from games of bots. About two of three games of bots end within the shaded span.",
        "How likely everybody was to end as the richest follows from that, as if what becomes of one player said "
        "nothing of the others.",
    )
    return ReportSection(
        id="forecast", heading=AHEAD, words=words, exhibits=(_expected(subject, found), _likely(subject, found))
    )


def _expected(subject: ReportContext, found: Sequence[Forecast]) -> Exhibit:
    series = [
        Series(
            subject.accounts.names[seat],
            [each.wealth[seat] for each in found],
            subject.hue(seat),
            [each.low[seat] for each in found],
            [each.high[seat] for each in found],
            str(round(found[-1].wealth[seat])),
        )
        for seat in subject.seats
    ]
    chart = line_chart("Wealth to be expected in the end", [each.round for each in found], series, subject.unit)
    table = _forecast_table(
        subject,
        found,
        "Expected wealth in the end, and between what it lies in two of three games",
        lambda each, s: f"{subject.money(_about(each.wealth[s]))} ({_about(each.low[s])}–{_about(each.high[s])})",
    )
    return Exhibit(heading="Expected in the end", drawings=drawings(chart), table=table)


def _forecast_table(
    subject: ReportContext, found: Sequence[Forecast], caption: str, cell: Callable[[Forecast, str], str]
) -> DataTable:
    """A row for each forecast, a cell for each seat."""
    columns = ("When", *(subject.accounts.names[seat] for seat in subject.seats))
    rows = tuple((_moment(subject, each), *(cell(each, seat) for seat in subject.seats)) for each in found)
    return DataTable(caption=caption, columns=columns, rows=rows)


def _about(amount: float) -> int:
    """A forecast in round figures: nobody knows it to the last coin."""
    return round(amount / 10) * 10


def _moment(subject: ReportContext, each: Forecast) -> str:
    ended = each.number == len(subject.game) and subject.game.over
    return each.round if ended else subject.words.round_name(each.round)


def _likely(subject: ReportContext, found: Sequence[Forecast]) -> Exhibit:
    series = [
        Series(
            subject.accounts.names[seat],
            [each.richest[seat] for each in found],
            subject.hue(seat),
            figure=f"{found[-1].richest[seat]:.0%}",
        )
        for seat in subject.seats
    ]
    chart = area_chart("How likely everybody was to be the richest", [each.round for each in found], series)
    table = _forecast_table(
        subject, found, "How likely to end as the richest", lambda each, seat: f"{each.richest[seat]:.0%}"
    )
    return Exhibit(heading="How likely to be the richest", drawings=drawings(chart), table=table)


def findings_section(subject: ReportContext) -> ReportSection:
    """Proven findings: nothing here is an estimate."""
    number = len(subject.game)
    found = proven_findings(subject.game, lambda done: subject.told("looking for better runs", done, number))
    runs = sum(hasattr(record.action, "runs") for record in subject.game.records)
    if not found:
        nothing = f"No missed gains could be proven in {plural(runs, 'run')}." if runs else "No trains have run yet."
        return ReportSection(id="findings", heading="Proven findings", words=(nothing,))
    dearest = sorted(found, key=lambda each: -each.lost)[:DRAWN]
    drawn = [each for each in found if each in dearest and each.better is not None and each.better.routes]
    lost = subject.money(sum(each.lost for each in found))
    words = [
        f"{plural(len(found), 'missed gain')} in {plural(runs, 'run')}, {lost} in all. "
        "Each is proven under the rulings of this game: nobody would have had less."
    ]
    if 0 < len(drawn) < len(found):
        which = "costliest run is" if len(drawn) == 1 else f"{len(drawn)} costliest runs are"
        words.append(f"The {which} drawn below.")
    exhibits = [Exhibit(heading="All findings", table=_listed(subject, found))]
    exhibits += [_drawn(subject, each) for each in drawn]
    return ReportSection(id="findings", heading="Proven findings", words=tuple(words), exhibits=tuple(exhibits))


def _listed(subject: ReportContext, found: Sequence[Finding]) -> DataTable:
    accounts = subject.accounts
    rows = tuple(
        (
            subject.words.round_name(each.round),
            accounts.names[each.seat],
            accounts.companies[each.company].name,
            each.words,
            subject.money(each.lost),
            str(each.number),
        )
        for each in found
    )
    columns = ("Round", "Player", "Company", "What", "Left lying", "Answer")
    return DataTable(caption="All findings", columns=columns, rows=rows, texts=4)


def _drawn(subject: ReportContext, finding: Finding) -> Exhibit:
    """The run beside the better one, on the same part of the board."""
    before, record = subject.game.position(finding.number - 1), subject.game.records[finding.number - 1]
    better = finding.better
    assert better is not None
    ran = [DrawnRoute(run.path) for run in getattr(record.action, "runs", ())]
    there = [DrawnRoute(route.path, route.face) for route in better.routes]
    around = [place for route in (*ran, *there) for place in route.path]
    who = subject.accounts.companies[finding.company].name
    title = f"{subject.words.round_name(finding.round)}, {who} ({subject.accounts.names[finding.seat]})"
    pictures = (
        subject.maps.routes(before, routes, f"{title}: {heading}", heading, around)
        for routes, heading in ((ran, "as it ran"), (there, "what was there"))
    )
    naming = Naming(before.table)
    rows = tuple((route.face, naming.way(route.path), subject.money(route.revenue)) for route in better.routes)
    table = DataTable(caption="The better run", columns=("Train", "Way", "Revenue"), rows=rows, texts=2)
    words = f"{sentence_case(finding.words)}."
    return Exhibit(heading=sentence_case(title), words=words, drawings=tuple(pictures), table=table)
