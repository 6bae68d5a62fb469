"""What tests of several packages need, and what a quick run of them leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from tests import lengths
from tests.interop.reference import OLD
from tests.second_chance import SecondChance
from tests.server.postgres import MISSING, binaries

HERE = Path(__file__).parent
BROWSER = HERE / "server" / "browser"
NOT_QUICK = {HERE / folder for folder in ("bots", "cli", "examples", "golden", "lab", "review", "server")}
PROGRAMS = {
    f"test_{name}.py" for name in ("compiled", "deploy", "dev", "documented", "extras", "played_boards", "set_up")
}
"""Folders and files whose tests start programs or play whole games; a quick run has the rest, and a few of a server:"""
QUICK = {"test_house.py", "test_room.py", "test_listeners.py", "test_packages.py", "test_both_databases.py"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick", action="store_true", help="leave out what starts servers and programs, and tests marked `slow`"
    )
    parser.addoption(
        "--second-chance", type=Path, metavar="FILE", help="run failed browser tests again; unsteady ones are put there"
    )


def pytest_configure(config: pytest.Config) -> None:
    lengths.look_at(config)
    told: Path | None = config.getoption("second_chance")
    if told is not None and not hasattr(config, "workerinput"):
        folder = BROWSER.relative_to(config.rootpath).as_posix()
        config.pluginmanager.register(SecondChance(config, folder, told))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Only saves the loading; files that are named one by one are left out below."""
    return True if config.getoption("quick") and collection_path == BROWSER else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if lengths.look_at(config):
        for item in items:
            if item.get_closest_marker("longer_in_soak"):
                item.add_marker("soak")
    if config.getoption("quick"):
        left_out = [item for item in items if item.get_closest_marker("slow") or not _is_quick(item)]
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_quick(item: pytest.Item) -> bool:
    own = item.path.name in QUICK and "postgres" not in item.name
    return own or not (NOT_QUICK.intersection(item.path.parents) or item.path.name in PROGRAMS)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("quick"):
        words = "LEFT OUT by --quick: tests in the browser, tests marked slow"
        terminalreporter.section(words, sep="!", yellow=True, bold=True)
    if binaries() is None:
        terminalreporter.section(f"LEFT OUT: {MISSING}", sep="!", yellow=True, bold=True)


@pytest.fixture(scope="session")
def mag_game() -> Game:
    """A whole game of 18Mag for five, known by heart."""
    return saves.read(OLD / "18Mag-base-5.json")
