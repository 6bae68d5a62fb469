"""`f` at the terminal: a bot finishes the turn."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.hotseat import FINISHING_BOT
from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import RoundBegan, TurnBegan
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import OfferForTrain, SellShares

NAMES = ["Anna", "Ben", "Cyril"]
LAST = "class Last:\n    def choose(self, question, game):\n        return question.options[-1].action\n"
FAILS = "class Fails:\n    def choose(self, question, game):\n        raise ValueError('no idea')\n"
FIRST = """\
class First:
    asked = 0

    def choose(self, question, game):
        wanted = [option for option in question.options if type(option.action).__name__ == "{kind}"]
        self.asked += 1
        return (wanted[0] if wanted and self.asked == 1 else question.options[-1]).action
"""


def play(file: Path, *typed: str) -> str:
    """What is told, as one line."""
    result = CliRunner().invoke(app, ["play", str(file)], input="".join(f"{line}\n" for line in (*typed, "q")))
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def asked(game: Game) -> Question:
    assert game.question is not None
    return game.question


def whose(game: Game) -> tuple[str, str | None]:
    return asked(game).decider, asked(game).company


def at_random(seed: int, wanted: Callable[[Game], bool], choose: Callable[[Game], Action] | None = None) -> Game | None:
    """A random game up to a position, or None if there was none in its first 300 answers."""
    chance = random.Random(seed)
    game = new_game("18CZ", NAMES, seed=seed)
    for _ in range(300):
        if game.question is None:
            return None
        if wanted(game):
            return game
        option = chance.choice(asked(game).options)
        action = option.action if option.span is None else option.with_price(option.span.low)
        game.apply(choose(game) if choose is not None and asked(game).decider != "p1" else action)
    return None


def found(wanted: Callable[[Game], bool], choose: Callable[[Game], Action] | None = None) -> Game:
    games = (at_random(seed, wanted, choose) for seed in range(1, 60))
    return next(game for game in games if game is not None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


@pytest.fixture
def last(tmp_path: Path) -> str:
    """A bot that always gives the last answer: it passes wherever it can."""
    (tmp_path / "last.py").write_text(LAST)
    return f"{tmp_path / 'last.py'}:Last"


def first(folder: Path, kind: type[Action]) -> str:
    """A bot whose first answer is of that kind, and that then passes wherever it can."""
    (folder / "first.py").write_text(FIRST.format(kind=kind.__name__))
    return f"{folder / 'first.py'}:First"


# How far it goes


@pytest.mark.parametrize("code", ["G", FINISHING_BOT])
def test_the_turn_of_a_company_is_finished_and_no_more(file: Path, code: str) -> None:
    game = found(lambda game: asked(game).kind == "lay_track")
    saves.write(file, game)
    told = play(file, "f" if code == FINISHING_BOT else f"f {code}")
    after = saves.read(file)
    given = next(at for at in range(len(game) + 1, len(after) + 1) if whose(after.position(at)) != whose(game)) - len(
        game
    )
    assert given > 1
    assert any(isinstance(event, TurnBegan | RoundBegan) for event in after.records[len(game) + given - 1].events)
    who = "The best bot" if code == FINISHING_BOT else code
    assert f"{who} gave {given} answers; u takes them back one by one." in told
    rest = after.records[len(game) + given :]
    assert all(after.position(len(game) + given + at).question.obvious for at in range(len(rest)))  # type: ignore[union-attr]
    assert f"{len(game) + 1}. {NAMES[int(whose(game)[0][1:]) - 1]} for " in told, "told as answers of bots are"


def test_in_a_round_of_shares_it_is_over_when_somebody_else_is_asked(file: Path, last: str) -> None:
    saves.write(file, new_game("18CZ", NAMES, draw_order=False))
    told = play(file, f"f {last}")
    assert [by for by, _ in saves.read(file).actions()] == ["p1"]
    assert f"{last} gave 1 answer; u takes it back." in told
    assert "Ben: buy a Local Railway" in told


def test_a_round_of_shares_is_not_played_on_when_bots_have_had_their_turns(file: Path, last: str) -> None:
    saves.write(file, new_game("18CZ", NAMES, draw_order=False), {"p2": "G", "p3": "G"})
    told = play(file, f"f {last}")
    assert [by for by, _ in saves.read(file).actions()] == ["p1", "p2", "p3", "p3", "p2"]
    assert f"{last} gave 1 answer" in told


def test_a_sale_of_shares_does_not_end_the_turn(file: Path, tmp_path: Path) -> None:
    """Whoever sells goes on to be asked, until they buy or pass."""
    game = found(lambda game: bool(asked(game).only(SellShares)) and asked(game).company is None)
    saves.write(file, game)
    told = play(file, f"f {first(tmp_path, SellShares)}")
    given = [(record.by, type(record.action)) for record in saves.read(file).records[len(game) :][:2]]
    assert given == [(whose(game)[0], SellShares), (whose(game)[0], Pass)]
    assert "First gave 2 answers" in told


def test_the_next_round_is_another_turn_of_the_same_company(file: Path, last: str) -> None:
    """Only one company operates, so that nobody else is asked from one Operating Round to the next."""

    def lonely(game: Game) -> bool:
        after, round_ended = game.copy(), False
        while asked(game).company is not None and not round_ended and not after.over and whose(after) == whose(game):
            record = after.apply(asked(after).options[-1].action)
            round_ended = any(isinstance(event, RoundBegan) for event in record.events)
        return round_ended and not after.over and whose(after) == whose(game)

    game = found(lonely, lambda game: Pass() if Pass() in asked(game) else asked(game).options[0].action)
    saves.write(file, game)
    play(file, f"f {last}", "q")
    after = saves.read(file)
    ends = [record for record in after.records[len(game) :] if any(isinstance(e, RoundBegan) for e in record.events)]
    assert len(ends) == 1
    assert whose(after) == whose(game)


def test_a_bot_that_is_asked_whether_it_agrees_does_not_end_the_turn(file: Path, tmp_path: Path) -> None:
    def to_others(game: Game) -> bool:
        after, offers = game.copy(), asked(game).only(OfferForTrain)
        if offers:
            after.apply(offers[0].action)
        return bool(offers) and asked(after).kind == "consent"

    game = found(to_others)
    seat = whose(game)[0]
    others = {other: "R" for other in ("p1", "p2", "p3") if other != seat}
    saves.write(file, game, others)
    told = play(file, f"f {first(tmp_path, OfferForTrain)}")
    by = [by for by, _ in saves.read(file).actions()][len(game) :]
    assert by[0] == seat
    assert by[1] in others, "who is asked to sell the train"
    assert by[2] == seat, "nobody had to type anything"
    assert told.count("First gave ") == 1


def test_the_turns_of_bots_come_after_what_is_said_of_this_one(file: Path, last: str) -> None:
    def before_another(game: Game) -> bool:
        after, seat = game.copy(), asked(game).decider
        while asked(game).kind == "lay_track" and not after.over and whose(after) == whose(game):
            after.apply(asked(after).options[-1].action)
        return not after.over and asked(after).company not in (None, asked(game).company) and whose(after)[0] != seat

    game = found(before_another)
    saves.write(file, game, {other: "R" for other in ("p1", "p2", "p3") if other != whose(game)[0]})
    told = play(file, f"f {last}")
    by = [by for by, _ in saves.read(file).actions()][len(game) :]
    given = next(number for number, seat in enumerate(by) if seat != whose(game)[0])
    assert 0 < told.index(f"{last} gave {given} answers") < told.index(f" {len(game) + given + 1}. ")


def test_the_end_of_the_game_ends_the_turn(file: Path, last: str) -> None:
    game = new_game("18CZ", NAMES, seed=3)
    while game.question is not None:
        game.apply(game.question.options[-1].action)
    game.undo()
    while asked(game).obvious:
        game.undo()
    saves.write(file, game)
    told = play(file, f"f {last}", f"f {last}", f"f {last}")
    assert "The game is over." in told
    assert saves.read(file).over


# What else


def test_what_a_bot_has_answered_is_taken_back_one_by_one(file: Path) -> None:
    game = found(lambda game: asked(game).kind == "lay_track" and not asked(game).obvious)
    saves.write(file, game)
    before = file.read_bytes()
    play(file, "f G")
    more = len(saves.read(file)) - len(game)
    lengths = [len(saves.read(file))]
    while lengths[-1] > len(game):
        play(file, "u")
        lengths.append(len(saves.read(file)))
    assert 2 <= len(lengths) - 1 <= more
    assert file.read_bytes() == before


def test_a_bot_that_fails_is_told(file: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FAILS)
    saves.write(file, new_game("18CZ", NAMES, draw_order=False))
    told = play(file, f"f {tmp_path / 'own.py'}:Fails")
    assert "(the bot failed, and another answer was taken for it: ValueError: no idea)" in told


@pytest.mark.parametrize(
    ("code", "why"), [("Q", "there is no bot 'Q'; known are"), ("gone.py:Own", "there is no file gone.py")]
)
def test_a_bot_that_nobody_knows_answers_nothing(file: Path, code: str, why: str) -> None:
    saves.write(file, new_game("18CZ", NAMES, draw_order=False))
    before = file.read_bytes()
    told = play(file, f"f {code}", "L6")
    assert f"Refused: {why}" in told
    assert "18 buy Local Railway L6" in told.partition("Refused: ")[2], "the question stays"
    assert file.read_bytes() == before


def test_it_is_explained(file: Path) -> None:
    saves.write(file, new_game("18CZ", NAMES, draw_order=False))
    assert "f let the best bot finish this turn; f G lets G do it" in play(file, "?")
