from __future__ import annotations

import math
import os
import re
import struct
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path
from typing import NoReturn

import pytest

from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kits.catalogue import CATALOGUE, kit_named, new_game
from ostbahn.kits.kit import CatalogueEntry
from ostbahn.pictures import export, gallery
from ostbahn.pictures.svg import document, element, text

WORDS = document(300, 100, [text("Plzeň", 20, 60, font_size=40)], "Plzeň & <others>")
EMPTY = document(300, 100, [element("rect", width=1, height=1)], "Nothing")


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def pages(pdf: bytes) -> list[tuple[float, float]]:
    """The pages of a PDF, by width and height in points."""
    assert pdf.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(float(width), float(height)) for width, height in boxes]


# PNG


@pytest.mark.parametrize(("scale", "size"), [(1, (300, 100)), (2, (600, 200)), (0.5, (150, 50))])
def test_a_png_is_as_large_as_asked(scale: float, size: tuple[int, int]) -> None:
    assert png_size(export.to_png(WORDS, scale)) == size


def test_letters_are_drawn_without_any_font_of_the_machine() -> None:
    assert len(export.to_png(WORDS, 1)) > len(export.to_png(EMPTY, 1)) + 500


@pytest.mark.parametrize(
    ("scale", "complaint"),
    [
        (0, "nothing would be left"),
        (-1, "nothing would be left"),
        (math.nan, "nothing would be left"),
        (1000, "300,000 by 100,000"),
        (math.inf, "too many"),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(scale: float, complaint: str) -> None:
    with pytest.raises(BadSetup, match=complaint):
        export.to_png(WORDS, scale)


# PDF


def test_a_pdf_has_a_page_for_each_picture_as_large_as_it() -> None:
    tall = document(100, 400, [text("x", 0, 50)], "Tall")
    assert pages(export.to_pdf([WORDS, tall])) == [(225, 75), (75, 300)]


@pytest.mark.parametrize(("paper", "size"), [("a4", (841.8898, 595.2756)), ("a3", (1190.5511, 841.8898))])
def test_paper_lies_as_the_picture_does(paper: str, size: tuple[float, float]) -> None:
    tall = document(100, 400, [text("x", 0, 50)], "Tall")
    assert pages(export.to_pdf([WORDS, tall], paper)) == [size, size[::-1]]


def test_a_pdf_has_letters_of_our_font_and_no_pixels() -> None:
    pdf = export.to_pdf(WORDS)
    assert re.search(rb"/BaseFont/\w+\+SourceSansPro", pdf)
    assert b"/Subtype/Image" not in pdf
    assert b"/Alt(Plze" in pdf or b"/Alt<" in pdf or re.search(rb"/Alt\(\xfe\xff", pdf)


def test_equal_pictures_give_equal_files() -> None:
    assert export.to_pdf(WORDS, "a4") == export.to_pdf(WORDS, "a4")
    assert export.to_png(WORDS) == export.to_png(WORDS)


def test_nothing_in_a_picture_is_taken_for_the_language_of_typst() -> None:
    evil = document(100, 100, [text('#panic("a") $ \\ "', 0, 50)], '"#panic("b")] </title> \\')
    assert export.picture_title(evil) == '"#panic("b")] </title> \\'
    assert len(pages(export.to_pdf(evil))) == 1


def test_what_is_wrong_is_told_to_people() -> None:
    with pytest.raises(BadSetup, match="there is no paper a9; there are a4, a3, fit"):
        export.to_pdf(WORDS, "a9")
    with pytest.raises(BadSetup, match="at least one picture"):
        export.to_pdf([])
    broken = WORDS.removesuffix("</svg>")
    with pytest.raises(BadFile, match="this is no picture that could become PDF"):
        export.to_pdf(broken)
    with pytest.raises(BadFile, match="this is no picture that could become PNG"):
        export.to_png(broken)
    with pytest.raises(BadFile, match="this is not a picture of Ostbahn"):
        export.to_png("<html></html>")


# Files


def test_the_name_says_what_is_written(tmp_path: Path) -> None:
    for name in ("a.svg", "a.PNG", "a.pdf"):
        export.write(tmp_path / name, WORDS, scale=1)
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == WORDS
    assert png_size((tmp_path / "a.PNG").read_bytes()) == (300, 100)
    assert len(pages((tmp_path / "a.pdf").read_bytes())) == 1
    export.write(tmp_path / "both.pdf", [WORDS, EMPTY])
    assert len(pages((tmp_path / "both.pdf").read_bytes())) == 2
    with pytest.raises(BadFile, match=r"a\.gif: the name of a picture ends in \.svg, \.png, \.pdf"):
        export.write(tmp_path / "a.gif", WORDS)
    with pytest.raises(BadFile, match=r"only a PDF has room for 2 pictures"):
        export.write(tmp_path / "a.svg", [WORDS, EMPTY])


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.pdf"])
def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    file = tmp_path / name
    file.write_text("old")

    def failing(*_: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(BadFile, match="cannot be written: No space left on device"):
        export.write(file, WORDS)
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_large_libraries_are_loaded_when_they_are_needed() -> None:
    program = (
        "import sys, ostbahn.cli.main, ostbahn.cli.picture, ostbahn.pictures.show\n"
        "assert not {'typst', 'resvg_py', 'font_source_sans_pro'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# The font


@cache
def letters_of_the_font(name: str) -> frozenset[int]:
    """All characters that a font file has a sign for, from its table `cmap` (format 4)."""
    data = (export.font_folder() / name).read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    records = [struct.unpack_from(">4sIII", data, 12 + 16 * index) for index in range(tables)]
    start = next(offset for tag, _, offset, _ in records if tag == b"cmap")
    (count,) = struct.unpack_from(">H", data, start + 2)
    offsets = [start + struct.unpack_from(">HHI", data, start + 4 + 8 * index)[2] for index in range(count)]
    table = next(offset for offset in offsets if struct.unpack_from(">H", data, offset)[0] == 4)
    segments = struct.unpack_from(">H", data, table + 6)[0] // 2
    ends = struct.unpack_from(f">{segments}H", data, table + 14)
    starts = struct.unpack_from(f">{segments}H", data, table + 16 + 2 * segments)
    return frozenset(code for low, high in zip(starts, ends, strict=True) for code in range(low, high + 1))


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        pytest.param(entry, name, id=f"{entry.title}-{entry.variant}-{name}")
        for entry in CATALOGUE
        for name, subject in {**gallery.PICTURE_KINDS, **kit_named(entry.title).board_style.picture_kinds}.items()
        if not subject.needs_detail
    ],
)
def test_the_font_has_every_letter_that_is_drawn(entry: CatalogueEntry, what: str) -> None:
    game = new_game(entry.title, ["Anna", "Žofie", "Őrs"][: entry.players[0]], variant=entry.variant)
    svg = gallery.draw(game, what)
    drawn = {letter for words in re.findall(r"<text[^>]*>([^<]*)<", svg) for letter in unescape(words)}
    for weight in ("Regular", "Bold"):
        known = letters_of_the_font(f"SourceSansPro-{weight}.ttf")
        assert {letter for letter in drawn if ord(letter) not in known} == set()
