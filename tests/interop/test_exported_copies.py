"""Copies of running games in the form of 18xx.games: they get another seed that leads to the same draws."""

from __future__ import annotations

import json
from random import Random

import pytest

from ostbahn.interop import exporter
from ostbahn.interop.site_adapter import dump, export_game, import_game, state_line
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import SITE, entry_of, new_game, reseeded
from ostbahn.testing import play_random
from tests.interop.site_scenes import as_on_the_site

NAMES = ("Anna", "Ben", "Cyril")
SEED = 1_987_654_321
STRONG = 2**128 + 11


def running(title: str, variant: str, seed: int = SEED, **more: object) -> Game:
    players = NAMES[: entry_of(title, variant).players[0]]
    game = new_game(title, players, variant=variant, seed=seed, preset=SITE, **more)  # type: ignore[arg-type]
    return play_random(game, Random(5), 60, policy=as_on_the_site)


@pytest.mark.parametrize(
    ("title", "variant"), [("18CZ", "base"), ("18CZ", "bohemia"), ("18Mag", "base"), ("18Mag", "two_player")]
)
def test_a_copy_is_exported_with_its_draws_and_without_the_seed_of_the_game(title: str, variant: str) -> None:
    game = running(title, variant)
    real, copy = export_game(game), export_game(reseeded(game, STRONG))
    again = import_game(json.loads(dump(copy))).game
    number = min(len(game), len(again))
    assert state_line(again.position(number)) == state_line(game.position(number))
    secret = {str(SEED), str(real["settings"]["seed"])}
    assert not secret & {str(copy["settings"]["seed"]), copy["id"].removeprefix("hs_ostbahn_")}
    assert copy["actions"] == real["actions"]


def test_copies_go_on_with_any_draw_on_the_site() -> None:
    """Vaclav's next company there does not follow from what he has."""
    game = running("18CZ", "bohemia")
    seeds = [export_game(reseeded(game, STRONG + number))["settings"]["seed"] for number in range(4)]
    assert len(set(seeds)) == 4


def test_a_game_that_notes_its_draws_keeps_its_seed_where_the_site_knows_it() -> None:
    assert export_game(running("18Mag", "base", draws=())) == export_game(running("18Mag", "base"))


def test_where_no_seed_leads_to_the_draws_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of sixteen minors by lot beside all prices: there are a few seeds for that, and nobody finds them."""
    monkeypatch.setattr(exporter, "MAX_SEEDS", 1000)
    game = new_game("18Mag", NAMES, seed=SEED, preset=SITE, modules=["new_minors_simple"])
    with pytest.raises(BadSetup, match=r"no seed of 18xx\.games was found that leads to the draws"):
        export_game(reseeded(game, STRONG))
