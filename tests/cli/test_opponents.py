from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli import asking
from ostbahn.cli.main import app
from ostbahn.cli.opponents import names_of, seated
from ostbahn.interop import saves
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.questions import Option, Span
from ostbahn.kits.catalogue import new_game
from ostbahn.telling.questions import ListedOption
from ostbahn.telling.verbs import past
from ostbahn.titles.cz.actions import OfferForTrain


def test_bots_take_the_last_seats() -> None:
    game = new_game("18CZ", ["Anna", *names_of(["G", "R"])])
    assert list(seated(game, ["G", "R"])) == ["p2", "p3"]


def test_somebody_has_to_play() -> None:
    game = new_game("18CZ", ["Anna", "Boris", "Clara"])
    with pytest.raises(BadSetup, match="3 bots leave no seat for you"):
        seated(game, ["R", "R", "R"])


def test_at_the_terminal_bots_answer_for_themselves(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    command = ["play", str(file), "--player", "Anna", "--bot", "G", "--bot", "R", "--seed", "3"]
    result = CliRunner().invoke(app, command, input="1\nq\n")
    assert result.exit_code == 0, result.output
    game = saves.read(file)
    assert game.setup.players == ("Anna", "Bot 1 (G)", "Bot 2 (R)")
    asked = {by for by, _ in game.actions()}
    assert {"p2", "p3"} <= asked
    assert game.question is not None
    assert game.question.decider == "p1"


LOOPS = "class Loops:\n    def choose(self, question, game):\n        while True:\n            pass\n"


def test_at_the_terminal_a_bot_that_never_answers_does_not_stop_the_game(tmp_path: Path) -> None:
    own, file = tmp_path / "own.py", tmp_path / "game.json"
    own.write_text(LOOPS)
    bots = ["--bot", f"{own}:Loops", "--bot", "R", "--limit", "0.05"]
    result = CliRunner().invoke(app, ["play", str(file), "--player", "Anna", *bots, "--seed", "3"], input="1\nq\n")
    assert result.exit_code == 0, result.output
    told = " ".join(result.output.split())
    assert "the bot failed, and another answer was taken for it: it had 0.05 seconds and did not answer" in told
    game = saves.read(file)
    assert "p2" in {by for by, _ in game.actions()}
    assert game.question is not None
    assert game.question.decider == "p1"


def test_in_the_arena_a_bot_that_never_answers_is_counted_as_failing(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(LOOPS)
    particulars = ["--variant", "two_player", "--games", "1", "--jobs", "1", "--limit", "0.02", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, ["arena", "18Mag", "--bots", f"{own}:Loops,R", *particulars])
    assert result.exit_code == 0, result.output
    assert "times a bot failed" in result.output
    assert "did not answer" in (tmp_path / "001" / "contest.json").read_text()


@pytest.mark.parametrize("command", [["play", "game.json", "--bot", "R", "--players", "3"], ["serve", "--port", "0"]])
def test_a_bot_has_some_time_to_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*command, "--limit", "0"])
    assert result.exit_code == 2
    assert "ostbahn: a bot needs some time to answer, not 0 seconds" in result.stderr


def test_taking_back_goes_back_to_one_s_own_question(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    command = ["play", str(file), "--player", "Anna", "--bot", "R", "--bot", "R", "--seed", "3"]
    CliRunner().invoke(app, command, input="q\n")
    before = len(saves.read(file))
    CliRunner().invoke(app, ["play", str(file), "--bot", "R", "--bot", "R"], input="1\nu\nq\n")
    assert len(saves.read(file)) == before


def test_a_hint_tells_a_move_and_why(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    saves.write(file, new_game("18Mag", ["Anna", "Boris", "Clara"], seed=2))
    result = CliRunner().invoke(app, ["hint", str(file)])
    assert result.exit_code == 0
    assert "S would" in result.output


@pytest.mark.slow
def test_the_arena_tells_who_did_how_well(tmp_path: Path) -> None:
    command = [
        "arena",
        "18CZ",
        "--bots",
        "G,R",
        "--players",
        "3",
        "--games",
        "3",
        "--jobs",
        "1",
        "--out",
        str(tmp_path),
    ]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "18CZ (base), 3 games" in result.output
    assert sorted(path.name for path in (tmp_path / "001").iterdir()) == [
        "00000.json",
        "00000.played.json",
        "00001.json",
        "00001.played.json",
        "00002.json",
        "00002.played.json",
        "contest.json",
        "summary.json",
    ]


def test_at_the_terminal_a_hint_tells_the_number_to_type(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    saves.write(file, new_game("18CZ", ["Anna", "Boris", "Clara"], seed=3))
    told = CliRunner().invoke(app, ["play", str(file)], input="h\nq\n").output
    move = re.search(r"S would (.+)", told)
    number = re.search(r"that is answer (\d+)", told)
    assert move is not None
    assert number is not None
    done = CliRunner().invoke(app, ["play", str(file)], input=f"{number[1]}\nq\n").output
    assert f": {past(move[1])}" in done


def test_a_hint_with_a_price_tells_the_price_as_well() -> None:
    choice = ListedOption(12, Option(OfferForTrain("g1", 1), Span(1, 300)), "offer", "")
    assert asking.typed(choice, OfferForTrain("g1", 50)) == "12@50"
    assert asking.typed(choice, OfferForTrain("g2", 50)) is None
    assert asking.typed(choice, Pass()) is None
    assert asking.typed(ListedOption(3, Option(Pass()), "pass", ""), Pass()) == "3"
