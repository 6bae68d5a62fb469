"""Files that docs, docstrings and comments mention exist: whoever follows a mention finds something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "bench", "lab", "docs", "deploy")
MENTION = re.compile(r"`([\w./-]+\.(?:py|js|html|toml|css))`")
KINDS = (".py", ".js", ".html", ".css", ".toml", ".md")
FREE = {"my_bot.py", "kit.py", "setup.py"}
"""Names of files that a reader is told to write."""


def known_paths() -> list[str]:
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file())
    return [f"/{path.relative_to(ROOT).as_posix()}" for path in (*files, *ROOT.glob("*.*"))]


KNOWN = known_paths()


def exists(mention: str) -> bool:
    return mention in FREE or any(path.endswith(f"/{mention}") for path in KNOWN)


def readers() -> list[Path]:
    files = [path for path in (ROOT / "src").rglob("*") if path.suffix in KINDS]
    return [*files, *(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def test_every_file_that_is_mentioned_exists() -> None:
    mentions = {path: MENTION.findall(path.read_text(encoding="utf-8")) for path in readers()}
    assert sum(map(len, mentions.values())) > 100
    missing = {path.name: lost for path, names in mentions.items() if (lost := [n for n in names if not exists(n)])}
    assert missing == {}


@pytest.mark.parametrize("name", ["table/no_such.py", "no_such.js"])
def test_a_file_that_is_missing_would_be_found(name: str) -> None:
    assert not exists(name)
