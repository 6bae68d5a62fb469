"""The course of the game: who directed what when, certificates, phases, and when trains were bought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ostbahn.kernel.records import PLACES
from ostbahn.pictures.line_charts import Series, line_chart
from ostbahn.pictures.timelines import Band, dot_matrix, timeline
from ostbahn.review.parts import DataTable, Exhibit, Section
from ostbahn.review.reports.subject import NOTHING, Subject, drawings


def control_section(subject: Subject) -> Section:
    """Directors and certificates."""
    names = subject.accounts.names
    held = {seat: [each.certificates for each in subject.of_player(seat)] for seat in subject.seats}
    series = [Series(names[seat], rows, subject.hue(seat), figure=str(rows[-1])) for seat, rows in held.items()]
    chart = line_chart(
        "Certificates of the players", subject.labels, series, "", subject.phases, steps=True, height=280
    )
    columns = {names[seat]: [str(value) for value in rows] for seat, rows in held.items()}
    table = subject.by_round("Certificates at the end of each round", columns)
    exhibits = [*_directors(subject), Exhibit(heading="Certificates", drawings=drawings(chart), table=table)]
    return Section(id="control", heading="Who directed what, and certificates", exhibits=tuple(exhibits))


def _directors(subject: Subject) -> Iterator[Exhibit]:
    found: list[Band] = []
    rows = [company for company in subject.companies if any(each.director for each in subject.of_company(company))]
    for row, company in enumerate(rows):
        found += _bands(subject, row, [each.director for each in subject.of_company(company)])
    if not rows:
        return
    names = [subject.accounts.companies[company].name for company in rows]
    columns = {
        name: [_who(subject, each.director) for each in subject.of_company(company)]
        for name, company in zip(names, rows, strict=True)
    }
    yield Exhibit(
        heading="Directors and owners",
        drawings=drawings(timeline("Directors and owners of the companies", subject.labels, names, found)),
        table=subject.by_round("Directors and owners at the end of each round", columns),
    )


def _who(subject: Subject, seat: str | None) -> str:
    return NOTHING if seat is None else subject.accounts.names.get(seat, seat)


def _bands(subject: Subject, row: int, directors: list[str | None]) -> Iterator[Band]:
    start = 0
    for at in range(1, len(directors) + 1):
        if at == len(directors) or directors[at] != directors[start]:
            who = directors[start]
            if who is not None:
                known = who in subject.accounts.names
                yield Band(row, start, at, _who(subject, who), subject.hue(who) if known else None)
            start = at


def course_section(subject: Subject) -> Section:
    """Phases and trains."""
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
    return Section(id="course", heading="Phases and trains", exhibits=tuple(exhibits))


def _purchases(subject: Subject) -> Iterator[Exhibit]:
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
