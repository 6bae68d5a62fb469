"""The versions of the tables, as Alembic counts them."""

from __future__ import annotations

from functools import cache
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ostbahn.server.db.encryption import Seal

PLACE: Final = "ostbahn.server.db:migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", PLACE)
    return config


@cache
def known_revisions() -> tuple[str, ...]:
    """All of them, from the newest to the first."""
    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def newest_revision() -> str:
    return known_revisions()[0]


def bring_to(connection: Connection, seal: Seal, revision: str = "head") -> None:
    """Make the tables as they were at a revision, or change those of an earlier one."""
    config = _config()
    config.attributes |= {"connection": connection, "seal": seal}
    command.upgrade(config, revision)
