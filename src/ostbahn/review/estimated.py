"""What a decision is thought to have cost: what the net foresees after it, beside the best idea that was found.

An estimate is no proof. `research/rehearsals.py` shows how good estimates are, by kinds of question; `coach.py` tells
only of those that were shown to be good.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple, get_args

from ostbahn.bots.ideas import Idea, Study
from ostbahn.bots.learnt import Brain, Thought, Weighed, brain_of
from ostbahn.bots.search import SearchBot, Tried, minds_by
from ostbahn.bots.weights import Fixed, multiplied, read_weights, with_at_most
from ostbahn.extras import MissingExtra
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

Category = Literal["track", "stations", "trains", "shares", "income"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
PLAIN: Final = Study(until="turn", kept=4)
"""How questions are looked at that `N` does not study."""


class Measured(Fixed, frozen=True):
    """What rehearsals have shown of the estimates of a kind of question."""

    factor: float
    """What an estimate is multiplied by."""
    spread: float
    """How far off an estimate may be, as a part of one's wealth: a standard deviation."""
    decisions: int
    """On so many it was measured."""


class Standard(Fixed, frozen=True):
    """What is in `coach.toml` of a title."""

    least: float
    """A decision that cost a smaller part of one's wealth is no finding."""
    categories: Mapping[str, Category]
    """What kinds of question are about; others are left out."""
    measured: Mapping[str, Measured]
    """Only these are shown to be good."""


class Estimate(NamedTuple):
    """One decision, and the best idea that was found for it."""

    number: int
    """Of the answer, the first being 1."""
    seat: str
    kind: str
    category: Category
    settled: bool
    """Whether rules of thumb know better than the net here, so that they say what is best."""
    played: Weighed
    best: Weighed
    thumb: float | None
    """What the rules of thumb say that it cost, in money; None if they did not think of what was played."""

    @property
    def loss(self) -> float:
        """What it cost, as a part of one's wealth, the others' being equal; 0 if nothing better was found.

        Of what all have together one has a smaller part. If a game goes on for longer, and everybody has more by it,
        nobody has gained anything.
        """
        if self.best.value <= self.played.value:
            return 0.0
        return max(0.0, 1 - _part(self.played, self.seat) / _part(self.best, self.seat))

    @property
    def thumb_loss(self) -> float | None:
        return None if self.thumb is None else max(0.0, self.thumb) / self.best.wealth


def _part(weighed: Weighed, seat: str) -> float:
    """Of what all have together."""
    assert weighed.judgement is not None
    wealth = weighed.judgement.wealth
    return wealth[seat] / max(1.0, sum(wealth.values()))


@lru_cache(maxsize=8)
def standard_of(title: str) -> Standard | None:
    """None for a title without a net, or where NumPy is missing."""
    policy = kit_named(title).policy
    if policy.learnt is None or not policy.has_learnt:
        return None
    try:
        brain_of(title)
    except (MissingExtra, BadSetup):
        return None
    return read_weights(policy.learnt.package, "coach.toml", Standard)


def estimated(game: Game, number: int) -> Estimate | None:
    """What the answer of that number cost; None if it was forced, or of a kind that nobody judges."""
    return estimate_of(game.at(number - 1), game.records[number - 1].action)


def estimate_of(game: Game, played: Action) -> Estimate | None:
    """The same of an answer that could be given now."""
    standard, question = standard_of(game.setup.title), game.question
    if standard is None or question is None or question.kind not in standard.categories or question.obvious:
        return None
    return _Looking(game, question, played).estimate(standard)


class _Looking:
    """At one question, and what was answered."""

    def __init__(self, game: Game, question: Question, played: Action) -> None:
        self.game, self.question, self.played = game, question, played
        setup = game.setup
        self.brain: Brain = brain_of(setup.title, setup.variant)
        self.settled = self.brain.settled(question, game)

    def estimate(self, standard: Standard) -> Estimate | None:
        usual = _usual(self.game.setup.title, self.game.setup.variant).tried(self.question, self.game)
        found = self._weighed([Idea(each.proposal.action, reasons=each.proposal.reasons) for each in usual])
        own = [each for each in found if each.idea.action == self.played]
        alone = [each for each in found if each.idea.partner is None]
        if not own or not alone or any(each.idea.partner for each in own):
            return None  # what others must agree to is not one's own decision
        kind = self.question.kind
        thumb = _thumb(usual, self.played, alone[0].idea.action)
        played, best = max(own, key=lambda each: each.value), alone[0]
        category = standard.categories[kind]
        return Estimate(len(self.game) + 1, self.question.decider, kind, category, self.settled, played, best, thumb)

    def _weighed(self, usual: list[Idea]) -> list[Weighed]:
        """All ideas, the advice first, and what was played among them."""
        thought, study = (
            Thought(self.brain, self.question, self.game),
            self.brain.manner.studies.get(self.question.kind),
        )
        if study is None or self.settled:
            ideas = usual if any(idea.action == self.played for idea in usual) else [*usual, Idea(self.played)]
            study = study or PLAIN
            found = thought.played_on(ideas, study)
            return sorted(found, key=lambda each: each.idea is not ideas[0])
        found = thought.weighed(study, usual)
        if all(each.idea.action != self.played for each in found):
            found += thought.played_on([Idea(self.played)], study)
        return found


@lru_cache(maxsize=8)
def _usual(title: str, variant: str) -> SearchBot:
    """Who has the first ideas: `S`, but it does not rehearse the rest of a game, which takes seconds."""
    brain = brain_of(title, variant)
    weights = multiplied(kit_named(title).policy.search_weights(), brain.own.factors)
    minds = minds_by(title, with_at_most(weights, "rehearsed", 0))
    return SearchBot(minds=lambda *_: minds)


def _thumb(usual: list[Tried], played: Action, best: Action) -> float | None:
    """By how much the rules of thumb think better of an answer than of another."""
    values: dict[Action, float] = {}
    for each in usual:
        values.setdefault(each.proposal.action, each.value)
    return values[best] - values[played] if best in values and played in values else None
