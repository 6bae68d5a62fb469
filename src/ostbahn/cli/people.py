"""`ostbahn people`: accounts and texts on one's server. What the commands do is in `accounts.py`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from ostbahn.cli.faults import fair
from ostbahn.cli.places import Data, Database, SettingsFile, settings_of
from ostbahn.extras import needed

people = typer.Typer(no_args_is_help=True, help="Accounts on your server: who has one, bans, texts, ratings.")
remove = typer.Typer(no_args_is_help=True, help="Remove a text that nobody should read; find says what to name.")
people.add_typer(remove, name="remove")

Account = Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.", show_default=False)]
Game = Annotated[str, typer.Argument(metavar="GAME", help="The id of the table.", show_default=False)]


class SignUps(Enum):
    open = "open"
    close = "close"


@people.command("list")
@fair
def list_people(data: Data = None, database: Database = None, settings: SettingsFile = None) -> None:
    """List all accounts: games, when they were here last, bans."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.list_people(settings_of(data, database, settings))


@people.command("reset")
@fair
def reset_password(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose password was forgotten.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Make a recovery code for somebody who has forgotten their password."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.reset(name, settings_of(data, database, settings))


@people.command("ban")
@fair
def ban(
    name: Account,
    reason: Annotated[str, typer.Option(help="What they are told.", show_default=False)] = "",
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Close somebody's account: they are logged out everywhere, and told why."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.ban(name, reason, settings_of(data, database, settings))


@people.command("unban")
@fair
def unban(name: Account, data: Data = None, database: Database = None, settings: SettingsFile = None) -> None:
    """Open a closed account again."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.unban(name, settings_of(data, database, settings))


@people.command("sign-ups")
@fair
def sign_ups(
    what: Annotated[SignUps, typer.Argument(help="Whether new accounts are taken.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Take new accounts, or take no more of them."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.take_sign_ups(what is SignUps.open, settings_of(data, database, settings))


@people.command("delete")
@fair
def delete(
    name: Account,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Delete an account for good; its seats are called Somebody from then on."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    if not yes:
        typer.confirm(f"Delete the account {name} for good?", abort=True)
    accounts.delete(name, settings_of(data, database, settings))


@people.command("ratings")
@fair
def ratings(data: Data = None, database: Database = None, settings: SettingsFile = None) -> None:
    """Compute all ratings anew, from the results of finished games."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.rate(settings_of(data, database, settings))


# Texts


@people.command("find")
@fair
def find(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What the text contains.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Find chat lines and the names of tables, tournaments and accounts, with what removes them."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.find(words, settings_of(data, database, settings))


@remove.command("message")
@fair
def remove_message(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the chat line.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Remove the words of a chat line."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.remove_message(number, settings_of(data, database, settings))


@remove.command("table")
@fair
def remove_table_name(game: Game, data: Data = None, database: Database = None, settings: SettingsFile = None) -> None:
    """Remove the name of a table: it is called by its players."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.remove_table_name(game, settings_of(data, database, settings))


@remove.command("seat")
@fair
def remove_seat_name(
    game: Game,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="As p1.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Remove the name of a player at a table: they are called Somebody there."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.remove_seat_name(game, seat, settings_of(data, database, settings))


@remove.command("tournament")
@fair
def remove_tournament_name(
    tournament: Annotated[str, typer.Argument(metavar="ID", help="Of the tournament.", show_default=False)],
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
) -> None:
    """Remove the name of a tournament: it is called Tournament."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.remove_tournament_name(tournament, settings_of(data, database, settings))


@remove.command("name")
@fair
def remove_account_name(
    name: Account, data: Data = None, database: Database = None, settings: SettingsFile = None
) -> None:
    """Remove the name of an account: its owner gets another one, with which they log in."""
    with needed("web", "accounts need"):
        from ostbahn.cli import accounts

    accounts.remove_account_name(name, settings_of(data, database, settings))
