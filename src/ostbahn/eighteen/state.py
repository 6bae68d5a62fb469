"""Tasks and state that titles of share companies have in common, as plain data, and how plain games begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.title import PlainTitle
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.table import Table

# Tasks


class ShareTurn(Protocol):
    """What a player's turn in a round of shares says, in any title."""

    @property
    def player(self) -> str: ...
    @property
    def passes(self) -> int: ...
    @property
    def sold(self) -> tuple[str, ...]: ...
    @property
    def bans(self) -> tuple[tuple[str, str], ...]: ...


class StockRound(Task, frozen=True, tag="stock_round"):
    """A player's turn in a round of shares."""

    player: str
    passes: int = 0
    sold: tuple[str, ...] = ()
    bans: tuple[tuple[str, str], ...] = ()
    """Player and company: sold in this round, so not to be bought again in it."""
    last: str | None = None
    """Who sold or bought last."""


class CompanyTask(Task, frozen=True):
    company: str


class EstablishStation(CompanyTask, frozen=True, tag="establish_station"):
    pass


class PurchaseTrains(CompanyTask, frozen=True, tag="purchase_trains"):
    pass


class OperateTrains(CompanyTask, frozen=True, tag="operate_trains"):
    pass


class EndTurn(CompanyTask, frozen=True, tag="end_turn"):
    pass


# The state of a title without peculiarities


class PlainState(State, kw_only=True):
    round: str
    """The present round, by its letters and number."""
    priority: str
    """Who begins the next Stock Round."""
    sold: Mapping[str, int]
    """How many trains of each kind have left the bank."""


def opening(title: PlainTitle, setup: Setup, *agenda: Task) -> PlainState:
    """Everything in its place before the first action: money dealt, the playing order drawn."""
    number = len(setup.players)
    if number not in title.players:
        known = ", ".join(map(str, title.players))
        raise BadSetup(f"{title.name} is for so many players: {known}; not for {number}")
    seats = tuple(f"p{seat}" for seat in range(1, number + 1))
    order = Chance.of(setup).shuffled(seats) if setup.draw_order else seats
    cash = title.players[number].cash
    return PlainState(
        players=seats,
        order=order,
        cash={BANK: -cash * number, **dict.fromkeys(seats, cash), **dict.fromkeys(title.companies, 0)},
        certificates={company: (BANK,) * len(spec.certificates) for company, spec in title.companies.items()},
        chart=((),) * len(title.prices),
        board=Board({}, {}),
        supply={name: tile.count for name, tile in title.tiles.items()},
        phase=next(iter(title.phases)),
        trains={},
        revenue={},
        agenda=agenda,
        round="",
        priority=order[0],
        sold={},
    )


class PlainRulebook:
    """Which handler does which task, and with which task a game begins."""

    def __init__(
        self, title: PlainTitle, first: Task, handlers: Lookup[type[Task], Any], turns: tuple[str, str]
    ) -> None:
        """turns: the rules that say who is asked, in a round of shares and for a company."""
        self.title, self.first, self.handlers, self.turns = title, first, handlers, turns

    def initial_state(self, setup: Setup) -> PlainState:
        return opening(self.title, setup, self.first)

    def table(self, setup: Setup, state: State) -> PlainTable:
        return PlainTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        rule = self.turns[question.company is not None]
        return table.refuse(rule, f"{table.name(question.decider)} decides now, not {table.name(by)}")
