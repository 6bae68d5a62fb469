"""Commands about a server: `serve`, `backup`, `restore`, `check` and `people`. Most may be used while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ostbahn.cli.invocation import Commands, Places, SettingsFile, as_command
from ostbahn.extras import require_extra

if TYPE_CHECKING:  # they need an extra
    from ostbahn.server.ops.moderation import Moderation

check_app = Commands(help="Look whether all that is kept is whole, or whether mail can be sent.")
people = Commands(no_args_is_help=True, help="Accounts on your server: who has one, bans, texts, ratings.")
remove = Commands(no_args_is_help=True, help="Remove a text that nobody should read; find says what to name.")
people.add_typer(remove, name="remove")

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.", show_default=False)]
Account = Annotated[str, typer.Argument(metavar="NAME", help="The name of the account.", show_default=False)]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The id of the table.", show_default=False)]


def print_text(text: str) -> None:
    from ostbahn.terminal.screen import open_console, print_line

    print_line(open_console(), text)


def _now() -> datetime:
    return datetime.now(UTC)


def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets others in.", show_default="127.0.0.1"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", help="0 takes any that is free.", min=0, max=65535, show_default="8018"),
    ] = None,
    *,
    places: Places,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page where there is a display.")
    ] = True,
    limit: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="How long a bot may think; then another answer is taken.", show_default="20"
        ),
    ] = None,
    thinkers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In how many processes bots think; with 0 in that of the server.",
            min=0,
            max=64,
            show_default="by cores, 2 to 4",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="In how many processes pages are answered; more than one needs PostgreSQL.",
            min=1,
            max=64,
            show_default="1",
        ),
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where browsers find the site, if a proxy stands before it.")
    ] = None,
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy that is believed when it says who asks; or a network of them."),
    ] = None,
    log: Annotated[
        str | None, typer.Option(metavar="text|json", help="How the server tells what it does.", show_default="text")
    ] = None,
) -> None:
    """Play in the browser: alone, at one screen, or with others by links."""
    with require_extra("web", "serving needs"):
        from ostbahn.server.web import serving

    settings = places.read(
        host=host,
        port=port,
        limit=limit,
        thinkers=thinkers,
        workers=workers,
        public_url=public_url,
        trust_proxy=trust_proxy,
        **{"log.form": log},
    )
    serving.serve(settings, open_browser=browser)


def backup(
    file: BackupFile,
    *,
    places: Places,
    with_secret: Annotated[
        bool,
        typer.Option("--with-secret", help="Also the secret of keys: whoever has the file can then open every seat."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")] = False,
) -> None:
    """Keep a copy of all games and people in one file, while the server goes on."""
    with require_extra("web", "a backup needs"):
        from ostbahn.server.ops.backups import back_up

    rows = back_up(places.read(), file, _now(), with_secret, force)
    print_text(f"{file} has all that was kept: {_counts_text(rows)}.")
    if not with_secret:
        print_text(
            "The secret of keys is not in it: restored elsewhere, links work, but are shown only once they were used."
        )


def restore(
    file: BackupFile,
    *,
    places: Places,
    replace: Annotated[
        bool, typer.Option("--replace", help="Also where games are kept already, which are gone then.")
    ] = False,
) -> None:
    """Put a backup back, into a folder or database that is empty; the server must not run meanwhile."""
    with require_extra("web", "a backup needs"):
        from ostbahn.server.ops.backups import restore as put_back

    settings = places.read()
    rows = put_back(settings, file, replace)
    print_text(f"{settings.kept_in} has what was in the backup: {_counts_text(rows)}.")


def _counts_text(rows: dict[str, int]) -> str:
    return f"{rows['games']} games with {rows['entries']} lines, {rows['accounts']} accounts"


@check_app.callback(invoke_without_command=True)
@as_command
def check(
    context: typer.Context,
    *,
    places: Places,
    deep: Annotated[bool, typer.Option("--deep", help="Play every game again, too; takes seconds for each.")] = False,
) -> None:
    """Look whether all that is kept is whole, while the server goes on; exit status 1 if it is not.

    `check mail` sends a test mail instead.
    """
    if context.invoked_subcommand is not None:
        context.obj = places.settings
        return
    with require_extra("web", "checking needs"):
        from ostbahn.server.ops.checks import check as check_database

    faults = 0
    for finding in check_database(places.read(), deep):
        faults += finding.kind == "fault"
        print_text(f"{finding.kind.capitalize()}: {finding.text}.")
    print_text(f"{faults} faults." if faults else "All is well.")
    if faults:
        raise typer.Exit(1)


@check_app.command("mail")
def check_mail(
    context: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Who gets the test mail.", show_default=False)],
    settings: SettingsFile = None,
) -> None:
    """Send a test mail, and say what the mail server answered; exit status 1 if it did not take it."""
    with require_extra("web", "checking needs"):
        from ostbahn.server.notifications.channels import Mail, checked_address, mail_settings_of, send_mail
        from ostbahn.server.notifications.safe_http import DeliveryFailed

    mail_settings = mail_settings_of(Places(settings=settings or context.obj).read())
    if mail_settings is None:
        print_text("Fault: no mail server is set. Set mail.host and mail.sender; docs/hosting.md has all settings.")
        raise typer.Exit(1)
    mail = Mail(checked_address(address), "Test mail from Ostbahn", "Your mail settings work.")
    try:
        answer = send_mail(mail, mail_settings, _now)
    except DeliveryFailed as fault:
        print_text(f"Fault: the test mail was not sent: {fault}.")
        raise typer.Exit(1) from None
    print_text(f"The mail server {mail_settings.host}, port {mail_settings.port}, took the mail. It answered: {answer}")
    print_text(f"Look for it in the mailbox of {mail.to}, and among its spam.")


# Accounts


class SignUps(Enum):
    open = "open"
    close = "close"


@contextmanager
def moderating(places: Places) -> Iterator[Moderation]:
    """Open an existing database for the moderation of people and texts."""
    with require_extra("web", "accounts need"):
        from ostbahn.server.accounts.people import AccountService
        from ostbahn.server.db.database import Database
        from ostbahn.server.games.service import GameService
        from ostbahn.server.ops.moderation import Moderation
        from ostbahn.server.settings import check_there
        from ostbahn.server.web.services import game_listeners

    settings = places.read()
    check_there(settings)
    database = Database(settings.database_url, settings.data, settings.key_secret)
    try:
        yield Moderation(GameService(database, _now, listeners=game_listeners(_now)), AccountService(database))
    finally:
        database.close()


@people.command("list")
def list_people(places: Places) -> None:
    """List all accounts: games, when they were here last, bans."""
    with moderating(places) as moderation:
        for member in moderation.members():
            facts = [f"{member.games} game{'' if member.games == 1 else 's'}"]
            if member.seen is not None:
                facts.append(f"here last on {member.seen:%Y-%m-%d}")
            if member.banned:
                facts.append(f"banned: {member.banned}")
            print_text(f"{member.name} ({', '.join(facts)})")


@people.command()
def reset(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose password was forgotten.", show_default=False)],
    places: Places,
) -> None:
    """Make a recovery code for somebody who has forgotten their password."""
    with moderating(places) as moderation:
        known_as, code = moderation.people.reset_recovery_code(name)
    print_text(f"Recovery code for {known_as}: {code}")
    print_text('It works once: under "Forgot your password?" on the page. The old password works until then.')


@people.command()
def ban(
    name: Account,
    reason: Annotated[str, typer.Option(help="What they are told.", show_default=False)] = "",
    *,
    places: Places,
) -> None:
    """Close somebody's account: they are logged out everywhere, and told why."""
    with moderating(places) as moderation:
        known_as = moderation.ban(name, reason)
    print_text(f"The account {known_as} is closed. Its owner is logged out everywhere and told so.")
    print_text(f'They may play on where they have a seat. "ostbahn people unban {known_as}" opens it again.')


@people.command()
def unban(name: Account, places: Places) -> None:
    """Open a closed account again."""
    with moderating(places) as moderation:
        print_text(f"The account {moderation.unban(name)} is open again.")


@people.command()
def sign_ups(
    what: Annotated[SignUps, typer.Argument(help="Whether new accounts are taken.", show_default=False)],
    places: Places,
) -> None:
    """Take new accounts, or take no more of them."""
    with moderating(places) as moderation:
        moderation.take_sign_ups(what is SignUps.open)
    print_text("New accounts are taken." if what is SignUps.open else "No new accounts are taken.")


@people.command()
def delete(
    name: Account, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, *, places: Places
) -> None:
    """Delete an account for good; its seats are called Somebody from then on."""
    with require_extra("web", "accounts need"):
        from ostbahn.server.ops.personal_data import PersonalData

    if not yes:
        typer.confirm(f"Delete the account {name} for good?", abort=True)
    with moderating(places) as moderation:
        known_as = PersonalData(moderation.game_service, moderation.people).delete_named(name)
    print_text(f"The account {known_as} is deleted.")


@people.command()
def ratings(places: Places) -> None:
    """Compute all ratings anew, from the results of finished games."""
    with require_extra("web", "accounts need"):
        from ostbahn.server.games.results import rate_anew

    with moderating(places) as moderation, moderation.database.session() as session:
        games = rate_anew(session)
    print_text(f"Ratings are computed anew from {games} rated game{'' if games == 1 else 's'}.")


# Texts


@people.command()
def find(
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What the text contains.", show_default=False)],
    places: Places,
) -> None:
    """Find chat lines and the names of tables, tournaments and accounts, with what removes them."""
    with moderating(places) as moderation:
        texts = moderation.find(words)
    for text in texts:
        print_text(f"{text.kind} {text.which}: {text.text}")
    if texts:
        print_text('"ostbahn people remove" and the words before the colon remove one of them.')
    else:
        print_text(f"Nothing contains {words!r}.")


@remove.command("message")
def remove_message(
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="Of the chat line.", show_default=False)],
    places: Places,
) -> None:
    """Remove the words of a chat line."""
    with moderating(places) as moderation:
        moderation.remove_message(number)
    print_text(f"Message {number} is removed.")


@remove.command("table")
def remove_table_name(game: GameId, places: Places) -> None:
    """Remove the name of a table: it is called by its players."""
    with moderating(places) as moderation:
        print_text(f"The table {moderation.remove_table_name(game)} is called by its players now.")


@remove.command("seat")
def remove_seat_name(
    game: GameId,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="As p1.", show_default=False)],
    places: Places,
) -> None:
    """Remove the name of a player at a table: they are called Somebody there."""
    with moderating(places) as moderation:
        from ostbahn.server.ops.moderation import anonymise_seat

        print_text(f"The player at {seat} is called {anonymise_seat(moderation.game_service, game, seat)} now.")


@remove.command("tournament")
def remove_tournament_name(
    tournament: Annotated[str, typer.Argument(metavar="ID", help="Of the tournament.", show_default=False)],
    places: Places,
) -> None:
    """Remove the name of a tournament: it is called Tournament."""
    with moderating(places) as moderation:
        print_text(f"The tournament {moderation.remove_tournament_name(tournament)} has a plain name now.")


@remove.command("name")
def remove_account_name(name: Account, places: Places) -> None:
    """Remove the name of an account: its owner gets another one, with which they log in."""
    with moderating(places) as moderation:
        print_text(f"{name} is called {moderation.remove_account_name(name)} now, and logs in by that name.")
