"""`ostbahn people`: accounts on one's server. What the commands do is in `accounts.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ostbahn.cli.faults import fair
from ostbahn.extras import needed

people = typer.Typer(no_args_is_help=True, help="Accounts on your server: who has one, and new passwords.")

Data = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where games are kept.", envvar="OSTBAHN_DATA", show_default="your own"),
]
Database = Annotated[str | None, typer.Option(metavar="URL", help="A database instead of that folder.")]


@people.command("list")
@fair
def list_people(data: Data = None, database: Database = None) -> None:
    """List all accounts."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.list_people(data, database)


@people.command("reset")
@fair
def reset_password(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose password was forgotten.", show_default=False)],
    data: Data = None,
    database: Database = None,
) -> None:
    """Make a recovery code for somebody who has forgotten their password."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.reset(name, data, database)
