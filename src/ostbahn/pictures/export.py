"""Pictures as files: SVG as it is, PNG by resvg, PDF with real lines and letters by typst. Letters are drawn with the
font of a wheel, so that a picture looks the same everywhere; the libraries are large and loaded when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ostbahn.extras import needed
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.storage import StrPath, replacing

if TYPE_CHECKING:
    from typst import Fonts

FONT: Final = "Source Sans Pro"
PAPERS: Final[Mapping[str, tuple[float, float]]] = {"a4": (210, 297), "a3": (297, 420)}
"""Paper upright, in millimetres; `fit` is a page as large as its picture."""
FIT: Final = "fit"
MARGIN: Final = 8
"""What most printers leave white, in millimetres."""
POINTS: Final = 0.75
"""A pixel of SVG in points: 72 of these and 96 of those are an inch."""
LARGEST: Final = 100_000_000
"""Pixels of a PNG, of four bytes each, that a machine can be asked for."""
SUFFIXES: Final = (".svg", ".png", ".pdf")
SCALE: Final = 2.0
"""Pixels of a PNG for each one of the SVG: enough for a screen of today."""


class Size(NamedTuple):
    width: float
    height: float


def size_of(svg: str) -> Size:
    """Width and height of a picture, as `pictures.svg.document` writes them."""
    found = re.match(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    if found is None:
        raise BadFile("this is not a picture of Ostbahn: its first element is no <svg> with width and height")
    return Size(float(found[1]), float(found[2]))


def picture_title(svg: str) -> str:
    """What a picture is called: its first title."""
    found = re.search(r"<title>(.*?)</title>", svg, re.DOTALL)
    return unescape(found[1]) if found else "Picture"


@cache
def font_folder() -> Path:
    with needed("pictures", "letters of pictures need"):
        return Path(str(files("font_source_sans_pro") / "files"))


def to_png(svg: str, scale: float = SCALE) -> bytes:
    size = size_of(svg)
    width, height = size.width * scale, size.height * scale
    if not (width >= 1 and height >= 1):  # so that what is not a number is refused too
        raise BadSetup(f"at scale {scale:g} nothing would be left of the picture")
    if width * height > LARGEST:
        raise BadSetup(f"at scale {scale:g} the picture would have {width:,.0f} by {height:,.0f} pixels: too many")
    with needed("pictures", "PNG needs"):
        from resvg_py import svg_to_bytes

    try:
        return svg_to_bytes(
            svg_string=svg,
            zoom=scale,
            skip_system_fonts=True,
            font_files=[str(file) for file in sorted(font_folder().glob("*.ttf"))],
            font_family=FONT,
            sans_serif_family=FONT,
        )
    except ValueError as fault:
        raise BadFile(f"this is no picture that could become PNG: {fault}") from None


def to_pdf(svgs: str | Sequence[str], paper: str = FIT) -> bytes:
    """Pictures as PDF, each on a page of its own, lines and letters as such; equal pictures give equal files."""
    pictures = [svgs] if isinstance(svgs, str) else list(svgs)
    if not pictures:
        raise BadSetup("a PDF needs at least one picture")
    pages = [_page(str(index), size_of(svg), paper) for index, svg in enumerate(pictures)]
    # Pictures and names go in as inputs and not into the source, so that nothing in them is taken for typst's language.
    inputs = {f"picture-{index}": svg for index, svg in enumerate(pictures)}
    inputs |= {f"name-{index}": picture_title(svg) for index, svg in enumerate(pictures)}
    return typeset("\n".join([*HEAD, *pages]).encode(), inputs, "this is no picture that could become PDF")


def typeset(source: bytes, inputs: dict[str, str], failed: str, extra: str = "pictures") -> bytes:
    """A document of typst as PDF; `failed` is what to say if that cannot be."""
    with needed(extra, "PDF needs"):
        from typst import TypstError, compile

    try:
        pdf = compile(source, font_paths=fonts(), sys_inputs=inputs, format="pdf")
    except TypstError as fault:
        raise BadFile(f"{failed}: {fault.message}") from None
    assert isinstance(pdf, bytes)
    return pdf


HEAD: Final = ('#set document(title: sys.inputs.at("name-0"), author: (), date: none)', f'#set text(font: "{FONT}")')


def _page(index: str, size: Size, paper: str) -> str:
    width, height, margin = _sheet(size, paper)
    image = (
        f'image(bytes(sys.inputs.at("picture-{index}")), format: "svg", fit: "contain",'
        f' width: 100%, height: 100%, alt: sys.inputs.at("name-{index}"))'
    )
    return f"#page(width: {width}, height: {height}, margin: {margin}, align(center + horizon, {image}))"


def _sheet(size: Size, paper: str) -> tuple[str, str, str]:
    """Width, height and margin of a page; paper lies as the picture does."""
    if paper == FIT:
        return f"{size.width * POINTS:g}pt", f"{size.height * POINTS:g}pt", "0pt"
    if paper not in PAPERS:
        raise BadSetup(f"there is no paper {paper}; there are {', '.join([*PAPERS, FIT])}")
    short, long = PAPERS[paper]
    width, height = (long, short) if size.width > size.height else (short, long)
    return f"{width}mm", f"{height}mm", f"{MARGIN}mm"


@cache
def fonts() -> Fonts:
    from typst import Fonts

    return Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(font_folder())])


def file_suffix(path: StrPath) -> str:
    """The form of a picture, by the name of its file."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"{path}: the name of a picture ends in {', '.join(SUFFIXES)}")
    return suffix


def write(path: StrPath, svgs: str | Sequence[str], *, paper: str = FIT, scale: float = SCALE) -> None:
    """Write pictures in the form that the name asks for; the file is the old one or the new one, never half of one."""
    pictures = [svgs] if isinstance(svgs, str) else list(svgs)
    suffix = file_suffix(path)
    if len(pictures) > 1 and suffix != ".pdf":
        raise BadFile(f"{path}: only a PDF has room for {len(pictures)} pictures")
    if suffix == ".pdf":
        data = to_pdf(pictures, paper)
    else:
        data = to_png(pictures[0], scale) if suffix == ".png" else pictures[0].encode()
    with replacing(path) as file:
        file.write(data)
