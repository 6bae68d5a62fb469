"""Hints can be followed and believed: legal, with a plan or reasons, and with no figure that speaks against them."""

from __future__ import annotations

import re
from functools import cache

import pytest

from ostbahn.bots import learnt
from ostbahn.bots.hints import DEFAULT_REASON, FOR_HEURISTICS, ONLY_ANSWER, RICHEST, RIVALS, Hint, HintComposer, hint
from ostbahn.bots.learnt import LearntBot, learnt_model_of
from ostbahn.bots.nets import Prediction
from ostbahn.bots.policies import (
    Candidate,
    EvaluatedCandidate,
    Proposal,
    weighted_policy_of,
    with_pass,
    with_reason_for_best,
)
from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.text.speech import Speech
from ostbahn.titles.cz.actions import BuyLocal, BuyShare, PayOut, Withhold
from ostbahn.views.hints import hint_lines, hint_view

STUDIED = [(title, kind) for title in ("18CZ", "18Mag") for kind in sorted(learnt_model_of(title).settings.studies)]
SOLO = ("18Mag", "solo_draft")
FORESEEN = [each for each in STUDIED if each != SOLO]
"""At smaller tables than `seats` rules of thumb decide."""
EACH = 3
"""Moments of a kind that are looked at."""
LONGEST = 700


@cache
def moments(title: str, variant: str) -> dict[str, list[Game]]:
    """Games at questions with a choice, by their kind."""
    names = ["Anna"] if variant == "solo" else ["Anna", "Boris", "Clara"]
    game, bot = new_game(title, names, variant=variant, seed=4), GreedyBot()
    found: dict[str, list[Game]] = {}
    while (question := game.question) is not None and len(game) < LONGEST:
        games = found.setdefault(question.kind, [])
        if not question.obvious and len(games) < EACH:
            games.append(game.copy())
        if len(found.get("consent", ())) < EACH and (asked := offered(game)) is not None:
            found.setdefault("consent", []).append(asked)
        game.apply(bot.choose(question, game))
    return found


def offered(game: Game) -> Game | None:
    """The game after an offer to somebody else, who is asked about it; bots seldom make one."""
    assert game.question is not None
    for option in game.question.options:
        if option.span is None:
            continue
        then = game.copy()
        then.apply(option.with_price(option.span.high))
        if then.question is not None and then.question.kind == "consent":
            return then
    return None


@cache
def hinted(title: str, kind: str) -> list[tuple[Game, Hint]]:
    found = moments(title, "solo" if kind.startswith("solo") else "base")[kind]
    assert found, "the game comes to such a question"
    return [(game, hint(game)) for game in found]


@pytest.mark.parametrize(("title", "kind"), STUDIED)
def test_a_hint_and_its_alternatives_can_be_answered_and_differ(title: str, kind: str) -> None:
    for game, found in hinted(title, kind):
        describe = Speech(game).describe
        actions = [found.action, *(each.action for each in found.alternatives)]
        assert all(game.refusal(action) is None for action in actions)
        assert len({describe(action) for action in actions}) == len(actions) <= 3
        assert found.plan or found.reasons
        assert len(found.reasons) <= 3
        assert found.by == "N"


def test_where_rules_of_thumb_decide_no_amounts_are_told() -> None:
    for _, found in hinted(*SOLO):
        assert found.expected is None
        assert not found.outlook
        assert all(each.expected is None and each.less is None for each in found.alternatives)


@pytest.mark.parametrize(("title", "kind"), FORESEEN)
def test_figures_are_those_of_the_bot_and_never_speak_against_the_advice(title: str, kind: str) -> None:
    near = learnt_model_of(title).settings.near
    for game, found in hinted(title, kind):
        assert game.question is not None
        weighed = LearntBot().evaluate(game.question, game.copy())
        own = max((each for each in weighed if each.candidate.action == found.action), key=lambda each: each.value)
        assert own.candidate.action == weighed[0].candidate.action
        assert found.expected is not None
        assert found.expected.low <= found.expected.amount <= found.expected.high
        assert found.expected.amount == pytest.approx(own.wealth, abs=51)
        for other in found.alternatives:
            best = max((each for each in weighed if each.candidate.action == other.action), key=lambda each: each.value)
            assert other.less is not None
            less = own.wealth - best.wealth
            assert other.less == pytest.approx(less, abs=51 if abs(less) >= 1000 else max(6, near * own.wealth))
            told = other.told
            assert ("less" in told, "more, but" in told, "as good" in told) == (
                other.less > 0,
                other.less < 0,
                other.less == 0,
            )
            if best.wealth > own.wealth * (1 + near) + 5:
                assert "more, but" in told, "what brings more says why it is not the advice"


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_every_hint_has_a_reason_or_a_plan_and_passes_have_reasons(title: str) -> None:
    passed = 0
    for games in moments(title, "base").values():
        for game in games:
            found = hint(game)
            assert found.plan or found.reasons
            if isinstance(found.action, Pass | Decline):
                passed += 1
                assert found.reasons
            for line in hint_lines(game, found):
                assert not re.search(r"(^|[\s+])-\d", line), "no loss is an argument"
    assert passed >= 3


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_what_no_net_has_judged_is_not_foretold(title: str) -> None:
    studied = learnt_model_of(title).settings.studies
    seen = 0
    for kind, games in moments(title, "base").items():
        for game in games if kind not in studied else ():
            found = hint(game)
            assert (found.expected, found.outlook) == (None, "")
            assert all((each.less, each.expected) == (None, None) for each in found.alternatives)
            seen += 1
    assert seen


def test_without_a_net_s_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(title: str, seed: int = 0) -> None:
        raise BadSetup(f"nothing has been learnt for {title}")

    game = new_game("18CZ", ["Anna", "Boris", "Clara"], seed=4)
    monkeypatch.setattr(learnt, "learnt_model_of", nothing)
    found = hint(game)
    assert found.by == "S"
    assert game.refusal(found.action) is None
    assert found.reasons


def test_rules_of_thumb_give_no_figure_that_speaks_against_an_answer() -> None:
    for title in ("18CZ", "18Mag"):
        for games in moments(title, "base").values():
            for game in games:
                assert game.question is not None
                ideas = weighted_policy_of(title).proposals(game.question, game)
                for idea in ideas:
                    assert not any(re.search(r"(^|[\s+])-\d", reason) for reason in idea.reasons)
                    if isinstance(idea.action, Pass) and idea.reasons:
                        assert all(each.score <= idea.score for each in ideas)


def test_passing_has_its_reason_only_where_nothing_is_better() -> None:
    better, worse = Proposal(Accept(), 1.0), Proposal(Decline(), -1.0)
    assert with_pass([better, worse], "why")[0] == Proposal(Pass(), 0.0)
    assert with_pass([worse], "why") == [Proposal(Pass(), 0.0, ("why",)), worse]
    assert with_reason_for_best([worse, better], "why") == [Proposal(Accept(), 1.0, ("why",)), worse]
    assert with_reason_for_best([], "why") == []


# How choices are compared


def begun() -> Game:
    return new_game("18CZ", ["Anna", "Boris", "Clara"], seed=4)


def advised(
    action: Action, value: float, wealth: float, others: float, plan: str = "", reasons: tuple[str, ...] = ()
) -> EvaluatedCandidate:
    judgement = Prediction({"another": others}, {}, {}, {})
    return EvaluatedCandidate(Candidate(action, plan=plan, reasons=reasons), value, wealth, 0.1, judgement)


def told(*choices: EvaluatedCandidate) -> Hint:
    return HintComposer(begun(), choices, 0.005).hint("N")


def buying(
    wealth: float, value: float, others: float = 4000.0, plan: str = "", company: str = "BN"
) -> EvaluatedCandidate:
    return advised(BuyShare(company), value, wealth, others, plan)


def passing(wealth: float, value: float, others: float = 4000.0, reasons: tuple[str, ...] = ()) -> EvaluatedCandidate:
    return advised(Pass(), value, wealth, others, reasons=reasons)


def test_what_is_expected_is_told_in_round_figures_with_its_bounds() -> None:
    found = told(buying(5432.0, 3000.0))
    assert found.expected == (5400, 4900, 6000)
    assert found.outlook == "you end with about 5400 K; two of three such games end between 4900 and 6000 K"
    poor = told(EvaluatedCandidate(Candidate(Pass()), 0.0, 432.0))
    assert poor.outlook == "you end with about 430 K"


def test_what_brings_less_says_how_much() -> None:
    found = told(buying(5000.0, 3000.0), passing(4876.0, 2876.0))
    assert [(each.told, each.less) for each in found.alternatives] == [("about 120 K less", 120)]
    assert found.reasons == ("about 120 K more in the end than anything else",)


def test_what_nobody_can_tell_apart_is_as_good() -> None:
    found = told(buying(5000.0, 3000.0), passing(5020.0, 3000.0))
    assert [(each.told, each.less) for each in found.alternatives] == [("as good", 0)]
    assert found.reasons == (RICHEST,)


def test_what_the_others_would_gain_by_says_so() -> None:
    found = told(buying(5000.0, 3000.0), passing(5100.0, 2900.0, 4400.0), buying(5000.0, 2900.0, 4200.0, company="kk"))
    assert [each.told for each in found.alternatives] == [
        f"about 100 K more, but {RIVALS}",
        f"as good for you, but {RIVALS}",
    ]
    assert found.reasons == (f"something else brings you more, but {RIVALS}",)


def test_what_is_not_clearly_better_says_so_and_a_pass_does_not_deny_it() -> None:
    found = told(passing(5000.0, 3000.0, reasons=("no share is worth it",)), buying(5040.0, 3040.0))
    assert [each.told for each in found.alternatives] == ["about 40 K more, but that is not clearly better"]
    assert found.reasons == (DEFAULT_REASON,)


def test_plans_that_begin_with_the_same_answer_are_one_advice() -> None:
    plain = advised(PayOut(), 3000.0, 5000.0, 4000.0, reasons=("a dividend",))
    none = advised(PayOut(), 3200.0, 5200.0, 4000.0, "pay out, then buy no train")
    every = advised(PayOut(), 2900.0, 4900.0, 4000.0, "pay out, then buy all trains")
    kept = advised(Withhold(), 2800.0, 4800.0, 4000.0, "keep the income, then buy a 4-train")
    found = told(plain, none, every, kept)
    assert (found.action, found.plan) == (PayOut(), "pay out, then buy no train")
    assert found.reasons == ("a dividend", "if you then buy all trains, about 300 K less")
    assert [(each.action, each.plan) for each in found.alternatives] == [(Withhold(), kept.candidate.plan)]


def test_a_plan_that_only_repeats_the_answer_is_left_out() -> None:
    assert told(buying(5000.0, 3000.0, plan="buy BN")).plan == ""
    assert told(buying(5000.0, 3000.0, plan="take control of BN")).plan == "take control of BN"


def test_rules_of_thumb_only_rank() -> None:
    scores = {"L1": 90.0, "L2": 90.0, "L3": 10.0}
    found = HintComposer(
        begun(), [EvaluatedCandidate(Candidate(BuyLocal(local)), score) for local, score in scores.items()]
    ).hint("S")
    assert [each.told for each in found.alternatives] == [
        "as good by the rules of thumb",
        "third choice by the rules of thumb",
    ]
    assert found.reasons == (FOR_HEURISTICS,)


# As it is told


def test_a_hint_is_told_line_by_line() -> None:
    game = begun()
    found = told(buying(5000.0, 3000.0, plan="buy BN, start kk at 100 K"), passing(4876.0, 2876.0))
    assert hint_lines(game, found) == [
        "N would buy a share of BN",
        "the plan: buy BN, start kk at 100 K",
        "you end with about 5000 K; two of three such games end between 4500 and 5500 K",
        "about 120 K more in the end than anything else",
        "or pass: about 120 K less",
    ]


def test_programs_get_the_same_as_data() -> None:
    view = hint_view(begun(), told(buying(5000.0, 3000.0), passing(4876.0, 2876.0)), 7)
    assert (view.version, view.by, view.words) == (7, "N", "Buy a share of BN")
    assert view.action == {"do": "buy_share", "company": "BN"}
    assert view.expected is not None
    assert (view.expected.amount, view.expected.low, view.expected.high) == (5000, 4500, 5500)
    (other,) = view.alternatives
    assert (other.words, other.less, other.told) == ("Pass", 120, "about 120 K less")


def test_the_only_answer_says_so() -> None:
    game, bot = begun(), GreedyBot()
    while game.question is not None and not game.question.obvious:
        game.apply(bot.choose(game.question, game))
    assert hint(game).reasons == (ONLY_ANSWER,)
