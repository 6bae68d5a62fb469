"""The whole table at a glance: players, companies, chart, trains, and what happened last."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from ostbahn.cli.asking import results
from ostbahn.cli.board_text import LEGEND, board_lines
from ostbahn.cli.remarks import cz_table
from ostbahn.cli.screen import printable, put_lines, say
from ostbahn.cli.words import Names, describe, round_name, tell
from ostbahn.kernel import chart
from ostbahn.kernel.board import hex_of
from ostbahn.kernel.certificates import director, holding
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record
from ostbahn.kernel.trains import Train
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.reckoning import wealth
from ostbahn.titles.cz.shares import certificate_count, certificate_limit
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.stations import markers_left

LAST = 5
"""How many of the last answers are told."""
WIDE = 117
"""From this width on the share-price chart and the companies are drawn in full."""
NONE = "–"


def show(console: Console, game: Game) -> None:
    """Everything that lies on the table."""
    table = cz_table(game)
    say(console, _headline(game, table), style="bold")
    console.print(_players(table))
    if table.state.start_prices:
        _companies(console, table)
    _chart(console, table)
    for line in _trains(table):
        say(console, line)
    show_board(console, game)
    show_last(console, game)
    if game.over:
        show_results(console, game)


def show_board(console: Console, game: Game, legend: bool = True) -> None:
    put_lines(console, board_lines(cz_table(game), console.width))
    if legend:
        for line in LEGEND:
            say(console, line, style="dim")


def names_of(game: Game) -> Names:
    """What people call the seats; a file may come from anywhere, so nothing in it is left for a terminal to obey."""
    return {f"p{seat}": printable(name) for seat, name in enumerate(game.setup.players, start=1)}


def _headline(game: Game, table: CzTable) -> str:
    state = table.state
    colour = table.title.phases[state.phase].colour
    parts = [
        f"{game.setup.title} ({game.setup.variant})",
        "the game is over" if game.over else round_name(state.round),
        f"phase {state.phase} ({colour} tiles)",
        f"{len(game)} actions",
    ]
    if state.local_price:
        parts.append(f"Local Railways at {state.local_price} K")
    return " · ".join(parts)


def _grid(title: str, *columns: str, right: tuple[str, ...] = ()) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", padding=(0, 1, 0, 0))
    grid.box, grid.show_edge, grid.pad_edge = SIMPLE_HEAD, False, False
    for column in columns:
        grid.add_column(column, justify="right" if column in right else "left")
    return grid


def _players(table: CzTable) -> Grid:
    state, limit = table.state, certificate_limit(table)
    grid = _grid(
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
    """In columns, or where these would be too narrow, a line for each."""
    rows = [_company(table, company) for company in chart.by_price(table)]
    if console.width >= WIDE:
        grid = _grid("Companies by price", *COMPANY, right=("price", "treasury", "revenue", "limit", "markers"))
        for row in rows:
            grid.add_row(*row)
        console.print(grid)
        return
    say(console, "Companies by price", "bold")
    for company, *values in rows:
        told = [f"{name} {value}" for name, value in zip(COMPANY[1:], values, strict=True) if value != NONE]
        console.print(Padding(f"{company}: {', '.join(told)}", (0, 0, 0, 2), expand=False))


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
        " ".join(_short(table, city) for city in state.board.stations_of(company)) or NONE,
        _locals(table, company),
    )


def _short(table: CzTable, city: str) -> str:
    """A city by its hex, where the hex has no other."""
    hex_id = hex_of(city)
    face = table.state.board.face(table.title.tile_set, table.title.map[hex_id])
    return hex_id if len(face.nodes) == 1 else city


def _cards(trains: tuple[Train, ...]) -> str:
    """Faces with their cards."""
    return " ".join(f"{train.face}[{train.card}]" for train in trains)


def _chart(console: Console, table: CzTable) -> None:
    """The zigzag of prices with its markers; on a narrow screen only the prices that carry any."""
    state, prices = table.state, table.title.prices
    say(console, "Share-price chart", style="bold")
    if console.width < WIDE:
        found = [f"{prices[space]} K {' '.join(stack)}" for space, stack in enumerate(state.chart) if stack]
        say(console, " · ".join(reversed(found)) or "no company has started")
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


# What happened


def show_last(console: Console, game: Game, number: int = LAST) -> None:
    """The last answers with what came of them."""
    records = game.records
    if not records:
        return
    say(console, f"The last of {len(records)} actions" if len(records) > 1 else "The first action", style="bold")
    first = max(len(records) - number, 0)
    for position, record in enumerate(records[first:], start=first + 1):
        show_record(console, record, names_of(game), position)


def show_record(console: Console, record: Record, names: Names, number: int, note: str = "") -> None:
    """An answer, and under it what came of it."""
    say(console, f"{number}. {names.get(record.by, record.by)}: {describe(record.action)}{note}")
    for event in record.events:
        say(console, f"     {tell(event, names)}")


def show_results(console: Console, game: Game) -> None:
    """What everybody is worth; at the end of the game, who has won."""
    for place, row in enumerate(results(game), start=1):
        won = "  wins" if row["winner"] else ""
        say(console, f"{place}. {printable(row['name'])} {row['wealth']} K{won}")
