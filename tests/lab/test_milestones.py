"""How games went: what is told of one, and of many."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from lab.milestones import Milestones, main, milestones_of, saves_in, told
from ostbahn.interop import files

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("name", ["18CZ-base-4", "18CZ-moravia-2", "18Mag-base-3"])
def test_a_game_is_told_as_its_protocol_has_it(name: str) -> None:
    """The protocol of a golden game says when a round or a phase begins, and what companies run for."""
    found = milestones_of(files.open_game(GOLDEN / f"{name}.json"))
    rounds, revenue, phases = 0, 0, {}
    protocol = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for line in protocol:
        rounds += line.startswith("== OR")
        revenue += sum(map(int, re.findall(r"revenue (?:minor \d+|(?!minor)\S+) (\d+)", line)))
        if began := re.search(r"phase -\S+ \+(\w+)", line):
            phases[began[1]] = rounds
    assert (found.rounds, found.revenue) == (rounds, revenue)
    assert phases.items() <= found.phases.items()
    assert found.wealth[-1] == sum(map(int, re.findall(r"wealth \S+ (\d+)", protocol[-1])))


def test_many_games_are_told_by_their_means() -> None:
    games = [Milestones({"b": 2, "c": 3}, 400, [100, 300]), Milestones({"b": 4}, 600, [200, 500, 900])]
    lines = list(told(games))
    assert lines[0] == "2 games"
    assert [line.split(" (")[0] for line in lines[1:4]] == [
        "Operating Rounds: 2.5",
        "revenue of all companies: 500.0",
        "wealth together in the end: 600.0",
    ]
    assert [re.sub(r" \(.*\)", "", line) for line in lines[4:]] == [
        "phase b: in Operating Round 3.0, in 2 games",
        "phase c: in Operating Round 3.0, in 1 games",
        "wealth together after Operating Round 1: 150.0, in 2 games",
        "wealth together after Operating Round 2: 400.0, in 2 games",
        "wealth together after Operating Round 3: 900.0, in 1 games",
    ]


def test_of_a_contest_only_its_games_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(GOLDEN / "18CZ-moravia-2.json", tmp_path / "00000.json")
    for other in ("00000.played.json", "contest.json", "summary.json"):
        (tmp_path / other).write_text("{}")
    assert saves_in([tmp_path]) == [tmp_path / "00000.json"]
    main([str(tmp_path), "--jobs", "1"])
    assert capsys.readouterr().out.startswith("1 game")


def test_where_no_game_is_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "there is no game in" in capsys.readouterr().err
    (tmp_path / "1.json").write_text("nothing")
    with pytest.raises(SystemExit):
        main([str(tmp_path)])
    assert "1.json" in capsys.readouterr().err
