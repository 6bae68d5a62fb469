"""What whoever runs the server does about people and texts.

It all stands in the database, so a server that runs meanwhile goes by it at once.
"""

from __future__ import annotations

from datetime import datetime
from itertools import count
from typing import Final, NamedTuple

from sqlalchemy import func, select, update

from ostbahn.server.accounts.people import People, name_like
from ostbahn.server.accounts.tables import AccountRow, VisitorRow
from ostbahn.server.chat.service import MessageRow
from ostbahn.server.db.flags import CLOSED, OPEN, SIGN_UPS, note_fact
from ostbahn.server.events import bus as news
from ostbahn.server.games.service import House
from ostbahn.server.games.tables import GameRow, KeepingRow
from ostbahn.server.limits import LARGEST_NUMBER
from ostbahn.server.lookalikes import skeleton
from ostbahn.server.tournaments.service import TournamentRow
from ostbahn.table.access import NotHere, Unreadable

LONGEST_REASON: Final = 500
NO_REASON: Final = "no reason was given"
REMOVED: Final = "(removed by whoever runs this server)"
NAMELESS: Final = "Traveller"
PLAIN_NAME: Final = "Tournament"
MOST_FOUND: Final = 50


class Member(NamedTuple):
    """Somebody with an account, in the list of whoever runs the server."""

    name: str
    games: int
    seen: datetime | None
    banned: str


class Found(NamedTuple):
    """A text that somebody wrote, and how it is called by who wants it removed."""

    kind: str
    """`message`, `table`, `tournament` or `name`."""
    which: str
    text: str


class Moderation:
    def __init__(self, house: House, people: People) -> None:
        self.house = house
        self.people = people
        self.archive = house.archive

    def members(self) -> list[Member]:
        games = select(func.count(KeepingRow.id)).where(KeepingRow.account == AccountRow.id).scalar_subquery()
        seen = select(func.max(VisitorRow.seen)).where(VisitorRow.account == AccountRow.id).scalar_subquery()
        wanted = select(AccountRow.name, games, seen, AccountRow.banned).order_by(AccountRow.known_as)
        with self.archive.session() as session:
            return [Member(*row) for row in session.execute(wanted)]

    def ban(self, name: str, reason: str = "") -> str:
        """Close an account: its owner is logged out everywhere, and told why. Returns the name as they write it."""
        if len(reason) > LONGEST_REASON or not reason.isprintable():
            raise Unreadable(f"a reason is one line of at most {LONGEST_REASON} letters")
        return self._mark(name, reason.strip() or NO_REASON)

    def unban(self, name: str) -> str:
        return self._mark(name, "")

    def _mark(self, name: str, banned: str) -> str:
        number, known_as = self.people.number_of(name)
        with self.archive.session() as session:
            session.execute(update(AccountRow).where(AccountRow.id == number).values(banned=banned))
        return known_as

    def take_sign_ups(self, wanted: bool) -> None:
        with self.archive.session() as session:
            note_fact(session, SIGN_UPS, OPEN if wanted else CLOSED)

    # Texts

    def find(self, words: str) -> list[Found]:
        """Chat lines and names of tables, tournaments and accounts that contain the words."""
        like = f"%{words.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        with self.archive.session() as session:
            messages = session.execute(
                select(MessageRow.id, MessageRow.who, MessageRow.text)
                .where(MessageRow.text.ilike(like, escape="!"))
                .order_by(MessageRow.id.desc())
                .limit(MOST_FOUND)
            ).all()
            tables = session.execute(
                select(GameRow.id, GameRow.name)
                .where(GameRow.name.ilike(like, escape="!"))
                .order_by(GameRow.touched.desc())
                .limit(MOST_FOUND)
            ).all()
            cups = session.execute(
                select(TournamentRow.id, TournamentRow.name)
                .where(TournamentRow.name.ilike(like, escape="!"))
                .limit(MOST_FOUND)
            ).all()
            names = session.scalars(select(AccountRow.name).where(AccountRow.name.ilike(like, escape="!"))).all()
        return [
            *(Found("message", str(number), f"{who}: {text}") for number, who, text in messages),
            *(Found("table", game, name) for game, name in tables),
            *(Found("tournament", number, name) for number, name in cups),
            *(Found("name", name, name) for name in names[:MOST_FOUND]),
        ]

    def remove_message(self, number: int) -> None:
        """The words of a chat line; that there was one stays."""
        with self.archive.session() as session:
            row = session.get(MessageRow, number) if 0 < number <= LARGEST_NUMBER else None
            if row is None:
                raise NotHere(f"there is no message {number}")
            row.text = REMOVED
            news.tell(session, row.game, "chat")

    def remove_tournament_name(self, tournament: str) -> str:
        """Returns what it was called; its tables have names of their own."""
        with self.archive.session() as session:
            row = session.get(TournamentRow, tournament)
            if row is None:
                raise NotHere(f"there is no tournament {tournament}")
            was, row.name = row.name, PLAIN_NAME
        return was

    def remove_account_name(self, name: str) -> str:
        """Call somebody otherwise; returns how. They log in with it from then on."""
        number, _ = self.people.number_of(name)
        with self.archive.session() as session:
            row = session.get_one(AccountRow, number)
            names = (f"{NAMELESS} {number + more}" for more in count())
            other = next(each for each in names if name_like(session, each) is None)
            row.name, row.known_as, row.skeleton = other, other.casefold(), skeleton(other)
        return other
