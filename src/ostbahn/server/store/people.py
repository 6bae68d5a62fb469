"""People: browsers that have been here, accounts for those who want one, and the seats that each has."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from ostbahn.server.faults import NotYours, Unreadable
from ostbahn.server.play.access import Access, parted
from ostbahn.server.store.archive import Archive
from ostbahn.server.store.schema import AccountRow, GameRow, KeepingRow, KeyRow, VisitorRow
from ostbahn.server.store.seals import Seal

NAME: Final = re.compile(r"[^\W_][\w .'-]{1,38}[^\W_]?", re.UNICODE)
SHORTEST_PASSWORD: Final = 8
LONGEST_PASSWORD: Final = 200


class Visitor(Struct, frozen=True):
    """Somebody who looks at the pages."""

    id: int
    account: int | None
    name: str | None
    """The name of the account, if there is one."""


class MyGame(Struct, frozen=True):
    """A game in somebody's list."""

    key: str
    """Empty where it cannot be shown any more; its link still opens it."""
    hash: str
    role: str
    seats: tuple[str, ...]
    game: str
    name: str
    setup: str
    round: str
    turn: str | None
    number: int
    touched: datetime
    mine: bool
    """Whether it is his turn."""


class People:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash("")
        """Checked for a name that is unknown, so that the time does not tell whether it is."""

    # Visitors

    def visitor(self, cookie: str | None) -> Visitor | None:
        """Whose cookie it is."""
        if not cookie:
            return None
        with self.archive.session() as session:
            row = session.scalar(select(VisitorRow).where(VisitorRow.cookie == _hashed(cookie)))
            return None if row is None else self._visitor(session, row)

    def welcome(self) -> tuple[str, Visitor]:
        """Somebody new: his cookie, and who he is."""
        with self.archive.session() as session:
            cookie, row = _known_from_now_on(session, None)
            return cookie, self._visitor(session, row)

    def _visitor(self, session: Session, row: VisitorRow) -> Visitor:
        account = None if row.account is None else session.get(AccountRow, row.account)
        return Visitor(row.id, row.account, None if account is None else account.name)

    # Games

    def keep(self, visitor: Visitor, who: Access) -> None:
        """Remember that a visitor has used a key."""
        with self.archive.session() as session:
            mine = _of(visitor)
            if session.scalar(select(KeepingRow.id).where(KeepingRow.hash == who.hash, mine)) is None:
                owner = {"visitor": visitor.id} if visitor.account is None else {"account": visitor.account}
                session.add(KeepingRow(hash=who.hash, **owner))

    def leave(self, visitor: Visitor, hash_: str) -> None:
        """Strike a game off somebody's list; the link still works."""
        with self.archive.session() as session:
            for row in session.scalars(select(KeepingRow).where(KeepingRow.hash == hash_, _of(visitor))):
                session.delete(row)

    def games(self, visitor: Visitor) -> list[MyGame]:
        """His games: those in which he is asked first, then by when somebody acted last."""
        with self.archive.session() as session:
            found = session.execute(
                select(KeyRow, GameRow)
                .join(GameRow, GameRow.id == KeyRow.game)
                .where(KeyRow.hash.in_(select(KeepingRow.hash).where(_of(visitor))))  # each once, however often kept
                .order_by(GameRow.touched.desc())
            )
            games = [_my_game(self.archive.seal, key, game) for key, game in found]
        return sorted(games, key=lambda game: not game.mine)

    # Accounts

    def register(self, visitor: Visitor | None, name: str, password: str) -> str:
        """Make an account, and take the visitor's games into it; returns his new cookie."""
        name = name.strip()
        if NAME.fullmatch(name) is None:
            raise Unreadable("a name has 2 to 40 letters, digits, blanks, dots, dashes or apostrophes")
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise Unreadable(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters")
        try:
            with self.archive.session() as session:
                row = AccountRow(name=name, known_as=name.casefold(), password=self._hasher.hash(password))
                session.add(row)
                session.flush()
                return _enter(session, visitor, row.id)
        except IntegrityError:
            raise Unreadable(f"the name {name} is taken") from None

    def log_in(self, visitor: Visitor | None, name: str, password: str) -> str:
        """Let somebody into his account; returns his new cookie."""
        with self.archive.session() as session:
            row = session.scalar(select(AccountRow).where(AccountRow.known_as == name.strip().casefold()))
            try:
                self._hasher.verify(row.password if row is not None else self._nobody, password)
            except (VerificationError, InvalidHashError):
                row = None
            if row is None:
                raise NotYours("name and password do not fit together")
            if self._hasher.check_needs_rehash(row.password):
                row.password = self._hasher.hash(password)
            return _enter(session, visitor, row.id)

    def log_out(self, visitor: Visitor) -> None:
        with self.archive.session() as session:
            session.get_one(VisitorRow, visitor.id).account = None


def _hashed(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()


def _of(visitor: Visitor) -> ColumnElement[bool]:
    if visitor.account is None:
        return KeepingRow.visitor == visitor.id
    return KeepingRow.account == visitor.account


def _known_from_now_on(session: Session, account: int | None) -> tuple[str, VisitorRow]:
    """A new cookie, and the visitor who is known by it."""
    cookie = secrets.token_urlsafe(32)
    row = VisitorRow(cookie=_hashed(cookie), account=account)
    session.add(row)
    session.flush()
    return cookie, row


def _enter(session: Session, visitor: Visitor | None, account: int) -> str:
    """A new cookie for an account: whoever planted or saw the one of before has nothing in his hands."""
    if visitor is not None:
        _join(session, visitor, account)
        session.delete(session.get_one(VisitorRow, visitor.id))
    return _known_from_now_on(session, account)[0]


def _join(session: Session, visitor: Visitor, account: int) -> None:
    """The games of a browser become those of an account, each once."""
    held = select(KeepingRow.hash).where(KeepingRow.account == account)
    for row in session.scalars(select(KeepingRow).where(KeepingRow.visitor == visitor.id, KeepingRow.hash.in_(held))):
        session.delete(row)
    session.flush()
    session.execute(update(KeepingRow).where(KeepingRow.visitor == visitor.id).values(visitor=None, account=account))


def _my_game(seal: Seal, key: KeyRow, game: GameRow) -> MyGame:
    seats = parted(key.seats)
    return MyGame(
        key=seal.open(key.hash, key.sealed),
        hash=key.hash,
        role=key.role,
        seats=seats,
        game=game.id,
        name=game.name,
        setup=game.setup,
        round=game.round,
        turn=game.turn,
        number=game.number,
        touched=game.touched,
        mine=game.turn in seats,
    )
