"""`N`: evaluates positions by a trained net and searches from there.

It takes the candidates of `S` and its own. It plays the most promising ones out by heuristics, to the end of a turn or
round, and evaluates the result by the net.

It makes an offer at the lowest price that also looks good for the partner. It makes no more offers in a round to a
player who has declined one: haggling is legal but tedious.
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


def cheapest_agreeable_offers(candidates: Sequence[Candidate], agrees: Callable[[Candidate], bool]) -> list[Candidate]:
    """Candidates without a partner, and of the offers for each thing the cheapest that its partner agrees to.

    A partner who agrees to a price is assumed to agree to all higher ones.
    """
    offers_by_thing: dict[Action, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.partner is not None:
            offers_by_thing.setdefault(structs.replace(candidate.action, price=0), []).append(candidate)
    cheapest = [
        offers[bisect_left(offers, True, hi=len(offers) - 1, key=agrees)]
        for offers in offers_by_thing.values()
        if agrees(offers[-1])
    ]
    return [candidate for candidate in candidates if candidate.partner is None or candidate in cheapest]


def players_who_declined(game: Game) -> set[str]:
    """Players who have declined an offer in this round."""
    declined: set[str] = set()
    for record in reversed(game.records):
        if any(isinstance(event, RoundBegan) for event in record.events):
            break
        declined.update(event.player for event in record.events if isinstance(event, OfferDeclined))
    return declined


MAX_ROLLOUT_ANSWERS: Final = 400
"""More answers than any round has."""


class LearntModel(NamedTuple):
    """The net, settings and policies with which `N` plays a title."""

    learnt: LearntPolicy
    settings: LearntSettings
    predictor: Predictor
    """The net, or heuristics if it was not trained with the game's modules."""
    search_bot: SearchBot
    """Supplies the first candidates."""
    weights: Any
    policies: SearchPolicies
    tastes: Tastes
    variant: VariantSettings
    taste: Taste
    """The taste of a character; empty for `N`."""

    def predict(self, games: Sequence[Game]) -> list[Prediction]:
        """Predict the end of games that are not over."""
        return self.predictor.predict([self.learnt.features_of(game.table) for game in games])

    def rules_decide(self, question: Question, game: Game) -> bool:
        """Whether heuristics decide this question and not the net. A character still follows its taste."""
        study = self.settings.studies.get(question.kind)
        if study is None:
            return True
        if self.taste:
            return False
        late = study.settled > 0 and self.learnt.rounds_left(game) <= study.settled
        return late or question.kind in self.variant.settled


@lru_cache(maxsize=64)
def learnt_model_of(title: str, variant: str = "base", seed: int = 0, modules: tuple[str, ...] = ()) -> LearntModel:
    """The model with the net and weights of a title; a seed other than 0 perturbs the weights of its candidates."""
    policy = kit_named(title).policy
    net = None if policy.learnt is None else net_of_package(policy.learnt.package)
    if policy.learnt is None or net is None:
        raise BadSetup(f"nothing has been learnt for {title}; S plays it by looking ahead")
    settings = policy.learnt.settings()
    own = settings.settings_for(variant, modules)
    policies = search_policies_with(title, scale_weights(policy.search_weights(), own.factors), seed)
    return LearntModel(
        policy.learnt,
        settings,
        net if settings.knows_modules(modules) else HeuristicPredictor(),
        SearchBot(seed, policies=lambda *_: policies),
        policies.candidates.weights,
        policies._replace(own=WeightedPolicy(title, cap_weight(policies.own.weights, "rehearsed", 0))),
        policy.learnt.tastes(),
        own,
        {},
    )


class LearntBot:
    """`N`, or a character. It uses no clock, so it plays the same on every machine."""

    def __init__(self, seed: int = 0, character: str = "") -> None:
        self.seed = seed
        self.character = character

    def choose(self, question: Question, game: Game) -> Action:
        return self.evaluate(question, game)[0].candidate.action

    def evaluate(self, question: Question, game: Game) -> list[EvaluatedCandidate]:
        """Evaluated candidates, the best first; those of `S`, without a forecast, where heuristics decide."""
        model = self._model(game.setup)
        study = model.settings.studies.get(question.kind)
        usual = model.search_bot.evaluate(question, game)
        if study is None or model.rules_decide(question, game):
            return usual
        ranked = CandidateEvaluator(model, question, game).evaluate(study, [choice.candidate for choice in usual])
        is_opening = len(game) < model.settings.opening
        return self._vary_opening(ranked, model.settings, game) if self.seed and is_opening else ranked

    def _model(self, setup: Setup) -> LearntModel:
        model, code = learnt_model_of(setup.title, setup.variant, self.seed, setup.modules), self.character
        if not code:
            return model
        character = characters()[code]
        taste = {**character.taste, **model.tastes.tastes.get(code, {})}
        return model._replace(settings=character.changed(model.settings), taste=taste)

    def _vary_opening(
        self, ranked: list[EvaluatedCandidate], settings: LearntSettings, game: Game
    ) -> list[EvaluatedCandidate]:
        """Draw the first choice among the nearly best, so that games between the same players differ."""
        best = ranked[0]
        near = [choice for choice in ranked if choice.value >= best.value - settings.near * best.wealth]
        drawn = Random(f"{self.seed}/{len(game)}").choice(near)
        return [drawn, *(choice for choice in ranked if choice is not drawn)]


class CandidateEvaluator:
    """Evaluates candidates of one question by the net."""

    def __init__(self, model: LearntModel, question: Question, game: Game) -> None:
        self.model, self.question, self.game = model, question, game
        self.seat = question.decider

    def evaluate(self, study: RolloutSettings, candidates: list[Candidate]) -> list[EvaluatedCandidate]:
        """Add the title's own candidates, discard the less promising ones and evaluate the rest, the best first."""
        model = self.model
        (now,) = model.predict([self.game])
        decliners = players_who_declined(self.game)
        candidates = model.learnt.generate_candidates(self.question, self.game, candidates, model.weights, now)
        candidates = cheapest_agreeable_offers(
            [candidate for candidate in candidates if candidate.partner not in decliners],
            lambda offer: self._partner_agrees(offer, now),
        )
        usual = candidates[0]
        if len(candidates) == 1:
            return [self._evaluated(usual, now)]
        has_trades = any(candidate.partner for candidate in candidates)
        if study.until == "answer" or has_trades or len(candidates) > study.kept:
            ranked = self._ranked(candidates, [self._after(candidate) for candidate in candidates])
            ranked = [choice for choice in ranked if is_worthwhile_trade(choice, now, self.seat)]
            candidates = [choice.candidate for choice in ranked[: study.kept]]
        if study.until != "answer":
            candidates = candidates if usual in candidates else [*candidates, usual]
            ranked = self.roll_out(candidates, study)
        return self._prefer_usual(ranked, usual)

    def roll_out(self, candidates: Sequence[Candidate], study: RolloutSettings) -> list[EvaluatedCandidate]:
        """Play candidates out and evaluate the results, the best first."""
        if study.until == "answer":
            return self._ranked(candidates, [self._after(candidate) for candidate in candidates])
        return self._ranked(candidates, [self._rolled_out(candidate, study) for candidate in candidates])

    def _partner_agrees(self, offer: Candidate, now: Prediction) -> bool:
        """Whether accepting an offer is clearly good for the partner."""
        assert offer.partner is not None
        model = self.model
        (then,) = model.predict([self._after(offer)])
        gain = model.settings.utility(then.wealth, offer.partner) - model.settings.utility(now.wealth, offer.partner)
        return gain >= model.settings.margin * now.wealth[offer.partner]

    def _prefer_usual(self, ranked: list[EvaluatedCandidate], usual: Candidate) -> list[EvaluatedCandidate]:
        """Put the heuristic choice first unless the best one is clearly better."""
        preferred = next((choice for choice in ranked if choice.candidate is usual), ranked[0])
        if ranked[0].value - preferred.value >= self.model.settings.margin * preferred.wealth:
            return ranked
        return [preferred, *(choice for choice in ranked if choice is not preferred)]

    def _after(self, candidate: Candidate) -> Game:
        """The game after a candidate, the follow-ups that can be answered at once and the partner's consent."""
        game = trial_game(self.game)
        game.apply(candidate.action)
        follow_ups = list(candidate.follow_ups)
        while follow_ups and (question := game.question) is not None and question.decider == self.seat:
            action = next_follow_up(follow_ups, question)
            if action is None:
                break
            game.apply(action)
        question = game.question
        if candidate.partner and question is not None and question.only(Accept):
            game.apply(Accept())
        return game

    def _rolled_out(self, candidate: Candidate, study: RolloutSettings) -> Game:
        """The game played on by heuristics after a candidate, to the end of the turn or round."""
        game = trial_game(self.game)
        is_end = rollout_end(self.game) if study.until == "turn" else end_of_round(self.game)
        game.apply(candidate.action)
        follow_ups = list(candidate.follow_ups)
        for _ in range(MAX_ROLLOUT_ANSWERS):
            if is_end(game):
                break
            question = game.question
            assert question is not None
            is_consent = candidate.partner == question.decider and question.only(Accept)
            game.apply(Accept() if is_consent else self._rollout_answer(question, game, follow_ups))
            game.drop_history()
        return game

    def _rollout_answer(self, question: Question, game: Game, follow_ups: list[FollowUp]) -> Action:
        if question.obvious:
            return question.options[0].action
        if question.decider == self.seat:
            return next_follow_up(follow_ups, question) or self.model.policies.own.proposals(question, game)[0].action
        return self.model.policies.opponents.proposals(question, game)[0].action

    def _ranked(self, candidates: Sequence[Candidate], games: Sequence[Game]) -> list[EvaluatedCandidate]:
        """Evaluate candidates by the games they lead to, the best first; ties keep their order."""
        predictions = iter(self.model.predict([game for game in games if not game.over]))
        evaluated = [
            self._evaluated(candidate, _final_prediction(game) if game.over else next(predictions))
            for candidate, game in zip(candidates, games, strict=True)
        ]
        return sorted(evaluated, key=lambda choice: -round(choice.value, 1))

    def _evaluated(self, candidate: Candidate, prediction: Prediction) -> EvaluatedCandidate:
        settings, own_wealth = self.model.settings, prediction.wealth[self.seat]
        liking = sum(self.model.taste.get(trait, 0.0) for trait in candidate.traits)
        value = settings.utility(prediction.wealth, self.seat) + own_wealth * liking
        doubt = prediction.doubt[self.seat] * settings.doubt
        return EvaluatedCandidate(candidate, value, own_wealth, doubt, prediction)


def is_worthwhile_trade(choice: EvaluatedCandidate, now: Prediction, seat: str) -> bool:
    """Whether a trade makes both sides gain more than the others on average; True for candidates without a partner."""
    partner, then = choice.candidate.partner, choice.judgement
    if partner is None or then is None:
        return True
    gains = {who: amount - now.wealth[who] for who, amount in then.wealth.items()}
    other_gains = [gain for who, gain in gains.items() if who not in (seat, partner)]
    mean_gain = sum(other_gains) / len(other_gains) if other_gains else 0.0
    return min(gains[seat], gains[partner]) > max(mean_gain, 0.0)


def next_follow_up(follow_ups: list[FollowUp], question: Question) -> Action | None:
    """The answer of the first follow-up that fits; removes it and those before it."""
    for place, follow_up in enumerate(follow_ups):
        action = follow_up(question)
        if action is not None:
            del follow_ups[: place + 1]
            return action
    return None


def _final_prediction(game: Game) -> Prediction:
    """The real result of a finished game as a prediction."""
    return certain_prediction({seat: float(amount) for seat, amount in game.worth().items()})
