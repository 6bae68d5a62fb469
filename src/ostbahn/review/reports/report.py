"""The report of a game: what is in it, in the order in which a player wants to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import entry_of
from ostbahn.pictures.axes import INKS
from ostbahn.review.parts import Report, Section, Told
from ostbahn.review.reports.company_sections import companies_section, services_section
from ostbahn.review.reports.course_sections import control_section, course_section
from ostbahn.review.reports.hindsight_sections import findings_section, forecast_section
from ostbahn.review.reports.player_sections import income_section, money_section, result_section, worth_section
from ostbahn.review.reports.subject import Subject
from ostbahn.views.catalogue import module_names
from ostbahn.views.common import listed, plural
from ostbahn.views.wealth import result_view

Sections = Mapping[str, Callable[[Subject], Section | None]]
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
"""What is told, by what it is called while it is made. A further section needs a line here and nothing else."""


RECORDED: Final = {what: section for what, section in SECTIONS.items() if what not in ("who was ahead", "findings")}
"""What everybody at the table could have written down; nothing that helps whoever is still playing."""


def report_of(game: Game, told: Told = lambda *_: None, sections: Sections = SECTIONS) -> Report:
    """All that there is to say about a game, running or finished.

    told: hears which part is being made, and how far it is.
    """
    subject = Subject(game, told)
    found: list[Section | None] = []
    if not subject.accounts.rounds:
        found.append(Section(id="result", heading="How everybody stands", words=("The game has not begun.",)))
    else:
        for number, (what, section) in enumerate(sections.items()):
            told(what, number, len(sections))
            found.append(section(subject))
    told("done", len(sections), len(sections))
    return Report(
        heading=entry_of(game.setup.title, game.setup.variant).name,
        lead=_lead(subject),
        facts=tuple(_facts(subject)),
        sections=tuple(each for each in found if each is not None),
        inks={**INKS, **subject.maps.inks},
        foot="Made by Ostbahn from the records of the game alone.",
    )


def _lead(subject: Subject) -> str:
    result = result_view(subject.game)
    if result is not None:
        return f"{result.words}."
    if not subject.accounts.rounds:
        return "The game has not begun."
    return f"The game is still being played: {subject.words.round_name(subject.labels[-1])}."


def _facts(subject: Subject) -> list[tuple[str, str]]:
    accounts, game = subject.accounts, subject.game
    ran = sum(each.revenue for round_ in accounts.rounds for each in round_.companies)
    modules = module_names(game.setup.title, game.setup.variant, game.setup.modules)
    return [
        ("Players", listed(accounts.names.values())),
        *([("Modules", listed(modules))] if modules else ()),
        ("Course", f"{plural(len(accounts.rounds), 'round')}, {plural(len(game), 'answer')}"),
        ("Companies", _companies(subject, ran)),
    ]


def _companies(subject: Subject, ran: int) -> str:
    number = len(subject.companies)
    if not number:
        return "none yet"
    return f"{number}, whose trains earned {subject.money(ran)}" if ran else f"{number}; no trains have run yet"
