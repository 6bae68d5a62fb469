"""Contests that go on: `ostbahn arena --resume`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ostbahn import __version__
from ostbahn.bots import arena
from ostbahn.cli.main import app

NEW = ["18CZ", "--variant", "moravia", "--bots", "R", "--players", "2", "--games", "3", "--seed", "5"]
PLAY = arena.play_game


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["arena", "--jobs", "1", *map(str, words)])


def resumed(folder: Path, *words: object) -> Result:
    result = run("--resume", folder, *words)
    assert result.exit_code == 0, result.output
    return result


def refused(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("ostbahn: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest that nobody interrupted; only to be read."""
    out = tmp_path_factory.mktemp("whole")
    assert run(*NEW, "--out", out).exit_code == 0
    return out / "001"


@pytest.fixture
def broken_off(whole: Path, tmp_path: Path) -> Path:
    """The same, as a machine leaves it that is switched off after the game in the middle."""
    folder = tmp_path / "001"
    shutil.copytree(whole, folder)
    document = json.loads((folder / "contest.json").read_text())
    (folder / "contest.json").write_text(json.dumps({**document, "games": []}))
    for name in ("summary.json", "00000.json", "00000.played.json", "00002.json", "00002.played.json"):
        (folder / name).unlink()
    return folder


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games that are really played."""
    numbers: list[int] = []

    def noted(contest: arena.Contest, number: int, folder: Path | None = None) -> arena.PlayedGame:
        numbers.append(number)
        return PLAY(contest, number, folder)

    monkeypatch.setattr(arena, "play_game", noted)
    return numbers


def results(folder: Path) -> Any:
    """What is kept of a contest, without times."""
    document = json.loads((folder / "contest.json").read_text())
    lines = json.loads((folder / "summary.json").read_text())
    for timed in [*document["games"], *lines]:
        for name in ("seconds", "times_ms", "median_ms", "p95_ms"):
            timed.pop(name, None)
    return document, lines, [path.read_text() for path in sorted(folder.glob("[0-9]????.json"))]


def table(result: Result) -> list[list[str]]:
    """The rows of figures, without times."""
    return [line.split("│")[:-3] for line in result.output.splitlines() if "│" in line]


def test_an_interrupted_contest_goes_on_to_the_same_end(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(contest: arena.Contest, number: int, folder: Path | None = None) -> arena.PlayedGame:
        if number == 1:
            raise KeyboardInterrupt
        return PLAY(contest, number, folder)

    with monkeypatch.context() as patched:
        patched.setattr(arena, "play_game", interrupted)
        stopped = run(*NEW, "--out", tmp_path)
    folder = tmp_path / "001"
    assert stopped.exit_code == 130
    assert f"`ostbahn arena --resume {folder}` goes on" in stopped.output
    assert {path.name for path in folder.iterdir()} == {"contest.json", "00000.json", "00000.played.json"}
    told = resumed(folder)
    assert results(folder) == results(whole)
    assert len(results(folder)[2]) == 3
    assert table(told) == table(resumed(whole))
    assert "18CZ (moravia), 3 games" in told.output


def test_only_what_is_missing_is_played(broken_off: Path, played: list[int], whole: Path) -> None:
    resumed(broken_off)
    assert played == [0, 2]
    assert results(broken_off) == results(whole)


@pytest.mark.parametrize("lost", ["00001.json", "00001.played.json"])
def test_half_a_game_is_played_again(broken_off: Path, played: list[int], whole: Path, lost: str) -> None:
    (broken_off / lost).unlink()
    resumed(broken_off)
    assert played == [0, 1, 2]
    assert results(broken_off) == results(whole)


def test_a_complete_contest_is_only_told(whole: Path, tmp_path: Path, played: list[int]) -> None:
    """Also by another version, as nothing is played."""
    folder = tmp_path / "001"
    shutil.copytree(whole, folder)
    text = (folder / "contest.json").read_text().replace(__version__, "0.0.7")
    (folder / "contest.json").write_text(text)
    assert table(resumed(folder)) == table(resumed(whole))
    assert not played
    assert (folder / "contest.json").read_text() == text


def test_a_contest_can_be_lengthened(whole: Path, tmp_path: Path, played: list[int]) -> None:
    folder = tmp_path / "001"
    shutil.copytree(whole, folder)
    told = resumed(folder, "--games", 5)
    assert played == [3, 4]
    assert "18CZ (moravia), 5 games" in told.output
    document, (line,), _ = results(folder)
    assert document["contest"]["games"] == line["games"] == 5
    assert document["games"][:3] == results(whole)[0]["games"]
    assert [game["seed"] for game in document["games"]] == [5, 5, 6, 6, 7]


def test_that_it_is_longer_is_known_from_the_first_moment(
    broken_off: Path, monkeypatch: pytest.MonkeyPatch, played: list[int]
) -> None:
    def interrupted(*_: object) -> arena.PlayedGame:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(arena, "play_game", interrupted)
        assert run("--resume", broken_off, "--games", 4).exit_code == 130
    resumed(broken_off)
    assert played == [0, 2, 3]


def test_flags_that_say_the_same_are_welcome(broken_off: Path) -> None:
    resumed(broken_off, *NEW, "--limit", 30, "--out", broken_off.parent)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["18Mag"], "18Mag contradicts the contest in {} (18CZ): leave it out, or begin another contest"),
        (["--variant", "base"], "--variant base contradicts the contest in {} (moravia)"),
        (["--bots", "G,R"], "--bots G,R contradicts the contest in {} (R,R)"),
        (["--players", "3"], "--players 3 contradicts the contest in {} (2)"),
        (["--seed", "0"], "--seed 0 contradicts the contest in {} (5)"),
        (["--limit", "7"], "--limit 7.0 contradicts the contest in {} (30.0)"),
        (["--option", "length=long"], "--option length=long contradicts the contest in {} (there is none)"),
        (["--out", "/elsewhere"], "--out /elsewhere contradicts the contest in {}"),
        (["--games", "2"], "the contest in {} has 3 games, and --games 2 cannot shorten it"),
    ],
)
def test_flags_that_contradict_are_refused(broken_off: Path, played: list[int], words: list[str], told: str) -> None:
    before = (broken_off / "contest.json").read_bytes()
    assert told.format(broken_off) in refused("--resume", broken_off, *words)
    assert not played
    assert (broken_off / "contest.json").read_bytes() == before


def test_options_are_taken_from_the_contest(tmp_path: Path) -> None:
    words = ["18Mag", "--variant", "solo", "--bots", "R", "--option", "difficulty=easy", "--games", "1"]
    assert run(*words, "--out", tmp_path).exit_code == 0
    folder = tmp_path / "001"
    resumed(folder, "--games", 2, "--option", "difficulty=easy")
    saves = [json.loads((folder / name).read_text()) for name in ("00000.json", "00001.json")]
    assert [save["setup"]["options"]["difficulty"] for save in saves] == ["easy", "easy"]
    assert "--option difficulty=medium" in refused("--resume", folder, "--option", "difficulty=medium")


def test_of_a_solo_contest_istvans_wins_and_wealth_are_told_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "150")  # where the table is narrower, its cells have several lines
    words = ["18Mag", "--variant", "solo", "--bots", "R", "--option", "difficulty=easy", "--games", "2"]
    told = run(*words, "--out", tmp_path)
    assert told.exit_code == 0, told.output
    assert "18Mag (solo, difficulty=easy), 2 games " in told.output
    assert "seats turned" not in told.output, "there is one"
    rows = {line.split("│")[1].strip(): line.split("│") for line in told.output.splitlines() if line.startswith("│")}
    lines = {line["bot"]: line for line in json.loads((tmp_path / "001" / "summary.json").read_text())}
    assert rows.keys() == lines.keys() == {"R", "István"}
    assert rows["István"][3].strip() == "100.0%"
    assert rows["István"][6].strip() == f"{lines['István']['wealth']:,.0f}"
    assert rows["István"][8].strip() == "–", "he does not think"
    saves = [json.loads((tmp_path / "001" / name).read_text()) for name in ("00000.played.json", "00001.played.json")]
    his = [place["wealth"] for save in saves for place in save["places"] if place["bot"] == "István"]
    assert sum(his) / 2 == lines["István"]["wealth"]


@pytest.mark.parametrize(("version", "begun"), [('"0.0.7"', "Ostbahn 0.0.7"), ('""', "an Ostbahn that did not note")])
def test_another_version_does_not_go_on(broken_off: Path, played: list[int], version: str, begun: str) -> None:
    text = (broken_off / "contest.json").read_text()
    (broken_off / "contest.json").write_text(text.replace(f'"{__version__}"', version))
    told = refused("--resume", broken_off)
    assert f"this contest was begun with {begun}" in told
    assert "go on with the version that began it" in told
    assert not played


def test_there_has_to_be_a_contest(tmp_path: Path) -> None:
    assert f"{tmp_path / '007'}: there is no such folder" in refused("--resume", tmp_path / "007")
    assert f"{tmp_path}: there is no contest in this folder" in refused("--resume", tmp_path)
    assert "what is to be played? Name a TITLE and --bots" in refused()
    assert "or go on with a contest by --resume FOLDER" in refused("18CZ")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("contest.json", '"limit": 30.0', '"limit": ', "this is not JSON"),
        ("contest.json", '"games": 3', '"games": 0', "this is not what a contest keeps: Expected `int` >= 1"),
        ("contest.json", '["R", "R"]', "[]", "this is not what a contest keeps: Expected `array` of length >= 1"),
        ("contest.json", '["R", "R"]', '["R", "Q"]', "there is no bot 'Q'"),
        ("00001.played.json", '"number":1', '"number":', "this is not JSON"),
        ("00001.played.json", '"number":1', '"number":"1"', "without this file the game is played again"),
        ("00001.played.json", '"number":1', '"number":2', "game 1 does not belong to this contest"),
        ("00001.played.json", '"times_ms":{"1"', '"times_ms":{"7"', "game 1 does not belong to this contest"),
        ("00001.played.json", '"bot":"R"', '"bot":"S"', "game 1 does not belong to this contest"),
    ],
)
def test_a_damaged_file_is_told_in_a_sentence(broken_off: Path, name: str, old: str, new: str, told: str) -> None:
    text = (broken_off / name).read_text()
    assert old in text
    (broken_off / name).write_text(text.replace(old, new))
    assert told in refused("--resume", broken_off)


def test_a_complete_contest_with_a_foreign_game_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "001"
    shutil.copytree(whole, folder)
    text = (folder / "contest.json").read_text()
    (folder / "contest.json").write_text(text.replace('"seed": 6', '"seed": 60'))
    assert "contest.json: game 2 does not belong to this contest" in refused("--resume", folder)
