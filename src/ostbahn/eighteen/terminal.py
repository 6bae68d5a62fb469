"""A game at the terminal: its views as tables, its board as text. A title adds what is special."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, NamedTuple, cast

from rich.console import Console
from rich.text import Text

from ostbahn.eighteen.text import TableT
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.terminal import board_text
from ostbahn.terminal.board_text import FREE, TERRAIN, TOWN, TRACK_LEGEND, BoardText
from ostbahn.terminal.screen import NONE, print_chart, print_line, print_lines, print_table, short_city
from ostbahn.text.formatting import sentence_case
from ostbahn.views.models import CompanyView, PlayerView, StackView, TrainsView, TrainView
from ostbahn.views.title_views import views_of

SIGNS: Final = ", ".join(f"{sign}10 {terrain}" for terrain, sign in TERRAIN.items() if " " not in terrain)
CELL: Final = 4


class TableColumn(NamedTuple):
    name: str
    cell: Callable[[Any], str]
    figures: bool = False
    """Whether to align it right."""


def print_views(console: Console, title: str, views: Iterable[object], columns: Iterable[TableColumn]) -> None:
    """Print a table with a row for each view and without empty columns; print nothing without views."""
    filled = {column: cells for column in columns if any(cells := [column.cell(view) for view in views])}
    rows = [[cell or NONE for cell in row] for row in zip(*filled.values(), strict=True)]
    if rows:
        figures = [column.name for column in filled if column.figures]
        print_table(console, title, [column.name for column in filled], rows, figures)


class BaseTerminalRenderer(Generic[TableT]):
    """Prints players, companies, share prices, trains and phases from the views of the title."""

    legend: tuple[str, ...] = (
        f"12/2: tile 12 at rotation 2   +20: pays 20   {FREE} free place   {TOWN} town",
        f"{SIGNS}: cost of the first tile",
        TRACK_LEGEND,
    )
    director: str = "director"
    priority: str = ""
    """The sign after the name of the player who begins the next share round."""
    headings: tuple[str, str] = ("Companies without shares", "Companies by price")
    sketch: ClassVar[type[BoardText[Any]]] = BoardText
    chart_rows: int = 1
    """The number of rows over which the prices of the chart are spread."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = cast(TableT, game.table)

    # The table

    def show_table(self, console: Console) -> None:
        views = views_of(self.game)
        players, companies, trains = views.players(None), views.companies(), views.trains()
        legend = "".join(f", {words}" for words in self._sign_meanings(players))
        heading = f"Players in playing order (* {self.director}{legend})"
        print_views(console, heading, players, self._player_columns(players))
        self._show_companies(console, companies)
        self._show_chart(console)
        print_views(console, "Trains", trains.stacks, self._stack_columns())
        for line in (*self._train_lines(trains), *_notes([*players, *companies])):
            print_line(console, line)

    def _sign_meanings(self, players: Iterable[PlayerView]) -> Iterator[str]:
        if self.priority:
            yield f"{self.priority}: {next(player.priority_words for player in players if player.has_priority)}"
        if any(paper.power_used for player in players for paper in player.papers):
            yield "in brackets: used"

    def _money(self, amount: int | None) -> str:
        return _if_any(amount, f" {self.table.title.currency}")

    def _player_columns(self, players: Iterable[PlayerView]) -> Iterator[TableColumn]:
        yield TableColumn("player", self._player)
        yield TableColumn("cash", lambda player: self._money(player.cash), figures=True)
        yield TableColumn("certificates", _certificates, figures=True)
        yield TableColumn("shares", _holdings)
        for kind in dict.fromkeys(paper.kind for player in players for paper in player.papers):
            yield TableColumn(f"{kind}s", partial(_papers, kind=kind))
        yield TableColumn("debt", lambda player: self._money(player.debt or None), figures=True)
        yield TableColumn("penalty", lambda player: self._money(player.penalty or None), figures=True)
        yield TableColumn("worth", lambda player: self._money(player.worth), figures=True)

    def _player(self, player: PlayerView) -> str:
        priority = f" {self.priority}" if self.priority and player.has_priority else ""
        return f"{player.seat} {player.name}{priority}" if player.place is not None else player.name

    def _show_companies(self, console: Console, companies: Iterable[CompanyView]) -> None:
        """Print companies without a price in order of the title, others by price, then those not in play."""
        charters, by_price = self.table.title.charters, chart.companies_by_price(self.table)
        playing = [company for company in companies if is_in_play(company)]
        unpriced = sorted((view for view in playing if view.price is None), key=lambda view: charters.index(view.id))
        priced = sorted((view for view in playing if view.price is not None), key=lambda view: by_price.index(view.id))
        for heading, group in zip(self.headings, (unpriced, priced), strict=True):
            print_views(console, heading, group, self.company_columns(group))
        for words, idle in _grouped((company.state_words, company) for company in companies if not is_in_play(company)):
            named = ", ".join(" ".join([company.id, *(home.name for home in company.homes)]) for company in idle)
            print_line(console, f"{sentence_case(words)} ({named})")

    def company_columns(self, companies: Sequence[CompanyView]) -> Iterator[TableColumn]:
        yield TableColumn("", self.company_label)
        if len({company.kind for company in companies}) > 1:
            yield TableColumn("size", lambda company: company.kind)
        yield TableColumn("sells", lambda company: company.sells)
        owner = "owner" if any(company.price is None for company in companies) else self.director
        yield TableColumn(owner, lambda company: company.director.name if company.director else "nobody")
        yield TableColumn("price", lambda company: self._money(company.price), figures=True)
        yield TableColumn("treasury", lambda company: self._money(company.treasury) or "not floated", figures=True)
        yield TableColumn("revenue", lambda company: self._money(company.last_revenue), figures=True)
        yield TableColumn("bank", lambda company: _if_any(company.bank_percent, "%"), figures=True)
        yield TableColumn("limit", _limit, figures=True)
        yield TableColumn("trains", lambda company: " ".join(map(_card, company.trains)))
        yield TableColumn("markers", lambda company: _if_any(company.markers_left), figures=True)
        yield TableColumn("stations", self._stations)
        yield TableColumn("papers", _papers)

    def company_label(self, company: CompanyView) -> str:
        return company.id

    def _stations(self, company: CompanyView) -> str:
        return " ".join(short_city(self.table, station.id) for station in company.stations)

    # The chart

    def _show_chart(self, console: Console) -> None:
        """Print all prices with the markers under them; on a narrow screen only prices with markers."""
        prices, rows = self.table.title.prices, self.chart_rows
        print_line(console, "Share-price chart", style="bold")
        if -(-len(prices) // rows) * CELL > console.width:
            print_chart(console, self.table, self.table.title.currency)
            return
        for first in reversed(range(rows)):
            indent = first * CELL // rows * " "
            print_lines(
                console, [Text((indent + "".join(f"{price:<{CELL}}" for price in prices[first::rows])).rstrip(), "dim")]
            )
            print_lines(console, (Text(indent + line) for line in marker_lines(self.table.state.chart[first::rows])))

    # Trains

    def _stack_columns(self) -> Iterator[TableColumn]:
        yield TableColumn("cards", lambda stack: "" if stack.id == stack.faces[0].face else stack.id)
        yield TableColumn("trains", self._faces)
        yield TableColumn("left", lambda stack: "∞" if stack.left is None else str(stack.left), figures=True)
        yield TableColumn("sold by", lambda stack: stack.seller)
        yield TableColumn("next card", lambda stack: stack.next_card if stack.top else "")
        yield TableColumn("no-train-sold tokens", lambda stack: str(stack.tokens or ""), figures=True)
        yield TableColumn("first sale", lambda stack: stack.words)

    def _faces(self, stack: StackView) -> str:
        return ", ".join(f"{face.face} for {self._money(face.price)}" for face in stack.faces if not face.gone)

    def _train_lines(self, trains: TrainsView) -> Iterator[str]:
        if trains.pool:
            yield f"Pool: {', '.join(f'{_card(t)} for {self._money(trains.pool_prices[t.card])}' for t in trains.pool)}"
        for phase in trains.phases:
            if phase.state == "now":
                yield f"Phase {phase.id}: {'; '.join(phase.words)}"
        yield from trains.notes

    # The board

    def board_lines(self, width: int) -> list[Text]:
        return board_text.board_lines(self.sketch(self.table), width)


def is_in_play(company: CompanyView) -> bool:
    return company.state in ("started", "operating")


def _certificates(player: PlayerView) -> str:
    return f"{player.certificates}/{player.certificate_limit}" if player.certificate_limit else str(player.certificates)


def _holdings(player: PlayerView) -> str:
    return ", ".join(f"{held.company} {held.percent}%{'*' * held.is_director}" for held in player.holdings)


def _if_any(number: int | None, unit: str = "") -> str:
    return "" if number is None else f"{number}{unit}"


def _limit(company: CompanyView) -> str:
    return "" if company.train_limit is None else f"{len(company.trains)}/{company.train_limit}"


def _card(train: TrainView) -> str:
    return f"{train.face}[{train.card}]"


def _papers(owner: PlayerView | CompanyView, kind: str | None = None) -> str:
    """The papers of a kind, or all; brackets mark those whose power has been used."""
    papers = [paper for paper in owner.papers if kind in (None, paper.kind)]
    return " ".join(f"({paper.label or paper.id})" if paper.power_used else paper.label or paper.id for paper in papers)


def _notes(views: Iterable[PlayerView | CompanyView]) -> Iterator[str]:
    """Each note once, after the names of all whom it concerns."""
    for note, group in _grouped((note, view) for view in views for note in view.notes):
        yield f"{', '.join(view.name if isinstance(view, PlayerView) else view.id for view in group)}: {note}"


def _grouped(pairs: Iterable[tuple[str, Any]]) -> list[tuple[str, list[Any]]]:
    """The second values of pairs by their first, in order of appearance."""
    groups: dict[str, list[Any]] = {}
    for words, thing in pairs:
        groups.setdefault(words, []).append(thing)
    return list(groups.items())


def marker_lines(stacks: Sequence[Sequence[str]]) -> list[str]:
    """Lines with the markers under their prices, from the top; a long name pushes its neighbour a line down."""
    lines: list[str] = []
    for space, stack in enumerate(stacks):
        depth = 0
        for company in stack:
            while depth < len(lines) and len(lines[depth]) >= max(space * CELL, 1):
                depth += 1
            if depth == len(lines):
                lines.append("")
            lines[depth] = f"{lines[depth]:<{space * CELL}}{company}"
            depth += 1
    return lines
