"""Accounts and texts, for whoever runs the server: it may go on running meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from ostbahn.server.accounts.people import People
from ostbahn.server.db.database import Archive
from ostbahn.server.games.results import rate_anew
from ostbahn.server.games.service import House
from ostbahn.server.ops.leaving import Leaving
from ostbahn.server.ops.moderation import Member, Moderation, forget_name, forget_table_name
from ostbahn.server.settings import Settings, check_there
from ostbahn.server.web.services import game_listeners
from ostbahn.terminal.screen import say, screen


def list_people(settings: Settings) -> None:
    with _moderation(settings) as moderation:
        for member in moderation.members():
            say(screen(), _told(member))


def _told(member: Member) -> str:
    facts = [f"{member.games} game{'' if member.games == 1 else 's'}"]
    if member.seen is not None:
        facts.append(f"here last on {member.seen:%Y-%m-%d}")
    if member.banned:
        facts.append(f"banned: {member.banned}")
    return f"{member.name} ({', '.join(facts)})"


def reset(name: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        known_as, code = moderation.people.reset(name)
    say(screen(), f"Recovery code for {known_as}: {code}")
    say(screen(), 'It works once: under "Forgot your password?" on the page. The old password works until then.')


def ban(name: str, reason: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        known_as = moderation.ban(name, reason)
    say(screen(), f"The account {known_as} is closed. Its owner is logged out everywhere and told so.")
    say(screen(), f'They may play on where they have a seat. "ostbahn people unban {known_as}" opens it again.')


def unban(name: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        say(screen(), f"The account {moderation.unban(name)} is open again.")


def take_sign_ups(wanted: bool, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        moderation.take_sign_ups(wanted)
    say(screen(), "New accounts are taken." if wanted else "No new accounts are taken.")


def delete(name: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        known_as = Leaving(moderation.house, moderation.people).delete_named(name)
    say(screen(), f"The account {known_as} is deleted.")


def rate(settings: Settings) -> None:
    with _moderation(settings) as moderation, moderation.archive.session() as session:
        games = rate_anew(session)
    say(screen(), f"Ratings are computed anew from {games} rated game{'' if games == 1 else 's'}.")


# Texts


def find(words: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        found = moderation.find(words)
    for each in found:
        say(screen(), f"{each.kind} {each.which}: {each.text}")
    if found:
        say(screen(), '"ostbahn people remove" and the words before the colon remove one of them.')
    else:
        say(screen(), f"Nothing contains {words!r}.")


def remove_message(number: int, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        moderation.remove_message(number)
    say(screen(), f"Message {number} is removed.")


def remove_table_name(game: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        was = forget_table_name(moderation.house, game)
    say(screen(), f"The table {was} is called by its players now.")


def remove_seat_name(game: str, seat: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        now = forget_name(moderation.house, game, seat)
    say(screen(), f"The player at {seat} is called {now} now.")


def remove_tournament_name(tournament: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        was = moderation.remove_tournament_name(tournament)
    say(screen(), f"The tournament {was} has a plain name now.")


def remove_account_name(name: str, settings: Settings) -> None:
    with _moderation(settings) as moderation:
        now = moderation.remove_account_name(name)
    say(screen(), f"{name} is called {now} now, and logs in by that name.")


@contextmanager
def _moderation(settings: Settings) -> Iterator[Moderation]:
    """Of a database that is there already."""
    check_there(settings)
    archive = Archive(settings.database_url, settings.data, settings.key_secret)
    try:
        yield Moderation(House(archive, _now, listeners=game_listeners(_now)), People(archive))
    finally:
        archive.close()


def _now() -> datetime:
    return datetime.now(UTC)
