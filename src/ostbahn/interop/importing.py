"""What importing an export of 18xx.games takes in any title.

The site skips steps and players that can do nothing without leaving an action; the engine asks them all. So an importer
answers for itself: up to the step to which the next action of the file belongs, and past the steps that the site would
have skipped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from ostbahn.interop.imported import FileMark, Imported, seed_of
from ostbahn.interop.undone import SiteEntry, effective, with_automatic, without_effect
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile, BadSetup, Refused
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.kits.catalogue import SITE, new_game

MALFORMED: Final = (LookupError, TypeError, ValueError, AttributeError, AssertionError, StopIteration)
"""What goes wrong in reading an action that has not the fields and values of any on the site."""


class Importer(ABC):
    """Replays the actions of a file that took effect, every one checked, under the site's rulings."""

    turns: tuple[type[Task], ...]
    """Where players and not companies are asked, one turn after the other."""

    def __init__(self, document: Mapping[str, Any], title: str, variant: str, modules: Sequence[str] = ()) -> None:
        players = [str(player["name"]) for player in document["players"]]
        seed = seed_of(document)
        try:
            self.game = new_game(
                title, players, variant=variant, preset=SITE, draw_order=False, seed=seed, modules=modules
            )
        except BadSetup as fault:
            raise BadFile(str(fault)) from None
        self.entries = effective(document["actions"])
        self.moves = [
            (entry["id"], part) for entry in self.entries for part in with_automatic(entry) if not without_effect(part)
        ]
        """Everything that somebody did, in order, with the number of the entry in which it stands."""
        self.finished = document.get("status") == "finished"
        self.marks: list[FileMark] = []
        self.taken = 0
        """How many moves have been taken."""

    # What a title knows

    @abstractmethod
    def take(self, entry: SiteEntry) -> None:
        """Let an action of the file happen."""

    @abstractmethod
    def skip(self) -> None:
        """Answer for somebody who had nothing to decide on the site."""

    @abstractmethod
    def advance(self) -> None:
        """Pass everything that the site passed by itself before the next action of the file."""

    @abstractmethod
    def translate(self, entry: SiteEntry, actor: str) -> Action:
        """What an action of the file is for us."""

    @property
    def lingers(self) -> bool:
        """Whether the site is still in a step that is over for us."""
        return False

    # What all do

    def run(self) -> Imported:
        with self.naming(0):
            self.advance()
        self.marks.append(FileMark(0, len(self.game)))
        for entry in self.entries:
            while self.taken < len(self.moves) and self.moves[self.taken][0] == entry["id"]:
                self.move(self.moves[self.taken][1])
            self.marks.append(FileMark(int(entry["id"]), len(self.game), self.lingers))
        if self.finished:
            self.finish()
        return Imported(self.game, self.marks)

    def move(self, move: SiteEntry) -> None:
        self.taken += 1
        if move["type"] == "end_game":
            self.finished = False
            return
        with self.naming(self.taken - 1):
            self.take(move)
        with self.naming(self.taken):
            self.advance()

    @contextmanager
    def naming(self, place: int) -> Iterator[None]:
        """Have faults name the move at that place of the file, or its last one."""
        number, move = [*self.moves, *self.moves[-1:]][place] if self.moves else (0, {})
        what = f"action {number} ({move.get('type')} by {move.get('entity')})"
        try:
            yield
        except Refused as refused:
            raise BadFile(f"{what} is refused: {refused}") from None
        except BadFile as fault:
            raise BadFile(f"{what} cannot be read: {fault}") from None
        except MALFORMED as fault:
            raise BadFile(f"{what} cannot be read: {type(fault).__name__} {fault}") from fault

    def finish(self) -> None:
        """Nothing is left to decide in a game that the site calls finished, unless it was ended by hand."""
        with suppress(Refused):
            while not self.game.over:
                self.skip()
        self.marks[-1] = self.marks[-1]._replace(actions=len(self.game))

    @property
    def following(self) -> SiteEntry | None:
        """The next move of the file."""
        return self.moves[self.taken][1] if self.taken < len(self.moves) else None

    @property
    def question(self) -> Question:
        question = self.game.question
        if question is None:
            raise BadFile("the file goes on after the end of the game")
        return question

    def idle(self, following: SiteEntry) -> bool:
        """Whether a player can only pass, so that what follows belongs to a later turn."""
        if not isinstance(self.question.task, self.turns) or len(self.question) > 1:
            return False
        return following["type"] == "pass" or self.translate(following, self.asked()) not in self.question

    def asked(self) -> str:
        """Whom the engine asks: a company or a seat."""
        question = self.question
        return question.company or question.decider
