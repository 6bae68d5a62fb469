"""The documentation says what the data say."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from ostbahn import __version__
from ostbahn.eighteen.title import BaseTitle
from ostbahn.kits.data import Ruling
from ostbahn.titles.cz import title as cz
from ostbahn.titles.mag import title as mag

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in ROOT.glob("*.md")}


TITLES: dict[str, BaseTitle] = {"cz": cz.cz_title(), "mag": mag.mag_title()}
RULINGS = [
    pytest.param(folder, ruling, id=f"{folder}-{ruling.id}")
    for folder, title in TITLES.items()
    for ruling in title.all_rulings
]


@pytest.mark.parametrize(("folder", "ruling"), RULINGS)
def test_every_ruling_has_a_row_with_its_question_and_values(folder: str, ruling: Ruling) -> None:
    page = (DOCS / "rulings.md").read_text(encoding="utf-8")
    section = page.partition(f"## {TITLES[folder].name}\n")[2].partition("\n## ")[0]
    (row,) = [line for line in section.splitlines() if line.startswith(f"| `{ruling.id}` |")]
    question, values, site = (cell.strip() for cell in row.split("|")[2:5])
    assert question == ruling.question
    default, *others = values.split(", ")
    assert default == f"**{ruling.default}**"
    assert ", ".join(others) == ", ".join(value for value in ruling.values if value != ruling.default)
    assert site == ("as default" if ruling.site == ruling.default else ruling.site)


@pytest.mark.parametrize("folder", TITLES)
def test_every_ambiguity_has_a_ruling_or_a_reading(folder: str) -> None:
    title = TITLES[folder]
    decided = {*title.readings, *(ruling.ambiguity for ruling in title.all_rulings if ruling.ambiguity is not None)}
    assert decided == {f"A{number}" for number in range(1, len(decided) + 1)}


@pytest.mark.parametrize("folder", TITLES)
def test_every_module_of_a_title_is_in_the_table_of_contents(folder: str) -> None:
    page = (DOCS / "rule_index.md").read_text(encoding="utf-8")
    section = page.partition(f"module in `titles/{folder}`")[2].partition("\n## ")[0]
    modules = (DOCS.parent / "src" / "ostbahn" / "titles" / folder).glob("[a-z]*.py")
    assert [path.name for path in modules if f"`{path.name}`" not in section] == []


def test_public_modules_say_what_is_public() -> None:
    page = (DOCS / "library.md").read_text(encoding="utf-8").partition("## Public modules")[2].partition("\n## ")[0]
    public = re.findall(r"`(ostbahn[\w.]*)`", page)
    assert len(public) > 8
    for name in public:
        module = import_module(name)
        assert [wanted for wanted in module.__all__ if not hasattr(module, wanted)] == [], name


# Pages beside the code


def anchors(text: str) -> set[str]:
    """Where a link into a page can lead: its headings, as GitHub and others write them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("page", "link"), [(name, link) for name, text in PAGES.items() for link in re.findall(r"\]\(([^):]+)\)", text)]
)
def test_links_of_the_pages_lead_somewhere(page: str, link: str) -> None:
    file, _, anchor = link.partition("#")
    assert (ROOT / file).exists()
    assert not anchor or anchor in anchors((ROOT / (file or page)).read_text(encoding="utf-8"))


def test_files_that_contributors_are_sent_to_are_there() -> None:
    named = re.findall(r"`((?:titles|tests|src)/[\w./]+)`", PAGES["CONTRIBUTING.md"])
    assert len(named) >= 5
    assert [name for name in named if not ((ROOT / name).exists() or (ROOT / "src" / "ostbahn" / name).exists())] == []


def test_the_changes_tell_of_this_version_first() -> None:
    """Only what is to come stands above it."""
    told = re.findall(r"^## (.*)$", PAGES["CHANGELOG.md"], re.MULTILINE)
    ahead = told[:1] == ["Not released yet"]
    assert told[ahead] == __version__
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in told[ahead:])
