"""PostgreSQL for tests: a server of their own in a temporary folder, by the binaries of the system.

It refuses to run as root, so it runs as `nobody` then. Nothing of it reaches the disk for certain, unless a test wants
that, and it listens on no network.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from ostbahn.server.db.database import SECRET, Database

MISSING = (
    "PostgreSQL is not installed, so nothing was tried on it (on Debian: apt-get install postgresql; a program"
    " pg_config in the path, or /usr/lib/postgresql/*/bin, shows where it is)"
)
QUICK = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
USER = "ostbahn"
TEMPLATE = "as_new"


def binaries() -> Path | None:
    """Where initdb and pg_ctl are; the newest of several."""
    found = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr").glob("pgsql-*/bin")]
    folders = sorted(found, key=lambda folder: [int(part) for part in folder.parent.name.split("-")[-1].split(".")])
    if config := shutil.which("pg_config"):
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False).stdout.strip()
        folders.append(Path(told))
    whole = [folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()]
    return whole[-1] if whole else None


class Cluster:
    """A running server."""

    def __init__(self, bin_: Path, options: str = QUICK) -> None:
        self.bin = bin_
        self.options = options
        self.folder = Path(tempfile.mkdtemp(prefix="ostbahn-pg-"))
        self._number = 0
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._call("initdb", "-D", "data", "-U", USER, "-A", "trust", "-N", "--locale=C", "-E", "UTF8")
        self.start()

    def _call(self, program: str, *args: str) -> None:
        env = {**os.environ, "HOME": str(self.folder), "TZ": "Europe/Vienna"}
        with (self.folder / "calls.log").open("a") as log:
            subprocess.run(
                [self.bin / program, *args], check=True, cwd=self.folder, env=env, stdout=log, stderr=log, **self._as
            )

    def start(self) -> None:
        place = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c timezone=Europe/Vienna"
        options = f"{self.options} {place}"
        self._call("pg_ctl", "-D", "data", "-w", "-l", "server.log", "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        self._call("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def restart(self) -> None:
        """As after a crash: no connection is ended in good order."""
        self.stop("immediate")
        self.start()

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def url(self, name: str) -> str:
        return f"postgresql://{USER}@/{name}?host={self.folder}"

    def data(self, name: str) -> Path:
        """The data folder that goes with a database."""
        return self.folder / f"{name}.data"

    def ask(self, statement: str, name: str = "postgres") -> list[Any]:
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            found = connection.execute(statement)
            return list(found) if found.description else []

    def empty(self) -> str:
        """The name of a new database without any tables."""
        self._number += 1
        name = f"t{self._number}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def new(self) -> str:
        """The name of a new database with all tables; only the first one has to wait for them."""
        if not self.data(TEMPLATE).exists():
            self.ask(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
            Database(self.url(TEMPLATE), self.data(TEMPLATE)).close()
        self._number += 1
        name = f"t{self._number}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
        self.data(name).mkdir()
        shutil.copy(self.data(TEMPLATE) / SECRET, self.data(name) / SECRET)
        return name


@contextmanager
def cluster(options: str = QUICK) -> Iterator[Cluster]:
    found = binaries()
    assert found is not None, MISSING
    made = Cluster(found, options)
    try:
        yield made
    finally:
        made.remove()


def data_of(url: str) -> Path | None:
    """The data folder that goes with a database of these tests; None for a file, which needs none."""
    if not url.startswith("postgresql"):
        return None
    rest, _, folder = url.partition("?host=")
    return Path(folder) / f"{rest.rpartition('/')[2]}.data"
