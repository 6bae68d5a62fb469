"""What people see when something is wrong: one line and status 2, never a traceback, and their file untouched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ostbahn.cli.main import app
from ostbahn.interop import saves
from ostbahn.kits.catalogue import new_game
from tests.programs import started

PROGRAM = [sys.executable, "-m", "ostbahn"]


def ostbahn(*args: str | Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *map(str, args)], input=typed, capture_output=True, encoding="utf-8", check=False)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def good() -> bytes:
    return saves.dump(new_game("18CZ", ["Anna", "Ben", "Cyril"], draw_order=False))


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(good()), **fields}).encode()


BAD_FILES = {
    "truncated": good()[:-30],
    "empty": b"",
    "not text": b"\x00\xff\xfe",
    "not JSON": b"To whom it may concern",
    "a list": b"[1, 2]",
    "foreign": b'{"name": "somebody", "age": 7}',
    "future": changed(version=6),
    "unknown title": changed(setup={**json.loads(good())["setup"], "title": "1830"}),
    "unknown field": changed(mood="good"),
    "illegal": changed(actions=[{"by": "p1", "do": "buy_local", "local": "X9"}]),
    "escape codes": changed(actions=[{"by": "p1", "do": "buy_local", "local": "\x1b[2J\n\n"}]),
    "other digest": changed(digest="0123456789abcdef"),
    "half an export": b'{"title": "18CZ", "actions": [{}], "players": [{}]}',
    "deep": b"[" * 100_000,
}
COMMANDS = (
    ("show",),
    ("ask",),
    ("ask", "--json"),
    ("do", "1"),
    ("undo",),
    ("play",),
    ("replay",),
    ("export", "--as", "18xx.games"),
)


def is_one_line(status: int, output: str, errors: str) -> str:
    assert status == 2, errors
    assert output == ""
    assert errors.startswith("ostbahn: ")
    assert errors.endswith("\n")
    line = errors[:-1]
    assert line.isprintable(), line
    return line


def refused(*args: str | Path) -> str:
    """The one line that the program says, as a process of its own."""
    done = ostbahn(*args)
    return is_one_line(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_bad_file_is_one_line_and_stays_as_it_is(tmp_path: Path, kind: str, command: tuple[str, ...]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(BAD_FILES[kind])
    name, *rest = command
    result = CliRunner().invoke(app, [name, str(file), *rest])
    assert str(file) in is_one_line(result.exit_code, result.stdout, result.stderr)
    assert file.read_bytes() == BAD_FILES[kind]
    assert names_in(tmp_path) == ["game.json"]


@pytest.mark.parametrize("kind", ["truncated", "not text", "escape codes", "half an export", "deep"])
def test_the_program_itself_says_no_more(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(BAD_FILES[kind])
    assert str(file) in refused("do", file, "1")
    assert file.read_bytes() == BAD_FILES[kind]


def test_a_truncated_file_says_where_it_breaks_off(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(BAD_FILES["truncated"])
    line = BAD_FILES["truncated"].count(b"\n") + 1
    assert f"{file}: the file breaks off in line {line}, column " in refused("show", file)


def test_a_later_version_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(BAD_FILES["future"])
    assert refused("show", file) == (
        f"ostbahn: {file}: was written by a later Ostbahn (version 6); this one reads versions 1 to 5"
    )


def test_no_file_and_no_folder() -> None:
    assert refused("show", "/none/game.json") == "ostbahn: /none/game.json: there is no such file"
    assert refused("new", "/none/game.json", "--players", "3") == (
        "ostbahn: /none/game.json cannot be written: No such file or directory"
    )
    assert refused("show", "/") == "ostbahn: /: this is a folder, not a file"


def test_an_illegal_action_leaves_the_file_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(good())
    line = refused("do", file, '{"do": "lay_tile", "hex": "D4", "tile": "57", "rotation": 2}')
    assert line == "ostbahn: now is the time to buy a Local Railway, not to lay tile (18CZ VI/2)"
    assert file.read_bytes() == good()


def test_an_export_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_bytes(b'{"title": "18CZ", "players": [], "actions": []}')
    for command in (["do", str(file), "1"], ["undo", str(file)], ["play", str(file)]):
        result = CliRunner().invoke(app, command)
        line = is_one_line(result.exit_code, result.stdout, result.stderr)
        assert "export of 18xx.games, which is only read" in line
    assert file.read_bytes() == b'{"title": "18CZ", "players": [], "actions": []}'


@pytest.mark.parametrize("args", [["show"], ["fly"], ["show", "a", "--at", "x"], ["undo", "a", "0"]], ids=" ".join)
def test_wrong_usage_is_status_2(args: list[str]) -> None:
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""


def test_a_reader_that_stops_reading_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(good())
    with started([*PROGRAM, "show", str(file)]) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == ""
        assert running.wait() == 1


def test_an_output_that_is_full_is_told(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    file = tmp_path / "game.json"
    file.write_bytes(good())
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, "show", str(file)], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "ostbahn: the output cannot be written: No space left on device\n"


def test_an_interrupted_game_ends_quietly_and_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(good())
    with started([*PROGRAM, "play", str(file)]) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write("1\n")
        running.stdin.flush()
        for line in running.stdout:
            if line.startswith("Ben: "):
                break
        running.send_signal(signal.SIGINT)
        assert running.stderr.read() == ""
        assert running.wait() == 130
    assert len(saves.read(file)) == 1


def test_a_terminal_without_our_letters_still_gets_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(good())
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run([*PROGRAM, "show", str(file)], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Anna" in done.stdout
