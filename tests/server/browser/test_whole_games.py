"""Games from the home page to their end, by clicks."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from ostbahn.interop import saves
from ostbahn.kits.catalogue import CATALOGUE
from tests.server.browser.kinds import GOLDEN
from tests.server.browser.player import Player, begin, round_name
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits


@pytest.mark.soak
def test_four_at_one_screen_play_the_first_two_rounds_of_18cz(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    begin(page, "18CZ/base", ["here"] * 4)
    player = Player(page, seed=4, idle=0.3)
    rounds = [round_name(page)]
    while not rounds[-1].startswith("Operating"):
        assert player.step()
        if round_name(page) != rounds[-1]:
            rounds.append(round_name(page))
    assert [name.split(" ")[0] for name in rounds] == ["Pre-stock", "Stock", "Operating"]
    acted = {name for name in page.locator("#panel-log .line[data-number] strong").all_inner_texts() if name}
    assert acted == set(page.locator("#panel-players .who strong").all_text_contents())
    assert len(acted) == 4


class Way(NamedTuple):
    """A way to play, with one person and as many bots as it needs; the longest ones from their last part on."""

    game: str
    seed: int
    bots: int
    beside: int = 0
    """Who stands among the players without a seat: István and Vaclav do."""
    ranked: bool = False
    """Whether they have a place in the result: István does, and Vaclav in Bohemia does not."""
    golden: str = ""
    """The game whose last answers are given by clicks, for all seats; none if a whole game is played."""
    last: int = 60
    """How many answers of it are left to be given; many need not be asked."""


WAYS = (
    Way("18CZ/base", 7, 2, golden="18CZ-base-3"),
    Way("18CZ/bohemia", 7, 1, 1),
    Way("18CZ/moravia", 7, 2),
    Way("18Mag/base", 6, 2, golden="18Mag-base-3"),
    Way("18Mag/base", 6, 3, golden="18Mag-base-4-standard_divs-new_minors_challenge-new_major-supporters", last=90),
    Way("18Mag/two_player", 6, 1, golden="18Mag-two_player-2"),
    Way("18Mag/solo", 6, 0, 1, ranked=True),
)


def test_every_way_to_play_is_played() -> None:
    assert {way.game for way in WAYS} == {f"{entry.title}/{entry.variant}" for entry in CATALOGUE}


USUAL = (WAYS[0], WAYS[4])
"""The ways of every run: one of each title, that of 18Mag with all modules. The others, whose questions are seen one by
one elsewhere, are played in a soak."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "way",
    [way if way in USUAL else pytest.param(way, marks=pytest.mark.soak) for way in WAYS],
    ids=lambda way: way.game,
)
def test_a_person_plays_to_the_end_by_clicks(running: Running, visits: Visits, tmp_path: Path, way: Way) -> None:
    page = visits.person(running.address)
    if way.golden:
        game = saves.read(GOLDEN / f"{way.golden}.json")
        address = running.table(game.position(len(game) - way.last))
        page.goto(address)
    else:
        address = begin(page, way.game, ["here", *["R"] * way.bots], way.seed)
    expect(page.locator("#panel-players .player")).to_have_count(1 + way.bots + way.beside)
    asked = Player(page, way.seed, idle=0.4).play()
    assert asked > 20
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    result = page.locator("#panel-result")
    expect(result.get_by_role("row")).to_have_count(1 + 1 + way.bots + way.beside * way.ranked)
    expect(result.locator("tr.winner")).not_to_have_count(0)
    expect(result.get_by_role("region", name="Worth over time").locator("svg")).to_be_visible()
    with page.expect_download() as download:
        page.locator("#panel-question").get_by_role("link", name="Download the save").click()
    download.value.save_as(tmp_path / "save.json")
    game = saves.read(tmp_path / "save.json")
    assert game.over
    assert game.state.digest == running.digest(address)
