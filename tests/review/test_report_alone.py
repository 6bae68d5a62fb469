"""The page of a report needs msgspec, Jinja2 and MarkupSafe alone, and nothing that a browser does not have."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ostbahn.interop import files
from ostbahn.review.reports.report import RECORDED, page_of, report_of

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = ["18CZ-base-6", "18CZ-bohemia-2", "18Mag-base-4", "18Mag-solo-1-easy-short"]
CONFINED = """
import sys

ALLOWED = {*sys.stdlib_module_names, "ostbahn", "msgspec", "jinja2", "markupsafe"}
OPTIONAL = {"numpy", "org", "typing_extensions"}  # asked for (the last two by libraries), and done without


class Guard:
    asked = set()

    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package not in ALLOWED:
            self.asked.add(package)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


assert not {"numpy", "polars", "typst"} & sys.modules.keys()
sys.meta_path.insert(0, Guard())

import _thread, json, pathlib, threading, time
import ostbahn
from ostbahn.interop import files

PACKAGE = str(pathlib.Path(ostbahn.__file__).parent)
ROOTS = (PACKAGE, sys.prefix, sys.base_prefix)
FORBIDDEN = ("socket.", "subprocess.", "os.fork", "os.exec", "os.posix_spawn", "os.system")
CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "sleep")
games = {name: files.open_game(name) for name in sys.argv[1:]}
touched = []


def watch(event, arguments):
    if event.startswith(FORBIDDEN):
        touched.append(event)
        raise RuntimeError(event)
    if event == "open" and not str(arguments[0]).startswith(ROOTS):
        touched.append(f"open {arguments[0]}")
        raise RuntimeError(touched[-1])


def refusing(what):
    def refuse(*_, **__):
        touched.append(what)
        raise RuntimeError(what)

    return refuse


for clock in CLOCKS:
    setattr(time, clock, refusing("a clock was read"))
_thread.start_new_thread = threading.Thread.start = refusing("a thread was started")
sys.addaudithook(watch)
from ostbahn.review.reports.report import page_of
from ostbahn.review.reports.report import report_of

pages = {name: page_of(report_of(game)) for name, game in games.items()}
assert Guard.asked <= OPTIONAL, Guard.asked
print(json.dumps({"pages": pages, "touched": touched}))
"""
"""Reading the games is not under test; from then on there are no threads, processes, sockets, clocks or other files."""
WITHOUT_NUMPY = "The forecast is left out: the net that makes it needs NumPy"


@pytest.fixture(scope="module")
def confined() -> dict[str, str]:
    command = [sys.executable, "-c", CONFINED, *(str(GOLDEN / f"{name}.json") for name in GAMES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["touched"] == []
    return {Path(name).stem: page for name, page in answer["pages"].items()}


@pytest.mark.parametrize("name", GAMES)
def test_the_page_is_the_same_but_for_the_forecast(name: str, confined: dict[str, str]) -> None:
    """All that the records tell is there, letter by letter."""
    page = confined[name]
    game = files.open_game(GOLDEN / f"{name}.json")
    here, there = (sections(html) for html in (page_of(report_of(game, sections=RECORDED)), page))
    assert {key: there[key] for key in here} == here
    assert set(there) - set(here) == {"forecast", "findings"}
    assert WITHOUT_NUMPY in there["forecast"]
    assert "<svg" not in there["forecast"]


def sections(page: str) -> dict[str, str]:
    """The sections of a page, by their ids."""
    parts = page.split('<section id="')[1:]
    return {part.partition('"')[0]: part.partition("</section>")[0] for part in parts}


@pytest.mark.parametrize(
    ("attempt", "refused"),
    [
        ("import numpy", "No module named 'numpy'"),
        ("import threading; threading.Thread(target=print).start()", "a thread was started"),
        ("import subprocess; subprocess.run(['true'])", "subprocess.Popen"),
        ("import socket; socket.socket()", "socket.__new__"),
        ("open('/etc/hostname')", "open /etc/hostname"),
        ("time.time()", "a clock was read"),
    ],
)
def test_the_walls_hold(attempt: str, refused: str) -> None:
    """What the test above relies on: each of these would make it fail."""
    script = CONFINED.replace("pages = {", f"{attempt}\npages = {{")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert refused in done.stderr.splitlines()[-1]
