"""Where games are kept, as commands about a server are told it: by options, the environment and a settings file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # it needs an extra
    from ostbahn.server.settings import Settings

Data = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where games are kept.", show_default="your own")]
Database = Annotated[
    str | None, typer.Option(metavar="URL", help="A database instead of that folder; its password is not said here.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--settings", metavar="FILE", help="More settings, as TOML; $OSTBAHN_SETTINGS may name it too."),
]


def settings_of(data: Path | None, database: str | None, file: Path | None) -> Settings:
    from ostbahn.server.settings import read_settings

    return read_settings({"data": data, "database": database}, os.environ, file)
