"""Change of Director (18CZ VII.5.b)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import DirectorChanged
from ostbahn.titles.cz.actions import BuyShare, SellLocal, SellShares
from ostbahn.titles.cz.state import EndTurn, LayTrack
from tests.titles.cz.looking import asked, cash_of, director_of, events_of, percent_of, refused_by
from tests.titles.cz.scenes import scene, state_of, stock_round


def large(holdings: Mapping[str, int], player: str, director: str = "p1", order: str = "123") -> Game:
    """kk at 100 with these percentages in players' hands, one of them the Director's, in a Stock Round."""
    shares = {holder: (percent - 20 * (holder == director)) // 10 for holder, percent in holdings.items()}
    return scene(
        phase="d",
        cash=dict.fromkeys(("p1", "p2", "p3"), 1000),
        started={"kk": (100, director)},
        shares={"kk": shares},
        order=tuple(f"p{seat}" for seat in order),
        agenda=[stock_round(player)],
    )


def cards(game: Game, player: str, company: str = "kk") -> list[int]:
    """The certificates of a player by their numbers; 0 is the Director's."""
    return [number for number, holder in enumerate(state_of(game).certificates[company]) if holder == player]


# More than the Director


@pytest.mark.rule("18CZ VII.5.b/1")
def test_whoever_buys_more_than_the_director_has_takes_his_place() -> None:
    game = large({"p1": 30, "p2": 30}, "p2")
    record = game.apply(BuyShare("kk"))
    assert director_of(game, "kk") == "p2"
    assert events_of(DirectorChanged, record.events) == [DirectorChanged("kk", "p1", "p2")]


@pytest.mark.rule("18CZ VII.5.b/1")
def test_a_director_who_sells_falls_behind_another() -> None:
    game = large({"p1": 40, "p2": 30}, "p1")
    game.apply(SellShares("kk", 20))
    assert director_of(game, "kk") == "p2"
    assert (percent_of(game, "p1", "kk"), percent_of(game, "p2", "kk")) == (20, 30)


@pytest.mark.rule("18CZ VII.5.b/2")
@pytest.mark.parametrize(
    ("before", "player", "action"),
    [
        ({"p1": 30, "p2": 20}, "p2", BuyShare("kk")),
        ({"p1": 40, "p2": 30}, "p1", SellShares("kk", 10)),
        ({"p1": 40, "p2": 20, "p3": 20}, "p1", SellShares("kk", 20)),
    ],
)
def test_equal_holdings_change_nothing(before: dict[str, int], player: str, action: Action) -> None:
    game = large(before, player)
    record = game.apply(action)
    assert percent_of(game, "p1", "kk") == percent_of(game, "p2", "kk")
    assert director_of(game, "kk") == "p1"
    assert not events_of(DirectorChanged, record.events)


@pytest.mark.rule("18CZ VII.5.b/3")
def test_the_directors_certificate_is_swapped_for_ordinary_ones() -> None:
    game = large({"p1": 30, "p2": 30}, "p2")
    old, new = cards(game, "p1"), cards(game, "p2")
    assert 0 in old
    game.apply(BuyShare("kk"))
    assert 0 in cards(game, "p2")
    assert len(cards(game, "p2")) == len(new) + 1 + 1 - 2, "one bought, the Director's for two of his"
    assert len(cards(game, "p1")) == len(old) - 1 + 2
    assert (percent_of(game, "p1", "kk"), percent_of(game, "p2", "kk")) == (30, 40)


@pytest.mark.rule("18CZ VII.5.b/3")
def test_the_swap_in_a_medium_company() -> None:
    game = scene(phase="b", started={"BN": (80, "p1")}, shares={"BN": {"p2": 2}}, agenda=[stock_round("p2")])
    assert cards(game, "p1", "BN") == [0]
    game.apply(BuyShare("BN"))
    assert cards(game, "p2", "BN")[0] == 0
    assert len(cards(game, "p2", "BN")) == len(cards(game, "p1", "BN")) == 2
    assert (percent_of(game, "p1", "BN"), percent_of(game, "p2", "BN")) == (40, 60)


@pytest.mark.rule("18CZ VII.5.b/4")
def test_the_company_with_all_it_has_goes_to_the_new_director() -> None:
    game = scene(
        phase="d",
        started={"kk": (100, "p1")},
        shares={"kk": {"p1": 1, "p2": 3}},
        cash={"kk": 333},
        trains={"kk": [("d1", "3E")]},
        stations={"J14.0": ["kk"]},
        locals_of={"S1": "kk"},
        agenda=[EndTurn("kk"), LayTrack("kk", first=False), stock_round("p2")],
    )
    before = state_of(game)
    for action in (BuyShare("kk"), Pass(), Pass(), Pass()):
        game.apply(action)
    after = state_of(game)
    assert asked(game).company == "kk"
    assert asked(game).decider == "p2"
    assert refused_by(game, Pass(), by="p1") == "18CZ V/6"
    assert SellLocal("S1") in asked(game)
    assert cash_of(game, "kk") == 333
    assert (after.trains, after.markers, after.locals) == (before.trains, before.markers, before.locals)
    assert after.board.stations == before.board.stations


# Giving up the post


@pytest.mark.rule("18CZ VII.5.b/5")
def test_nothing_but_a_sale_takes_the_post_from_its_holder() -> None:
    game = large({"p1": 30, "p2": 20}, "p1")
    giving_up = []
    for option in asked(game):
        twin = game.copy()
        twin.apply(option.action)
        if director_of(twin, "kk") != "p1":
            giving_up.append(option.action)
    assert giving_up == [SellShares("kk", 20), SellShares("kk", 30)]


@pytest.mark.rule("18CZ VII.5.b/5")
def test_a_director_cannot_resign_in_an_operating_round() -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        shares={"EKJ": {"p2": 2}},
        stations={"D4.0": ["EKJ"]},
        agenda=[LayTrack("EKJ", first=False)],
    )
    assert refused_by(game, SellShares("EKJ", 50)) == "18CZ VIII.3/1"
    for option in asked(game):
        twin = game.copy()
        twin.apply(option.action)
        assert director_of(twin, "EKJ") == "p1"


@pytest.mark.rule("18CZ VII.5.b/6")
@pytest.mark.parametrize(
    ("company", "start", "own", "others", "sale", "answer"),
    [
        ("BN", 80, 0, 1, 20, "18CZ VII.5.b/6"),
        ("BN", 80, 0, 2, 20, "allowed"),
        ("BN", 80, 0, 2, 40, "allowed"),
        ("BN", 80, 1, 1, 20, "allowed"),
        ("BN", 80, 1, 1, 40, "18CZ VII.5.b/6"),
        ("EKJ", 60, 0, 1, 25, "18CZ VII.5.b/6"),
        ("EKJ", 60, 0, 2, 25, "allowed"),
        ("EKJ", 60, 0, 2, 50, "allowed"),
        ("kk", 100, 1, 1, 20, "18CZ VII.5.b/6"),
        ("kk", 100, 1, 2, 20, "allowed"),
        ("kk", 100, 1, 2, 30, "allowed"),
    ],
)
def test_giving_up_needs_somebody_with_the_directors_percentage(
    company: str, start: int, own: int, others: int, sale: int, answer: str
) -> None:
    game = scene(
        phase="d",
        started={company: (start, "p1")},
        shares={company: {"p1": own, "p2": others}},
        agenda=[stock_round("p1")],
    )
    assert refused_by(game, SellShares(company, sale)) == answer
    assert bool(asked(game).only(SellShares, percent=sale)) == (answer == "allowed")


@pytest.mark.rule("18CZ VII.5.b/6")
def test_two_players_with_the_percentage_only_together_are_not_enough() -> None:
    game = large({"p1": 20, "p2": 10, "p3": 10}, "p1")
    assert refused_by(game, SellShares("kk", 10)) == "18CZ VII.5.b/6"


@pytest.mark.rule("18CZ VII.5.b/3", "18CZ VII.5.b/6")
def test_the_shares_received_for_the_certificate_can_be_sold_in_the_same_sale() -> None:
    game = scene(started={"EKJ": (60, "p1")}, shares={"EKJ": {"p2": 2}}, agenda=[stock_round("p1")])
    game.apply(SellShares("EKJ", 25))
    assert director_of(game, "EKJ") == "p2"
    assert (percent_of(game, "p1", "EKJ"), percent_of(game, "p2", "EKJ")) == (25, 50)
    assert cash_of(game, "p1") == 380 + 60
    assert cards(game, "p2", "EKJ") == [0]
    assert len(cards(game, BANK, "EKJ")) == 1


@pytest.mark.rule("18CZ VII.5.b/7")
@pytest.mark.parametrize(("sale", "left"), [(10, 20), (20, 10), (30, 0)])
def test_the_largest_holder_follows(sale: int, left: int) -> None:
    game = large({"p1": 30, "p2": 20, "p3": 30}, "p1")
    game.apply(SellShares("kk", sale))
    assert percent_of(game, "p1", "kk") == left
    assert director_of(game, "kk") == "p3"
    assert percent_of(game, "p3", "kk") == 30


@pytest.mark.rule("18CZ VII.5.b/8")
@pytest.mark.parametrize(
    ("order", "director", "successor"),
    [("123", "p2", "p3"), ("123", "p1", "p2"), ("123", "p3", "p1"), ("132", "p1", "p3"), ("132", "p2", "p1")],
)
@pytest.mark.parametrize("sale", [10, 20, 30])
def test_among_equals_the_next_after_the_old_director_follows(
    order: str, director: str, successor: str, sale: int
) -> None:
    game = large(dict.fromkeys(("p1", "p2", "p3"), 30), director, director, order)
    game.apply(SellShares("kk", sale))
    assert director_of(game, "kk") == successor
