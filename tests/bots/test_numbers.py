"""Numbers that bots go by stand in their weights files, as docs/bots.md says, and not in code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ostbahn

FILES = sorted(Path(ostbahn.__file__).parent.glob("titles/*/opponents/*.py"))
PLAIN = {0.0, 0.5, 1.0}
"""Nothing, a half and a whole are arithmetic."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]} {file.stem}")
def test_no_rule_of_thumb_has_a_number_of_its_own(file: Path) -> None:
    """Of a module only what stands in its functions and classes: a constant with a name says what it is for."""
    module = ast.parse(file.read_text(encoding="utf-8"))
    inner = [node for node in module.body if not isinstance(node, ast.Assign | ast.AnnAssign)]
    numbers = [
        f"line {node.lineno}: {node.value}"
        for outer in inner
        for node in ast.walk(outer)
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value not in PLAIN
    ]
    assert numbers == []


def test_all_opponents_are_looked_at() -> None:
    assert {file.parts[-3] for file in FILES} >= {"cz", "mag"}
