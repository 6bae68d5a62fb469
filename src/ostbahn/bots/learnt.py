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
from ostbahn.bots.nets import HeuristicPredictor, Prediction, Predictor, certain_prediction, net_of_package
from ostbahn.bots.playing import trial_game
from ostbahn.bots.policies import (
    Candidate,
    EvaluatedCandidate,
    FollowUp,
    LearntPolicy,
    LearntSettings,
    RolloutSettings,
    Taste,
    Tastes,
    VariantSettings,
    WeightedPolicy,
    cap_weight,
    scale_weights,
)
from ostbahn.bots.search import SearchBot, SearchPolicies, end_of_round, rollout_end, search_policies_with
from ostbahn.kernel.actions import Accept, Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import OfferDeclined, RoundBegan
from ostbahn.kits.catalogue import kit_named


def cheapest_agreeable_offers(ideas: Sequence[Candidate], agrees: Callable[[Candidate], bool]) -> list[Candidate]:
    """All ideas that need nobody; and of the offers for each thing the cheapest that the other side agrees to.

    Who agrees to a price is taken to agree to all higher ones.
    """
    things: dict[Action, list[Candidate]] = {}
    for idea in ideas:
        if idea.partner is not None:
            things.setdefault(structs.replace(idea.action, price=0), []).append(idea)
    cheapest = [
        asked[bisect_left(asked, True, hi=len(asked) - 1, key=agrees)] for asked in things.values() if agrees(asked[-1])
    ]
    return [idea for idea in ideas if idea.partner is None or idea in cheapest]


def players_who_declined(game: Game) -> set[str]:
    """Players who have declined an offer in this round."""
    found: set[str] = set()
    for record in reversed(game.records):
        if any(isinstance(event, RoundBegan) for event in record.events):
            break
        found.update(event.player for event in record.events if isinstance(event, OfferDeclined))
    return found


MAX_ROLLOUT_ANSWERS: Final = 400
"""Answers of a line at most; a round has fewer."""


class LearntModel(NamedTuple):
    """All that `N` plays a title by."""

    learnt: LearntPolicy
    settings: LearntSettings
    predictor: Predictor
    """The net, or the rules of thumb where it has learnt nothing of what is played."""
    search_bot: SearchBot
    """Whose ideas are the first ones."""
    weights: Any
    policies: SearchPolicies
    tastes: Tastes
    variant: VariantSettings
    """What is otherwise in the variant."""
    taste: Taste
    """That of the character who thinks; N has none."""

    def predict(self, games: Sequence[Game]) -> list[Prediction]:
        """What will come of games that are not over."""
        return self.predictor.predict([self.learnt.features_of(game.table) for game in games])

    def rules_decide(self, question: Question, game: Game) -> bool:
        """Whether the rules of thumb know better. A character goes by its taste all the same."""
        study = self.settings.studies.get(question.kind)
        if study is None:
            return True
        if self.taste:
            return False
        late = study.settled > 0 and self.learnt.rounds_left(game) <= study.settled
        return late or question.kind in self.variant.settled


@lru_cache(maxsize=64)
def learnt_model_of(title: str, variant: str = "base", seed: int = 0, modules: tuple[str, ...] = ()) -> LearntModel:
    """With the net and the weights that come with Ostbahn; a seed makes ideas of its own of them."""
    policy = kit_named(title).policy
    net = None if policy.learnt is None else net_of_package(policy.learnt.package)
    if policy.learnt is None or net is None:
        raise BadSetup(f"nothing has been learnt for {title}; S plays it by looking ahead")
    manner = policy.learnt.manner()
    own = manner.settings_for(variant, modules)
    policies = search_policies_with(title, scale_weights(policy.search_weights(), own.factors), seed)
    return LearntModel(
        policy.learnt,
        manner,
        net if manner.knows_modules(modules) else HeuristicPredictor(),
        SearchBot(seed, policies=lambda *_: policies),
        policies.candidates.weights,
        policies._replace(own=WeightedPolicy(title, cap_weight(policies.own.weights, "rehearsed", 0))),
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
        return self.evaluate(question, game)[0].candidate.action

    def evaluate(self, question: Question, game: Game) -> list[EvaluatedCandidate]:
        """All ideas that were played on, the best first; where rules of thumb decide, theirs without a forecast."""
        model = self._model(game.setup)
        study = model.settings.studies.get(question.kind)
        usual = model.search_bot.evaluate(question, game)
        if study is None or model.rules_decide(question, game):
            return usual
        found = CandidateEvaluator(model, question, game).evaluate(study, [each.candidate for each in usual])
        return self._varied(found, model.settings, game) if self.seed and len(game) < model.settings.opening else found

    def _model(self, setup: Setup) -> LearntModel:
        model, code = learnt_model_of(setup.title, setup.variant, self.seed, setup.modules), self.character
        if not code:
            return model
        own = characters()[code]
        taste = {**own.taste, **model.tastes.tastes.get(code, {})}
        return model._replace(settings=own.changed(model.settings), taste=taste)

    def _varied(self, found: list[EvaluatedCandidate], manner: LearntSettings, game: Game) -> list[EvaluatedCandidate]:
        """In the opening one of the best; else the same people would meet the same game again and again."""
        best = found[0]
        near = [each for each in found if each.value >= best.value - manner.near * best.wealth]
        drawn = Random(f"{self.seed}/{len(game)}").choice(near)
        return [drawn, *(each for each in found if each is not drawn)]


class CandidateEvaluator:
    """About one question."""

    def __init__(self, model: LearntModel, question: Question, game: Game) -> None:
        self.model, self.question, self.game = model, question, game
        self.seat = question.decider

    def evaluate(self, study: RolloutSettings, ideas: list[Candidate]) -> list[EvaluatedCandidate]:
        model = self.model
        (now,) = model.predict([self.game])
        quiet = players_who_declined(self.game)
        ideas = model.learnt.generate_candidates(self.question, self.game, ideas, model.weights, now)
        ideas = cheapest_agreeable_offers(
            [idea for idea in ideas if idea.partner not in quiet], lambda offer: self._agrees(offer, now)
        )
        usual = ideas[0]
        if len(ideas) == 1:
            return [self._weighed(usual, now)]
        trades = any(idea.partner for idea in ideas)
        if study.until == "answer" or trades or len(ideas) > study.kept:
            found = self._judged(ideas, [self._after(idea) for idea in ideas])
            found = [each for each in found if is_worthwhile_trade(each, now, self.seat)]
            ideas = [each.candidate for each in found[: study.kept]]
        if study.until != "answer":
            ideas = ideas if usual in ideas else [*ideas, usual]
            found = self.roll_out(ideas, study)
        return self._cautious(found, usual)

    def roll_out(self, ideas: Sequence[Candidate], study: RolloutSettings) -> list[EvaluatedCandidate]:
        """Ideas as they look when they have been played on, the best first."""
        if study.until == "answer":
            return self._judged(ideas, [self._after(idea) for idea in ideas])
        return self._judged(ideas, [self._rolled_out(idea, study) for idea in ideas])

    def _agrees(self, offer: Candidate, now: Prediction) -> bool:
        """Whether an offer is clearly good for the partner too, as things look right after it."""
        assert offer.partner is not None
        model = self.model
        (then,) = model.predict([self._after(offer)])
        gain = model.settings.utility(then.wealth, offer.partner) - model.settings.utility(now.wealth, offer.partner)
        return gain >= model.settings.margin * now.wealth[offer.partner]

    def _cautious(self, found: list[EvaluatedCandidate], usual: Candidate) -> list[EvaluatedCandidate]:
        """What the rules of thumb say stays the first choice unless something is clearly better."""
        kept = next((each for each in found if each.candidate is usual), found[0])
        if found[0].value - kept.value >= self.model.settings.margin * kept.wealth:
            return found
        return [kept, *(each for each in found if each is not kept)]

    def _after(self, idea: Candidate) -> Game:
        """The game after what can be answered of an idea at once."""
        game = trial_game(self.game)
        game.apply(idea.action)
        wishes = list(idea.follow_ups)
        while wishes and (question := game.question) is not None and question.decider == self.seat:
            action = next_follow_up(wishes, question)
            if action is None:
                break
            game.apply(action)
        question = game.question
        if idea.partner and question is not None and question.only(Accept):
            game.apply(Accept())
        return game

    def _rolled_out(self, idea: Candidate, study: RolloutSettings) -> Game:
        game = trial_game(self.game)
        arrived = rollout_end(self.game) if study.until == "turn" else end_of_round(self.game)
        game.apply(idea.action)
        wishes = list(idea.follow_ups)
        for _ in range(MAX_ROLLOUT_ANSWERS):
            if arrived(game):
                break
            question = game.question
            assert question is not None
            agreed = idea.partner == question.decider and question.only(Accept)
            game.apply(Accept() if agreed else self._answer(question, game, wishes))
            game.drop_history()
        return game

    def _answer(self, question: Question, game: Game, wishes: list[FollowUp]) -> Action:
        if question.obvious:
            return question.options[0].action
        if question.decider == self.seat:
            return next_follow_up(wishes, question) or self.model.policies.own.proposals(question, game)[0].action
        return self.model.policies.opponents.proposals(question, game)[0].action

    def _judged(self, ideas: Sequence[Candidate], games: Sequence[Game]) -> list[EvaluatedCandidate]:
        """What comes of ideas, the best first; of equals the one that was thought of first."""
        judgements = iter(self.model.predict([game for game in games if not game.over]))
        found = [
            self._weighed(idea, _final_prediction(game) if game.over else next(judgements))
            for idea, game in zip(ideas, games, strict=True)
        ]
        return sorted(found, key=lambda each: -round(each.value, 1))

    def _weighed(self, idea: Candidate, judgement: Prediction) -> EvaluatedCandidate:
        own = judgement.wealth[self.seat]
        liked = sum(self.model.taste.get(trait, 0.0) for trait in idea.traits)
        value = self.model.settings.utility(judgement.wealth, self.seat) + own * liked
        return EvaluatedCandidate(idea, value, own, judgement.doubt[self.seat] * self.model.settings.doubt, judgement)


def is_worthwhile_trade(weighed: EvaluatedCandidate, now: Prediction, seat: str) -> bool:
    """Of what somebody would have to agree to, whether both gain more by it than the rest of the table."""
    partner, then = weighed.candidate.partner, weighed.judgement
    if partner is None or then is None:
        return True
    gains = {who: amount - now.wealth[who] for who, amount in then.wealth.items()}
    rest = [gain for who, gain in gains.items() if who not in (seat, partner)]
    others = sum(rest) / len(rest) if rest else 0.0
    return min(gains[seat], gains[partner]) > max(others, 0.0)


def next_follow_up(wishes: list[FollowUp], question: Question) -> Action | None:
    """The first wish that can be fulfilled now; those before it are given up, those after it wait."""
    for place, wish in enumerate(wishes):
        action = wish(question)
        if action is not None:
            del wishes[: place + 1]
            return action
    return None


def _final_prediction(game: Game) -> Prediction:
    """A game that is over needs no judgement."""
    return certain_prediction({seat: float(amount) for seat, amount in game.worth().items()})
