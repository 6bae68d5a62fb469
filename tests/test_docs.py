"""The documentation says what the data say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ostbahn.kits.data import Reading, Ruling
from ostbahn.titles.cz import title as cz
from ostbahn.titles.mag import title as mag

DOCS = Path(__file__).resolve().parents[1] / "docs"


TITLES = {"cz": cz.all_rulings(), "mag": mag.all_rulings()}
RULINGS = [
    pytest.param(folder, ruling, id=f"{folder}-{ruling.id}") for folder, all_ in TITLES.items() for ruling in all_
]


@pytest.mark.parametrize(("folder", "ruling"), RULINGS)
def test_every_ruling_is_explained(folder: str, ruling: Ruling) -> None:
    page = (DOCS / "rulings.md").read_text(encoding="utf-8")
    row = f"| [`{ruling.id}`](#{folder}-{ruling.id}) | {ruling.default} | {ruling.site} | {', '.join(ruling.rules)} |"
    assert row in page
    section = page.partition(f'<a id="{folder}-{ruling.id}"></a>')[2].partition("<a id=")[0]
    assert ruling.question in section
    assert ruling.explanation in section
    assert f"Values: {', '.join(f'`{value}`' for value in ruling.values)}." in section


@pytest.mark.parametrize(
    ("folder", "rulings", "readings"),
    [("cz", cz.all_rulings(), cz.all_readings()), ("mag", mag.all_rulings(), mag.all_readings())],
)
def test_every_ambiguity_is_listed(folder: str, rulings: Sequence[Ruling], readings: Sequence[Reading]) -> None:
    page = (DOCS / "rulings.md").read_text(encoding="utf-8").splitlines()
    listed = page[page.index(f'<a id="{folder}-readings"></a>') :]
    rows = {each.id: f"| {each.id} | {each.question} | {each.reading} | `{each.follows}` |" for each in readings}
    for each in rulings:
        if each.ambiguity is not None:
            where = f"[`{each.id}`](#{folder}-{each.id})"
            rows[each.ambiguity] = f"| {each.ambiguity} | {each.question} | a ruling | {where} |"
    assert listed[5 : 5 + len(rows)] == [rows[f"A{number}"] for number in range(1, len(rows) + 1)]


@pytest.mark.parametrize("folder", TITLES)
def test_every_module_of_a_title_is_in_the_table_of_contents(folder: str) -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    section = page.partition(f"module in `titles/{folder}`")[2].partition("\n## ")[0]
    modules = (DOCS.parent / "src" / "ostbahn" / "titles" / folder).glob("[a-z]*.py")
    assert [path.name for path in modules if f"`{path.name}`" not in section] == []
