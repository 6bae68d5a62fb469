"""The report of a game: all of it is there, in every variant, and it is the same each time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ostbahn.analysis.runs import best_run
from ostbahn.interop import files
from ostbahn.kernel.records import Revenue
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures.axes import THEME_COLOURS, with_light_colours
from ostbahn.review.proven import Finding
from ostbahn.review.reports import course_sections
from ostbahn.review.reports.report import RECORDED, page_of, pdf_of, report_of
from ostbahn.review.reports.report import SECTIONS as SECTIONS_OF_REPORT
from ostbahn.review.reports.subject import DataTable, Exhibit, Report, ReportContext, ReportSection
from tests.golden.games import GOLDEN as GOLDEN_GAMES
from tests.golden.games import USUAL, golden_game
from tests.interop.reference import MISSING, reference_games
from tests.lengths import others_in_soak

GOLDEN = Path(__file__).parents[1] / "golden"
PEOPLE = [path for path in reference_games("18CZ") if path.stem == "29247"]
GAMES = {
    "18CZ-moravia-2": None,
    "18CZ-bohemia-2": 150,
    "18CZ-base-3": 150,
    "18Mag-solo-1-easy-short": None,
    "18Mag-two_player-2": 100,
    "18Mag-base-3": 150,
}
"""Each variant once; where a game is long, so many answers of it: then it is still being played."""
SECTIONS = ["result", "worth", "money", "income", "companies", "control", "course", "forecast", "findings"]
EMPTY = {"meta", "br", "img", "link", "hr", "input"}


@cache
def report(name: str) -> Report:
    game = files.open_game(GOLDEN / f"{name}.json")
    answers = GAMES[name]
    return report_of(game if answers is None else game.position(answers))


def tables(found: Report, section: str) -> dict[str, DataTable]:
    (own,) = (each for each in found.sections if each.id == section)
    return {each.heading: each.table for each in own.exhibits if each.table is not None}


class Reader(HTMLParser):
    """Opens and closes elements, and notes whatever a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "data", "poster") and not (value or "").startswith("#"):
                self.fetched.append(value or "")
            if name == "id":
                self.ids.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_there_and_nothing_else_is_needed(name: str) -> None:
    """One test for each game, as it takes a while to make a report."""
    found = report(name)
    check_sections(found, sells="18Mag" in name)
    check_page(page_of(found))
    check_drawings(found)


def check_sections(found: Report, sells: bool) -> None:
    """All are there, and each chart has its table."""
    assert [each.id for each in found.sections if each.id != "services"] == SECTIONS
    assert ("services" in {each.id for each in found.sections}) == sells
    for exhibit in (exhibit for section in found.sections for exhibit in section.exhibits):
        assert exhibit.table is not None or not exhibit.drawings, exhibit.heading
        if exhibit.table is not None:
            assert {len(row) for row in exhibit.table.rows} == {len(exhibit.table.columns)}, exhibit.heading


def check_page(page: str) -> None:
    """Well-formed, and it asks nobody for anything."""
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.fetched == []
    assert len(reader.ids) == len(set(reader.ids))
    assert set(re.findall(r"url\((.)", page)) <= {"#"}
    assert not [word for word in ("<script", "@import", "http") if word in page]


def check_drawings(found: Report) -> None:
    """Their colours have names that the page knows."""
    drawings = [drawing for section in found.sections for each in section.exhibits for drawing in each.drawings]
    assert len(drawings) >= 20
    for drawing in drawings:
        root = ElementTree.fromstring(drawing.svg)
        assert root.findtext("{http://www.w3.org/2000/svg}title") == drawing.name
        assert set(re.findall(r"var\(--([\w-]+)\)", drawing.svg)) <= found.inks.keys()
        assert "var(" not in with_light_colours(drawing.svg, found.inks)
    style = page_of(found).partition("</style>")[0]
    assert all(
        f"--{name}:{light};" in style and f"--{name}:{dark};" in style for name, (light, dark) in THEME_COLOURS.items()
    )


def test_letters_of_charts_are_letters() -> None:
    charts = report("18CZ-moravia-2").sections[1].exhibits[0].drawings
    texts = [text.text for text in ElementTree.fromstring(charts[0].svg).iter("{http://www.w3.org/2000/svg}text")]
    assert any("Anna" in (text or "") for text in texts)


@pytest.mark.parametrize("name", ["18CZ-moravia-2", "18Mag-solo-1-easy-short"])
def test_a_pdf_is_made_of_the_same(name: str) -> None:
    data = pdf_of(report(name))
    assert data.startswith(b"%PDF-")
    assert data == pdf_of(report(name))


def test_tables_of_any_width_fit_on_paper() -> None:
    """Those that are too wide come in parts."""
    exhibits = tuple(
        Exhibit(
            heading=str(wide), table=DataTable(caption="", columns=("x",) * wide, rows=(("1",) * wide,) * 2, total=True)
        )
        for wide in range(1, 30)
    )
    section = ReportSection(id="wide", heading="Wide", words=("#let x = *1*",), exhibits=exhibits)
    assert pdf_of(Report(heading="$", lead="@", facts=(), sections=(section,), inks={})).startswith(b"%PDF-")


def test_another_process_makes_the_same_page(tmp_path: Path) -> None:
    """Whatever its hashes are."""
    name, out = "18CZ-moravia-2", tmp_path / "report.html"
    command = [sys.executable, "-m", "ostbahn", "analyse", str(GOLDEN / f"{name}.json"), "-o", str(out)]
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    subprocess.run(command, check=True, env=environment, capture_output=True, timeout=100)
    assert out.read_text(encoding="utf-8") == page_of(report(name))


def test_tables_come_to_what_the_game_says() -> None:
    """A game of bots that is known: Anna has 2524 K in the end, Ben 381 K."""
    found = report("18CZ-moravia-2")
    assert found.lead == "Anna wins with 2524 K."
    result = tables(found, "result")["What wealth is made of"]
    assert [row[:3] for row in result.rows] == [("1.", "Anna", "2524 K"), ("2.", "Ben", "381 K")]
    worth = tables(found, "worth")["Worth"]
    assert worth.rows[-1][1:] == ("2524 K", "381 K")
    assert any("to the last K" in words for words in found.sections[2].words)
    income = tables(found, "income")["Income by round"]
    assert income.rows[-1][0] == "in all"


def test_who_has_not_begun_is_told_so() -> None:
    found = report_of(new_game("18Mag", ["Anna", "Ben", "Cyril"]))
    assert [each.words for each in found.sections] == [("The game has not begun.",)]
    assert page_of(found)


BROKEN = {
    "a count of none": re.compile(
        r"\b(?:The|All) 0\b|\bin 0 \w+s\b|\b0 (?:K|Ft) (?:ahead|behind|in all)", re.IGNORECASE
    ),
    "one in the plural": re.compile(
        r"(?<![\d.,:–−-])\b1 (?:\w+ )?(?:runs|times|payments|rounds|answers|gains)\b|\bAll 1\b"
    ),
    "a missing value": re.compile(r"\bNone\b|\bnan\b|\binf\b"),
}
"""Sentences that were written for several, by what is wrong with them. Players choose no such names here."""
MOMENTS = (1, 4, 12, 30, 60)
"""Answers after which there is little to tell."""


def sentences(found: Report) -> Iterator[str]:
    """All that a reader of a report reads, but for the letters of its drawings."""
    yield found.lead
    yield from (value for _, value in found.facts)
    for section in found.sections:
        yield from (section.heading, *section.words)
        for exhibit in section.exhibits:
            yield from (exhibit.heading, exhibit.words)
            if exhibit.table is not None:
                yield from (exhibit.table.caption, *exhibit.table.columns)
                yield from (cell for row in exhibit.table.rows for cell in row)


def check_words(found: Report) -> None:
    assert not [(what, words) for words in sentences(found) for what, wrong in BROKEN.items() if wrong.search(words)]
    for section in found.sections:
        assert section.words or section.exhibits, f"{section.heading} is a heading and nothing else"
        for exhibit in section.exhibits:
            table = exhibit.table
            assert table is None or (table.rows and len(table.columns) > 1), f"{exhibit.heading} shows an empty table"
            assert exhibit.words or exhibit.drawings or table, f"{exhibit.heading} is a heading and nothing else"


@pytest.mark.parametrize("name", others_in_soak([golden.name for golden in GOLDEN_GAMES], USUAL))
def test_no_sentence_of_a_report_breaks_at_none_at_one_or_at_a_missing_value(name: str) -> None:
    game = golden_game(name)
    little = {what: section for what, section in SECTIONS_OF_REPORT.items() if what != "who was ahead"}
    for answers in MOMENTS:
        check_words(report_of(game.position(answers), sections=little))


@pytest.mark.parametrize("name", GAMES)
def test_no_sentence_of_a_whole_report_breaks(name: str) -> None:
    check_words(report(name))


@pytest.mark.parametrize(
    ("drawable", "told"),
    [(0, []), (1, ["The costliest run is drawn below."]), (2, ["The 2 costliest runs are drawn below."]), (3, [])],
)
def test_findings_say_what_is_drawn_only_where_something_is(
    drawable: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three findings so many are better runs, of which there is something to draw."""
    game = golden_game("18CZ-base-3")
    number = next(at for at, record in enumerate(game.records, 1) if getattr(record.action, "runs", ()))
    company = next(event.company for event in game.records[number - 1].events if isinstance(event, Revenue))
    better, seat = best_run(game.position(number - 1), company), game.records[number - 1].by
    found = [
        Finding("run" if at < drawable else "same for less", number, "40", seat, company, 10, "ran", better)
        if at < drawable
        else Finding("same for less", number, "40", seat, company, 10, "paid too much")
        for at in range(3)
    ]
    monkeypatch.setattr(course_sections, "proven_findings", lambda *_: found)
    section = course_sections.findings_section(ReportContext(game.position(number)))
    assert list(section.words[1:]) == told
    assert len(section.exhibits) == 1 + drawable


def test_players_who_have_the_same_share_the_lead() -> None:
    """Two of three have 155 Ft, so neither is ahead of the other."""
    game = golden_game("18Mag-base-3").position(18)
    (result,) = (each for each in report_of(game, sections=RECORDED).sections if each.id == "result")
    assert re.match(r"\w+ and \w+ share the lead with 155 Ft, 20 Ft ahead of \w+", result.words[0])


def test_what_could_have_been_written_down_helps_nobody() -> None:
    game = files.open_game(GOLDEN / "18CZ-moravia-2.json").position(60)
    told: list[str] = []
    found = report_of(game, lambda what, _done, _total: told.append(what), RECORDED)
    assert [each.id for each in found.sections] == SECTIONS[:-2]
    assert told == [*RECORDED, "done"]


def test_names_of_people_are_text_and_nothing_else() -> None:
    game = new_game("18CZ", ["<b>Anna</b>", "$x^2$ & \\frac", "漢字" * 30], seed=3)
    while len(game) < 40:
        question = game.question
        assert question is not None
        game.apply(question.options[0].action)
    page, reader = page_of(report_of(game, sections=RECORDED)), Reader()
    reader.feed(page)
    assert reader.open == []
    assert "<b>Anna" not in page
    assert "&lt;b&gt;Anna" in page
    assert "$x^2$ &amp; \\frac" in page


@pytest.mark.skipif(not PEOPLE, reason=MISSING)
def test_the_better_run_is_drawn_beside_the_one_that_was_made() -> None:
    section = course_sections.findings_section(ReportContext(files.open_game(PEOPLE[0])))
    assert "23 missed gains in 96 runs" in section.words[0]
    assert section.exhibits[0].table is not None
    assert len(section.exhibits[0].table.rows) == 23
    drawn = section.exhibits[1:]
    assert len(drawn) == course_sections.DRAWN
    for exhibit in drawn:
        assert [each.heading for each in exhibit.drawings] == ["as it ran", "what was there"]
        assert exhibit.drawings[0].svg != exhibit.drawings[1].svg
