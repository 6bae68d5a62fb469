"""The commands, one by one."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ostbahn import __version__
from ostbahn.bots.hints import hint
from ostbahn.cli import commands, opponents
from ostbahn.cli.main import app
from ostbahn.interop import files, saves
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import CATALOGUE, new_game, reseeded
from ostbahn.titles.cz.state import CzState
from ostbahn.titles.cz.title import cz_title
from tests.golden.games import golden_game


def ostbahn(*args: str | Path, status: int = 0, typed: str | None = None) -> Result:
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=typed)
    assert result.exit_code == status, result.output
    return result


def refused(*args: str | Path) -> str:
    """The one line with which a command is refused."""
    result = ostbahn(*args, status=2)
    assert result.stdout == ""
    line = result.stderr
    assert line.startswith("ostbahn: ")
    assert line.count("\n") == 1
    return line.removeprefix("ostbahn: ").strip()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A game that has just begun; Anna is first."""
    path = tmp_path / "game.json"
    saves.write(path, new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False))
    return path


BOTS = {"p2": "R", "p3": "own.py:Gone"}


@pytest.fixture
def with_bots(tmp_path: Path) -> Path:
    """The same game, of which the file says that bots have two seats."""
    path = tmp_path / "bots.json"
    saves.write(path, new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False), BOTS)
    return path


def until(kind: str, seed: int = 1) -> Game:
    """A random game up to the first question of a kind."""
    chance = random.Random(seed)
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=seed)
    while game.question is not None and game.question.kind != kind:
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.with_price(chance.randint(*option.span)))
    assert game.question is not None
    return game


def with_span(path: Path) -> tuple[int, int, int]:
    """Save a game in which a price is asked for; the number of that answer and its bounds."""
    for seed in range(1, 20):
        game = until("purchase_trains", seed)
        chance = random.Random(seed)
        while game.question is not None:
            for number, option in enumerate(game.question.options, start=1):
                if option.span is not None and option.span.low < option.span.high:
                    saves.write(path, game)
                    return number, *option.span
            option = chance.choice(game.question.options)
            game.apply(option.action if option.span is None else option.with_price(option.span.low))
    raise AssertionError("no price was ever asked for")


# titles, new


def test_titles_lists_what_can_be_played() -> None:
    text = ostbahn("titles").stdout
    assert "18CZ" in text
    assert "3, 4, 5, 6" in text


def test_new_begins_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text = ostbahn("new", path, "--player", "Anna", "--player", "Ben", "--player", "Cyril", "--seed", "7").stdout
    game = saves.read(path)
    assert game.setup.players == ("Anna", "Ben", "Cyril")
    assert game.setup.seed == 7
    assert "seed 7" in text
    names = [game.setup.players[int(seat[1:]) - 1] for seat in game.state.order]
    assert f"Playing order: {', '.join(names)}" in text


def test_new_says_which_seed_it_took(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text = ostbahn("new", path, "--players", "4").stdout
    game = saves.read(path)
    assert f"seed {game.setup.seed}" in text
    assert game.setup.players == ("Player 1", "Player 2", "Player 3", "Player 4")


def test_new_takes_preset_rulings_and_order(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    options = ("--preset", "18xx.games", "--ruling", "consent=asked", "--given-order", "--title", "18cz")
    ostbahn("new", path, "--players", "3", *options)
    game = saves.read(path)
    assert game.setup.rulings["consent"] == "asked"
    assert game.setup.rulings["highest_revenue"] == "not demanded"
    assert game.state.order == ("p1", "p2", "p3")
    assert game.setup.title == "18CZ"


def test_new_overwrites_only_when_told_to(file: Path) -> None:
    before = file.read_bytes()
    assert refused("new", file, "--players", "3") == f"{file} exists already; --force overwrites it"
    assert file.read_bytes() == before
    ostbahn("new", file, "--players", "5", "--force")
    assert len(saves.read(file).setup.players) == 5


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "who plays? Name each with --player NAME, or say --players N"),
        (["--players", "2"], "18CZ (base) is for 3 to 6 players, not 2 (18CZ I/1)"),
        (["--players", "-1"], "18CZ (base) is for 3 to 6 players, not 0 (18CZ I/1)"),
        (["--players", "1000000"], "18CZ (base) is for 3 to 6 players, not 99 (18CZ I/1)"),
        (["--player", "A", "--players", "3"], "3 players should have as many names, not 1"),
        (["--player", "A", "--player", "A", "--player", "B"], "two players have the same name"),
        (["--player", "A", "--player", " ", "--player", "B"], "' ' cannot be a player's name"),
        (["--player", "A", "--player", "x\ny", "--player", "B"], "'x\\ny' cannot be a player's name"),
        (["--player", "A", "--player", "\udcff", "--player", "B"], "'\\udcff' cannot be a player's name"),
        (
            ["--players", "3", "--title", "1830"],
            "there is no 1830 (base); known are "
            + ", ".join(f"{entry.title} ({entry.variant})" for entry in CATALOGUE),
        ),
        (["--players", "3", "--preset", "x"], "there is no preset x; known are rulebook, 18xx.games"),
        (["--players", "3", "--ruling", "consent"], "a ruling is given as ID=VALUE, not 'consent'"),
        (
            ["--players", "3", "--ruling", "consent=no"],
            "ruling consent is one of 'asked', 'taken for granted', not 'no'",
        ),
    ],
)
def test_new_refuses_what_cannot_be_played(tmp_path: Path, options: list[str], text: str) -> None:
    path = tmp_path / "game.json"
    assert refused("new", path, *options) == text
    assert not path.exists()


# ask


def test_ask_numbers_the_answers(file: Path) -> None:
    text = ostbahn("ask", file).stdout.splitlines()
    assert text[0] == "Anna: buy a Local Railway"
    assert text[1] == "Anna has 380 K"
    assert text[2] == "   1  buy Local Railway S1  (Plan – Tachau, income 5 K, costs 25 K)"
    assert text[-1] == "  19  pass"


def test_ask_for_programs_decodes_to_the_options_of_the_question(file: Path) -> None:
    with_span(file)
    game = saves.read(file)
    assert game.question is not None
    found: dict[str, Any] = json.loads(ostbahn("ask", file, "--json").stdout)
    assert found["over"] is False
    assert found["who"] == game.question.decider
    assert found["name"] in game.setup.players
    assert found["company"] == game.question.company
    assert found["kind"] == game.question.kind
    assert found["digest"] == game.state.digest
    for number, (row, option) in enumerate(zip(found["options"], game.question.options, strict=True), start=1):
        assert row["number"] == number
        assert saves.decode_action("18CZ", row["action"]) == option.action
        expected = None if option.span is None else {"low": option.span.low, "high": option.span.high}
        assert row["span"] == expected
    assert any(row["span"] for row in found["options"])


def test_ask_goes_back_in_time(file: Path) -> None:
    ostbahn("do", file, "1")
    assert ostbahn("ask", file).stdout.startswith("Ben: ")
    assert ostbahn("ask", file, "--at", "0").stdout.startswith("Anna: ")
    assert refused("ask", file, "--at", "2") == "there is no state 2: the states of this game go from 0 to 1"
    assert refused("ask", file, "--at", "-1") == "there is no state -1: the states of this game go from 0 to 1"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game in which nobody does more than he must."""
    game = new_game("18CZ", ["Anna", "Ben", "Cyril"], seed=3)
    while game.question is not None:
        game.apply(game.question.options[-1].action)
    path = tmp_path_factory.mktemp("finished") / "game.json"
    saves.write(path, game)
    return path


def test_after_the_end_ask_tells_the_results(finished: Path) -> None:
    text = ostbahn("ask", finished).stdout
    assert "The game is over." in text
    found = json.loads(ostbahn("ask", finished, "--json").stdout)
    assert found["over"] is True
    assert {row["name"] for row in found["results"]} == {"Anna", "Ben", "Cyril"}
    assert any(row["winner"] for row in found["results"])
    worth = [row["wealth"] for row in found["results"]]
    assert worth == sorted(worth, reverse=True)
    assert refused("do", finished, "1") == "the game is over"
    assert refused("do", finished, '{"do": "pass"}') == "the game is over"
    assert "wins" in ostbahn("show", finished).stdout


# do


def test_do_by_number_changes_the_file_and_tells_what_happened(file: Path) -> None:
    text = ostbahn("do", file, "18").stdout.splitlines()
    assert text == [
        "1. Anna: bought Local Railway L6 for 80 K",
        "     Anna pays the bank 80 K (Local Railway L6)",
        "Ben: buy a Local Railway",
    ]
    assert saves.read(file).state.cash["p1"] == 300


def test_do_by_json(file: Path) -> None:
    ostbahn("do", file, '{"do": "buy_local", "local": "M3"}')
    ostbahn("do", file, '{"by": "p2", "do": "buy_local", "local": "S3"}')
    assert [action.local for _, action in saves.read(file).actions()] == ["M3", "S3"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("who", ["p1", "Anna", "anna"])
def test_do_takes_seats_and_names(file: Path, who: str) -> None:
    ostbahn("do", file, "1", "--by", who)
    assert len(saves.read(file)) == 1


def test_do_with_a_price(file: Path) -> None:
    number, low, high = with_span(file)
    before = len(saves.read(file))
    assert refused("do", file, str(number)) == f"answer {number} needs a price: {number}@{low} to {number}@{high}"
    assert "18CZ" in refused("do", file, f"{number}@{high + 1}")
    ostbahn("do", file, f"{number}@{low + 1}")
    *_, (_, action) = saves.read(file).actions()
    assert action.price == low + 1  # type: ignore[attr-defined]
    assert len(saves.read(file)) == before + 1


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("0", "the answers are numbered 1 to 19, there is no 0"),
        ("20", "the answers are numbered 1 to 19, there is no 20"),
        ("1@5", "answer 1 has no price to choose: buy Local Railway S1"),
        ("first", "'first' is neither the number of an answer nor an action in JSON"),
        ("", "'' is neither the number of an answer nor an action in JSON"),
        ("9" * 5000, "'999"),
        ("{", "this is no JSON: Input data was truncated"),
        ('{"do": "fly"}', "this is no action of 18CZ: there is no action 'fly' in 18CZ"),
        ('{"do": 3}', "this is no action of 18CZ: "),
        ("{}", "this is no action of 18CZ: missing field `do`"),
        ('{"do": "buy_local"}', "this is no action of 18CZ: missing field `local`"),
        ('{"do": "buy_local", "local": "S1", "x": 1}', "this is no action of 18CZ: unknown field `x`"),
        ('{"do": "buy_local", "local": "X9"}', "there is no Local Railway called X9 (18CZ VI/2)"),
        ('{"do": "pay_out"}', "now is the time to buy a Local Railway, not to pay out (18CZ VI/2)"),
        ('{"by": "p2", "do": "pass"}', "Anna decides now, not Ben (18CZ VI/1)"),
        ('{"by": 7, "do": "pass"}', "this is no action of 18CZ: `by` is a seat or a player's name"),
    ],
)
def test_do_refuses_and_leaves_the_file_as_it_was(file: Path, answer: str, text: str) -> None:
    before, when = file.read_bytes(), file.stat().st_mtime_ns
    assert refused("do", file, answer).startswith(text)
    assert file.read_bytes() == before
    assert file.stat().st_mtime_ns == when
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_do_and_undo_keep_the_bots_of_a_save(with_bots: Path) -> None:
    before = with_bots.read_bytes()
    ostbahn("do", with_bots, "18")
    assert files.open_save(with_bots).bots == BOTS
    assert len(saves.read(with_bots)) == 1
    ostbahn("undo", with_bots)
    assert with_bots.read_bytes() == before


def test_a_bot_answers_for_whoever_is_asked(with_bots: Path) -> None:
    """For a person by what a hint says, and for a seat that it has as it plays there."""
    advice = hint(saves.read(with_bots)).action
    text = ostbahn("do", with_bots, "--bot", "N").stdout
    game = saves.read(with_bots)
    assert [by for by, _ in game.actions()] == ["p1"]
    assert game.records[0].action == advice
    assert text.startswith("1. Anna: ")
    assert text.rstrip().endswith("Ben: buy a Local Railway")
    ostbahn("do", with_bots, "--bot", "R")
    position, again = game.copy(), saves.read(with_bots)
    assert position.question is not None
    seated = opponents.seat_bots(position, ["R", "R"]).bots["p2"]
    assert again.records[1].action == seated.choose(position.question, position)
    assert files.open_save(with_bots).bots == BOTS


def test_a_bot_that_fails_is_told_and_another_answer_is_saved(file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("class Fails:\n    def choose(self, question, game):\n        raise ValueError('no idea')\n")
    text = " ".join(ostbahn("do", file, "--bot", f"{own}:Fails").stdout.split())
    assert "(the bot failed, and another answer was taken for it: ValueError: no idea)" in text
    assert len(saves.read(file)) == 1


CHEATS = """
import sys
import msgspec

class Rich:
    def choose(self, question, game):
        game.state.cash[question.decider] += 1000
        return question.options[0].action

class Digging:
    def choose(self, question, game):
        sys._getframe(1).f_locals["game"].state.cash[question.decider] += 1000
        return question.options[0].action

class Cheaper:
    def choose(self, question, game):
        papers = game.rulebook.title.locals
        for name, paper in list(papers.items()):
            papers[name] = msgspec.structs.replace(paper, price=1)
        return question.options[0].action
"""


def test_a_bot_that_enriches_itself_leaves_a_save_that_can_be_read(file: Path, tmp_path: Path) -> None:
    """It could not, and nobody was told."""
    own = tmp_path / "cheats.py"
    own.write_text(CHEATS)
    ostbahn("do", file, "--bot", f"{own}:Rich")
    game = saves.read(file)
    assert len(game) == 1
    assert max(game.state.cash[seat] for seat in game.state.players) < 1000


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Digging", "the bot cheats.py:Digging changed the game while it was asked"),
        ("Cheaper", "cheats.py:Cheaper changed the game or the rules, and the digest is"),
    ],
)
def test_where_a_bot_changes_the_real_game_nothing_is_saved(file: Path, tmp_path: Path, name: str, words: str) -> None:
    own, before = tmp_path / "cheats.py", file.read_bytes()
    own.write_text(CHEATS)
    command = [sys.executable, "-m", "ostbahn", "do", str(file), "--bot", f"{own}:{name}"]  # it changes its process
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert done.stdout == ""
    assert file.read_bytes() == before


def test_a_bot_has_its_time_to_answer_and_no_more(file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("class Loops:\n    def choose(self, question, game):\n        while True:\n            pass\n")
    text = " ".join(ostbahn("do", file, "--bot", f"{own}:Loops", "--limit", "0.05").stdout.split())
    assert "it had 0.05 seconds and did not answer" in text
    assert len(saves.read(file)) == 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([], "who answers? Give an ANSWER, as `ask` numbers them, or name a bot with --bot CODE, not both"),
        (
            ["18", "--bot", "G"],
            "who answers? Give an ANSWER, as `ask` numbers them, or name a bot with --bot CODE, not both",
        ),
        (["--bot", "Q"], "there is no bot 'Q'; known are"),
        (["--bot", "gone.py:Own"], "there is no file gone.py"),
        (["--bot", "G", "--by", "Ben"], "Anna decides now, not Ben"),
        (["--bot", "G", "--limit", "0"], "a bot needs some time to answer"),
    ],
)
def test_do_needs_one_who_answers(file: Path, given: list[str], text: str) -> None:
    before = file.read_bytes()
    assert text in refused("do", file, *given)
    assert file.read_bytes() == before


def test_after_the_end_no_bot_answers(finished: Path) -> None:
    before = finished.read_bytes()
    assert refused("do", finished, "--bot", "G") == "the game is over"
    assert finished.read_bytes() == before


def test_do_is_refused_to_the_wrong_player(file: Path) -> None:
    assert refused("do", file, "1", "--by", "Ben") == "Anna decides now, not Ben (18CZ VI/1)"
    assert refused("do", file, "1", "--by", "Dora").startswith("nobody here is called Dora; the players are Anna (p1)")


def test_a_hex_that_does_not_exist_is_refused_with_the_rule(file: Path) -> None:
    saves.write(file, until("lay_track"))
    assert refused("do", file, '{"do": "lay_tile", "hex": "Z9", "tile": "57", "rotation": 0}') == (
        "there is no hex Z9 on the map (18CZ VIII.4/18)"
    )


# undo, show


def test_undo_takes_back_and_tells_what(file: Path) -> None:
    before = file.read_bytes()
    ostbahn("do", file, "1")
    ostbahn("do", file, "1")
    after_two = file.read_bytes()
    ostbahn("do", file, "1")
    assert "taken back: 3. Cyril: bought Local Railway S3 for 35 K" in ostbahn("undo", file).stdout
    assert file.read_bytes() == after_two
    ostbahn("undo", file, "2")
    assert file.read_bytes() == before
    assert refused("undo", file) == "the game has 0 actions, so 1 cannot be taken back"
    assert file.read_bytes() == before


def test_show_tells_everything_on_the_table(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    game = until("purchase_trains", 4)
    saves.write(file, game)
    text = ostbahn("show", file).stdout
    state = game.state
    for player, name in zip(state.players, game.setup.players, strict=True):
        row = next(line for line in text.splitlines() if line.startswith(f"{player} "))
        assert name in row
        assert f"{state.cash[player]} K" in row
    assert isinstance(state, CzState)
    for company in state.start_prices:
        assert any(line.split()[:1] == [company] for line in text.splitlines())
    for word in ("Operating round 1.1", "phase ", "Share-price chart", "next card", "Phase "):
        assert word in text
    assert all(hex_.id in text for hex_ in cz_title().map)
    assert f"The last of {len(game)} actions" in text
    drawn = [line for line in text.splitlines() if set(line) & set("│─┼")]
    assert max(map(len, drawn)) == 120


def test_a_copy_of_a_running_game_goes_on_and_says_whose_draws_it_has(tmp_path: Path) -> None:
    game = golden_game("18CZ-bohemia-2").position(30)
    own, copied = tmp_path / "own.json", tmp_path / "copied.json"
    saves.write(own, game)
    saves.write(copied, reseeded(game, 2**128 + 1))
    says = "A copy of a game in progress: it holds the draws made so far. Later draws are its own."
    assert says in ostbahn("show", copied).stdout
    assert says not in ostbahn("show", own).stdout
    assert ostbahn("replay", copied).stdout.startswith("30 actions, every one accepted")


def test_show_goes_back_in_time(file: Path) -> None:
    ostbahn("do", file, "1")
    assert "1 actions" in ostbahn("show", file).stdout
    assert "0 actions" in ostbahn("show", file, "--at", "0").stdout


def test_show_fits_a_narrow_screen(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    saves.write(file, until("purchase_trains", 4))
    drawn = [line for line in ostbahn("show", file).stdout.splitlines() if set(line) & set("│─┼")]
    assert drawn
    assert max(map(len, drawn)) <= 80


def test_nothing_in_a_name_is_taken_for_markup(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    ostbahn("new", path, "--player", "[red]Anna", "--player", "[/]", "--player", ":smile:", "--given-order")
    for command in ("show", "ask"):
        assert "[red]Anna" in ostbahn(command, path).stdout
    assert ":smile:" in ostbahn("show", path).stdout


# replay


def test_replay_tells_actions_results_and_digest(file: Path) -> None:
    game = until("purchase_trains", 2)
    saves.write(file, game)
    text = ostbahn("replay", file).stdout
    assert f"{len(game)} actions" in text
    assert all(name in text for name in game.setup.players)
    assert f"digest {game.state.digest}" in text


def test_replay_writes_traces_plain_and_packed_and_a_save(file: Path, tmp_path: Path) -> None:
    game = until("purchase_trains", 2)
    saves.write(file, game)
    plain, packed, legal, copy = (tmp_path / name for name in ("t.jsonl", "t.jsonl.gz", "l.jsonl", "copy.json"))
    ostbahn("replay", file, "--trace", plain, "--legal", legal, "--save", copy)
    ostbahn("replay", file, "--trace", packed)
    lines = [json.loads(line) for line in plain.read_text().splitlines()]
    assert [line["id"] for line in lines] == list(range(len(game) + 1))
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert all("before" in json.loads(line) for line in legal.read_text().splitlines())
    assert copy.read_bytes() == file.read_bytes()


def test_a_save_that_replay_makes_of_a_save_has_the_same_bots(with_bots: Path, tmp_path: Path) -> None:
    ostbahn("replay", with_bots, "--save", tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == with_bots.read_bytes()


def test_packed_lines_do_not_depend_on_the_time(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        commands.write_lines(tmp_path / name, iter([{"id": 0}, {"id": 1}]))
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_trace_that_cannot_be_written_is_told(file: Path, tmp_path: Path) -> None:
    assert refused("replay", file, "--trace", tmp_path / "none" / "t").endswith("No such file or directory")
    assert refused("replay", file, "--trace", tmp_path).endswith("cannot be written: it is a folder")


@pytest.mark.parametrize("start", [("-m", "ostbahn"), ("-c", "from ostbahn.cli.main import run; run()")])
def test_the_version_is_told_however_the_program_is_started(start: tuple[str, ...]) -> None:
    told = subprocess.run([sys.executable, *start, "--version"], capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == (f"ostbahn {__version__}\n", "")
