"""The hot-seat game, with its answers from a pipe."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.text import speech


def play(*args: str | Path, typed: str = "") -> str:
    result = CliRunner().invoke(app, ["play", *map(str, args)], input=typed)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game that has just begun; Anna is first."""
    path = tmp_path / "game.json"
    saves.write(path, new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False))
    return path


def at_track() -> Game:
    """A random game up to a long list of track to lay."""
    for seed in range(1, 30):
        chance = random.Random(seed)
        game = new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=seed)
        for _ in range(200):
            if game.question is None:
                break
            if game.question.kind == "lay_track" and len(game.question) > 30:
                return game
            option = chance.choice(game.question.options)
            game.apply(option.action if option.span is None else option.with_price(option.span.low))
    raise AssertionError("no long list of track")


def test_a_new_game_asks_for_number_names_and_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    text = play(typed=f"base game\n\nseven\n2\n3\nAnna\nBen\n\n{path}\n1\nq\n")
    assert "There is no variant base game." in text
    assert text.count("18CZ (base) is for 3 to 6 players.") == 2
    game = saves.read(path)
    assert game.setup.players == ("Anna", "Ben", "Player 3")
    assert len(game) == 1
    assert text.rstrip().endswith(f"The game is saved in {path}.")


def test_a_game_may_stay_unsaved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = play(typed="\n3\nA\nB\nC\n\n1\nq\n")
    assert "Nothing was saved." in text
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_exists_is_not_overwritten(file: Path, tmp_path: Path) -> None:
    before = file.read_bytes()
    text = play(typed=f"\n3\nA\nB\nC\n{file}\n{tmp_path / 'other.json'}\nq\n")
    assert "exists already" in text
    assert file.read_bytes() == before
    assert saves.read(tmp_path / "other.json").setup.players == ("A", "B", "C")


def test_a_file_that_does_not_exist_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "new.json"
    play(path, "--players", "4", "--seed", "9", typed="1\n")
    assert len(saves.read(path)) == 1
    assert saves.read(path).setup.seed == 9


@pytest.mark.parametrize("typed", ["", "3\n", "3\nAnna\n", "3\nA\nB\nC\n"])
def test_a_pipe_that_ends_early_ends_the_game(typed: str) -> None:
    assert play(typed=typed).rstrip().endswith("Nothing was saved.")


def test_answers_are_saved_one_by_one(file: Path) -> None:
    text = play(file, typed="18\n1\nq\n")
    assert "1. Anna: bought Local Railway L6 for 80 K" in text
    assert [by for by, _ in saves.read(file).actions()] == ["p1", "p2"]


def test_refusals_are_told_and_the_question_stays(file: Path) -> None:
    text = play(file, typed='99\n1@7\n12x\n{"do": "pay_out"}\n{"do": "buy_local", "local": "X9"}\n1\nq\n')
    assert text.count("Refused: ") == 5
    assert "Refused: there is no Local Railway called X9 (18CZ VI/2)" in text
    assert len(saves.read(file)) == 1


def test_words_narrow_the_list_and_keep_the_numbers(file: Path) -> None:
    text = play(file, typed="L6\nwobratain\nxyzzy\nq\n")
    after = text.split("> L6\n")[1]
    assert after.startswith("  18  buy Local Railway L6  (Taus – Tachau, income 20 K, costs 80 K)\n> wobratain\n  14  ")
    assert "No answer speaks of xyzzy" in text


def test_a_long_list_is_summed_up_until_it_is_narrowed(file: Path) -> None:
    game = at_track()
    saves.write(file, game)
    choice = speech.listed_options(game)[0]
    hex_id = choice.option.action.hex  # type: ignore[attr-defined]
    text = play(file, typed=f"{hex_id}\nl\nq\n")
    first, narrowed, full = text.split("> ")[:3]
    assert f"{len(speech.listed_options(game))} answers; type a hex or a word" in first
    assert str(choice) not in first
    assert "┌" in first, "the board is shown before track is laid"
    assert f"   1  {choice}" in narrowed
    assert narrowed.count("\n") < full.count("\n")
    assert all(f"{other.number:>4}  {other}\n" in full for other in speech.listed_options(game))


def test_undo_goes_back_to_the_last_real_question(file: Path) -> None:
    before = file.read_bytes()
    text = play(file, typed="1\nu\nu\nq\n")
    assert "Taken back: bought Local Railway S1 for 25 K" in text
    assert "Refused: there is nothing to take back" in text
    assert file.read_bytes() == before


def one_answer_left() -> Game:
    """A game at a real question that is followed by one with a single answer."""
    game = at_track()
    while True:
        assert game.question is not None
        real = not game.question.obvious
        game.apply(game.question.options[-1].action)
        assert game.question is not None
        if real and game.question.obvious:
            game.undo()
            return game


def test_the_only_answer_is_given_and_that_is_said(file: Path) -> None:
    game = one_answer_left()
    saves.write(file, game)
    number = len(game.question or ())
    text = play(file, typed=f"{number}\nq\n")
    assert "(there was no other answer)" in text
    assert len(saves.read(file)) >= len(game) + 2
    play(file, typed="u\nq\n")
    assert saves.read(file).state.digest == game.state.digest


def test_everything_is_asked_on_demand(file: Path) -> None:
    game = one_answer_left()
    saves.write(file, game)
    text = play(file, "--ask-all", typed=f"{len(game.question or ())}\n1\nu\nq\n")
    assert "(there was no other answer)" not in text
    assert len(saves.read(file)) == len(game) + 1


def test_a_price_is_asked_for(file: Path) -> None:
    chance = random.Random(3)
    game = at_track()
    found: list[speech.ListedOption] = []
    while not found:
        assert game.question is not None
        spans = (choice for choice in speech.listed_options(game) if choice.option.span)
        found = [choice for choice in spans if choice.option.span and choice.option.span.low < choice.option.span.high]
        if not found:
            option = chance.choice(game.question.options)
            game.apply(option.action if option.span is None else option.with_price(option.span.low))
    saves.write(file, game)
    choice = found[0]
    assert choice.option.span is not None
    low, high = choice.option.span
    text = play(file, typed=f"{choice.number}\nmuch\n{choice.number}\n{high}\nq\n")
    assert f"Price ({low} to {high} K)? " in text
    assert saves.read(file).records[len(game)].action == choice.option.with_price(high)


def test_table_board_and_rules_can_be_looked_at(file: Path) -> None:
    text = play(file, typed="s\nb\n?\n? VIII.6/5\n? xyzzy\n\nq\n")
    assert "Players in playing order" in text
    assert text.count("│E11 ~10│") == 2
    assert "give answer 12" in text
    assert "The rules on this question, chapter VI:" in text
    assert "VIII.6/5  " in text
    assert "No rule speaks of xyzzy." in text
    assert text.count("   1  buy Local Railway S1") == 2
    assert len(saves.read(file)) == 0


def test_why_nothing_can_be_laid_somewhere(file: Path) -> None:
    game = at_track()
    saves.write(file, game)
    reached = {
        choice.option.action.hex for choice in speech.listed_options(game) if hasattr(choice.option.action, "hex")
    }
    far = next(hex_ for hex_ in ("A11", "I19", "B24", "G3") if hex_ not in reached)
    text = play(file, typed=f"? {far}\nq\n")
    assert f"{far}: 0 of " in text
    assert "(18CZ VIII.4/8)" in text


def test_a_game_is_played_to_its_end(file: Path) -> None:
    """Whoever always takes the last answer passes wherever he can."""
    answers = []
    game = saves.read(file)
    while game.question is not None:
        if not game.question.obvious:
            answers.append(str(len(game.question)))
        game.apply(game.question.options[-1].action)
    text = play(file, typed="".join(f"{answer}\n" for answer in answers))
    assert "The game is over." in text
    assert "wins" in text
    assert saves.read(file).over


def test_the_variants_are_offered_with_what_should_be_known_of_them() -> None:
    text = play(typed="moravia\n4\n3\nA\nB\nC\n\n?\nq\n")
    assert "18CZ (moravia) is for 2 to 3 players." in text
    assert "The board is a reconstruction" in text
    assert "put a private paper up for auction" in text
    assert "The rules on this question, chapter XI.2:" in text
