"""The appendix (18CZ XII): tables, compared cell by cell and, where they bind, by what the game allows."""

from __future__ import annotations

import pytest

from ostbahn.kernel.actions import Action
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import BuyTrain, LayTile, SellLocal, StartCompany
from ostbahn.titles.cz.state import Acquire, LayTrack, PurchaseTrains
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import allowed, asked, rule_against
from tests.titles.cz.scenes import NAMES, scene, state_of, stock_round

PHASES = "abcdefghij"


# Local Railways


@pytest.mark.parametrize(
    ("size", "names"),
    [
        pytest.param(
            "small",
            [
                "Plan – Tachau",
                "Melnik – Mscheno",
                "Zwittau – Politschka",
                "Wolframs – Teltsch",
                "Strakonitz – Blatna – Bresnitz",
                "Martinitz – Rochlitz",
            ],
            marks=pytest.mark.rule("18CZ XII.1/1"),
        ),
        pytest.param(
            "medium",
            [
                "Raudnitz – Kmetnowes",
                "Schweißing – Haid",
                "Deutschbrod – Tischnowitz",
                "Troppau – Grätz",
                "Hannsdorf – Mährisch Altstadt",
                "Friedland – Bila",
            ],
            marks=pytest.mark.rule("18CZ XII.2/1"),
        ),
        pytest.param(
            "large",
            [
                "Aujezd – Luhatschowitz",
                "Neuhaus – Wobratain",
                "Opočno – Dobruschka",
                "Wekelsdorf – Parschnitz – Trautenau",
                "Nezamislitz – Morkowitz",
                "Taus – Tachau",
            ],
            marks=pytest.mark.rule("18CZ XII.3/1"),
        ),
    ],
)
def test_names_of_the_local_railways(size: str, names: list[str]) -> None:
    assert [local.name for local in cz_title().locals.values() if local.size == size] == names


@pytest.mark.rule("18CZ XII.4/1")
@pytest.mark.parametrize(
    ("size", "income", "waives", "purple"),
    [
        ("small", 5, {"river"}, {"green"}),
        ("medium", 10, {"river", "hill"}, {"green", "brown"}),
        ("large", 20, {"river", "hill", "mountain"}, {"green", "brown", "grey"}),
    ],
)
def test_overview_of_the_local_railways(size: str, income: int, waives: set[str], purple: set[str]) -> None:
    found = [local for local in cz_title().locals.values() if local.size == size]
    assert len(found) == 6
    for local in found:
        assert (local.income, set(local.waives), set(local.purple)) == (income, waives, purple)
        game = scene(
            phase="d",
            started={"kk": (100, "p1")},
            shares={"kk": {"p1": 3}},
            locals_of={local.id: "kk"},
            local_price=65,
            agenda=[Acquire("kk")],
        )
        game.apply(SellLocal(local.id))
        assert state_of(game).cash["kk"] == 65


# Companies


@pytest.mark.rule("18CZ XII.5/1")
@pytest.mark.parametrize(
    ("size", "markers", "homes"),
    [
        ("small", 3, {"EKJ": ["D4"], "OFE": ["C25"], "BCB": ["E15"], "MW": ["F22"], "VBW": ["I9"]}),
        ("medium", 3, {"BN": ["E11"], "NWB": ["E11"], "ATE": ["B8"], "BTE": ["D2"], "KFN": ["G19"]}),
        (
            "large",
            2,
            {"Sx": ["A7", "B4"], "Pr": ["B18", "A21"], "By": ["F2", "H4"], "kk": ["J14", "I17"], "Ug": ["I23", "G27"]},
        ),
    ],
)
def test_tables_of_the_companies(size: str, markers: int, homes: dict[str, list[str]]) -> None:
    found = {id_: company for id_, company in cz_title().companies.items() if company.size == size}
    assert {id_: list(company.homes) for id_, company in found.items()} == homes
    assert {company.spec.markers for company in found.values()} == {markers}


@pytest.mark.rule("18CZ XII.5/1")
def test_names_of_the_companies() -> None:
    assert {id_: company.name for id_, company in cz_title().companies.items()} == {
        "EKJ": "Eisenbahn Karlsbad – Johanngeorgenstadt",
        "OFE": "Ostrau-Friedlander Eisenbahn",
        "BCB": "Böhmische Commercialbahn",
        "MW": "Mährische Westbahn",
        "VBW": "Vereinigte Böhmerwaldbahnen",
        "BN": "Böhmische Nordbahn",
        "NWB": "Österreichische Nordwestbahn",
        "ATE": "Aussig-Teplitzer Eisenbahn",
        "BTE": "Buschtěhrader Eisenbahn",
        "KFN": "Kaiser Ferdinands-Nordbahn",
        "Sx": "Sächsische Eisenbahn",
        "Pr": "Preußische Eisenbahn",
        "By": "Bayrische Staatsbahn",
        "kk": "kk Staatsbahn",
        "Ug": "Ungarische Staatsbahn",
    }


# Starting money and certificate limits


@pytest.mark.rule("18CZ XII.8/1")
@pytest.mark.parametrize(("players", "cash", "limit"), [(3, 380, 14), (4, 300, 12), (5, 250, 10), (6, 210, 9)])
def test_starting_money_and_certificate_limit(players: int, cash: int, limit: int) -> None:
    assert set(state_of(new_game("18CZ", NAMES[:players])).cash.values()) == {cash, -cash * players, 0}
    for held in (limit - 1, limit):
        owned = list(cz_title().locals)[:held]
        game = scene(players=players, locals_of=dict.fromkeys(owned, "p1"), agenda=[stock_round()])
        assert rule_against(game, StartCompany("EKJ", 50)) == ("18CZ VII.4/1" if held == limit else "")


# Trains, train limits and tiles by phase


TRAINS: dict[str, tuple[int | None, dict[str, int]]] = {
    "a": (5, {"2": 70}),
    "b": (4, {"2": 70, "2+2": 80}),
    "c": (4, {"3": 120, "2+2": 80}),
    "d": (4, {"3": 120, "3+3": 180, "3E": 250}),
    "e": (4, {"4": 250, "3+3": 180, "3E": 250}),
    "f": (4, {"4": 250, "4+4": 400, "4E": 350}),
    "g": (4, {"5": 350, "4+4": 400, "4E": 350}),
    "h": (2, {"5": 350, "5+5": 500, "5E": 700}),
    "i": (2, {"5": 350, "5+5": 500, "6E": 800}),
    "j": (None, {"5": 350, "5+5": 500, "8E": 1000}),
}


@pytest.mark.rule("18CZ XII.9/1")
def test_the_train_table() -> None:
    stack = cz_title().stack
    assert {letter: (spec.count, dict(spec.faces)) for letter, spec in stack.spec.items()} == TRAINS
    cards = [stack.card(number) for number in range(33)]
    assert cards == [f"{letter}{n}" for letter, (count, _) in TRAINS.items() for n in range(1, (count or 0) + 1)]


@pytest.mark.rule("18CZ XII.9/1")
@pytest.mark.parametrize("letter", PHASES)
def test_the_bank_sells_each_card_at_its_price(letter: str) -> None:
    """Bought by a company of the largest size there is, which may own every face of the card."""
    company = "EKJ" if letter == "a" else "BN" if letter < "d" else "kk"
    for face, price in TRAINS[letter][1].items():
        game = scene(
            phase=letter,
            cards_gone=sum(count or 0 for other, (count, _) in TRAINS.items() if other < letter),
            started={company: (60 if company != "kk" else 90, "p1")},
            shares={"BN": {"p1": 1}, "kk": {"p1": 3}},
            cash={company: 1000},
            agenda=[PurchaseTrains(company)],
        )
        game.apply(BuyTrain(f"{letter}1", face))
        assert state_of(game).cash[company] == 1000 - price


LIMITS = {
    "a": (3, None, None),
    "b": (3, 3, None),
    "c": (3, 3, None),
    "d": (3, 3, 3),
    "e": (2, 3, 3),
    "f": (2, 2, 3),
    "g": (2, 2, 3),
    "h": (1, 2, 3),
    "i": (1, 1, 3),
    "j": (1, 1, 2),
}
COLUMNS = (("small", "EKJ", "5"), ("medium", "BN", "5+5"), ("large", "kk", "8E"))


@pytest.mark.rule("18CZ XII.9/2")
@pytest.mark.parametrize("phase", PHASES)
def test_train_limits(phase: str) -> None:
    limits = cz_title().phases[phase].train_limit
    assert tuple(limits.get(size) for size, _, _ in COLUMNS) == LIMITS[phase]
    for (_, company, face), limit in zip(COLUMNS, LIMITS[phase], strict=True):
        for owned in range(limit + 1 if limit else 0):
            game = scene(
                phase=phase,
                started={company: (60 if company != "kk" else 90, "p1")},
                shares={"BN": {"p1": 1}, "kk": {"p1": 3}},
                cash={company: 1000},
                trains={company: [(f"j{number}", face) for number in range(owned)]},
                agenda=[PurchaseTrains(company)],
            )
            assert bool(asked(game).only(BuyTrain)) == (owned != limit)


PRAHA: dict[str, tuple[dict[str, tuple[str, int]], str, Action]] = {
    "yellow": ({}, "E11.1", LayTile("E11", "8889", 1)),
    "green": ({"E11": ("8889", 1)}, "E11.0", LayTile("E11", "8891", 1)),
    "brown": ({"E11": ("8891", 1)}, "E11.1", LayTile("E11", "8892", 0)),
    "grey": ({"E11": ("8892", 0)}, "E11.0", LayTile("E11", "8893", 0)),
}


@pytest.mark.rule("18CZ XII.9/3")
@pytest.mark.parametrize(
    ("colour", "phases"),
    [("yellow", "abcdefghij"), ("green", "defghij"), ("brown", "ghij"), ("grey", "ij")],
)
def test_colours_open_with_their_phases(colour: str, phases: str) -> None:
    tiles, city, lay = PRAHA[colour]
    found = ""
    for phase in PHASES:
        game = scene(
            phase=phase,
            started={"BN": (60, "p1")},
            shares={"BN": {"p1": 1}},
            cash={"BN": 10},
            tiles=tiles,
            stations={city: ["BN"]},
            agenda=[LayTrack("BN", first=False)],
        )
        found += phase if allowed(game, lay) else ""
    assert found == phases
