"""The companies: what they earned and paid, what they were worth, what they ran, and what they sold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ostbahn.pictures.bar_charts import ChartPanel, bar_panels, grouped_bars, line_panels
from ostbahn.pictures.line_charts import Band
from ostbahn.review.accounts import CompanyAccount
from ostbahn.review.reports.subject import NOTHING, DataTable, Exhibit, ReportContext, ReportSection, drawings


def companies_section(subject: ReportContext) -> ReportSection | None:
    if not subject.companies:
        return None
    exhibits = (
        Exhibit(heading="All companies", table=_summary(subject)),
        *_earned(subject),
        *_levels(subject),
        *subject.company_timeline(
            "Trains", lambda each: bool(each.trains), _bands, lambda each: ", ".join(each.trains) or NOTHING
        ),
    )
    return ReportSection(id="companies", heading="Companies", exhibits=exhibits)


def _summary(subject: ReportContext) -> DataTable:
    rows = []
    names, money = subject.accounts.names, subject.money
    for company in subject.companies:
        rounds = subject.of_company(company)
        prices = [each.price for each in rounds if each.price is not None]
        last = rounds[-1]
        rows.append(
            (
                subject.accounts.companies[company].name,
                last.state,
                NOTHING if last.director is None else names.get(last.director, last.director),
                money(prices[0] if prices else None),
                money(last.price),
                money(sum(each.revenue for each in rounds)),
                money(sum(each.paid for each in rounds)),
                money(last.treasury),
                ", ".join(last.trains) or NOTHING,
            )
        )
    texts = ("Company", "State", "Director or owner")
    figures = ("First price", "Price", "Earned", "Dividends", "Treasury", "Trains")
    return DataTable(caption="Companies at the end", columns=(*texts, *figures), rows=tuple(rows), texts=len(texts))


def _earned(subject: ReportContext) -> Iterator[Exhibit]:
    """Revenue and what was paid out, in the rounds in which something was."""
    found = {company: subject.of_company(company) for company in subject.companies}
    kept = [
        at for at in range(len(subject.labels)) if any(rows[at].revenue or rows[at].paid for rows in found.values())
    ]
    if not kept:
        return
    labels = [subject.labels[at] for at in kept]
    panels = [
        _panel(subject, company, [rows[at].revenue for at in kept], [rows[at].paid for at in kept])
        for company, rows in found.items()
        if any(each.revenue or each.paid for each in rows)
    ]
    rows = []
    for at in kept:
        cells = [f"{subject.money(each[at].revenue)} / {each[at].paid}" for each in found.values()]
        rows.append((subject.words.round_name(subject.labels[at]), *cells))
    names = [subject.accounts.companies[company].name for company in found]
    table = DataTable(caption="Revenue / paid out", columns=("Round", *names), rows=tuple(rows))
    yield Exhibit(
        heading="Revenue and dividends",
        words="Pale: what trains earned. Strong: what was paid out.",
        drawings=drawings(*bar_panels("Revenue and dividends", labels, panels, subject.unit)),
        panels=True,
        table=table,
    )


def _levels(subject: ReportContext) -> Iterator[Exhibit]:
    levels: dict[str, Callable[[CompanyAccount], int | None]] = {
        "Share prices": lambda each: each.price,
        "Treasuries": lambda each: each.treasury,
    }
    for heading, level in levels.items():
        by_company = {company: [level(each) for each in subject.of_company(company)] for company in subject.companies}
        known = {company: values for company, values in by_company.items() if set(values) != {None}}
        if not known:
            continue
        panels = [_panel(subject, company, values) for company, values in known.items()]
        columns = {
            subject.accounts.companies[company].name: [subject.money(value) for value in values]
            for company, values in known.items()
        }
        yield Exhibit(
            heading=heading,
            drawings=drawings(*line_panels(heading, subject.labels, panels, subject.unit)),
            panels=True,
            table=subject.by_round(f"{heading} at the end of each round", columns),
        )


def _panel(
    subject: ReportContext, company: str, values: Sequence[int | None], inner: Sequence[int | None] = ()
) -> ChartPanel:
    known = subject.accounts.companies[company]
    return ChartPanel(known.name, known.colour, values, inner)


def _bands(row: int, rounds: Sequence[CompanyAccount]) -> Iterator[Band]:
    """Each train in a lane, for as long as the company has one like it."""
    lanes: list[tuple[str, int] | None] = []
    for at, faces in enumerate([*(each.trains for each in rounds), ()]):
        left = Counter(faces)
        for lane, held in enumerate(lanes):
            if held is None:
                continue
            if left[held[0]] > 0:
                left[held[0]] -= 1
            else:
                yield Band(row, held[1], at, held[0], lane=lane)
                lanes[lane] = None
        for face in left.elements():
            if None not in lanes:
                lanes.append(None)
            lanes[lanes.index(None)] = (face, at)


def services_section(subject: ReportContext) -> ReportSection | None:
    """What companies earned by what they sell, where they live on that."""
    earned, companies = subject.accounts.services(), subject.accounts.companies
    sellers = [company for company in companies if company in earned]
    services = list(dict.fromkeys(service for company in sellers for service in earned[company]))
    sold = [(company, service) for company in sellers for service in services if earned[company][service]]
    if not sold:
        return None
    sales = Counter((each.target, each.service) for each in subject.accounts.payments)
    amounts = [(companies[company].name, service, earned[company][service]) for company, service in sold]
    rows = [
        (name, service, str(sales[sale]), subject.money(amount))
        for sale, (name, service, amount) in zip(sold, amounts, strict=True)
    ]
    total = sum(amount for _, _, amount in amounts)
    table = DataTable(
        caption="Earned by services",
        columns=("Company", "Service", "Sales", "Earned"),
        rows=(*rows, ("in all", "", "", subject.money(total))),
        texts=2,
        total=True,
    )
    chart = grouped_bars("Earned by services", amounts, subject.unit)
    exhibit = Exhibit(heading="Earned by services", drawings=drawings(chart), table=table)
    words = ("What was left of each price for the company that sold it; the rest went to the bank.",)
    return ReportSection(id="services", heading="What companies sold", words=words, exhibits=(exhibit,))
