"""The report of a game in the order of reading, as one HTML page without scripts, and as PDF set by typst."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from ostbahn.extras import require_extra
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import entry_of
from ostbahn.pictures.axes import THEME_COLOURS, with_light_colours
from ostbahn.pictures.export import FONT, typeset
from ostbahn.pictures.themes import style_sheet
from ostbahn.review.reports.company_sections import companies_section, services_section
from ostbahn.review.reports.course_sections import control_section, course_section, findings_section, forecast_section
from ostbahn.review.reports.player_sections import income_section, money_section, result_section, worth_section
from ostbahn.review.reports.subject import Report, ReportContext, ReportProgress, ReportSection
from ostbahn.text.words import join_words, plural
from ostbahn.views.catalogue import module_names
from ostbahn.views.wealth import result_view

Sections = Mapping[str, Callable[[ReportContext], ReportSection | None]]
SECTIONS: Final[Sections] = {
    "the result": result_section,
    "worth": worth_section,
    "money": money_section,
    "incomes": income_section,
    "companies": companies_section,
    "services": services_section,
    "directors": control_section,
    "phases and trains": course_section,
    "who was ahead": forecast_section,
    "findings": findings_section,
}
"""Functions that make the sections, by their name in progress messages. A new section needs only a line here."""


RECORDED: Final = {what: section for what, section in SECTIONS.items() if what not in ("who was ahead", "findings")}
"""Sections with public records only, which do not help those still playing."""


def report_of(game: Game, told: ReportProgress = lambda *_: None, sections: Sections = SECTIONS) -> Report:
    """The report of a running or finished game; `told` receives the progress."""
    subject = ReportContext(game, told)
    made_sections: list[ReportSection | None] = []
    if not subject.accounts.rounds:
        made_sections.append(
            ReportSection(id="result", heading="How everybody stands", words=("The game has not begun.",))
        )
    else:
        for number, (what, section) in enumerate(sections.items()):
            told(what, number, len(sections))
            made_sections.append(section(subject))
    told("done", len(sections), len(sections))
    return Report(
        heading=entry_of(game.setup.title, game.setup.variant).name,
        lead=_lead(subject),
        facts=tuple(_facts(subject)),
        sections=tuple(filter(None, made_sections)),
        inks={**THEME_COLOURS, **subject.maps.inks},
        foot="Made by Ostbahn from the records of the game alone.",
    )


def _lead(subject: ReportContext) -> str:
    result = result_view(subject.game)
    if result is not None:
        return f"{result.words}."
    if not subject.accounts.rounds:
        return "The game has not begun."
    return f"The game is still being played: {subject.words.round_name(subject.labels[-1])}."


def _facts(subject: ReportContext) -> list[tuple[str, str]]:
    accounts, game = subject.accounts, subject.game
    ran = sum(each.revenue for round_ in accounts.rounds for each in round_.companies)
    modules = module_names(game.setup.title, game.setup.variant, game.setup.modules)
    return [
        ("Players", join_words(accounts.names.values())),
        *([("Modules", join_words(modules))] if modules else ()),
        ("Course", f"{plural(len(accounts.rounds), 'round')}, {plural(len(game), 'answer')}"),
        ("Companies", _companies(subject, ran)),
    ]


def _companies(subject: ReportContext, ran: int) -> str:
    number = len(subject.companies)
    if not number:
        return "none yet"
    return f"{number}, whose trains earned {subject.money(ran)}" if ran else f"{number}; no trains have run yet"


with require_extra("analysis", "a report needs"):
    from jinja2 import Environment, FunctionLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

Inks = Mapping[str, tuple[str, str]]


def page_of(report: Report) -> str:
    style = Markup(style_sheet() + style_of(report.inks))
    return _templates().get_template("page.html").render(report=report, style=style, body=Markup(body_of(report)))


def body_of(report: Report) -> str:
    """The body of the page, for embedding."""
    return _templates().get_template("body.html").render(report=report)


def style_of(inks: Inks) -> str:
    """The style sheet: light or dark as chosen by the reader or their system; light on paper."""
    light, dark = (
        "".join(f"--{name}:{pair[shade]};" for name, pair in inks.items() if pair[shade]) for shade in (0, 1)
    )
    return (
        f":root{{{light}}}\n:root[data-theme=dark]{{{dark}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{{dark}}}}}\n{_read('report.css')}\n"
        f"@media print{{:root,:root[data-theme],:root:not([data-theme]){{color-scheme:light;{light}}}}}\n"
    )


def _read(name: str) -> str:
    """Read a template of this package."""
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


def pdf_of(report: Report) -> bytes:
    """Typeset a report. Equal reports give identical bytes."""
    # The report is an input and not part of the source, so that its text is not parsed as typst markup.
    data = msgspec.to_builtins(report)
    del data["inks"]
    drawings = [drawing for section in report.sections for each in section.exhibits for drawing in each.drawings]
    inputs = {"report": msgspec.json.encode(data).decode(), "font": FONT}
    for number, drawing in enumerate(drawings):
        inputs[f"drawing-{number}"] = with_light_colours(drawing.svg, report.inks)
    source = resources.files("ostbahn.review.reports").joinpath("templates", "report.typ").read_bytes()
    return typeset(source, inputs, "this report could not become PDF", "analysis")
