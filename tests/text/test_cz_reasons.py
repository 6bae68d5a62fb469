"""Why something cannot be done in 18CZ: whoever names a hex or a company is told what stands against it."""

from __future__ import annotations

from typing import Any

import pytest

from ostbahn.kernel.game import Game
from ostbahn.text.speech import refusal_reasons
from ostbahn.titles.cz.state import Acquire, EstablishStation, LayTrack, PurchaseTrains
from tests.titles.cz.lines import CITY_20, line
from tests.titles.cz.scenes import scene, stock_round


def at(task: Any, **fields: Any) -> Game:
    """EKJ at home in Karlovy Vary, with Cheb beside it."""
    owned = {"started": {"EKJ": (60, "p1")}, "tiles": line("D2", CITY_20, CITY_20), "stations": {"D4.0": ["EKJ"]}}
    return scene(**{**owned, "agenda": [task], **fields})


def test_track() -> None:
    game = at(LayTrack("EKJ", first=False), cash={"EKJ": 0}, phase="b")
    lines = refusal_reasons(game, "e11")
    assert lines[0] == "e11: 0 of 2 possibilities are allowed."
    assert lines[2] == "  EKJ has no connection to track of tile 8890 in Praha (18CZ VIII.4/8)"
    assert len(lines) == 3, "its other rotations look the same"
    assert refusal_reasons(game, "D6")[0] == "D6: 5 of 15 possibilities are allowed."
    assert refusal_reasons(game, "D4")[1] == "  6 times: green tiles come with the first d-train (18CZ VIII.5/2)"
    assert refusal_reasons(game, "a7")[1] == "  A7 is reserved for the red tile of Sx (18CZ VIII.4/24)", (
        "where no tile fits"
    )
    assert refusal_reasons(game, "EKJ") == refusal_reasons(game, "Z99") == []


@pytest.mark.parametrize(
    ("hex_id", "told"),
    [
        (
            "D4",
            ["D4: 0 of 1 possibilities are allowed.", "has a station in Karlovy Vary (18CZ VIII.6/6)"],
        ),
        (
            "e11",
            [
                "e11: 0 of 2 possibilities are allowed.",
                "Praha (south-east) (18CZ VIII.6/7)",
                "Praha (north-east) (18CZ VIII.6/7)",
            ],
        ),
        ("D6", ["D6: 0 of 1 possibilities are allowed.", "D6 (18CZ VIII.6/7)"]),
    ],
)
def test_stations(hex_id: str, told: list[str]) -> None:
    lines = refusal_reasons(at(EstablishStation("EKJ"), cash={"EKJ": 40}), hex_id)
    assert len(lines) == len(told)
    assert all(line.endswith(words) for line, words in zip(lines, told, strict=True))


def test_shares() -> None:
    game = at(stock_round("p1"), phase="a")
    assert refusal_reasons(game, "ekj") == [
        "ekj: 1 of 6 possibilities are allowed.",
        "  5 times: Anna already has the Director's certificate of EKJ (18CZ VII.3/4)",
    ]
    lines = refusal_reasons(game, "bn")
    assert lines[0] == "bn: 0 of 6 possibilities are allowed."
    assert lines[1].endswith("its shares open with the first b-train (18CZ VII.3/2)")
    assert refusal_reasons(game, "D4") == []


@pytest.mark.parametrize(
    ("target", "cash", "told"),
    [
        ("EKJ", 60, "EKJ: 1 of 1 possibilities are allowed."),
        ("EKJ", 59, "  that costs 60 K and BN has only 59 K of its own (18CZ VIII.9/7)"),
        ("kk", 1000, "  BN is a medium company and cannot take over the large kk (18CZ VIII.9/1)"),
        ("OFE", 1000, "  OFE has not floated yet (18CZ VIII.9/1)"),
    ],
)
def test_take_overs_are_tried_at_their_lowest_price(target: str, cash: int, told: str) -> None:
    started = {"EKJ": (60, "p1"), "BN": (70, "p1"), "kk": (100, "p2")}
    shares = {"BN": {"p1": 1}, "kk": {"p2": 3}}
    game = scene(phase="d", started=started, shares=shares, cash={"BN": cash}, agenda=[Acquire("BN")])
    assert refusal_reasons(game, target)[-1] == told


def test_at_other_questions_there_is_nothing_to_say() -> None:
    game = at(PurchaseTrains("EKJ"), phase="d")
    assert refusal_reasons(game, "EKJ") == refusal_reasons(game, "D4") == []
