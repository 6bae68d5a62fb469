"""Share companies and what their size means (18CZ IV.2)."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import (
    BuyShare,
    BuyTrain,
    ChooseCity,
    LayRedTile,
    LayTile,
    OfferForLocal,
    OfferForTrain,
    PayOut,
    RunTrains,
    SellShares,
    StartCompany,
    TrainRun,
    Withhold,
)
from ostbahn.titles.cz.state import (
    Acquire,
    CompanyTask,
    EstablishStation,
    LayTrack,
    Markers,
    OperateTrains,
    OperatingRound,
    PurchaseTrains,
    RedHome,
    UseIncome,
)
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, idle, rule_against
from tests.titles.cz.scenes import NAMES, hexes_with_station, scene, state_of, stock_round, table_of

STARTS = {"small": 60, "medium": 60, "large": 90}
FLOATING = {"small": 0, "medium": 1, "large": 3}
"""How many ordinary certificates must be sold beside the Director's."""
LINE = {"D2": ("57", 1), "D4": ("57", 1)}
"""Track from D4 to D2 and on to the town in D0."""


def company_scene(company: str, *agenda: object, phase: str = "d", **more: object) -> Game:
    """A floated company of p1, somewhere in its turn."""
    size = cz_title().companies[company].size
    fields: dict[str, object] = {
        "started": {company: (STARTS[size], "p1")},
        "shares": {company: {"p1": FLOATING[size]}},
        **more,
    }
    return scene(phase=phase, agenda=agenda, **fields)  # type: ignore[arg-type]


# General information


@pytest.mark.rule("18CZ IV.2.a/1")
@pytest.mark.parametrize(
    "task",
    [
        LayTrack("EKJ", False),
        EstablishStation("EKJ"),
        OperateTrains("EKJ"),
        UseIncome("EKJ", 50),
        Acquire("EKJ"),
        PurchaseTrains("EKJ"),
    ],
)
def test_shares_are_traded_in_stock_rounds_only(task: CompanyTask) -> None:
    game = scene(
        started={"EKJ": (60, "p1")},
        shares={"EKJ": {"p1": 1}},
        stations={"D4.0": ["EKJ"]},
        tiles=LINE,
        trains={"EKJ": [("a1", "2")]},
        agenda=[stock_round(), task],
    )
    trades = (BuyShare("EKJ"), SellShares("EKJ", 25), StartCompany("OFE", 60))
    assert [rule_against(game, trade) for trade in trades] == ["18CZ VIII.3/1"] * 3
    game.apply(idle(game))
    while asked(game).kind != "stock_round":
        game.apply(idle(game))
    assert [allowed(game, trade) for trade in trades[1:]] == [True, True]


@pytest.mark.rule("18CZ IV.2.a/2")
def test_the_first_certificate_is_the_directors() -> None:
    game = scene(agenda=[stock_round()])
    assert rule_against(game, BuyShare("EKJ")) == "18CZ IV.2.a/2"
    game.apply(StartCompany("EKJ", 60))
    assert state_of(game).certificates["EKJ"] == ("p1", BANK, BANK)
    assert allowed(game, BuyShare("EKJ"))


@pytest.mark.rule("18CZ IV.2.a/3")
@pytest.mark.parametrize(("shares", "worth"), [(0, 0), (1, 80), (2, 160)])
def test_a_share_is_worth_the_price(shares: int, worth: int) -> None:
    game = scene(started={"BN": (60, "p1")}, prices={"BN": 80}, shares={"BN": {"p2": shares}})
    assert table_of(game).standings()["p2"] == 380 + worth


@pytest.mark.rule("18CZ IV.2.a/4")
@pytest.mark.parametrize("company", ["EKJ", "BN", "kk"])
def test_a_directors_certificate_is_two_shares(company: str) -> None:
    start = STARTS[cz_title().companies[company].size]
    held = scene(started={company: (start, "p1")}, prices={company: 80})
    assert table_of(held).standings()["p1"] == 380 + 160
    game = scene(phase="d", agenda=[stock_round()])
    game.apply(StartCompany(company, start))
    assert state_of(game).cash["p1"] == 380 - 2 * start


def players_cash(game: Game) -> list[int]:
    return [state_of(game).cash[player] for player in ("p1", "p2", "p3")]


@pytest.mark.rule("18CZ IV.2.a/5")
def test_a_dividend_is_paid_unless_there_is_none_or_it_is_kept() -> None:
    for action, expected in ((PayOut(), [380 + 50, 380 + 25, 380]), (Withhold(), [380, 380, 380])):
        game = scene(
            started={"EKJ": (60, "p1")},
            shares={"EKJ": {"p2": 1}},
            agenda=[stock_round(), UseIncome("EKJ", 100)],
        )
        game.apply(action)
        assert players_cash(game) == expected
    earning_nothing = scene(
        started={"EKJ": (60, "p1")}, stations={"D4.0": ["EKJ"]}, agenda=[stock_round(), OperateTrains("EKJ")]
    )
    earning_nothing.apply(RunTrains(()))
    assert asked(earning_nothing).kind == "stock_round", "nobody is asked about a dividend of nothing"
    assert players_cash(earning_nothing) == [380, 380, 380]


@pytest.mark.rule("18CZ IV.2.a/6")
def test_the_whole_revenue_is_kept_or_none_of_it() -> None:
    game = scene(started={"EKJ": (60, "p1")}, cash={"EKJ": 7}, agenda=[stock_round(), UseIncome("EKJ", 110)])
    assert [option.action for option in asked(game)] == [PayOut(), Withhold()]
    game.apply(Withhold())
    assert state_of(game).cash["EKJ"] == 7 + 110
    assert players_cash(game) == [380, 380, 380]


@pytest.mark.rule("18CZ IV.2.a/7")
def test_fifteen_companies_take_part() -> None:
    assert len(state_of(new_game("18CZ", NAMES[:3])).certificates) == 15


# What a size means


@pytest.mark.parametrize(
    ("size", "split"),
    [
        pytest.param("small", (50, 25, 25), marks=pytest.mark.rule("18CZ IV.2.b/1")),
        pytest.param("medium", (40, 20, 20, 20), marks=pytest.mark.rule("18CZ IV.2.c/1")),
        pytest.param("large", (20, *[10] * 8), marks=pytest.mark.rule("18CZ IV.2.d/1")),
    ],
)
def test_certificates(size: str, split: tuple[int, ...]) -> None:
    for company in cz_title().companies.values():
        if company.size == size:
            assert company.certificates == split


@pytest.mark.parametrize(
    ("company", "runs", "rule"),
    [
        pytest.param("BCB", "g1", "18CZ IV.2.b/2", marks=pytest.mark.rule("18CZ IV.2.b/2")),
        pytest.param("NWB", "b1", "18CZ IV.2.c/2", marks=pytest.mark.rule("18CZ IV.2.c/2")),
        pytest.param("Ug", "f1", "18CZ IV.2.d/2", marks=pytest.mark.rule("18CZ IV.2.d/2")),
    ],
)
def test_a_company_runs_trains_of_its_own_size_only(company: str, runs: str, rule: str) -> None:
    """Each has a 5, a 2+2 and a 4E, whether it may or not."""
    trains = [("g1", "5"), ("b1", "2+2"), ("f1", "4E")]
    game = company_scene(
        company, OperateTrains(company), tiles=LINE, stations={"D4.0": [company]}, trains={company: trains}
    )
    best = asked(game).only(RunTrains)[0].action
    assert isinstance(best, RunTrains)
    assert [run.card for run in best.runs] == [runs]
    for card, _ in trains:
        run = RunTrains((TrainRun(card, ("D4.0", "D2.0", "D0.0")),))
        assert rule_against(game, run) == ("" if card == runs else rule)


def buying(company: str, phase: str) -> Game:
    return company_scene(company, PurchaseTrains(company), phase=phase, cash={company: 2000})


@pytest.mark.parametrize(
    ("company", "phase", "card", "faces", "refused", "rule"),
    [
        pytest.param("OFE", "b", "b2", ["2"], ["2+2"], "18CZ IV.2.b/3", marks=pytest.mark.rule("18CZ IV.2.b/3")),
        pytest.param("OFE", "d", "d2", ["3"], ["3+3", "3E"], "18CZ IV.2.b/3", marks=pytest.mark.rule("18CZ IV.2.b/3")),
        pytest.param("KFN", "d", "d2", ["3", "3+3"], ["3E"], "18CZ IV.2.c/3", marks=pytest.mark.rule("18CZ IV.2.c/3")),
        pytest.param("Pr", "g", "g2", ["5", "4+4", "4E"], [], "", marks=pytest.mark.rule("18CZ IV.2.d/3")),
    ],
)
def test_sizes_of_trains_that_a_company_may_buy(
    company: str, phase: str, card: str, faces: list[str], refused: list[str], rule: str
) -> None:
    for face in refused:
        assert rule_against(buying(company, phase), BuyTrain(card, face)) == rule
    for face in faces:
        game = buying(company, phase)
        game.apply(BuyTrain(card, face))
        assert [train.face for train in state_of(game).trains[company]] == [face]


@pytest.mark.rule("18CZ IV.2.b/3", "18CZ IV.2.c/3", "18CZ IV.2.d/3")
@pytest.mark.parametrize(("company", "allowed_cards"), [("EKJ", "x"), ("BTE", "xy"), ("Sx", "xyz")])
def test_sizes_of_trains_that_a_company_may_have_from_another(company: str, allowed_cards: str) -> None:
    size = cz_title().companies[company].size
    game = scene(
        phase="d",
        started={company: (STARTS[size], "p1"), "By": (90, "p1")},
        shares={company: {"p1": FLOATING[size]}, "By": {"p1": 3}},
        cash={company: 10},
        trains={"By": [("d1", "3"), ("d2", "3+3"), ("d3", "3E")]},
        agenda=[PurchaseTrains(company)],
    )
    cards = {"x": "d1", "y": "d2", "z": "d3"}
    found = "".join(key for key, card in cards.items() if rule_against(game, OfferForTrain(card, 10)) == "")
    assert found == allowed_cards


@pytest.mark.parametrize(
    ("company", "rules"),
    [
        pytest.param("MW", ["", "IV.2.b/4", "IV.2.b/4"], marks=pytest.mark.rule("18CZ IV.2.b/4")),
        pytest.param("BTE", ["", "", "IV.2.c/4"], marks=pytest.mark.rule("18CZ IV.2.c/4")),
        pytest.param("Sx", ["", "", ""], marks=pytest.mark.rule("18CZ IV.2.d/4")),
    ],
)
def test_sizes_of_local_railways_that_a_company_may_have(company: str, rules: list[str]) -> None:
    locals_of = {"S1": "p1", "M1": "p1", "L1": "p1"}
    game = company_scene(company, Acquire(company), cash={company: 100}, locals_of=locals_of)
    for local, rule in zip(locals_of, rules, strict=True):
        assert rule_against(game, OfferForLocal(local, 30)) == (f"18CZ {rule}" if rule else "")
        assert bool(asked(game).only(OfferForLocal, local=local)) == (not rule)
        if not rule:
            game.apply(OfferForLocal(local, 30))
            assert state_of(game).locals[local] == company


@pytest.mark.parametrize(
    ("companies", "markers"),
    [
        pytest.param(("EKJ", "OFE", "BCB", "MW", "VBW"), 3, marks=pytest.mark.rule("18CZ IV.2.b/5")),
        pytest.param(("BN", "NWB", "ATE", "BTE", "KFN"), 3, marks=pytest.mark.rule("18CZ IV.2.c/5")),
        pytest.param(("Sx", "Pr", "By", "kk", "Ug"), 2, marks=pytest.mark.rule("18CZ IV.2.d/5")),
    ],
)
def test_markers_come_with_the_float(companies: tuple[str, ...], markers: int) -> None:
    for company in companies:
        size = cz_title().companies[company].size
        game = scene(phase="d", cash={"p1": 2000}, agenda=[stock_round()])
        game.apply(StartCompany(company, STARTS[size]))
        for _ in range(FLOATING[size]):
            game.apply(Pass())
            game.apply(Pass())
            assert company not in state_of(game).markers
            game.apply(BuyShare(company))
        assert state_of(game).markers == {company: Markers(markers, 0)}


# Where the companies are at home


@pytest.mark.parametrize(
    ("company", "city", "name"),
    [
        *(
            pytest.param(*row, marks=pytest.mark.rule("18CZ IV.2.b/6"))
            for row in (
                ("EKJ", "D4.0", "Karlovy Vary"),
                ("OFE", "C25.0", "Ostrava"),
                ("BCB", "E15.0", "Pardubice"),
                ("MW", "F22.0", "Přerov"),
                ("VBW", "I9.0", "Strakonice"),
            )
        ),
        *(
            pytest.param(*row, marks=pytest.mark.rule("18CZ IV.2.c/6"))
            for row in (
                ("BN", "E11.1", "Praha"),
                ("NWB", "E11.0", "Praha"),
                ("ATE", "B8", "Teplice & Ústí nad Labem"),
                ("BTE", "D2.0", "Cheb"),
                ("KFN", "G19.0", "Brno"),
            )
        ),
    ],
)
def test_home_cities(company: str, city: str, name: str) -> None:
    game = company_scene(company, OperatingRound((company,)))
    if asked(game).kind == "home_city":
        game.apply(ChooseCity("B8"))
    assert state_of(game).board.stations == {city: (company,)}
    assert cz_title().map[city.partition(".")[0]].printed.name == name


@pytest.mark.rule("18CZ IV.2.c/6")
def test_the_two_homes_in_praha() -> None:
    """BN leaves Praha to the north-east, NWB to the south-east."""
    for company, exit_ in (("BN", "D12"), ("NWB", "F12")):
        game = company_scene(company, OperatingRound((company,)), cash={company: 100})
        built: set[str] = set()
        for option in asked(game).only(LayTile):
            assert isinstance(option.action, LayTile)
            built.add(option.action.hex)
        assert built == {"E11", exit_}


RESERVED = {"Sx": ("A7", "B4"), "Pr": ("B18", "A21"), "By": ("F2", "H4"), "kk": ("J14", "I17"), "Ug": ("I23", "G27")}


@pytest.mark.rule("18CZ IV.2.d/6")
@pytest.mark.parametrize("company", RESERVED)
def test_red_hexes(company: str) -> None:
    game = company_scene(company, RedHome(company))
    hexes = {option.action.hex for option in asked(game) if isinstance(option.action, LayRedTile)}
    assert hexes == set(RESERVED[company])
    for other, theirs in RESERVED.items():
        if other != company:
            for rotation in range(6):
                assert rule_against(game, LayRedTile(theirs[0], rotation)) == "18CZ VIII.4/22"
    home = RESERVED[company][1]
    game.apply(asked(game).only(LayRedTile, hex=home)[0].action)
    assert hexes_with_station(game, company) == [home]


@pytest.mark.rule("18CZ IV.2.d/6")
@pytest.mark.parametrize(
    ("tile", "rule"), [("9", "18CZ VIII.4/24"), ("57", "18CZ VIII.4/24"), ("8896", "18CZ VIII.4/22")]
)
def test_nothing_but_the_red_tile_goes_on_a_reserved_hex(tile: str, rule: str) -> None:
    """EKJ's track from D4 over C3 runs into B4, a hex of Sx."""
    game = scene(
        phase="d",
        started={"EKJ": (60, "p1")},
        cash={"EKJ": 200},
        tiles={"D4": ("6", 2), "C3": ("8", 3)},
        stations={"D4.0": ["EKJ"]},
        agenda=[LayTrack("EKJ", first=False)],
    )
    assert {rule_against(game, LayTile("B4", tile, rotation)) for rotation in range(6)} == {rule}
    assert not asked(game).only(LayTile, hex="B4")
