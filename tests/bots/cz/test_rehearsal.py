"""What S rehearses in the last Stock Rounds: it tells what comes if everybody plays on like G, and S goes by it."""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import msgspec
import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holding, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Paid, PriceMoved
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.opponents.course import GameRollout, stock_round_rollout
from ostbahn.titles.cz.opponents.prospects import CzBotView
from ostbahn.titles.cz.opponents.weights import cz_search_weights
from tests.bots.cz.rehearsals import as_g, by_idleness, played, rehearsal_of
from tests.titles.cz.asking import asked, idle
from tests.titles.cz.scenes import NAMES, state_of, table_of

WEIGHTS = cz_search_weights()
AFTER_LAST_SR = 25
"""Its box on the process track; three Operating Rounds follow."""


class Case(NamedTuple):
    """A Stock Round as it was rehearsed, and the game in which it came as it came."""

    game: Game
    start: int
    told: GameRollout

    @property
    def then(self) -> Game:
        return self.game.position(self.start)


CASES = [
    ("base", 3, "SR 7"),
    ("base", 3, "SR 8"),
    ("base", 5, "SR 8"),
    ("bohemia", 2, "SR 7"),
    ("moravia", 2, "SR 5"),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: " ".join(map(str, case)))
def case(request: pytest.FixtureRequest) -> Case:
    variant, players, name = request.param
    full = played(variant, players)
    return Case(full.game, full.stock_rounds[name], rehearsal_of(variant, players, name))


# What the log of such a game says


class Booked(NamedTuple):
    """A payment of the log."""

    number: int
    """Of the answer that it follows from."""
    round: str
    paid: Paid

    @property
    def about(self) -> str:
        return self.paid.why.split()[-1]


def booked(case: Case, why: str) -> list[Booked]:
    """All payments for something in the Operating Rounds after the rehearsal begins."""
    return [
        Booked(number, round, event)
        for number, record in enumerate(case.game.records)
        if number >= case.start
        if (round := state_of(case.game.position(number)).round).startswith("OR")
        for event in record.events
        if isinstance(event, Paid) and event.why.startswith(why)
    ]


def operating_rounds(case: Case) -> list[str]:
    """Those still to come, by their names."""
    names = (state_of(case.game.position(number)).round for number in range(case.start, len(case.game)))
    return sorted({name for name in names if name.startswith("OR")})


def shares_held(case: Case, entry: Booked) -> int:
    table = table_of(case.game.position(entry.number))
    return holding(table, entry.paid.target, entry.about) // share_unit(table, entry.about)


def grown(case: Case, round: str) -> float:
    """What the weights say that 1 K of an Operating Round becomes, by the Stock Rounds that come after it."""
    stock_rounds = table_of(case.game).title.boxes.count("SR")
    ahead = stock_rounds - int(round.removeprefix("OR ").split(".")[0])
    return WEIGHTS.future.cash[-1 - ahead]


def running(case: Case) -> list[str]:
    """Companies that ran when the rehearsal began, without those that nobody plays."""
    table = table_of(case.then)
    return [company for company in table.state.floated if director(table, company) in table.state.players]


# What is told is what comes


@pytest.mark.slow
def test_dividends_are_those_that_are_paid(case: Case) -> None:
    rounds = operating_rounds(case)
    told = {
        (company, rounds[each.round]): each.amount
        for company, payments in case.told.dividends.items()
        for each in payments
    }
    found = set()
    for entry in booked(case, "dividend of"):
        if entry.about in running(case):
            found.add((entry.about, entry.round))
            assert entry.paid.amount == ceil(shares_held(case, entry) * told[entry.about, entry.round])
    assert found == set(told)
    assert found


def test_prices_are_those_of_the_end(case: Case) -> None:
    last = {
        event.company: event.after
        for record in case.game.records
        for event in record.events
        if isinstance(event, PriceMoved)
    }
    closed = state_of(case.game).closed
    assert case.told.prices == {company: last[company] for company in running(case) if company not in closed}


def test_take_overs_are_those_that_come(case: Case) -> None:
    rounds = operating_rounds(case)
    told = {company: (rounds[each.round], each.amount) for company, each in case.told.taken_over.items()}
    found = {
        entry.about: (entry.round, entry.paid.amount / shares_held(case, entry)) for entry in booked(case, "shares of")
    }
    assert told == found


def test_levies_are_what_directors_add(case: Case) -> None:
    rounds = operating_rounds(case)
    told = [(levy.player, levy.company, levy.paid.amount, rounds[levy.paid.round]) for levy in case.told.levies]
    found = [
        (entry.paid.source, entry.paid.target, entry.paid.amount, entry.round)
        for entry in booked(case, "emergency financing")
    ]
    assert told == found


def test_what_is_soon_comes_before_the_next_stock_round(case: Case) -> None:
    now = state_of(case.then).round.replace("SR", "OR")
    entries = [
        entry
        for entry in booked(case, "emergency financing")
        if entry.round.startswith(now) and entry.paid.target in running(case)
    ]
    for player in state_of(case.game).players:
        assert case.told.due(player) == sum(entry.paid.amount for entry in entries if entry.paid.source == player)


@pytest.mark.slow
def test_the_cases_show_all_of_it() -> None:
    """Otherwise the comparisons above would show nothing."""
    told = [rehearsal_of(*case) for case in CASES]
    assert any(each.taken_over for each in told)
    assert {levy.soon for each in told for levy in each.levies} == {True, False}


def test_a_share_brings_what_its_holder_gets_until_the_end(case: Case) -> None:
    """Dividends and a take-over grow as all money does, and the price at the end comes on top of them."""
    view = CzBotView(table_of(case.then), WEIGHTS, rehearsal=case.told)
    got = dict.fromkeys(running(case), 0.0)
    entries = {(entry.about, entry.paid.why, entry.round): entry for entry in booked(case, "") if entry.about in got}
    for (company, why, round), entry in entries.items():
        if why.startswith(("dividend of", "shares of")):
            got[company] += entry.paid.amount / shares_held(case, entry) * grown(case, round)
    for company, paid in got.items():
        worth = view.share(company, "p1")
        assert worth == pytest.approx(paid + case.told.prices.get(company, 0), abs=10)  # dividends are rounded up
        assert worth == view.share(company, "p2"), "it is told to everybody alike"


def test_a_levy_costs_what_the_money_would_have_become(case: Case) -> None:
    view = CzBotView(table_of(case.then), WEIGHTS, rehearsal=case.told)
    players = case.game.state.players
    expected = {(company, player): 0.0 for company in running(case) for player in players}
    for entry in booked(case, "emergency financing"):
        if entry.paid.target in running(case):
            cost = entry.paid.amount * grown(case, entry.round) * WEIGHTS.dealing.levy
            expected[entry.paid.target, entry.paid.source] += cost
    assert {pair: view.levies(*pair) for pair in expected} == pytest.approx(expected)


# Companies of which nothing is told


def test_companies_that_nobody_plays_are_not_known() -> None:
    """Of Vaclav's companies it cannot be told who decides, so they are foreseen as ever."""
    for name in ("SR 7", "SR 8"):
        table, told = table_of(played("bohemia", 2).begun(name)), rehearsal_of("bohemia", 2, name)
        his = {company for company in table.state.floated if director(table, company) not in table.state.players}
        assert his
        assert {company for company in table.title.companies if told.knows(company)} == set(table.state.floated) - his
        view, foreseen = CzBotView(table, WEIGHTS, rehearsal=told), CzBotView(table, WEIGHTS)
        assert all(view.share(company, "p1") == foreseen.share(company, "p1") for company in his)


def test_companies_that_have_not_floated_are_not_known() -> None:
    game, told = played("base", 5).begun("SR 8"), rehearsal_of("base", 5, "SR 8")
    table = table_of(game)
    waiting = set(table.state.start_prices) - set(table.state.floated)
    assert waiting
    assert waiting & set(state_of(played("base", 5).game).floated), "one that floats in the rehearsal"
    assert not any(told.knows(company) for company in waiting)


# The game itself is left alone, and the round is rehearsed once


def figures(told: GameRollout) -> tuple[Any, ...]:
    paid = {company: payments for company, payments in told.dividends.items() if payments}
    return paid, told.prices, told.taken_over, told.levies


def test_the_game_is_not_changed() -> None:
    game = played("moravia", 2).begun("SR 6")
    taken_back = game.undo()
    game.redo()
    game.apply(idle(game))
    undone = game.undo()
    digest, length, question = game.state.digest, len(game), asked(game)
    GameRollout(game, by_idleness)
    stock_round_rollout(game, by_idleness)
    assert (game.state.digest, len(game)) == (digest, length)
    assert asked(game) is question
    assert game.redo() == undone
    assert taken_back in game.records


def test_what_will_be_drawn_by_lot_is_not_known() -> None:
    """Vaclav draws his next companies; a rehearsal draws by itself, whatever the game would."""
    game = played("bohemia", 2).begun("SR 4")
    drawn, rehearsals = set(), []
    for chance in (1, 2, 3):
        state = msgspec.structs.replace(game.state, chance=chance)
        now = Game.from_state(game.rulebook, game.setup, state)
        seen: list[tuple[str, ...]] = []

        def watching(question: Question, game: Game, seen: list[tuple[str, ...]] = seen) -> Action:
            seen.append(state_of(game).floated)
            return idle(game)

        GameRollout(now, watching)
        rehearsals.append(seen)
        while now.question is not None:
            now.apply(idle(now))
        drawn.add(state_of(now).floated)
    assert len(drawn) > 1, "the games draw differently"
    assert rehearsals[0] == rehearsals[1] == rehearsals[2]


def test_it_tells_the_same_whenever_it_is_repeated() -> None:
    game = played("moravia", 2).begun("SR 5")
    assert figures(GameRollout(game, as_g)) == figures(rehearsal_of("moravia", 2, "SR 5"))


def test_a_stock_round_is_rehearsed_once_from_its_beginning() -> None:
    full = played("moravia", 2)
    questions = 0

    def counting(question: Question, game: Game) -> Action:
        nonlocal questions
        questions += 1
        return idle(game)

    for name in full.last:
        asked_at = list(full.within(name))
        assert len(asked_at) > 3
        first = stock_round_rollout(asked_at[-1], counting)  # the last question comes first, and tells the same
        before = questions
        assert all(stock_round_rollout(game, counting) is first for game in asked_at)
        assert questions == before
        assert figures(first) == figures(GameRollout(full.begun(name), by_idleness))


def test_another_round_another_game_and_other_players_are_rehearsed_anew() -> None:
    full = played("moravia", 2)
    before, now = (full.begun(name) for name in full.last)
    twin = new_game("18CZ", NAMES[:2], variant="moravia", seed=1)
    for by, action in now.actions():
        twin.apply(action, by=by)
    found = [
        stock_round_rollout(now, by_idleness),
        stock_round_rollout(before, by_idleness),
        stock_round_rollout(twin, by_idleness),
    ]
    assert len(set(map(id, found))) == 3
    assert figures(found[0]) == figures(found[2])
    assert stock_round_rollout(now, lambda question, game: idle(game)) is not found[0]


def test_what_was_done_before_in_the_round_does_not_count() -> None:
    """It is told as it was at the beginning, even if somebody has done something else since."""
    full = played("moravia", 2)
    game = full.begun("SR 6")
    first = stock_round_rollout(game, by_idleness)
    game.apply(next(option.action for option in asked(game) if option.action != Pass()))
    assert stock_round_rollout(game, by_idleness) is first
