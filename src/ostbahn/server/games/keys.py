"""Keys: who has one to which table, and the list of their games."""

from __future__ import annotations

import secrets
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct, structs
from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Setup
from ostbahn.server.accounts.people import AccountListener, AccountRow, Visitor
from ostbahn.server.db.database import Archive
from ostbahn.server.db.encryption import Seal, hashed
from ostbahn.server.faults import Replaced
from ostbahn.server.games.repository import setup_in
from ostbahn.server.games.results import PLAYING, claim
from ostbahn.server.games.tables import GameRow, KeepingRow, KeyRow
from ostbahn.table.access import Access, KeyRole, joined, parted
from ostbahn.table.room import names_by_seat
from ostbahn.views.catalogue import name_of

VOID: Final = "void"
"""The role of a key that opens nothing any more."""
BYTES: Final = 16
LETTERS: Final = string.ascii_letters + string.digits


def new_id() -> str:
    """Of a game or tournament. None begins with a dash, which a command line would take for an option."""
    return f"{secrets.choice(LETTERS)}{secrets.token_urlsafe(8)[1:]}"


def new_key(seal: Seal, game: str, role: KeyRole, seats: Iterable[str] = ()) -> tuple[Access, KeyRow]:
    """A new key to a game, and how it is kept."""
    key = secrets.token_urlsafe(BYTES)
    row = KeyRow(hash=hashed(key), sealed=seal.close(key), game=game, role=role, seats=joined(seats), used=False)
    return access(row, key), row


def access(row: KeyRow, key: str) -> Access:
    if row.role == VOID:
        raise Replaced(row.game)
    role: KeyRole = "host" if row.role == "host" else "seat" if row.role == "seat" else "spectator"
    return Access(key=key, hash=row.hash, game=row.game, role=role, seats=parted(row.seats), used=row.used)


def owners_at(session: Session, game: str) -> dict[str, list[str]]:
    """By seat those who keep its key among their games: `a7` for an account, `v7` for a visitor without one."""
    found: dict[str, list[str]] = {}
    for seats, owner in _kept(session, game, PLAYING):
        for seat in filter(None, seats.split(",")):
            if owner not in found.setdefault(seat, []):
                found[seat].append(owner)
    return found


def hosts_of(session: Session, game: str) -> set[str]:
    """Those who keep the host's key."""
    return {owner for _, owner in _kept(session, game, ("host",))}


def _kept(session: Session, game: str, roles: Collection[str]) -> Iterator[tuple[str, str]]:
    """The seats of keys, and who keeps these among their games."""
    kept = (
        select(KeyRow.seats, KeepingRow.account, KeepingRow.visitor)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(roles), KeepingRow.removed.is_(False))
    )
    for seats, account, visitor in session.execute(kept):
        yield seats, f"v{visitor}" if account is None else f"a{account}"


def key_of(session: Session, seal: Seal, owner: str, game: str, seat: str) -> str:
    """The key with which somebody plays a seat; empty where it cannot be shown any more."""
    column = KeepingRow.account if owner.startswith("a") else KeepingRow.visitor
    kept = (
        select(KeyRow)
        .join(KeepingRow, KeepingRow.hash == KeyRow.hash)
        .where(KeyRow.game == game, KeyRow.role.in_(PLAYING), column == int(owner[1:]))
    )
    for row in session.scalars(kept):
        if seat in row.seats.split(",") and (key := seal.open(row.hash, row.sealed)):
            return key
    return ""


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


SPANS: Final = (
    (timedelta(days=365), "year"),
    (timedelta(days=30), "month"),
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)

NO_SETUP: Final = Setup(title="", variant="", players=())
"""Of a game that is damaged."""


class GameView(MyGame, frozen=True, kw_only=True):
    """The same in words; `turn` is the name of whoever is asked."""

    what: str
    """Title and variant."""
    players: tuple[str, ...]
    ago: str
    damage: str
    """What is wrong with it; empty if nothing is."""


def game_views(games: Iterable[MyGame], now: datetime, damaged: Mapping[str, str]) -> list[GameView]:
    return [_game_view(game, now, damaged.get(game.game, "")) for game in games]


def _game_view(game: MyGame, now: datetime, damage: str) -> GameView:
    setup = setup_in(game.setup) or NO_SETUP
    names = names_by_seat(setup)
    fields = structs.asdict(game) | {"turn": None if game.turn is None else names.get(game.turn, game.turn)}
    return GameView(
        **fields,
        what=name_of(setup.title, setup.variant, setup.modules) if setup.title else "",
        players=setup.players,
        ago=ago(now - game.touched),
        damage=damage,
    )


def ago(span: timedelta) -> str:
    """How long something is past, in the largest unit."""
    for unit, word in SPANS:
        if span >= unit:
            number = span // unit
            return f"{number} {word}{'s' if number > 1 else ''} ago"
    return "just now"


def way_name(title: str, variant: str, modules: Sequence[str] = ()) -> str:
    """What people call a way to play; games stay when their title is no longer installed."""
    try:
        return name_of(title, variant, modules)
    except BadSetup:
        return f"{title} ({variant})"
