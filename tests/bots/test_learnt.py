"""`N` weighs plans by a net: legally, always in the same way, and not without reason against the rules of thumb."""

from __future__ import annotations

import pytest

from lab.tune import names_of
from ostbahn.bots.learnt import LearntBot, is_worthwhile_trade, learnt_model_of
from ostbahn.bots.nets import Prediction
from ostbahn.bots.policies import Candidate, EvaluatedCandidate, distinct_candidates, exactly
from ostbahn.bots.search import GreedyBot, SearchBot
from ostbahn.kernel.actions import Accept, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, RoundBegan
from ostbahn.kits.catalogue import CATALOGUE, kit_named, new_game
from ostbahn.kits.kit import CatalogueEntry
from ostbahn.titles.cz.actions import StartCompany

LEARNT = [entry for entry in CATALOGUE if kit_named(entry.title).policy.learnt is not None]


def played(title: str, answers: int, seed: int = 4) -> Game:
    """A game that rules of thumb have played so far."""
    game = new_game(title, ["Anna", "Boris", "Clara"], seed=seed)
    bot = GreedyBot()
    while len(game) < answers and game.question is not None:
        game.apply(bot.choose(game.question, game))
    return game


def at_kind(title: str, kind: str, after: int = 40) -> Game:
    """A game at the first question of a kind with more than one answer."""
    game, bot = played(title, after), GreedyBot()
    while game.question is not None and (game.question.kind != kind or game.question.obvious):
        game.apply(bot.choose(game.question, game))
    assert game.question is not None
    return game


@pytest.mark.parametrize("entry", LEARNT, ids=lambda entry: f"{entry.title} {entry.variant}")
def test_it_answers_legally_in_every_variant_and_changes_nothing(entry: CatalogueEntry) -> None:
    names = [f"Player {seat}" for seat in range(min(entry.players))]
    game, learnt, greedy = new_game(entry.title, names, variant=entry.variant, seed=3), LearntBot(1), GreedyBot()
    studied = learnt_model_of(entry.title).settings.studies
    kinds: set[str] = set()
    while game.question is not None and len(game) < 160:
        question = game.question
        bot = greedy if question.kind in kinds else learnt
        digest = game.state.digest
        action = bot.choose(question, game)
        assert game.state.digest == digest
        assert game.refusal(action) is None
        kinds.add(question.kind)
        game.apply(action)
    assert kinds & set(studied)


@pytest.mark.parametrize(("title", "answers"), [("18CZ", 12), ("18CZ", 70), ("18Mag", 8), ("18Mag", 90)])
def test_the_same_position_and_seed_give_the_same_answer(title: str, answers: int) -> None:
    game = played(title, answers)
    assert game.question is not None
    assert len({LearntBot(5).choose(game.question, game.copy()) for _ in range(2)}) == 1


@pytest.mark.parametrize(("title", "kind"), [("18CZ", "use_income"), ("18CZ", "stock_round"), ("18Mag", "lay_track")])
def test_what_the_rules_of_thumb_say_is_always_weighed_too(title: str, kind: str) -> None:
    game = at_kind(title, kind)
    assert game.question is not None
    weighed = LearntBot().evaluate(game.question, game)
    assert learnt_model_of(title).search_bot.choose(game.question, game) in [each.candidate.action for each in weighed]
    assert len(weighed) > 1


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_another_plan_is_chosen_only_if_it_is_clearly_better(title: str) -> None:
    margin = learnt_model_of(title).settings.margin
    game = at_kind(title, "purchase_trains")
    others = 0
    for _ in range(12):
        question = game.question
        assert question is not None
        if question.kind in learnt_model_of(title).settings.studies and not question.obvious:
            usual = learnt_model_of(title).search_bot.choose(question, game)
            best, *rest = LearntBot().evaluate(question, game)
            if best.candidate.action != usual:
                kept = next(each for each in rest if each.candidate.action == usual and not each.candidate.follow_ups)
                assert best.value - kept.value >= margin * kept.wealth
                others += 1
            else:
                assert all(each.value <= best.value + margin * best.wealth for each in rest)
        game.apply(GreedyBot().choose(question, game))


def test_incomes_are_weighed_together_with_the_trains_they_pay_for() -> None:
    game = at_kind("18CZ", "use_income")
    assert game.question is not None
    plans = [each.candidate.plan for each in LearntBot().evaluate(game.question, game)]
    assert "keep the income, then buy all trains that can be paid" in plans
    assert "pay out, then buy no train" in plans


def test_companies_are_weighed_by_their_homes_and_not_by_the_catalogue() -> None:
    game = at_kind("18CZ", "stock_round", after=0)
    assert game.question is not None
    best: dict[str, float] = {}
    for each in LearntBot().evaluate(game.question, game):
        if isinstance(each.candidate.action, StartCompany):
            best.setdefault(each.candidate.action.company, each.value)
    catalogue = [company for company in kit_named("18CZ").rulebook(game.setup).title.companies if company in best]
    assert len(catalogue) > 2, "several homes are compared"
    assert catalogue != sorted(best, key=lambda company: -best[company])


STOCK_ROUNDS = {"base": (["Anna", "Boris", "Cyril"], 8), "moravia": (["Anna", "Boris"], 6)}
"""Who plays, and how many Stock Rounds there are in a game."""


@pytest.mark.parametrize("variant", STOCK_ROUNDS)
def test_it_leaves_the_last_four_stock_rounds_to_the_rules_of_thumb(variant: str) -> None:
    """They rehearse the end there; their scores are no forecast, so a hint tells no amounts."""
    names, rounds = STOCK_ROUNDS[variant]
    game, greedy = new_game("18CZ", names, variant=variant, seed=6), GreedyBot()
    model = learnt_model_of("18CZ", variant)
    seen: dict[int, bool] = {}
    while (question := game.question) is not None:
        began = sum(isinstance(event, RoundBegan) and event.round.startswith("SR") for event in events_of(game))
        if question.kind == "stock_round" and not question.obvious and began not in seen:
            seen[began] = model.rules_decide(question, game)
            if seen[began]:
                first, *others = LearntBot().evaluate(question, game)
                assert (
                    first.candidate.action
                    == model.search_bot.choose(question, game)
                    == LearntBot().choose(question, game)
                )
                assert {each.wealth for each in (first, *others)} == {0.0}
        game.apply(greedy.choose(question, game))
    assert seen == {number: number > rounds - 4 for number in range(1, rounds + 1)}


def events_of(game: Game) -> list[Event]:
    return [*game.opening, *(event for record in game.records for event in record.events)]


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: f"{entry.title} {entry.variant}")
def test_factors_and_settled_kinds_are_of_something_that_there_is(entry: CatalogueEntry) -> None:
    """A misspelt one would be passed over without a word."""
    policy = kit_named(entry.title).policy
    assert policy.learnt is not None
    settings = policy.learnt.settings()
    own = settings.settings_for(entry.variant)
    assert set(own.factors) <= set(names_of(policy.search_weights()))
    assert set(own.settled) <= set(settings.studies)
    assert set(settings.variants) <= {each.variant for each in CATALOGUE if each.title == entry.title}


def test_a_variant_settles_kinds_of_question_of_its_own() -> None:
    """In Bohemia rules of thumb decide in every Stock Round, and in the base game not in the first."""
    game = new_game("18CZ", ["Anna", "Boris"], variant="bohemia", seed=6)
    greedy = GreedyBot()
    while (question := game.question) is not None and (question.kind != "stock_round" or question.obvious):
        game.apply(greedy.choose(question, game))
    assert question is not None
    assert learnt_model_of("18CZ", "bohemia").rules_decide(question, game)
    assert not learnt_model_of("18CZ", "base").rules_decide(question, game)


@pytest.mark.parametrize(("variant", "names"), [("two_player", ["Anna", "Boris"]), ("solo", ["Anna"])])
def test_at_small_tables_of_18mag_it_answers_as_the_rules_of_thumb_do(variant: str, names: list[str]) -> None:
    game, model, asked = new_game("18Mag", names, variant=variant, seed=2), learnt_model_of("18Mag", variant), 0
    while (question := game.question) is not None and len(game) < 60:
        usual = model.search_bot.choose(question, game)
        if question.kind in model.settings.studies and not question.obvious:
            asked += 1
            assert LearntBot().choose(question, game) == usual
            assert not model._replace(taste={"keeps": 0.1}).rules_decide(question, game)
        game.apply(usual)
    assert asked > 3


def test_in_the_solo_game_it_plays_as_s_does() -> None:
    """So what was measured of István against S holds for N (docs/bots.md)."""
    game, learnt, searching = new_game("18Mag", ["Anna"], variant="solo", seed=4), LearntBot(5), SearchBot(5)
    while (question := game.question) is not None and len(game) < 40:
        assert learnt.choose(question, game) == searching.choose(question, game)
        game.apply(searching.choose(question, game))
    assert len(game) == 40


def test_a_character_goes_by_its_taste_to_the_end() -> None:
    game = at_kind("18CZ", "stock_round", after=0)
    assert game.question is not None
    model = learnt_model_of("18CZ")
    late = model._replace(learnt=model.learnt._replace(rounds_left=lambda _: 1.0))
    assert late.rules_decide(game.question, game)
    assert not late._replace(taste={"keeps": 0.1}).rules_decide(game.question, game)


def test_openings_vary_among_plans_that_are_nearly_as_good() -> None:
    game = at_kind("18CZ", "stock_round", after=0)
    assert game.question is not None
    settings = learnt_model_of("18CZ").settings
    chosen = set()
    for seed in range(1, 13):
        first, *others = LearntBot(seed).evaluate(game.question, game)
        assert all(first.value >= each.value - (settings.near + settings.margin) * each.wealth for each in others)
        chosen.add(first.candidate.action)
    assert len(chosen) > 1


def test_each_plan_is_thought_of_once_and_the_first_stays_the_first() -> None:
    ideas = [Candidate(Pass()), Candidate(Accept(), plan="a"), Candidate(Pass()), Candidate(Accept(), plan="b")]
    assert distinct_candidates(ideas) == [ideas[0], ideas[1], ideas[3]]


def test_a_wish_is_granted_only_where_it_is_legal() -> None:
    game = played("18CZ", 0)
    assert game.question is not None
    assert exactly(Pass())(game.question) == Pass()
    assert exactly(Accept())(game.question) is None


# Trade


def judgement(**wealth: float) -> Prediction:
    return Prediction(wealth, dict.fromkeys(wealth, 0.1), {}, {})


@pytest.mark.parametrize(
    ("then", "good"),
    [
        ({"p1": 120.0, "p2": 110.0, "p3": 100.0, "p4": 100.0}, True),
        ({"p1": 120.0, "p2": 99.0, "p3": 100.0, "p4": 100.0}, False),  # the other one loses
        ({"p1": 99.0, "p2": 130.0, "p3": 100.0, "p4": 100.0}, False),  # one loses oneself
        ({"p1": 110.0, "p2": 110.0, "p3": 130.0, "p4": 100.0}, False),  # the rest of the table gains more
    ],
)
def test_an_offer_is_made_only_where_both_gain_more_than_the_rest(then: dict[str, float], good: bool) -> None:
    now = judgement(p1=100.0, p2=100.0, p3=100.0, p4=100.0)
    offer = EvaluatedCandidate(Candidate(Pass(), partner="p2"), 0.0, 0.0, 0.0, judgement(**then))
    assert is_worthwhile_trade(offer, now, "p1") is good
