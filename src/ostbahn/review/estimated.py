"""What a decision is thought to have cost: what the net foresees after it, beside the best idea that was found.

An estimate is no proof. `lab/rehearsals.py` shows how good estimates are, by kinds of question; `coach.py` tells
only of those that were shown to be good.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from ostbahn.bots.policies import Fixed, Idea, Study, multiplied, read_weights, with_at_most
from ostbahn.bots.search import SearchBot, Tried, minds_by
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

if TYPE_CHECKING:
    from ostbahn.bots.learnt import Brain, Weighed

Category = Literal["track", "stations", "trains", "shares", "income"]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
PLAIN: Final = Study(until="turn", kept=4)
"""How questions are looked at that `N` does not study."""


class Measured(Fixed, frozen=True):
    """What rehearsals have shown of the estimates of a kind of question."""

    by: Literal["net", "thumb"]
    """Whose estimate was good: the net's, or that of the rules of thumb."""
    factor: float
    """What it is multiplied by."""
    spread: float
    """How far off it may be then, as a part of one's wealth: a standard deviation."""
    doubt: float
    """It was measured, and is given, only where the net's own doubt is not larger."""
    decisions: int
    """On so many it was measured."""


class Standard(Fixed, frozen=True):
    """What is in `coach.toml` of a title."""

    least: float
    """A decision that cost a smaller part of one's wealth is no finding."""
    variants: tuple[str, ...]
    """In which estimates were measured, without modules; in other games none are given."""
    categories: Mapping[str, Category]
    """What kinds of question are about; others are left out."""
    measured: Mapping[str, Measured]
    """Only these are shown to be good."""

    def shown(self, looking: Looking) -> Measured | None:
        """What is known of the estimate at a question, if it was shown to be good there."""
        return self.measured.get(looking.name) if self.holds(looking.game.setup) else None

    def holds(self, setup: Setup) -> bool:
        """Whether estimates were measured in such games."""
        return setup.variant in self.variants and not setup.modules


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

    def cost(self, measured: Measured) -> float | None:
        """What it cost by the estimate that was shown to be good; None if there is none."""
        found = self.loss if measured.by == "net" else self.thumb_loss
        return None if found is None else measured.factor * found


def _part(weighed: Weighed, seat: str) -> float:
    """Of what all have together."""
    assert weighed.judgement is not None
    wealth = weighed.judgement.wealth
    return wealth[seat] / max(1.0, sum(wealth.values()))


@lru_cache(maxsize=8)
def standard_of(title: str) -> Standard | None:
    """None for a title without a net, or without NumPy, which evaluates it: then nothing is estimated."""
    policy = kit_named(title).policy
    if policy.learnt is None or not policy.has_learnt or find_spec("numpy") is None:
        return None
    return read_weights(policy.learnt.package, "coach.toml", Standard)


def estimate_of(game: Game, played: Action) -> Estimate | None:
    """What an answer would cost now; None if it is forced, or of a kind that nobody judges."""
    standard, question = standard_of(game.setup.title), game.question
    if standard is None or question is None or question.kind not in standard.categories or question.obvious:
        return None
    return Looking(game, question).estimate(played, standard.categories[question.kind])


class Looking:
    """At one question."""

    def __init__(self, game: Game, question: Question) -> None:
        from ostbahn.bots.learnt import Thought, brain_of  # here, as it needs NumPy

        self.game, self.question = game, question
        setup = game.setup
        self.brain: Brain = brain_of(setup.title, setup.variant, modules=setup.modules)
        self.study = self.brain.manner.studies.get(question.kind)
        self.thought = Thought(self.brain, question, game)
        self.settled = self.brain.settled(question, game)
        self.name = f"{question.kind} settled" if self.settled and self.study is not None else question.kind
        """By which it stands in `coach.toml`: rules of thumb may be as good as the net, or not."""

    def doubt(self) -> float:
        """How unsure the net is of the end, as things are."""
        (now,) = self.brain.net.judge([self.brain.seeing.look(self.game.table)])
        return now.doubt[self.question.decider] * self.brain.manner.doubt

    def estimate(self, played: Action, category: Category) -> Estimate | None:
        usual = _usual(self.game.setup.title, self.game.setup.variant).tried(self.question, self.game)
        ideas = [Idea(each.proposal.action, reasons=each.proposal.reasons) for each in usual]
        found = self._by_thumb(ideas[0], played) if self.settled else self._by_net(ideas, played)
        own = [each for each in found if each.idea.action == played]
        alone = [each for each in found if each.idea.partner is None]
        if not alone or any(each.idea.partner for each in own):
            return None  # what others must agree to is not one's own decision
        kind, seat = self.question.kind, self.question.decider
        given, best = max(own, key=lambda each: each.value), alone[0]
        thumb = _thumb(usual, played, best.idea.action)
        return Estimate(len(self.game) + 1, seat, kind, category, self.settled, given, best, thumb)

    def _by_thumb(self, first: Idea, played: Action) -> list[Weighed]:
        """What the rules of thumb advise, and what was played."""
        thought = self.thought
        ideas = [first] if first.action == played else [first, Idea(played)]
        found = thought.played_on(ideas, self.study or PLAIN)
        return sorted(found, key=lambda each: each.idea is not first)

    def _by_net(self, usual: list[Idea], played: Action) -> list[Weighed]:
        """All ideas, the advice first, and what was played among them."""
        assert self.study is not None
        thought = self.thought
        found = thought.weighed(self.study, usual)
        if all(each.idea.action != played for each in found):
            found += thought.played_on([Idea(played)], self.study)
        return found


@lru_cache(maxsize=8)
def _usual(title: str, variant: str) -> SearchBot:
    """Who has the first ideas: `S`, but it does not rehearse the rest of a game, which takes seconds."""
    from ostbahn.bots.learnt import brain_of

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
