"""What lies on the table of 18Mag: players, minors, majors, chart and trains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from ostbahn.kernel import chart, money
from ostbahn.kernel.money import BANK, director, holding
from ostbahn.terminal.screen import NONE, grid_of, put_lines, put_prices, put_rows, say, short_city
from ostbahn.text.formatting import printable
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.modules.supporters_table import cards_of
from ostbahn.titles.mag.rounds import wealth
from ostbahn.titles.mag.solo_table import SoloTable
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stock import certificate_limit
from ostbahn.titles.mag.trains import trains_of
from ostbahn.titles.mag.words.cards import company_card, is_used, share_card, supporter_name
from ostbahn.titles.mag.words.face import begins, home_name, sells

CELL = 4
"""Characters for a price of the chart."""


def show_table(console: Console, table: MagTable) -> None:
    console.print(_players(table))
    _minors(console, table)
    _majors(console, table)
    _chart(console, table)
    console.print(_trains(table))
    say(console, _cars(table))
    if isinstance(table, SoloTable) and table.state.istvan is not None:
        _istvan(console, table)


def _istvan(console: Console, table: SoloTable) -> None:
    """His cards with what is still to be done on them, and the share card."""
    say(console, f"{table.title.solo.opponent}'s cards", style="bold")
    for minor in table.istvan.cards:
        say(console, f"minor {minor}, {company_card(table, minor)}")
    say(console, share_card(table))


def _heading(table: MagTable) -> str:
    helped = "; in brackets: has helped in this round" if table.title.supporters else ""
    return f"Players in playing order (* director, PD: priority deal{helped})"


def _players(table: MagTable) -> Grid:
    state, limit = table.state, certificate_limit(table)
    grid = grid_of(
        _heading(table),
        *("seat", "name", "cash", "certificates", "shares", "minors"),
        *(["supporters"] if table.title.supporters else []),
        "worth",
        right=("cash", "certificates", "worth"),
    )
    for player in state.order:
        shares = [
            f"{major} {percent}%" + ("*" if director(table, major) == player else "")
            for major in chart.by_price(table)
            if (percent := holding(table, player, major))
        ]
        grid.add_row(
            player,
            printable(table.name(player)) + (" PD" if state.priority == player else ""),
            f"{state.cash[player]} Ft",
            f"{money.count_certificates(table, player)}/{limit}",
            ", ".join(shares) or NONE,
            " ".join(minors_of(table, player)) or NONE,
            *([", ".join(_supporters(table, player)) or NONE] if table.title.supporters else []),
            f"{wealth(table, player)} Ft",
        )
    return grid


def _supporters(table: MagTable, player: str) -> Iterator[str]:
    """Those who have helped in this Operating Round are in brackets."""
    for supporter in cards_of(table, player):
        name = supporter_name(supporter)
        yield f"({name})" if is_used(table, supporter) else name


MINOR = ("", "owner", "treasury", "income", "trains", "stations left", "stations in", "terrain tokens")
"""What is told of a minor; the income is the last one, and left are stations on the charter."""


def _minors(console: Console, table: MagTable) -> None:
    state, title = table.state, table.title
    rows = [_minor(table, minor) for minor in title.minors if state.owners.get(minor, BANK) != BANK]
    if rows:
        put_rows(console, "Minors", MINOR, rows, ("treasury", "income", "stations left", "terrain tokens"))
    free = [f"{minor} {home_name(title, minor)}" for minor in title.minors if state.owners.get(minor) == BANK]
    if free:
        say(console, f"Minors that can be taken, and their homes: {', '.join(free)}")


def _minor(table: MagTable, minor: str) -> tuple[str, ...]:
    state, tokens = table.state, table.terrain_tokens(minor)
    return (
        f"{minor:<3}{table.title.minors[minor].short}",
        printable(table.name(state.owners[minor])),
        f"{state.cash[minor]} Ft",
        f"{state.revenue[minor]} Ft" if minor in state.revenue else NONE,
        " ".join(f"{train.face}[{train.card}]" for train in trains_of(table, minor)) or NONE,
        str(state.markers[minor]),
        _cities(table, minor),
        "endless" if tokens is None else str(tokens or NONE),
    )


def _cities(table: MagTable, company: str) -> str:
    return " ".join(short_city(table, city) for city in table.state.board.stations_of(company)) or NONE


MAJOR = ("", "sells", "director", "price", "treasury", "payout", "in the bank", "markers left", "markers in")
"""What is told of a major; the payout is the last one, and left are markers on the charter."""


def _majors(console: Console, table: MagTable) -> None:
    rows = [_major(table, major) for major in chart.by_price(table)]
    put_rows(console, "Majors by price", MAJOR, rows, ("price", "treasury", "payout", "in the bank", "markers left"))
    if table.state.package:
        package = ", ".join(f"{number} {major}" for major, number in table.state.package.items() if number)
        say(console, f"Shares that can be taken: {package or 'none'}")


def _major(table: MagTable, major: str) -> tuple[str, ...]:
    state = table.state
    return (
        major,
        sells(table.title, major),
        printable(table.name(director(table, major))),
        f"{chart.price(table, major)} Ft",
        f"{state.cash[major]} Ft",
        f"{state.revenue[major]} Ft" if major in state.revenue else NONE,
        f"{holding(table, BANK, major)}%",
        str(state.markers[major]),
        _cities(table, major),
    )


def _chart(console: Console, table: MagTable) -> None:
    """One row of prices with the markers under them; on a narrow screen only the prices that carry any."""
    prices = table.title.prices
    say(console, "Share-price chart", style="bold")
    if len(prices) * CELL > console.width:
        put_prices(console, table, "Ft")
        return
    put_lines(console, [Text("".join(f"{price:<{CELL}}" for price in prices).rstrip(), "dim")])
    put_lines(console, map(Text, _markers(table.state.chart)))


def _markers(stacks: Sequence[Sequence[str]]) -> list[str]:
    """Markers under their prices, upper before lower; a long name pushes its neighbour into the next line."""
    lines: list[str] = []
    for space, stack in enumerate(stacks):
        depth = 0
        for major in stack:
            while depth < len(lines) and len(lines[depth]) >= max(space * CELL, 1):
                depth += 1
            if depth == len(lines):
                lines.append("")
            lines[depth] = f"{lines[depth]:<{space * CELL}}{major}"
            depth += 1
    return lines


def _trains(table: MagTable) -> Grid:
    """The endless stacks; the no-train-sold tokens lie on the lowest one that has an indicator tile."""
    state, title = table.state, table.title
    grid = grid_of("Trains", "", "price", "sold by", "round indicator tile", "no-train-sold tokens", right=("price",))
    for face, stack in title.stacks.items():
        tile = (begins(table, face) or "no phase follows") if face in state.indicators else NONE
        lowest = face in state.indicators[:1] and not table.phase.final
        tokens = f"{state.no_train} of {title.no_train_tokens}" if lowest else NONE
        grid.add_row(face, f"{stack.price} Ft", stack.seller, tile, tokens)
    return grid


def _cars(table: MagTable) -> str:
    """What rail cars cost and bring in this phase."""
    prices, bonus = ", ".join(map(str, table.phase.rail_cars)), table.phase.off_board_bonus
    each = (
        "a minor may have one in a round" if table.title.rail_cars.one_of_them else "for a minor's first, second, third"
    )
    red = f"; a train from red to red earns {table.phase.red_to_red} Ft more" if table.phase.red_to_red else ""
    return f"Rail cars: {prices} Ft ({each}); the off-board car adds {bonus} Ft{red}"
