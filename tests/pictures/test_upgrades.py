"""The upgrade chart shows exactly the promotions that the rules allow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.title import Title
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.pictures.upgrades import bare_hexes_of, promotions_of, rows_of, upgrades_picture
from tests.golden.games import golden_game
from tests.pictures.panel_reading import FRESH, PLAYED, SVG, Picture, fresh

in_each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
of_each_title = pytest.mark.parametrize("title", [fresh(*which).table.title for which in FRESH])


def legal(title: Title) -> set[tuple[str, str]]:
    """Every promotion on every hex of the map, from the tiles that can lie there, hex by hex."""
    found = set()
    for hex_ in title.map:
        lying = {(name, turn) for name, turns in title.fitting(hex_, None).items() for turn in turns}
        for _ in COLOURS:
            lying |= {
                (name, turn) for laid in lying for name, turns in title.fitting(hex_, laid).items() for turn in turns
            }
        found |= {(laid[0], name) for laid in lying for name in title.fitting(hex_, laid)}
    return found


def shown(title: Title) -> set[tuple[str, str]]:
    """What the picture says: the ids of the new tiles name the old ones."""
    picture = Picture(upgrades_picture(title))
    return {
        (old, new)
        for node in picture.root.iter(f"{SVG}g")
        if node.get("class") == "becomes"
        for *olds, new in [(node.get("id") or "").split("-")[1:]]
        for old in olds
    }


@of_each_title
def test_every_legal_promotion_is_shown_and_no_other(title: Title) -> None:
    assert shown(title) == legal(title)


@of_each_title
def test_new_tiles_are_drawn_in_a_turn_that_keeps_the_track(title: Title) -> None:
    for old, promotions in promotions_of(title).items():
        for new, turns in promotions.items():
            assert set(turns) <= set(title.tile_set.promotions[old][new])


@of_each_title
def test_tiles_are_grouped_by_colour_and_kind(title: Title) -> None:
    for (colour, kind), rows in rows_of(title).items():
        for row in rows:
            for name in row.old:
                tile = title.tiles[name]
                assert tile.colour == colour
                assert (tile.nodes[0].kind if tile.nodes else "track") == kind


@of_each_title
def test_what_the_map_takes_first_is_shown(title: Title) -> None:
    for ground in bare_hexes_of(title):
        for hex_ in ground.hexes:
            assert set(title.fitting(hex_, None)) <= set(ground.takes)
    covered = {hex_.id for ground in bare_hexes_of(title) for hex_ in ground.hexes}
    assert covered == {hex_.id for hex_ in title.map if title.fitting(hex_, None)}


@in_each_theme
@of_each_title
def test_the_chart_fits_a3(title: Title, theme: Theme) -> None:
    picture = Picture(upgrades_picture(title, theme))
    assert picture.width / picture.height == pytest.approx(420 / 297, abs=0.01)
    picture.check_frame()


def laid_in_games() -> Iterator[tuple[Title, str, str]]:
    for game in map(golden_game, PLAYED):
        before: dict[str, str] = {}
        for number in range(0, len(game) + 1, 5):
            for hex_id, (tile, _) in game.position(number).state.board.tiles.items():
                old = before.get(hex_id)
                if old is not None and old != tile:
                    yield game.table.title, old, tile
                before[hex_id] = tile


def test_promotions_of_whole_games_are_on_the_chart() -> None:
    seen = 0
    for title, old, new in laid_in_games():
        if title.tiles[new].colour != COLOURS[COLOURS.index(title.tiles[old].colour) + 1]:
            continue  # promoted twice between two looks
        assert new in promotions_of(title)[old]
        seen += 1
    assert seen > 100
