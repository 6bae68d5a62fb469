"""What dev.py installs for which command: what playing needs first, and more when it is asked for."""

from __future__ import annotations

import fcntl
import json
import re
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

import dev
from ostbahn.extras import MissingExtra, install_command, require_extra
from tests.wheels import required

Command = tuple[str | Path, ...]
ROOT = Path(__file__).resolve().parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


class Interrupted(BaseException):
    """As a signal ends a set-up."""


class WorkingCopy:
    """A working copy where installing is only written down."""

    def __init__(self, folder: Path) -> None:
        self.commands: list[Command] = []
        self.fault: BaseException | None = None
        self.lock = folder / "requirements-dev.txt"
        self.lock.write_text("rich==15.0.0\n", encoding="utf-8")

    def must(self, *command: str | Path, env: dict[str, str] | None = None) -> None:
        self.commands.append(command)
        time.sleep(0.01)  # so that another start gets its turn
        if self.fault is not None and "-r" in command:
            raise self.fault

    def new_commands(self) -> list[Command]:
        commands, self.commands = self.commands, []
        return commands

    def installed(self) -> tuple[bool, set[str]]:
        """Whether the environment was made anew since the last call, and the extras and groups that were then added."""
        commands = self.new_commands()
        names = {str(word) for command in commands for word in command if re.match("--(extra|group)=", str(word))}
        return any("venv" in command for command in commands), {name.partition("=")[2] for name in names}


@pytest.fixture
def copy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> WorkingCopy:
    copy = WorkingCopy(tmp_path)
    for name, value in {"DEV": tmp_path / ".dev", "STAMP": tmp_path / ".dev" / "stamp", "LOCK_DEV": copy.lock}.items():
        monkeypatch.setattr(dev, name, value)
    monkeypatch.setattr(dev, "get_uv", lambda: Path("uv"))
    monkeypatch.setattr(dev, "uv_env", dict)
    monkeypatch.setattr(dev, "must", copy.must)
    return copy


PLAYING = {"web", "build"}
EVERYTHING = {"web", "all", "dev"}


def test_playing_installs_what_playing_needs_by_hashes(copy: WorkingCopy) -> None:
    dev.set_up(dev.PLAYING)
    (install,) = (command for command in copy.commands if "-r" in command)
    assert {"--require-hashes", "-c", copy.lock} <= set(install)
    assert copy.installed() == (True, PLAYING)
    dev.set_up(dev.PLAYING)
    assert copy.new_commands() == []


@pytest.mark.parametrize(
    "command", ["play", "ostbahn", "test", "soak", "bench", "load", "lab", "golden", "shots", "format"]
)
def test_commands_install_what_they_need(command: str, copy: WorkingCopy, monkeypatch: pytest.MonkeyPatch) -> None:
    def become(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(dev, "become", become)
    monkeypatch.setattr(dev, "call", become)
    monkeypatch.chdir(ROOT)
    for name in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):  # they change these for what they start
        monkeypatch.setenv(name, "")
    with pytest.raises(SystemExit):
        dev.main([command, "tests"])
    assert copy.installed() == (True, PLAYING if command in ("play", "ostbahn") else EVERYTHING)


def test_a_set_up_is_extended_and_never_made_smaller(copy: WorkingCopy) -> None:
    dev.set_up(dev.PLAYING)
    copy.new_commands()
    dev.install(["pictures"])
    assert copy.installed() == (False, PLAYING | {"pictures"})
    dev.set_up()
    assert copy.installed() == (False, EVERYTHING | {"pictures"})
    dev.set_up(dev.PLAYING)
    dev.install(["pictures"])
    assert copy.new_commands() == []


def test_after_a_change_of_the_lock_everything_that_was_there_is_made_anew(copy: WorkingCopy) -> None:
    dev.set_up()
    copy.new_commands()
    copy.lock.write_text("rich==15.0.1\n", encoding="utf-8")
    dev.set_up(dev.PLAYING)
    assert copy.installed() == (True, EVERYTHING)


def test_an_extra_that_is_gone_is_left_out(copy: WorkingCopy) -> None:
    dev.set_up(dev.PLAYING)
    copy.new_commands()
    dev.STAMP.write_text("an-older-state web all-of-old\n", encoding="utf-8")
    dev.set_up(dev.PLAYING)
    assert copy.installed() == (True, PLAYING)


@pytest.mark.parametrize("fault", [Interrupted(), dev.DevError("no network")])
def test_a_set_up_that_broke_off_is_done_again(copy: WorkingCopy, fault: BaseException) -> None:
    copy.fault = fault
    with pytest.raises(type(fault)):
        dev.set_up(dev.PLAYING)
    copy.fault = None
    copy.new_commands()
    dev.set_up(dev.PLAYING)
    assert copy.installed() == (True, PLAYING)


@pytest.mark.parametrize("fault", [Interrupted(), dev.DevError("no network")])
def test_when_adding_breaks_off_one_can_still_play(copy: WorkingCopy, fault: BaseException) -> None:
    dev.set_up(dev.PLAYING)
    copy.fault = fault
    with pytest.raises(type(fault)):
        dev.set_up()
    copy.fault = None
    copy.new_commands()
    dev.set_up(dev.PLAYING)
    assert copy.new_commands() == []
    dev.set_up()
    assert copy.installed() == (True, EVERYTHING)  # what was half added is not built upon
    dev.install(["pictures"])
    assert copy.installed() == (False, EVERYTHING | {"pictures"})


def test_when_making_it_anew_breaks_off_nothing_counts_as_there(copy: WorkingCopy) -> None:
    dev.set_up()
    before = copy.lock.read_text(encoding="utf-8")
    copy.lock.write_text("rich==15.0.1\n", encoding="utf-8")
    copy.fault = Interrupted()
    with pytest.raises(Interrupted):
        dev.set_up()
    copy.fault = None
    copy.new_commands()
    copy.lock.write_text(before, encoding="utf-8")
    dev.set_up(dev.PLAYING)
    assert copy.installed() == (True, PLAYING)


def test_two_starts_do_not_set_up_over_each_other(copy: WorkingCopy) -> None:
    starts = [threading.Thread(target=dev.set_up, args=(dev.PLAYING,)) for _ in range(4)]
    for start in starts:
        start.start()
    for start in starts:
        start.join()
    assert len([command for command in copy.commands if "-r" in command]) == 1


ORPHAN = """
import sys
from pathlib import Path
import dev

dev.DEV = Path(sys.argv[1])
with dev.alone():
    dev.call("sh", "-c", "echo; read line")
"""


def test_a_start_waits_for_what_a_killed_one_still_does(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ORPHAN, str(tmp_path)]
    with (
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first,
        (tmp_path / "lock").open("w") as lock,
    ):
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdout.readline()
        first.kill()
        first.wait()
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        first.stdin.close()  # now it ends
        fcntl.flock(lock, fcntl.LOCK_EX)


@pytest.mark.parametrize("names", [[], ["picture"], ["pictures", "--all"]])
def test_install_says_which_extras_there_are(
    copy: WorkingCopy, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["install", *names]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert all(name in told for name in EXTRAS)
    assert copy.new_commands() == []


def test_what_is_too_large_for_the_lock_is_installed_beside_it(copy: WorkingCopy) -> None:
    assert set(dev.UNLOCKED) == EXTRAS.keys() - set(re.findall(r"\w+", EXTRAS["all"][0])) - {"all", "postgres"}
    for name in EXTRAS:
        dev.STAMP.unlink(missing_ok=True)
        dev.install([name])
        checked = any("--require-hashes" in command for command in copy.new_commands())
        assert checked == (name not in dev.UNLOCKED)


def test_the_lock_has_hashes_of_everything_that_is_installed() -> None:
    """With `--require-hashes` uv refuses what has none, which whoever plays first would see."""
    lock = dev.LOCK_DEV.read_text(encoding="utf-8")
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==.*\\\n +--hash=sha256:", lock, re.MULTILINE)}
    listed = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}
    assert locked == listed
    needed_here = {canonicalize_name(name) for name in required("ostbahn", frozenset({"all"})) - {"ostbahn"}}
    assert needed_here | {"hatchling", "editables", "uv"} <= locked


def test_both_locks_have_the_same_versions() -> None:
    small, large = (
        dict(re.findall(r"^([\w.-]+)==(\S+(?: ; [^\\\n]+)?)", file.read_text(encoding="utf-8"), re.MULTILINE))
        for file in (dev.LOCK, dev.LOCK_DEV)
    )
    assert small.items() <= large.items(), json.dumps(dict(small.items() - large.items()))


@pytest.mark.parametrize(
    ("prefix", "command"),
    [
        ("/home/anna/ostbahn/.dev/venv", "python3 dev.py install analysis"),
        ("/opt/ostbahn", 'pip install "ostbahn[analysis]"'),
        ("/home/anna/.dev/venv/there", 'pip install "ostbahn[analysis]"'),
    ],
)
def test_what_is_missing_names_the_command_that_adds_it(
    monkeypatch: pytest.MonkeyPatch, prefix: str, command: str
) -> None:
    monkeypatch.setattr("sys.prefix", prefix)
    assert install_command("analysis") == command
    with pytest.raises(MissingExtra) as missing, require_extra("analysis", "charts need"):
        __import__("not_a_library")
    assert str(missing.value) == f"charts need the analysis extra: {command}"
