"""What a title shows of its games: the parts of the views that only it can make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_of
from ostbahn.views.models import BoxView, CompanyView, PlayerView, Role, TrainsView
from ostbahn.views.question_models import PickView, Widget


class Course(NamedTuple):
    """What a title says about the course of the game."""

    phase_name: str
    phase_colour: str
    boxes: tuple[BoxView, ...]
    next: str
    priority: str
    """The seat that begins the next Stock or Share Round as things stand."""
    priority_words: str


class Turns(NamedTuple):
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


class Chip(NamedTuple):
    """A picture that the page of a table offers beside those of every title."""

    subject: str
    words: str


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
    chips: tuple[Chip, ...] = ()

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
    def course(self) -> Course: ...

    @abstractmethod
    def turns(self) -> Turns:
        """Whose turn it is in an Operating Round, and who has still to act."""

    @abstractmethod
    def wealth_parts(self, seat: str) -> Mapping[str, int]:
        """What somebody's wealth is made of, by name; parts that are nothing are there too."""

    @abstractmethod
    def cost(self, question: Question, action: Action) -> int | None:
        """What an answer costs, as a figure; None where nothing is paid, or the price is one's choice."""

    def heading(self, action: Action) -> str | None:
        """Another heading for an answer than that of its kind."""
        return None

    def tile(self, question: Question, action: Action) -> str | None:
        """The tile that an answer would lay."""
        return getattr(action, "tile", None)

    def pick(self, action: Action) -> PickView | None:
        """How an answer of a kind that is `picked` stands in its list."""
        return None

    def role(self, seat: str) -> Role:
        """Who plays a seat: a person or bot, or the rules."""
        return "player"


def views_of(game: Game) -> TitleViews:
    return kit_of(game).views(game)
