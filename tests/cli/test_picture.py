"""`ostbahn picture`."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kits.catalogue import CATALOGUE, new_game
from ostbahn.pictures import gallery
from ostbahn.pictures.themes import THEMES
from ostbahn.titles import cz
from tests.interop.reference import OLD

PLAYED = OLD / "18CZ-base-3.json"
DATA = Path(cz.__file__).parent / "data"
A3 = b"/MediaBox[0 0 1190.5511 841.8898]"


def picture(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["picture", *map(str, arguments)])
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


def refused(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["picture", *map(str, arguments)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture(params=["18CZ", "18Mag"])
def save(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    saves.write(path, new_game(request.param, ["Anna", "<Ben> & Co", "Cyril"], draw_order=False))
    return path


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_board_is_drawn_as_the_name_asks(save: Path, suffix: str) -> None:
    out = save.with_name(f"out.{suffix}")
    assert picture(save, "-o", out).startswith(f"{out}: Board of 18")
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert out.read_bytes().startswith(start)


DETAILS = {"hex": ":{hex}", "charter": ":{company}", "certificates": ":{company}", "tile": ":57/2"}
WHATS = [*gallery.all_picture_kinds(), "tiles:all"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("what", WHATS)
def test_everything_can_be_drawn_in_every_theme(save: Path, what: str, theme: str) -> None:
    game = saves.read(save)
    out = save.with_name("out.svg")
    title = game.table.title
    detail = DETAILS.get(what, "").format(company=next(iter(title.companies)), hex=next(iter(title.map)).id)
    wanted = f"{what}{detail}"
    if what.partition(":")[0] not in gallery.picture_kinds_of(game):
        assert "only" in refused(save, "--what", wanted, "-o", out)
        return
    picture(save, "--what", wanted, "--theme", theme, "-o", out)
    drawn = ElementTree.fromstring(out.read_text(encoding="utf-8"))
    assert drawn.find("{http://www.w3.org/2000/svg}title") is not None


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: f"{entry.title}-{entry.variant}")
def test_a_blank_board_is_for_a3(entry: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "board.pdf"
    picture("--blank", entry[0].lower(), "--variant", entry[1], "-o", out)
    assert A3 in out.read_bytes() or b"/MediaBox[0 0 841.8898 1190.5511]" in out.read_bytes()


def test_on_a_blank_board_nothing_lies(tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    picture("--blank", "18Mag", "-o", out)
    assert "<desc>0 tiles and 0 stations</desc>" in out.read_text(encoding="utf-8")


def test_a_board_of_ones_own_is_drawn_and_its_faults_are_told(tmp_path: Path) -> None:
    own, out = tmp_path / "own.toml", tmp_path / "board.svg"
    own.write_text("name = 7", encoding="utf-8")
    complaint = refused("--blank", "18CZ", "--variant", "moravia", "--board", own, "-o", out)
    assert complaint.startswith(f"ostbahn: {own}: ")
    own.write_bytes((DATA / "moravia_board.toml").read_bytes())
    picture("--blank", "18CZ", "--variant", "moravia", "--board", own, "-o", out)
    assert 'id="hex-' in out.read_text(encoding="utf-8")


def test_a_tile_can_be_turned(tmp_path: Path) -> None:
    drawn = []
    for rotation in range(6):
        out = tmp_path / f"{rotation}.svg"
        assert "Tile 5" in picture("--blank", "18CZ", "--what", f"tile:5/{rotation}", "-o", out)
        drawn.append(out.read_text(encoding="utf-8"))
    assert len(set(drawn)) == 6


def test_the_moment_is_that_after_the_action_of_the_file(tmp_path: Path) -> None:
    drawn = []
    for number in (58, 200, 819):
        out = tmp_path / f"{number}.svg"
        picture(PLAYED, "--at", number, "-o", out)
        drawn.append(out.read_text(encoding="utf-8"))
    assert len(set(drawn)) == 3
    assert 'id="hex-E11"' in drawn[0]


def test_the_best_run_is_drawn_with_a_line_for_each_train(tmp_path: Path) -> None:
    out = tmp_path / "run.svg"
    assert picture(PLAYED, "--at", 108, "--what", "routes", "-o", out).endswith("Best run of OFE: 90 K\n")
    svg = out.read_text(encoding="utf-8")
    assert svg.count('class="route"') == 2
    assert "2-train: 50 K, Opava – Ostrava" in svg
    again = tmp_path / "named.svg"
    picture(PLAYED, "--at", 108, "--what", "routes:ofe", "-o", again)
    assert again.read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "what is to be drawn?"),
        (["none.json"], "none.json: there is no such file"),
        (["none.json", "--blank", "18CZ"], "not both"),
        (["none.json", "--variant", "bohemia"], "--variant and --board go with --blank"),
        (["--blank", "1830"], "there is no 1830 (base)"),
        (["--blank", "18CZ", "--variant", "solo"], "there is no 18CZ (solo)"),
        (["--blank", "18CZ", "--at", "5"], "--at has no meaning"),
        (["--blank", "18CZ", "--what", "moon"], "there is no picture 'moon'; there are board, hex:E11, chart"),
        (["--blank", "18CZ", "--what", "hex"], "which hex? Say hex:E11"),
        (["--blank", "18CZ", "--what", "hex:Z99"], "there is no hex Z99 on this board"),
        (["--blank", "18CZ", "--what", "tile:9999"], "there is no tile 9999"),
        (["--blank", "18CZ", "--what", "tile:57/9"], "a tile has the rotations 0 to 5, not 9"),
        (["--blank", "18CZ", "--what", "tile:57/x"], "a tile has the rotations 0 to 5, not x"),
        (["--blank", "18CZ", "--what", "tiles:some"], "tiles or tiles:all, not tiles:some"),
        (["--blank", "18CZ", "--what", "board:x"], "board is drawn as a whole"),
        (["--blank", "18CZ", "--what", "charter:XY"], "there is no company XY"),
        (["--blank", "18CZ", "--what", "routes"], "say whose run: routes:COMPANY"),
        (["--blank", "18CZ", "--theme", "pink"], "there is no theme pink; there are light, dark, colour-blind"),
        (["--blank", "18CZ", "--paper", "b5"], "there is no paper b5"),
        (["--blank", "18CZ", "-o", "out.gif"], "out.gif: the name of a picture ends in .svg, .png, .pdf"),
        (["--blank", "18CZ", "--scale", "0", "-o", "out.png"], "nothing would be left of the picture"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    given = arguments if "-o" in arguments else [*arguments, "-o", "out.pdf"]
    assert complaint in refused(*given)
    assert list(tmp_path.iterdir()) == []
