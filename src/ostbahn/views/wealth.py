"""Views of the players' wealth: over the game, at its end, and in the spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ostbahn.kernel.game import Game
from ostbahn.kernel.records import RoundBegan
from ostbahn.text.formatting import printable
from ostbahn.text.speech import text_renderer_of
from ostbahn.text.words import join_words
from ostbahn.views.common import ranks
from ostbahn.views.models import CompanyView, MarkView, PlayerView, Role, View
from ostbahn.views.title_views import RecordStats, views_of


class WealthPoint(View, frozen=True, kw_only=True):
    """What everybody was worth at one moment."""

    number: int
    """After this many answers."""
    round: str
    round_name: str
    worth: Mapping[str, int]
    """By seat."""


class WealthView(View, frozen=True, kw_only=True):
    """Everybody's worth over the game."""

    currency: str
    names: Mapping[str, str]
    """The names by seat."""
    points: tuple[WealthPoint, ...]
    """The beginning of every round, and the present."""


class PartView(View, frozen=True, kw_only=True):
    """A part of a player's worth; debts and penalties are negative."""

    name: str
    amount: int


class ResultPlace(View, frozen=True, kw_only=True):
    """A player and their place in the result."""

    place: int
    """1 for the richest; equals share a place."""
    seat: str
    name: str
    role: Role
    """`player`, `automaton` or `bystander`."""
    worth: int
    parts: tuple[PartView, ...]
    """What their worth is made of."""
    winner: bool


class ResultView(View, frozen=True, kw_only=True):
    """How the game ended."""

    currency: str
    places: tuple[ResultPlace, ...]
    winners: tuple[str, ...]
    words: str
    """`Anna wins with 4300 K`"""


class CellView(View, frozen=True, kw_only=True):
    """What a player holds of a company."""

    percent: int
    value: int
    is_director: bool


class ColumnView(View, frozen=True, kw_only=True):
    """A company with shares: its price, treasury, trains and what the bank has left."""

    company: str
    name: str
    mark: MarkView
    state: str
    price: int | None
    price_moved: int
    bank_percent: int | None
    treasury: int | None
    trains: tuple[str, ...]
    """The kinds of its trains."""
    last_revenue: int | None
    last_dividend: int | None
    yield_percent: int | None


class RowView(View, frozen=True, kw_only=True):
    """What a player has, and what they would be worth if the game ended now."""

    seat: str
    name: str
    shares: Mapping[str, CellView]
    """Their shares by company; companies of which they hold nothing are left out."""
    cash: int | None
    shares_value: int
    papers_value: int
    owed: int
    """Debt and penalty together."""
    worth: int | None
    rank: int | None
    can_raise: int | None
    certificates: int
    certificate_limit: int | None


class IncomeView(View, frozen=True, kw_only=True):
    """What everybody's holdings brought them in an Operating Round."""

    round: str
    received: Mapping[str, int]
    """By seat, for all players."""


class SheetView(View, frozen=True, kw_only=True):
    """The spreadsheet: a column for each company, a row for each player, and all incomes."""

    columns: tuple[ColumnView, ...]
    """The companies, in their order."""
    rows: tuple[RowView, ...]
    """The players, in playing order."""
    incomes: tuple[IncomeView, ...]
    """One for each Operating Round so far."""


def wealth_over_time(game: Game) -> WealthView:
    """The wealth of all players at the beginning of each round, and now."""
    renderer = text_renderer_of(game)
    rounds = {0: views_of(game.position(0)).round}
    for number, record in enumerate(game.records, start=1):
        for event in record.events:
            if isinstance(event, RoundBegan):
                rounds[number] = event.round
    present = "the end" if game.over else "now"
    return WealthView(
        currency=renderer.words.currency,
        names={seat: printable(renderer.table.name(seat)) for seat in renderer.table.state.players},
        points=(
            *(_wealth_point(game.position(at), code, renderer.words.round_name(code)) for at, code in rounds.items()),
            _wealth_point(game, present, present),
        ),
    )


def _wealth_point(game: Game, round_: str, round_name: str) -> WealthPoint:
    worth = game.worth()
    return WealthPoint(
        number=len(game), round=round_, round_name=round_name, worth={seat: worth[seat] for seat in game.state.players}
    )


def result_view(game: Game) -> ResultView | None:
    """The result of a game; None until it is over."""
    if (result := game.result) is None:
        return None
    renderer, views = text_renderer_of(game), views_of(game)
    winners, worth = result  # a rule may let others win than the richest
    names = {seat: printable(renderer.table.name(seat)) for seat in worth}
    places = tuple(
        ResultPlace(
            place=place,
            seat=seat,
            name=names[seat],
            role=views.role(seat),
            worth=worth[seat],
            parts=tuple(PartView(name=name, amount=amount) for name, amount in views.wealth_parts(seat).items()),
            winner=seat in winners,
        )
        for seat, place in ranks(worth).items()
    )
    verb = "share the win" if len(winners) > 1 else "wins"
    words = f"{join_words(names[seat] for seat in winners)} {verb} with {renderer.words.money(worth[winners[0]])}"
    return ResultView(currency=renderer.words.currency, places=places, winners=winners, words=words)


def sheet_view(players: Iterable[PlayerView], companies: Iterable[CompanyView], past: RecordStats) -> SheetView:
    """Make the spreadsheet from existing views; companies without shares have no column."""
    return SheetView(
        columns=tuple(_company_column(company) for company in companies if company.bank_percent is not None),
        rows=tuple(_player_row(player) for player in players),
        incomes=tuple(IncomeView(round=earned.round, received=dict(earned.received)) for earned in past.earned),
    )


def _company_column(company: CompanyView) -> ColumnView:
    return ColumnView(
        company=company.id,
        name=company.name,
        mark=company.mark,
        state=company.state,
        price=company.price,
        price_moved=company.price_moved,
        bank_percent=company.bank_percent,
        treasury=company.treasury,
        trains=tuple(train.face for train in company.trains),
        last_revenue=company.last_revenue,
        last_dividend=company.last_dividend,
        yield_percent=company.yield_percent,
    )


def _player_row(player: PlayerView) -> RowView:
    return RowView(
        seat=player.seat,
        name=player.name,
        shares={
            held.company: CellView(percent=held.percent, value=held.value, is_director=held.is_director)
            for held in player.holdings
        },
        cash=player.cash,
        shares_value=sum(held.value for held in player.holdings),
        papers_value=sum(paper.value for paper in player.papers),
        owed=player.debt + player.penalty,
        worth=player.worth,
        rank=player.rank,
        can_raise=player.can_raise,
        certificates=player.certificates,
        certificate_limit=player.certificate_limit,
    )
