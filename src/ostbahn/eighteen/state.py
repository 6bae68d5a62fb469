"""Tasks and state common to titles of share companies, and the first state of a plain title."""

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
    """The fields that a player's turn in a share round has in every title."""

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
    """Player and company: shares sold in this round, which the player cannot buy back in it."""
    last: str | None = None
    """The player who sold or bought last."""


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


# Plain titles


class PlainState(State, kw_only=True):
    round: str
    """The code of the present round: `OR 1.1`."""
    priority: str
    """The player who begins the next Stock Round."""
    sold: Mapping[str, int]
    """The number of trains sold by face."""


def initial_state(title: PlainTitle, setup: Setup, *agenda: Task) -> PlainState:
    """The state before the first action: money dealt, playing order drawn."""
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
    """The handlers of tasks and the first task of a game."""

    def __init__(
        self, title: PlainTitle, first: Task, handlers: Lookup[type[Task], Any], turns: tuple[str, str]
    ) -> None:
        """turns: the rules on who decides, in a share round and in a company's turn."""
        self.title, self.first, self.handlers, self.turns = title, first, handlers, turns

    def initial_state(self, setup: Setup) -> PlainState:
        return initial_state(self.title, setup, self.first)

    def table(self, setup: Setup, state: State) -> PlainTable:
        return PlainTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        rule = self.turns[question.company is not None]
        return table.refuse(rule, f"{table.name(question.decider)} decides now, not {table.name(by)}")
