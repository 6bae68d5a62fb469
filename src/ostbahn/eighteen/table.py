"""The table of a title without peculiarities: its state, its opening, and what people want to see on it."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.eighteen.title import Phase, PlainTitle
from ostbahn.kernel import chart
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.table import Table


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


class PlainTable(Table):
    """A table that answers what people want to see on it."""

    title: PlainTitle
    state: PlainState

    @property
    def rounds(self) -> tuple[str, ...]:
        """All rounds of the game in their order."""
        return self.title.game.rounds

    @property
    def round_number(self) -> int:
        """Which of all rounds is the present one, from 0; beyond the last when the game is over."""
        return self.rounds.index(self.state.round) if self.state.agenda else len(self.rounds)

    @property
    def runs_left(self) -> int:
        """Operating Rounds from the present round on."""
        return sum(code.startswith("OR") for code in self.rounds[self.round_number :])

    @property
    def certificate_limit(self) -> int:
        """How many certificates a player may hold."""
        return self.title.players[len(self.state.players)].certificate_limit

    @property
    def waiting(self) -> tuple[str, ...]:
        """The companies that have still to act in the present Operating Round: those that a task calls `waiting`."""
        return next((task.waiting for task in self.state.agenda if hasattr(task, "waiting")), ())

    @property
    def in_turn(self) -> str | None:
        """The company that acts now."""
        named = (getattr(task, "company", None) for task in self.state.agenda)
        return next((company for company in named if company is not None), None)

    @property
    def phase(self) -> Phase:
        return self.title.phases[self.state.phase]

    def left(self, face: str) -> int | None:
        """How many trains of a kind the bank still has; None: without end."""
        count = self.title.trains[face].count
        return None if count is None else count - self.state.sold.get(face, 0)

    @property
    def on_sale(self) -> str | None:
        """The kind of train that lies on top; None if all are gone."""
        return next((face for face in self.title.trains if self.left(face) != 0), None)

    # What everybody is worth

    def share_value(self, player: str) -> int:
        """A player's shares at their prices."""
        return sum(
            chart.price(self, company) * holding(self, player, company) // share_unit(self, company)
            for company in chart.by_price(self)
        )

    def wealth(self, player: str) -> int:
        return self.state.cash[player] + self.share_value(player)

    def standings(self) -> dict[str, int]:
        """What everybody is worth, the richest first."""
        found = {player: self.wealth(player) for player in self.state.players}
        return dict(sorted(found.items(), key=lambda row: -row[1]))
