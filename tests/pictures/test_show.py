"""Pictures in notebooks, and what docs/pictures.md says of them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.cli.picture import RUNS
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures import gallery, show

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "pictures.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_command_lines_run_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    for line in lines:
        result = CliRunner().invoke(app, shlex.split(line)[1:])
        assert (result.exit_code, result.stderr) == (0, ""), line
    assert {path.name for path in tmp_path.iterdir()} == {
        next(word for word in line.split() if re.fullmatch(r"\w+\.(svg|png|pdf)", word)) for line in lines[1:]
    } | {"game.json"}


def test_everything_that_can_be_drawn_is_in_the_table() -> None:
    told = dict(re.findall(r"^\| `(\w+)[`:].*\| (\w+) \|$", PAGE, re.MULTILINE))
    assert told == {name: subject.paper for name, subject in {**gallery.all_picture_kinds(), **RUNS}.items()}


def test_a_notebook_shows_it() -> None:
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
    picture = show.board(game)
    assert picture._repr_svg_() == str(picture) == gallery.draw(game)
    assert repr(picture) == "<Picture 'Board of 18CZ'>"
    assert picture.png(1).startswith(b"\x89PNG")
    assert picture.pdf().startswith(b"%PDF")


def test_highlights_stand_out() -> None:
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
    assert show.board(game, highlights=["E11", "D16"]).svg.count('class="highlight"') == 2


def test_each_function_draws_what_its_name_says() -> None:
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
    for name in ("chart", "process", "trains", "upgrades", "tiles", "aid"):
        picture = getattr(show, name)(game, theme="dark")
        assert picture.svg == gallery.draw(game, name, "dark")
    assert show.hex(game, "E11").svg == gallery.draw(game, "hex:E11")
    assert show.charter(game, "BCB").svg == gallery.draw(game, "charter:BCB")
    assert show.tile(game, "57", 2).svg == gallery.draw(game, "tile:57/2")
    with pytest.raises(BadSetup, match="there is no theme pink"):
        show.board(game, "pink")
