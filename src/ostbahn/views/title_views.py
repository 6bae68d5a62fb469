"""The interface of a title's views, and figures collected from records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ostbahn.analysis.runs import CompanyTrains, companies_of
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
"""Prefix of the codes of Operating Rounds, in every title."""


class RoundIncome(NamedTuple):
    """Income of players from their holdings in an Operating Round."""

    round: str
    received: dict[str, int]
    """By seat."""


class LastRun(NamedTuple):
    """The revenue of a run."""

    company: str
    amount: int


class RecordStats:
    """Figures collected from the records of a game, each read once; a resumed game lacks earlier records."""

    def __init__(self, game: Game, reader: TitleViews) -> None:
        self.earned: list[RoundIncome] = []
        """One for each Operating Round so far."""
        self.moved: dict[str, int] = {}
        """Price changes since the last Operating Round began; a start price is no change."""
        self.started: dict[str, int] = {}
        """Start prices by company."""
        self.paid: dict[str, int] = {}
        """The last total dividend by company."""
        self.acted: list[str] = []
        """Companies whose turn has begun in the present round, in order."""
        self.turn = 0
        """Number of the answer that began the present turn."""
        self._number = 0
        self._last: Record | None = None
        self.run: LastRun | None = None
        """The latest run of any company."""
        for event in game.opening:
            self._read_event(event, 0, game)
        self.follow(game, reader)

    def leads_to(self, game: Game) -> bool:
        """Whether all records read so far are part of this game."""
        number = self._number
        return number <= len(game) and (not number or game.records[number - 1] is self._last)

    def follow(self, game: Game, reader: TitleViews) -> None:
        """Read the records that are new."""
        for number, record in enumerate(game.records[self._number :], start=self._number + 1):
            for event in record.events:
                self._read_event(event, number, game)
            self.paid.update(reader.payouts(record, self.run))
            self._number, self._last = number, record

    def _read_event(self, event: Event, number: int, game: Game) -> None:
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
    """Continue `known` up to the present, or start anew if answers were undone."""
    if known is None or not known.leads_to(game):
        return RecordStats(game, reader)
    known.follow(game, reader)
    return known


class GameProgress(NamedTuple):
    """Phase, rounds and priority, as a title names them."""

    phase_name: str
    phase_colour: str
    boxes: tuple[BoxView, ...]
    next: str
    priority: str
    """The seat that would begin the next Stock or Share Round."""
    priority_words: str


class OperatingOrder(NamedTuple):
    """The company in turn and those that follow it; empty outside of Operating Rounds."""

    in_turn: str | None = None
    waiting: tuple[str, ...] = ()

    def in_order(self, companies: list[str]) -> list[str]:
        """Sort companies: the one in turn, those that follow it, then the others unchanged."""
        first = [company for company in (self.in_turn or "", *self.waiting) if company in companies]
        return list(dict.fromkeys([*first, *companies]))

    def place_of(self, company: str) -> int | None:
        """0 for the company in turn, 1 and so on for those that follow; else None."""
        if company == self.in_turn:
            return 0
        return self.waiting.index(company) + 1 if company in self.waiting else None


class PictureLink(NamedTuple):
    """A link to a picture that only this title has."""

    subject: str
    words: str


class CandidateAnswer(NamedTuple):
    """An action that is listed on the card of a company or item, even if it is refused."""

    subject: str
    kind: str
    words: str
    price: int | None
    """What it costs or brings."""
    action: Action
    together: str = ""
    """The words for all candidates of its kind, if one reason refuses them all: `Sell`."""
    rest: str = ""
    """The words for the refused ones, if others are allowed: `Sell more`."""
    short: str = ""
    """What distinguishes it from others of its kind: `20 %`, `70`."""


class CourseChoice(NamedTuple):
    """An early choice that games can be compared by: a start price, a drafted minor."""

    heading: str
    """The kind of choice: `Start prices`."""
    what: str


class TurnStep(NamedTuple):
    """A step of a company's turn, and the tags of its tasks."""

    name: str
    tasks: tuple[str, ...]


class ExpectedIncome(NamedTuple):
    """What a company would have to pay out in the next Operating Round."""

    amount: int
    source: Literal["run", "treasury"] = "run"
    proven: bool = True


def first_field(action: Action, names: Iterable[str]) -> str | None:
    """The value of the first of these fields that an action has."""
    for name in names:
        if (value := getattr(action, name, None)) is not None:
            return str(value)
    return None


class TitleViews(ABC):
    """The views of one game. Questions and answers are identified by the tags of their tasks and actions."""

    widgets: Mapping[str, Widget]
    """The widget for each kind of question; by default a list of answers."""
    groups: Mapping[str, str]
    """The heading for each kind of answer, in display order."""
    income_questions: tuple[str, ...] = ()
    """Questions about a company's income, for which the page shows the effect of each answer."""
    income_answers: tuple[str, ...] = ()
    """Answers that decide about income."""
    subjects: tuple[str, ...] = ("company", "card", "face")
    """Fields of an action that name its subject; the first one present counts."""
    picked: frozenset[str] = frozenset()
    """Kinds of answers that are chosen from a drop-down list, since they differ in one value."""
    chips: tuple[PictureLink, ...] = ()
    rare_actions: frozenset[str] = frozenset()
    """Kinds of answers that are nearly always possible and seldom wanted. A page lists them under "Also possible", and
    skips a question that has no others (`table/automatic.py`)."""

    price_rules: Mapping[str, str] = {}
    """The rule behind each reason for a price change at the end of a Stock Round."""
    incomes_if: str = "by best runs, all paid out"
    """The assumption behind forecasts of income."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def record_stats(self) -> RecordStats:
        """Can be set to the result of an earlier view, to avoid reading the records again."""
        return record_stats_of(self.game, self)

    @property
    @abstractmethod
    def round(self) -> str:
        """The code of the present round: `OR 5.2`."""

    @abstractmethod
    def players(self, decider: str | None) -> tuple[PlayerView, ...]:
        """All players in playing order, then holders without a seat."""

    @abstractmethod
    def companies(self) -> tuple[CompanyView, ...]:
        """Operating companies in their order, then those not started, then closed ones."""

    @abstractmethod
    def trains(self) -> TrainsView:
        """Trains for sale, and the phases that they begin."""

    @abstractmethod
    def progress(self) -> GameProgress: ...

    @abstractmethod
    def operating_order(self) -> OperatingOrder:
        """The company in turn, and those still to act in this Operating Round."""

    @abstractmethod
    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        """The parts of a player's wealth by name, zero ones included."""

    @abstractmethod
    def cost(self, question: Question, action: Action) -> int | None:
        """The cost of an answer; None if it costs nothing or its price is free."""

    def subject(self, action: Action) -> str | None:
        return first_field(action, self.subjects)

    def heading(self, action: Action) -> str | None:
        """A heading that replaces the one in `groups`."""
        return None

    def tile(self, question: Question, action: Action) -> str | None:
        """The tile that an answer would lay."""
        return getattr(action, "tile", None)

    def distinction(self, action: Action) -> str:
        """What distinguishes an answer from others with the same effect: `by …`."""
        return ""

    def is_rare(self, question: Question, action: Action) -> bool:
        return str(action.__struct_config__.tag) in self.rare_actions

    def pick(self, action: Action) -> PickView | None:
        """The list entry of an answer whose kind is in `picked`."""
        return None

    def scene(self, question: Question | None) -> Scene:
        """What is being decided: a company's turn, shares, or nothing any more."""
        if question is None:
            return "over"
        if question.company is not None:
            return "operating"
        present = next((box.kind for box in self.progress().boxes if box.state == "now"), "shares")
        return "operating" if present == "operating" else "shares"

    def payouts(self, record: Record, run: LastRun | None) -> Iterable[tuple[str, int]]:
        """Companies whose income an answer decided, with the total they pay out."""
        if run is not None and record.action.__struct_config__.tag in self.income_answers:
            withheld = sum(
                event.amount for event in record.events if isinstance(event, Paid) and event.target == run.company
            )
            yield run.company, run.amount - withheld

    def service_sold(self, paid: Paid) -> str:
        """The name of the service that a payment bought from a company; empty if none."""
        return ""

    def course_choices(self, record: Record) -> Iterable[CourseChoice]:
        """The early choices in a record; by default companies that were started."""
        for event in record.events:
            if isinstance(event, PriceMoved) and not event.before:
                yield CourseChoice("Start prices", f"{event.company} at {event.after}")

    def turn_steps(self, company: str) -> tuple[TurnStep, ...]:
        """The steps of a company's turn, in order."""
        return ()

    def step_forecast(self, company: str, stage: str) -> str:
        """What a step that is not over will bring, in words."""
        return ""

    def turn_notes(self, record: Record) -> Iterable[str]:
        """What an answer did in a company's turn, beyond what all titles have: `took over ABC`."""
        return ()

    def candidates(self, question: Question) -> Iterable[CandidateAnswer]:
        """Actions on the cards of companies and items at a question, refused ones included."""
        return ()

    def short_reason(self, question: Question, candidate: CandidateAnswer, refusal: Refusal) -> str:
        """The reason of a refusal, shortened."""
        return refusal.text

    def items(self, question: Question) -> tuple[ItemView, ...]:
        """Things to buy or draft that are not companies with shares."""
        return ()

    def auction(self, question: Question) -> AuctionView | None:
        return None

    def role(self, seat: str) -> Role:
        return "player"

    # What comes next (`outlook.py`)

    def expected_income(self, company: str, budget: Budget) -> ExpectedIncome | None:
        """The income of a company in the next Operating Round; None if it can have none."""
        fleet = CompanyTrains(self.game.table, company) if company in companies_of(self.game) else None
        if fleet is None or not fleet.faces:
            return None
        best = fleet.best(budget)
        return ExpectedIncome(best.revenue, proven=best.proven)

    def payouts_to_players(self, company: str, amount: int) -> Mapping[str, int]:
        """The part of each player in a dividend."""
        return {seat: amount * percent // 100 for seat, percent in holdings(self.game.table, company).items()}

    def can_raise(self, seat: str) -> int:
        """Money that a player could raise by selling shares in the present Stock Round."""
        return 0

    def must_buy(self, can_raise: Callable[[str], int] | None) -> Iterable[MustBuyView]:
        """Companies that must buy a train at the end of their next turn, in operating order.

        can_raise: money that a seat could raise by sales before; None if shares cannot be sold now.
        """
        return ()

    def coming_trains(self) -> Iterable[ComingView]:
        """The next trains that scrap others or begin a phase, up to the next phase."""
        return ()

    def leaving_trains(self) -> LeavingView | None:
        """Trains that leave the stack unsold when this set of Operating Rounds ends."""
        return None


def views_of(game: Game) -> TitleViews:
    return kit_of(game).views(game)
