"""The games of a person: the keys that they have used, without an account or with one."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from ostbahn.server.accounts.people import AccountListener, AccountRow, Visitor
from ostbahn.server.db.database import Archive
from ostbahn.server.db.encryption import Seal
from ostbahn.server.games.keys import access
from ostbahn.server.games.results import PLAYING, claim
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.table.access import Access, parted


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
    """Whether it is their turn."""


class MyGames(AccountListener):
    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def keep(self, visitor: Visitor, who: Access) -> None:
        """Remember that a visitor has used a key."""
        with self.archive.session() as session:
            mine = _of(visitor)
            kept = session.scalars(select(KeepingRow).where(KeepingRow.hash == who.hash, mine)).all()
            for row in kept:
                row.removed = False
            if not kept:
                owner = {"visitor": visitor.id} if visitor.account is None else {"account": visitor.account}
                session.add(KeepingRow(hash=who.hash, **owner))

    def remove(self, visitor: Visitor, hash_: str, removed: bool = True) -> None:
        """Take a game off somebody's list, or put it back; its link works all the while."""
        kept = (KeepingRow.hash == hash_) & _of(visitor)
        with self.archive.session() as session:
            session.execute(update(KeepingRow).where(kept).values(removed=removed))

    def games(self, visitor: Visitor, removed: bool = False) -> list[MyGame]:
        """Their games: those first in which they are asked, then by when somebody acted last."""
        kept = select(KeepingRow.hash).where(_of(visitor), KeepingRow.removed == removed)
        with self.archive.session() as session:
            found = session.execute(
                select(KeyRow, GameRow)
                .join(GameRow, GameRow.id == KeyRow.game)
                .where(KeyRow.hash.in_(kept))  # each once, however often kept
                .order_by(GameRow.touched.desc())
            )
            games = [_my_game(self.archive.seal, key, game) for key, game in found]
        return sorted(games, key=lambda game: not game.mine)

    def seat_at(self, visitor: Visitor, game: str) -> Access | None:
        """The key with which somebody plays at a table already, as far as it is known."""
        kept = select(KeepingRow.hash).where(_of(visitor))
        wanted = select(KeyRow).where(KeyRow.game == game, KeyRow.role.in_(PLAYING), KeyRow.hash.in_(kept))
        with self.archive.session() as session:
            for row in session.scalars(wanted):
                if row.seats and (key := self.archive.seal.open(row.hash, row.sealed)):
                    return access(row, key)
        return None

    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        """The games of a browser become those of an account, each once, with their results."""
        held = select(KeepingRow.hash).where(KeepingRow.account == account.id)
        kept = KeepingRow.visitor == visitor.id
        for row in session.scalars(select(KeepingRow).where(kept, KeepingRow.hash.in_(held))):
            session.delete(row)
        session.flush()
        session.execute(update(KeepingRow).where(kept).values(visitor=None, account=account.id))
        claim(session, account)


def _of(visitor: Visitor) -> ColumnElement[bool]:
    if visitor.account is None:
        return KeepingRow.visitor == visitor.id
    return KeepingRow.account == visitor.account


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
