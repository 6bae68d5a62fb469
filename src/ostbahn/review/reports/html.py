"""A report as a page: one file with everything in it, in light, dark and for paper, without a script."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from ostbahn.extras import needed
from ostbahn.review.parts import Report

with needed("analysis", "a report needs"):
    from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

Inks = Mapping[str, tuple[str, str]]


def page_of(report: Report) -> str:
    """The whole page."""
    style = Markup(style_of(report.inks))
    return _templates().get_template("page.html").render(report=report, style=style, body=Markup(body_of(report)))


def body_of(report: Report) -> str:
    """What is on the page, for whoever has a frame of their own to put it in."""
    return _templates().get_template("body.html").render(report=report)


def style_of(inks: Inks) -> str:
    """How it looks: in light or dark, as the reader has chosen or as their system has it; on paper in light."""
    light, dark = (
        "".join(f"--{name}:{pair[shade]};" for name, pair in inks.items() if pair[shade]) for shade in (0, 1)
    )
    return (
        f":root{{{light}}}\n:root[data-theme=dark]{{{dark}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{dark}}}}}\n{_read('report.css')}\n"
        f"@media print{{:root,:root[data-theme],:root:not([data-theme]){{color-scheme:light;{light}}}}}\n"
    )


def _read(name: str) -> str:
    """A file of the package, wherever that lies: in a folder, in an archive, in a browser."""
    return resources.files("ostbahn.review.reports").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    return Environment(
        loader=FunctionLoader(_read),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
