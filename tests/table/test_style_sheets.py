"""Style sheets: pages and pictures have the same colours, and no colour is written anywhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ostbahn
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures import gallery
from ostbahn.pictures.board import DrawnRoute, draw_board
from ostbahn.pictures.look import scene_of
from ostbahn.pictures.themes import THEMES
from ostbahn.table.rendering import COLOURS, TABLE, static_file

SOURCE = Path(ostbahn.__file__).parent
SHEETS = sorted({*SOURCE.rglob("static/css/*.css"), SOURCE / "review/reports/templates/report.css"})
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
in_each_theme = pytest.mark.parametrize("theme", list(THEMES))


def text_of(sheet: Path) -> str:
    return COMMENT.sub("", sheet.read_text(encoding="utf-8"))


def properties_of(theme: str) -> dict[str, str]:
    """The custom properties of a page in a theme, as a browser has them."""
    media, data = static_file([TABLE], COLOURS)
    assert media == "text/css"
    rules = dict(re.findall(r"^([^{}]+)\{([^{}]*)\}", data.decode(), re.MULTILINE))
    found = dict(re.findall(r"--([\w-]+):([^;]+);", rules[":root"]))
    return {**found, **dict(re.findall(r"--([\w-]+):([^;]+);", rules.get(f':root[data-theme="{theme}"]', "")))}


@in_each_theme
def test_page_and_pictures_have_the_same_colours(theme: str) -> None:
    page, game = properties_of(theme), new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=1)
    tiles = {"yellow": "57", "green": "14", "brown": "611"}
    for colour, tile in tiles.items():
        assert f'fill="{page[colour]}"' in gallery.draw(game, f"tile:{tile}", theme)
    chart = gallery.draw(game, "chart", theme)
    for ground in ("paper", "card", "ink"):
        assert f'fill="{page[ground]}"' in chart
    city = next(hex_ for hex_ in game.table.title.map if hex_.face.nodes and hex_.face.exits)
    run = draw_board(scene_of(game), THEMES[theme], [DrawnRoute((f"{city.id}.0",))] * 5)
    for number in range(5):
        assert f'stroke="{page[f"route-{number}"]}"' in run


def test_without_a_choice_a_page_is_as_dark_as_its_system() -> None:
    _, data = static_file([TABLE], COLOURS)
    chosen, system = re.findall(r'(?:"dark"\]|:not\(\[data-theme\]\))\{([^}]*)\}', data.decode())
    assert chosen == system
    assert "color-scheme:dark" in system


def test_style_sheets_use_only_properties_that_there_are() -> None:
    text = "".join(map(text_of, SHEETS))
    others = [*SOURCE.rglob("static/js/*.js"), *SOURCE.rglob("templates/*.html")]
    where = [text, *(file.read_text(encoding="utf-8") for file in others)]
    known = {name for each in where for name in re.findall(r"--([\w-]+)(?:\s*:|\")", each)}
    assert set(re.findall(r"var\(--([\w-]+)", text)) - known - properties_of("light").keys() == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_no_sheet_has_a_colour_of_its_own(sheet: Path) -> None:
    """Black and white may stand: in masks and shadows, behind codes that cameras read, on paper."""
    plain = {"#000", "#0000", "#fff", "#ffffff"}
    assert set(re.findall(r"#[0-9a-f]{3,8}\b(?=[^{}]*[;}])", text_of(sheet))) - plain == set()
