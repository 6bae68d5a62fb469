"""Everything that the gallery has is drawn of the title."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from ostbahn_wee.state import TITLE

from ostbahn.bots.playing import play_out
from ostbahn.bots.search import GreedyBot
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures.board_style import board_style_of
from ostbahn.pictures.gallery import draw, picture_kinds_of
from ostbahn.pictures.themes import THEMES
from ostbahn.views.title_views import views_of

DETAILS = {
    "hex": list(TITLE.map.hexes),
    "charter": list(TITLE.companies),
    "certificates": list(TITLE.companies),
    "tile": [f"{tile}/{rotation}" for tile in TITLE.tiles for rotation in range(6)],
    "tiles": ["", "all"],
}


@pytest.fixture(scope="module")
def played() -> Game:
    game = new_game("18Wee", ["Anna", "Ben", "Cyril"])
    play_out(game, {seat: GreedyBot() for seat in game.state.players})
    return game


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("part", [0, 0.5, 1])
def test_every_picture_is_drawn(played: Game, part: float, theme: str) -> None:
    game = played.position(int(len(played) * part))
    for name in picture_kinds_of(game):
        for detail in DETAILS.get(name, [""]):
            what = f"{name}:{detail}" if detail else name
            drawn = ElementTree.fromstring(draw(game, what, theme))
            assert drawn.tag == "{http://www.w3.org/2000/svg}svg", what
            assert len(list(drawn.iter())) > 5, f"{what} is empty"


def test_the_charters_are_those_of_all_that_have_started(played: Game) -> None:
    game = played.position(len(played) // 2)
    started = {company for company, holders in game.state.certificates.items() if holders[0] != BANK}
    assert set(board_style_of(game.table.title).in_play(game.table)) == started


def test_pictures_tell_the_game(played: Game) -> None:
    game = played.position(len(played) // 2)
    assert f"{views_of(game).round}, now" in words(game, "process")
    assert "140 cr" in words(game, "trains")
    assert "5 of 5 left" in words(played.position(0), "trains")
    assert "5 of 5 left" not in words(game, "trains")
    assert all(rule.chapter in words(game, "aid") for rule in TITLE.rules.values())
    assert all(hex_.printed.name in words(game, "board") for hex_ in TITLE.map if hex_.printed.name)


def words(game: Game, what: str) -> str:
    return "".join(ElementTree.fromstring(draw(game, what)).itertext())
