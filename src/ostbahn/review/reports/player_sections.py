"""The players: who won by what, what everybody was worth when, and where their money came from and went."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ostbahn.kernel.records import Purpose
from ostbahn.pictures.axes import signed
from ostbahn.pictures.bar_charts import flow_bars, stacked_bars
from ostbahn.pictures.line_charts import Series, line_chart
from ostbahn.review.accounts import PlayerAccount
from ostbahn.review.reports.subject import DataTable, Exhibit, ReportContext, ReportSection, drawings
from ostbahn.text.formatting import printable
from ostbahn.text.words import join_words, plural
from ostbahn.views.common import ranks

PURPOSES: Final[Mapping[Purpose, str]] = {
    "shares": "shares",
    "dividends": "dividends",
    "runs": "runs of trains",
    "incomes": "incomes of papers",
    "papers": "papers",
    "capital": "capital",
    "trains": "trains",
    "track": "track and terrain",
    "stations": "stations",
    "cars": "rail cars",
    "takeovers": "takeovers",
    "loans": "loans",
    "emergencies": "emergencies",
    "other": "other",
}
"""What payments are for, as people call it."""


def result_section(subject: ReportContext) -> ReportSection:
    """Who has won, and by what; while a game runs, how everybody stands."""
    last = {each.seat: each for each in subject.accounts.rounds[-1].players}
    order = sorted(last, key=lambda seat: -last[seat].worth)
    places = ranks({seat: each.worth for seat, each in last.items()})
    parts = list(dict.fromkeys(part for seat in order for part, amount in last[seat].parts.items() if amount))
    earned = {seat: sum(each.income for each in subject.of_player(seat)) for seat in order}
    names = subject.accounts.names
    table = DataTable(
        caption="What everybody's wealth is made of",
        columns=("Place", "Player", "Worth", *(part[:1].upper() + part[1:] for part in parts), "Earned by holdings"),
        texts=2,
        rows=tuple(
            (
                f"{places[seat]}.",
                names[seat],
                subject.money(last[seat].worth),
                *(subject.money(last[seat].parts.get(part, 0)) for part in parts),
                subject.money(earned[seat]),
            )
            for seat in order
        ),
    )
    chart = stacked_bars("Wealth and its parts", [(names[seat], last[seat].parts) for seat in order], subject.unit)
    return ReportSection(
        id="result",
        heading="Result" if subject.game.over else "How everybody stands",
        words=tuple(_by_what(subject, order, earned)),
        exhibits=(Exhibit(heading="What wealth is made of", drawings=drawings(chart), table=table),),
    )


def _by_what(subject: ReportContext, order: list[str], earned: Mapping[str, int]) -> list[str]:
    """The winner beside the next one: what they have more of, and what they have earned more."""
    names, money, result = subject.accounts.names, subject.money, subject.game.result
    last = {each.seat: each for each in subject.accounts.rounds[-1].players}
    best = last[order[0]].worth
    winners = result.winners if result else tuple(seat for seat in order if last[seat].worth == best)
    alone, several = ("wins", "share the win") if subject.game.over else ("is ahead", "share the lead")
    verb = several if len(winners) > 1 else alone
    first = f"{join_words(printable(names[seat]) for seat in winners)} {verb} with {money(last[winners[0]].worth)}"
    others = [seat for seat in order if seat not in winners]
    if not others:
        return [f"{first}."]
    one, other = winners[0], others[0]
    ahead = last[one].worth - last[other].worth
    gains = {part: amount - last[other].parts.get(part, 0) for part, amount in last[one].parts.items()}
    told = [f"{money(abs(gain))} {'more' if gain > 0 else 'less'} in {part}" for part, gain in gains.items() if gain]
    more = f"{names[one]} earned {money(earned[one])} by what they held, {names[other]} {money(earned[other])}."
    side = "ahead of" if ahead >= 0 else "behind"
    return [f"{first}, {money(abs(ahead))} {side} {names[other]}{': ' if told else ''}{', '.join(told)}.", more]


def worth_section(subject: ReportContext) -> ReportSection:
    figures: dict[str, Callable[[PlayerAccount], int]] = {
        "Worth": lambda each: each.worth,
        "Cash": lambda each: each.cash,
        "Value of shares and papers": lambda each: each.worth - each.cash,
    }
    exhibits = []
    for heading, figure in figures.items():
        values = {seat: [figure(each) for each in subject.of_player(seat)] for seat in subject.seats}
        height = 400 if heading == "Worth" else 300
        exhibits.append(player_lines(subject, heading, values, subject.money, subject.unit, height))
    return ReportSection(id="worth", heading="Worth from round to round", exhibits=tuple(exhibits))


def player_lines(
    subject: ReportContext,
    heading: str,
    values: Mapping[str, Sequence[int]],
    cell: Callable[[int], str],
    unit: str,
    height: int,
    steps: bool = False,
) -> Exhibit:
    """A figure of each player at the end of each round."""
    names = subject.accounts.names
    series = [Series(names[seat], rows, subject.hue(seat), figure=signed(rows[-1])) for seat, rows in values.items()]
    title = f"{heading} of the players"
    chart = line_chart(title, subject.labels, series, unit, subject.phases, steps=steps, height=height)
    columns = {names[seat]: [cell(value) for value in rows] for seat, rows in values.items()}
    table = subject.by_round(f"{heading} at the end of each round", columns)
    return Exhibit(heading=heading, drawings=drawings(chart), table=table)


def money_section(subject: ReportContext) -> ReportSection:
    """Where money came from and went; the last row is what it comes to, which is what everybody has."""
    accounts, names = subject.accounts, subject.accounts.names
    exhibits = [_flows(subject, "Players", {seat: names[seat] for seat in subject.seats}, charted=True)]
    companies = {company: accounts.companies[company].name for company in subject.companies}
    if companies:
        exhibits.append(_flows(subject, "Companies", companies, charted=False))
    words = (_balanced(subject),)
    return ReportSection(id="money", heading="Where money came from and went", words=words, exhibits=tuple(exhibits))


def _balanced(subject: ReportContext) -> str:
    """Whether the payments explain what everybody has."""
    if differences := list(subject.accounts.differences()):
        return f"Payments and records do not agree, which is a fault of Ostbahn: {'; '.join(differences[:3])}."
    if not (number := len(subject.accounts.payments)):
        return "No money has changed hands yet."
    return f"The books balance to the last {subject.unit} after every round: {plural(number, 'payment')} checked."


def _flows(subject: ReportContext, heading: str, whose: Mapping[str, str], *, charted: bool) -> Exhibit:
    """A row for each account: what it had, what came and went for each purpose, and what is left."""
    accounts = subject.accounts
    found = {account: accounts.flows(account) for account in whose}
    used = [purpose for purpose in PURPOSES if any(purpose in each for each in found.values())]
    rows = tuple(
        (
            name,
            subject.money(accounts.opening.get(account, 0)),
            *(_in_and_out(subject, *found[account].get(purpose, (0, 0))) for purpose in used),
            subject.money(accounts.balance(account, len(accounts.rounds))),
        )
        for account, name in whose.items()
    )
    columns = ("", "at the start", *(PURPOSES[purpose] for purpose in used), "left")
    table = DataTable(caption=f"{heading}: what came in and what went out (−)", columns=columns, rows=rows)
    if not charted:
        return Exhibit(heading=heading, words="What went out has a minus.", table=table)
    pairs = [(name, [found[who].get(purpose, (0, 0)) for purpose in used]) for who, name in whose.items()]
    chart = flow_bars(f"{heading}: in and out", [PURPOSES[purpose] for purpose in used], pairs)
    words = "To the right what came in, to the left what went out."
    return Exhibit(heading=heading, words=words, drawings=drawings(chart), table=table)


def _in_and_out(subject: ReportContext, received: int, spent: int) -> str:
    came, went = subject.money(received) if received else "", f"−{subject.money(spent)}" if spent else ""
    return f"{came} {went}".strip()


def income_section(subject: ReportContext) -> ReportSection | None:
    found = {seat: [each.income for each in subject.of_player(seat)] for seat in subject.seats}
    kept = [at for at in range(len(subject.labels)) if any(rows[at] for rows in found.values())]
    if not kept:
        return None
    names, labels = subject.accounts.names, [subject.labels[at] for at in kept]
    series = [
        Series(names[seat], [rows[at] for at in kept], subject.hue(seat), figure=signed(rows[kept[-1]]))
        for seat, rows in found.items()
    ]
    chart = line_chart("Income of the players", labels, series, subject.unit, height=300)
    sums = ("in all", *(subject.money(sum(rows)) for rows in found.values()))
    rows = [
        (subject.words.round_name(subject.labels[at]), *(subject.money(each[at]) for each in found.values()))
        for at in kept
    ]
    table = DataTable(
        caption="Income in each round",
        columns=("Round", *(names[seat] for seat in found)),
        rows=(*rows, sums),
        total=True,
    )
    words = ("Dividends, halves of minors' runs and incomes of papers: what everybody earned by what they held.",)
    exhibit = Exhibit(heading="Income by round", drawings=drawings(chart), table=table)
    return ReportSection(id="income", heading="Income", words=words, exhibits=(exhibit,))
