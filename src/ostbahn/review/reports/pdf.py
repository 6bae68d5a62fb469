"""A report as PDF: the same charts and tables on A4, with real lines and letters, set by typst."""

from __future__ import annotations

from importlib import resources

import msgspec

from ostbahn.extras import needed
from ostbahn.kernel.errors import BadFile
from ostbahn.pictures.axes import in_light
from ostbahn.pictures.export import FONT, fonts
from ostbahn.review.parts import Report


def pdf_of(report: Report) -> bytes:
    """Equal reports give equal files."""
    with needed("analysis", "PDF needs"):
        from typst import TypstError, compile

    # Everything goes in as an input and not into the source, so that nothing in it is taken for typst's language.
    data = msgspec.to_builtins(report)
    del data["inks"]
    drawings = [drawing for section in report.sections for each in section.exhibits for drawing in each.drawings]
    inputs = {"report": msgspec.json.encode(data).decode(), "font": FONT}
    for number, drawing in enumerate(drawings):
        inputs[f"drawing-{number}"] = in_light(drawing.svg, report.inks)
    source = resources.files("ostbahn.review.reports").joinpath("templates", "report.typ").read_bytes()
    try:
        done = compile(source, font_paths=fonts(), sys_inputs=inputs, format="pdf")
    except TypstError as fault:
        raise BadFile(f"this report could not become PDF: {fault.message}") from None
    assert isinstance(done, bytes)
    return done
