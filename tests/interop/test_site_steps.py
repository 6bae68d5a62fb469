"""Where 18xx.games waits for a company, and which steps it skips by itself."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.titles.cz.interop import steps as site_steps
from ostbahn.titles.cz.state import (
    Acquire,
    CzTable,
    EstablishStation,
    LayTrack,
    Markers,
    OperateTrains,
    PurchaseTrains,
)
from tests.titles.cz.lines import CITY_20, STRAIGHT, line, turned
from tests.titles.cz.scenes import scene, table_of

START = {"EKJ": 60, "OFE": 60, "BN": 70, "NWB": 70, "kk": 100}
"""Small, medium and large companies, and at what they start."""
FLOATS = {"BN": 1, "NWB": 1, "kk": 3}
"""How many shares beside the Director's certificate that takes."""
TWO_CITIES = line("G5", CITY_20, CITY_20)


def table(*companies: str, **fields: Any) -> CzTable:
    """Companies of p1 that have floated, the first of which is asked."""
    return table_of(
        scene(
            **{
                "phase": "d",
                "started": {company: (START[company], "p1") for company in companies},
                "shares": {company: {"p1": FLOATS[company]} for company in companies if company in FLOATS},
                "agenda": [LayTrack(companies[0], first=False)],
                **fields,
            }
        )
    )


@pytest.mark.parametrize(
    ("buyer", "others", "waits"),
    [
        ("EKJ", ["OFE", "BN", "kk"], False),
        ("BN", ["NWB", "kk"], False),
        ("BN", ["NWB", "OFE"], True),
        ("kk", ["BN"], True),
        ("kk", [], False),
    ],
)
def test_take_overs_are_asked_for_where_there_is_a_smaller_company(buyer: str, others: list[str], waits: bool) -> None:
    poor = table(buyer, *others, cash={buyer: 0})
    assert site_steps.site_waits(poor, Acquire(buyer)) == waits
    assert site_steps.site_waits(poor, PurchaseTrains(buyer)), "there it always waits"


@pytest.mark.parametrize(
    ("fields", "waits"),
    [
        ({"cash": {"EKJ": 40}}, True),
        ({"cash": {"EKJ": 39}}, False),
        ({"cash": {"EKJ": 1000}, "markers": {"EKJ": Markers(0, 0)}}, False),
        ({"cash": {"EKJ": 40}, "tiles": {"G7": turned(CITY_20, "W", "E")}}, False),
        ({"cash": {"EKJ": 0}, "local_price": 40, "locals_of": {"S1": "EKJ"}}, True),
        ({"cash": {"EKJ": 0}, "local_price": 40, "locals_of": {"S1": "p2"}}, False),
        ({"cash": {"EKJ": 1}, "local_price": 40, "locals_of": {"S1": "p2"}}, True),
        ({"cash": {"EKJ": 1}, "local_price": 40, "locals_of": {"S1": "p2"}, "phase": "a"}, False),
        ({"cash": {"EKJ": 1}, "local_price": 40, "locals_of": {"S1": "OFE"}}, False),
        ({"cash": {"EKJ": 0}, "local_price": 20, "locals_of": {"S1": "EKJ", "S2": "EKJ"}}, True),
    ],
)
def test_a_station_is_asked_for_where_it_could_be_paid_by_selling_local_railways(
    fields: dict[str, Any], waits: bool
) -> None:
    """A second station costs 40 K. A player's Local Railway can be bought for 1 K and sold again at once."""
    found = table("EKJ", "OFE", **{"tiles": TWO_CITIES, "stations": {"G7.0": ["EKJ"]}, **fields})
    assert site_steps.site_waits(found, EstablishStation("EKJ")) == waits


@pytest.mark.parametrize(
    ("tiles", "stations", "waits"),
    [
        (TWO_CITIES, {"G7.0": ["EKJ"]}, True),
        (line("G5", CITY_20, STRAIGHT, CITY_20), {"G9.0": ["EKJ"]}, True),
        (line("G5", STRAIGHT, CITY_20), {"G7.0": ["EKJ"]}, False),
        (line("G5", CITY_20, STRAIGHT, CITY_20), {"G5.0": ["EKJ"], "G9.0": ["EKJ"]}, True),
    ],
    ids=["next door", "further away", "nowhere", "from one of its own to the other"],
)
def test_a_run_is_asked_for_where_track_leads_to_another_place(
    tiles: dict[str, tuple[str, int]], stations: dict[str, list[str]], waits: bool
) -> None:
    found = table("EKJ", tiles=tiles, stations=stations, trains={"EKJ": [("a1", "2")]})
    assert site_steps.site_waits(found, OperateTrains("EKJ")) == waits
    without = table("EKJ", tiles=tiles, stations=stations)
    assert not site_steps.site_waits(without, OperateTrains("EKJ")), "there is no train"


@pytest.mark.parametrize(
    ("fields", "could"),
    [
        ({"cash": {"EKJ": 1}, "locals_of": {"L1": "p2"}}, True),
        ({"cash": {"EKJ": 0}, "locals_of": {"L1": "p2"}}, False),
        ({"cash": {"EKJ": 1}, "locals_of": {"L1": "OFE"}}, False),
        ({"cash": {"EKJ": 1}, "locals_of": {"L1": "p2"}, "phase": "a"}, False),
    ],
)
def test_a_local_railway_keeps_a_company_whatever_its_size_and_price(fields: dict[str, Any], could: bool) -> None:
    found = table("EKJ", "OFE", **fields)
    assert site_steps.could_buy_local(found, "EKJ") == could
    assert site_steps.is_lingering(found, "EKJ") == could


def test_a_power_that_is_left_keeps_a_company_in_the_track_step() -> None:
    assert site_steps.is_lingering(table("EKJ", locals_of={"S1": "EKJ"}), "EKJ")
    assert not site_steps.is_lingering(table("EKJ", locals_of={"S1": "EKJ"}, used_powers=("S1",)), "EKJ")


@pytest.mark.parametrize(
    ("fields", "waits"),
    [
        ({"cash": {"EKJ": 1000}}, True),
        ({"cash": {"EKJ": 0}}, False),
        ({"cash": {"EKJ": 1}, "trains": {"EKJ": [("a1", "2")], "OFE": [("a2", "2")]}}, True),
        ({"cash": {"EKJ": 1}}, False),
        ({"cash": {"EKJ": 1}, "locals_of": {"S1": "p2"}}, True),
    ],
)
def test_at_the_end_of_a_turn_it_waits_for_trains_and_local_railways(fields: dict[str, Any], waits: bool) -> None:
    game = scene(
        **{
            "phase": "d",
            "started": {"EKJ": (60, "p1"), "OFE": (60, "p2")},
            "trains": {"EKJ": [("a1", "2")]},
            "agenda": [PurchaseTrains("EKJ")],
            **fields,
        }
    )
    table = table_of(game)
    assert (site_steps.can_buy_train(table, "EKJ") or site_steps.waits_for_locals(table, "EKJ")) == waits
