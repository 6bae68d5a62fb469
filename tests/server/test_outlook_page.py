"""What comes next, on the page: ghosts on the chart, a panel beside it, and what trains bring about."""

from __future__ import annotations

import re

import pytest

from ostbahn.kernel.game import Game
from ostbahn.table.access import Access
from ostbahn.table.rendering import Renderer
from ostbahn.table.room import Room
from ostbahn.table.table_view import table_view
from ostbahn.views.outlook import outlook_view
from tests.golden.games import golden_game

RICH = ("18CZ-base-6", 372)
"""A Stock Round before which trains were scrapped: two companies are sold out, eight have to buy a train."""
LOOKING_ON = Access(key="k", hash="h", game="room", role="spectator", seats=())


def panels(game: Game, theme: str = "light") -> dict[str, str]:
    room = Room("room", "A game", game.setup, {}, 0, ask_all=True)
    room.begin(game)
    view = table_view(room, LOOKING_ON)
    return {name: panel.html for name, panel in Renderer().panels(view, room.game, theme).items()}


def words(html: str) -> str:
    """What is read on a piece of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "number"), [RICH, ("18Mag-base-6", 1045)])
def test_the_chart_has_a_ghost_where_each_marker_will_lie(name: str, number: int, theme: str) -> None:
    game = golden_game(name).position(number)
    chart = panels(game, theme)["chart"]
    ended = outlook_view(game).ended
    assert ended is not None
    assert ended.markers
    spaces = dict(re.findall(r'<g id="price-(\d+)" class="price">(.*?)(?=<g id="price-|</svg>)', chart))
    told = {marker.company.replace("&", "&amp;"): str(marker.after) for marker in ended.markers}
    found = {company: price for price, space in spaces.items() for company in re.findall(r'id="ghost-([^"]+)"', space)}
    assert found == told
    assert all(f'id="marker-{company}"' in chart for company in told), "the markers themselves lie where they lie"


def test_beside_it_stands_what_would_follow() -> None:
    """By hand: Emil has 180 K and gets 25 K by Local Railways; VBW, whose treasury is empty, needs a 4 for 250 K."""
    game, number = RICH
    told = words(panels(golden_game(game).position(number))["outlook"])
    assert "If the round ended now Prices VBW 85 → 90 OFE 75 → 80" in told
    assert "New order Ben +30 Cyril +170 Emil +61 Anna +96 Dora +68 Fanny +25" in told
    assert "VBW 4 for 250: Emil 205 + loan 45" in told
    assert "after 3 more trains : phase g" in told


def test_in_an_operating_round_it_stands_over_the_trains() -> None:
    shown = panels(golden_game("18CZ-base-5").position(413))
    assert re.search(r'<section [^>]*id="panel-outlook"[^>]* hidden>', shown["outlook"])
    assert "ghost-" not in shown["chart"]
    told = words(shown["trains"])
    assert "after 2 more trains : phase f, limit: medium 2 trains · 4+4 scraps 2+2: NWB −2+2" in told
    assert "Set ends the next card (4/3+3/3E) goes abroad" in told
    assert "EKJ 4 for 250: Cyril 174 + loan 46" in told


def test_who_holds_a_round_up_is_told() -> None:
    game = golden_game("18Mag-base-5")
    moment = next(game.position(n) for n in range(len(game)) if outlook_view(game.position(n)).held_up)
    told = words(panels(moment)["outlook"])
    assert "It cannot: Anna has 12 certificates and must sell down to 11 first, VII.3/1" in told
