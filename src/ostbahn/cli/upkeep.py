"""`ostbahn backup`, `restore` and `check`: for whoever runs a server. What they do is in `server/upkeep`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from ostbahn.cli.faults import fair
from ostbahn.cli.places import Data, Database, SettingsFile, settings_of
from ostbahn.extras import needed

check_app = typer.Typer(help="Look whether all that is kept is whole, or whether mail can be sent.")
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.", show_default=False)]


@fair
def backup(
    file: BackupFile,
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
    with_secret: Annotated[
        bool,
        typer.Option("--with-secret", help="Also the secret of keys: whoever has the file can then open every seat."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Keep a copy of all games and people in one file, while the server goes on."""
    with needed("web", "a backup needs"):
        from ostbahn.server.ops.backups import back_up
        from ostbahn.terminal.screen import say, screen

    rows = back_up(settings_of(data, database, settings), file, datetime.now(UTC), with_secret, force)
    say(screen(), f"{file} has all that was kept: {_told(rows)}.")
    if not with_secret:
        say(
            screen(),
            "The secret of keys is not in it: restored elsewhere, links work, but are shown only once they were used.",
        )


@fair
def restore(
    file: BackupFile,
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where games are kept already, which are gone then.")
    ] = False,
) -> None:
    """Put a backup back, into a folder or database that is empty; the server must not run meanwhile."""
    with needed("web", "a backup needs"):
        from ostbahn.server.ops.backups import restore as put_back
        from ostbahn.terminal.screen import say, screen

    wanted = settings_of(data, database, settings)
    rows = put_back(wanted, file, replace)
    say(screen(), f"{wanted.kept_in} has what was in the backup: {_told(rows)}.")


@check_app.callback(invoke_without_command=True)
@fair
def check(
    context: typer.Context,
    data: Data = None,
    database: Database = None,
    settings: SettingsFile = None,
    deep: Annotated[bool, typer.Option("--deep", help="Play every game again, too; takes seconds for each.")] = False,
) -> None:
    """Look whether all that is kept is whole, while the server goes on; exit status 1 if it is not.

    `check mail` sends a test mail instead.
    """
    if context.invoked_subcommand is not None:
        context.obj = settings
        return
    with needed("web", "checking needs"):
        from ostbahn.server.ops.checks import check as found_by
        from ostbahn.terminal.screen import say, screen

    faults = 0
    for found in found_by(settings_of(data, database, settings), deep):
        faults += found.kind == "fault"
        say(screen(), f"{found.kind.capitalize()}: {found.text}.")
    say(screen(), f"{faults} faults." if faults else "All is well.")
    if faults:
        raise typer.Exit(1)


@check_app.command("mail")
@fair
def check_mail(
    context: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who gets the test mail.", show_default=False)],
    settings: SettingsFile = None,
) -> None:
    """Send a test mail, and say what the mail server answered; exit status 1 if it did not take it."""
    with needed("web", "checking needs"):
        from ostbahn.server.notifications.channels import Mail, checked_address, office_of, send_mail
        from ostbahn.server.notifications.safe_http import NotSent
        from ostbahn.terminal.screen import say, screen

    office = office_of(settings_of(None, None, settings or context.obj))
    if office is None:
        say(screen(), "Fault: no mail server is set. Set mail.host and mail.sender; docs/hosting.md has all settings.")
        raise typer.Exit(1)
    mail = Mail(checked_address(address), "Test mail from Ostbahn", "Your mail settings work.")
    try:
        answer = send_mail(mail, office, lambda: datetime.now(UTC))
    except NotSent as fault:
        say(screen(), f"Fault: the test mail was not sent: {fault}.")
        raise typer.Exit(1) from None
    say(screen(), f"The mail server {office.host}, port {office.port}, took the mail. It answered: {answer}")
    say(screen(), f"Look for it in the mailbox of {mail.to}, and among its spam.")


def _told(rows: dict[str, int]) -> str:
    return f"{rows['games']} games with {rows['entries']} lines, {rows['accounts']} accounts"
