"""When S rehearses the rest of the game, and how it goes by what is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from copy import copy
from typing import Any

import msgspec
import pytest

from ostbahn.bots.playing import BotAnswer, play_out
from ostbahn.bots.search import SearchBot
from ostbahn.kernel.actions import Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import OfferAcquisition, SellShares, StartCompany
from ostbahn.titles.cz.opponents import policy
from ostbahn.titles.cz.opponents.calendar import Calendar
from ostbahn.titles.cz.opponents.course import Answering, GameRollout, stock_round_rollout
from ostbahn.titles.cz.opponents.policy import greedy_action, proposals, search_proposals
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.shares import due, sales_of
from ostbahn.titles.cz.opponents.shares import planned_proposals as planned
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights
from ostbahn.titles.cz.state import Acquire, StockRound, Timetable
from tests.bots.cz.rehearsals import Played, by_idleness, played, rehearsal_of
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

WEIGHTS = cz_search_weights()
AFTER_LAST_SR = 25
"""Its box on the process track; three Operating Rounds follow."""


# When S rehearses


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of rounds in which a rehearsal was asked for; it is one without thinking."""
    rounds: list[str] = []

    def listen(game: Game, answering: Answering) -> GameRollout:
        assert answering is greedy_action
        rounds.append(state_of(game).round)
        return stock_round_rollout(game, by_idleness)

    monkeypatch.setattr(policy, "stock_round_rollout", listen)
    return rounds


def ask_in_all_rounds(
    full: Played, propose: Callable[[Question, Game, CzWeights], list[Any]], weights: CzWeights
) -> None:
    for name in full.stock_rounds:
        game = next(game for game in full.within(name) if isinstance(asked(game).task, StockRound))
        found = propose(asked(game), game, weights)
        assert found
        assert all(game.refusal(each.action) is None for each in found)


@pytest.mark.parametrize(
    ("variant", "players", "rounds"),
    [
        ("base", 3, ["SR 6", "SR 7", "SR 8"]),
        ("base", 5, ["SR 6", "SR 7", "SR 8"]),
        ("bohemia", 2, ["SR 6", "SR 7", "SR 8"]),
        ("moravia", 2, ["SR 4", "SR 5", "SR 6"]),
    ],
)
def test_s_rehearses_in_the_last_stock_rounds(variant: str, players: int, rounds: list[str], heard: list[str]) -> None:
    ask_in_all_rounds(played(variant, players), search_proposals, WEIGHTS)
    assert heard == rounds


@pytest.mark.parametrize(("number", "rounds"), [(0, []), (1, ["SR 6"]), (2, ["SR 5", "SR 6"])])
def test_in_how_many_is_a_weight(number: int, rounds: list[str], heard: list[str]) -> None:
    shares = msgspec.structs.replace(WEIGHTS.shares, rehearsed=number)
    ask_in_all_rounds(played("moravia", 2), search_proposals, msgspec.structs.replace(WEIGHTS, shares=shares))
    assert heard == rounds


def test_g_never_rehearses(heard: list[str]) -> None:
    ask_in_all_rounds(played("moravia", 2), proposals, cz_weights())
    ask_in_all_rounds(played("moravia", 2), proposals, WEIGHTS)
    assert heard == []


@pytest.mark.parametrize(("variant", "players"), [("base", 3), ("bohemia", 2), ("moravia", 2)])
def test_the_calendar_counts_stock_rounds_that_have_not_begun(variant: str, players: int) -> None:
    full = played(variant, players)
    ahead = [Calendar(table_of(full.begun(name)), WEIGHTS).stock_rounds_ahead for name in full.stock_rounds]
    assert ahead == list(reversed(range(len(full.stock_rounds))))
    assert Calendar(table_of(full.game), WEIGHTS).stock_rounds_ahead == 0
    assert Calendar(table_of(full.game.position(0)), WEIGHTS).stock_rounds_ahead == len(full.stock_rounds)


def test_s_goes_by_what_the_rehearsal_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same question, with a good and with a bad end for all companies."""
    game = next(game for game in played("base", 3).within("SR 8") if isinstance(asked(game).task, StockRound))
    assert asked(game).only(SellShares)
    first = []
    for price in (370, 0):
        told = copy(rehearsal_of("base", 3, "SR 8"))
        told.dividends, told.taken_over, told.levies = defaultdict(list), {}, []
        told.prices = dict.fromkeys(state_of(game).floated, price)
        monkeypatch.setattr(policy, "stock_round_rollout", lambda game, answering, told=told: told)
        first.append(search_proposals(asked(game), game, WEIGHTS)[0].action)
    assert not isinstance(first[0], SellShares)
    assert isinstance(first[1], SellShares)


@pytest.mark.slow
def test_s_plays_with_vaclav_to_the_end_without_failing() -> None:
    game = played("bohemia", 2).begun("SR 8")
    failed: list[str] = []

    def watch(game: Game, answered: BotAnswer) -> None:
        failed.extend(filter(None, [answered.note]))

    play_out(game, dict.fromkeys(game.state.players, SearchBot()), watch=watch)
    assert game.over
    assert failed == []


# Somebody else's company is left to a player


DUMPED: dict[str, Any] = {
    "phase": "d",
    "started": {"BN": (60, "p1"), "EKJ": (60, "p3")},
    "shares": {"BN": {"p2": 2, "p3": 1}},
    "trains": {"EKJ": [("c1", "3")]},
    "cash": {"p1": 0, "p2": 2000, "p3": 500},
    "agenda": [stock_round("p2")],
}
"""BN has neither money nor a train, and p2 holds as much of it as p1, who directs it. p2 is asked first."""


def at_the_last_stock_round(**fields: Any) -> Game:
    game = scene(**{**DUMPED, **fields})
    agenda = (Timetable(AFTER_LAST_SR), *state_of(game).agenda[1:])
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(game.state, agenda=agenda))


def dumping(question: Question, game: Game) -> Action:
    """p1 sells all of BN as soon as he can; nothing else is done that need not be."""
    sale = SellShares("BN", 40)
    return sale if question.decider == "p1" and sale in question else idle(game)


def story(game: Game, answering: Answering) -> Game:
    """The game at its end."""
    trial = game.copy()
    while trial.question is not None:
        trial.apply(answering(trial.question, trial))
    return trial


def test_the_levy_is_told_of_whoever_will_direct_the_company_then() -> None:
    game = at_the_last_stock_round()
    end = story(game, dumping)
    assert director(table_of(game), "BN") == "p1"
    assert director(table_of(end), "BN") == "p2"
    spent = state_of(game).cash["p2"] - state_of(end).cash["p2"]  # BN earns nothing, so it is the levy alone
    told = GameRollout(game, dumping)
    view = CzBotView(table_of(game), WEIGHTS, rehearsal=told)
    assert spent > 0
    assert (view.due("p1"), view.due("p2"), view.due("p3")) == (0, spent, 0)
    assert view.levies("BN", "p2") == pytest.approx(spent * WEIGHTS.dealing.levy), "money grows no more"
    assert view.levies("BN", "p1") == 0


def test_without_a_rehearsal_only_directors_are_thought_to_add_anything() -> None:
    game = at_the_last_stock_round()
    foreseen = CzBotView(table_of(game), WEIGHTS)
    company = foreseen.prospect("BN")
    assert company.levies > 0 < company.due
    assert [foreseen.levies("BN", player) for player in ("p1", "p2", "p3")] == [company.levies, 0, 0]
    assert [foreseen.due(player) for player in ("p1", "p2", "p3")] == [company.due, 0, 0]


@pytest.mark.parametrize("answering", [None, dumping])
def test_part_of_what_will_be_asked_of_a_player_is_kept(answering: Answering | None) -> None:
    game = at_the_last_stock_round()
    told = GameRollout(game, answering) if answering else None
    view = CzBotView(table_of(game), WEIGHTS, rehearsal=told)
    kept = {player: due(view, player) for player in ("p1", "p2", "p3")}
    assert kept == pytest.approx({player: view.due(player) * WEIGHTS.dealing.reserve for player in kept})
    assert [player for player, amount in kept.items() if amount] == ["p2" if told else "p1"]


def test_what_a_director_has_to_borrow_is_a_levy_too() -> None:
    rich, poor = (
        GameRollout(at_the_last_stock_round(cash={"p1": 0, "p2": cash, "p3": 500}), dumping) for cash in (2000, 10)
    )
    assert rich.levies == poor.levies


def dumped(game: Game, levied: bool) -> CzBotView:
    """As if p1 were going to leave BN to p2, with or without what p2 has to pay for its train then."""
    told = GameRollout(game, dumping)
    told.prices["BN"] = 250
    if not levied:
        told.levies = []
    return CzBotView(table_of(game), WEIGHTS, rehearsal=told)


def test_the_one_who_will_be_left_with_a_company_sees_that_in_his_shares() -> None:
    """Selling so much that he cannot become Director saves p2 the levy; nobody else saves anything by selling."""
    saved: dict[tuple[str, int], float] = {}
    for player in ("p2", "p3"):
        game = at_the_last_stock_round(agenda=[stock_round(player)])
        free, levied = (
            {sale.action: sale.worth for sale in sales_of(asked(game), dumped(game, levied))}
            for levied in (False, True)
        )
        saved |= {(player, sale.percent): free[sale] - levied[sale] for sale in free if sale.company == "BN"}
    game = at_the_last_stock_round()
    levy = dumped(game, levied=True).levies("BN", "p2")
    assert levy > 0
    assert saved == pytest.approx({("p2", 20): levy, ("p2", 40): levy, ("p3", 20): 0})


def test_he_sells_it_in_time_although_its_shares_will_be_worth_more() -> None:
    game = at_the_last_stock_round(cash=dict.fromkeys(("p1", "p2", "p3"), 0))
    free, levied = (planned(asked(game), game, dumped(game, levied))[0].action for levied in (False, True))
    assert free == Pass()
    assert isinstance(levied, SellShares)
    assert levied.company == "BN"


def test_who_holds_enough_fears_to_be_left_with_it_even_if_that_is_not_rehearsed() -> None:
    """Nobody sells in this rehearsal, so p1 pays; 40 % make a Director of BN."""
    game = at_the_last_stock_round()
    dealing = msgspec.structs.replace(WEIGHTS.dealing, left_alone=0.5)
    weights = msgspec.structs.replace(WEIGHTS, dealing=dealing)
    view = CzBotView(table_of(game), weights, rehearsal=GameRollout(game, by_idleness))
    levy = view.levies("BN", "p1")
    assert levy > 0 == view.levies("BN", "p2")
    found = {(player, held): view.burden("BN", player, held) for player in ("p1", "p2", "p3") for held in (20, 40, 60)}
    expected = {(player, held): 0.0 if held < 40 else levy if player == "p1" else levy / 2 for player, held in found}
    assert found == pytest.approx(expected)


def test_a_company_floated_since_is_foreseen() -> None:
    """Nothing is told of it, and its Director must keep money for its first train all the same."""
    game = at_the_last_stock_round(phase="h", agenda=[stock_round("p3")], cash={"p1": 0, "p2": 0, "p3": 500})
    told = GameRollout(game, by_idleness)
    game.apply(StartCompany("BCB", 50))
    assert "BCB" in state_of(game).floated
    told_view, foreseen = CzBotView(table_of(game), WEIGHTS, rehearsal=told), CzBotView(table_of(game), WEIGHTS)
    assert not told.knows("BCB")
    assert foreseen.prospect("BCB").due > 0
    assert told_view.due("p3") - told.due("p3") == foreseen.prospect("BCB").due
    assert told_view.levies("BCB", "p3") == foreseen.levies("BCB", "p3") > 0


def test_an_offer_that_is_declined_takes_nothing_over() -> None:
    """BN offers for EKJ, of which p3 keeps what he has."""

    def offering(question: Question, game: Game) -> Action:
        offers = question.only(OfferAcquisition)
        return offers[0].action if offers else Decline() if Decline() in question else idle(game)

    game = at_the_last_stock_round(cash={"p1": 2000, "p2": 0, "p3": 0, "BN": 1000})
    declined = [by for by, action in story(game, offering).actions() if isinstance(action, Decline)]
    assert declined
    told = GameRollout(game, offering)
    assert told.taken_over == {}
    assert "EKJ" in told.prices


# A company that is started and taken over within the rehearsal


def starting_and_taking_over(question: Question, game: Game) -> Action:
    """p3 starts a small company, and BN takes it over as soon as it can."""
    start = StartCompany("EKJ", 50)
    if question.decider == "p3" and start in question:
        return start
    if isinstance(question.task, Acquire):
        return next((option.action for option in question.only(OfferAcquisition)), Pass())
    return idle(game)


def test_a_company_that_does_not_run_yet_is_not_known_even_if_it_is_taken_over_later() -> None:
    """What it pays before is not written down, so its shares would be thought to bring the offered price alone."""
    game = at_the_last_stock_round(
        started={"BN": (60, "p3")},
        shares={"BN": {"p3": 1}},
        trains={"BN": [("c1", "3+3")]},
        cash={"p1": 0, "p2": 0, "p3": 1000, "BN": 1000},
        agenda=[stock_round("p3")],
    )
    told = GameRollout(game, starting_and_taking_over)
    assert "EKJ" in state_of(story(game, starting_and_taking_over)).closed
    assert told.knows("BN")
    assert not told.knows("EKJ")
