"""The accounts of a game from its records: every payment with its round, and all balances at the end of each round.

A round ends in the middle of an answer, so the payments after its end are subtracted from the state after the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import count_certificates, holding
from ostbahn.kernel.records import PLACES, Event, Paid, PhaseBegan, Purpose, Revenue, RoundBegan, TrainMoved
from ostbahn.text.formatting import printable
from ostbahn.text.speech import text_renderer_of
from ostbahn.text.words import Naming
from ostbahn.views.models import CompanyView
from ostbahn.views.title_views import LastRun, TitleViews, views_of

if TYPE_CHECKING:
    import polars as pl

SETTING_UP: Final = "set-up"
"""The name of what comes before the first round."""
CASH: Final = "cash"
"""The name of the part of a player's wealth that is money."""


class Payment(Struct, frozen=True):
    number: int
    """The number of the answer; 0 before the first."""
    round: str
    source: str
    target: str
    amount: int
    purpose: Purpose
    why: str
    service: str = ""
    """The service that a company sold, if the title has services."""


class PhaseAccount(Struct, frozen=True):
    number: int
    round: str
    phase: str


class TrainAccount(Struct, frozen=True):
    number: int
    round: str
    face: str
    source: str
    """`stack`, `pool` or another company."""
    company: str


class CompanyName(Struct, frozen=True):
    """The name of a company and the look of its charter."""

    name: str
    """Its name within a sentence."""
    letters: str
    colour: str
    kind: str


class PlayerAccount(Struct, frozen=True, kw_only=True):
    """A player's holdings at the end of a round."""

    seat: str
    cash: int
    parts: Mapping[str, int]
    """The parts of their wealth by name."""
    worth: int
    income: int
    """Income of their holdings in the round."""
    certificates: int
    holdings: Mapping[str, int]
    """Percent of each company."""
    directs: tuple[str, ...]
    """Companies that they direct or own."""


class CompanyAccount(Struct, frozen=True, kw_only=True):
    """A company at the end of a round, with its revenue and payouts in the round."""

    company: str
    state: str
    director: str | None
    """The seat that directs or owns it."""
    price: int | None
    treasury: int | None
    trains: tuple[str, ...]
    revenue: int
    """Revenue of its runs in the round."""
    paid: int
    """Total payouts, including the bank's part."""


class RoundAccount(Struct, frozen=True, kw_only=True):
    name: str
    last: int
    """The number of the answer with which it ended."""
    phase: str
    players: tuple[PlayerAccount, ...]
    companies: tuple[CompanyAccount, ...]


class Flow(NamedTuple):
    received: int
    spent: int


class Accounts(Struct, frozen=True, kw_only=True):
    title: str
    variant: str
    currency: str
    names: Mapping[str, str]
    """Names by seat, including automated opponents."""
    companies: Mapping[str, CompanyName]
    opening: Mapping[str, int]
    """Balance of each account before the first payment."""
    payments: tuple[Payment, ...]
    rounds: tuple[RoundAccount, ...]
    """In an unfinished game the last one is still being played."""
    phases: tuple[PhaseAccount, ...]
    trains: tuple[TrainAccount, ...]
    """In the order in which companies got them."""
    over: bool

    def balance(self, account: str, rounds: int) -> int:
        """The balance of an account after a number of rounds, from its opening balance and payments alone."""
        names = {round_.name for round_ in self.rounds[:rounds]} | {SETTING_UP}
        payments = [payment for payment in self.payments if payment.round in names]
        received = sum(payment.amount for payment in payments if payment.target == account)
        spent = sum(payment.amount for payment in payments if payment.source == account)
        return self.opening.get(account, 0) + received - spent

    def flows(self, account: str) -> dict[Purpose, Flow]:
        """The money received and spent by an account, by purpose."""
        received: Counter[Purpose] = Counter()
        spent: Counter[Purpose] = Counter()
        for each in self.payments:
            received[each.purpose] += each.amount * (each.target == account)
            spent[each.purpose] += each.amount * (each.source == account)
        used = [purpose for purpose in get_args(Purpose) if received[purpose] or spent[purpose]]
        return {purpose: Flow(received[purpose], spent[purpose]) for purpose in used}

    def services(self) -> dict[str, Counter[str]]:
        """What companies earned by services: company to service to amount."""
        earned: dict[str, Counter[str]] = {}
        for each in self.payments:
            if each.service:
                earned.setdefault(each.target, Counter())[each.service] += each.amount
        return earned

    def to_dataframe(self, name: str = "payments") -> pl.DataFrame:
        """A table of `reports/frames.py` as a data frame of polars: payments, players, companies and so on."""
        from ostbahn.review.reports.frames import to_dataframe  # here, as it needs polars; accounts do without

        return to_dataframe(self, name)

    def differences(self) -> Iterator[str]:
        """Balances that the payments do not explain, in words; any difference is a bug."""
        by_payments, remaining = Counter(self.opening), list(self.payments)
        for round_ in self.rounds:
            while remaining and remaining[0].round in (round_.name, SETTING_UP):
                payment = remaining.pop(0)
                by_payments[payment.source] -= payment.amount
                by_payments[payment.target] += payment.amount
            balances = {player.seat: player.cash for player in round_.players}
            balances |= {each.company: each.treasury for each in round_.companies if each.treasury is not None}
            for account, amount in balances.items():
                if by_payments[account] != amount:
                    yield f"{round_.name}: {account} has {amount}, and {by_payments[account]} by payments"


def accounts_of(game: Game) -> Accounts:
    return _AccountsBuilder(game).accounts()


class _AccountsBuilder:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.rounds: list[RoundAccount] = []
        self.payments: list[Payment] = []
        self.phases: list[PhaseAccount] = []
        self.trains: list[TrainAccount] = []
        self.views = views_of(game)
        self.name = SETTING_UP
        self.phase = game.position(0).state.phase
        self._begin(SETTING_UP)

    def _begin(self, name: str) -> None:
        self.name = name
        self.income: Counter[str] = Counter()
        self.revenue: Counter[str] = Counter()
        self.paid: Counter[str] = Counter()

    def accounts(self) -> Accounts:
        game, last = self.game, len(self.game)
        self._read()
        if self.name != SETTING_UP:
            self._close(last, ())
        before = _moved(game.opening)
        return Accounts(
            title=game.setup.title,
            variant=game.setup.variant,
            currency=text_renderer_of(game).words.currency,
            names={seat: printable(game.table.name(seat)) for seat in game.state.players},
            companies=self._companies(),
            opening={account: amount - before[account] for account, amount in game.position(0).state.cash.items()},
            payments=tuple(self.payments),
            rounds=tuple(self.rounds),
            phases=tuple(self.phases),
            trains=tuple(self.trains),
            over=game.over,
        )

    def _companies(self) -> dict[str, CompanyName]:
        naming, order = Naming(self.game.table), list(self.game.table.title.charters)
        found = sorted(self.views.companies(), key=lambda each: order.index(each.id))
        return {
            each.id: CompanyName(naming.who(each.id), each.mark.letters, each.mark.colour, each.kind) for each in found
        }

    def _read(self) -> None:
        decided = dict(self._decided())
        for number, events in enumerate([self.game.opening, *(record.events for record in self.game.records)]):
            self.paid.update(decided.get(number, {}))
            for place, event in enumerate(events):
                self._take(event, number, events[place:])

    def _take(self, event: Event, number: int, later: Sequence[Event]) -> None:
        """Record an event; `later` holds it and those that follow it in the same answer."""
        if isinstance(event, RoundBegan):
            if self.name != SETTING_UP:
                self._close(number, later)
            self._begin(event.round)
        elif isinstance(event, PhaseBegan):
            self.phase = event.phase
            self.phases.append(PhaseAccount(number, self.name, event.phase))
        elif isinstance(event, TrainMoved) and event.target not in (*PLACES, event.source):
            self.trains.append(TrainAccount(number, self.name, event.face, event.source, event.target))
        elif isinstance(event, Paid):
            self._pay(event, number)
        elif isinstance(event, Revenue):
            self.revenue[event.company] += event.amount

    def _pay(self, event: Paid, number: int) -> None:
        money = (event.source, event.target, event.amount, event.purpose, event.why)
        self.payments.append(Payment(number, self.name, *money, self.views.service_sold(event)))
        if event.income:
            self.income[event.target] += event.amount

    def _decided(self) -> Iterator[tuple[int, dict[str, int]]]:
        """Numbers of the answers that decide on companies' incomes, with the total payout of each company."""
        run = None
        for number, record in enumerate(self.game.records, start=1):
            runs = [event for event in record.events if isinstance(event, Revenue)]
            run = LastRun(runs[-1].company, runs[-1].amount) if runs else run
            if paid := dict(self.views.payouts(record, run)):
                yield number, paid

    def _close(self, number: int, later: Sequence[Event]) -> None:
        """Record the end of a round; the `later` events of its last answer belong to the next round."""
        views = views_of(self.game.position(number))
        moved, companies = _moved(later), views.companies()
        directed = {company.id: company.director.seat for company in companies if company.director is not None}
        self.rounds.append(
            RoundAccount(
                name=self.name,
                last=number,
                phase=self.phase,
                players=tuple(self._player(views, seat, moved, directed) for seat in views.game.state.players),
                companies=tuple(self._company(each, moved) for each in companies),
            )
        )

    def _player(
        self, views: TitleViews, seat: str, moved: Mapping[str, int], directed: Mapping[str, str]
    ) -> PlayerAccount:
        table = views.game.table
        parts = dict(views.wealth_parts(seat))
        parts[CASH] -= moved.get(seat, 0)
        held = {company: holding(table, seat, company) for company in table.state.certificates}
        return PlayerAccount(
            seat=seat,
            cash=parts[CASH],
            parts=parts,
            worth=sum(parts.values()),
            income=self.income[seat],
            certificates=count_certificates(table, seat),
            holdings={company: percent for company, percent in held.items() if percent},
            directs=tuple(company for company, who in directed.items() if who == seat),
        )

    def _company(self, company: CompanyView, moved: Mapping[str, int]) -> CompanyAccount:
        director, treasury = company.director, company.treasury
        return CompanyAccount(
            company=company.id,
            state=company.state,
            director=None if director is None else director.seat,
            price=company.price,
            treasury=None if treasury is None else treasury - moved.get(company.id, 0),
            trains=tuple(train.face for train in company.trains),
            revenue=self.revenue[company.id],
            paid=self.paid[company.id],
        )


def _moved(events: Sequence[Event]) -> Counter[str]:
    """How much the payments among events change each account."""
    changes: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            changes[event.target] += event.amount
            changes[event.source] -= event.amount
    return changes
