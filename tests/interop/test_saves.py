"""Save files: what is written can be read again, and whatever is wrong with a file is told in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ostbahn.interop import saves
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.errors import BadFile, Refused
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import SITE, kit_named, new_game
from ostbahn.titles.cz.actions import CzAction, LayTile, RunTrains, TrainRun
from ostbahn.titles.cz.state import LayTrack
from tests.interop.sample_saves import Document, document, play, saved


def load_changed(change: Callable[[Document], object]) -> Game:
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


def resumed(game: Game) -> Game:
    return Game.from_state(game.rulebook, game.setup, game.state)


def forgetful(game: Game) -> Game:
    game.drop_history()
    return game


@pytest.mark.parametrize("beginning_late", [resumed, forgetful, lambda game: resumed(game).copy()])
def test_a_game_that_begins_with_a_later_state_is_not_written(
    tmp_path: Path, beginning_late: Callable[[Game], Game]
) -> None:
    """It was, without a word, and nobody could read it."""
    path = tmp_path / "game.json"
    game = play(beginning_late(play(new_game("18CZ", ["A", "B", "C"]), 20, 1)), 5, 1)
    with pytest.raises(BadFile, match="this game cannot be saved: it does not begin with its set-up") as fault:
        saves.write(path, game)
    one_line(fault)
    assert not path.exists()


def test_a_game_that_forgets_before_its_first_answer_is_written() -> None:
    game = play(forgetful(new_game("18CZ", ["A", "B", "C"])), 5, 1)
    assert saves.load(saves.dump(game)).state == game.state


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
    assert lines[2] == '  "version": 3,'
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


def test_bots_stand_in_a_save_only_where_there_are_some() -> None:
    game = saves.load(saved())
    assert list(document()) == ["format", "version", "setup", "rules", "actions", "digest"]
    found = json.loads(saves.dump(game, {"p2": "S"}))
    assert list(found) == ["format", "version", "setup", "rules", "bots", "actions", "digest"]
    assert '\n  "bots": {"p2": "S"},\n' in saves.dump(game, {"p2": "S"}).decode()


# Rules


def test_a_save_names_the_version_of_the_rules_it_was_played_under() -> None:
    assert document()["rules"] == kit_named("18CZ").rules_version


def test_rules_that_are_not_named_are_the_first() -> None:
    game = load_changed(lambda save: (save.pop("rules"), save.update(version=1)))
    assert game.state == saves.load(saved()).state


def test_a_game_of_later_rules_is_told() -> None:
    known = kit_named("18CZ").rules_version
    with pytest.raises(BadFile, match=rf"version {known + 1} of the rules of 18CZ.* up to version {known}; a later"):
        load_changed(lambda save: save.update(rules=known + 1))


@pytest.mark.parametrize("version", [0, -1, "1", None, True, 1.0])
def test_rules_without_a_proper_version(version: object) -> None:
    with pytest.raises(BadFile, match="version of the rules is a number"):
        load_changed(lambda save: save.update(rules=version))


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
            b'{"format": "ostbahn", "version": 6, "moves": []}',
            "was written by a later Ostbahn (version 6); this one reads versions 1 to 5",
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
