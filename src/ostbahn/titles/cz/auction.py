"""The auction of private papers in Moravia-Silesia (18CZ XI.2/18 to XI.2/26)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option, Span
from ostbahn.kernel.steps import ListedStep, PassStep, Step
from ostbahn.titles.cz.actions import Bid, NamePaper, OpenAuction
from ostbahn.titles.cz.events import NoPaperSold
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.state import Auction, Bidding
from ostbahn.titles.cz.stock import order_by_cash

RAISE = 5
"""Minimum raise over the last bid (XI.2/22)."""


def on_sale(table: MoraviaTable) -> list[str]:
    return [paper for paper, owner in table.state.locals.items() if owner == BANK]


def opener(table: MoraviaTable, task: Auction) -> str:
    """Return who opens; the right moves on by one seat per auction (XI.2/21)."""
    return table.state.order[task.opener % len(table.state.order)]


def minimum(table: MoraviaTable, paper: str) -> int:
    return table.title.locals[paper].price


def not_on_sale_refusal(table: MoraviaTable, paper: str) -> Refusal | None:
    if paper in on_sale(table):
        return None
    return table.refuse("XI.2/19", f"{paper} is not for sale; there are {', '.join(on_sale(table))}")


class OpenAuctionStep(Step[MoraviaTable, Auction, OpenAuction]):
    """Name a paper and bid its minimum or more (XI.2/19)."""

    action = OpenAuction

    def answers(self, table: MoraviaTable, task: Auction) -> Iterator[Option]:
        cash = table.state.cash[opener(table, task)]
        for paper in on_sale(table):
            least = minimum(table, paper)
            if least <= cash:
                yield Option(OpenAuction(paper, least), Span(least, cash))

    def refusal(self, table: MoraviaTable, task: Auction, action: OpenAuction) -> Refusal | None:
        if refusal := not_on_sale_refusal(table, action.paper):
            return refusal
        least = minimum(table, action.paper)
        if action.price < least:
            return table.refuse("XI.2/19", f"the minimum bid for {action.paper} is {least} K, not {action.price} K")
        return bid_refusal(table, opener(table, task), action.price)

    def perform(self, table: MoraviaTable, task: Auction, action: OpenAuction) -> None:
        player = opener(table, task)
        table.replace(Auction(task.opener + 1, task.unwanted))
        bidding = Bidding(action.paper, player, action.price, bidder=player)
        table.push(bidding)
        go_on(table, bidding)


class NamePaperStep(ListedStep[MoraviaTable, Auction, NamePaper]):
    """Name a paper and pass: the others may still bid for it (XI.2/19)."""

    action = NamePaper

    def candidates(self, table: MoraviaTable, task: Auction) -> list[NamePaper]:
        return [NamePaper(paper) for paper in on_sale(table)]

    def refusal(self, table: MoraviaTable, task: Auction, action: NamePaper) -> Refusal | None:
        return not_on_sale_refusal(table, action.paper)

    def perform(self, table: MoraviaTable, task: Auction, action: NamePaper) -> None:
        player = opener(table, task)
        table.replace(Auction(task.opener + 1, task.unwanted))
        bidding = Bidding(action.paper, player, out=(player,))
        table.push(bidding)
        go_on(table, bidding)


# One paper


class PlaceBid(Step[MoraviaTable, Bidding, Bid]):
    """Raise the standing bid, or bid at least the minimum if there is none (XI.2/19, XI.2/22)."""

    action = Bid

    def answers(self, table: MoraviaTable, task: Bidding) -> Iterator[Option]:
        least, cash = least_bid(table, task), table.state.cash[task.player]
        if least <= cash:
            yield Option(Bid(least), Span(least, cash))

    def refusal(self, table: MoraviaTable, task: Bidding, action: Bid) -> Refusal | None:
        least = least_bid(table, task)
        if action.price < least:
            rule = "XI.2/22" if task.bidder else "XI.2/19"
            return table.refuse(rule, f"the next bid for {task.paper} is {least} K or more, not {action.price} K")
        return bid_refusal(table, task.player, action.price)

    def perform(self, table: MoraviaTable, task: Bidding, action: Bid) -> None:
        go_on(table, replace(task, bid=action.price, bidder=task.player))


class LeaveBidding(PassStep[MoraviaTable, Bidding]):
    """Drop out until the next paper comes up (XI.2/23)."""

    def perform(self, table: MoraviaTable, task: Bidding, action: Pass) -> None:
        go_on(table, replace(task, out=(*task.out, task.player)))


def least_bid(table: MoraviaTable, task: Bidding) -> int:
    return minimum(table, task.paper) if task.bidder is None else task.bid + RAISE


def bid_refusal(table: MoraviaTable, player: str, price: int) -> Refusal | None:
    cash = table.state.cash[player]
    if price > cash:
        return table.refuse("XI.2/20", f"{table.name(player)} has only {cash} K")
    return None


def go_on(table: MoraviaTable, task: Bidding) -> None:
    """Ask the next player still in the bidding; without one, finish the auction (XI.2/19)."""
    order = table.state.order
    following = order.index(task.player) + 1
    for player in (*order[following:], *order[:following]):
        if player != task.bidder and player not in task.out:
            table.replace(replace(task, player=player))
            return
    table.pop()
    finish(table, task)


def finish(table: MoraviaTable, task: Bidding) -> None:
    """Sell the paper to the bidder, or count it as unwanted; then go on or end the round (XI.2/20, XI.2/24)."""
    auction = table.pop()
    assert isinstance(auction, Auction)
    unwanted = auction.unwanted + 1
    if task.bidder is not None:
        unwanted = 0
        pay(table, task.bidder, BANK, task.bid, table.paper(task.paper), "papers")
        table.give_paper(task.paper, task.bidder)
    if on_sale(table) and unwanted < len(table.state.order):
        table.push(Auction(auction.opener, unwanted))
    else:
        end(table)


def end(table: MoraviaTable) -> None:
    """Remove unsold papers, and reorder players, least cash first (XI.2/24 to XI.2/26)."""
    state = table.state
    state.locals = {paper: owner for paper, owner in state.locals.items() if owner != BANK}
    if not state.locals:
        state.agenda = ()
        state.winner = state.order[0]
        table.note(NoPaperSold(state.winner))
        table.note_final_wealth()
        return
    state.order = order_by_cash(table, most_first=False)
