"""Keys of tables, their owners, and each visitor's list of games."""

from __future__ import annotations

import secrets
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, cast

from msgspec import Struct, structs
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import AccountListener, AccountRow, Visitor
from ostbahn.server.db.database import Database
from ostbahn.server.db.encryption import KeyCipher, hashed
from ostbahn.server.faults import KeyReplaced
from ostbahn.server.games.repository import decode_setup
from ostbahn.server.games.results import PLAYING, claim
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.table.access import Access, KeyRole, joined, parted
from ostbahn.table.room import names_by_seat
from ostbahn.views.catalogue import name_of

VOID: Final = "void"  # the role of a key that opens nothing any more
BYTES: Final = 16
LETTERS: Final = string.ascii_letters + string.digits


def new_id() -> str:
    """A random id of a game or tournament. It never begins with a dash, which a command line takes for an option."""
    return f"{secrets.choice(LETTERS)}{secrets.token_urlsafe(8)[1:]}"


def new_key(key_cipher: KeyCipher, game: str, role: KeyRole, seats: Iterable[str] = ()) -> tuple[Access, KeyRow]:
    key = secrets.token_urlsafe(BYTES)
    row = KeyRow(
        hash=hashed(key), sealed=key_cipher.encrypt(key), game=game, role=role, seats=joined(seats), used=False
    )
    return access_of(row, key), row


def access_of(row: KeyRow, key: str) -> Access:
    if row.role == VOID:
        raise KeyReplaced(row.game)
    role = cast(KeyRole, row.role)
    return Access(key=key, hash=row.hash, game=row.game, role=role, seats=parted(row.seats), used=row.used)


def owners_at(session: Session, game: str) -> dict[str, list[str]]:
    """The owners of each seat's key: `a7` for an account, `v7` for a visitor without one."""
    owners: dict[str, list[str]] = {}
    for seats, owner in _key_owners(session, game, PLAYING):
        for seat in parted(seats):
            if owner not in owners.setdefault(seat, []):
                owners[seat].append(owner)
    return owners


def hosts_of(session: Session, game: str) -> set[str]:
    """Owners of the host's key."""
    return {owner for _, owner in _key_owners(session, game, ("host",))}


def _key_owners(session: Session, game: str, roles: Collection[str]) -> Iterator[tuple[str, str]]:
    """The seats and an owner of each key with one of these roles."""
    owned = (
        select(KeyRow.seats, KeepingRow.account, KeepingRow.visitor)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(roles), KeepingRow.removed.is_(False))
    )
    for seats, account, visitor in session.execute(owned):
        yield seats, f"v{visitor}" if account is None else f"a{account}"


def key_of(session: Session, key_cipher: KeyCipher, owner: str, game: str, seat: str) -> str:
    """The key with which an owner plays a seat; empty if it cannot be decrypted."""
    column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
    owned = (
        select(KeyRow)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING), column == int(owner[1:]))
    )
    for row in session.scalars(owned):
        if seat in row.seats.split(",") and (key := key_cipher.decrypt(row.hash, row.sealed)):
            return key
    return ""


class MyGame(Struct, frozen=True):
    """A game on a visitor's list."""

    key: str  # empty if it cannot be decrypted; its link still works
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
    mine: bool  # whether it is their turn


class MyGames(AccountListener):
    def __init__(self, database: Database) -> None:
        self.database = database

    def keep(self, visitor: Visitor, who: Access) -> None:
        with self.database.session() as session:
            rows = session.scalars(select(KeepingRow).where(KeepingRow.hash == who.hash, _is_owner(visitor))).all()
            for row in rows:
                row.removed = False
            if not rows:
                owner = {"visitor": visitor.id} if visitor.account is None else {"account": visitor.account}
                session.add(KeepingRow(hash=who.hash, **owner))

    def remove(self, visitor: Visitor, hash_: str, removed: bool = True) -> None:
        """Take a game off a visitor's list, or put it back; its link keeps working."""
        with self.database.session() as session:
            of_visitor = update(KeepingRow).where(KeepingRow.hash == hash_, _is_owner(visitor))
            session.execute(of_visitor.values(removed=removed))

    def games(self, visitor: Visitor, removed: bool = False) -> list[MyGame]:
        """A visitor's games: those where they are to move first, then the most recently played."""
        hashes = select(KeepingRow.hash).where(_is_owner(visitor), KeepingRow.removed == removed)
        with self.database.session() as session:
            rows = session.execute(
                select(KeyRow, GameRow)
                .join(GameRow, GameRow.id == KeyRow.game)
                .where(KeyRow.hash.in_(hashes))  # not a join, which would repeat games
                .order_by(GameRow.touched.desc())
            )
            games = [self._my_game(key, game) for key, game in rows]
        return sorted(games, key=lambda game: not game.mine)

    def _my_game(self, key: KeyRow, game: GameRow) -> MyGame:
        columns = {name: getattr(game, name) for name in ("name", "setup", "round", "turn", "number", "touched")}
        link, seats = self.database.key_cipher.decrypt(key.hash, key.sealed), parted(key.seats)
        return MyGame(link, key.hash, key.role, seats, game.id, **columns, mine=game.turn in seats)

    def seat_at(self, visitor: Visitor, game: str) -> Access | None:
        """The access with which a visitor already plays at a table; None if there is none, or it cannot be shown."""
        hashes = select(KeepingRow.hash).where(_is_owner(visitor))
        owned = select(KeyRow).where(KeyRow.game == game, KeyRow.role.in_(PLAYING), KeyRow.hash.in_(hashes))
        with self.database.session() as session:
            for row in session.scalars(owned):
                if row.seats and (key := self.database.key_cipher.decrypt(row.hash, row.sealed)):
                    return access_of(row, key)
        return None

    def joined(self, session: Session, visitor: Visitor, account: AccountRow) -> None:
        """Move the games of a browser, with their results, to an account that may have some of them already."""
        of_account = select(KeepingRow.hash).where(KeepingRow.account == account.id)
        is_visitors = KeepingRow.visitor == visitor.id
        for row in session.scalars(select(KeepingRow).where(is_visitors, KeepingRow.hash.in_(of_account))):
            session.delete(row)
        session.flush()
        session.execute(update(KeepingRow).where(is_visitors).values(visitor=None, account=account.id))
        claim(session, account)


def _is_owner(visitor: Visitor) -> ColumnElement[bool]:
    """The condition that a `KeepingRow` belongs to a visitor, or to their account."""
    if visitor.account is None:
        return KeepingRow.visitor == visitor.id
    return KeepingRow.account == visitor.account


SPANS: Final = (
    (timedelta(days=365), "year"),
    (timedelta(days=30), "month"),
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)

NO_SETUP: Final = Setup(title="", variant="", players=())  # of a damaged game


class GameView(MyGame, frozen=True, kw_only=True):
    """A game in words: `what` is title and variant, `turn` a player's name, `damage` what is wrong with its log."""

    what: str
    players: tuple[str, ...]
    ago: str
    damage: str


def game_views(games: Iterable[MyGame], now: datetime, damaged: Mapping[str, str]) -> list[GameView]:
    views = []
    for game in games:
        setup = decode_setup(game.setup) or NO_SETUP
        turn = None if game.turn is None else names_by_seat(setup).get(game.turn, game.turn)
        what = name_of(setup.title, setup.variant, setup.modules) if setup.title else ""
        words = {"what": what, "players": setup.players, "ago": ago(now - game.touched)}
        views.append(GameView(**structs.asdict(game) | words | {"turn": turn, "damage": damaged.get(game.game, "")}))
    return views


def ago(span: timedelta) -> str:
    for unit, word in SPANS:
        if span >= unit:
            number = span // unit
            return f"{number} {word}{'s' if number > 1 else ''} ago"
    return "just now"


def variant_name(title: str, variant: str, modules: Sequence[str] = ()) -> str:
    """The displayed name of a variant; its title may no longer be installed."""
    try:
        return name_of(title, variant, modules)
    except BadSetup:
        return f"{title} ({variant})"
