"""The manifest counts every tile once."""

from __future__ import annotations

import pytest

from ostbahn.kernel.game import Game
from ostbahn.pictures.sheets import manifest_picture, pieces_of
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.titles.mag.title import MagTitle
from tests.pictures.panel_reading import Picture, fresh, of_each_game


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@of_each_game()
def test_the_manifest_is_whole(game: Game, theme: Theme) -> None:
    picture = Picture(manifest_picture(game, theme))
    picture.check_frame()


@of_each_game()
def test_every_tile_is_there_with_what_is_left_of_it(game: Game) -> None:
    table = game.table
    picture = Picture(manifest_picture(game))
    title, state = table.title, table.state
    for piece in pieces_of(title):
        count = title.tiles[piece[0]].count
        lying = sum(name in piece for name, _ in state.board.tiles.values())
        assert f"{count - lying} of {count}" in picture.words_in(f"tile-{'-'.join(piece)}")
    assert sorted(name for piece in pieces_of(title) for name in piece) == sorted(title.tiles)


def test_both_faces_of_a_double_sided_tile_stand_together() -> None:
    title = fresh("18Mag", "base", 4).table.title
    assert isinstance(title, MagTitle)
    together = {piece for piece in pieces_of(title) if len(piece) == 2}
    assert ("8", "9") in together
    for piece in together:
        assert title.tiles[piece[0]].back == piece[1]
        assert title.tiles[piece[1]].back == piece[0]
    assert sum(title.tiles[piece[0]].count for piece in pieces_of(title)) == 150
