"""Style sheets: pages and pictures have the same colours, and no colour is written anywhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ostbahn
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures import gallery
from ostbahn.pictures.board import DrawnRoute, draw_board
from ostbahn.pictures.board_style import scene_of
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


# The scales

DECLARED = re.compile(r"(?<![\w-])([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])")
SCALES = {
    "space": re.compile(r"(scroll-)?(margin|padding)(-[\w-]+)?|(row-|column-)?gap"),
    "text": re.compile(r"font|font-size"),
    "radius": re.compile(r"border(-\w+)*-radius"),
}
ALLOWED = {
    "space": {"0", "1px", "-1px"},  # hairlines
    "text": {"112.5%"},  # the whole page on large screens
    "radius": {"0", "50%"},  # circles
}
SIZE = re.compile(r"(?<![\w.#-])-?[\d.]+(?:%|[a-z]+\b)?")
BREAKPOINTS = {"width": {40, 62, 100}, "height": {30, 55, 62}}


def on_screen(text: str) -> str:
    """Without what is for paper, which has millimetres and points."""
    return re.sub(r"@media print \{(?:[^{}]|\{[^{}]*\})*\}", "", text)


def sizes_of(scale: str, text: str) -> set[str]:
    """What is written as a figure where a step of a scale should be."""
    found: set[str] = set()
    for name, value in DECLARED.findall(on_screen(text)):
        if SCALES[scale].fullmatch(name):
            # The line height, weight and family of a font, and the margins of a device, are not of the scale.
            own = re.sub(r"/[\d.]+|\b[1-9]00\b|env\([^)]*\)|-1 \*", "", value)
            found |= set(SIZE.findall(own))
    return found


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_sizes_are_steps_of_the_scales(sheet: Path, scale: str) -> None:
    assert sizes_of(scale, text_of(sheet)) - ALLOWED[scale] == set()


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        ("space", "a { margin: 0.3rem 0 }"),
        ("space", "a { color: red; gap: 0 3px; }"),
        ("text", "a { font: 600 1.2rem/1.2 var(--serif); }"),
        ("radius", "a { border-radius: 0 4px; }"),
    ],
)
def test_a_size_beside_the_scales_is_found(scale: str, text: str) -> None:
    assert sizes_of(scale, text) - ALLOWED[scale]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_breakpoints_are_those_of_the_list(sheet: Path) -> None:
    """Those that stand at the top of `main.css`."""
    for query in re.findall(r"@media ([^{]+)\{", text_of(sheet)):
        assert not re.search(r"(min|max)-(width|height)", query)
        for condition in re.findall(r"\(([^()]*(?:width|height)[^()]*)\)", query):
            which = "width" if "width" in condition else "height"
            assert {float(size) for size in re.findall(r"([\d.]+)rem", condition)} <= BREAKPOINTS[which], query


def test_no_text_is_smaller_than_eleven_pixels() -> None:
    smallest = min(
        float(size) for size in re.findall(r"--text-\d:([\d.]+)rem", static_file([TABLE], COLOURS)[1].decode())
    )
    assert smallest * 16 >= 11
