"""Share charts and the course of the game: every marker on its price, the present round marked."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ostbahn.kernel.game import Game
from ostbahn.pictures import gallery
from ostbahn.pictures.board_style import board_style_of
from ostbahn.pictures.charts import PANEL, SHEET, ChartFormat, chart_picture
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.titles.cz.rounds import present_box, sets_of
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.mag.pictures import round_words
from ostbahn.titles.mag.state import MagTable
from tests.pictures.panel_reading import SVG, Picture, fresh, of_each_game

in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


@in_each_theme
@of_each_game()
def test_charts_are_whole(game: Game, theme: Theme) -> None:
    Picture(chart_picture(game, theme)).check()


@of_each_game()
def test_every_marker_stands_on_its_price_in_the_order_of_its_stack(game: Game) -> None:
    table = game.table
    picture = Picture(chart_picture(game))
    for price, stack in zip(table.title.prices, table.state.chart, strict=True):
        spaces = [text for text in picture.texts if f"price-{price}" in text.within]
        assert str(price) in [text.words for text in spaces]
        markers = sorted((text for text in spaces if text.within[-1].startswith("marker-")), key=lambda text: text.top)
        assert [text.within[-1] for text in markers] == [f"marker-{company}" for company in stack]


def test_the_rows_of_18cz_are_staggered() -> None:
    picture = Picture(chart_picture(fresh("18CZ", "base", 3)))
    prices = fresh("18CZ", "base", 3).table.title.prices
    spots = [next(text for text in picture.texts if text.within == (f"price-{price}",)) for price in prices]
    lower, upper = spots[::2], spots[1::2]
    assert len({spot.top for spot in lower}) == len({spot.top for spot in upper}) == 1
    assert lower[0].top > upper[0].top
    middles = [(spot.left + spot.right) / 2 for spot in spots]
    steps = [after - before for before, after in pairwise(middles)]
    assert max(steps) - min(steps) < 0.2


def test_18mag_has_a_single_row() -> None:
    picture = Picture(chart_picture(fresh("18Mag", "base", 4)))
    prices = fresh("18Mag", "base", 4).table.title.prices
    tops = {next(text for text in picture.texts if text.within == (f"price-{price}",)).top for price in prices}
    assert len(tops) == 1


@pytest.mark.parametrize("which", [("18CZ", "base", 3), ("18CZ", "moravia", 2), ("18Mag", "base", 4)])
def test_start_prices_are_marked(which: tuple[str, str, int]) -> None:
    table = fresh(*which).table
    picture = Picture(chart_picture(fresh(*which)))
    marked = 0
    for price in table.title.prices:
        words = picture.words_in(f"price-{price}")
        marks = [letters for letters, _ in board_style_of(table.title).start_marks(table.title, price)]
        assert [word for word in words if word in marks] == marks
        marked += len(marks)
    assert marked


# The course of the game


@in_each_theme
@of_each_game()
def test_the_course_of_the_game_is_whole(game: Game, theme: Theme) -> None:
    Picture(gallery.draw(game, "process", theme)).check()


@of_each_game()
def test_the_present_round_is_marked_and_nothing_else(game: Game) -> None:
    table = game.table
    picture = Picture(gallery.draw(game, "process"))
    now = [node.get("id") for node in picture.root.iter(f"{SVG}g") if node.get("class") == "now"]
    if isinstance(table, CzTable):
        begun = table.state.round.startswith(("SR", "OR")) and not game.over
        assert now == ([f"box-{present_box(table)}"] if begun else [])
        if begun:
            words = " ".join(picture.words_in(now[0] or ""))
            assert words.startswith(table.state.round)
    else:
        assert now == ([] if game.over else [f"phase-{table.state.phase}"])


@of_each_game("18CZ")
def test_the_process_track_shows_every_box_with_its_price(game: Game) -> None:
    table = game.table
    assert isinstance(table, CzTable)
    picture = Picture(gallery.draw(game, "process"))
    boxes = table.title.boxes
    assert [id_ for id_ in picture.ids if id_.startswith("box-")] == [f"box-{at}" for at in range(len(boxes))]
    for at, kind in enumerate(boxes):
        if isinstance(kind, int):
            assert f"{kind} K" in picture.words_in(f"box-{at}")
    assert sum(map(len, sets_of(boxes))) == len(boxes)


@of_each_game("18Mag")
def test_indicators_and_tokens_lie_on_their_stacks(game: Game) -> None:
    table = game.table
    assert isinstance(table, MagTable)
    picture = Picture(gallery.draw(game, "process"))
    tiles = [id_.removeprefix("indicator-") for id_ in picture.ids if id_.startswith("indicator-")]
    assert tiles == list(table.state.indicators)
    tokens = [node for node in picture.root.iter(f"{SVG}circle") if node.get("class") == "token"]
    assert len(tokens) == (table.state.no_train if tiles and not table.phase.final else 0)
    assert round_words(table) in [text.words for text in picture.texts]
    for face, stack in table.title.stacks.items():
        assert f"{stack.price} Ft" in picture.words_in(f"stack-{face}")


# Ghosts


@in_each_theme
@of_each_game()
@pytest.mark.parametrize("size", [SHEET, PANEL], ids=["sheet", "panel"])
def test_previews_lie_beneath_the_markers_of_their_space(game: Game, theme: Theme, size: ChartFormat) -> None:
    """As a marker that arrives is put at the bottom; nothing of a chart with them is out of its place."""
    prices, stacks = game.table.title.prices, game.table.state.chart
    previews = {
        company: prices[min(space + 1, len(prices) - 1)] for space, stack in enumerate(stacks) for company in stack
    }
    picture = Picture(chart_picture(game, theme, size=size, previews=previews))
    picture.check()
    for price, stack in zip(prices, stacks, strict=True):
        lying = sorted((text for text in picture.texts if f"price-{price}" in text.within), key=lambda text: text.top)
        names = [text.within[-1] for text in lying if text.within[-1].startswith(("marker-", "ghost-"))]
        wanted = [f"ghost-{company}" for company, where in previews.items() if where == price]
        assert names == [*(f"marker-{company}" for company in stack), *wanted]
