"""The wheel in environments of its own: the engine with msgspec alone, and with some extras and without the others."""

from __future__ import annotations

from email import message_from_string
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from bench.compiled import build_wheel
from ostbahn import __version__
from ostbahn.extras import MissingExtra, require_extra
from tests.wheels import Environment, required

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {"play", "web", "postgres", "service", "pictures", "analysis", "learnt", "research", "all"}
LARGE = {"cluster", "train"}  # what `all` does not bring, and tests do not need

WHOLE_GAME = """
import sys
from ostbahn import Game, Refused, load, new_game, save
from ostbahn.bots.playing import RandomBot
from ostbahn.pictures import show

game = new_game(sys.argv[1], ["Anna", "Ben", "Cyril"], seed=11)
bot = RandomBot(5)
while game.question is not None:
    game.apply(bot.choose(game.question, game))
assert game.over
save("game.json", game)
assert load("game.json").state.digest == game.state.digest
picture = show.board(game)
picture.save("board.svg")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"), compiled=False)


@pytest.fixture(scope="module")
def engine(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("engine"), wheel)


@pytest.fixture(scope="module")
def terminal(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("terminal"), wheel, "play")


def test_the_page_of_the_wheel_is_the_readme(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        page = message_from_string(packed.read(name).decode())
    assert str(page.get_payload()).strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip()
    assert (page["Version"], page["License-Expression"]) == (__version__, "MIT")
    assert page["Description-Content-Type"] == "text/markdown"
    classes = page.get_all("Classifier") or ()
    assert all(f"Programming Language :: Python :: 3.{minor}" in classes for minor in range(11, 14))
    assert page.get_all("Project-URL") is None  # there is no public place yet that could be named


def test_the_engine_needs_msgspec_alone() -> None:
    assert required("ostbahn", frozenset()) == {"ostbahn", "msgspec"}
    assert set(distribution("ostbahn").metadata.get_all("Provides-Extra") or ()) == EXTRAS | LARGE
    assert required("ostbahn", frozenset({"all"})) == required("ostbahn", frozenset(EXTRAS))


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_whole_game_is_played_and_drawn_by_the_engine_alone(engine: Environment, title: str, tmp_path: Path) -> None:
    done = engine.run(tmp_path, "python", "-c", WHOLE_GAME, title)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg")


COMMAND_LINE = 'ostbahn: the command line needs the play extra: pip install "ostbahn[play]"\n'


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("ostbahn",), COMMAND_LINE),
        (("ostbahn", "--help"), COMMAND_LINE),
        (("python", "-m", "ostbahn", "serve"), COMMAND_LINE),
    ],
)
def test_programs_tell_what_is_missing(
    engine: Environment, command: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    done = engine.run(tmp_path, *command)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.parametrize("form", ["PNG", "PDF"])
def test_pictures_tell_what_is_missing(engine: Environment, form: str, tmp_path: Path) -> None:
    drawing = f"show.board(new_game('18CZ', ['A', 'B', 'C'])).save('board.{form.lower()}')"
    done = engine.run(tmp_path, "python", "-c", f"from ostbahn import *\nfrom ostbahn.pictures import show\n{drawing}")
    told = f'ostbahn.extras.MissingExtra: {form} needs the pictures extra: pip install "ostbahn[pictures]"'
    assert done.stderr.splitlines()[-1] == told
    assert "During handling" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_game_at_the_terminal_needs_one_extra(terminal: Environment, tmp_path: Path) -> None:
    for line in (
        "new game.json --players 3 --seed 7",
        "ask game.json",
        "do game.json 1",
        "show game.json",
        "hint game.json",
        "analyse game.json",
        "rules 18CZ VIII.6",
        "picture game.json -o board.svg",
    ):
        done = terminal.run(tmp_path, "ostbahn", *line.split())
        assert (done.returncode, done.stderr) == (0, ""), line


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("serve --no-browser --port 0", 'serving needs the web extra: pip install "ostbahn[web]"'),
        (
            "arena 18CZ --bots R --players 3 --on ray",
            'playing on a cluster needs the cluster extra: pip install "ostbahn[cluster]"',
        ),
        ("picture --blank 18CZ -o b.png", 'PNG needs the pictures extra: pip install "ostbahn[pictures]"'),
        ("picture --blank 18CZ -o b.pdf", 'PDF needs the pictures extra: pip install "ostbahn[pictures]"'),
    ],
)
def test_commands_tell_what_is_missing(terminal: Environment, arguments: str, told: str, tmp_path: Path) -> None:
    done = terminal.run(tmp_path, "ostbahn", *arguments.split())
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ostbahn: {told}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_report_tells_what_is_missing(terminal: Environment, tmp_path: Path) -> None:
    terminal.run(tmp_path, "ostbahn", "new", "game.json", "--players", "3")
    for wanted, what in ((("-o", "report.html"), "a report needs"), (("--csv", "there"), "data frames need")):
        done = terminal.run(tmp_path, "ostbahn", "analyse", "game.json", *wanted)
        told = f'ostbahn: {what} the analysis extra: pip install "ostbahn[analysis]"\n'
        assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_the_server_needs_one_extra(wheel: Path, tmp_path: Path) -> None:
    """All that it could ever load is there without the libraries for pictures and research."""
    server = Environment(tmp_path / "server", wheel, "web")
    load = "from ostbahn.server.web.app import preload; import ostbahn.server.web.serving; preload()"
    done = server.run(tmp_path, "python", "-c", load)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["ostbahn.nowhere", "sqlite3.nowhere"])
def test_what_no_extra_brings_is_a_fault_like_any_other(name: str) -> None:
    with pytest.raises(ModuleNotFoundError), require_extra("web", "this needs"):
        __import__(name)


def test_what_is_missing_in_a_library_is_missing_too() -> None:
    with pytest.raises(MissingExtra, match=r"^this needs the web extra: "), require_extra("web", "this needs"):
        __import__("not_a_library.at_all")
