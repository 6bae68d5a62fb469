"""`ostbahn export`."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner, Result

from ostbahn.cli.main import app
from ostbahn.interop import files
from ostbahn.kits.catalogue import SITE
from tests.golden.games import GOLDEN

THERE = next(golden for golden in GOLDEN if golden.preset == SITE)
HERE = next(golden for golden in GOLDEN if golden.preset != SITE)


def export(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_a_game_is_written_for_18xx_games_and_read_again(tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    assert (export(THERE.save, "--as", "18xx.games", "-o", out).exit_code, out.exists()) == (0, True)
    assert THERE.export is not None
    assert out.read_bytes() == THERE.export.read_bytes()
    assert files.open_game(out).state.digest == files.open_game(THERE.save).state.digest


def test_without_a_name_it_goes_to_the_screen() -> None:
    assert THERE.export is not None
    assert export(THERE.save, "--as", "18xx.games").stdout == THERE.export.read_text(encoding="utf-8")


def test_an_export_can_be_exported_again(tmp_path: Path) -> None:
    assert THERE.export is not None
    assert export(THERE.export, "--as", "18xx.games").stdout == THERE.export.read_text(encoding="utf-8")


def test_what_cannot_be_exported_is_told_in_one_line(tmp_path: Path) -> None:
    out = tmp_path / "game.json"
    refused = export(HERE.save, "--as", "18xx.games", "-o", out)
    assert (refused.exit_code, out.exists()) == (2, False)
    assert refused.stderr.startswith("ostbahn: 18xx.games has rulings of its own, and this game has others (")
    unknown = export(THERE.save, "--as", "rails")
    assert (unknown.exit_code, unknown.stderr) == (2, "ostbahn: a game can be exported as 18xx.games, not as 'rails'\n")
