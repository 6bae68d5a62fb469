"""A plan: a game as it stood after some move, and what somebody answered from there on, for whoever was asked.

A plan has a game of its own, which shares nothing with the real one, and draws lots of its own: what a plan shows of
chance is an example, and never what the game will bring.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from ostbahn.bots.playing import Bot
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.kernel.actions import Action
from ostbahn.kernel.chance import with_lots
from ostbahn.kernel.errors import BadSetup, Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Record

How = Literal["person", "bot", "obvious", "prepared"]
"""Who gave an answer; an obvious one was nobody's decision, and a prepared one was decided on before."""
MOST_ANSWERS: Final = 1000
"""Of a plan, beyond where it was forked; that is half of a long game."""
MOST_AT_ONCE: Final = 200
"""Answers that bots give before somebody is asked again, at most."""
LONGEST_NAME: Final = 60


class Answer(NamedTuple):
    """What was planned at one question."""

    by: str
    action: Action
    how: How = "person"


def board_at(game: Game, number: int, lots: int) -> Game:
    """The game as it was after so many answers, to play on with other lots; its history is there to look back at."""
    history = game.at(number).history
    last = with_lots(history.states[-1], lots)
    return Game.retold(game.rulebook, history._replace(states=(*history.states[:-1], last)))


def plan_name(text: str) -> str:
    """What somebody calls a plan, as far as it is a name."""
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadSetup(f"the name of a plan has 1 to {LONGEST_NAME} letters")
    return name


class Plan:
    """A board of somebody's own. What may be taken back ends where it was forked."""

    def __init__(self, name: str, game: Game, fork: int, lots: int, how: Iterable[How] = ()) -> None:
        self.name = name
        self.game = game
        self.fork = fork
        """How many answers of the real game it begins with."""
        self.lots = lots
        """From where chance goes on."""
        self.how = list(how)
        """How each of its own answers was given."""
        self._undone: list[Answer] = []

    @classmethod
    def forked(cls, name: str, game: Game, number: int, lots: int) -> Plan:
        """A new plan that begins after so many answers of a game."""
        return cls(plan_name(name), board_at(game, number, lots), number, lots)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Its own answers."""
        own = self.game.records[self.fork :]
        return tuple(Answer(record.by, record.action, how) for record, how in zip(own, self.how, strict=True))

    @property
    def undone(self) -> tuple[Answer, ...]:
        """Answers that can be given again, the next one first."""
        return tuple(reversed(self._undone))

    def answer(self, action: Action, by: str | None = None, how: How = "person") -> Record:
        check_length(len(self.how))
        record = self.game.apply(action, by)
        self.how.append(how)
        self._undone.clear()
        return record

    def undo(self) -> Record:
        """Take back the last answer of the plan; what the real game was before it is not for a plan to change."""
        if not self.how:
            raise Refused(Refusal("", f"nothing is planned after move {self.fork}, so there is nothing to take back"))
        self._undone.append(self.answers[-1])
        self.how.pop()
        return self.game.undo()

    def redo(self) -> Record:
        """Give the answer again that was taken back last."""
        record = self.game.redo()
        self.how.append(self._undone.pop().how)
        return record

    # Bots

    def let_answer(self, bot: Bot) -> Record:
        """A bot answers for whoever is asked."""
        return self.answer(ask_bot(bot, self.game).action, how="bot")

    def let_answer_until(self, bot: Bot, seat: str) -> list[Record]:
        """A bot answers for all others until somebody is asked; nothing is done where they are asked already."""
        given: list[Record] = []
        while (question := self.game.question) is not None and question.decider != seat and len(given) < MOST_AT_ONCE:
            given.append(self.let_answer(bot))
        return given


def check_length(own: int) -> None:
    """Refuse one more answer where a plan has so many of its own, and no room for another."""
    if own >= MOST_ANSWERS:
        raise Refused(Refusal("", f"a plan has at most {MOST_ANSWERS} answers"))
