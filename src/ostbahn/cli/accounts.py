"""Accounts, for whoever runs the server: it may go on running meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ostbahn.kernel.errors import BadSetup
from ostbahn.server.store.archive import FILE, Archive, url_in
from ostbahn.server.store.people import People
from ostbahn.server.web.serving import default_data
from ostbahn.terminal.screen import say, screen


def list_people(data: Path | None, database: str | None) -> None:
    with _people(data, database) as people:
        for name in people.names():
            say(screen(), name)


def reset(name: str, data: Path | None, database: str | None) -> None:
    with _people(data, database) as people:
        known_as, code = people.reset(name)
    say(screen(), f"Recovery code for {known_as}: {code}")
    say(screen(), 'It works once: under "Forgot your password?" on the page. The old password works until then.')


@contextmanager
def _people(data: Path | None, database: str | None) -> Iterator[People]:
    """Those of a database that is there already."""
    folder = data or default_data()
    if database is None and not (folder / FILE).exists():
        raise BadSetup(f"there is no {FILE} in {folder}; --data FOLDER says where the games are kept")
    archive = Archive(database or url_in(folder), folder)
    try:
        yield People(archive)
    finally:
        archive.close()
