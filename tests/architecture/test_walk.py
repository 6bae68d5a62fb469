"""The walk through the code on page one of docs/architecture.md: its files exist, and there are few of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ostbahn"
MOST_FILES = 25
MOST_LINES = 12


def steps() -> list[str]:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## From a click to the other player's page")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. .*", section, flags=re.MULTILINE)


def files() -> set[Path]:
    """Every file that is named; one without a folder lies beside the one named before it."""
    named: set[Path] = set()
    folder = SOURCE
    for name in re.findall(r"`([\w/]+\.(?:py|js))`", "\n".join(steps())):
        path = SOURCE / name if "/" in name else folder / name
        if "/" not in name and not path.is_file():  # named again, further up
            path = next(known for known in named if known.name == name)
        folder = path.parent
        named.add(path)
    return named


def test_it_has_twelve_steps() -> None:
    assert len(steps()) == MOST_LINES


def test_its_files_exist_and_are_few() -> None:
    assert [path for path in files() if not path.is_file()] == []
    assert 15 < len(files()) <= MOST_FILES
