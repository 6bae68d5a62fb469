"""Save files: set-up, answers and bots as readable JSON. A save holds no state: reading it replays every answer, and
the digest proves that the result is unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadData, BadFile, BadSetup, Refused
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.state import RngState
from ostbahn.kits.catalogue import kits, reseeded, start_game, with_all_rulings
from ostbahn.storage import StrPath, atomic_write

FORMAT: Final = "ostbahn"
VERSION: Final = 5
"""The latest version; 2 added bots, 3 the version of the rules, 4 modules, 5 draws. An earlier Ostbahn refuses a
later version instead of complaining about an unknown field."""
WITHOUT_DRAWS: Final = 4
WITHOUT_MODULES: Final = 3
"""Written where a game has no draws, or no modules either, so that an earlier Ostbahn can read it."""
MODULES: Final = "modules"
MAX_ACTION_LENGTH: Final = 10_000
"""Maximum size of an action in bytes; a run over all track of a map needs a third."""
MAX_ACTIONS: Final = 20_000
FIELDS: Final = ("format", "version", "setup", "actions", "digest")
BOTS: Final = "bots"
RULES: Final = "rules"
"""Optional keys; games without a version of the rules have version 1."""
NO_BOTS: Final[Mapping[str, str]] = MappingProxyType({})

T = TypeVar("T")
Document = dict[str, Any]


class Save(NamedTuple):
    game: Game
    bots: Mapping[str, str] = NO_BOTS
    """Bot codes by seat; a code may be unknown here, or name a file."""


def encode_action(action: Action) -> Document:
    """An action as a JSON object without its empty fields."""
    fields: Document = msgspec.to_builtins(action)
    return {name: value for name, value in fields.items() if value is not None}


def decode_action(title: str, fields: Mapping[str, Any]) -> Action:
    """The action of a title that the fields describe."""
    if title not in kits():
        raise BadFile(f"the title {title} is unknown here")
    if (length := len(msgspec.json.encode(fields))) > MAX_ACTION_LENGTH:
        raise BadFile(f"an action of {length} letters is longer than any: they have at most {MAX_ACTION_LENGTH}")
    try:
        action: Action = msgspec.convert(fields, kits()[title].actions)
    except msgspec.ValidationError as fault:
        if str(fault).endswith("`$.do`"):
            raise BadFile(f"there is no action {fields['do']!r} in {title}") from None
        raise BadFile(_readable(fault)) from None
    return action


def _readable(fault: msgspec.ValidationError) -> str:
    text = str(fault).replace("Object contains unknown field", "unknown field")
    text = text.replace("Object missing required field", "missing field").replace("`object`", "an object")
    return re.sub(r" - at `\$\.?(.*?)`$", lambda match: f" at `{match[1]}`" if match[1] else "", text)


def dump(game: Game, bots: Mapping[str, str] = NO_BOTS) -> bytes:
    """A game as a save file, one action per line, with its bots."""
    _check_bots(bots, game.setup)
    _check_beginning(game)
    if _with_draws_to_come(game):  # saves do not reveal later draws
        game = reseeded(game, game.setup.seed)
    setup = {name: _json(value) for name, value in msgspec.to_builtins(game.setup).items() if value or name != MODULES}
    setup["rulings"] = _json_rows(
        "{}", [f"{_json(name)}: {_json(value)}" for name, value in game.setup.rulings.items()], 3
    )
    fields = {
        "format": _json(FORMAT),
        "version": _json(_version(game.setup)),
        "setup": _json_rows("{}", [f"{_json(name)}: {text}" for name, text in setup.items()], 2),
        RULES: _json(kits()[game.setup.title].rules_version),
        **({BOTS: _json(dict(sorted(bots.items())))} if bots else {}),
        "actions": _json_rows("[]", [_json({"by": by, **encode_action(action)}) for by, action in game.actions()], 2),
        "digest": _json(game.state.digest),
    }
    return (_json_rows("{}", [f"{_json(name)}: {text}" for name, text in fields.items()], 1) + "\n").encode()


def _check_beginning(game: Game) -> None:
    """Refuse a game that begins with a later state: its save could not be read again."""
    if game.state_at(0) != Game(game.rulebook, game.setup).state:
        raise BadFile(
            "this game cannot be saved: it does not begin with its set-up, but with a later "
            "state (`Game.from_state`, `drop_history`), and a save is replayed from the set-up. "
            "Save the game that it comes from"
        )


def _version(setup: Setup) -> int:
    if setup.draws is not msgspec.UNSET:
        return VERSION
    return WITHOUT_DRAWS if setup.modules else WITHOUT_MODULES


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _json_rows(brackets: str, rows: list[str], depth: int) -> str:
    """A JSON list or object with one row per line."""
    if not rows:
        return brackets
    indent = "\n" + "  " * depth
    return brackets[0] + indent + f",{indent}".join(rows) + indent[:-2] + brackets[1]


def write(path: StrPath, game: Game, bots: Mapping[str, str] = NO_BOTS) -> None:
    """Save a game atomically."""
    if not isinstance(game, Game):
        raise TypeError(f"save(path, game) takes a Game, not {game!r:.60}")
    data = dump(game, bots)
    with atomic_write(path) as file:
        file.write(data)


def read(path: StrPath) -> Game:
    return decode_file(path, load)


def decode_file(path: StrPath, decode: Callable[[bytes], T]) -> T:
    """Decode a file; errors name it."""
    try:
        return decode(_bytes_of(path))
    except BadFile as fault:
        raise BadFile(f"{path}: {fault}") from None


def _bytes_of(path: StrPath) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise BadFile("there is no such file") from None
    except IsADirectoryError:
        raise BadFile("this is a folder, not a file") from None
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        raise BadFile(f"cannot be read: {getattr(fault, 'strerror', None) or fault}") from None


def load(data: bytes) -> Game:
    return restore(parse(data)).game


def parse(data: bytes) -> Document:
    """Parse a file into a JSON object."""
    try:
        data.decode()
    except UnicodeDecodeError as fault:
        raise BadFile(f"this is not a text file in UTF-8 (byte {fault.start + 1})") from None
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise BadFile("the file is empty")
    try:
        document = msgspec.json.decode(data)
    except msgspec.DecodeError as fault:
        raise BadFile(_not_json(data, str(fault))) from None
    except RecursionError:
        raise BadFile("this is not JSON that anybody would write: it is nested too deeply") from None
    if not isinstance(document, dict):
        raise BadFile("this is not an Ostbahn save, but some other JSON")
    return document


def _not_json(data: bytes, fault: str) -> str:
    if "truncated" in fault:
        return f"the file breaks off in {_place(data.rstrip())}: its end is missing"
    match = re.search(r" \(byte (\d+)\)$", fault)
    if match is None:
        return f"this is not JSON: {fault}"
    reason = fault[: match.start()].removeprefix("JSON is malformed: ")
    byte = int(match[1]) - (reason == "trailing characters")  # there msgspec counts the first of them already
    return f"this is not JSON: {reason} in {_place(data[:byte])}"


def _place(before: bytes) -> str:
    """Line and column after the text `before`."""
    text = before.decode(errors="replace")
    return f"line {text.count(chr(10)) + 1}, column {len(text) - text.rfind(chr(10))}"


def restore(document: Document) -> Save:
    """Replay a save, every answer checked, and compare the digest."""
    _check_format(document)
    setup = _converted(document["setup"], Setup, "the set-up is faulty")
    _check_rules(document.get(RULES, 1), setup.title)
    try:
        game = start_game(with_all_rulings(setup))
    except (BadSetup, BadData) as fault:
        raise BadFile(f"the set-up cannot be played: {fault}") from None
    bots = _converted(document.get(BOTS, {}), dict[str, str], "the bots are faulty")
    _check_bots(bots, setup)
    for number, entry in enumerate(document["actions"], start=1):
        _replay(game, number, entry)
    if chance := _with_draws_to_come(game):
        raise BadFile(f"the set-up has {len(chance.draws)} draws, but the actions lead to only {chance.used} of them")
    if game.state.digest != document["digest"]:
        raise BadFile(
            f"the digest is {document['digest']!r}, but the actions lead to '{game.state.digest}': "
            "the file was changed, or an Ostbahn with other rules wrote it"
        )
    return Save(game, bots)


def _with_draws_to_come(game: Game) -> RngState | None:
    """The game's generator if its set-up holds draws still to come, as it may after undo."""
    chance = getattr(game.state, "chance", None)
    return chance if isinstance(chance, RngState) and chance.used < len(chance.draws) else None


def is_save(document: Document) -> bool:
    return document.get("format") == FORMAT


def _check_format(document: Document) -> None:
    """Check the version before the fields, since later versions may have others."""
    if not is_save(document):
        raise BadFile('this is not an Ostbahn save (its "format" is not "ostbahn")')
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise BadFile(f"an Ostbahn save without a proper version (it says {version!r})")
    if version > VERSION:
        raise BadFile(f"was written by a later Ostbahn (version {version}); this one reads versions 1 to {VERSION}")
    if unknown := [name for name in document if name not in (*FIELDS, BOTS, RULES)]:
        raise BadFile(f"unknown field `{unknown[0]}` in an Ostbahn save")
    if missing := [name for name in FIELDS if name not in document]:
        raise BadFile(f"the field `{missing[0]}` is missing in this Ostbahn save")
    if not isinstance(document["actions"], list):
        raise BadFile("the actions are not a list")
    check_action_count(document["actions"])


def _check_rules(version: Any, title: str) -> None:
    """Refuse games of later rules; games of earlier rules are replayed and checked."""
    if type(version) is not int or version < 1:
        raise BadFile(f"the version of the rules is a number from 1 on, not {version!r}")
    known = kits()[title].rules_version if title in kits() else version
    if version > known:
        raise BadFile(
            f"was played under version {version} of the rules of {title}, and this Ostbahn knows them up to version"
            f" {known}; a later Ostbahn reads it"
        )


def check_action_count(actions: Sequence[Any]) -> None:
    if len(actions) > MAX_ACTIONS:
        raise BadFile(f"there are {len(actions)} actions, and at most {MAX_ACTIONS} are replayed")


def _converted(fields: Any, type_: type[T], faulty: str) -> T:
    try:
        return msgspec.convert(fields, type_)
    except msgspec.ValidationError as fault:
        raise BadFile(f"{faulty}: {_readable(fault)}") from None


def _check_bots(bots: Mapping[str, str], setup: Setup) -> None:
    """Check seats and codes, before writing too: a save must be readable again."""
    seats = [f"p{number}" for number in range(1, len(setup.players) + 1)]
    for seat, code in bots.items():
        if seat not in seats:
            raise BadFile(f"the bots are faulty: there is no seat {seat!r}; the seats are {', '.join(seats)}")
        if not code or not code.isprintable():
            raise BadFile(f"the bots are faulty: {code!r} cannot be the code of a bot ({seat})")


def _replay(game: Game, number: int, entry: Any) -> None:
    try:
        if not isinstance(entry, dict) or not isinstance(by := entry.get("by"), str):
            raise BadFile("it does not say by whom")
        action = decode_action(game.setup.title, {name: value for name, value in entry.items() if name != "by"})
        game.apply(action, by)
    except BadFile as fault:
        raise BadFile(f"action {number} cannot be read: {fault}") from None
    except BadSetup as fault:
        raise BadFile(f"action {number} cannot be played: {fault}") from None
    except Refused as refused:
        raise BadFile(f"action {number} ({entry['do']} by {by}) is refused: {refused}") from None
