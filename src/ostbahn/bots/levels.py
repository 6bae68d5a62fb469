"""Levels `1` to `5`, and characters, which play about as well as `N` but in a distinctive style.

A weaker level sometimes takes its second or third best candidate if that is not much worse. Data files say which bot
plays a level and how often it slips, as the gaps between bots differ from title to title.

A character values some traits of candidates by a fraction of its wealth, so it follows its taste where that costs
little. It may also weigh the others' wealth differently.
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
    """How a character differs from `N`."""

    name: str
    about: str
    rivalry: float
    """Factor of the title's rivalry."""
    margin: float
    """Factor of the title's margin, by which a plan must beat the heuristic one."""
    taste: Taste
    """The taste; titles may override parts of it."""

    def changed(self, settings: LearntSettings) -> LearntSettings:
        """Apply this character's factors to a title's settings."""
        return structs.replace(settings, rivalry=settings.rivalry * self.rivalry, margin=settings.margin * self.margin)


class Characters(FixedParameters, frozen=True):
    """The contents of `characters.toml`."""

    characters: Mapping[str, Character]


@cache
def characters() -> Mapping[str, Character]:
    """All characters by code."""
    return read_weights("ostbahn.bots", CHARACTERS_FILE, Characters).characters


LEVELS_FILE: Final = "levels.toml"
DEFAULT_PACKAGE: Final = "ostbahn.bots"
"""The package with the default levels."""
Probability = Annotated[float, Meta(ge=0, le=1)]


class LevelStrength(FixedParameters, frozen=True):
    """The bot behind a level and how it slips."""

    bot: Literal["G", "S", "N"]
    slips: Probability = 0.0
    """How often it takes another candidate than the best."""
    third: Probability = 0.0
    """How often a slip takes the third best candidate instead of the second."""
    within: Probability = 0.0
    """By what fraction of its wealth a slip may be worse than the best."""


class LevelName(FixedParameters, frozen=True):
    name: str
    about: str


class DefaultLevels(FixedParameters, frozen=True):
    """The contents of the default `levels.toml`."""

    ranks: Mapping[str, LevelName]
    learnt: Mapping[str, LevelStrength]
    """For titles with a net."""
    without: Mapping[str, LevelStrength]
    """For titles without one."""


class TitleLevels(FixedParameters, frozen=True):
    levels: Mapping[str, LevelStrength]


@cache
def default_levels() -> DefaultLevels:
    return read_weights(DEFAULT_PACKAGE, LEVELS_FILE, DefaultLevels)


@cache
def levels_of(title: str) -> Mapping[str, LevelStrength]:
    """The title's own levels, or the default ones with or without a net."""
    policy = kit_named(title).policy
    if not policy.has_learnt:
        return default_levels().without
    if policy.levels is None:
        return default_levels().learnt
    return read_weights(policy.levels, LEVELS_FILE, TitleLevels).levels


class LevelBot:
    """Plays at a level; its slips depend on its seed and the number of answers only."""

    def __init__(self, level: str, seed: int = 0) -> None:
        self.level = level
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        strength = levels_of(game.setup.title)[self.level]
        by_action: dict[Action, EvaluatedCandidate] = {}  # of several plans for an answer the best one counts
        for choice in evaluated_candidates(strength.bot, self.seed, question, game):
            by_action.setdefault(choice.candidate.action, choice)
        ranked = list(by_action.values())
        random = Random(f"{self.seed}/{len(game)}/slip")
        if len(ranked) == 1 or random.random() >= strength.slips:
            return ranked[0].candidate.action
        wealth = ranked[0].wealth
        if not wealth:
            estimated = weighted_policy_of(game.setup.title).estimate_final_wealth(game)
            wealth = estimated.get(question.decider, 0.0)
        return choose_with_slip(ranked, wealth, strength, random).candidate.action


def choose_with_slip(
    ranked: list[EvaluatedCandidate], wealth: float, strength: LevelStrength, random: Random
) -> EvaluatedCandidate:
    """The second or third best candidate if it is not too much worse, or else the best."""
    best, *others = ranked
    least_value = best.value - strength.within * max(0.0, wealth)
    tolerable = [choice for choice in others[:2] if choice.value >= least_value]
    if not tolerable:
        return best
    return tolerable[-1] if random.random() < strength.third else tolerable[0]


def evaluated_candidates(bot: str, seed: int, question: Question, game: Game) -> list[EvaluatedCandidate]:
    """The candidates of bot `G`, `S` or `N`, the best first."""
    if bot == "G":
        proposals = weighted_policy_of(game.setup.title, seed).proposals(question, game)
        return [EvaluatedCandidate.from_proposal(proposal, proposal.score) for proposal in proposals]
    if bot == "S":
        return SearchBot(seed).evaluate(question, game)
    from ostbahn.bots.learnt import LearntBot  # here, as it needs NumPy

    return LearntBot(seed).evaluate(question, game)
