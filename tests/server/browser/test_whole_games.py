"""Games from the home page to their end, by clicks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ostbahn.interop import saves
from tests.server.browser.player import Player, begin, round_name
from tests.server.browser.running import Running
from tests.server.browser.visits import Visits


def test_four_at_one_screen_play_the_first_two_rounds_of_18cz(running: Running, visits: Visits) -> None:
    page = visits.person(running.address)
    begin(page, "18CZ/base", ["here"] * 4)
    player = Player(page, seed=4, idle=0.3)
    rounds = [round_name(page)]
    while not rounds[-1].startswith("Operating"):
        assert player.step()
        if round_name(page) != rounds[-1]:
            rounds.append(round_name(page))
    assert [name.split(" ")[0] for name in rounds] == ["Pre-Stock", "Stock", "Operating"]
    acted = {name for name in page.locator("#panel-log .line strong").all_inner_texts() if name}
    assert len(acted) == 4


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("title", "seed"), [("18CZ", 7), ("18Mag", 6)])
def test_a_person_and_two_bots_play_to_the_end(
    running: Running, visits: Visits, tmp_path: Path, title: str, seed: int
) -> None:
    page = visits.person(running.address)
    address = begin(page, f"{title}/base", ["here", "R", "R"], seed)
    asked = Player(page, seed, idle=0.4).play()
    assert asked > 50
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    result = page.locator("#panel-result")
    expect(result.get_by_role("row")).to_have_count(4)
    expect(result.locator("tr.winner")).not_to_have_count(0)
    expect(result.get_by_role("region", name="Worth over time").locator("svg")).to_be_visible()
    with page.expect_download() as download:
        result.get_by_role("link", name="Download the save").click()
    download.value.save_as(tmp_path / "save.json")
    game = saves.read(tmp_path / "save.json")
    assert game.over
    assert game.state.digest == running.digest(address)
