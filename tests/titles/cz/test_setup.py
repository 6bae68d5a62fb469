"""General information, components and set-up (18CZ I, II, III)."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kits.catalogue import CATALOGUE, new_game
from ostbahn.titles.cz.actions import (
    BuyLocal,
    BuyShare,
    BuyTrain,
    LayPurpleTile,
    LayTile,
    OfferAcquisition,
    PayOut,
    StartCompany,
    Withhold,
)
from ostbahn.titles.cz.state import (
    Acquire,
    CompanyTask,
    EstablishStation,
    LayTrack,
    Markers,
    OperateTrains,
    PurchaseTrains,
    Timetable,
    UseIncome,
)
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, payments, rule_against
from tests.titles.cz.scenes import hexes_with_station, scene, state_of, stock_round, table_of

SMALL = ("EKJ", "OFE", "BCB", "MW", "VBW")


def fresh(players: int = 3, seed: int = 1) -> Game:
    return new_game("18CZ", ("Ada", "Ben", "Cleo", "Dora", "Egon", "Fay", "Gus")[:players], seed=seed)


# I. General information


@pytest.mark.rule("18CZ I/1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_three_to_six_may_sit_down(players: int) -> None:
    assert len(state_of(fresh(players)).players) == players


@pytest.mark.rule("18CZ I/1")
@pytest.mark.parametrize("players", [1, 2, 7])
def test_other_numbers_of_players_are_turned_away(players: int) -> None:
    with pytest.raises(BadSetup, match="18CZ I/1"):
        fresh(players)


@pytest.mark.rule("18CZ I/1")
def test_six_are_announced_as_an_experiment() -> None:
    entry = next(entry for entry in CATALOGUE if (entry.title, entry.variant) == ("18CZ", "base"))
    assert entry.players == (3, 4, 5, 6)
    assert "six players as an experiment" in entry.about


@pytest.mark.rule("18CZ I/2")
def test_the_richest_in_cash_and_holdings_wins() -> None:
    game = scene(
        cash={"p1": 720, "p2": 900, "p3": 680},
        started={"EKJ": (80 - 20, "p1")},
        prices={"EKJ": 80},
        locals_of={"S1": "p1", "L1": "p3"},
        local_price=120,
    )
    assert game.over
    assert table_of(game).standings() == {"p1": 1000, "p2": 900, "p3": 800}
    assert table_of(game).winners() == ["p1"]


# II. Components


@pytest.mark.rule("18CZ II/1")
def test_the_supply_has_160_tiles() -> None:
    supply, tiles = state_of(fresh()).supply, cz_title().tiles
    found = Counter[str]()
    for name, number in supply.items():
        found[tiles[name].colour] += number
    assert found == {"yellow": 69, "green": 54, "brown": 28, "grey": 4, "red": 5}
    assert found.total() == 160


@pytest.mark.rule("18CZ II/2")
def test_twenty_tiles_have_a_purple_edge() -> None:
    found = Counter[str]()
    for tile in cz_title().tiles.values():
        if tile.purple:
            found[tile.colour] += tile.count
    assert found == {"green": 10, "brown": 7, "grey": 3}


@pytest.mark.rule("18CZ II/3")
def test_a_tile_that_is_not_in_the_supply_cannot_be_laid() -> None:
    """The only tile 20 goes to D6; D8 gets it when D6 has been promoted again."""
    line = {"D4": ("57", 1), "D6": ("9", 1), "D8": ("9", 1)}
    game = scene(
        phase="g",
        started={"EKJ": (60, "p1")},
        tiles=line,
        stations={"D4.0": ["EKJ"]},
        agenda=[LayTrack("EKJ", first=False)] * 3,
    )
    wanted = LayTile("D8", "20", 0)
    assert allowed(game, wanted)
    game.apply(LayTile("D6", "20", 0))
    assert rule_against(game, wanted) == "18CZ II/3"
    assert not allowed(game, wanted)
    game.apply(LayTile("D6", "47", 0))
    assert allowed(game, wanted)
    game.apply(wanted)
    assert state_of(game).supply["20"] == 0


@pytest.mark.rule("18CZ II/4", "18CZ III.3/2")
def test_six_local_railways_of_each_size_lie_on_the_sheet() -> None:
    sheet = state_of(fresh()).locals
    sizes = Counter(cz_title().locals[local].size for local, owner in sheet.items() if owner == BANK)
    assert sizes == {"small": 6, "medium": 6, "large": 6}
    names = {cz_title().locals[local].name for local in sheet}
    assert len(names) == 18, "no card is there twice"


@pytest.mark.rule("18CZ II/5")
def test_certificates_by_size() -> None:
    title, certificates = cz_title(), state_of(fresh()).certificates
    totals = Counter[str]()
    for company, holders in certificates.items():
        size = title.companies[company].size
        totals[size] += len(holders)
        assert len(holders) == {"small": 3, "medium": 4, "large": 9}[size]
        assert sum(title.companies[company].certificates) == 100
    assert totals == {"small": 15, "medium": 20, "large": 45}


@pytest.mark.rule("18CZ II/6")
def test_33_cards_lie_before_the_first_j_train_and_j_trains_never_run_out() -> None:
    stack = cz_title().stack
    assert [stack.card(number)[0] for number in (0, 32, 33)] == ["a", "i", "j"]
    buyers = (*SMALL, "BN")
    game = scene(
        phase="j",
        cards_gone=33,
        started={company: (60, "p1") for company in buyers},
        shares={"BN": {"p1": 1}},
        cash=dict.fromkeys(buyers, 500),
        agenda=[PurchaseTrains(company) for company in reversed(buyers)],
    )
    for number, company in enumerate(buyers, start=1):
        face = "5+5" if company == "BN" else "5"
        game.apply(BuyTrain(f"j{number}", face))
        assert [train.face for train in state_of(game).trains[company]] == [face]
        game.apply(asked(game).options[-1].action)


@pytest.mark.rule("18CZ II/7")
def test_forty_station_markers() -> None:
    markers = Counter[str]()
    for company in cz_title().companies.values():
        markers[company.size] += company.spec.markers
    assert markers == {"small": 15, "medium": 15, "large": 10}


@pytest.mark.rule("18CZ II/8")
def test_every_company_has_one_price_marker_and_the_track_one_turn_marker() -> None:
    assert Counter(company.size for company in cz_title().companies.values()) == {"small": 5, "medium": 5, "large": 5}
    game = scene(started={"EKJ": (60, "p1"), "OFE": (60, "p2")}, agenda=[UseIncome("EKJ", 50), UseIncome("EKJ", 50)])
    for action in (PayOut(), Withhold()):
        game.apply(action)
        assert Counter(company for stack in state_of(game).chart for company in stack) == {"EKJ": 1, "OFE": 1}
    begun = state_of(fresh())
    assert sum(isinstance(task, Timetable) for task in begun.agenda) == 1
    assert not any(begun.chart)


@pytest.mark.rule("18CZ II/9")
def test_any_number_of_stations_can_be_taken_over() -> None:
    """kk, with two markers of its own, ends up with ten stations on the map."""
    stations = {
        "J14.0": ["kk"],
        **{f"{hex_id}.0": ["EKJ"] for hex_id in ("D4", "D2", "F6")},
        **{f"{hex_id}.0": ["OFE"] for hex_id in ("C25", "C23", "E21")},
        **{f"{hex_id}.0": ["KFN"] for hex_id in ("G19", "G23", "F22")},
    }
    game = scene(
        phase="d",
        started={"kk": (100, "p1"), "EKJ": (50, "p1"), "OFE": (50, "p1"), "KFN": (60, "p1")},
        shares={"kk": {"p1": 3}, "KFN": {"p1": 1}},
        cash={"kk": 1000},
        tiles={"J14": ("8895", 1)},
        stations=stations,
        agenda=[Acquire("kk")],
    )
    for target in ("EKJ", "OFE", "KFN"):
        game.apply(OfferAcquisition(target, 50))
    assert hexes_with_station(game, "kk") == sorted(city.partition(".")[0] for city in stations)


@pytest.mark.rule("18CZ II/10")
def test_there_are_order_cards_for_six() -> None:
    for players in (3, 4, 5, 6):
        state = state_of(fresh(players))
        assert sorted(state.order) == sorted(state.players)
        assert len(state.order) == players
    with pytest.raises(BadSetup, match="not 7"):
        fresh(7)


@pytest.mark.rule("18CZ II/11")
def test_the_bank_never_breaks() -> None:
    game = scene(started={"EKJ": (60, "p1")}, agenda=[stock_round(), UseIncome("EKJ", 1_000_000)])
    game.apply(PayOut())
    assert state_of(game).cash["p1"] == 380 + 500_000
    assert not game.over


# III. Game set-up


@pytest.mark.rule("18CZ III.1/2")
def test_all_holdings_lie_open() -> None:
    """There is one state for all eyes, and everything that anybody owns is in it."""
    game = scene(
        started={"EKJ": (60, "p2")},
        cash={"p1": 17, "EKJ": 33},
        trains={"EKJ": [("a1", "2")]},
        locals_of={"S1": "EKJ", "L2": "p3"},
        debts={"p1": 5},
        penalties={"p1": 9},
        agenda=[stock_round()],
    )
    state = state_of(game)
    assert (state.cash["p1"], state.cash["p2"], state.cash["EKJ"]) == (17, 380, 33)
    assert state.certificates["EKJ"] == ("p2", BANK, BANK)
    assert (state.debts, state.penalties) == ({"p1": 5}, {"p1": 9})
    assert [train.face for train in state.trains["EKJ"]] == ["2"]
    assert (state.markers["EKJ"], state.locals) == (Markers(3, 0), {"S1": "EKJ", "L2": "p3"})


@pytest.mark.rule("18CZ III.2/1")
@pytest.mark.parametrize(("players", "cash"), [(3, 380), (4, 300), (5, 250), (6, 210)])
def test_starting_money(players: int, cash: int) -> None:
    state = state_of(fresh(players))
    assert [state.cash[player] for player in state.players] == [cash] * players


@pytest.mark.rule("18CZ III.2/2")
def test_six_players_have_210_and_nine_certificates() -> None:
    for held, fits in ((8, True), (9, False)):
        owned = list(cz_title().locals)[:held]
        game = scene(players=6, locals_of=dict.fromkeys(owned, "p1"), agenda=[stock_round()])
        assert state_of(game).cash["p1"] == 210
        assert allowed(game, StartCompany("EKJ", 50)) == fits


@pytest.mark.rule("18CZ III.3/1")
def test_the_map_is_as_printed_and_the_chart_empty() -> None:
    game = fresh()
    state, map_ = state_of(game), cz_title().map
    assert (dict(state.board.tiles), dict(state.board.stations)) == ({}, {})
    assert not any(state.chart)
    assert [node.value for node in map_["E11"].face.nodes] == [20, 20]
    assert [hex_.id for hex_ in map_ if hex_.printed.label == "OO"] == ["B8", "C7", "D26"]
    assert sum(state.cash.values()) == 0


@pytest.mark.rule("18CZ III.3/1")
def test_the_bank_pays_out_of_its_own_account() -> None:
    game = scene(started={"EKJ": (60, "p1")}, agenda=[UseIncome("EKJ", 110)])
    before = state_of(game).cash
    record = game.apply(Withhold())
    after = state_of(game).cash
    assert [(paid.source, paid.target, paid.amount) for paid in payments(record.events)] == [(BANK, "EKJ", 110)]
    assert after == {**before, "EKJ": 110, BANK: before[BANK] - 110}


@pytest.mark.rule("18CZ III.3/3")
@pytest.mark.parametrize(
    ("size", "prices"),
    [
        ("small", [25, 30, 35, 40, 45, 50]),
        ("medium", [40, 45, 50, 55, 60, 65]),
        ("large", [55, 60, 65, 70, 75, 80]),
    ],
)
def test_prices_of_the_sheet(size: str, prices: list[int]) -> None:
    found = []
    for local, spec in cz_title().locals.items():
        if spec.size == size:
            game = fresh()
            paid = payments(game.apply(BuyLocal(local)).events)
            found.append(sum(payment.amount for payment in paid))
    assert found == prices


@pytest.mark.rule("18CZ III.3/4")
@pytest.mark.parametrize("letter", ["S", "M", "L"])
def test_local_railways_of_one_size_do_the_same(letter: str) -> None:
    def lays_with(local: str) -> tuple[set[tuple[str, str, int]], int]:
        game = scene(
            phase="g",
            started={"KFN": (60, "p1")},
            shares={"KFN": {"p1": 1}},
            tiles={"G19": ("208", 0), "G21": ("4", 1)},
            stations={"G19.0": ["KFN"]},
            locals_of={local: "KFN"},
            agenda=[Timetable(1)],
        )
        lays = [option.action for option in asked(game).only(LayPurpleTile)]
        shown = {(lay.hex, lay.tile, lay.rotation) for lay in lays if isinstance(lay, LayPurpleTile)}
        return shown, state_of(game).cash["KFN"]

    first, last = lays_with(f"{letter}1"), lays_with(f"{letter}6")
    assert first == last
    assert first[0]


@pytest.mark.rule("18CZ III.3/5")
def test_the_directors_certificate_lies_on_top() -> None:
    game = scene(phase="d", cash={"p1": 1000}, agenda=[stock_round()])
    assert not asked(game).only(BuyShare)
    started = {option.action.company for option in asked(game).only(StartCompany) if hasattr(option.action, "company")}
    assert started == set(cz_title().companies)
    game.apply(StartCompany("kk", 90))
    assert state_of(game).certificates["kk"] == ("p1", *[BANK] * 8)


@pytest.mark.rule("18CZ III.3/6")
def test_trains_are_sold_by_letter_from_a() -> None:
    game = scene(started={"EKJ": (60, "p1")}, cash={"EKJ": 400}, agenda=[PurchaseTrains("EKJ")])
    assert [option.action for option in asked(game).only(BuyTrain)] == [BuyTrain("a1", "2")]
    assert rule_against(game, BuyTrain("b1", "2")) == "18CZ VIII.10/8"
    stack = cz_title().stack
    letters = [stack.card(number)[0] for number in range(40)]
    assert letters == sorted(letters)
    assert set(letters) == set("abcdefghij")


@pytest.mark.rule("18CZ III.3/7")
def test_all_tiles_are_seen_but_only_yellow_ones_laid_at_first() -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        tiles={"D4": ("57", 1)},
        stations={"D4.0": ["EKJ"]},
        agenda=[LayTrack("EKJ", first=False)],
    )
    assert state_of(game).supply["15"] == 4
    assert rule_against(game, LayTile("D4", "14", 0)) == "18CZ VIII.5/2"
    laid = {option.action.tile for option in asked(game).only(LayTile) if hasattr(option.action, "tile")}
    assert {cz_title().tiles[name].colour for name in laid} == {"yellow"}


@pytest.mark.rule("18CZ III.3/8")
@pytest.mark.parametrize("step", [EstablishStation, OperateTrains, Acquire, PurchaseTrains])
def test_no_answer_moves_a_treasury_to_the_director_or_another_company(step: type[CompanyTask]) -> None:
    """The Director has two companies and may not shift anything between them; deals come in phase b."""
    game = scene(
        started={"EKJ": (60, "p1"), "OFE": (60, "p1")},
        cash={"EKJ": 500, "OFE": 500},
        tiles={"D4": ("57", 1), "D2": ("57", 1)},
        stations={"D4.0": ["EKJ"], "C25.0": ["OFE"]},
        trains={"EKJ": [("a1", "2")], "OFE": [("a2", "2")]},
        locals_of={"S1": "p1", "S2": "p2"},
        agenda=[stock_round(), step("EKJ")],
    )
    answers: list[Action] = [option.action for option in asked(game)]
    assert answers
    for action in answers:
        after = game.copy()
        paid = payments(after.apply(action).events)
        assert all((payment.source, payment.target) == ("EKJ", BANK) for payment in paid)
        assert {train.card for train in state_of(after).trains["EKJ"]} >= {"a1"}
        assert [train.card for train in state_of(after).trains["OFE"]] == ["a2"]
        assert state_of(after).cash["OFE"] == 500


@pytest.mark.rule("18CZ III.3/9")
def test_the_first_order_is_drawn() -> None:
    drawn = Counter(state_of(fresh(seed=seed)).order for seed in range(120))
    assert set(drawn) == set(permutations(("p1", "p2", "p3")))
    assert min(drawn.values()) >= 8, "no order is rare"
    assert state_of(fresh(seed=7)).order == state_of(fresh(seed=7)).order


@pytest.mark.rule("18CZ III.3/10")
def test_the_lowest_card_begins() -> None:
    beginners = set()
    for seed in range(12):
        game = fresh(4, seed=seed)
        assert asked(game).decider == state_of(game).order[0]
        beginners.add(asked(game).decider)
    assert len(beginners) > 1
