"""The documentation says what the data say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.titles.cz.title import all_rulings
from ostbahn.titles.data import Ruling

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("ruling", all_rulings(), ids=lambda ruling: ruling.id)
def test_every_ruling_is_explained(ruling: Ruling) -> None:
    page = (DOCS / "rulings.md").read_text(encoding="utf-8")
    row = f"| [`{ruling.id}`](#{ruling.id}) | {ruling.default} | {ruling.site} | {', '.join(ruling.rules)} |"
    assert row in page
    assert ruling.question in page
    assert ruling.explanation in page


def test_every_module_of_the_title_is_in_the_table_of_contents() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    folder = DOCS.parent / "src" / "ostbahn" / "titles" / "cz"
    assert [path.name for path in folder.glob("[a-z]*.py") if f"`{path.name}`" not in page] == []
