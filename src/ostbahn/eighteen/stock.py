"""The base of share rounds: turns, prices, purchase, sale, and Directors."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from msgspec import structs

from ostbahn.eighteen.state import ShareTurn
from ostbahn.kernel import chart, money
from ostbahn.kernel.money import BANK, director, holding, pay, share_unit
from ostbahn.kernel.table import Table

RoundT = TypeVar("RoundT", bound=ShareTurn)

# Turns


def player_to_left(table: Table, player: str) -> str:
    order = table.state.order
    return order[(order.index(player) + 1) % len(order)]


def next_turn(table: Table, task: RoundT, passed: bool) -> RoundT | None:
    """The turn of the player to the left; None when all have passed in a row."""
    passes = task.passes + 1 if passed else 0
    if passes == len(table.state.order):
        return None
    following: RoundT = structs.replace(
        cast("Any", task), player=player_to_left(table, task.player), passes=passes, sold=()
    )
    return following


def with_sale(task: RoundT, company: str) -> RoundT:
    """The turn after a sale; the player cannot buy shares of the company again in this round."""
    ban = (task.player, company)
    bans = task.bans if ban in task.bans else (*task.bans, ban)
    sold = task.sold if company in task.sold else (*task.sold, company)
    after: RoundT = structs.replace(cast("Any", task), sold=sold, bans=bans)
    return after


# Prices


def move_price(table: Table, company: str, spaces: int, why: str) -> None:
    """Move a price by this many spaces, at most to an end of the chart."""
    space = chart.space_of(table, company) + spaces
    chart.place_marker(table, company, min(max(space, 0), len(table.title.prices) - 1), why)


def raise_sold_out(table: Table, spaces: int) -> None:
    """Raise companies of which the bank has no share, highest price first."""
    for company in chart.companies_by_price(table):
        if BANK not in table.state.certificates[company]:
            move_price(table, company, spaces, "sold out")


# Purchase and sale


def start_company(table: Table, player: str, company: str, price: int) -> None:
    """Sell the Director's certificate for two shares at the price that the buyer chose."""
    pay(table, player, BANK, 2 * price, f"Director's certificate of {company}", "shares")
    money.move_certificate(table, company, 0, player)
    chart.place_marker(table, company, table.title.prices.index(price), "start")


def buy_share(table: Table, player: str, company: str) -> None:
    pay(table, player, BANK, chart.price(table, company), f"share of {company}", "shares")
    money.move_certificate(table, company, money.ordinary_certificates(table, BANK, company)[0], player)


def sell_shares(table: Table, player: str, company: str, percent: int) -> None:
    """Sell shares to the bank; a Director left with too few hands the certificate over first."""
    number = percent // share_unit(table, company)
    pay(table, BANK, player, chart.price(table, company) * number, f"shares of {company}", "shares")
    director_percent = table.title.companies[company].certificates[0]
    if director(table, company) == player and holding(table, player, company) - percent < director_percent:
        money.hand_over_directorship(table, company, strongest_other(table, company, player))
    for certificate in money.ordinary_certificates(table, player, company)[:number]:
        money.move_certificate(table, company, certificate, BANK)
    change_director_if_outdone(table, company)


# Directors


def strongest_other(table: Table, company: str, player: str) -> str:
    """The other player with the most shares; of equal ones the first to the left."""
    order = table.state.order
    start = order.index(player)
    return max((*order[start + 1 :], *order[:start]), key=lambda other: holding(table, other, company))


def change_director_if_outdone(table: Table, company: str) -> None:
    """Make a player with more shares than the Director the new Director."""
    incumbent = director(table, company)
    if incumbent not in table.state.players:
        return
    challenger = strongest_other(table, company, incumbent)
    if holding(table, challenger, company) > holding(table, incumbent, company):
        money.hand_over_directorship(table, company, challenger)
