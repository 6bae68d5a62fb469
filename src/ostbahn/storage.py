"""Atomic file writes, for saves, traces and pictures."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import BinaryIO

from ostbahn.kernel.errors import BadFile

StrPath = str | os.PathLike[str]


@contextmanager
def atomic_write(path: StrPath, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Write a file atomically: it replaces the old one once it is complete and synced to disk.

    On failure the old file stays and no temporary file remains. `mode` is the mode of a new file.
    """
    target = Path(os.path.realpath(path))
    try:
        old_mode = _mode_of(target)
        new = target.with_name(f".ostbahn-{secrets.token_hex(8)}")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except OSError as fault:
        raise BadFile(f"{path} cannot be written: {fault.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            if old_mode is not None:
                os.fchmod(descriptor, old_mode)
            yield file
            file.flush()
            os.fsync(descriptor)
        os.replace(new, target)  # noqa: PTH105 - the call that the tests make fail
    except BaseException as fault:
        with suppress(OSError):
            new.unlink()
        if isinstance(fault, OSError):
            raise BadFile(f"{path} cannot be written: {fault.strerror}") from None
        raise
    sync_folder(target.parent)


def _mode_of(target: Path) -> int | None:
    """The permissions of an existing file; None if there is none."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not S_ISREG(mode):
        raise OSError(0, "it is a folder" if target.is_dir() else "it is not a plain file")
    if not os.access(target, os.W_OK):
        raise OSError(0, "it is write-protected")
    return S_IMODE(mode)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename in it survives a crash; ignored where the file system cannot."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
