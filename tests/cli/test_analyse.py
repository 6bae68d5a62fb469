"""`ostbahn analyse` and `ostbahn explore`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kits.catalogue import new_game

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT, SOLO = GOLDEN / "18CZ-moravia-2.json", GOLDEN / "18Mag-solo-1-easy-short.json"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments])
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


def refused(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_without_a_file_to_write_the_most_important_is_told() -> None:
    told = run("analyse", SHORT)
    assert "Anna" in told
    assert "2524 K" in told
    assert "Left lying for certain: 0 K, 0 times" in told


def test_an_export_of_the_site_is_read_too() -> None:
    assert "18Mag after" in run("analyse", GOLDEN / "18Mag-base-4.18xx.json")


def test_figures_are_written_as_files(tmp_path: Path) -> None:
    told = run("analyse", SOLO, "--csv", tmp_path / "csv", "--parquet", tmp_path / "parquet")
    assert told.count("The figures are in") == 2
    header = (tmp_path / "csv" / "players.csv").read_text(encoding="utf-8").splitlines()[0]
    assert header == "round,last,phase,seat,name,cash,worth,income,certificates"
    assert (tmp_path / "parquet" / "payments.parquet").read_bytes().startswith(b"PAR1")


def test_a_pdf_is_written(tmp_path: Path) -> None:
    assert "The report is in" in run("analyse", SOLO, "-o", tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]


def test_another_form_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    assert "ends in .html or .pdf" in refused("analyse", tmp_path / "no such file", "-o", "report.txt")
    assert "ends in .html or .pdf" in refused("explore", tmp_path, "-o", "report.txt")


def test_a_game_that_has_not_begun_has_no_figures_yet(tmp_path: Path) -> None:
    saves.write(tmp_path / "new.json", new_game("18Mag", ["Anna", "Ben", "Cyril"]))
    assert run("analyse", tmp_path / "new.json") == "The game has not begun.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A contest, with what else is in its folder, and a game that is not over."""
    (tmp_path / "001").mkdir()
    for number in range(2):
        shutil.copy(SHORT, tmp_path / "001" / f"0000{number}.json")
    (tmp_path / "001" / "contest.json").write_text("{}", encoding="utf-8")
    (tmp_path / "001" / "00000.played.json").write_text("{}", encoding="utf-8")
    saves.write(tmp_path / "new.json", new_game("18Mag", ["Anna", "Ben", "Cyril"]))
    return tmp_path


def test_many_games_are_told_together(folder: Path) -> None:
    told = run("explore", folder, "--jobs", 1)
    assert "1 file left out, the first:" in told
    assert "18CZ (moravia), 2 players: 2 games" in told
    assert "wins 100% (34%–100%)" in told, "Wilson's interval of two of two"


def test_many_games_are_a_report_too(folder: Path) -> None:
    assert "The report of 2 games is in" in run("explore", folder, "--jobs", 1, "-o", folder / "all.html")
    page = (folder / "all.html").read_text(encoding="utf-8")
    assert "Start prices" in page
    assert "When phases began" in page


def test_a_folder_without_games_is_told_so(tmp_path: Path) -> None:
    assert "there is no game in" in refused("explore", tmp_path)
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    assert "none of 1 file holds a finished game" in refused("explore", tmp_path, "--jobs", 1)
