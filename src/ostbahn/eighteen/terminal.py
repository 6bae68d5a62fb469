"""A title without peculiarities at the terminal: players, companies, prices and trains in tables, and the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rich.console import Console
from rich.text import Text

from ostbahn.eighteen.table import PlainTable
from ostbahn.kernel import chart, money
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.map.tiles import Face
from ostbahn.terminal import board_text
from ostbahn.terminal.board_text import FREE, INSIDE, STYLES, TERRAIN, TOWN, TRACK_LEGEND
from ostbahn.terminal.screen import NONE, put_prices, put_rows, say, short_city
from ostbahn.text.formatting import printable

SIGNS = ", ".join(f"{sign}10 {terrain}" for terrain, sign in TERRAIN.items() if " " not in terrain)
PLAYERS = ("player", "cash", "certificates", "shares", "worth")
COMPANIES = ("company", "Director", "price", "treasury", "revenue", "trains", "stations")


class PlainDisplay:
    legend = (
        f"12/2: tile 12 at rotation 2   +20: pays 20   {FREE} free place   {TOWN} town",
        f"{SIGNS}: cost of the first tile",
        TRACK_LEGEND,
    )

    def __init__(self, game: Game) -> None:
        self.table = cast(PlainTable, game.table)

    def show_table(self, console: Console) -> None:
        table = self.table
        put_rows(
            console, "Players (* Director)", PLAYERS, [_player(table, seat) for seat in table.state.order], PLAYERS[1:3]
        )
        started = chart.by_price(table)
        put_rows(console, "Companies by price", COMPANIES, [_company(table, each) for each in started], COMPANIES[2:5])
        say(console, "Share prices", style="bold")
        put_prices(console, table, table.title.currency)
        say(console, f"Trains: {', '.join(_trains(table))}")

    def board_lines(self, width: int) -> list[Text]:
        return board_text.board_lines(PlainSketch(self.table), width)


def _money(table: PlainTable, amount: int) -> str:
    return f"{amount} {table.title.currency}"


def _player(table: PlainTable, seat: str) -> tuple[str, ...]:
    shares = [
        f"{company} {percent}%" + ("*" if money.director(table, company) == seat else "")
        for company in chart.by_price(table)
        if (percent := money.holding(table, seat, company))
    ]
    return (
        printable(table.name(seat)),
        _money(table, table.state.cash[seat]),
        f"{money.count_certificates(table, seat)}/{table.certificate_limit}",
        ", ".join(shares) or NONE,
        _money(table, table.wealth(seat)),
    )


def _company(table: PlainTable, company: str) -> tuple[str, ...]:
    state = table.state
    return (
        company,
        printable(table.name(money.director(table, company))),
        _money(table, chart.price(table, company)),
        _money(table, state.cash[company]),
        _money(table, state.revenue[company]) if company in state.revenue else NONE,
        " ".join(train.face for train in state.trains.get(company, ())) or NONE,
        " ".join(short_city(table, city) for city in state.board.stations_of(company)) or NONE,
    )


def _trains(table: PlainTable) -> Iterator[str]:
    """What the bank still sells."""
    for face, spec in table.title.trains.items():
        left = table.left(face)
        if left != 0:
            many = "no end of" if left is None else str(left)
            yield f"{many} {face}-trains at {_money(table, spec.price)}"


class PlainSketch:
    def __init__(self, table: PlainTable) -> None:
        self.table = table
        self.map, self.tile_set, self.board = table.title.map, table.title.tile_set, table.state.board

    def style(self, hex_: Hex) -> str:
        laid = self.board.tiles.get(hex_.id)
        if laid is not None:
            return STYLES[self.table.title.tiles[laid[0]].colour]
        return STYLES.get(hex_.printed.ground, STYLES.get(hex_.printed.terrain or "", ""))

    def content(self, hex_: Hex, face: Face, wide: int) -> tuple[str, str, str]:
        """Name and money, tile or place, stations."""
        laid = self.board.tiles.get(hex_.id)
        value = board_text.value_of(face, self.table.phase.colour)
        cost = board_text.terrain_cost(hex_, self.board)
        first = board_text.first_line(hex_, cost or (f"+{value}" if value else ""), wide)
        second = f"{laid[0]}/{laid[1]}" if laid is not None else (hex_.printed.name or "").partition(" ")[0]
        return first, second, "|".join(self._places(hex_, face))

    def _places(self, hex_: Hex, face: Face) -> list[str]:
        return [board_text.place(self.board, hex_, face, node, []) for node in range(len(face.nodes))]

    def beside(self) -> Iterator[str]:
        """Stations for which their hex is too narrow."""
        for hex_ in self.map:
            places = "|".join(self._places(hex_, self.board.face(self.tile_set, hex_)))
            if len(places) > INSIDE:
                yield f"{hex_.id} {hex_.printed.name or ''}: {places}"
