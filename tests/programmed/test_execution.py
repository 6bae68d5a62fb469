"""What each prepared move answers, what calls it off, and when it is over."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.programmed import execution
from ostbahn.programmed.choices import describe_move, programmable_kinds, programming_fault
from ostbahn.programmed.execution import ActiveMove, MoveEnd, answer_of_move, due_answer
from ostbahn.programmed.moves import (
    AnyProgrammedMove,
    ProgrammedBids,
    ProgrammedPass,
    ProgrammedPurchases,
    ProgrammedReplies,
    ProgrammedTurn,
    StopCondition,
)
from ostbahn.titles.cz.actions import (
    Bid,
    BuyShare,
    BuyTrain,
    OfferForLocal,
    OpenAuction,
    PayOut,
    RunTrains,
    SellShares,
    StartCompany,
)
from ostbahn.titles.cz.state import Acquire, EstablishStation, LayTrack, OperateTrains, PurchaseTrains, Timetable
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.mag import actions as mag
from tests.titles.cz.moravian import fresh as auction
from tests.titles.cz.scenes import scene, stock_round
from tests.titles.mag.share_scenes import stock_scene

RICH = {"p1": 1000, "p2": 1000, "p3": 1000}
FIRST_OR = 1
"""Its box of the process track."""


def shares(player: str = "p1", **fields: Any) -> Game:
    """A Stock Round in phase b; p1 directs NWB with 40 %, which has not floated, and p2 EKJ."""
    usual: dict[str, Any] = {"started": {"NWB": (60, "p1"), "EKJ": (60, "p2")}, "cash": RICH, "phase": "b"}
    return scene(**usual | {"agenda": [Timetable(FIRST_OR), stock_round(player)]} | fields)


class Seat:
    """Somebody who has prepared a move, and is asked what becomes of it."""

    def __init__(self, game: Game, seat: str, move: AnyProgrammedMove) -> None:
        assert programming_fault(game, seat, move) == ""
        self.game, self.seat, self.move, self.given = game, seat, move, len(game)

    def answer(self) -> Action | MoveEnd | None:
        return answer_of_move(self.game, self.seat, self.move, self.given)

    def why(self) -> str:
        ended = self.answer()
        assert isinstance(ended, MoveEnd), ended
        return ended.why


def passing(*alarms: StopCondition, **fields: Any) -> ProgrammedPass:
    return ProgrammedPass(alarms=alarms, **fields)


# Passing


def test_whoever_passes_until_the_round_is_over_does_so_whenever_they_are_asked() -> None:
    game = shares("p1")
    seat = Seat(game, "p2", passing())
    assert seat.answer() is None, "somebody else is asked"
    game.apply(Pass())
    assert seat.answer() == Pass()
    game.apply(Pass())
    game.apply(BuyShare("EKJ"))
    game.apply(Pass())
    assert seat.answer() == Pass()


def test_the_end_of_the_round_ends_it() -> None:
    game = shares("p3")
    seat = Seat(game, "p2", passing())
    for _ in range(3):
        game.apply(Pass())
    assert game.table.state.round == "OR 1.1"  # type: ignore[attr-defined]
    assert seat.answer() == MoveEnd("the round is over", True)


def test_passing_once_is_passing_once() -> None:
    game = shares("p1")
    seat = Seat(game, "p1", passing(until="once"))
    assert seat.answer() == Pass()
    game.apply(Pass())
    assert seat.answer() == MoveEnd("you have passed", True)


def test_whoever_must_sell_is_asked() -> None:
    game = shares(shares={"NWB": {"p1": 1}}, locals_of=dict.fromkeys(cz_title().locals, "p1"))
    assert "must sell down" in Seat(game, "p1", passing()).why()


# Buying


def buying(amount: int, until: Any = "number", company: str = "NWB", *alarms: StopCondition) -> ProgrammedPurchases:
    return ProgrammedPurchases(company=company, until=until, amount=amount, alarms=alarms)


def round_of_passes(game: Game) -> None:
    game.apply(Pass())
    game.apply(Pass())


def test_so_many_shares_are_bought_and_no_more() -> None:
    game = shares("p3")
    seat = Seat(game, "p3", buying(2))
    for _ in range(2):
        answer = seat.answer()
        assert answer == BuyShare("NWB")
        game.apply(BuyShare("NWB"))
        round_of_passes(game)
    assert seat.answer() == MoveEnd("you have bought 2", True)


def test_shares_are_bought_up_to_a_percentage() -> None:
    game = shares("p1")
    seat = Seat(game, "p1", buying(60, "percent"))
    assert seat.answer() == BuyShare("NWB")
    game.apply(BuyShare("NWB"))
    assert seat.answer() == MoveEnd("you hold 60 % of NWB", True)


def test_shares_are_bought_until_the_company_floats_whoever_floats_it() -> None:
    game = shares("p2")
    seat = Seat(game, "p1", buying(1, "floats"))
    assert seat.answer() is None
    game.apply(BuyShare("NWB"))
    assert seat.answer() == MoveEnd("NWB has floated", True)


def test_what_cannot_be_paid_is_called_off_with_the_reason() -> None:
    game = shares("p1", cash={"p1": 50, "p2": 500, "p3": 500})
    assert "has only 50 K" in Seat(game, "p1", buying(1)).why()


def test_what_is_sold_out_meanwhile_is_called_off() -> None:
    game = shares("p2", shares={"NWB": {"p2": 2}})
    seat = Seat(game, "p1", buying(1))
    game.apply(BuyShare("NWB"))
    game.apply(Pass())
    assert "no certificate of NWB left" in seat.why()


# Alarms


def test_a_sale_of_what_one_holds() -> None:
    game = shares("p2", shares={"EKJ": {"p2": 1, "p1": 1}})
    deaf, seat = Seat(game, "p1", passing()), Seat(game, "p1", passing("sale"))
    game.apply(SellShares("EKJ", 25))
    assert seat.answer() == MoveEnd("Boris sold 25 % of EKJ", False)
    assert deaf.answer() is None, "who has not ticked it goes on"


def test_a_sale_of_what_one_does_not_hold_does_not_stop_a_move() -> None:
    game = shares("p2", shares={"EKJ": {"p2": 1}})
    seat = Seat(game, "p1", passing("sale"))
    game.apply(SellShares("EKJ", 25))
    assert seat.answer() is None


def test_a_directorship_at_risk_and_one_that_is_lost() -> None:
    game = shares("p2", shares={"NWB": {"p2": 1}})
    seat = Seat(game, "p1", passing("directorship"))
    game.apply(BuyShare("NWB"))
    assert seat.why() == "somebody else needs but one share of NWB to direct it"
    game = shares("p2", shares={"NWB": {"p2": 2}})
    seat = Seat(game, "p1", passing("directorship"))
    game.apply(BuyShare("NWB"))
    assert seat.why() == "Boris became director of NWB"


def test_something_becomes_affordable() -> None:
    game = shares("p2", cash={"p1": 59, "p2": 500, "p3": 500}, shares={"NWB": {"p2": 1}})
    seat = Seat(game, "p1", passing("affordable"))
    game.apply(SellShares("NWB", 20))
    assert seat.why() == "you can pay for NWB now"


def test_a_price_changes() -> None:
    game = shares("p2", shares={"NWB": {"p2": 1}})
    buyer, idle = Seat(game, "p3", buying(1, "number", "NWB", "price")), Seat(game, "p3", passing("price"))
    game.apply(SellShares("NWB", 20))
    assert buyer.why().startswith("the price of NWB is 5")
    assert idle.answer() is None, "p3 holds none of it"


def test_a_company_floats() -> None:
    game = shares("p2")
    seat = Seat(game, "p3", passing("float"))
    game.apply(BuyShare("NWB"))
    assert seat.answer() == MoveEnd("NWB floated", False)


def test_somebody_else_buys_what_one_is_buying() -> None:
    game = shares("p2")
    seat = Seat(game, "p3", buying(2, "number", "NWB", "bought"))
    game.apply(BuyShare("NWB"))
    assert seat.why() == "Boris bought 20 % of NWB"


def test_a_phase_begins() -> None:
    owned = {"EKJ": (60, "p2"), "OFE": (60, "p1")}
    game = scene(started=owned, cash={"EKJ": 900}, cards_gone=5, agenda=[PurchaseTrains("EKJ")])
    seat = Seat(game, "p1", ProgrammedTurn(company="OFE", alarms=("phase",)))
    game.apply(next(option.action for option in game.question or () if isinstance(option.action, BuyTrain)))
    assert seat.answer() == MoveEnd("phase b began", False)


def test_ones_own_answers_stop_no_move() -> None:
    game = shares("p1", shares={"EKJ": {"p1": 1}})
    seat = (
        Seat(game, "p1", ProgrammedReplies(below=10))
        if programming_fault(game, "p1", ProgrammedReplies(below=10)) == ""
        else None
    )
    mine = ActiveMove(1, "p1", passing("price", "sale", "affordable"), len(game), len(game))
    game.apply(SellShares("EKJ", 25))
    found = due_answer(game, [mine])
    assert found.ended == ()
    assert found.action == Pass()
    assert seat is None or seat.answer() is None


# Taking back


def test_what_was_prepared_later_falls_when_somebody_goes_back() -> None:
    game = shares("p1")
    game.apply(Pass())
    seat = Seat(game, "p3", passing())
    game.undo()
    assert seat.answer() == MoveEnd("what happened before it was taken back", False)


def test_what_was_prepared_before_stands() -> None:
    game = shares("p1", shares={"NWB": {"p2": 1}})
    seat = Seat(game, "p3", buying(1, "number", "NWB", "price"))
    game.apply(Pass())
    game.apply(SellShares("NWB", 20))
    assert isinstance(seat.answer(), MoveEnd)
    game.undo()
    assert seat.answer() is None, "nothing has happened"


# Several moves


def test_moves_answer_one_after_the_other() -> None:
    game = shares("p1")
    moves: list[AnyProgrammedMove] = [passing(), buying(1)]  # whoever says both wants to buy first
    standing = [ActiveMove(number, "p1", move, len(game), len(game)) for number, move in enumerate(moves)]
    assert due_answer(game, standing).action == BuyShare("NWB")
    game.apply(BuyShare("NWB"))
    round_of_passes(game)
    found = due_answer(game, standing)
    assert found.action == Pass()
    assert [(each.id, ended.done) for each, ended in found.ended] == [(1, True)]


def test_what_stands_behind_a_move_that_is_called_off_falls_with_it() -> None:
    game = shares("p2", shares={"NWB": {"p2": 1}})
    moves: list[AnyProgrammedMove] = [buying(1, "number", "NWB", "price"), passing()]
    standing = [ActiveMove(number, "p3", move, len(game), len(game)) for number, move in enumerate(moves)]
    game.apply(SellShares("NWB", 20))
    game.apply(Pass())
    found = due_answer(game, standing)
    assert found.action is None, "else somebody would pass who wanted to buy"
    assert [ended.done for _, ended in found.ended] == [False, False]


# Bids


def test_bids_go_up_to_the_most_and_then_leave() -> None:
    game = auction(3)
    seat = Seat(game, "p2", ProgrammedBids(item="S1", most=45))
    game.apply(OpenAuction("S1", 35))
    assert seat.answer() == Bid(40)
    game.apply(Bid(40))
    game.apply(Bid(45))
    game.apply(Pass())
    assert seat.answer() == Pass(), "50 is too much"
    game.apply(Pass())
    assert seat.answer() == MoveEnd("it was auctioned", True)


def test_bids_are_for_one_paper() -> None:
    game = auction(3)
    seat = Seat(game, "p2", ProgrammedBids(item="MW", most=200))
    game.apply(OpenAuction("S1", 35))
    assert seat.answer() is None


# Turns


def turn(*steps: Any, **fields: Any) -> Game:
    usual: dict[str, Any] = {
        "started": {"EKJ": (60, "p1"), "OFE": (60, "p2")},
        "cash": {"EKJ": 100, "p1": 200},
        "trains": {"EKJ": [("a1", "2")]},
    }
    return scene(**usual | {"agenda": list(reversed(steps))} | fields)


def test_a_turn_without_anything_new() -> None:
    steps = [LayTrack("EKJ", False), EstablishStation("EKJ"), OperateTrains("EKJ"), Acquire("EKJ")]
    game = turn(*steps, PurchaseTrains("EKJ"))
    seat = Seat(game, "p1", ProgrammedTurn(company="EKJ"))
    kinds_of_answers = []
    while (answer := seat.answer()) is not None and not isinstance(answer, MoveEnd):
        kinds_of_answers.append(type(answer))
        game.apply(answer)
    assert set(kinds_of_answers) <= {Pass, RunTrains, PayOut}
    assert RunTrains in kinds_of_answers
    assert kinds_of_answers[0] is Pass


def test_whoever_has_to_buy_a_train_is_asked() -> None:
    seat = Seat(turn(PurchaseTrains("EKJ"), trains={}), "p1", ProgrammedTurn(company="EKJ"))
    assert "must buy a train" in seat.why()


def test_the_turn_of_another_company_is_left_alone() -> None:
    game = turn(LayTrack("EKJ", False), EstablishStation("EKJ"), started={"EKJ": (60, "p1"), "OFE": (60, "p1")})
    assert Seat(game, "p1", ProgrammedTurn(company="OFE")).answer() is None
    assert Seat(game, "p1", ProgrammedTurn()).answer() == Pass(), "all companies"


def test_a_run_that_is_not_proven_is_left_to_its_director(monkeypatch: pytest.MonkeyPatch) -> None:
    from ostbahn.kernel.routes.network import BestRun

    monkeypatch.setattr(execution, "best_run", lambda game, company: BestRun((), 50, bound=80))
    seat = Seat(turn(OperateTrains("EKJ")), "p1", ProgrammedTurn(company="EKJ"))
    assert seat.why() == "nobody knows whether the best run of EKJ was found"


# Offers


def with_offer(price: int) -> Game:
    game = turn(LayTrack("EKJ", False), phase="b", locals_of={"S1": "p2"}, local_price=60)
    game.apply(OfferForLocal("S1", price))
    return game


@pytest.mark.parametrize(
    ("price", "move", "answer"),
    [
        (30, ProgrammedReplies(below=40), Decline()),
        (40, ProgrammedReplies(below=40), None),
        (30, ProgrammedReplies(below=40, thing="Local Railway S1", accept=True), Decline()),
        (40, ProgrammedReplies(below=40, thing="Local Railway S1", accept=True), Accept()),
        (40, ProgrammedReplies(below=40, thing="Local Railway S1"), None),
        (30, ProgrammedReplies(below=40, thing="company OFE"), None),
    ],
)
def test_offers_below_a_price_are_declined(price: int, move: ProgrammedReplies, answer: Action | None) -> None:
    assert Seat(with_offer(price), "p2", move).answer() == answer


def test_nobody_parts_with_whatever_is_wanted() -> None:
    assert (
        programming_fault(with_offer(30), "p2", ProgrammedReplies(below=40, accept=True))
        == "say what you would part with for that"
    )


# What may be prepared


def test_kinds_fit_the_moment() -> None:
    assert [kind.prepare for kind in programmable_kinds(shares("p1"), "p3")] == ["pass", "buy"]
    assert [kind.prepare for kind in programmable_kinds(auction(3), "p1")] == ["bid"]
    assert [kind.prepare for kind in programmable_kinds(turn(LayTrack("EKJ", False)), "p1")] == ["turn", "reply"]
    ticked = {
        kind.prepare: [each.alarm for each in kind.alarms if each.ticked]
        for kind in programmable_kinds(shares("p1"), "p3")
    }
    assert ticked == {"pass": ["sale", "directorship", "affordable"], "buy": ["price", "sale", "directorship"]}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (buying(9), "choose 1 to 3, not 9"),
        (buying(50, "percent"), "choose 60 to 100, not 50"),
        (buying(1, "floats", "EKJ"), "EKJ cannot be bought that way"),
        (buying(1, "number", "BN"), "there is nothing to prepare for BN now"),
        (ProgrammedBids(item="S1", most=3), "that cannot be prepared now"),
        (passing("bought"), "this cannot happen to it: somebody else buys it"),
    ],
)
def test_what_makes_no_sense_cannot_be_prepared(move: AnyProgrammedMove, why: str) -> None:
    assert programming_fault(shares("p1", shares={"EKJ": {"p2": 1}}), "p1", move) == why


def test_moves_are_told_in_words() -> None:
    game = shares("p1")
    assert describe_move(game, buying(2)) == "buy 2 shares of NWB"
    assert describe_move(game, buying(60, "percent")) == "buy NWB up to 60 %"
    assert describe_move(game, passing()) == "pass until the round is over"
    assert describe_move(game, ProgrammedReplies(below=40)) == "decline offers below 40 K"


# The other title


def test_majors_are_bought_and_minors_have_turns() -> None:
    game = stock_scene("p1")
    assert [kind.prepare for kind in programmable_kinds(game, "p1")][:2] == ["pass", "buy"]
    company = next(thing.id for thing in programmable_kinds(game, "p1")[1].about)
    assert "floats" not in programmable_kinds(game, "p1")[1].until
    answer = answer_of_move(game, "p1", ProgrammedPurchases(company=company), 0)
    assert answer == mag.BuyShare(company) or (isinstance(answer, MoveEnd) and "has" in answer.why)


def test_the_first_certificate_is_no_share() -> None:
    """Who wants a company to start starts it."""
    game = shares("p1")
    assert all(thing.id in ("NWB", "EKJ") for thing in programmable_kinds(game, "p1")[1].about)
    assert StartCompany("OFE", 60) in (game.question or ())
