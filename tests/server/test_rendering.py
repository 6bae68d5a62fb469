"""Pages cost little: what has not changed is neither drawn nor rendered again, and looks as if it had been."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ostbahn.kits.catalogue import new_game
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import frame_of, hex_group
from ostbahn.pictures.themes import LIGHT
from ostbahn.server.games.service import GameService
from ostbahn.server.web.services import SITE, Services, create_services
from ostbahn.table.access import Access
from ostbahn.table.drawing import changed_hexes, preview_svg
from ostbahn.table.panels import PANELS
from ostbahn.table.rendering import Page, Renderer
from tests.server.sample_games import VARIANTS, moments, random_game
from tests.server.tables import keys, now, step, wanted


@pytest.mark.parametrize(("title", "variant"), VARIANTS)
def test_the_hexes_that_are_sent_are_those_that_look_different(title: str, variant: str) -> None:
    played = list(moments(random_game(title, variant)))
    for before, after in (*pairwise(played), *pairwise(reversed(played)), (played[0], played[-1])):
        old, new = scene_of(before), scene_of(after)
        frame = frame_of(new.title.map)
        drawn = {hex_.id: hex_group(new, frame, hex_, LIGHT) for hex_ in new.title.map}
        was = {hex_.id: hex_group(old, frame, hex_, LIGHT) for hex_ in new.title.map}
        assert changed_hexes(before, after, LIGHT) == dict(drawn.items() - was.items())


@pytest.fixture
def inside_here(url: str) -> Services:
    return create_services(url, now)


def rendered(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The panels that are rendered from now on."""
    found: list[str] = []
    panel = renderer._panels._render

    def noted(name: str, values: Any) -> Any:
        found.append(name)
        return panel(name, values)

    monkeypatch.setattr(renderer._panels, "_render", noted)
    return found


def test_what_all_see_alike_is_rendered_once(inside_here: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    game_service = inside_here.game_service
    host = game_service.create_game(wanted())
    spectator = keys(game_service, host)["spectator"]
    again = rendered(inside_here.renderer, monkeypatch)
    inside_here.update(host, Page(), "light")
    assert sorted(again) == sorted((*PANELS, *SITE.panels))
    again.clear()
    step(game_service, host)
    inside_here.update(host, Page(), "light")
    assert not {"trains", "chat"} & set(again), "an answer in the pre-stock round changes none of these"
    again.clear()
    inside_here.update(spectator, Page(), "light")
    assert not {"trains", "chat", "order", "sheet"} & set(again)


@pytest.mark.slow
@pytest.mark.parametrize(("title", "variant"), VARIANTS)
def test_panels_that_were_kept_look_like_new_ones(inside_here: Services, title: str, variant: str) -> None:
    game_service = inside_here.game_service
    host = game_service.import_game(random_game(title, variant))
    for at in range(0, answer_count(game_service, host), 503):
        view, game = inside_here.seen(host, at)
        assert inside_here.renderer.panels(view, game, "light") == Renderer(SITE).panels(view, game, "light")


def answer_count(game_service: GameService, host: Access) -> int:
    with game_service.holding(host.game) as room:
        return room.number


def test_a_tile_is_previewed_whatever_is_asked() -> None:
    """In a Stock Round, too, where no answer has a hex."""
    game = new_game("18CZ", ("A", "B", "C"))
    assert game.question is not None
    assert not any(hasattr(option.action, "hex") for option in game.question)
    assert 'data-tile="57"' in preview_svg(game, "E15", "57", "0", LIGHT)
