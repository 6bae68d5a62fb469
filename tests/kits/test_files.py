"""TOML files of strangers: refused by their size and shape before a reader takes time for them."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import BadData
from ostbahn.kits.data import MAX_DEPTH, read_toml

MAX_LINE_LENGTH = 2000

HIDDEN = 'about = """text"""" # \\\n'
"""A text that ends with four quotes, and a comment that ends with a backslash: the next line is a line of its own."""
DEEP = ".".join("abcdefghijk") + " = 1"


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 20_000) + " = 1",
        HIDDEN + ".".join(["a"] * 20_000) + " = 1",
        "[" + ".".join(["a"] * 20_000) + "]",
        "\n\n" + "a" * (MAX_LINE_LENGTH + 1) + " = 1",
        "a = " + "[" * 20_000,
        f"a = '{'x' * 40_000}'",
    ],
)
def test_long_lines_are_refused_by_their_number(text: str) -> None:
    line = next(number for number, line in enumerate(text.splitlines(), start=1) if len(line) > MAX_LINE_LENGTH)
    with pytest.raises(BadData, match=f"the board, line {line} has [0-9]+ characters, and at most {MAX_LINE_LENGTH}"):
        read_toml("the board", text)


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        HIDDEN + DEEP,
        "about = '''text'''''\n" + DEEP,
        'about = """\\\n"""\n' + DEEP,
        'about = "\\"" # "\n' + DEEP,
        f"[{DEEP.removesuffix(' = 1')}]",
        "a = [\n" * (MAX_DEPTH + 1),
        "a = " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    ],
)
def test_what_is_nested_too_deeply_is_refused_wherever_it_stands(text: str) -> None:
    with pytest.raises(BadData, match="nested too deeply"):
        read_toml("the board", text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('a = """x"""" # \\\nb.c = 1', {"a": 'x"', "b": {"c": 1}}),
        ("a = '''x'''''\nb = 1", {"a": "x''", "b": 1}),
        (
            'a = """one \\\n  two. three. four. five. six. seven. eight"""',
            {"a": "one two. three. four. five. six. seven. eight"},
        ),
        (
            "\n".join(f"a.b.c.d.k{number} = 1" for number in range(3)),
            {"a": {"b": {"c": {"d": {"k0": 1, "k1": 1, "k2": 1}}}}},
        ),
    ],
)
def test_texts_and_dotted_keys_are_read_as_they_stand(text: str, read: object) -> None:
    assert read_toml("the board", text) == read
