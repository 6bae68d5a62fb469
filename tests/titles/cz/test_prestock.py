"""The Pre-Stock Round (18CZ VI)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import BuyLocal, OfferForLocal
from ostbahn.titles.cz.state import Acquire, EndTurn, PreStock
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, payments, rule_against
from tests.titles.cz.scenes import NAMES, scene, state_of


def pre_stock(players: int = 3, cash: Mapping[str, int] | None = None, *sheet: str) -> Game:
    """A Pre-Stock Round in which player 1 begins, with the whole sheet or some cards of it."""
    left = sheet or tuple(cz_title().locals)
    return scene(players=players, cash=cash, locals_of=dict.fromkeys(left, BANK), agenda=[PreStock(0, ())])


def play(game: Game, *answers: Action) -> str:
    """Answer in turn; who acted, by seat number."""
    actors = ""
    for answer in answers:
        actors += asked(game).decider[1:]
        game.apply(answer)
    return actors


@pytest.mark.rule("18CZ VI/1")
@pytest.mark.parametrize(
    ("players", "snake"), [(3, "123321123321"), (4, "12344321123443"), (5, "12345543211234"), (6, "123456654321")]
)
def test_turns_run_up_and_down(players: int, snake: str) -> None:
    purchases = [BuyLocal(local) for local in cz_title().locals][: len(snake)]
    assert play(pre_stock(players), *purchases) == snake


@pytest.mark.rule("18CZ VI/1")
def test_the_snake_goes_by_order_cards_and_through_passes() -> None:
    game = new_game("18CZ", NAMES[:4], seed=3)
    order = [player[1:] for player in state_of(game).order]
    assert order != ["1", "2", "3", "4"]
    passes = [BuyLocal("S1"), Pass(), Pass(), Pass(), Pass(), Pass(), Pass()]
    assert play(game, *passes) == "".join(order + order[:0:-1])


@pytest.mark.rule("18CZ VI/2")
def test_any_local_railway_may_be_bought_at_its_printed_price() -> None:
    game = pre_stock()
    assert len(asked(game).only(BuyLocal)) == 18
    assert allowed(game, BuyLocal("S1")), "the cheaper one is still there"
    record = game.apply(BuyLocal("S6"))
    assert [(paid.source, paid.target, paid.amount) for paid in payments(record.events)] == [("p1", BANK, 50)]
    assert state_of(game).locals["S6"] == "p1"


@pytest.mark.rule("18CZ VI/2")
def test_only_one_in_a_turn() -> None:
    game = pre_stock()
    game.apply(BuyLocal("S6"))
    assert rule_against(game, BuyLocal("S1"), by="p1") == "18CZ VI/1", "it is another player's turn"
    assert rule_against(game, BuyLocal("S1"), by="p2") == ""


@pytest.mark.rule("18CZ VI/2")
@pytest.mark.parametrize("local", ["S6", "X1", ""])
def test_only_what_lies_on_the_sheet(local: str) -> None:
    game = pre_stock()
    game.apply(BuyLocal("S6"))
    assert rule_against(game, BuyLocal(local)) == "18CZ VI/2"
    assert not allowed(game, BuyLocal(local))


@pytest.mark.rule("18CZ VI/2")
def test_passing_costs_nothing() -> None:
    game = pre_stock()
    assert not payments(game.apply(Pass()).events)


@pytest.mark.rule("18CZ VI/3")
def test_a_purchase_needs_the_money() -> None:
    game = pre_stock(3, {"p1": 60})
    assert rule_against(game, BuyLocal("M6")) == "18CZ VI/3"
    assert allowed(game, BuyLocal("M5")), "60 K are enough for the one at 60 K"
    prices = {cz_title().locals[local].price for local in cz_title().locals if allowed(game, BuyLocal(local))}
    assert max(prices) == 60


@pytest.mark.rule("18CZ VI/3", "18CZ VI/4")
def test_a_player_without_money_passes_and_the_round_goes_on() -> None:
    game = pre_stock(3, {"p1": 24})
    assert [option.action for option in asked(game)] == [Pass()]
    assert play(game, Pass(), BuyLocal("S1"), BuyLocal("S2"), BuyLocal("S3")) == "1233"
    assert asked(game).decider == "p2"


@pytest.mark.rule("18CZ VI/4")
def test_the_round_ends_when_everybody_has_passed_since_the_last_purchase() -> None:
    game = pre_stock()
    assert play(game, BuyLocal("S1"), Pass(), Pass(), Pass(), Pass()) == "12332"
    assert asked(game).kind == "pre_stock", "player 1 has not passed yet"
    assert play(game, Pass()) == "1"
    assert game.over


@pytest.mark.rule("18CZ VI/4")
def test_a_purchase_takes_back_all_passes() -> None:
    game = pre_stock()
    assert play(game, Pass(), Pass(), BuyLocal("S1"), Pass(), Pass(), Pass()) == "123321"
    assert game.over, "3, 2 and 1 passed after the purchase"
    longer = pre_stock()
    play(longer, Pass(), Pass(), BuyLocal("S1"), BuyLocal("S2"), Pass(), Pass(), Pass())
    assert not longer.over, "2, 1 and 1 again: player 3 is still to be asked"
    assert play(longer, Pass(), Pass()) == "23"
    assert longer.over


@pytest.mark.rule("18CZ VI/4")
def test_the_round_ends_when_all_are_sold() -> None:
    game = pre_stock(3, None, "S1", "M2")
    play(game, BuyLocal("M2"))
    assert not game.over
    play(game, BuyLocal("S1"))
    assert game.over
    assert state_of(game).locals == {"M2": "p1", "S1": "p2"}


@pytest.mark.rule("18CZ VI/5")
def test_what_is_left_over_leaves_the_game() -> None:
    game = new_game("18CZ", NAMES[:3], draw_order=False)
    play(game, BuyLocal("L6"), *[Pass()] * 5)
    assert state_of(game).locals == {"L6": "p1"}
    record = [game.apply(Pass()) for _ in range(3)][-1]
    income = [(paid.target, paid.amount) for paid in payments(record.events)]
    assert income == [("p1", 20)], "only the one that was bought pays"


@pytest.mark.rule("18CZ VI/5")
def test_what_is_left_over_cannot_be_bought_later() -> None:
    game = scene(
        phase="b",
        started={"EKJ": (60, "p1")},
        cash={"EKJ": 100},
        locals_of=dict.fromkeys(cz_title().locals, BANK),
        agenda=[EndTurn("EKJ"), Acquire("EKJ"), PreStock(0, ())],
    )
    play(game, BuyLocal("S2"), *[Pass()] * 5)
    assert asked(game).company == "EKJ"
    offers = [option.action for option in asked(game).only(OfferForLocal)]
    assert offers == [OfferForLocal("S2", 1)]
    assert rule_against(game, OfferForLocal("S1", 40)) == "18CZ IV.1/25"


@pytest.mark.rule("18CZ VI/6")
def test_whoever_passed_may_buy_on_a_later_turn() -> None:
    game = pre_stock()
    assert play(game, Pass(), Pass(), BuyLocal("S1"), Pass(), BuyLocal("S2")) == "12332"
    assert state_of(game).locals["S2"] == "p2"
    assert play(game, BuyLocal("S3")) == "1"


@pytest.mark.parametrize(
    ("cash", "order"),
    [
        pytest.param((100, 40, 70), "231", marks=pytest.mark.rule("18CZ VI/7")),
        pytest.param((70, 70, 40), "312", marks=pytest.mark.rule("18CZ VI/8")),
        pytest.param((40, 70, 40), "132", marks=pytest.mark.rule("18CZ VI/7", "18CZ VI/8")),
        pytest.param((50, 50, 50), "123", marks=pytest.mark.rule("18CZ VI/8")),
    ],
)
def test_the_poorest_comes_first_and_equals_keep_their_order(cash: tuple[int, ...], order: str) -> None:
    game = pre_stock(3, {f"p{seat}": amount for seat, amount in enumerate(cash, start=1)})
    play(game, Pass(), Pass(), Pass())
    assert "".join(player[1:] for player in state_of(game).order) == order


@pytest.mark.rule("18CZ VI/8")
def test_equals_keep_the_order_of_their_cards_not_of_their_seats() -> None:
    seed = next(seed for seed in range(20) if state_of(new_game("18CZ", NAMES[:3], seed=seed)).order[0] == "p3")
    game = new_game("18CZ", NAMES[:3], seed=seed)
    order = state_of(game).order
    play(game, Pass(), Pass(), Pass())
    assert state_of(game).order == order
    assert asked(game).decider == "p3"


@pytest.mark.rule("18CZ VI/7", "18CZ VI/9")
def test_the_poorest_opens_the_first_stock_round() -> None:
    game = new_game("18CZ", NAMES[:3], draw_order=False)
    play(game, BuyLocal("S1"), BuyLocal("L6"), BuyLocal("M1"), Pass(), Pass())
    assert state_of(game).round == "PRE"
    play(game, Pass())
    state = state_of(game)
    assert (state.round, state.order, asked(game).decider) == ("SR 1", ("p2", "p3", "p1"), "p2")
    assert asked(game).kind == "stock_round"
