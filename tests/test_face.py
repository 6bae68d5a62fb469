"""The face of the library: what `from ostbahn import …` offers."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import assert_type

import pytest

import ostbahn
from ostbahn import Game, Refused, load, new_game, save
from ostbahn.kernel.errors import OstbahnError


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_a_game_is_begun_saved_and_loaded(tmp_path: Path) -> None:
    game = assert_type(new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=7), Game)
    assert game.question is not None
    local = game.question.options[0].action
    game.apply(local)
    with pytest.raises(Refused) as refused:
        game.apply(local)
    assert assert_type(refused.value.rule, str) == "18CZ VI/2"
    save(tmp_path / "game.json", game)
    again = assert_type(load(tmp_path / "game.json"), Game)
    assert (type(again), again.state.digest) == (Game, game.state.digest)


def test_what_cannot_be_loaded_is_told_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(OstbahnError, match=r"nothing\.json: there is no such file"):
        load(tmp_path / "nothing.json")


def test_everything_that_is_promised_is_there_and_nothing_else() -> None:
    assert {"Game", "Refused", "load", "new_game", "save"} < set(ostbahn.__all__) <= set(dir(ostbahn))
    assert all(getattr(ostbahn, name) is not None for name in ostbahn.__all__)
    with pytest.raises(AttributeError, match="module 'ostbahn' has no attribute 'old_game'"):
        ostbahn.old_game  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_alone_loads_nothing() -> None:
    before, after = "before = set(sys.modules)", "print(*sorted(set(sys.modules) - before))"
    done = python("-c", f"import sys, importlib, typing; {before}; import ostbahn; {after}")
    assert (done.stdout, done.stderr) == ("ostbahn\n", "")


def test_the_package_is_a_program_too() -> None:
    done = python("-m", "ostbahn", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"ostbahn {ostbahn.__version__}\n", "")


def test_others_see_its_types() -> None:
    assert resources.files("ostbahn").joinpath("py.typed").is_file()
