"""Pictures of every kind of question at four sizes in three themes, and a contact sheet of them: `dev.py shots`."""

from __future__ import annotations

import argparse
import html
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from ostbahn.pictures.themes import THEMES
from tests.server.browser.conftest import ARGUMENTS
from tests.server.browser.kinds import Kind, every_kind
from tests.server.browser.running import Running, finished

SIZES = ((1440, 900), (1920, 1080), (820, 1180), (390, 844))
NARROW = 1000
"""Smaller windows than this are touched, not clicked."""
SETTLES = 150
"""Milliseconds until pictures that a page fetches are there."""
OVER = "over"


class BoardScene(NamedTuple):
    """A picture of the README."""

    file: str
    kind: Kind
    width: int
    height: int
    theme: str
    open: str = ""
    """What is clicked before the picture is taken."""


README = (
    BoardScene("stock_round", Kind("18CZ", "base", "stock_round"), 1440, 900, "light"),
    BoardScene("track", Kind("18Mag", "base", "lay_track"), 1440, 900, "light", "#answers .chip"),
    BoardScene("run", Kind("18CZ", "bohemia", "operate_trains"), 1440, 900, "dark"),
    BoardScene("phone", Kind("18CZ", "base", "lay_track"), 390, 844, "light", "#answers .chip"),
)


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--into", type=Path, default=Path("shots"), help="the folder for the pictures")
    asked.add_argument("--only", default="", help="kinds whose name has this in it, such as 18CZ-base-lay")
    asked.add_argument("--size", action="append", help="1440x900; may be given several times")
    asked.add_argument("--readme", action="store_true", help="take only the pictures of the README")
    asked.add_argument("--theme", action="append", choices=list(THEMES))
    given = asked.parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in given.size] if given.size else list(SIZES)
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        print("dev.py shots: it needs Chromium (on Debian: apt-get install chromium)", file=sys.stderr)
        return 2
    given.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        running = Running(Path(folder) / "data")
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        if given.readme:
            _for_readme(browser, running, given.into)
        else:
            places = _tables(running, given.only)
            for theme in given.theme or THEMES:
                for width, height in sizes:
                    _shoot(browser, running, places, given.into, theme, width, height)
            _contact_sheet(browser, given.into, places)
            print(f"{given.into / 'index.html'} shows all of them.")
        browser.close()
        running.stop()
    print(f"The pictures are in {given.into}.")
    return 0


def _for_readme(browser: Browser, running: Running, into: Path) -> None:
    for scene in README:
        context = _context(browser, running, scene.theme, scene.width, scene.height)
        page = context.new_page()
        _visit(page, running.table(every_kind()[scene.kind]))
        if scene.open:
            page.wait_for_function("document.querySelector('#answers .gain')?.textContent")
            page.locator(scene.open).first.click()
            page.locator(".ghost-lay").wait_for()
        page.wait_for_timeout(SETTLES)
        page.screenshot(path=into / f"{scene.file}.png")
        context.close()


def _tables(running: Running, only: str) -> dict[str, str]:
    """A table for every kind of question, by its name."""
    games = {kind.name: game for kind, game in sorted(every_kind().items())}
    games |= {Kind(title, "base", OVER).name: finished(title) for title in ("18CZ", "18Mag")}
    return {name: running.table(game) for name, game in games.items() if only in name}


def _shoot(
    browser: Browser, running: Running, places: dict[str, str], into: Path, theme: str, width: int, height: int
) -> None:
    context = _context(browser, running, theme, width, height)
    page = context.new_page()
    for name, address in places.items():
        _visit(page, address)
        page.screenshot(path=into / _file(name, theme, width))
    context.close()


def _visit(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_function("document.querySelector('#board.board-view') !== null")
    page.wait_for_timeout(SETTLES)


def _context(browser: Browser, running: Running, theme: str, width: int, height: int) -> BrowserContext:
    touched: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width < NARROW else {}
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **touched)
    for name in ("theme", "theme-choice"):
        context.add_cookies([{"name": name, "value": theme, "url": running.address}])
    return context


def _file(name: str, theme: str, width: int) -> str:
    return f"{name}-{width}-{theme}.png"


def _contact_sheet(browser: Browser, into: Path, places: dict[str, str]) -> None:
    """A page with all pictures in rows, and each size of it as one picture."""
    for width, _ in SIZES:
        for theme in THEMES:
            shown = [name for name in places if (into / _file(name, theme, width)).exists()]
            if shown:
                path = into / f"sheet-{width}-{theme}.html"
                path.write_text("".join(_sheet(shown, theme, width)), encoding="utf-8")
                page = browser.new_page(viewport={"width": 1600, "height": 900})
                page.goto(path.resolve().as_uri())
                page.screenshot(path=path.with_suffix(".png"), full_page=True)
                page.close()
    sheets = sorted(into.glob("sheet-*.html"))
    links = "".join(f'<li><a href="{path.name}">{path.stem}</a></li>' for path in sheets)
    (into / "index.html").write_text(f"<!doctype html><title>Shots</title><ul>{links}</ul>", encoding="utf-8")


def _sheet(names: list[str], theme: str, width: int) -> Iterator[str]:
    wide = 390 if width > NARROW else 190
    yield f"<!doctype html><title>{width} {theme}</title><style>body{{font:12px sans-serif;display:flex;flex-wrap:wrap;"
    yield f"gap:8px}}figure{{margin:0;width:{wide}px}}img{{width:100%;border:1px solid #999}}</style>"
    for name in names:
        file = html.escape(_file(name, theme, width))
        yield f'<figure><a href="{file}"><img src="{file}"></a><figcaption>{html.escape(name)}</figcaption></figure>'


if __name__ == "__main__":
    sys.exit(main())
