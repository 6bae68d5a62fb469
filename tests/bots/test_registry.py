"""Bots by name: those that come with Ostbahn, and one's own from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.bots import registry
from ostbahn.bots.playing import Bot, RandomBot, play_out
from ostbahn.bots.registry import all_bots, bot_named, built_in
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kits.catalogue import new_game

OWN = """
from __future__ import annotations
from dataclasses import dataclass

class Last:
    def choose(self, question, game):
        return question.options[-1].action

class Seeded(Last):
    def __init__(self, seed):
        self.seed = seed

@dataclass
class Thinker(Last):
    seed: int = 0
    budget: int | None = None

class Anything(Last):
    def __init__(self, **given):
        self.given = given

def made(*, seed):
    return Seeded(seed)

class Idle:
    pass

class Picky(Last):
    def __init__(self, colour):
        self.colour = colour

NUMBER = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my bots.py"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_every_known_code_makes_a_bot() -> None:
    for bot in all_bots():
        assert bot.about.endswith(".")
        assert callable(bot_named(bot.code, 1).choose)


def test_r_takes_its_seed() -> None:
    bot = bot_named("R", 77)
    assert isinstance(bot, RandomBot)
    assert bot.seed == 77


@pytest.mark.parametrize("spec", ["", "r", "Q", "Q:100", "bot", "bot.txt:Name"])
def test_an_unknown_bot_is_refused_with_those_that_are_known(spec: str) -> None:
    with pytest.raises(BadSetup, match=r"there is no bot .* known are 1, 2.* path\.py:Name"):
        bot_named(spec, 1)


def test_a_budget_for_a_bot_without_use_for_it_is_refused() -> None:
    with pytest.raises(BadSetup, match="R:2000: this bot has no use for a budget"):
        bot_named("R:2000", 1)


@pytest.mark.parametrize("budget", ["", "0", "-5", "fast", "1.5", "٣", "999999999"])
def test_a_budget_is_a_number_of_answers(file: Path, budget: str) -> None:
    for spec in (f"R:{budget}", f"{file}:Thinker:{budget}"):
        with pytest.raises(BadSetup, match="a budget is a number of answers to try"):
            bot_named(spec, 1)


def test_an_own_bot_plays_a_game(file: Path) -> None:
    game = new_game("18Mag", ["Anna", "Boris"], variant="two_player", seed=1)
    notes: list[str] = []
    bots: dict[str, Bot] = {"p1": bot_named(f"{file}:Last", 1), "p2": RandomBot(1)}
    assert play_out(game, bots, watch=lambda game, answered: notes.append(answered.note)).over
    assert not any(notes)


def test_an_own_bot_is_given_what_it_takes(file: Path) -> None:
    seed = vars(bot_named(f"{file}:Seeded", 5))["seed"]
    assert vars(bot_named(f"{file}:Last", 5)) == {}
    assert vars(bot_named(f"{file}:made", 5)) == {"seed": seed}
    assert vars(bot_named(f"{file}:Thinker", 5)) == {"seed": seed, "budget": None}
    assert vars(bot_named(f"{file}:Thinker:250", 5)) == {"seed": seed, "budget": 250}
    assert vars(bot_named(f"{file}:Anything:250", 5)) == {"given": {"seed": seed, "budget": 250}}
    assert vars(bot_named(f"{file}:Seeded", 6)) != {"seed": seed}
    assert vars(bot_named(f"{file}:Seeded", 0)) == {"seed": 0}, "without a character of its own"


def test_a_change_to_the_file_counts_at_once_and_nothing_is_left_beside_it(file: Path) -> None:
    first = type(bot_named(f"{file}:Last", 1))
    file.write_text(OWN.replace("-1", "+0"), encoding="utf-8")
    changed = bot_named(f"{file}:Last", 1)
    assert type(changed) is not first
    game = new_game("18CZ", ["Anna", "Boris", "Clara"])
    assert game.question is not None
    assert changed.choose(game.question, game) == game.question.options[0].action
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("First", "has no bot First; found there: Last, Seeded, Thinker, Anything, Picky"),
        ("NUMBER", "has no bot NUMBER"),
        ("Idle", r"has a method choose\(question, game\), and this one has none"),
        ("Picky", "the bot cannot be made: TypeError: .*colour"),
        ("Last:100", "this bot has no use for a budget"),
    ],
)
def test_faults_of_an_own_bot_are_told(file: Path, name: str, words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        bot_named(f"{file}:{name}", 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\nclass Last\n", "does not run: SyntaxError: .*line 2"),
        ("x = 1\n\ny = x / 0\n", "does not run: line 3: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(2)\n", "does not run: line 2: SystemExit: 2"),
        ("import no_such_library\n", "does not run: line 1: ModuleNotFoundError"),
    ],
)
def test_a_file_that_does_not_run_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=words):
        bot_named(f"{file}:Last", 1)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no file"):
        bot_named(f"{tmp_path / 'none.py'}:Last", 1)


def test_strangers_cannot_have_a_file_run(file: Path) -> None:
    with pytest.raises(BadSetup, match="there is no bot"):
        built_in(f"{file}:Last", 1)


# Levels and characters among them


def test_levels_come_first_then_characters_then_what_is_for_researchers() -> None:
    groups = registry.bots_for_title("18CZ")
    assert [[bot.code for bot in group] for group in groups.values()] == [
        ["1", "2", "3", "4", "5"],
        ["builder", "raider", "steady"],
        ["R", "G", "S", "N"],
    ]
    assert groups["levels"][2].label == "3 · club player"


def test_a_level_and_a_character_take_their_seed() -> None:
    assert vars(bot_named("3", 77)) == {"level": "3", "seed": 77}
    assert vars(bot_named("raider", 77)) == {"seed": 77, "character": "raider"}
    with pytest.raises(BadSetup, match="3:100: this bot has no use for a budget"):
        bot_named("3:100", 1)


@pytest.mark.parametrize(
    ("code", "words"), [("3", "bot (level 3)"), ("steady", "bot (steady hand)"), ("S", "bot S"), ("gone", "bot gone")]
)
def test_bots_are_told_in_a_word_or_two(code: str, words: str) -> None:
    assert registry.bot_phrase(code) == words
