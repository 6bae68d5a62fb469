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

from ostbahn.bots.policies import Fixed, Manner, Taste, Weighed, player_of, read_weights
from ostbahn.bots.search import SearchBot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

CHARACTERS_FILE: Final = "characters.toml"


class Character(Fixed, frozen=True):
    """How somebody differs from `N`."""

    name: str
    about: str
    rivalry: float
    """How much more it cares for what the others have: so many times as much."""
    margin: float
    """By how much more a plan must be better before it leaves what the rules of thumb say: so many times as much."""
    taste: Taste
    """What it likes of an idea, where a title says nothing else."""

    def changed(self, manner: Manner) -> Manner:
        """A title's manner as this character has it."""
        return structs.replace(manner, rivalry=manner.rivalry * self.rivalry, margin=manner.margin * self.margin)


class Characters(Fixed, frozen=True):
    """What the data file says."""

    characters: Mapping[str, Character]


@cache
def characters() -> Mapping[str, Character]:
    """All characters by their codes; the file never changes, so it is read once."""
    return read_weights("ostbahn.bots", CHARACTERS_FILE, Characters).characters


FILE: Final = "levels.toml"
USUAL: Final = "ostbahn.bots"
"""The package with the levels of titles that have none of their own."""
Part = Annotated[float, Meta(ge=0, le=1)]


class Strength(Fixed, frozen=True):
    """How a level is played."""

    bot: Literal["G", "S", "N"]
    slips: Part = 0.0
    """How often it takes another idea than its best."""
    third: Part = 0.0
    """How often that is the third one, and not the second."""
    within: Part = 0.0
    """By what part of its wealth such an idea may be worse than the best."""


class Rank(Fixed, frozen=True):
    name: str
    about: str


class UsualLevels(Fixed, frozen=True):
    """The data file that comes with the bots."""

    ranks: Mapping[str, Rank]
    learnt: Mapping[str, Strength]
    """For titles with a net."""
    without: Mapping[str, Strength]
    """For titles without one."""


class Levels(Fixed, frozen=True):
    levels: Mapping[str, Strength]


@cache
def usual_levels() -> UsualLevels:
    """The file never changes, so it is read once; so are those of titles."""
    return read_weights(USUAL, FILE, UsualLevels)


@cache
def levels_of(title: str) -> Mapping[str, Strength]:
    """The levels of a title: its own, or the usual ones. Without a net nobody of them needs one."""
    policy = kit_named(title).policy
    if not policy.has_learnt:
        return usual_levels().without
    return usual_levels().learnt if policy.levels is None else read_weights(policy.levels, FILE, Levels).levels


class LevelBot:
    """Plays at a level. It draws its slips from its seed and the number of answers, so it plays the same again."""

    def __init__(self, level: str, seed: int = 0) -> None:
        self.level = level
        self.seed = seed

    def choose(self, question: Question, game: Game) -> Action:
        strength = levels_of(game.setup.title)[self.level]
        first: dict[Action, Weighed] = {}  # plans that begin with the same answer are one choice: their best
        for weighed in weighed_by(strength.bot, self.seed, question, game):
            first.setdefault(weighed.idea.action, weighed)
        found = list(first.values())
        lots = Random(f"{self.seed}/{len(game)}/slip")
        if len(found) == 1 or lots.random() >= strength.slips:
            return found[0].idea.action
        wealth = found[0].wealth or player_of(game.setup.title).worth(game).get(question.decider, 0.0)
        return slipped(found, wealth, strength, lots).idea.action


def slipped(found: list[Weighed], wealth: float, strength: Strength, lots: Random) -> Weighed:
    """The second idea or the third, if it is bearable; else the best."""
    best, *others = found
    least = best.value - strength.within * max(0.0, wealth)
    bearable = [choice for choice in others[:2] if choice.value >= least]
    if not bearable:
        return best
    return bearable[-1] if lots.random() < strength.third else bearable[0]


def weighed_by(bot: str, seed: int, question: Question, game: Game) -> list[Weighed]:
    """What a bot thinks of, the best first."""
    if bot == "G":
        found = player_of(game.setup.title, seed).proposals(question, game)
        return [Weighed.by_thumb(proposal, proposal.score) for proposal in found]
    if bot == "S":
        return SearchBot(seed).tried(question, game)
    from ostbahn.bots.learnt import LearntBot  # here, as it needs NumPy

    return LearntBot(seed).weighed(question, game)
