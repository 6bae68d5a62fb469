"""Saves as files: what is no file or no save, and that nothing is ever half written."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from ostbahn.interop import files, saves
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.storage import atomic_write
from tests.interop.sample_saves import document, saved

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

    with pytest.raises(ZeroDivisionError), atomic_write(file) as new:
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
