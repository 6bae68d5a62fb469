"""The form of a backup: one file that says all that a database keeps, whichever database it is.

It is gzip, and in it lines of JSON: what it is (`Header`), each row as a list (table, values), and an end with a digest
of everything before it. Whoever reads one is told if it is not what was written.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import Struct
from sqlalchemy import Boolean, DateTime, Float, Integer, LargeBinary, Table, types

from ostbahn.kernel.errors import BadFile
from ostbahn.server.db.columns import Moment
from ostbahn.storage import replacing

FORM: Final = 1
"""The form of these files; a later one cannot be read by whoever knows only this."""
LONGEST_LINE: Final = 50_000_000
"""Bytes; a state has some 100,000."""
PACKED: Final = 6

KINDS: Final[tuple[tuple[type[types.TypeEngine[Any]], str], ...]] = (
    (Boolean, "boolean"),
    (Integer, "integer"),
    (Float, "number"),
    (LargeBinary, "bytes"),
    (Moment, "moment"),
    (DateTime, "moment"),
)


class TableForm(Struct, frozen=True):
    """A table as it is told in a backup."""

    name: str
    columns: tuple[tuple[str, str], ...]
    """Their names and kinds: text, integer, number, boolean, moment or bytes."""


class Header(Struct, frozen=True, kw_only=True):
    """What a backup says of itself."""

    ostbahn_backup: int
    version: str
    """Of Ostbahn, when it was made."""
    revision: str
    """Of the tables."""
    made: datetime
    tables: tuple[TableForm, ...]
    secret: str = ""
    """With which keys are sealed; empty unless somebody wanted it in here."""


class End(Struct, frozen=True):
    """The last line: how many rows each table had, and a digest of all lines before."""

    rows: dict[str, int]
    sha256: str


class Row(NamedTuple):
    table: str
    values: list[Any]


def form_of(table: Table) -> TableForm:
    return TableForm(str(table.name), tuple((str(column.name), _kind(column.type)) for column in table.columns))


def _kind(type_: types.TypeEngine[Any]) -> str:
    return next((name for kind, name in KINDS if isinstance(type_, kind)), "text")


# Writing


class Written:
    """A backup that is being written."""

    def __init__(self, file: Any, header: Header) -> None:
        self._file, self._digest = file, hashlib.sha256()
        self._kinds = {form.name: [kind for _, kind in form.columns] for form in header.tables}
        self.rows = {form.name: 0 for form in header.tables}
        self._encoder = msgspec.json.Encoder()
        self._line(self._encoder.encode(header))

    def add(self, table: str, values: Any) -> None:
        plain = [_plain(kind, value) for kind, value in zip(self._kinds[table], values, strict=True)]
        self._line(self._encoder.encode((table, plain)))
        self.rows[table] += 1

    def end(self) -> None:
        self._line(self._encoder.encode(End(self.rows, self._digest.hexdigest())))

    def _line(self, line: bytes) -> None:
        line += b"\n"
        self._digest.update(line)
        self._file.write(line)


@contextmanager
def writing(path: Path, header: Header) -> Iterator[Written]:
    """A new backup, whole or not at all; nobody but its owner may read it."""
    with replacing(path, mode=0o600) as file:
        os.fchmod(file.fileno(), 0o600)
        with gzip.GzipFile("", "wb", PACKED, file, mtime=0) as packed:
            written = Written(packed, header)
            yield written
            written.end()


def _plain(kind: str, value: Any) -> Any:
    if kind == "moment" and value is not None:
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)).isoformat()
    return b64encode(value).decode() if kind == "bytes" and value is not None else value


# Reading


class Lines(Protocol):
    def readline(self, size: int = -1, /) -> bytes: ...


def header_of(path: Path) -> Header:
    with _opened(path) as file:
        return _header(path, file, hashlib.sha256())


def rows_of(path: Path) -> Iterator[Row]:
    """All rows, one after the other, as they are to be kept; at the end everything has been checked."""
    digest = hashlib.sha256()
    with _opened(path) as file:
        header = _header(path, file, digest)
        kinds = {form.name: [kind for _, kind in form.columns] for form in header.tables}
        seen = dict.fromkeys(kinds, 0)
        while True:
            before = digest.hexdigest()
            line = _line(path, file, digest)
            if line.startswith(b"{"):
                _check_end(path, line, End(seen, before))
                if file.readline(1):
                    raise _damaged(path, "something stands behind its end")
                return
            row = _row(path, line, kinds)
            seen[row.table] += 1
            yield row


@contextmanager
def _opened(path: Path) -> Iterator[Lines]:
    try:
        with path.open("rb") as file, gzip.GzipFile(fileobj=file) as packed:
            yield packed
    except gzip.BadGzipFile:
        raise BadFile(f"{path} is no backup of Ostbahn, or it is damaged") from None
    except (EOFError, zlib.error):
        raise _damaged(path, "it is cut off or overwritten") from None
    except OSError as fault:
        raise BadFile(f"{path} cannot be read: {fault.strerror}") from None


def _header(path: Path, file: Lines, digest: Any) -> Header:
    line = file.readline(LONGEST_LINE)
    try:
        header = msgspec.json.decode(line, type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadFile(f"{path} is no backup of Ostbahn") from None
    if header.ostbahn_backup > FORM:
        raise BadFile(f"{path} was made by Ostbahn {header.version}, and this one cannot read it")
    digest.update(line)
    return header


def _line(path: Path, file: Lines, digest: Any) -> bytes:
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise _damaged(path, "its end is missing")
    digest.update(line)
    return line


def _check_end(path: Path, line: bytes, wanted: End) -> None:
    try:
        found = msgspec.json.decode(line, type=End)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _damaged(path, "its end is not as it was written") from None
    if found != wanted:
        raise _damaged(path, "something in it is not as it was written")


def _row(path: Path, line: bytes, kinds: dict[str, list[str]]) -> Row:
    try:
        table, values = msgspec.json.decode(line, type=tuple[str, list[Any]])
        return Row(table, [_meant(kind, value) for kind, value in zip(kinds[table], values, strict=True)])
    except (msgspec.DecodeError, KeyError, ValueError, TypeError):
        raise _damaged(path, "a row in it is not as it was written") from None


def _meant(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind == "moment":
        return datetime.fromisoformat(value)
    return b64decode(value, validate=True) if kind == "bytes" else value


def _damaged(path: Path, what: str) -> BadFile:
    return BadFile(f"{path} is damaged: {what}. Nothing was changed")
