from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from ostbahn.bots.arena import (
    Contest,
    encode_record,
    load_record,
    play_contest,
    play_game,
    resume_contest,
    save_record,
    validated_contest,
)
from ostbahn.bots.playing import GameChanged
from ostbahn.interop import saves
from ostbahn.kernel.errors import BadSetup

RANDOM = Contest(title="18CZ", bots=("R", "R", "R"), games=6, seed=5)


def test_every_bot_sits_once_on_every_seat_of_a_seed() -> None:
    games = [play_game(RANDOM, number) for number in range(6)]
    assert [played.seed for played in games] == [5, 5, 5, 6, 6, 6]
    for first in (0, 3):
        seats = {(place.seat, place.entry) for played in games[first : first + 3] for place in played.places}
        assert len(seats) == 9


@pytest.mark.slow
def test_games_are_the_same_whoever_plays_them(tmp_path: Path) -> None:
    alone = {played.number: played.places for played in play_contest(RANDOM)}
    together = {played.number: played.places for played in play_contest(RANDOM, jobs=2, folder=tmp_path)}
    assert alone == together
    assert len(list(tmp_path.glob("?????.json"))) == 6
    assert len(list(tmp_path.glob("?????.played.json"))) == 6


def test_a_save_tells_the_same_result(tmp_path: Path) -> None:
    played = play_game(RANDOM, 1, tmp_path)
    game = saves.read(tmp_path / "00001.json")
    assert game.over
    assert {place.seat: place.wealth for place in played.places} == game.worth()
    assert sum(place.won for place in played.places) == pytest.approx(1)
    assert played.answers == len(game)


def test_in_the_solo_game_istvan_counts() -> None:
    """What he had, and whether he won; a random bot is no match for him."""
    contest = Contest(title="18Mag", variant="solo", bots=("R",), games=3, options={"difficulty": "easy"})
    games = list(play_contest(contest))
    for played in games:
        bot, istvan = played.places
        assert (bot.seat, bot.bot, bot.entry) == ("p1", "R", 0)
        assert (istvan.seat, istvan.bot, istvan.entry) == ("p2", "István", None)
        assert (bot.won, istvan.won) == (0.0, 1.0)
        assert istvan.wealth > bot.wealth
        assert set(played.times_ms) == {0}, "he is not asked"


def test_a_solo_contest_goes_on_with_what_it_kept(tmp_path: Path) -> None:
    contest = Contest(title="18Mag", variant="solo", bots=("R",), games=2)
    save_record(tmp_path, contest)
    first = play_game(contest, 0, tmp_path)
    assert resume_contest(tmp_path, load_record(tmp_path), 2)[1] == [first]


def test_a_bot_that_fails_is_told(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("class Silent:\n    def choose(self, question, game):\n        raise ValueError('no idea')\n")
    contest = Contest(title="18Mag", variant="two_player", bots=(f"{file}:Silent", "R"), games=1)
    played = play_game(contest, 0)
    assert played.failures
    assert "no idea" in played.failures[0]


CHEATS = """
import msgspec
from ostbahn.titles.mag.table import MagTable

class Honest:
    def choose(self, question, game):
        return question.options[0].action

class Rich(Honest):
    def choose(self, question, game):
        action = question.options[0].action
        game.state.cash[question.decider] += 1000
        return action

class Cheaper(Honest):
    def choose(self, question, game):
        stacks = game.rulebook.title.stacks
        for name, stack in list(stacks.items()):
            stacks[name] = msgspec.structs.replace(stack, price=1)
        return question.options[0].action

class Richest(Honest):
    def choose(self, question, game):
        MagTable.standings = lambda table: {"p1": 9999, "p2": 1}
        return question.options[0].action
"""


def cheats(tmp_path: Path, name: str, games: int = 2) -> Contest:
    file = tmp_path / "cheats.py"
    file.write_text(CHEATS)
    return Contest(title="18Mag", variant="two_player", bots=(f"{file}:{name}", "R"), games=games)


def test_a_bot_that_enriches_itself_ends_as_one_that_does_not(tmp_path: Path) -> None:
    """It won every game."""
    honest, rich = ([play_game(cheats(tmp_path, name), number) for number in (0, 1)] for name in ("Honest", "Rich"))
    for one, other in zip(honest, rich, strict=True):
        assert [place.wealth for place in one.places] == [place.wealth for place in other.places]
        assert not other.failures


@pytest.mark.parametrize(("name", "words"), [("Cheaper", ""), ("Richest", "its actions lead to another result")])
def test_a_bot_that_changes_the_rules_is_named_and_its_game_does_not_count(
    tmp_path: Path, name: str, words: str
) -> None:
    """Every game is replayed in a process in which the bot never was. Those that play here end with the contest."""
    contest = cheats(tmp_path, name)
    save_record(tmp_path, contest)
    with pytest.raises(GameChanged, match=f"does not replay: .*{words}.*cheats.py:{name}"):
        list(play_contest(contest, 2, tmp_path))
    assert not list(tmp_path.glob("*.played.json"))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bot_that_never_answers_does_not_stop_a_contest(tmp_path: Path, jobs: int) -> None:
    """Nor in the processes of a contest."""
    file = tmp_path / "own.py"
    file.write_text("class Loops:\n    def choose(self, question, game):\n        while True:\n            pass\n")
    contest = Contest(title="18Mag", variant="two_player", bots=(f"{file}:Loops", "R"), games=2, limit=0.05)
    games = list(play_contest(contest, jobs))
    assert len(games) == 2
    for played in games:
        assert "it had 0.05 seconds and did not answer" in played.failures[0]
        assert max(played.times_ms[0]) >= 1000 * contest.limit
        assert played.times_ms[1], "the other bot was asked as well"


@pytest.mark.parametrize(
    ("contest", "words"),
    [
        (Contest(title="18CZ", bots=("R",), games=1), "is for 3 or 4 or 5 or 6 players, not for 1 bots"),
        (Contest(title="18CZ", bots=("R", "R", "X"), games=1), "there is no bot 'X'"),
        (Contest(title="18CZ", bots=("R", "R", "R"), games=0), "at least one game"),
        (Contest(title="18CZ", bots=("R", "R", "R"), games=1, limit=0), "a bot needs some time"),
        (Contest(title="18CZ", bots=("R", "R", "R"), games=1, limit=float("inf")), "however large, and not inf"),
        (Contest(title="18CZ", bots=("R", "R", "R"), games=1, modules=("supporters",)), "has no module supporters"),
        (
            Contest(
                title="18Mag",
                bots=("R", "R", "R"),
                games=1,
                modules=("new_minors_simple", "new_minors_challenge"),
            ),
            "exclude each other",
        ),
        (Contest(title="18XX", bots=("R", "R", "R"), games=1), "there is no 18XX"),
    ],
)
def test_contests_that_cannot_be_played_are_refused(contest: Contest, words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        validated_contest(contest)


def test_a_contest_is_kept_as_json() -> None:
    games = [play_game(RANDOM, 1), play_game(RANDOM, 0)]
    document = msgspec.json.decode(encode_record(RANDOM, games))
    assert document["contest"]["bots"] == ["R", "R", "R"]
    assert [played["number"] for played in document["games"]] == [0, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_contest_goes_on_with_what_it_kept(tmp_path: Path, jobs: int) -> None:
    contest = Contest(title="18CZ", variant="moravia", bots=("R", "R"), games=3, seed=5)
    save_record(tmp_path, contest)
    first = play_game(contest, 1, tmp_path)
    again, games = resume_contest(tmp_path, load_record(tmp_path), 4)
    assert again == msgspec.structs.replace(contest, games=4)
    assert games == [first]
    assert {played.number for played in play_contest(again, jobs, tmp_path, done={1})} == {0, 2, 3}
    assert [played.number for played in resume_contest(tmp_path, load_record(tmp_path), 4)[1]] == [0, 1, 2, 3]


def test_after_an_interruption_no_more_games_are_begun(tmp_path: Path) -> None:
    """They were, all of them, where several processes play."""
    contest = Contest(title="18CZ", variant="moravia", bots=("R", "R"), games=30)
    games = play_contest(contest, 2, tmp_path)
    assert isinstance(games, Generator)
    next(games)
    with pytest.raises(KeyboardInterrupt):
        games.throw(KeyboardInterrupt)
    assert len(list(tmp_path.glob("?????.json"))) <= 4
