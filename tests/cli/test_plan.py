"""`ostbahn plan`: boards beside a save, by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.interop import saves
from tests.golden.games import golden_game


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    saves.write(path, golden_game("18CZ-base-3").position(10))
    return path


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert (result.exit_code, result.stderr) == (0, ""), words
    return result.stdout


def refused(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 2
    return result.stderr


def test_a_plan_from_its_beginning_to_its_first_move(save: Path) -> None:
    before = save.read_bytes()
    assert "from move 10" in run("plan", save, "new", "Ahead")
    question = run("ask", save)
    assert run("plan", save, "ask", "Ahead") == question
    run("plan", save, "do", "Ahead", 1)
    done = run("plan", save, "bot", "Ahead", "R")
    run("plan", save, "undo", "Ahead")
    assert run("plan", save, "redo", "Ahead") == done
    assert "2 answers after move 10; fits, 2 of them are still to come" in run("plan", save, "list")
    assert "2 answers after move 10" in run("plan", save, "show", "Ahead")
    run("plan", save, "new", "Behind", "--at", 4)
    assert "Behind" in run("plan", save, "compare", "Ahead", "Behind")
    found = json.loads(run("plan", save, "compare", "Ahead", "--json"))
    assert (found["one"]["number"], found["other"]["number"]) == (12, 10)
    assert save.read_bytes() == before, "nothing of this is for the game"
    run("plan", save, "play", "Ahead")
    assert len(saves.read(save)) == 11
    assert "fits, 1 of them" in run("plan", save, "list")


def test_a_plan_that_broke_is_brought_up_to_date(save: Path) -> None:
    run("plan", save, "new", "Ahead")
    run("plan", save, "do", "Ahead", 1)
    run("do", save, 2)
    assert "broken: at move 11 the plan was" in run("plan", save, "list")
    run("plan", save, "renew", "Ahead")
    assert "after move 11; fits" in run("plan", save, "list")
    run("plan", save, "drop", "Ahead")
    assert "no plans" in run("plan", save, "list")


def test_plans_may_be_kept_elsewhere(save: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "mine.json"
    run("plan", "--plans", elsewhere, save, "new", "Ahead", "--lots", 5)
    assert elsewhere.exists()
    assert "no plans" in run("plan", save, "list")
    run("plan", "--plans", elsewhere, save, "bot", "Ahead", "R", "--until", "Anna")


def test_the_runs_of_a_plan(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    saves.write(save, golden_game("18CZ-base-3").position(400))
    run("plan", save, "new", "Ahead")
    assert "ATE earns" in run("plan", save, "routes", "Ahead", "ATE")


def test_what_is_refused_is_told_and_leaves_the_plans_as_they_were(save: Path) -> None:
    assert "there is no plan 'Ahead'" in refused("plan", save, "ask", "Ahead")
    run("plan", save, "new", "Ahead")
    file = save.with_name("game.plans.json")
    before = file.read_bytes()
    assert "already" in refused("plan", save, "new", "Ahead")
    assert "nothing is planned after move 10" in refused("plan", save, "undo", "Ahead")
    assert "nothing has been taken back" in refused("plan", save, "redo", "Ahead")
    assert "no 9999" in refused("plan", save, "do", "Ahead", 9999)
    assert "nothing is planned beyond" in refused("plan", save, "play", "Ahead")
    assert "states of this game go from 0 to 10" in refused("plan", save, "new", "Late", "--at", 11)
    assert file.read_bytes() == before
    file.write_text('{"format": "ostbahn plans", "version": 9}')
    assert "version 9" in refused("plan", save, "list")
    file.write_text("{}")
    assert "these are no plans" in refused("plan", save, "list")
