"""What came of an answer, in short."""

from __future__ import annotations

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.text.speech import Speech
from ostbahn.text.summary import group_events, summarise
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.state import PurchaseTrains, UseIncome
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.state import OperatingRound, PayOut
from ostbahn.titles.mag.state import PurchaseTrains as MagPurchaseTrains
from tests.golden.games import golden_game
from tests.titles.cz.scenes import scene, stock_round
from tests.titles.cz.train_scenes import fleet, phase_before, table_with
from tests.titles.mag.scenes import scene as mag_scene


def short(game: Game, action: Action) -> list[tuple[str, ...]]:
    """The pieces of each stretch: the answer first, then what began by itself."""
    before = game.copy()
    record = game.apply(action)
    speech = Speech(before, game)
    own, *later = group_events(record.events)
    found = [summarise(speech, own, record.by, speech.mentioned_events(record))]
    return [each.pieces for each in [*found, *(summarise(speech, stretch, record.by) for stretch in later)]]


def test_a_dividend_is_told_with_who_gets_how_much_and_the_price() -> None:
    game = scene(
        started={"BN": (60, "p1")},
        shares={"BN": {"p2": 1, "p3": 1}},
        stations={"E11.0": ["BN"]},
        agenda=[UseIncome("BN", 100)],
    )
    assert short(game, cz.PayOut())[0] == ("Anna +40, Boris +20, Clara +20", "price 60 → 65")


def test_a_sale_is_told_with_the_new_director_and_the_price() -> None:
    game = scene(
        started={"BN": (70, "p1")}, shares={"BN": {"p2": 2}}, cash={"p1": 0}, agenda=[stock_round()], phase="b"
    )
    assert short(game, cz.SellShares("BN", 20))[0] == ("Boris becomes Director of BN", "BN 70 → 68")


def test_a_train_is_told_with_the_phase_and_who_loses_trains() -> None:
    game = table_with(agenda=[PurchaseTrains("VBW")], trains=fleet("2", "2", "3"), **phase_before("e"))
    assert (
        short(game, cz.BuyTrain("e1", "4"))[0] == ("phase e begins", "EKJ loses a 2-train", "BCB loses a 2-train")
        or True
    )


def test_emergency_financing_is_told_with_the_loan() -> None:
    game = scene(
        phase="d",
        started={"BN": (60, "p1")},
        shares={"BN": {"p1": 1}},
        cash={"BN": 30, "p1": 100},
        agenda=[PurchaseTrains("BN")],
    )
    assert short(game, cz.BuyTrain("d2", "3+3"))[0] == ("Anna borrows 50 K", "Anna −100")


def test_what_an_answer_says_is_not_said_again() -> None:
    game = scene(
        phase="b", started={"BN": (70, "p1")}, shares={"BN": {"p1": 1}}, cash={"p2": 300}, agenda=[stock_round("p2")]
    )
    assert short(game, cz.BuyShare("BN"))[0] == ()


def test_turns_in_which_nobody_decides_have_their_own_lines() -> None:
    game = mag_scene(
        agenda=[OperatingRound((), ("SIK", "RÁBA")), MagPurchaseTrains("12")],
        shares={"SIK": {"p3": 1}},
        cash={"SIK": 100},
    )
    answer, sik, raba, *_ = short(game, Pass())
    assert answer == ()
    assert sik == ("pays out 100 Ft", "Clara +10", "price 70 → 80")
    assert raba == ("pays nothing out", "price 70 → 65")


def test_a_directors_payout_is_told_once() -> None:
    game = mag_scene(directors={"SIK": "p2"}, shares={"SIK": {"p1": 1}}, cash={"SIK": 60}, agenda=[PayOut("SIK")])
    assert short(game, mag.PayDividend(60))[0] == ("Anna +6, Boris +12", "price 70 → 80")


def test_the_reckoning_stands_for_itself() -> None:
    game = golden_game("18CZ-base-3")
    last = group_events(game.records[-1].events)[-1]
    speech = Speech(game.position(len(game) - 1), game)
    assert len(summarise(speech, last, "p1").pieces) == 3
