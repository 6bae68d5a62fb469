"""`N`: judges positions by what it has learnt, and searches from there.

The ideas of the other bots and plans of its own are tried out. Those that look best right away are played on by rules
of thumb to a moment at which they can be judged, and there the net says what everybody will have.

An offer to others is made at the lowest price that looks good for the other side too. Whoever declines is not asked
again in this round: haggling by single coins may be legal, but nobody wants to sit at a table with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import structs

from ostbahn.bots.levels import characters
from ostbahn.bots.nets import Judge, Judgement, Thumb, certain, net_of
from ostbahn.bots.playing import trial
from ostbahn.bots.policies import (
    Idea,
    Learnt,
    Manner,
    Own,
    Player,
    Study,
    Taste,
    Tastes,
    Weighed,
    Wish,
    multiplied,
    with_at_most,
)
from ostbahn.bots.search import Minds, SearchBot, minds_by, moment_of, round_over
from ostbahn.kernel.actions import Accept, Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import OfferDeclined, RoundBegan
from ostbahn.kits.catalogue import kit_named


def agreeable(ideas: Sequence[Idea], agrees: Callable[[Idea], bool]) -> list[Idea]:
    """All ideas that need nobody; and of the offers for each thing the cheapest that the other side agrees to.

    Who agrees to a price is taken to agree to all higher ones.
    """
    things: dict[Action, list[Idea]] = {}
    for idea in ideas:
        if idea.partner is not None:
            things.setdefault(structs.replace(idea.action, price=0), []).append(idea)
    cheapest = [
        asked[bisect_left(asked, True, hi=len(asked) - 1, key=agrees)] for asked in things.values() if agrees(asked[-1])
    ]
    return [idea for idea in ideas if idea.partner is None or idea in cheapest]


def left_alone(game: Game) -> set[str]:
    """Players who have declined an offer in this round."""
    found: set[str] = set()
    for record in reversed(game.records):
        if any(isinstance(event, RoundBegan) for event in record.events):
            break
        found.update(event.player for event in record.events if isinstance(event, OfferDeclined))
    return found


LONGEST: Final = 400
"""Answers of a line at most; a round has fewer."""


class Brain(NamedTuple):
    """All that `N` plays a title by."""

    learnt: Learnt
    manner: Manner
    net: Judge
    """The net, or the rules of thumb where it has learnt nothing of what is played."""
    usual: SearchBot
    """Whose ideas are the first ones."""
    weights: Any
    minds: Minds
    tastes: Tastes
    own: Own
    """What is otherwise in the variant."""
    taste: Taste
    """That of the character who thinks; N has none."""

    def judge(self, games: Sequence[Game]) -> list[Judgement]:
        """What will come of games that are not over."""
        return self.net.judge([self.learnt.look(game.table) for game in games])

    def settled(self, question: Question, game: Game) -> bool:
        """Whether the rules of thumb know better. A character goes by its taste all the same."""
        study = self.manner.studies.get(question.kind)
        if study is None:
            return True
        if self.taste:
            return False
        late = study.settled > 0 and self.learnt.rounds_left(game) <= study.settled
        return late or question.kind in self.own.settled


@lru_cache(maxsize=64)
def brain_of(title: str, variant: str = "base", seed: int = 0, modules: tuple[str, ...] = ()) -> Brain:
    """With the net and the weights that come with Ostbahn; a seed makes ideas of its own of them."""
    policy = kit_named(title).policy
    net = None if policy.learnt is None else net_of(policy.learnt.package)
    if policy.learnt is None or net is None:
        raise BadSetup(f"nothing has been learnt for {title}; S plays it by looking ahead")
    manner = policy.learnt.manner()
    own = manner.own(variant, modules)
    minds = minds_by(title, multiplied(policy.search_weights(), own.factors), seed)
    return Brain(
        policy.learnt,
        manner,
        net if manner.knows(modules) else Thumb(),
        SearchBot(seed, minds=lambda *_: minds),
        minds.ideas.weights,
        minds._replace(mine=Player(title, with_at_most(minds.mine.weights, "rehearsed", 0))),
        policy.learnt.tastes(),
        own,
        {},
    )


class LearntBot:
    """Weighs ideas by a net. It knows no clock, so it plays the same everywhere. A character has tastes beside that."""

    def __init__(self, seed: int = 0, character: str = "") -> None:
        self.seed = seed
        self.character = character

    def choose(self, question: Question, game: Game) -> Action:
        return self.weighed(question, game)[0].idea.action

    def weighed(self, question: Question, game: Game) -> list[Weighed]:
        """All ideas that were played on, the best first; where rules of thumb decide, theirs without a forecast."""
        brain = self._brain(game.setup)
        study = brain.manner.studies.get(question.kind)
        usual = brain.usual.tried(question, game)
        if study is None or brain.settled(question, game):
            return usual
        found = Thought(brain, question, game).weighed(study, [each.idea for each in usual])
        return self._varied(found, brain.manner, game) if self.seed and len(game) < brain.manner.opening else found

    def _brain(self, setup: Setup) -> Brain:
        brain, code = brain_of(setup.title, setup.variant, self.seed, setup.modules), self.character
        if not code:
            return brain
        own = characters()[code]
        taste = {**own.taste, **brain.tastes.tastes.get(code, {})}
        return brain._replace(manner=own.changed(brain.manner), taste=taste)

    def _varied(self, found: list[Weighed], manner: Manner, game: Game) -> list[Weighed]:
        """In the opening one of the best; else the same people would meet the same game again and again."""
        best = found[0]
        near = [each for each in found if each.value >= best.value - manner.near * best.wealth]
        drawn = Random(f"{self.seed}/{len(game)}").choice(near)
        return [drawn, *(each for each in found if each is not drawn)]


class Thought:
    """About one question."""

    def __init__(self, brain: Brain, question: Question, game: Game) -> None:
        self.brain, self.question, self.game = brain, question, game
        self.seat = question.decider

    def weighed(self, study: Study, ideas: list[Idea]) -> list[Weighed]:
        brain = self.brain
        (now,) = brain.judge([self.game])
        quiet = left_alone(self.game)
        ideas = brain.learnt.thinking(self.question, self.game, ideas, brain.weights, now)
        ideas = agreeable([idea for idea in ideas if idea.partner not in quiet], lambda offer: self._agrees(offer, now))
        usual = ideas[0]
        if len(ideas) == 1:
            return [self._weighed(usual, now)]
        trades = any(idea.partner for idea in ideas)
        if study.until == "answer" or trades or len(ideas) > study.kept:
            found = self._judged(ideas, [self._after(idea) for idea in ideas])
            found = [each for each in found if worthwhile(each, now, self.seat)]
            ideas = [each.idea for each in found[: study.kept]]
        if study.until != "answer":
            ideas = ideas if usual in ideas else [*ideas, usual]
            found = self.played_on(ideas, study)
        return self._cautious(found, usual)

    def played_on(self, ideas: Sequence[Idea], study: Study) -> list[Weighed]:
        """Ideas as they look when they have been played on, the best first."""
        if study.until == "answer":
            return self._judged(ideas, [self._after(idea) for idea in ideas])
        return self._judged(ideas, [self._played_on(idea, study) for idea in ideas])

    def _agrees(self, offer: Idea, now: Judgement) -> bool:
        """Whether an offer is clearly good for the partner too, as things look right after it."""
        assert offer.partner is not None
        brain = self.brain
        (then,) = brain.judge([self._after(offer)])
        gain = brain.manner.value(then.wealth, offer.partner) - brain.manner.value(now.wealth, offer.partner)
        return gain >= brain.manner.margin * now.wealth[offer.partner]

    def _cautious(self, found: list[Weighed], usual: Idea) -> list[Weighed]:
        """What the rules of thumb say stays the first choice unless something is clearly better."""
        kept = next((each for each in found if each.idea is usual), found[0])
        if found[0].value - kept.value >= self.brain.manner.margin * kept.wealth:
            return found
        return [kept, *(each for each in found if each is not kept)]

    def _after(self, idea: Idea) -> Game:
        """The game after what can be answered of an idea at once."""
        game = trial(self.game)
        game.apply(idea.action)
        wishes = list(idea.then)
        while wishes and (question := game.question) is not None and question.decider == self.seat:
            action = fulfilled(wishes, question)
            if action is None:
                break
            game.apply(action)
        question = game.question
        if idea.partner and question is not None and question.only(Accept):
            game.apply(Accept())
        return game

    def _played_on(self, idea: Idea, study: Study) -> Game:
        game = trial(self.game)
        arrived = moment_of(self.game) if study.until == "turn" else round_over(self.game)
        game.apply(idea.action)
        wishes = list(idea.then)
        for _ in range(LONGEST):
            if arrived(game):
                break
            question = game.question
            assert question is not None
            agreed = idea.partner == question.decider and question.only(Accept)
            game.apply(Accept() if agreed else self._answer(question, game, wishes))
            game.drop_history()
        return game

    def _answer(self, question: Question, game: Game, wishes: list[Wish]) -> Action:
        if question.obvious:
            return question.options[0].action
        if question.decider == self.seat:
            return fulfilled(wishes, question) or self.brain.minds.mine.proposals(question, game)[0].action
        return self.brain.minds.others.proposals(question, game)[0].action

    def _judged(self, ideas: Sequence[Idea], games: Sequence[Game]) -> list[Weighed]:
        """What comes of ideas, the best first; of equals the one that was thought of first."""
        judgements = iter(self.brain.judge([game for game in games if not game.over]))
        found = [
            self._weighed(idea, _final(game) if game.over else next(judgements))
            for idea, game in zip(ideas, games, strict=True)
        ]
        return sorted(found, key=lambda each: -round(each.value, 1))

    def _weighed(self, idea: Idea, judgement: Judgement) -> Weighed:
        own = judgement.wealth[self.seat]
        liked = sum(self.brain.taste.get(trait, 0.0) for trait in idea.traits)
        value = self.brain.manner.value(judgement.wealth, self.seat) + own * liked
        return Weighed(idea, value, own, judgement.doubt[self.seat] * self.brain.manner.doubt, judgement)


def worthwhile(weighed: Weighed, now: Judgement, seat: str) -> bool:
    """Of what somebody would have to agree to, whether both gain more by it than the rest of the table."""
    partner, then = weighed.idea.partner, weighed.judgement
    if partner is None or then is None:
        return True
    gains = {who: amount - now.wealth[who] for who, amount in then.wealth.items()}
    rest = [gain for who, gain in gains.items() if who not in (seat, partner)]
    others = sum(rest) / len(rest) if rest else 0.0
    return min(gains[seat], gains[partner]) > max(others, 0.0)


def fulfilled(wishes: list[Wish], question: Question) -> Action | None:
    """The first wish that can be fulfilled now; those before it are given up, those after it wait."""
    for place, wish in enumerate(wishes):
        action = wish(question)
        if action is not None:
            del wishes[: place + 1]
            return action
    return None


def _final(game: Game) -> Judgement:
    """A game that is over needs no judgement."""
    return certain({seat: float(amount) for seat, amount in game.worth().items()})
