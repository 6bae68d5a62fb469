"""A typo in the data of a title is told with its file and its field."""

from __future__ import annotations

import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ostbahn.bots.policies import TunableWeights, parse_weights
from ostbahn.cli import commands, picture
from ostbahn.cli.invocation import GamePlan
from ostbahn.eighteen.title import PlainTitle
from ostbahn.kernel.errors import BadData
from ostbahn.kits.data import decode_data
from ostbahn.titles.cz import title as cz
from ostbahn.titles.mag import title as mag

ROOT = Path(__file__).resolve().parents[2]
WEE = ROOT / "docs" / "examples" / "wee" / "ostbahn_wee" / "data"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data of the example, in a package of its own."""
    folder = tmp_path / re.sub(r"\W", "_", f"{tmp_path.name}_data")
    shutil.copytree(WEE, folder / "data")
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("currency =", "curency =", "Object contains unknown field `curency`"),
        ('currency = "cr"', "currency = cr", "Invalid value (at line 3, column 12)"),
        ("cash = 190", 'cash = "much"', "Expected `int`, got `str` - at `$.players.3.cash`"),
        ('name = "Cray"', 'nam = "Cray"', "Object contains unknown field `nam` - at `$.hexes.C3`"),
        ('"city", value = 40', '"citi", value = 40', "Invalid enum value 'citi' - at `$.tiles.16.nodes[0].kind`"),
        ('["SW", "NE"], ["W"', '["SW", "NX"], ["W"', "tiles.14.track: there is no NX; there are SW, W, NW, NE, "),
        ('track = [["W", 0]]', 'track = [["W", 1]]', "hexes.C11.track: there is no 1; there are SW, "),
        ("A7 = {", "AX = {", "hexes.AX: a hex is named by its row and its number, as in A7; the rows are ABCDE"),
        ('home = "C9.0"', 'home = "C7.0"', "companies.EF.home: there is no C7.0; there are A5.0, B6.0, "),
        ("[40, 20, 20, 20] }\nWL", "[40, 20, 20] }\nWL", "companies.NB.certificates: they are 80 %, not 100 %"),
        ('begins = "II"', 'begins = "III"', "trains.3.begins: there is no III; there are I, II"),
        ('II = { colour = "green"', 'II = { colour = "gren"', "phases.II.colour: there is no gren; there are yellow, "),
        ("start_prices = [40", "start_prices = [41", "start_prices: there is no 41; there are 20, 25, "),
        ('"SR 2"', '"ST 2"', "rounds: ST 2: there is no ST; there are SR, OR"),
    ],
)
def test_a_typo_in_a_plain_title(package: Path, right: str, wrong: str, told: str) -> None:
    file = package / "data" / "game.toml"
    text = file.read_text(encoding="utf-8")
    assert right in text
    assert PlainTitle("18Wee", package.name).name == "18Wee"
    file.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(BadData) as fault:
        PlainTitle("18Wee", package.name)
    assert str(fault.value).startswith(f"18Wee data, game.toml: {told}")


def test_a_file_that_is_missing(package: Path) -> None:
    (package / "data" / "rules.toml").unlink()
    with pytest.raises(BadData, match=r"^18Wee data, rules\.toml: the file cannot be read: "):
        PlainTitle("18Wee", package.name)


@pytest.mark.parametrize(
    ("title", "file", "right", "wrong", "told"),
    [
        (cz, "companies.toml", 'size = "medium"', 'size = "medum"', r"companies\.\w+\.size: there is no medum; there"),
        (cz, "companies.toml", 'homes = ["', 'homes = ["Z', r"companies\.\w+\.homes: there is no Z\w+; there are A7"),
        (cz, "companies.toml", 'opens_in_phase = "', 'opens_in_phase = "z', r"sizes\.\w+\.opens_in_phase: "),
        (cz, "game.toml", 'local_railways = "', 'local_railways = "z', r"opening\.local_railways: there is no z"),
        (cz, "board.toml", '"NE"', '"NX"', r"hexes\.\w+.*: there is no NX; there are SW"),
        (cz, "tiles.toml", 'colour = "green"', 'colour = "gren"', r"tiles\.\w+\.colour: there is no gren; "),
        (cz, "trains.toml", 'colour = "green"', 'colour = "gren"', r"phases\.\w+\.colour: there is no gren"),
        (mag, "game.toml", 'majors = ["', 'majors = ["Z', r"majors: there is no Z\w+; there are"),
        (mag, "companies.toml", 'major = "', 'major = "Z', r"services\.\w+\.major: there is no Z\w+; there are"),
        (mag, "companies.toml", 'hex = "', 'hex = "Z', r"minors\.\w+\.homes\.base\.hex: there is no Z\w+; there are"),
        (mag, "tiles.toml", '"NE"', '"NX"', r"tiles\.\w+\.track: there is no NX; there are SW"),
    ],
)
def test_a_typo_in_our_own_data(
    monkeypatch: pytest.MonkeyPatch, title: Any, file: str, right: str, wrong: str, told: str
) -> None:
    """Read as it is, but for one word."""
    data = Path(title.__file__).parent / "data"

    def read(name: str, kind: type[Any]) -> Any:
        text = (data / name).read_text(encoding="utf-8")
        assert name != file or right in text
        return decode_data(f"data, {name}", text.replace(right, wrong, 1) if name == file else text, kind)

    monkeypatch.setattr(title, "load_data", read)
    with pytest.raises(BadData, match=rf"data, {re.escape(file)}: {told}"):
        title.base_data()


def test_a_typo_in_the_weights_of_a_bot() -> None:
    class Nested(TunableWeights, frozen=True):
        tables: dict[str, dict[str, int]]

    with pytest.raises(
        BadData, match=r"^weights of a bot, w\.toml: Expected `int`, got `str` - at `\$\.tables\.b\.y`$"
    ):
        parse_weights('[tables]\na = { x = 1 }\nb = { x = 1, y = "2 cr" }\n', "w.toml", Nested)


def test_commands_do_not_blame_a_file_that_nobody_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise BadData("18CZ data, game.toml: a typo")

    monkeypatch.setattr(commands, "new_game", faulty)
    for begin in (
        partial(commands.start_game, GamePlan(number=3)),
        partial(picture.picture, GamePlan("18CZ"), None, picture.PictureOptions(), Path("board.svg")),
    ):
        with pytest.raises(BadData, match=r"^18CZ data, game\.toml: a typo$"):
            begin()
