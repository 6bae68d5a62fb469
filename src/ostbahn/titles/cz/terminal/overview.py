"""What lies on the table of 18CZ: players, companies, chart and trains."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from ostbahn.kernel import chart
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.state import Train
from ostbahn.terminal.screen import NONE, WIDE, grid_of, put_lines, put_prices, put_rows, say, short_city
from ostbahn.text.formatting import printable
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.rounds import wealth
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import markers_left
from ostbahn.titles.cz.stock import certificate_count, certificate_limit


def show_table(console: Console, table: CzTable) -> None:
    console.print(_players(table))
    if table.state.start_prices:
        _companies(console, table)
    _chart(console, table)
    for line in _trains(table):
        say(console, line)


def _players(table: CzTable) -> Grid:
    state, limit = table.state, certificate_limit(table)
    grid = grid_of(
        "Players in playing order (* Director)",
        *("seat", "name", "cash", "certificates", "shares", "Local Railways", "debt", "worth"),
        right=("cash", "certificates", "debt", "worth"),
    )
    for player in state.order:
        shares = [
            f"{company} {percent}%" + ("*" if director(table, company) == player else "")
            for company in chart.by_price(table)
            if (percent := holding(table, player, company))
        ]
        owed = state.debts.get(player, 0)
        penalty = state.penalties.get(player, 0)
        grid.add_row(
            player,
            printable(table.name(player)),
            f"{state.cash[player]} K",
            f"{certificate_count(table, player)}/{limit}",
            ", ".join(shares) or NONE,
            _locals(table, player),
            (f"{owed} K" if owed else NONE) + (f", penalty {penalty} K" if penalty else ""),
            f"{wealth(table, player)} K",
        )
    return grid


def _locals(table: CzTable, owner: str) -> str:
    """Those of an owner; the power of one in brackets is used up."""
    state = table.state
    found = [local for local, holder in state.locals.items() if holder == owner]
    return " ".join(f"({local})" if local in state.used_powers else local for local in found) or NONE


COMPANY = ("", "size", "Director", "price", "treasury", "revenue", "limit", "trains", "markers", "stations", "locals")
"""What is told of a company; the limit is that of trains, the markers are those left, locals are Local Railways."""


def _companies(console: Console, table: CzTable) -> None:
    rows = [_company(table, company) for company in chart.by_price(table)]
    put_rows(console, "Companies by price", COMPANY, rows, ("price", "treasury", "revenue", "limit", "markers"))


def _company(table: CzTable, company: str) -> tuple[str, ...]:
    state = table.state
    floated = company in state.floated
    trains = state.trains.get(company, ())
    return (
        company,
        table.size(company),
        printable(table.name(director(table, company))),
        f"{chart.price(table, company)} K",
        f"{state.cash[company]} K" if floated else "not floated",
        f"{state.revenue[company]} K" if company in state.revenue else NONE,
        f"{len(trains)}/{train_limit(table, company)}" if floated else NONE,
        _cards(trains) or NONE,
        str(markers_left(table, company)) if floated else NONE,
        " ".join(short_city(table, city) for city in state.board.stations_of(company)) or NONE,
        _locals(table, company),
    )


def _cards(trains: tuple[Train, ...]) -> str:
    """Faces with their cards."""
    return " ".join(f"{train.face}[{train.card}]" for train in trains)


def _chart(console: Console, table: CzTable) -> None:
    """The zigzag of prices with its markers; on a narrow screen only the prices that carry any."""
    state, prices = table.state, table.title.prices
    say(console, "Share-price chart", style="bold")
    if console.width < WIDE:
        put_prices(console, table, "K")
        return
    for first, indent in ((1, "  "), (0, "")):
        spaces = range(first, len(prices), 2)
        put_lines(console, [Text((indent + "".join(f"{prices[space]:<5}" for space in spaces)).rstrip(), "dim")])
        for depth in range(max((len(state.chart[space]) for space in spaces), default=0)):
            row = "".join(f"{_marker(state.chart[space], depth):<5}" for space in spaces)
            put_lines(console, [Text((indent + row).rstrip())])


def _marker(stack: tuple[str, ...], depth: int) -> str:
    return stack[depth] if depth < len(stack) else ""


def _trains(table: CzTable) -> Iterator[str]:
    state, stack = table.state, table.title.stack
    top = stack.card(state.cards_gone)
    faces = ", ".join(
        f"{face} for {price} K" for face, price in stack.spec[top[0]].faces.items() if face not in state.scrapped
    )
    yield f"Next train card: {top}, as {faces}"
    left: dict[str, int] = {}
    gone = state.cards_gone
    while stack.spec[stack.card(gone)[0]].count is not None:
        letter = stack.card(gone)[0]
        left[letter] = left.get(letter, 0) + 1
        gone += 1
    rest = ", ".join(f"{count} {letter}" for letter, count in left.items())
    yield f"Cards left: {rest}, and {stack.letters[-1]} without end".replace(": ,", ":")
    yield f"Pool: {_cards(state.pool) or 'empty'}; scrapped: {', '.join(state.scrapped) or 'none'}"
