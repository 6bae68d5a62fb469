"""Packages with titles, really installed: whatever is wrong with one, all other titles can be played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ostbahn.kernel.errors import BadPackage, BadSetup
from ostbahn.kits.catalogue import CATALOGUE, kit_named, kits, new_game, site_adapters
from ostbahn.pictures.gallery import all_picture_kinds
from tests.packages import GOOD, KIT, Installer, installing

NAMES = ["Anna", "Ben", "Cyril"]


@pytest.fixture
def install(tmp_path: Path) -> Iterator[Installer]:
    with installing(tmp_path) as install:
        yield install


def ostbahn(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "200"}
    command = [sys.executable, "-m", "ostbahn", *arguments]
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)


def test_a_title_of_another_package_is_played(install: Installer) -> None:
    install("ostbahn-copy", GOOD + KIT)
    assert list(kits()) == ["18CZ", "18Mag", "1899"]
    assert [entry.title for entry in CATALOGUE][-1] == "1899"
    assert new_game("1899", NAMES).setup.title == "1899"
    assert kits().broken == []


def test_our_titles_are_played_without_loading_others(install: Installer) -> None:
    install("ostbahn-unasked", "raise RuntimeError('somebody has loaded this')")
    new_game("18CZ", NAMES)
    assert "ostbahn_unasked" not in sys.modules
    assert list(kits()) == ["18CZ", "18Mag"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import not_a_library", "ModuleNotFoundError: No module named 'not_a_library'"),
        ("def (", r"SyntaxError: .*"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("", "AttributeError: module 'ostbahn_odd' has no attribute 'KIT'"),
        ("KIT = {}", r"ostbahn_odd:KIT should be a Kit \(ostbahn.kits.kit\), not of the type dict"),
        (GOOD + "KIT = Copied", r"ostbahn_odd:KIT should be a Kit \(ostbahn.kits.kit\), not of the type ABCMeta"),
        (
            GOOD + "Copied.entries = ()\n" + KIT,
            r"the entries of ostbahn_odd:KIT should be one CatalogueEntry or more .*",
        ),
        (GOOD + "Copied.name = '1898'\n" + KIT, "the title of an entry is '1899', and the kit's name '1898'"),
        (
            GOOD + "Copied.rulebook = lambda kit, setup: __import__('no_rules')\n" + KIT,
            "ModuleNotFoundError: No module named 'no_rules'",
        ),
        (
            "from ostbahn.kits.kit import Kit\nclass Half(Kit):\n    name = '1899'\nKIT = Half()",
            "TypeError: Can't instantiate abstract class Half .*",
        ),
    ],
)
def test_a_package_that_fails_loses_its_title_alone(install: Installer, source: str, reason: str) -> None:
    install("ostbahn-odd", source)
    install("ostbahn-sound", GOOD + KIT, title="1890")
    assert list(kits()) == ["18CZ", "18Mag", "1890"]
    (broken,) = kits().broken
    assert (broken.title, broken.package) == ("1899", "ostbahn-odd 1.2")
    for ask in (lambda: new_game("1899", NAMES), lambda: kit_named("1899")):
        with pytest.raises(BadSetup, match=f"^1899 from the package ostbahn-odd 1.2 cannot be played: {reason}$"):
            ask()
    assert new_game("18Mag", NAMES).question is not None


@pytest.mark.parametrize(("needs", "sound"), [("ostbahn>=99.1", False), ("ostbahn (>=0.1)", True), ("other>=99", True)])
def test_a_title_for_a_later_ostbahn_is_left_out(install: Installer, needs: str, sound: bool) -> None:
    install("ostbahn-later", GOOD + KIT, needs=needs)
    assert ("1899" in kits()) is sound
    assert [broken.reason.partition(", and this is")[0] for broken in kits().broken] == (
        [] if sound else ["it needs Ostbahn 99.1 or later"]
    )


def test_a_name_that_is_taken_stays_with_its_title(install: Installer) -> None:
    install("another-cz", GOOD + KIT, title="18CZ")
    install("first-99", GOOD + KIT)
    install("second-99", GOOD + KIT)
    assert list(kits()) == ["18CZ", "18Mag", "1899"]
    assert type(kits()["18CZ"]).__module__ == "ostbahn.titles.cz.kit"
    assert [(broken.package, broken.reason) for broken in kits().broken] == [
        ("another-cz 1.2", "Ostbahn itself already has a title of that name"),
        ("second-99 1.2", "first-99 1.2 already has a title of that name"),
    ]


def test_what_a_title_cannot_load_later_is_told_with_its_package(install: Installer) -> None:
    """A part is loaded when somebody asks for it; whoever asks all titles for a part goes on without that one."""
    part = "    board_style = site_adapter = property(lambda kit: __import__('not_a_library'))\n"
    install("ostbahn-late", f"{GOOD}class Late(Copied):\n{part}KIT = Late()\n")
    assert "1899" in kits()
    with pytest.raises(BadPackage, match=r"^the package ostbahn-late 1.2 failed: ModuleNotFoundError: .*not_a_library"):
        _ = kits()["1899"].board_style
    assert list(site_adapters()) == ["18CZ", "18Mag"]
    assert "board" in all_picture_kinds()


def test_entry_points_that_nobody_can_read_are_left_out(install: Installer, tmp_path: Path) -> None:
    install("ostbahn-garbled", GOOD + KIT)
    points = tmp_path / "ostbahn_garbled-1.2.dist-info" / "entry_points.txt"
    points.write_text("[ostbahn.titles]\n1899\n= \n", encoding="utf-8")
    assert list(kits()) == ["18CZ", "18Mag"]
    assert [(broken.title, broken.package) for broken in kits().broken] == [("a title", "ostbahn-garbled 1.2")]


def test_commands_name_the_package(install: Installer, tmp_path: Path) -> None:
    install("ostbahn-odd", "import not_a_library")
    why = "1899 from the package ostbahn-odd 1.2 cannot be played: ModuleNotFoundError: No module named 'not_a_library'"
    listed = ostbahn(tmp_path, "titles")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "18Mag" in listed.stdout
    assert why in listed.stdout
    refused = ostbahn(tmp_path, "new", "game.json", "--title", "1899", "--players", "3")
    assert (refused.returncode, refused.stderr) == (2, f"ostbahn: {why}\n")
    played = ostbahn(tmp_path, "new", "game.json", "--players", "3")
    assert (played.returncode, played.stderr) == (0, "")
