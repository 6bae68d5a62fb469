"""What everybody will be worth: it is what it will be at the end, and moves as one would expect before."""

from copy import copy

from msgspec import structs

from ostbahn.kernel.game import Game
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.opponents.calendar import Calendar
from ostbahn.titles.cz.opponents.policy import proposals
from ostbahn.titles.cz.opponents.prospects import CzBotView, estimate_final_wealth
from ostbahn.titles.cz.opponents.weights import cz_weights
from ostbahn.titles.cz.state import CzTable

WEIGHTS = cz_weights()


def table_of(game: Game) -> CzTable:
    assert isinstance(game.table, CzTable)
    return game.table


def played(answers: int, variant: str = "base", players: int = 3) -> Game:
    game = new_game("18CZ", ("Anna", "Bert", "Cilli")[:players], variant=variant, seed=1)
    while game.question is not None and len(game) < answers:
        question = game.question
        game.apply(question.options[0].action if question.obvious else proposals(question, game, WEIGHTS)[0].action)
    return game


def test_at_the_end_it_is_the_reckoning() -> None:
    table = table_of(played(10_000, "moravia", 2))
    assert estimate_final_wealth(table, WEIGHTS) == table.standings()


def test_money_is_worth_more_the_earlier_one_has_it() -> None:
    early, late = Calendar(table_of(played(20)), WEIGHTS), Calendar(table_of(played(150)), WEIGHTS)
    assert early.cash_now > late.cash_now >= 1


def test_a_player_with_more_cash_is_worth_more() -> None:
    table = table_of(played(60))
    richer = table_of(played(60))
    richer.state = copy(richer.state)
    richer.state.cash = {**richer.state.cash, "p1": richer.state.cash["p1"] + 100}
    assert estimate_final_wealth(richer, WEIGHTS)["p1"] > estimate_final_wealth(table, WEIGHTS)["p1"] + 100
    assert estimate_final_wealth(richer, WEIGHTS)["p2"] == estimate_final_wealth(table, WEIGHTS)["p2"]


def test_a_company_with_trains_promises_more_than_one_without() -> None:
    table = table_of(played(60))
    company = next(company for company, trains in table.state.trains.items() if trains)
    bare = copy(table)
    bare.state = copy(table.state)
    bare.state.trains = {**table.state.trains, company: ()}
    assert CzBotView(table, WEIGHTS).prospect(company).dividends > CzBotView(bare, WEIGHTS).prospect(company).dividends


def test_old_trains_are_expected_to_die_and_the_last_ones_to_live() -> None:
    calendar = Calendar(table_of(played(60)), WEIGHTS)
    last = calendar.rounds_before + calendar.rounds_ahead - 1
    assert calendar.ahead.lives(Train("a1", "2").face, calendar.rounds_before)
    assert not calendar.ahead.lives("2", last)
    assert calendar.ahead.lives("8E", last)


def test_what_is_foreseen_hangs_on_the_weights_and_not_on_who_asked_before() -> None:
    """Prospects are kept by weights among other things: equal ones share them, others do not."""
    table = table_of(played(150))
    doubled = {face: 2 * amount for face, amount in WEIGHTS.trains.typical.items()}
    hopeful = structs.replace(WEIGHTS, trains=structs.replace(WEIGHTS.trains, typical=doubled))
    same = structs.replace(WEIGHTS)
    before = estimate_final_wealth(table, WEIGHTS)
    assert estimate_final_wealth(table, hopeful) != before
    assert (hash(same), estimate_final_wealth(table, same)) == (hash(WEIGHTS), before)
