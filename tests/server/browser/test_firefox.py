"""A short tour in Firefox: the page is no matter of one browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from tests.server.browser.firefox import Firefox, FirefoxError, started
from tests.server.browser.running import Running, moment

SIZES = ((1440, 900), (390, 844))


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    try:
        window = started()
        found = window.__enter__()
    except FirefoxError as fault:
        pytest.skip(f"{fault}, so nothing was tried in Firefox")
    yield found
    window.__exit__(None, None, None)


def earns(game: Game, question: Question) -> bool:
    """Whether a train has somewhere to go."""
    return any(len(run.path) > 1 for run in getattr(question.options[0].action, "runs", ()))


def version(firefox: Firefox) -> int:
    return int(firefox.evaluate("document.getElementById('table').dataset.version"))


def answered(firefox: Firefox, before: int) -> None:
    firefox.wait_for(f"Number(document.getElementById('table').dataset.version) > {before}")
    assert firefox.evaluate("document.getElementById('trouble').hidden")


def at_the_table(firefox: Firefox, address: str) -> None:
    firefox.go(address)
    firefox.wait_for("document.querySelector('#board.board-view') !== null")


def test_a_share_is_bought_on_its_card_and_taken_back(running: Running, firefox: Firefox) -> None:
    firefox.resize(*SIZES[0])
    at_the_table(firefox, running.table(moment("18CZ", "stock_round", lambda game, _: len(game) > 150)))
    before = version(firefox)
    firefox.click(".offer.buy")
    answered(firefox, before)
    firefox.click(".toast button")
    answered(firefox, before + 1)
    assert firefox.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_views_are_changed_by_keys(running: Running, firefox: Firefox) -> None:
    firefox.resize(*SIZES[0])
    at_the_table(firefox, running.table(moment("18Mag", "stock_round", lambda game, _: len(game) > 100)))
    for key, panel in (("s", "#panel-sheet"), ("m", "#board"), ("k", "#panel-chart")):
        firefox.press(key)
        firefox.wait_for(f"document.querySelector('{panel}').checkVisibility()")
    firefox.press("t")


@pytest.mark.parametrize("size", SIZES)
def test_a_tile_is_laid_at_its_hex(running: Running, firefox: Firefox, size: tuple[int, int]) -> None:
    firefox.resize(*size)
    at_the_table(firefox, running.table(moment("18CZ", "lay_track", lambda game, _: len(game) > 150)))
    before = version(firefox)
    firefox.click("#answers .chip")
    firefox.wait_for("document.getElementById('palette').open && document.querySelector('.ghost') !== null")
    firefox.click(".palette-confirm")
    answered(firefox, before)


def test_trains_are_run(running: Running, firefox: Firefox) -> None:
    firefox.resize(*SIZES[0])
    at_the_table(firefox, running.table(moment("18CZ", "operate_trains", earns)))
    before = version(firefox)
    firefox.click("#route-editor .run")
    answered(firefox, before)
