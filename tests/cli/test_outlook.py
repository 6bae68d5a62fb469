"""`ostbahn show` tells what comes next in a few lines."""

from __future__ import annotations

from rich.console import Console

from ostbahn.cli.outlook import show_outlook
from tests.golden.games import golden_game


def told(name: str, number: int) -> list[str]:
    console = Console(width=160)
    with console.capture() as captured:
        show_outlook(console, golden_game(name).position(number))
    return captured.get().splitlines()


def test_in_a_round_of_shares_what_would_follow() -> None:
    lines = told("18CZ-base-6", 372)
    assert lines[:2] == ["If the round ended now", "Prices: VBW 85 to 90, OFE 75 to 80"]
    assert lines[2].startswith("Playing order: Ben +30, Cyril +170, Emil +61, Anna +96, Dora +68, Fanny +25")
    assert "VBW must buy a train: 4 for 250 K, of which Emil adds 205 and borrows 45" in lines
    assert lines[-1] == "After 3 more trains phase g begins"


def test_in_an_operating_round_what_concerns_trains() -> None:
    assert told("18CZ-base-5", 413) == [
        "VBW must buy a train: 4 for 250 K, of which Cyril adds 120",
        "EKJ must buy a train: 4 for 250 K, of which Cyril adds 174 and borrows 46",
        "BCB must buy a train: 4 for 250 K, of which Emil adds 223 and borrows 27",
        "MW must buy a train: 4 for 250 K, of which Dora adds 19 and borrows 132",
        "After 2 more trains phase f begins; sold as 4+4 it scraps trains of NWB (2+2)",
    ]
    assert told("18Mag-base-5", 60)[-1].startswith("The first ")
