"""Save files: what is written can be read again, and whatever is wrong with a file is told in one line."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, get_args

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ostbahn.interop import files, saves
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadFile, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import SITE, new_game
from ostbahn.storage import replacing
from ostbahn.titles.cz.actions import CzAction, LayTile, RunTrains, TrainRun
from ostbahn.titles.cz.state import LayTrack

Document = dict[str, Any]


def play(game: Game, actions: int, seed: int) -> Game:
    """Go on with random legal answers."""
    chance = random.Random(seed)
    for _ in range(actions):
        if game.question is None:
            break
        option = chance.choice(game.question.options)
        game.apply(option.action if option.span is None else option.at(chance.randint(*option.span)))
    return game


@cache
def saved() -> bytes:
    """A game of 60 actions."""
    return saves.dump(play(new_game("18CZ", ["Anna", "Břetislav", "Cyril"], seed=11), 60, 11))


def document() -> Document:
    found: Document = json.loads(saved())
    return found


def load_changed(change: Callable[[Document], None]) -> Game:
    changed = document()
    change(changed)
    return saves.load(json.dumps(changed).encode())


def one_line(fault: pytest.ExceptionInfo[BadFile]) -> str:
    text = str(fault.value)
    assert text
    assert text.isprintable(), text
    return text


# Writing and reading again


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_comes_back_as_it_was(players: int, seed: int) -> None:
    names = [f"Player {seat}" for seat in range(players)]
    game = play(new_game("18CZ", names, seed=seed), 60, seed)
    again = saves.load(saves.dump(game))
    assert again.state == game.state
    assert again.state.digest == game.state.digest
    assert list(again.actions()) == list(game.actions())
    assert again.records == game.records
    assert again.setup == game.setup
    assert saves.dump(again) == saves.dump(game)


def test_a_long_game_under_other_rulings_comes_back_as_it_was() -> None:
    game = new_game("18CZ", ["A", "B", "C"], seed=5, draw_order=False, preset=SITE, rulings={"consent": "asked"})
    play(game, 250, 5)
    again = saves.load(saves.dump(game))
    assert again.state.digest == game.state.digest
    assert again.setup == game.setup


def test_a_save_older_than_a_ruling_is_played_as_games_were_before_it() -> None:
    """Vaclav's first company passed its track, which not every ruling on it allows."""
    game = new_game("18CZ", ["A", "B"], variant="bohemia", seed=3)
    while not isinstance(game.state.agenda[-1], LayTrack):
        game.apply(Pass())
    game.apply(Pass())
    older: Document = json.loads(saves.dump(game))
    for name in ("emergency_money", "vaclav_track", "praha_places", "pool_card_scrapped"):
        del older["setup"]["rulings"][name]
    again = saves.load(json.dumps(older).encode())
    assert again.state.digest == game.state.digest
    assert again.setup == game.setup, "a save of it names them from now on"


def test_a_game_without_actions_comes_back() -> None:
    game = new_game("18CZ", ["A", "B", "C"])
    assert saves.load(saves.dump(game)).state == game.state


@pytest.mark.parametrize("kind", get_args(CzAction), ids=lambda kind: str(kind.__struct_config__.tag))
def test_every_action_comes_back(kind: type[Action]) -> None:
    """With all fields filled, and with those left out that may be."""
    values: dict[str, Any] = {
        "str": "D4",
        "int": 3,
        "str | None": "S1",
        "int | None": 7,
        "tuple[TrainRun, ...]": (TrainRun("a1", ("D4.0", "D6", "E7")),),
    }
    required = {
        field.name: values[str(kind.__annotations__[field.name])]
        for field in msgspec.structs.fields(kind)
        if field.required
    }
    everything = {field.name: values[str(kind.__annotations__[field.name])] for field in msgspec.structs.fields(kind)}
    for fields in (required, everything):
        action = kind(**fields)
        as_json = json.loads(json.dumps(saves.encode_action(action)))
        assert saves.decode_action("18CZ", as_json) == action


def test_what_is_not_said_is_not_written() -> None:
    assert saves.encode_action(LayTile("D4", "57", 2)) == {"do": "lay_tile", "hex": "D4", "tile": "57", "rotation": 2}
    assert saves.encode_action(RunTrains((), 0)) == {"do": "run_trains", "runs": (), "claim": 0}


def test_a_save_is_readable() -> None:
    lines = saved().decode().splitlines()
    assert lines[0] == "{"
    assert lines[1] == '  "format": "ostbahn",'
    assert lines[2] == '  "version": 1,'
    assert '    "players": ["Anna", "Břetislav", "Cyril"],' in lines
    first = lines.index('  "actions": [')
    rows = [json.loads(line.rstrip(",")) for line in lines[first + 1 : first + 61]]
    assert rows == document()["actions"]
    assert all(list(row)[:2] == ["by", "do"] for row in rows)
    assert max(map(len, lines)) < 400


# Bots


def test_bots_come_back_with_their_seats_and_change_nothing_else() -> None:
    game, bots = saves.load(saved()), {"p2": "S:200", "p3": "bots/own.py:Thrifty"}
    with_bots = saves.dump(game, bots)
    again = saves.restore(saves.parse(with_bots))
    assert again.bots == bots
    assert again.game.state == game.state
    assert list(again.game.actions()) == list(game.actions())
    assert saves.dump(*again) == with_bots
    assert saves.dump(again.game) == saved()


def test_only_a_save_with_bots_needs_a_later_ostbahn() -> None:
    """An earlier one reads version 1, with the five fields that it knows."""
    game = saves.load(saved())
    assert list(document()) == ["format", "version", "setup", "actions", "digest"]
    assert document()["version"] == 1
    found = json.loads(saves.dump(game, {"p2": "S"}))
    assert list(found) == ["format", "version", "setup", "bots", "actions", "digest"]
    assert found["version"] == 2
    assert '\n  "bots": {"p2": "S"},\n' in saves.dump(game, {"p2": "S"}).decode()


def test_a_save_without_bots_has_none() -> None:
    assert saves.restore(document()).bots == {}


@pytest.mark.parametrize("bots", [{"p4": "S"}, {"p2": ""}, {"p2": "a\nb.py:Own"}, {"p2": "\udcff.py:Own"}])
def test_bots_that_could_not_be_read_again_are_not_written(tmp_path: Path, bots: dict[str, str]) -> None:
    file = tmp_path / "game.json"
    with pytest.raises(BadFile, match=r"^the bots are faulty: ") as fault:
        saves.write(file, saves.load(saved()), bots)
    one_line(fault)
    assert not file.exists()


def test_another_process_with_another_hash_seed_reads_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(saved())
    program = f"from ostbahn.interop import saves; print(saves.read({str(file)!r}).state.digest)"
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip() == document()["digest"]


# Files that cannot be read


def test_no_part_of_a_save_is_a_save() -> None:
    """Wherever a file breaks off, that is said, with the place."""
    data = saved()
    for length in range(1, len(data.rstrip()), 7):
        with pytest.raises(BadFile) as fault:
            saves.load(data[:length])
        line = data[:length].rstrip().count(b"\n") + 1
        text = one_line(fault)
        assert "breaks off" in text or "not a text file in UTF-8" in text
        assert f"line {line}," in text or "UTF-8" in text


def test_a_save_cut_off_in_a_line_says_where() -> None:
    with pytest.raises(BadFile, match=r"^the file breaks off in line 2, column 17: its end is missing$"):
        saves.load(b'{\n  "format": "ost')


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\xff\xfe{\x00}\x00", "this is not a text file in UTF-8 (byte 1)"),
        (b"PK\x03\x04\x80", "this is not a text file in UTF-8 (byte 5)"),
        (b"hello", "this is not JSON: invalid character in line 1, column 1"),
        (b'{"format": "ostbahn",\n }', "this is not JSON: trailing comma in object in line 2, column 2"),
        (b'{"format": "ostbahn"} {', "this is not JSON: trailing characters in line 1, column 23"),
        (b"[]", "this is not an Ostbahn save, but some other JSON"),
        (b"18", "this is not an Ostbahn save, but some other JSON"),
        (b"{}", 'this is not an Ostbahn save (its "format" is not "ostbahn")'),
        (b'{"format": ["ostbahn"]}', 'this is not an Ostbahn save (its "format" is not "ostbahn")'),
        (b'{"format": "ostbahn"}', "an Ostbahn save without a proper version (it says None)"),
        (b'{"format": "ostbahn", "version": "1"}', "an Ostbahn save without a proper version (it says '1')"),
        (b'{"format": "ostbahn", "version": true}', "an Ostbahn save without a proper version (it says True)"),
        (b'{"format": "ostbahn", "version": 0}', "an Ostbahn save without a proper version (it says 0)"),
        (
            b'{"format": "ostbahn", "version": 3, "moves": []}',
            "was written by a later Ostbahn (version 3); this one reads versions 1 to 2",
        ),
        (b'{"format": "ostbahn", "version": 1}', "the field `setup` is missing in this Ostbahn save"),
    ],
)
def test_a_file_that_is_no_save_of_ours(data: bytes, text: str) -> None:
    with pytest.raises(BadFile) as fault:
        saves.load(data)
    assert one_line(fault) == text


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(BadFile, match="nested too deeply"):
        saves.load(b"[" * 200_000)


def test_a_byte_order_mark_does_not_matter() -> None:
    assert saves.load(b"\xef\xbb\xbf" + saved()).state.digest == document()["digest"]


def set_(*path: str | int, value: Any) -> Callable[[Document], None]:
    def change(found: Any) -> None:
        for step in path[:-1]:
            found = found[step]
        found[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Document], None]:
    def change(found: Any) -> None:
        for step in path[:-1]:
            found = found[step]
        del found[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (set_("mood", value="good"), r"unknown field `mood` in an Ostbahn save"),
        (drop("digest"), r"the field `digest` is missing in this Ostbahn save"),
        (drop("actions"), r"the field `actions` is missing in this Ostbahn save"),
        (set_("actions", value={}), r"the actions are not a list"),
        (set_("bots", value=["S"]), r"the bots are faulty: Expected an object, got `array`"),
        (set_("bots", value={"p2": 7}), r"the bots are faulty: Expected `str`, got `int` .*"),
        (set_("bots", value={"p4": "S"}), r"the bots are faulty: there is no seat 'p4'; the seats are p1, p2, p3"),
        (set_("bots", value={"p2": ""}), r"the bots are faulty: '' cannot be the code of a bot \(p2\)"),
        (set_("bots", value={"p2": "S\x1b[2J"}), r"the bots are faulty: 'S\\x1b\[2J' cannot be the code .*"),
        (set_("setup", value=None), r"the set-up is faulty: .*"),
        (set_("setup", "colour", value="red"), r"the set-up is faulty: unknown field `colour`"),
        (drop("setup", "players"), r"the set-up is faulty: missing field `players`"),
        (set_("setup", "seed", value="x"), r"the set-up is faulty: Expected `int`, got `str` at `seed`"),
        (set_("setup", "title", value="1830"), r"the set-up cannot be played: there is no 1830 \(base\); known are .*"),
        (set_("setup", "variant", value="x"), r"the set-up cannot be played: there is no 18CZ \(x\); known are .*"),
        (set_("setup", "players", value=["A", "B"]), r"the set-up cannot be played: .* 3 to 6 players, not 2 .*"),
        (set_("setup", "players", value=["A", "A", "B"]), r"the set-up cannot be played: two players .* same name"),
        (set_("setup", "players", value=["A", "", "B"]), r"the set-up cannot be played: '' cannot be a .* name"),
        (
            set_("setup", "players", 0, value="A\x1b[2J"),
            r"the set-up cannot be played: 'A\\x1b\[2J' cannot be a .* name",
        ),
        (set_("setup", "rulings", "consent", value="no"), r"the set-up cannot be played: ruling consent is one of .*"),
        (set_("setup", "rulings", "mercy", value="no"), r"the set-up cannot be played: there is no ruling mercy; .*"),
        (set_("actions", 4, value="pass"), r"action 5 cannot be read: it does not say by whom"),
        (drop("actions", 4, "by"), r"action 5 cannot be read: it does not say by whom"),
        (drop("actions", 4, "do"), r"action 5 cannot be read: missing field `do`"),
        (set_("actions", 4, "do", value="fly"), r"action 5 cannot be read: there is no action 'fly' in 18CZ"),
        (set_("actions", 4, "speed", value=9), r"action 5 cannot be read: unknown field `speed`"),
        (
            set_("digest", value="0" * 16),
            r"the digest is '0000000000000000', but the actions lead to '[0-9a-f]{16}': .*",
        ),
        (set_("digest", value=None), r"the digest is None, but the actions lead to '[0-9a-f]{16}': .*"),
        (lambda found: found["actions"].pop(), r"the digest is .*, but the actions lead to .*"),
    ],
)
def test_a_save_that_was_tampered_with(change: Callable[[Document], None], text: str) -> None:
    with pytest.raises(BadFile) as fault:
        load_changed(change)
    assert re.fullmatch(text, one_line(fault)), str(fault.value)


def test_a_wrong_type_in_an_action_is_told_with_its_place() -> None:
    entry = {"by": document()["actions"][0]["by"], "do": "buy_local", "local": 7}
    with pytest.raises(BadFile, match=r"^action 1 cannot be read: Expected `str`, got `int` at `local`$"):
        load_changed(set_("actions", 0, value=entry))


def test_an_illegal_action_is_told_with_its_number_and_what_the_referee_says() -> None:
    first = document()["actions"][0]["by"]
    with pytest.raises(BadFile, match=r"^action 1 \(buy_local by p\d\) is refused: .* called X9 \(18CZ VI/2\)$"):
        load_changed(set_("actions", 0, value={"by": first, "do": "buy_local", "local": "X9"}))


def test_an_action_of_the_wrong_player_is_refused() -> None:
    first = document()["actions"][0]["by"]
    other = next(seat for seat in ("p1", "p2", "p3") if seat != first)
    with pytest.raises(BadFile, match=r"^action 1 \(\w+ by p\d\) is refused: \w+ decides now, not \w+ \(18CZ VI/1\)$"):
        load_changed(set_("actions", 0, "by", value=other))


def test_an_action_after_the_end_is_refused() -> None:
    game = new_game("18CZ", ["A", "B", "C"])
    game._states[-1] = msgspec.structs.replace(game.state, agenda=())  # whatever ended it
    with pytest.raises(Refused, match="the game is over"):
        game.apply(saves.decode_action("18CZ", {"do": "pass"}))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_byte_is_never_more_than_a_bad_file(data: st.DataObject) -> None:
    """It may change a name and be none the worse; otherwise it is told in one line."""
    bad = bytearray(saved())
    for _ in range(data.draw(st.integers(1, 3))):
        bad[data.draw(st.integers(0, len(bad) - 1))] = data.draw(st.integers(0, 255))
    try:
        saves.load(bytes(bad))
    except BadFile as fault:
        assert "\n" not in str(fault)  # noqa: PT017 - not failing is fine as well


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(values, st.sampled_from([("setup",), ("setup", "players"), ("setup", "rulings"), ("actions",), ("actions", 0)]))
@settings(max_examples=60, deadline=None)
def test_any_value_anywhere_is_never_more_than_a_bad_file(value: Any, path: tuple[str | int, ...]) -> None:
    assume((path, value) != (("setup", "rulings"), {}))  # a game may be older than every ruling
    with pytest.raises(BadFile):
        load_changed(set_(*path, value=value))


# Files on the disk


@pytest.mark.parametrize("opened", [saves.read, files.open_game, files.open_save])
def test_what_is_no_file_is_told_with_its_name(tmp_path: Path, opened: Callable[[Path], object]) -> None:
    with pytest.raises(BadFile, match=r"/none\.json: there is no such file$"):
        opened(tmp_path / "none.json")
    with pytest.raises(BadFile, match=r": this is a folder, not a file$"):
        opened(tmp_path)
    with pytest.raises(BadFile, match=r"cannot be read: embedded null byte$"):
        opened(tmp_path / "a\0b")
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(BadFile, match=r"/picture\.json: this is not a text file in UTF-8 \(byte 1\)$"):
        opened(tmp_path / "picture.json")


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(self: Path) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(BadFile, match=r"/game\.json: cannot be read: Permission denied$"):
        saves.read(tmp_path / "game.json")


def test_a_save_is_recognised_among_files(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(saved())
    assert files.open_game(file).state.digest == files.open_save(file).game.state.digest == document()["digest"]


@pytest.mark.parametrize("text", ['{"a": 1}', '{"actions": [], "title": "18CZ"}', '{"players": [], "format": "x"}'])
def test_foreign_json_is_no_game(tmp_path: Path, text: str) -> None:
    file = tmp_path / "foreign.json"
    file.write_text(text)
    with pytest.raises(BadFile, match=r"/foreign\.json: this is neither an Ostbahn save nor an export of 18xx\.games$"):
        files.open_game(file)


def test_an_export_is_never_taken_for_a_file_to_write(tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    file.write_text('{"actions": [], "title": "18CZ", "players": []}')
    with pytest.raises(BadFile, match="which is only read"):
        files.open_save(file)


# Writing is all or nothing


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def game_now() -> Game:
    return new_game("18CZ", ["A", "B", "C"])


def test_a_game_is_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    saves.write(file, game_now())
    assert saves.read(file).state.digest == game_now().state.digest
    assert names_in(tmp_path) == ["game.json"]


@pytest.mark.parametrize("call", ["replace", "fsync", "fchmod"])
@pytest.mark.parametrize(
    "fault", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), MemoryError()]
)
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, fault: BaseException
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(saved())

    def failing(*_: Any) -> NoReturn:
        raise fault

    monkeypatch.setattr(os, call, failing)
    expected = BadFile if isinstance(fault, OSError) else type(fault)
    with pytest.raises(expected) as told:
        saves.write(file, game_now())
    if expected is BadFile:
        assert str(told.value) == f"{file} cannot be written: No space left on device"
    assert file.read_bytes() == saved()
    assert names_in(tmp_path) == ["game.json"]


def test_a_failed_first_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> NoReturn:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(BadFile):
        saves.write(tmp_path / "game.json", game_now())
    assert names_in(tmp_path) == []


def test_lines_that_fail_halfway_replace_nothing(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_text("old")

    def lines() -> Iterator[bytes]:
        yield b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), replacing(file) as new:
        new.writelines(lines())
    assert file.read_text() == "old"
    assert names_in(tmp_path) == ["trace.jsonl"]


def test_the_new_file_is_on_the_disk_before_it_takes_the_place_and_the_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    real_fsync, real_replace = os.fsync, os.replace

    def fsync(descriptor: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real_fsync(descriptor)

    def replace(source: Path, target: Path) -> None:
        calls.append("replace")
        assert Path(source).parent == Path(target).parent
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    saves.write(tmp_path / "game.json", game_now())
    assert calls == ["file", "replace", "folder"]


def test_permissions_are_kept_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    old, new, usual = tmp_path / "old.json", tmp_path / "new.json", tmp_path / "usual"
    old.write_bytes(b"{}")
    old.chmod(0o640)
    usual.touch()
    saves.write(old, game_now())
    saves.write(new, game_now())
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "link.json", tmp_path / "far" / "game.json"
    target.write_bytes(saved())
    link.symlink_to(target)
    saves.write(link, game_now())
    assert link.is_symlink()
    assert target.read_bytes() == saves.dump(game_now())


def test_where_nothing_can_be_written_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadFile, match=r"/none/game\.json cannot be written: No such file or directory$"):
        saves.write(tmp_path / "none" / "game.json", game_now())
    with pytest.raises(BadFile, match=r"cannot be written: it is a folder$"):
        saves.write(tmp_path, game_now())
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadFile, match=r"cannot be written: it is not a plain file$"):
        saves.write(tmp_path / "pipe", game_now())
    (tmp_path / "kept.json").write_bytes(saved())
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(BadFile, match=r"/kept\.json cannot be written: it is write-protected$"):
        saves.write(tmp_path / "kept.json", game_now())
    assert (tmp_path / "kept.json").read_bytes() == saved()
