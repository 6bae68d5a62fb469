"""The base of a table: limits, trains and wealth of titles of share companies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ostbahn.eighteen.title import Phase, PlainTitle, ShareTitle
from ostbahn.kernel import chart
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.money import BANK, holding, pay, share_unit
from ostbahn.kernel.native import native
from ostbahn.kernel.records import PhaseBegan, TrainMoved, Wealth
from ostbahn.kernel.state import Train
from ostbahn.kernel.table import Table

if TYPE_CHECKING:
    from ostbahn.eighteen.state import PlainState


@native(allow_interpreted_subclasses=True)
class BaseTable(Table):
    title: ShareTitle

    def ruled(self, ruling: str) -> str:
        """The value of a ruling in this game."""
        return self.rulings[ruling]

    @property
    def certificate_limit(self) -> int:
        return self.title.players[len(self.state.players)].certificate_limit

    def cannot_afford(self, rule: str, payer: str, price: int, what: str) -> Refusal | None:
        """Why a player or company cannot pay a price; None if it can. what: the subject of the text."""
        cash, currency = self.state.cash[payer], self.title.currency
        if price <= cash:
            return None
        return self.refuse(rule, f"{what} costs {price} {currency} and {self.name(payer)} has only {cash} {currency}")

    # Trains of companies

    def trains_of(self, company: str) -> tuple[Train, ...]:
        return self.state.trains.get(company, ())

    def owner_of(self, card: str) -> str | None:
        for company, trains in self.state.trains.items():
            if any(train.card == card for train in trains):
                return company
        return None

    def take_train(self, company: str, card: str) -> Train:
        trains = self.state.trains[company]
        self.state.trains = {**self.state.trains, company: tuple(train for train in trains if train.card != card)}
        return next(train for train in trains if train.card == card)

    def give_train(self, company: str, train: Train) -> None:
        self.state.trains = {**self.state.trains, company: (*self.trains_of(company), train)}

    # Wealth

    def share_value(self, player: str) -> int:
        return sum(
            chart.price(self, company) * holding(self, player, company) // share_unit(self, company)
            for company in chart.companies_by_price(self)
        )

    def wealth(self, player: str) -> int:
        return self.state.cash[player] + self.share_value(player)

    def note_final_wealth(self) -> None:
        for player, amount in self.standings().items():
            self.note(Wealth(player, amount))


@native(allow_interpreted_subclasses=True)
class PlainTable(BaseTable):
    title: PlainTitle
    state: PlainState

    @property
    def rounds(self) -> tuple[str, ...]:
        return self.title.game.rounds

    @property
    def round_number(self) -> int:
        """The index of the present round; the number of rounds when the game is over."""
        return self.rounds.index(self.state.round) if self.state.agenda else len(self.rounds)

    @property
    def runs_left(self) -> int:
        """The number of Operating Rounds left, with the present one."""
        return sum(code.startswith("OR") for code in self.rounds[self.round_number :])

    @property
    def waiting(self) -> tuple[str, ...]:
        """The companies still to act in the present Operating Round, from the first task with a field `waiting`."""
        return next((task.waiting for task in self.state.agenda if hasattr(task, "waiting")), ())

    @property
    def in_turn(self) -> str | None:
        named = (getattr(task, "company", None) for task in self.state.agenda)
        return next((company for company in named if company is not None), None)

    @property
    def phase(self) -> Phase:
        return self.title.phases[self.state.phase]

    def left(self, face: str) -> int | None:
        """How many trains of a face the bank has left; None if unlimited."""
        count = self.title.trains[face].count
        return None if count is None else count - self.state.sold.get(face, 0)

    def sell_train(self, company: str, face: str) -> None:
        """Sell a train of the bank to a company; the first of a face may begin a phase."""
        spec, number = self.title.trains[face], self.state.sold.get(face, 0) + 1
        pay(self, company, BANK, spec.price, f"{face}-train", "trains")
        self.state.sold = {**self.state.sold, face: number}
        train = Train(f"{face}.{number}", face)
        self.give_train(company, train)
        self.note(TrainMoved(train.card, face, "stack", company))
        if spec.begins is not None and number == 1:
            self.state.phase = spec.begins
            self.note(PhaseBegan(spec.begins))

    @property
    def on_sale(self) -> str | None:
        """The face on top of the stack; None if all trains are sold."""
        return next((face for face in self.title.trains if self.left(face) != 0), None)
