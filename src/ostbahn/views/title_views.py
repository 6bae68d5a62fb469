"""What a title shows of its games: the parts of the views that only it can make, and what their records tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ostbahn.analysis.runs import Fleet, companies_of
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import holdings
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Event, Paid, PriceMoved, Record, Revenue, RoundBegan, TurnBegan
from ostbahn.kernel.routes.budget import Budget
from ostbahn.kits.catalogue import kit_of
from ostbahn.views.models import BoxView, CompanyView, PlayerView, Role, Scene, TrainsView

if TYPE_CHECKING:  # these models stand with what makes them, above
    from ostbahn.views.outlook import ComingView, LeavingView, MustBuyView
    from ostbahn.views.question import AuctionView, ItemView, PickView, Widget

OPERATING: Final = "OR"
"""With these letters the codes of Operating Rounds begin, in every title."""


class RoundIncome(NamedTuple):
    """What players' holdings brought them in an Operating Round."""

    round: str
    received: dict[str, int]
    """By seat."""


class LastRun(NamedTuple):
    """What a company's trains earned."""

    company: str
    amount: int


class RecordStats:
    """Records, read once each: whoever keeps it goes on where it ended. A game may have begun with a later state, and
    then it knows nothing of what was before."""

    def __init__(self, game: Game, reader: TitleViews) -> None:
        self.earned: list[RoundIncome] = []
        """Of all Operating Rounds so far."""
        self.moved: dict[str, int] = {}
        """By how much prices have moved since the last of them began; where a company starts it has not moved."""
        self.started: dict[str, int] = {}
        """Prices at which companies have entered the chart."""
        self.paid: dict[str, int] = {}
        """What companies paid in all when their income was decided on last."""
        self.acted: list[str] = []
        """Companies whose turn has begun in the present round, in their order."""
        self.turn = 0
        """The number of the answer with which the present turn began."""
        self._number = 0
        self._last: Record | None = None
        self.run: LastRun | None = None
        """The last run of all."""
        for event in game.opening:
            self._take(event, 0, game)
        self.follow(game, reader)

    def leads_to(self, game: Game) -> bool:
        """Whether all that was read belongs to this game."""
        number = self._number
        return number <= len(game) and (not number or game.records[number - 1] is self._last)

    def follow(self, game: Game, reader: TitleViews) -> None:
        for number, record in enumerate(game.records[self._number :], start=self._number + 1):
            for event in record.events:
                self._take(event, number, game)
            self.paid.update(reader.payouts(record, self.run))
            self._number, self._last = number, record

    def _take(self, event: Event, number: int, game: Game) -> None:
        if isinstance(event, Paid):
            if event.income and self.earned and event.target in self.earned[-1].received:
                self.earned[-1].received[event.target] += event.amount
        elif isinstance(event, PriceMoved):
            if event.before:
                self.moved[event.company] = self.moved.get(event.company, 0) + event.after - event.before
            else:
                self.started[event.company] = event.after
        elif isinstance(event, Revenue):
            self.run = LastRun(event.company, event.amount)
        elif isinstance(event, TurnBegan):
            self.acted.append(event.company)
            self.turn = number
        elif isinstance(event, RoundBegan):
            self.acted = []
            if event.round.startswith(OPERATING):
                self.moved = {}
                self.earned.append(RoundIncome(event.round, dict.fromkeys(game.state.players, 0)))


def record_stats_of(game: Game, reader: TitleViews, known: RecordStats | None = None) -> RecordStats:
    """Of a game as it is now. What is known goes on, unless answers were taken back."""
    if known is None or not known.leads_to(game):
        return RecordStats(game, reader)
    known.follow(game, reader)
    return known


class GameProgress(NamedTuple):
    """What a title says about the course of the game."""

    phase_name: str
    phase_colour: str
    boxes: tuple[BoxView, ...]
    next: str
    priority: str
    """The seat that begins the next Stock or Share Round as things stand."""
    priority_words: str


class OperatingOrder(NamedTuple):
    """Companies in an Operating Round; outside of one there are none."""

    in_turn: str | None = None
    waiting: tuple[str, ...] = ()

    def in_order(self, companies: list[str]) -> list[str]:
        """The company in turn, those that follow it, and then all others as they are given."""
        first = [company for company in (self.in_turn or "", *self.waiting) if company in companies]
        return list(dict.fromkeys([*first, *companies]))

    def place_of(self, company: str) -> int | None:
        """0 for the company in turn, from 1 on those that wait."""
        if company == self.in_turn:
            return 0
        return self.waiting.index(company) + 1 if company in self.waiting else None


class PictureLink(NamedTuple):
    """A picture that the page of a table offers beside those of every title."""

    subject: str
    words: str


class Candidate(NamedTuple):
    """Something that could be answered, and stands on the card of a company or item even if it is refused."""

    subject: str
    kind: str
    words: str
    price: int | None
    """What it costs or brings."""
    action: Action
    together: str = ""
    """What those of its kind are called where all are refused for the same reason: `Sell`."""
    rest: str = ""
    """And where that holds for several, but not for all: `Sell more`."""
    short: str = ""
    """What sets it apart from others of its kind: `20 %`, `70`."""


class CourseChoice(NamedTuple):
    """Something by which somebody sets the course of their game."""

    heading: str
    """What it is one of: `Start prices`."""
    what: str


class TurnStep(NamedTuple):
    """A step in a company's turn, as people call it, and the kinds of tasks of which it is made."""

    name: str
    tasks: tuple[str, ...]


class ExpectedIncome(NamedTuple):
    """What a company can share out in the next Operating Round, as things stand."""

    amount: int
    source: Literal["run", "treasury"] = "run"
    proven: bool = True


def first_field(action: Action, names: Iterable[str]) -> str | None:
    """The first of several fields that an action has."""
    for name in names:
        if (value := getattr(action, name, None)) is not None:
            return str(value)
    return None


class TitleViews(ABC):
    """A game as its title shows it. Questions and answers go by the tags of their tasks and actions."""

    widgets: Mapping[str, Widget]
    """How each kind of question is answered; the others by a list of answers."""
    groups: Mapping[str, str]
    """The heading under which each kind of answer stands, in the order in which headings are shown."""
    income_questions: tuple[str, ...] = ()
    """The questions about a company's income, of which a page shows what each answer does."""
    income_answers: tuple[str, ...] = ()
    """Those of their answers that decide on it."""
    subjects: tuple[str, ...] = ("company", "card", "face")
    """Fields of an action that name what it is about, the first that there is."""
    picked: frozenset[str] = frozenset()
    """Kinds of answers that are chosen from a list, since they differ in one thing only."""
    chips: tuple[PictureLink, ...] = ()
    rare_actions: frozenset[str] = frozenset()
    """Kinds of answers that are nearly always possible and seldom wanted: a page keeps them apart as "Also possible",
    and they alone are no question (`table/automatic.py`)."""

    price_rules: Mapping[str, str] = {}
    """The rule by which a marker moves when a round of shares ends, by why it does."""
    incomes_if: str = "by best runs, all paid out"
    """What next incomes take for granted."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def record_stats(self) -> RecordStats:
        """What the records tell; whoever has read them before can put that here."""
        return record_stats_of(self.game, self)

    @property
    @abstractmethod
    def round(self) -> str:
        """The present round in short: `OR 5.2`."""

    @abstractmethod
    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        """Everybody at the table, in playing order; those who have no place in it come last."""

    @abstractmethod
    def companies(self) -> tuple[CompanyView, ...]:
        """Those that operate in their order, then those that have not started, then those that are gone."""

    @abstractmethod
    def trains(self) -> TrainsView:
        """Trains that can be bought, and the phases that they begin."""

    @abstractmethod
    def progress(self) -> GameProgress: ...

    @abstractmethod
    def operating_order(self) -> OperatingOrder:
        """Whose turn it is in an Operating Round, and who has still to act."""

    @abstractmethod
    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        """What somebody's wealth is made of, by name; parts that are nothing are there too."""

    @abstractmethod
    def cost(self, question: Question, action: Action) -> int | None:
        """What an answer costs, as a figure; None where nothing is paid, or the price is one's choice."""

    def subject(self, action: Action) -> str | None:
        return first_field(action, self.subjects)

    def heading(self, action: Action) -> str | None:
        """Another heading for an answer than that of its kind."""
        return None

    def tile(self, question: Question, action: Action) -> str | None:
        """The tile that an answer would lay."""
        return getattr(action, "tile", None)

    def distinction(self, action: Action) -> str:
        """What sets an answer apart from others that do the same: with whose help, or for whom: `by …`."""
        return ""

    def is_rare(self, question: Question, action: Action) -> bool:
        return str(action.__struct_config__.tag) in self.rare_actions

    def pick(self, action: Action) -> PickView | None:
        """How an answer of a kind that is `picked` stands in its list."""
        return None

    def scene(self, question: Question | None) -> Scene:
        """What is being decided: the turn of a company, or whatever the present round is for."""
        if question is None:
            return "over"
        if question.company is not None:
            return "operating"
        present = next((box.kind for box in self.progress().boxes if box.state == "now"), "shares")
        return "operating" if present == "operating" else "shares"

    def payouts(self, record: Record, run: LastRun | None) -> Iterable[tuple[str, int]]:
        """Companies on whose income an answer has decided, and what they pay in all: the run but what they keep."""
        if run is not None and record.action.__struct_config__.tag in self.income_answers:
            kept = sum(
                event.amount for event in record.events if isinstance(event, Paid) and event.target == run.company
            )
            yield run.company, run.amount - kept

    def service_sold(self, paid: Paid) -> str:
        """What a company sold by a payment, as people call it; empty where it sold nothing."""
        return ""

    def course_choices(self, record: Record) -> Iterable[CourseChoice]:
        """By what an answer sets the course of a game, for whoever compares games: companies that were started."""
        for event in record.events:
            if isinstance(event, PriceMoved) and not event.before:
                yield CourseChoice("Start prices", f"{event.company} at {event.after}")

    def turn_steps(self, company: str) -> tuple[TurnStep, ...]:
        """The steps of a company's turn, in their order."""
        return ()

    def step_forecast(self, company: str, stage: str) -> str:
        """What a company can expect of a step of its turn that is not over."""
        return ""

    def turn_notes(self, record: Record) -> Iterable[str]:
        """What was done with an answer in a company's turn, where only this title knows of it: `took over ABC`."""
        return ()

    def candidates(self, question: Question) -> Iterable[Candidate]:
        """What stands on the cards of companies and items at a question, the refused included."""
        return ()

    def short_reason(self, question: Question, candidate: Candidate, refusal: Refusal) -> str:
        """Why something is refused, in few words."""
        return refusal.text

    def items(self, question: Question) -> tuple[ItemView, ...]:
        """What can be bought or taken and is no company with shares."""
        return ()

    def auction(self, question: Question) -> AuctionView | None:
        return None

    def role(self, seat: str) -> Role:
        """Who plays a seat: a person or bot, or the rules."""
        return "player"

    # What comes next (`outlook.py`)

    def earning(self, company: str, budget: Budget) -> ExpectedIncome | None:
        """What a company that acts in the next Operating Round can share out; None if it cannot have anything."""
        fleet = Fleet(self.game.table, company) if company in companies_of(self.game) else None
        if fleet is None or not fleet.faces:
            return None
        best = fleet.best(budget)
        return ExpectedIncome(best.revenue, proven=best.proven)

    def payouts_to_players(self, company: str, amount: int) -> Mapping[str, int]:
        """What players get of an amount that a company pays."""
        return {seat: amount * percent // 100 for seat, percent in holdings(self.game.table, company).items()}

    def can_raise(self, seat: str) -> int:
        """What somebody could get beyond their cash by sales in the present round of shares."""
        return 0

    def must_buy(self, can_raise: Callable[[str], int] | None) -> Iterable[MustBuyView]:
        """Companies that have to buy a train at the end of their next turn, in the order in which they act.

        can_raise: what somebody could get by sales before; None where nothing is sold now.
        """
        return ()

    def coming_trains(self) -> Iterable[ComingView]:
        """The next trains whose sale scraps something or begins a phase, up to the next phase."""
        return ()

    def leaving_trains(self) -> LeavingView | None:
        """What leaves the stack unsold when this set of Operating Rounds ends."""
        return None


def views_of(game: Game) -> TitleViews:
    return kit_of(game).views(game)
