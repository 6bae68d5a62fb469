"""Export of pictures: SVG, PNG by resvg, PDF by typst. A bundled font makes the output the same everywhere; the
libraries are large and loaded on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ostbahn.extras import require_extra
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.storage import StrPath, atomic_write

if TYPE_CHECKING:
    from typst import Fonts

FONT: Final = "Source Sans Pro"
PAPERS: Final[Mapping[str, tuple[float, float]]] = {"a4": (210, 297), "a3": (297, 420)}
"""Paper sizes in millimetres, upright; `fit` takes the size of the picture."""
FIT: Final = "fit"
MARGIN: Final = 8
"""Printer margin in millimetres."""
POINTS: Final = 0.75
"""Points per SVG pixel (72 to 96 per inch)."""
MAX_PIXELS: Final = 100_000_000
SUFFIXES: Final = (".svg", ".png", ".pdf")
SCALE: Final = 2.0
"""PNG pixels per SVG pixel."""


class Size(NamedTuple):
    width: float
    height: float


def size_of(svg: str) -> Size:
    """Width and height of a picture, as `pictures.svg.document` writes them."""
    match = re.match(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"', svg)
    if match is None:
        raise BadFile("this is not a picture of Ostbahn: its first element is no <svg> with width and height")
    return Size(float(match[1]), float(match[2]))


def picture_title(svg: str) -> str:
    """The first title in a picture."""
    match = re.search(r"<title>(.*?)</title>", svg, re.DOTALL)
    return unescape(match[1]) if match else "Picture"


@cache
def font_folder() -> Path:
    with require_extra("pictures", "letters of pictures need"):
        return Path(str(files("font_source_sans_pro") / "files"))


def to_png(svg: str, scale: float = SCALE) -> bytes:
    size = size_of(svg)
    width, height = size.width * scale, size.height * scale
    if not (width >= 1 and height >= 1):  # so that what is not a number is refused too
        raise BadSetup(f"at scale {scale:g} nothing would be left of the picture")
    if width * height > MAX_PIXELS:
        raise BadSetup(f"at scale {scale:g} the picture would have {width:,.0f} by {height:,.0f} pixels: too many")
    with require_extra("pictures", "PNG needs"):
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
    """Pictures as a PDF, one per page; the output is deterministic."""
    pictures = [svgs] if isinstance(svgs, str) else list(svgs)
    if not pictures:
        raise BadSetup("a PDF needs at least one picture")
    pages = [_page(str(index), size_of(svg), paper) for index, svg in enumerate(pictures)]
    # Pictures and names go in as inputs and not into the source, so that nothing in them is taken for typst's language.
    inputs = {f"picture-{index}": svg for index, svg in enumerate(pictures)}
    inputs |= {f"name-{index}": picture_title(svg) for index, svg in enumerate(pictures)}
    return typeset("\n".join([*HEAD, *pages]).encode(), inputs, "this is no picture that could become PDF")


def typeset(source: bytes, inputs: dict[str, str], failed: str, extra: str = "pictures") -> bytes:
    """Compile a typst document to PDF; `failed` begins the error message."""
    with require_extra(extra, "PDF needs"):
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
    """Width, height and margin of a page, in the orientation of the picture."""
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
    """The validated suffix of a picture's file name."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"{path}: the name of a picture ends in {', '.join(SUFFIXES)}")
    return suffix


def write(path: StrPath, svgs: str | Sequence[str], *, paper: str = FIT, scale: float = SCALE) -> None:
    """Write pictures atomically in the format of the suffix."""
    pictures = [svgs] if isinstance(svgs, str) else list(svgs)
    suffix = file_suffix(path)
    if len(pictures) > 1 and suffix != ".pdf":
        raise BadFile(f"{path}: only a PDF has room for {len(pictures)} pictures")
    if suffix == ".pdf":
        data = to_pdf(pictures, paper)
    else:
        data = to_png(pictures[0], scale) if suffix == ".png" else pictures[0].encode()
    with atomic_write(path) as file:
        file.write(data)
