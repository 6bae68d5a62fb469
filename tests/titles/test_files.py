"""Files that people write for a title are held to limits before they are read: whatever they are, it takes no time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest

from ostbahn.kernel.errors import BadData
from ostbahn.kits.data import MAX_CACHED_TITLES, MAX_DEPTH, MAX_LENGTH, PARTS
from ostbahn.pictures.board_style import marks_of
from ostbahn.pictures.upgrades import bare_hexes_of, promotions_of
from ostbahn.titles.cz.moravia import moravia_title
from ostbahn.titles.cz.moravia_board import our_board, read_board
from ostbahn.titles.cz.title import base_data
from ostbahn.titles.mag.deck import bundled_deck, read_deck
from ostbahn.titles.mag.opponents.track import distances
from ostbahn.titles.mag.solo import solo_title

Read = Callable[[str], object]

READERS: dict[str, tuple[Read, str]] = {
    "the Moravia board": (lambda text: read_board(text, base_data()), our_board()),
    "the deck": (lambda text: read_deck(text, solo_title()), bundled_deck()),
}
of_each_reader = pytest.mark.parametrize("what", READERS)


def fault_in(what: str, text: str) -> str:
    with pytest.raises(BadData) as caught:
        READERS[what][0](text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@of_each_reader
def test_a_file_has_a_length(what: str) -> None:
    read, ours = READERS[what]
    comments = "\n".join(["#" * 99] * (MAX_LENGTH // 100))
    read((ours + comments)[:MAX_LENGTH])
    assert fault_in(what, (ours + comments)[: MAX_LENGTH + 1]).startswith(f"{what} has {MAX_LENGTH + 1} characters")


DEEP = {
    "a dotted key": "a." * 900 + "a = 1",
    "a dotted key with blanks": "a . " * 400 + "a = 1",
    "a dotted key in quotes": '"a".' * 400 + "a = 1",
    "a table": "[" + "a." * 900 + "a]",
    "lists": "a = " + "[" * 1900,
    "inline tables": "a = " + "{ a = " * 300,
    "one level too many": "a = " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
}


@of_each_reader
@pytest.mark.parametrize("case", DEEP)
def test_tables_within_tables_have_a_depth(what: str, case: str) -> None:
    text = f"# a. comment. with. many. dots. and [[[[[[[[ brackets\n\n{DEEP[case]}"
    assert fault_in(what, text).startswith(f"{what}, line 3: this is nested too deeply")


@of_each_reader
@pytest.mark.parametrize(
    "text",
    ["'{}'", '"{}"', "'''{}'''", '"""{}"""', '"\\"{}"', '"""\\"{}"""', "'' # {}"],
    ids=["literal", "basic", "literal lines", "lines", "escaped", "escaped lines", "comment"],
)
def test_brackets_and_dots_in_a_text_make_no_depth(what: str, text: str) -> None:
    """Such a file is refused for the name that it gives to this, and for nothing else."""
    message = fault_in(what, f"unheard_of = {text.format('[{.' * 100)}\n{READERS[what][1]}")
    assert "unheard_of" in message


@pytest.mark.parametrize("text", ['"""\n\\' * 5_000, "'''\n" * 5_001, '"\\' * 5_000])
def test_a_text_that_never_ends_is_looked_at_once(text: str) -> None:
    """What was begun and failed would be tried again at each of thousands of quotation marks."""
    assert sum(len(part[0]) for part in PARTS.finditer(text)) >= len(text) - 2


@of_each_reader
@pytest.mark.parametrize("number", ["9" * 1_900, "0x" + "f" * 1_900, "1000000000", "-1000000000"])
def test_numbers_have_a_length(what: str, number: str) -> None:
    assert fault_in(what, f"a = [{{ b = {number} }}]") == f"{what} has a number of more than 9 digits"


@pytest.mark.slow
def test_boards_of_strangers_do_not_stay_in_memory_for_ever() -> None:
    def opened(number: int) -> ref[object]:
        title = moravia_title(2, f"{our_board()}# {number}")
        assert marks_of(title)
        return ref(title)

    first = opened(0)
    for number in range(MAX_CACHED_TITLES):
        opened(number + 1)
    gc.collect()
    assert first() is None


@pytest.mark.parametrize("work", [solo_title, bare_hexes_of, promotions_of, distances])
def test_what_else_is_remembered_of_a_title_has_an_end(work: Any) -> None:
    assert work.cache_parameters()["maxsize"] == MAX_CACHED_TITLES
