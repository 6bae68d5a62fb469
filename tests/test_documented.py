"""Python in docs, tried as newcomers do: with the wheel from an index, and with a strict type checker."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.compiled import build_wheel
from ostbahn import new_game, save
from tests.wheels import Environment

ROOT = Path(__file__).resolve().parents[1]
WRITING = """
from ostbahn import new_game

game = new_game("18CZ", ["Anna", "Ben", "Cyril"])
print(game.state.cash["p1"], game.state.board.tiles.get("E11"), dict(game.setup.rulings))
"""


class Example(NamedTuple):
    """A block of Python in a page; what it needs beside the wheel it says in its first line."""

    page: str
    number: int
    text: str

    @property
    def extra(self) -> str | None:
        found = re.match(r'# pip install "ostbahn\[(\w+)\]"', self.text)
        return found and found[1]

    @property
    def file(self) -> str:
        return f"{self.page}_{self.number}.py"


def examples() -> list[Example]:
    pages = sorted((ROOT / "docs").glob("*.md"))
    blocks = {page: re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S) for page in pages}
    return [Example(page.stem, number, text) for page in pages for number, text in enumerate(blocks[page], start=1)]


EXAMPLES = examples()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"), compiled=False)


@pytest.fixture(scope="module")
def engine(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("engine"), wheel)


@pytest.fixture(scope="module")
def extras(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    names = {example.extra for example in EXAMPLES if example.extra}
    return Environment(tmp_path_factory.mktemp("extras"), wheel, *sorted(names))


def mypy(environment: Environment, folder: Path, *texts: tuple[str, str]) -> list[str]:
    """What a strict type checker says of programs that use what is installed, and who knows none of our settings."""
    for name, text in texts:
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--cache-dir", str(folder / "cache")]
    command += ["--python-executable", str(environment.bin / "python"), *(name for name, _ in texts)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def test_pages_have_examples() -> None:
    assert {example.page for example in EXAMPLES} >= {"library", "analysis", "bots", "pictures"}
    assert next(example.extra for example in EXAMPLES if example.page == "library") is None


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.file)
def test_the_examples_run(example: Example, engine: Environment, extras: Environment, tmp_path: Path) -> None:
    """A game.json lies there, as the first example leaves one."""
    save(tmp_path / "game.json", new_game("18CZ", ["Anna", "Ben", "Cyril"]))
    done = (extras if example.extra else engine).run(tmp_path, "python", "-c", example.text)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_examples_have_the_types_that_they_should(engine: Environment, extras: Environment, tmp_path: Path) -> None:
    plain = [(example.file, example.text) for example in EXAMPLES if not example.extra]
    more = [(example.file, example.text) for example in EXAMPLES if example.extra]
    assert mypy(engine, tmp_path, *plain) == []
    assert mypy(extras, tmp_path, *more) == []


@pytest.mark.parametrize(
    "line",
    [
        'game.state.cash["p1"] = 5',
        'game.state.board.tiles["E11"] = ("57", 0)',
        'del game.state.trains["BCB"]',
        'game.setup.rulings["consent"] = "asked"',
        "game.state.supply.clear()",
        'game.apply("pass")',
    ],
)
def test_writing_into_a_game_is_an_error_of_types(engine: Environment, line: str, tmp_path: Path) -> None:
    assert mypy(engine, tmp_path, ("reads.py", WRITING)) == []
    errors = mypy(engine, tmp_path, ("writes.py", f"{WRITING}{line}\n"))
    assert [error.partition(": error: ")[0] for error in errors] == ["writes.py:6"]
