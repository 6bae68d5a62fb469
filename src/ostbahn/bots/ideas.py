"""What a bot that has learnt thinks of: an answer, and what is to follow it.

Some things are good only together: to keep an income and buy a train with it, to sell shares and begin a company. So an
idea may go on beyond its first answer, and is judged as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec.structs import replace

from ostbahn.bots.weights import Factors, Fixed, read_weights
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question

if TYPE_CHECKING:  # nets need NumPy, and policies do not
    from ostbahn.bots.nets import Judgement

Trait = Literal[
    "pays",
    "keeps",
    "trains",
    "waits",
    "phase",
    "starts",
    "own",
    "others",
    "control",
    "sells",
    "hurts",
    "builds",
    "passes",
    "trades",
]
"""What an idea is like, as far as a character cares: a company pays its income or keeps it; it buys trains or none,
and a phase begins by one; somebody starts a company, buys more of their own, buys what others direct, or takes it over;
they sell, or sell what others direct; they build, pass, or offer something to others."""
Taste = Mapping[Trait, float]
"""What traits count for, as parts of one's wealth; less than nothing for what is disliked."""
Wish = Callable[[Question], Action | None]
"""What one wants to answer if it can be answered: at the first question where it is something, it is fulfilled."""


class Idea(NamedTuple):
    """An answer with what is to follow."""

    action: Action
    then: tuple[Wish, ...] = ()
    """At one's next questions, in this order."""
    plan: str = ""
    """The whole of it in a few words, for whoever asks for a hint."""
    reasons: tuple[str, ...] = ()
    partner: str | None = None
    """Whoever would have to agree. It is thought of only if both gain more by it than the rest of the table."""
    traits: frozenset[Trait] = frozenset()
    """What it is like; a character may like that or not."""


Thinking = Callable[[Question, Game, list[Idea], Any, "Judgement"], list[Idea]]
"""What to think of at a question: the ideas of `S`, the best first, and others, thought of with certain weights and
with what the net foresees as things are. The first one stays the first."""
Until = Literal["answer", "turn", "round"]
"""How far an idea is played on before it is judged: not at all, to the end of the company's turn, or of the round."""


class Study(Fixed, frozen=True):
    """How a kind of question is studied."""

    until: Until
    kept: int
    """So many ideas are played on; before that, each is judged by the table right after it."""
    settled: int = 0
    """In so many of the last rounds of shares the first idea of `S` stays the first, whatever the net says: rules of
    thumb may know better what the end brings."""


class Own(Fixed, frozen=True):
    """What is otherwise in a variant."""

    settled: tuple[str, ...]
    """Kinds of question at which rules of thumb decide: there the net was seen to know less."""
    factors: Factors
    """In place of the title's."""


class Manner(Fixed, frozen=True):
    """How a bot that has learnt goes about its questions: what is in `learnt.toml`."""

    rivalry: float
    """What 1 that the others have on average counts against."""
    margin: float
    """By what part of one's wealth a plan must be better than what the rules of thumb say: a net may be wrong too."""
    opening: int
    """So many answers of a game are its opening: there it draws among plans that are nearly as good as the best."""
    near: float
    """By what part of one's wealth such plans may be worse."""
    doubt: float
    """What the net's own doubt is multiplied by: so that two of three games do end within the bounds of a hint."""
    studies: Mapping[str, Study]
    """By kinds of question; at others the rules of thumb decide."""
    factors: Factors
    """Weights of `S` that it multiplies: what self-play has shown of them."""
    variants: Mapping[str, Own] = {}
    """By the names of variants."""
    modules: tuple[str, ...] = ()
    """Of the title's expansion, those of which the net has seen games."""

    def knows(self, modules: Sequence[str]) -> bool:
        """Whether the net can judge a game with some modules."""
        return set(modules) <= set(self.modules)

    def own(self, variant: str, modules: Sequence[str] = ()) -> Own:
        """What holds in a variant; with modules that the net does not know, rules of thumb decide everything."""
        own = self.variants.get(variant) or Own((), self.factors)
        return own if self.knows(modules) else replace(own, settled=tuple(self.studies))

    def value(self, wealth: Mapping[str, float], seat: str) -> float:
        """What it is worth to somebody that everybody has so much."""
        others = [amount for other, amount in wealth.items() if other != seat]
        return wealth[seat] - self.rivalry * sum(others) / max(1, len(others))


class Tastes(Fixed, frozen=True):
    """What is in `tastes.toml`: what characters like in a title, where that is another amount than usual."""

    tastes: Mapping[str, Taste]


def not_known(_: Game) -> float:
    """Where the players decide when the game ends."""
    return inf


class Learnt(NamedTuple):
    """How a title is played by a bot that has learnt."""

    package: str
    """In whose folder `data` the numbers are."""
    thinking: Thinking
    rounds_left: Callable[[Game], float] = not_known
    """Rounds of shares that are left, with the present one."""

    def manner(self) -> Manner:
        return read_weights(self.package, "learnt.toml", Manner)

    def tastes(self) -> Tastes:
        return read_weights(self.package, "tastes.toml", Tastes)


def same(action: Action) -> Wish:
    """To answer exactly this."""
    return lambda question: action if question.refusal(action) is None else None


def distinct(ideas: Sequence[Idea]) -> list[Idea]:
    """Each plan once, in the order in which they were thought of."""
    found: dict[tuple[Action, str], Idea] = {}
    for idea in ideas:
        found.setdefault((idea.action, idea.plan), idea)
    return list(found.values())
