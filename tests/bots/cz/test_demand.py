"""How fast train cards go: never slower than usual, and faster where companies must buy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import structs

from ostbahn.kernel.game import Game
from ostbahn.titles.cz.opponents.calendar import Calendar, Demand
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights
from ostbahn.titles.cz.state import OperatingRound, PurchaseTrains, Timetable
from tests.titles.cz.scenes import scene, state_of, stock_round, table_of

SMALL = ("EKJ", "OFE", "BCB", "MW", "VBW")
MEDIUM = ("BN", "NWB", "ATE", "BTE", "KFN")
FIRST_OF_D, FIRST_OF_E = 13, 17
"""Cards that have gone when the first one of a letter lies on top."""
NEVER: Mapping[str, int] = {}
"""Trains that are never scrapped."""
FOURTH_SR = 9
"""Its box on the process track; three Operating Rounds lie behind."""


def companies(
    *names: str, cash: int = 0, trains: Mapping[str, Sequence[tuple[str, str]]] | None = None, **fields: Any
) -> Game:
    """Companies that have floated, each with so much money and with these trains."""
    return scene(
        started=dict.fromkeys(names, (60, "p1")),
        shares={name: {"p1": 1} for name in names if name in MEDIUM},
        cash=dict.fromkeys(names, cash),
        trains=trains,
        **{"phase": "a", "agenda": [stock_round("p2")], **fields},
    )


def demand(game: Game, scrapped_after: Mapping[str, int] = NEVER) -> Demand:
    return Demand(table_of(game), scrapped_after)


# Who buys


def test_whoever_has_no_train_buys_one_and_then_has_it() -> None:
    game = companies(*SMALL[:3], cards_gone=0)
    assert demand(game).rounds((), (40, 45, 50)) == [0, 3, 3]


def test_whoever_has_a_train_buys_none() -> None:
    game = companies(*SMALL[:3], cards_gone=2, trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]})
    assert demand(game).rounds((), (40, 45)) == [2, 3]


def test_a_rich_company_buys_two() -> None:
    """A 2-train is 70 K."""
    gone = [demand(companies("EKJ", cash=cash, cards_gone=0)).rounds((), (40, 45))[1] for cash in (0, 139, 140, 900)]
    assert gone == [1, 1, 2, 2]


def test_an_export_is_one_card() -> None:
    game = companies(cards_gone=4)
    assert demand(game).rounds((), ("export", "SR", 40, "export", "SR", 45, 50)) == [5, 6, 6]


def test_boxes_without_trains_take_none() -> None:
    assert demand(companies(*SMALL, cards_gone=4)).rounds((), ("SR", "SR")) == []


def test_companies_that_still_buy_in_the_present_round_come_first() -> None:
    game = companies(*SMALL[:3], cards_gone=0)
    assert demand(game).rounds(("OFE",), (40, 45)) == [1, 3]


def test_a_company_waits_until_trains_of_its_size_are_sold() -> None:
    """There are five a-cards, which show small trains only; b-cards have medium ones too."""
    assert demand(companies("BN", cards_gone=4)).rounds((), (40, 45)) == [4, 4]
    assert demand(companies("BN", cards_gone=5)).rounds((), (40, 45)) == [5, 6]


def test_trains_that_are_scrapped_are_bought_anew() -> None:
    game = companies("EKJ", cards_gone=3, trains={"EKJ": [("a1", "2")]})
    boxes = (40, "export", 45, "export", 50, 55)
    assert demand(game).rounds((), boxes) == [3, 4, 5, 5]
    assert demand(game, {"2": 5}).rounds((), boxes) == [3, 4, 5, 6], "they live until five have gone"


def test_what_one_buys_scraps_the_trains_of_another() -> None:
    """EKJ lives on its 2-train until OFE, which has none, takes the fatal card."""
    scrapped_after = {"2": FIRST_OF_E + 1}
    alone = companies("EKJ", cards_gone=FIRST_OF_E, phase="d", trains={"EKJ": [("a1", "2")]})
    assert demand(alone, scrapped_after).rounds((), (55, 60)) == [FIRST_OF_E, FIRST_OF_E]
    both = companies("OFE", "EKJ", cards_gone=FIRST_OF_E, phase="d", trains={"EKJ": [("a1", "2")]})
    assert demand(both, scrapped_after).rounds((), (55, 60)) == [FIRST_OF_E, FIRST_OF_E + 2]


def test_trains_that_it_cannot_run_do_not_help_a_company() -> None:
    game = companies("BN", cards_gone=6, trains={"BN": [("b1", "2")]})
    assert demand(game).rounds((), (40, 45)) == [6, 7]


def test_companies_that_are_not_floated_or_are_closed_do_not_count() -> None:
    unfloated = scene(started={"BN": (60, "p1")}, phase="b", cards_gone=6, agenda=[stock_round("p2")])
    assert state_of(unfloated).floated == ()
    assert demand(unfloated).rounds((), (40, 45)) == [6, 6]
    closed = companies("EKJ", "OFE", cards_gone=0, closed=("OFE",))
    assert demand(closed).rounds((), (40, 45)) == [0, 1]


def test_asking_does_not_change_the_table() -> None:
    game = companies(*SMALL, cash=500, cards_gone=0)
    before = state_of(game).digest
    demand(game).rounds(SMALL, (40, 45, 50))
    assert state_of(game).digest == before


# What the calendar makes of it


def at_box(game: Game, box: int) -> Game:
    """The same position with the rest of the process track ahead, from a box on."""
    agenda = (Timetable(box), *state_of(game).agenda[1:])
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(game.state, agenda=agenda))


def foreseen(game: Game, weights: CzWeights) -> list[int]:
    """Cards that will have gone when each Operating Round of the game begins."""
    calendar = Calendar(table_of(game), weights)
    return [calendar.ahead.gone_at(number) for number in range(calendar.rounds_before + calendar.rounds_ahead)]


def thinking_of_demand(*, demand: bool) -> CzWeights:
    weights = cz_search_weights()
    return structs.replace(weights, future=structs.replace(weights.future, demand=demand))


def bare() -> Game:
    """All ten smaller companies without a train, in the Stock Round before the fourth Operating Round."""
    game = companies(*SMALL, *MEDIUM, cash=100, phase="c", cards_gone=FIRST_OF_D)
    return at_box(game, FOURTH_SR + 1)


def supplied() -> Game:
    """One company, which has a train."""
    game = companies("EKJ", phase="c", cards_gone=FIRST_OF_D, trains={"EKJ": [("c1", "3")]})
    return at_box(game, FOURTH_SR + 1)


def test_companies_without_trains_make_cards_go_faster_than_usual() -> None:
    usual, faster = (foreseen(bare(), thinking_of_demand(demand=each)) for each in (False, True))
    assert usual[3] == faster[3] == FIRST_OF_D, "not before they have had a turn"
    assert faster[4] == FIRST_OF_D + 10 + 1, "one for each, and an export"
    assert faster[4] > usual[4]


def test_it_never_goes_slower_than_usual() -> None:
    for game in (bare(), supplied()):
        usual, faster = (foreseen(game, thinking_of_demand(demand=each)) for each in (False, True))
        assert all(one <= other for one, other in zip(usual, faster, strict=True))
        assert faster == sorted(faster)


def test_where_everybody_has_trains_the_usual_pace_is_kept() -> None:
    usual, other = (foreseen(supplied(), thinking_of_demand(demand=each)) for each in (False, True))
    assert other == usual


def test_trains_die_earlier_where_others_must_buy() -> None:
    """2+2-trains go with the first 4+4-train, an f-card."""
    game = bare()
    calm, hasty = (Calendar(table_of(game), thinking_of_demand(demand=each)) for each in (False, True))
    assert [calendar.ahead.lives("2+2", 4) for calendar in (calm, hasty)] == [True, False]


def test_g_keeps_the_usual_pace() -> None:
    """By its own weights it does not ask who must buy: it expects the same of a rich market and of a bare one."""
    assert not cz_weights().future.demand
    assert foreseen(bare(), cz_weights()) == foreseen(supplied(), cz_weights())
    assert foreseen(bare(), cz_search_weights()) != foreseen(supplied(), cz_search_weights())


@pytest.mark.parametrize(
    ("agenda", "expected"),
    [
        pytest.param((OperatingRound(("OFE",)), PurchaseTrains("EKJ")), 2, id="both have still to buy"),
        pytest.param((OperatingRound(()), PurchaseTrains("EKJ")), 1, id="one has had its turn"),
    ],
)
def test_who_still_buys_in_this_round_is_counted_before_the_next(agenda: tuple[Any, ...], expected: int) -> None:
    """The last Operating Round but one: no export comes between."""
    game = companies("EKJ", "OFE", cash=400, phase="h", cards_gone=30, agenda=agenda)
    calendar = Calendar(table_of(at_box(game, 27)), _without_pace(cz_search_weights()))
    assert calendar.ahead.gone_at(calendar.rounds_before) == 30 + expected


def _without_pace(weights: CzWeights) -> CzWeights:
    future = structs.replace(weights.future, pace=(0,) * len(weights.future.pace))
    return structs.replace(weights, future=future)


def test_nobody_is_expected_to_buy_more_trains_than_he_may_own() -> None:
    game = companies("EKJ", cash=900, phase="h", cards_gone=30)
    assert demand(game).rounds((), (100, 110)) == [30, 31]


def test_a_train_that_runs_now_is_not_given_up_before_another_card_goes() -> None:
    game = companies("EKJ", phase="e", cards_gone=18, trains={"EKJ": [("a1", "2")]})
    calendar = Calendar(table_of(game), cz_search_weights())
    assert calendar.ahead.lives("2", 0)
    assert demand(game, {"2": 18}).rounds((), (55, 60)) == [18, 18]
