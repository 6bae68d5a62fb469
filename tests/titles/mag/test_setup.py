"""General information, components, set-up and the map (18Mag I, II, III.1, III.2)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import CertificateMoved
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.actions import BuyShare, BuyTrain, LayTile, PayDividend, ScrapTrain, SellShares
from ostbahn.titles.mag.state import Draft, LayTrack, PayOut, PurchaseTrains, Rounds, ScrapTrains
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag.scenes import NAMES, cards_of, scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    MINORS,
    all_pass,
    answer_all,
    cash_of,
    events_of,
    finish_draft,
    is_offered,
    new_mag_game,
    on_charter,
    price_of,
    question_of,
    refusal_rule,
    stack_at,
    stock_scene,
)

TERRAIN_TOKENS = {"5": 3, "12": 2, "6": 1, "7": 1, "13": 1}


# I. General information


@pytest.mark.rule("18Mag I/1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_three_to_six_play_by_the_main_rules(players: int) -> None:
    assert len(state_of(new_mag_game(players)).players) == players


@pytest.mark.rule("18Mag I/1")
@pytest.mark.parametrize("players", [0, 1, 2, 7])
def test_other_numbers_cannot_play_by_them(players: int) -> None:
    with pytest.raises(BadSetup, match=rf"is for 3 to 6 players, not {players} \(18Mag I/1\)"):
        new_game("18Mag", [f"Player {number}" for number in range(players)])


@pytest.mark.rule("18Mag I/1")
@pytest.mark.parametrize(("variant", "number"), [("two_player", 2), ("solo", 1)])
@pytest.mark.parametrize("players", [1, 2, 3])
def test_two_and_one_have_variants_of_their_own(variant: str, number: int, players: int) -> None:
    if players == number:
        assert not new_game("18Mag", NAMES[:players], variant=variant).over
    else:
        with pytest.raises(BadSetup, match=rf"is for {number} players?, not {players}"):
            new_game("18Mag", NAMES[:players], variant=variant)


# II.1 and II.2


@pytest.mark.rule("18Mag II.1/2")
def test_all_possessions_lie_open() -> None:
    """There is one state for all eyes, and everything that anybody owns is in it."""
    game = stock_scene(
        cash={"p1": 17, "3": 33, "SIK": 80},
        directors={"SIK": "p2"},
        shares={"SIK": {"p3": 2}},
        trains={"3": ["3", "2"]},
    )
    state = state_of(game)
    assert (state.cash["p1"], state.cash["p2"], state.cash["3"], state.cash["SIK"]) == (17, 0, 33, 80)
    assert state.certificates["SIK"] == ("p2", "p3", "p3", *[BANK] * 6)
    assert [train.face for train in state.trains["3"]] == ["3", "2"]
    assert (state.owners["3"], state.markers["3"], state.markers["SIK"]) == ("p3", 2, 2)
    assert {minor: tokens for minor, tokens in state.terrain_tokens.items() if tokens} == TERRAIN_TOKENS


@pytest.mark.rule("18Mag II.2/1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_nobody_has_money_at_the_start(players: int) -> None:
    assert set(state_of(new_mag_game(players)).cash.values()) == {0}


@pytest.mark.rule("18Mag II.2/3")
def test_the_bank_pays_what_it_must_however_much_that_is() -> None:
    game = stock_scene(cash={"p2": 10**9}, shares={"SIK": {"p1": 5}}, prices={"SIK": 400})
    assert cash_of(game, BANK) < -(10**9)
    game.apply(SellShares("SIK", 50))
    assert cash_of(game, "p1") == 2000
    answer_all(game, Pass())
    all_pass(game)
    assert not game.over


# II.3 Components


@pytest.mark.rule("18Mag II.3/1")
def test_cards_for_shares_prices_and_playing_order() -> None:
    """Trains make up the 176 cards; as their stacks never run out, 96 is no limit (see II.4/6)."""
    title = mag_title()
    shares = state_of(new_mag_game()).certificates
    for major in MAJORS:
        assert title.companies[major].certificates == (20, *[10] * 8)
        assert len(shares[major]) == 9
    order = len(state_of(new_mag_game(6)).order) + 1
    prices = len(title.chart.start_cards)
    assert sum(map(len, shares.values())) + prices + order + 96 == 176


@pytest.mark.rule("18Mag II.3/2")
def test_thirteen_minors_and_seven_majors() -> None:
    title = mag_title()
    assert tuple(title.minors) == MINORS
    assert tuple(title.companies) == MAJORS
    accounts = set(state_of(new_mag_game()).cash) - {BANK, "p1", "p2", "p3"}
    assert accounts == {*MINORS, *MAJORS}, "the spare charter is nobody's account"


@pytest.mark.rule("18Mag II.3/3", "18Mag II.4/4")
def test_tokens_of_minors_and_majors() -> None:
    game = new_mag_game()
    finish_draft(game)
    state, title = state_of(game), mag_title()
    stations = {minor: state.markers[minor] + len(state.board.stations_of(minor)) for minor in state.owners}
    assert set(stations.values()) == {3}
    assert {
        minor: tokens for minor, tokens in state_of(new_mag_game()).terrain_tokens.items() if tokens
    } == TERRAIN_TOKENS
    assert sum(TERRAIN_TOKENS.values()) == 8
    counted = 13 * (3 + 1) + 7 * (2 + 1) + 8 + title.no_train_tokens + sum(isinstance(t, Rounds) for t in state.agenda)
    assert counted == 85
    assert title.no_train_tokens == 3


@pytest.mark.rule("18Mag II.3/4")
def test_the_supply_has_150_tiles() -> None:
    supply, tiles = state_of(new_mag_game()).supply, mag_title().tiles
    found = Counter[str]()
    for name, number in supply.items():
        found[tiles[name].colour] += number
    assert found == {"yellow": 65, "green": 51, "brown": 28, "grey": 6}
    assert found.total() == 150


@pytest.mark.rule("18Mag II.3/4")
def test_a_tile_that_is_used_up_cannot_be_laid() -> None:
    """The only tile 20 goes to E16; E20 can have it only as long as it lies in the supply."""
    game = scene(
        phase="green",
        tiles={"E16": ("9", 1), "E18": ("57", 1), "E20": ("9", 1)},
        stations={"E18.0": ["3"]},
        agenda=[LayTrack("3"), LayTrack("3")],
    )
    wanted = LayTile("E20", "20", 0)
    assert is_offered(game, wanted)
    answer_all(game, LayTile("E16", "20", 0), Pass())
    assert refusal_rule(game, wanted) == "18Mag II.3/4"
    assert not question_of(game).only(LayTile, tile="20")


@pytest.mark.rule("18Mag II.3/5", "18Mag II.4/7")
@pytest.mark.parametrize("faces", list(permutations(["3", "4", "6"])))
def test_three_indicator_tiles_make_three_phases(faces: tuple[str, ...]) -> None:
    game = scene(cash={"1": 1000, "2": 1000}, trains={"1": [], "2": []}, agenda=[PurchaseTrains(m) for m in "12"])
    assert state_of(game).indicators == ("3", "4", "6")
    phases = []
    for face in faces:
        if len(cards_of(game, "2")) == 2:
            game.apply(Pass())
        game.apply(BuyTrain(face))
        phases.append(state_of(game).phase)
    assert phases == ["green", "brown", "grey"]
    assert state_of(game).indicators == ()


@pytest.mark.rule("18Mag II.3/5")
def test_for_two_players_the_last_indicator_tile_is_brown() -> None:
    """Minor 1 buys the first trains of both stacks that bear a tile."""
    game = scene(players=2, variant="two_player", cash={"1": 1000}, trains={"1": []}, agenda=[PurchaseTrains("1")])
    phases = [state_of(game).phase]
    for face in ("3", "4"):
        game.apply(BuyTrain(face))
        phases.append(state_of(game).phase)
    assert phases == ["yellow", "green", "brown"]


# II.4 Set-up


@pytest.mark.rule("18Mag II.4/1", "18Mag II.4/3")
def test_a_charter_holds_eight_shares_and_two_markers() -> None:
    game = new_mag_game()
    for major in MAJORS:
        assert on_charter(game, major) == 8
        assert state_of(game).markers[major] == 2
        assert state_of(game).certificates[major][0] == BANK


@pytest.mark.rule("18Mag II.4/2", "18Mag III.2/2", "18Mag III.3.3/8")
def test_start_prices_are_dealt_from_ten_cards() -> None:
    assert Counter(mag_title().chart.start_cards) == dict.fromkeys([60, 65, 70, 75, 80], 2)
    seen: dict[str, set[int]] = {major: set() for major in MAJORS}
    for seed in range(60):
        game = new_mag_game(seed=seed)
        prices = {major: price_of(game, major) for major in MAJORS}
        assert max(Counter(prices.values()).values()) <= 2
        assert len(set(prices.values())) <= 5
        for price in set(prices.values()):
            assert stack_at(game, price) == tuple(major for major in MAJORS if prices[major] == price)
        for major, price in prices.items():
            seen[major].add(price)
    assert all(prices == {60, 65, 70, 75, 80} for prices in seen.values())


@pytest.mark.rule("18Mag II.4/3")
def test_a_director_share_is_never_sold_by_the_charter() -> None:
    """Purchases bring 10% shares; the director share comes in exchange for two of them."""
    game = stock_scene(players=3, cash={"p1": 140})
    bought = game.apply(BuyShare("SIK"))
    assert [(m.percent, m.source, m.target) for m in events_of(CertificateMoved, [bought])] == [(10, BANK, "p1")]
    alone = stock_scene(players=6, shares={"SIK": {"p1": 4, "p2": 4}}, cash={"p3": 400})
    assert on_charter(alone, "SIK") == 0
    assert refusal_rule(alone, BuyShare("SIK"), by="p1") == "18Mag VII.5/1"
    assert not is_offered(alone, BuyShare("SIK"))


@pytest.mark.rule("18Mag II.4/5")
def test_only_yellow_tiles_are_laid_in_the_first_operating_round() -> None:
    game = new_mag_game()
    finish_draft(game)
    lays = [option.action for option in question_of(game).only(LayTile)]
    assert lays
    assert all(isinstance(lay, LayTile) and mag_title().tiles[lay.tile].colour == "yellow" for lay in lays)
    later = scene(tiles={"E18": ("57", 1), "E16": ("9", 1)}, stations={"E18.0": ["3"]}, agenda=[LayTrack("3")])
    assert refusal_rule(later, LayTile("E16", "20", 0)) == "18Mag VI.3.3/2"


@pytest.mark.rule("18Mag II.4/6", "18Mag II.3/1")
@pytest.mark.parametrize("face", ["2", "3", "4", "6"])
def test_a_stack_of_trains_never_runs_out(face: str) -> None:
    """A hundred trains of one kind are bought and scrapped again, more than there are cards."""
    game = scene(cash={"1": 50_000}, trains={"1": []}, agenda=[ScrapTrains("1"), PurchaseTrains("1")] * 50)
    for _ in range(50):
        answer_all(game, BuyTrain(face), BuyTrain(face), Pass())
        answer_all(game, *(ScrapTrain(card) for card in cards_of(game, "1")), Pass())
    assert (
        state_of(game).cash["LdStEG" if face in "24" else "MÁVAG"] == 50 * {"2": 80, "3": 120, "4": 200, "6": 320}[face]
    )


@pytest.mark.rule("18Mag II.4/7")
def test_a_2_train_changes_no_phase() -> None:
    game = scene(cash={"1": 500}, trains={"1": []}, agenda=[PurchaseTrains("1")])
    answer_all(game, BuyTrain("2"), BuyTrain("2"))
    assert (state_of(game).phase, state_of(game).indicators) == ("yellow", ("3", "4", "6"))


@pytest.mark.rule("18Mag II.4/8", "18Mag II.4/9")
def test_the_first_round_is_a_share_round_of_the_yellow_phase() -> None:
    game = new_mag_game()
    assert state_of(game).no_train == 0
    assert state_of(game).phase == "yellow"
    assert isinstance(question_of(game).task, Draft)


@pytest.mark.rule("18Mag II.4/10")
@pytest.mark.parametrize(
    ("minor", "stations", "tiles", "lay"),
    [
        ("11", {}, {}, LayTile("D7", "57", 0)),  # towards C8
        ("3", {"C8.0": ["3"]}, {}, LayTile("C8", "57", 0)),  # towards D7
        ("3", {"H5.0": ["3"]}, {"H5": ("57", 2)}, LayTile("G4", "8", 3)),  # towards F5
        ("8", {}, {"H5": ("57", 2)}, LayTile("I6", "8", 0)),  # towards J5
    ],
)
def test_track_never_leads_to_a_barrier_from_the_first_round_on(
    minor: str, stations: dict[str, list[str]], tiles: dict[str, tuple[str, int]], lay: LayTile
) -> None:
    game = scene(tiles=tiles, stations=stations, agenda=[LayTrack(minor)], round="OR 1.1")
    assert refusal_rule(game, lay) == "18Mag VI.3.2/19"
    assert any(isinstance(o.action, LayTile) and o.action.hex == lay.hex for o in question_of(game)), (
        "other track may lie there"
    )


@pytest.mark.rule("18Mag II.4/10")
def test_nothing_crosses_lake_balaton_from_the_first_round_on() -> None:
    game = scene(tiles={"E10": ("57", 0)}, agenda=[LayTrack("3")], cash={"3": 100})
    assert refusal_rule(game, LayTile("F9", "9", 0)) == "18Mag VI.3.2/21"
    assert refusal_rule(game, LayTile("F9", "8", 1)) == "allowed"


@pytest.mark.rule("18Mag II.4/11")
def test_the_playing_order_is_drawn_and_its_first_begins() -> None:
    drawn = set()
    for seed in range(60):
        game = new_mag_game(seed=seed, draw_order=True)
        order = state_of(game).order
        assert order == state_of(new_mag_game(seed=seed, draw_order=True)).order
        assert state_of(game).priority == question_of(game).decider == order[0]
        drawn.add(order)
    assert drawn == set(permutations(("p1", "p2", "p3")))


@pytest.mark.rule("18Mag II.4/12")
@pytest.mark.parametrize(
    ("payout", "price"),
    [(0, 95), (10, 100), (20, 100), (30, 110), (50, 110), (60, 120), (100, 120), (110, 130), (200, 130), (210, 140)],
)
def test_the_legend_for_payouts(payout: int, price: int) -> None:
    game = scene(directors={"SIK": "p1"}, cash={"SIK": 500}, prices={"SIK": 100}, agenda=[PayOut("SIK")])
    game.apply(PayDividend(payout))
    assert price_of(game, "SIK") == price


@pytest.mark.rule("18Mag II.4/12")
def test_the_legend_for_sales_and_for_sold_out_majors() -> None:
    game = stock_scene(
        directors={"SIK": "p1", "SNW": "p2"},
        shares={"SIK": {"p1": 4}, "SNW": {"p1": 3, "p2": 2, "p3": 3}},
        prices={"SIK": 100, "SNW": 100},
    )
    answer_all(game, SellShares("SIK", 40), Pass())
    assert (price_of(game, "SIK"), price_of(game, "SNW")) == (95, 100)
    all_pass(game)
    assert (price_of(game, "SIK"), price_of(game, "SNW")) == (95, 110)
