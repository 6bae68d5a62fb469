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
    """Every file that is named; one without a folder was named before, or lies beside the one before it."""
    named: list[Path] = []
    for name in re.findall(r"`([\w/]+\.(?:py|js))`", "\n".join(steps())):
        known = [path for path in named if path.name == name]
        beside = (named[-1].parent if named else SOURCE) / name
        named.append(SOURCE / name if "/" in name else known[-1] if known and not beside.is_file() else beside)
    return set(named)


def test_it_has_twelve_steps() -> None:
    assert len(steps()) == MOST_LINES


def test_its_files_exist_and_are_few() -> None:
    assert [path for path in files() if not path.is_file()] == []
    assert 15 < len(files()) <= MOST_FILES


def test_its_functions_are_in_these_files() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in files())
    named = re.findall(r"`(?:Room\.)?([a-z_]{3,})`", "\n".join(steps()))
    assert {"answer", "record_with_follow_ups", "record_entries", "refusal"} <= set(named)
    assert [name for name in named if not re.search(rf"def {name}\b", text)] == []
