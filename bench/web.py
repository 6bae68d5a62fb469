"""The web table late in a game, in a real browser on loopback: its size, the first view, from a click to the new page,
and what that costs the server. `python3 dev.py bench --web` takes the figures in with the others.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from playwright.sync_api import Page, sync_playwright

from bench.gains import served as looking
from bench.serving import served
from bench.updates import figures as cost
from ostbahn.kernel.game import Game
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.web.services import create_services

ANSWERS = 60
"""How many answers are timed in each game."""
WATCH = """
window.times = [];
document.addEventListener("click", (event) => {
  if (event.target.closest("#confirm-yes, .palette button, #answers button")) window.clicked = performance.now();
}, true);
document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("table");
  let version = table.dataset.version;
  new MutationObserver(() => {
    if (table.dataset.version === version) return;
    version = table.dataset.version;
    requestAnimationFrame(() => window.times.push(performance.now() - window.clicked));
  }).observe(table, { attributes: true });
});
"""
"""Notes in the page itself how long it takes from the last click to the next frame with a new version."""


def figures(games: Mapping[str, Game], asked: Mapping[str, Sequence[Game]]) -> dict[str, float]:
    """For each of some late games, by name: kilobytes and milliseconds.

    asked: for each name moments at which companies can build.
    """
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        made = create_services(sqlite_url_in(Path(folder)), lambda: datetime.now(UTC))
        keys, others = (
            {name: made.game_service.import_game(game).key for name, game in games.items()} for _ in range(2)
        )
        building = {
            name: [made.game_service.import_game(game).key for game in moments] for name, moments in asked.items()
        }
        made.database.close()
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        with served(folder) as (address, process):
            for name, key in others.items():
                found |= {f"web_{what}_{name}": value for what, value in cost(address, process, key).items()}
            for name, tables in building.items():
                found |= {f"web_{what}_{name}": value for what, value in looking(address, process, tables).items()}
            for name, key in keys.items():
                page = browser.new_page(viewport={"width": 1360, "height": 900})
                found |= {f"web_{what}_{name}": value for what, value in _figures(page, f"{address}t/{key}").items()}
                page.close()
        browser.close()
    return found


def _figures(page: Page, address: str) -> dict[str, float]:
    page.add_init_script(WATCH)
    start = time.perf_counter()
    answer = page.goto(address)
    page.wait_for_selector("#board .layer-hints", state="attached")  # put there by the page's own code
    first = time.perf_counter() - start
    for _ in range(ANSWERS):
        if page.locator("#panel-question").get_attribute("data-kind") == "":
            break
        _answer(page, Random(int(page.locator("#table").get_attribute("data-version") or 0)))
    times = sorted(page.evaluate("window.times"))
    return {
        "page_kb": len(answer.body()) / 1024 if answer is not None else 0.0,
        "first_view_ms": first * 1000,
        "answer_p50_ms": statistics.median(times),
        "answer_p95_ms": times[int(len(times) * 0.95)],
    }


def _answer(page: Page, chance: Random) -> None:
    """Answer the question somehow, by clicks."""
    version = page.locator("#table").get_attribute("data-version")
    if page.locator("#route-editor .run").count():
        page.locator("#route-editor .run").click()
    else:
        buttons = page.locator("#answers button:visible")
        buttons.nth(chance.randrange(buttons.count())).click()
        if page.locator("dialog#palette[open]").count():
            page.locator("dialog#palette .primary").click()
    settled = """(version) => document.getElementById("table").dataset.version !== version
        || document.getElementById("confirm-yes")?.offsetParent"""
    page.wait_for_function(settled, arg=version)
    if page.locator("#table").get_attribute("data-version") == version:
        page.locator("#confirm-yes").click()
        page.wait_for_function("(version) => document.getElementById('table').dataset.version !== version", arg=version)
    page.wait_for_function("!document.getElementById('table').classList.contains('busy')")
