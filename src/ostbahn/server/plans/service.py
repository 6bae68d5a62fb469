"""Planning boards of the house: made from a game, played on for all sides, and compared with what the game became.

A board is a room of its own. The game that is planned for is only ever read here; its one change is a planned move that
its owner plays for real, and that goes through the same door as any answer of theirs.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from litestar.di import NamedDependency
from litestar.params import SkipValidation
from msgspec import Struct
from sqlalchemy.orm import Session

from ostbahn.bots.playing import answer as ask_bot
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.planning.plan import fit, plan_name, replayed
from ostbahn.server.events import bus as news
from ostbahn.server.games import repository as shelf
from ostbahn.server.games.keys import new_id
from ostbahn.server.games.new_table import LARGEST_SEED, NewSeat, check_seats
from ostbahn.server.games.service import House
from ostbahn.server.games.services import GameServices
from ostbahn.server.jobs.concurrency import WaitingLine
from ostbahn.table.access import BOARD, Access, NotHere, NotYours, Stale
from ostbahn.table.plans import Kept, PlanRoom, Real, first_planned, plan_view
from ostbahn.table.room import Room, check_version, seats_of
from ostbahn.text.speech import face_of

MOST_PLANS: Final = 12
"""Of one key."""
MOST_WATCHED: Final = 40
"""Of all who look on at a table together, since they share a key; the oldest make room for new ones."""
BREATH: Final = 1.5
"""Seconds after which bots that answer one after the other stop, so that somebody sees what they do."""
WAITING: Final = 20
"""How many may wait for a bot on their board."""


class BotsDone(Struct, frozen=True, kw_only=True):
    """What bots have done on a planning board."""

    version: int
    """The version of the planning board."""
    answers: int
    """How many answers they gave."""
    done: bool
    """Whether they have reached the seat they play up to; otherwise ask again."""


class Plans:
    def __init__(self, house: House) -> None:
        self.house = house
        busy = "bots think on many boards at the moment; try again in a minute"
        self._line = WaitingLine("plan", house.opponents.at_once, WAITING, busy)

    # Boards

    def make(self, who: Access, name: str = "", at: int | None = None) -> Access:
        """A new board that begins after so many answers of a game, or where it stands."""
        if who.origin:
            raise NotHere("a plan is made at the table of the game, not of another plan")
        with self.house.holding(who.game) as room:
            if room.skipped:
                raise Stale("the beginning of this game cannot be replayed any more, so there are no plans for it")
            number = room.number if at is None else at
            game, given = room.game.at(number), room.given[:number]
            board = _board_of(room, plan_name(name) if name.strip() else f"Plan from move {number}")
        entries = board.begin_with(game, given, secrets.randbelow(LARGEST_SEED) + 1)
        self._make_room(who)
        with self.house.archive.session() as session:
            shelf.put(session, board, self.house.clock(), dict.fromkeys(seats_of(board.game.setup)))
            shelf.put_board(session, board.id, who)
            shelf.append(session, board, entries, self.house.clock())
        return self.house.access(f"{who.key}{BOARD}{board.id}")

    def _make_room(self, who: Access) -> None:
        with self.house.archive.session() as session:
            kept = shelf.boards_of(session, who.hash)
        if who.role == "spectator":
            for old in kept[MOST_WATCHED - 1 :]:
                self._drop(old.id)
        elif len(kept) >= MOST_PLANS:
            raise Refused(Refusal("", f"you have {len(kept)} plans for this game, which is the most; throw one away"))

    def mine(self, who: Access, known: Iterable[str] = ()) -> list[Kept]:
        """One's plans, the latest first. Those who look on share a key, so they find only plans that they know."""
        with self.house.archive.session() as session:
            found = shelf.boards_of(session, who.hash)
        wanted, shared = set(known), self.owner(who).role == "spectator"
        return [plan for plan in found if not shared or plan.id in wanted]

    def rename(self, who: Access, name: str) -> None:
        called = plan_name(name)
        with self.changing(who) as (room, session):
            shelf.rename_board(session, who.game, called)
            room.name = called
            news.tell(session, who.game, "joined")

    def throw_away(self, who: Access) -> None:
        with self.holding(who):
            self._drop(who.game)

    def _drop(self, board: str) -> None:
        with self.house.archive.session() as session:
            self.house.delete_board(session, board)
        self.house.close(board)

    @contextmanager
    def holding(self, who: Access) -> Iterator[PlanRoom]:
        """A board for oneself."""
        with self.house.holding(who.game) as room:
            if not isinstance(room, PlanRoom):
                raise NotHere("this is a game, and no planning board")
            yield room

    @contextmanager
    def changing(self, who: Access) -> Iterator[tuple[PlanRoom, Session]]:
        """A board for oneself, and the transaction in which it is changed."""
        with self.house.changing(who.game) as (room, session):
            if not isinstance(room, PlanRoom):
                raise NotHere("this is a game, and no planning board")
            yield room, session

    # The game that is planned for

    def real(self, who: Access) -> Real:
        """As it stands. Whoever asks may hold a board of it meanwhile; nobody holds a board while they hold a game."""
        own = self.owner(who)
        with self.house.holding(own.game) as room:
            return Real(room.game.branch(), tuple(room.given), room.version, room.name, own.seats)

    def owner(self, who: Access) -> Access:
        """The key with which a board was made, as what it is at the table of the game."""
        return self.house.access(who.key.partition(BOARD)[0])

    def play(self, who: Access, version: int) -> Access:
        """Play the first planned move in the game; returns whose table that is.

        version: of the board, so that nobody plays what they have not seen.
        """
        with self.holding(who) as room:
            check_version(room, version)
            real = self.real(who)
            action = first_planned(room, real).action
        owner = self.owner(who)
        self.house.act(owner, real.version, action)
        return owner

    def renew(self, who: Access, version: int) -> int:
        """Begin anew where the game stands, with what can still be given; returns the version of the board."""
        real = self.real(who)
        with self.changing(who) as (room, session):
            check_version(room, version)
            plan = room.plan
            common, kept = fit(plan, real.game).common, replayed(plan, real.game).kept
            self.house.keep(session, room, room.begin_anew(real.game, real.given, common, kept))
            return room.version

    # Playing on

    def redo(self, who: Access, version: int) -> int:
        with self.changing(who) as (room, session):
            check_version(room, version)
            self.house.keep(session, room, room.redo(room.turn or who.seats[0]))
            return room.version

    async def bot(self, who: Access, version: int, code: str, until: str | None = None) -> BotsDone:
        """A bot answers for whoever is asked; or for all until somebody is asked, or it is time to take breath."""
        return await self._line.served(lambda: self._bot(who, version, code, until))

    def _bot(self, who: Access, version: int, code: str, until: str | None) -> BotsDone:
        end, answers = time.monotonic() + BREATH, 0
        while True:
            version = self._bot_answer(who, version, code, until)
            answers += 1
            with self.holding(who) as room:
                done = until is None or room.turn in (None, until)
            if done or time.monotonic() > end:
                return BotsDone(version=version, answers=answers, done=done)

    def _bot_answer(self, who: Access, version: int, code: str, until: str | None) -> int:
        with self.holding(who) as room:
            check_version(room, version)
            check_seats((NewSeat("?", code),), room.game.setup.title)
            if not room.hints:
                raise NotYours("there are no hints at this table, so no bots answer on its planning boards")
            seat, position = room.turn, room.game.branch()
            if seat is None or seat == until:
                who_is_asked = "nobody" if seat is None else face_of(position).names()[seat]
                raise Refused(Refusal("", f"{who_is_asked} is asked now"))
        answered = ask_bot(self.house.opponents.at(who.game, position, seat, code), position)
        with self.changing(who) as (room, session):
            check_version(room, version)
            self.house.keep(session, room, room.answer(answered.action, seat, "bot", answered.note))
            return room.version

    def slot(self, room: Room, who: Access) -> Mapping[str, Any]:
        """What it shows at a table."""
        return {"plan": plan_view(room, self.real(who), self.owner(who).key)} if isinstance(room, PlanRoom) else {}

    def close(self) -> None:
        self._line.close()


def _board_of(room: Room, name: str) -> PlanRoom:
    return PlanRoom(
        id_=new_id(),
        name=name,
        setup=room.game.setup,
        bots={},
        pace=0,
        ask_all=room.ask_all,
        hints=room.hints,
    )


@dataclass(frozen=True, kw_only=True)
class PlanServices(GameServices):
    plans: Plans


GivenPlans = NamedDependency[SkipValidation[PlanServices]]
