"""What the quick commands load: nothing that they do not need. How long they take is measured by bench/start.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ostbahn import new_game, save

HEAVY = (
    *("litestar", "uvicorn", "sqlalchemy", "alembic", "jinja2", "argon2", "anyio", "asyncio", "http", "ssl"),
    *("resvg_py", "typst", "cma", "numpy", "multiprocessing", "concurrent"),
    *(f"ostbahn.{part}" for part in ("bots", "server", "pictures", "analysis", "terminal")),
    *(
        "ostbahn.cli.commands",
        "ostbahn.interop.importer",
        "ostbahn.titles.cz.opponents",
        "ostbahn.titles.mag.opponents",
    ),
)
SCRIPT = """
import sys
from ostbahn.__main__ import main
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout != "") == (0, True), done.stderr
    return set(done.stderr.split())


def among(loaded: set[str], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(each == name or each.startswith(f"{name}.") for each in loaded)]


def test_help_loads_no_game() -> None:
    loaded = loaded_by("--help")
    assert among(loaded, (*HEAVY, "msgspec", "ostbahn.kits", "ostbahn.titles", "ostbahn.interop")) == []
    assert "ostbahn.cli.main" in loaded


@pytest.mark.parametrize(
    ("title", "needless"),
    [
        ("18CZ", ("ostbahn.titles.cz.moravia", "ostbahn.titles.cz.vaclav", "ostbahn.titles.mag.title")),
        ("18Mag", ("ostbahn.titles.mag.solo", "ostbahn.titles.mag.two_player", "ostbahn.titles.cz.title")),
    ],
)
def test_a_question_loads_its_title_and_variant_alone(title: str, needless: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    save(file, new_game(title, ["Anna", "Ben", "Cyril"], seed=7))
    loaded = loaded_by("ask", str(file))
    assert among(loaded, (*HEAVY, *needless, "rich")) == []
    assert f"ostbahn.titles.{title.removeprefix('18').lower()}.title" in loaded
