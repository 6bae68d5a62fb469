"""Levels `1` to `5`, and characters, which play as well as `N` does but in a way that others at the table notice.

A weaker level is no fool: it is a bot that now and then takes its second or third idea, where that is not much worse
than the first by its own lights. Which bot plays a level, and how often it slips, stands in data files, as the steps
between bots are not the same in every title.

A character likes some ideas and dislikes others, each by a part of its wealth; so it does what it likes where that
costs little, and not where it costs much. It may also care more or less for what the others have.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Annotated, Final, Literal

from msgspec import Meta, structs

from ostbahn.bots.policies import (
    EvaluatedCandidate,
    FixedParameters,
    LearntSettings,
    Taste,
    read_weights,
    weighted_policy_of,
)
from ostbahn.bots.search import SearchBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

CHARACTERS_FILE: Final = "characters.toml"


class Character(FixedParameters, frozen=True):
    """How somebody differs from `N`."""

    name: str
    about: str
    rivalry: float
    """How much more it cares for what the others have: so many times as much."""
    margin: float
    """By how much more a plan must be better before it leaves what the rules of thumb say: so many times as much."""
    taste: Taste
    """What it likes of an idea, where a title says nothing else."""

    def changed(self, manner: LearntSettings) -> LearntSettings:
        """A title's manner as this character has it."""
        return structs.replace(manner, rivalry=manner.rivalry * self.rivalry, margin=manner.margin * self.margin)


class Characters(FixedParameters, frozen=True):
    """What the data file says."""

    characters: Mapping[str, Character]


@cache
def characters() -> Mapping[str, Character]:
    """All characters by their codes; the file never changes, so it is read once."""
    return read_weights("ostbahn.bots", CHARACTERS_FILE, Characters).characters


LEVELS_FILE: Final = "levels.toml"
DEFAULT_PACKAGE: Final = "ostbahn.bots"
"""The package with the levels of titles that have none of their own."""
Probability = Annotated[float, Meta(ge=0, le=1)]


class LevelStrength(FixedParameters, frozen=True):
    """How a level is played."""

    bot: Literal["G", "S", "N"]
    slips: Probability = 0.0
    """How often it takes another idea than its best."""
    third: Probability = 0.0
    """How often that is the third one, and not the second."""
    within: Probability = 0.0
    """By what part of its wealth such an idea may be worse than the best."""


class LevelName(FixedParameters, frozen=True):
    name: str
    about: str


class DefaultLevels(FixedParameters, frozen=True):
    """The data file that comes with the bots."""

    ranks: Mapping[str, LevelName]
    learnt: Mapping[str, LevelStrength]
    """For titles with a net."""
    without: Mapping[str, LevelStrength]
    """For titles without one."""


class TitleLevels(FixedParameters, frozen=True):
    levels: Mapping[str, LevelStrength]


@cache
def default_levels() -> DefaultLevels:
    """The file never changes, so it is read once; so are those of titles."""
    return read_weights(DEFAULT_PACKAGE, LEVELS_FILE, DefaultLevels)


@cache
def levels_of(title: str) -> Mapping[str, LevelStrength]:
    """The levels of a title: its own, or the usual ones. Without a net nobody of them needs one."""
    policy = kit_named(title).policy
    if not policy.has_learnt:
        return default_levels().without
    return (
        default_levels().learnt
        if policy.levels is None
        else read_weights(policy.levels, LEVELS_FILE, TitleLevels).levels
    )


class LevelBot:
    """Plays at a level. It draws its slips from its seed and the number of answers, so it plays the same again."""

    def __init__(self, level: str, seed: int = 0) -> None:
        self.level = level
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        strength = levels_of(game.setup.title)[self.level]
        first: dict[Action, EvaluatedCandidate] = {}  # plans that begin with the same answer are one choice: their best
        for weighed in evaluated_candidates(strength.bot, self.seed, question, game):
            first.setdefault(weighed.candidate.action, weighed)
        found = list(first.values())
        lots = Random(f"{self.seed}/{len(game)}/slip")
        if len(found) == 1 or lots.random() >= strength.slips:
            return found[0].candidate.action
        wealth = found[0].wealth or weighted_policy_of(game.setup.title).estimate_final_wealth(game).get(
            question.decider, 0.0
        )
        return choose_with_slip(found, wealth, strength, lots).candidate.action


def choose_with_slip(
    found: list[EvaluatedCandidate], wealth: float, strength: LevelStrength, lots: Random
) -> EvaluatedCandidate:
    """The second idea or the third, if it is bearable; else the best."""
    best, *others = found
    least = best.value - strength.within * max(0.0, wealth)
    bearable = [choice for choice in others[:2] if choice.value >= least]
    if not bearable:
        return best
    return bearable[-1] if lots.random() < strength.third else bearable[0]


def evaluated_candidates(bot: str, seed: int, question: Question, game: Game) -> list[EvaluatedCandidate]:
    """What a bot thinks of, the best first."""
    if bot == "G":
        found = weighted_policy_of(game.setup.title, seed).proposals(question, game)
        return [EvaluatedCandidate.from_proposal(proposal, proposal.score) for proposal in found]
    if bot == "S":
        return SearchBot(seed).evaluate(question, game)
    from ostbahn.bots.learnt import LearntBot  # here, as it needs NumPy

    return LearntBot(seed).evaluate(question, game)
