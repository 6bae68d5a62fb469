from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli import asking
from ostbahn.cli.main import app
from ostbahn.cli.opponents import bot_player_names, seat_bots
from ostbahn.interop import files, saves
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.questions import Option, Span
from ostbahn.kits.catalogue import new_game
from ostbahn.text.formatting import in_past_tense
from ostbahn.text.speech import ListedOption
from ostbahn.titles.cz.actions import OfferForTrain


def test_bots_take_the_last_seats() -> None:
    game = new_game("18CZ", ["Anna", *bot_player_names(["G", "R"])])
    assert seat_bots(game, ["G", "R"]).codes == {"p2": "G", "p3": "R"}
    assert list(seat_bots(game, ["G", "R"]).bots) == ["p2", "p3"]


def test_names_at_the_table_say_what_bots_are() -> None:
    specs = ["3", "raider", "steady", "S", "S:20", "bots/own.py:Name"]
    called = ["level 3", "raider", "steady hand", "S", "S:20", "own.py:Name"]
    assert bot_player_names(specs) == tuple(f"Bot {number} ({name})" for number, name in enumerate(called, start=1))


def test_somebody_has_to_play() -> None:
    game = new_game("18CZ", ["Anna", "Boris", "Clara"])
    with pytest.raises(BadSetup, match="3 bots leave no seat for you"):
        seat_bots(game, ["R", "R", "R"])


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


DIGGING = """
import sys

class Digging:
    def choose(self, question, game):
        sys._getframe(1).f_locals["game"].state.cash[question.decider] += 1000
        return question.options[0].action
"""


def test_at_the_terminal_a_bot_that_changes_the_game_is_named_and_nothing_of_it_is_saved(tmp_path: Path) -> None:
    own, file = tmp_path / "own.py", tmp_path / "game.json"
    own.write_text(DIGGING)
    bots = ["--bot", f"{own}:Digging", "--bot", "R"]
    result = CliRunner().invoke(app, ["play", str(file), "--player", "Anna", *bots, "--seed", "3"], input="1\n" * 9)
    assert result.exit_code == 2
    assert "the bot own.py:Digging changed the game" in result.stderr
    game = saves.read(file)
    assert "p2" not in {by for by, _ in game.actions()}


def test_in_the_arena_a_bot_that_never_answers_is_counted_as_failing(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(LOOPS)
    particulars = ["--variant", "two_player", "--games", "1", "--jobs", "1", "--limit", "0.02", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, ["arena", "18Mag", "--bots", f"{own}:Loops,R", *particulars])
    assert result.exit_code == 0, result.output
    assert "times a bot failed" in result.output
    assert "did not answer" in (tmp_path / "001" / "contest.json").read_text()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["play", "game.json", "--bot", "R", "--players", "3"], "a bot needs some time to answer, not 0 seconds"),
        (["serve", "--port", "0"], "--limit takes a number above 0"),
    ],
)
def test_a_bot_has_some_time_to_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*command, "--limit", "0"])
    assert result.exit_code == 2
    assert f"ostbahn: {told}" in result.stderr


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
    assert "N would take" in result.output
    assert "you end with about" in result.output
    assert "  or take" in result.output


def test_a_hint_is_for_programs_too(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    saves.write(file, new_game("18Mag", ["Anna", "Boris", "Clara"], seed=2))
    document = json.loads(CliRunner().invoke(app, ["hint", str(file), "--json"]).stdout)
    assert document["action"]["do"].startswith("draft")
    assert {"amount", "low", "high"} == set(document["expected"])
    assert document["reasons"]
    assert 1 <= len(document["alternatives"]) <= 2
    assert all(each["action"] != document["action"] for each in document["alternatives"])


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
    move = re.search(r"N would (.+)", told)
    number = re.search(r"that is answer (\d+)", told)
    assert move is not None
    assert number is not None
    done = CliRunner().invoke(app, ["play", str(file)], input=f"{number[1]}\nq\n").output
    assert f": {in_past_tense(move[1])}" in done


def test_a_hint_with_a_price_tells_the_price_as_well() -> None:
    choice = ListedOption(12, Option(OfferForTrain("g1", 1), Span(1, 300)), "offer", "")
    assert asking.answer_as_typed(choice, OfferForTrain("g1", 50)) == "12@50"
    assert asking.answer_as_typed(choice, OfferForTrain("g2", 50)) is None
    assert asking.answer_as_typed(choice, Pass()) is None
    assert asking.answer_as_typed(ListedOption(3, Option(Pass()), "pass", ""), Pass()) == "3"


# Bots come back with their game


def begun(file: Path, *bots: str) -> None:
    """A game of Anna against bots, left at her first question."""
    command = ["play", str(file), "--player", "Anna", *(word for bot in bots for word in ("--bot", bot)), "--seed", "3"]
    result = CliRunner().invoke(app, command, input="q\n")
    assert result.exit_code == 0, result.output


def go_on(file: Path, *options: str, typed: str = "q\n") -> str:
    """What is told when the game goes on, as one line."""
    result = CliRunner().invoke(app, ["play", str(file), *options], input=typed)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return " ".join(result.stdout.split())


def deciders(file: Path) -> list[str]:
    return [by for by, _ in saves.read(file).actions()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


OWN = "from pathlib import Path\nPath({mark!r}).touch()\n\n\nclass Last:\n    def choose(self, question, game):\n"
OWN += "        return question.options[-1].action\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A bot of somebody's own; its file leaves a mark where it is run."""
    path = tmp_path / "my own.py"
    path.write_text(OWN.format(mark=str(tmp_path / "was run")))
    return path


def was_run(own: Path) -> bool:
    """Whether the file was run since this was last asked."""
    mark = own.with_name("was run")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def test_a_game_is_begun_with_bots_that_its_save_knows(file: Path) -> None:
    begun(file, "G", "S:20")
    assert files.open_save(file).bots == {"p2": "G", "p3": "S:20"}


def test_bots_come_back_and_answer(file: Path) -> None:
    begun(file, "G", "R")
    before = len(deciders(file))
    told = go_on(file, typed="1\n1\nq\n")
    assert "Bots play on: G for Bot 1 (G), R for Bot 2 (R)." in told
    assert set(deciders(file)[before:]) == {"p1", "p2", "p3"}
    assert files.open_save(file).bots == {"p2": "G", "p3": "R"}


def test_a_game_with_a_pause_is_the_game_without_one(tmp_path: Path) -> None:
    whole, paused = tmp_path / "whole.json", tmp_path / "paused.json"
    for path in (whole, paused):
        begun(path, "R", "G")
    go_on(whole, typed="1\n1\n1\nq\n")
    for _ in range(3):
        go_on(paused, typed="1\nq\n")
    assert paused.read_bytes() == whole.read_bytes()


def test_bots_keep_their_seats_when_an_answer_is_taken_back(file: Path) -> None:
    begun(file, "R", "G")
    before = file.read_bytes()
    go_on(file, typed="1\nu\nq\n")
    assert file.read_bytes() == before
    assert files.open_save(file).bots == {"p2": "R", "p3": "G"}


def test_a_save_without_bots_goes_on_as_ever(file: Path) -> None:
    saves.write(file, new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=3))
    before = file.read_bytes()
    assert "ots " not in go_on(file).partition("?")[0]
    assert file.read_bytes() == before


def test_bots_that_are_asked_for_replace_those_of_the_save(file: Path) -> None:
    begun(file, "G", "R")
    told = go_on(file, "--bot", "R")
    assert "From now on bots play: R for Bot 2 (R). Until now: G for Bot 1 (G), R for Bot 2 (R)." in told
    assert files.open_save(file).bots == {"p3": "R"}
    before = len(deciders(file))
    assert "Bots play on: R for Bot 2 (R)." in go_on(file, "--ask-all", typed="1\n1\n1\nq\n")
    assert "p2" in deciders(file)[before:]
    assert saves.read(file).question is not None


def test_bots_can_be_sent_away(file: Path) -> None:
    begun(file, "G", "R")
    told = go_on(file, "--no-bots")
    assert "From now on there are no bots. Until now: G for Bot 1 (G), R for Bot 2 (R)." in told
    assert files.open_save(file).bots == {}
    assert "ots " not in go_on(file).partition("?")[0]


def test_bots_can_join_a_game_that_had_none(file: Path) -> None:
    saves.write(file, new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=3))
    assert "From now on bots play: G for Cyril. ?" in go_on(file, "--bot", "G")
    assert files.open_save(file).bots == {"p3": "G"}


def test_bots_cannot_be_asked_for_and_sent_away(file: Path) -> None:
    result = CliRunner().invoke(app, ["play", str(file), "--bot", "G", "--no-bots"])
    assert result.exit_code == 2
    assert "--bot and --no-bots contradict each other" in result.stderr


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("Q", "there is no bot 'Q'; known are "),
        ("own", "there is no bot 'own'; known are"),
        ("S:much", "S:much: a budget is a number of answers to try"),
    ],
)
def test_a_bot_that_nobody_knows_leaves_its_seat_to_people(file: Path, code: str, why: str) -> None:
    saves.write(file, new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False), {"p2": code, "p3": "G"})
    told = go_on(file, typed="1\n1\nq\n")
    assert f"Ben was played by {code}, but {why}" in told
    assert "Somebody at the keyboard takes that seat." in told
    assert "Bots play on: G for Cyril." in told
    assert deciders(file)[:3] == ["p1", "p2", "p3"]
    assert files.open_save(file).bots == {"p2": code, "p3": "G"}, "an Ostbahn that knows it may seat it again"


def test_no_file_is_run_because_a_save_names_it(file: Path, own: Path) -> None:
    begun(file, "G", f"{own}:Last")
    assert was_run(own), "whoever begins the game asks for it"
    before = len(deciders(file))
    told = go_on(file, "--ask-all", typed="1\n1\n1\n1\nq\n")
    assert not was_run(own)
    assert f"was played by {own}:Last. That would run the file {own}, which is never done only because" in told
    assert f"start again with --bot G --bot '{own}:Last'; bots then take the last seats" in told
    assert "Bots play on: G for Bot 1 (G)." in told
    assert {"p1", "p3"} <= set(deciders(file)[before:])
    assert files.open_save(file).bots == {"p2": "G", "p3": f"{own}:Last"}


def test_a_bot_in_a_file_comes_back_when_it_is_asked_for_again(file: Path, own: Path) -> None:
    begun(file, "G", f"{own}:Last")
    assert was_run(own)
    told = go_on(file, "--bot", "G", "--bot", f"{own}:Last")
    assert f"Bots play on: G for Bot 1 (G), {own}:Last for Bot 2 (my own.py:Last)." in told
    assert was_run(own)


@pytest.mark.parametrize("path", ["gone.py", "no/such/folder/own.py", "a" * 5000 + ".py"])
def test_a_bot_whose_file_is_gone_leaves_its_seat_to_people(file: Path, path: str) -> None:
    saves.write(file, new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False), {"p2": f"{path}:Own"})
    told = go_on(file, typed="1\n1\nq\n")
    assert f"Ben was played by {path}:Own. There is no file {path} here any more. Somebody at the keyboard" in told
    assert deciders(file) == ["p1", "p2"]


def test_a_save_in_which_bots_have_all_seats_says_what_to_do(file: Path) -> None:
    bots = {"p1": "G", "p2": "R", "p3": "S"}
    saves.write(file, new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=3), bots)
    before = file.read_bytes()
    result = CliRunner().invoke(app, ["play", str(file)])
    assert result.exit_code == 2
    assert "bots have all seats of this game" in result.stderr
    assert "--no-bots leaves every seat to the keyboard" in result.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("bots", [["G", "Q"], ["G", "gone.py:Own"], ["G", "G", "G"]])
def test_a_game_whose_bots_cannot_sit_down_is_not_begun(tmp_path: Path, file: Path, bots: list[str]) -> None:
    words = [word for bot in bots for word in ("--bot", bot)]
    assert CliRunner().invoke(app, ["play", str(file), "--players", "3", *words]).exit_code == 2
    assert list(tmp_path.iterdir()) == []
