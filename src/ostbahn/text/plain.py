"""The face of a title without peculiarities: it brings words, and the rest follows from its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import count_certificates, director
from ostbahn.kernel.questions import Question
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table
from ostbahn.kits.plain import PlainTable
from ostbahn.text.formatting import seat_names
from ostbahn.text.naming import Names
from ostbahn.text.words import Words

PlainT = TypeVar("PlainT", bound=PlainTable)


class PlainFace(Generic[PlainT]):
    """What there is to say beyond this, a title says in a class of its own made from this one."""

    words: Words

    def __init__(self, game: Game) -> None:
        self.table = cast(PlainT, game.table)
        self.rulebook = game.rulebook

    def names(self) -> Names:
        return seat_names(self.table.players)

    def remark(self, question: Question, action: Action) -> str:
        return ""

    def matter(self, question: Question) -> str:
        """The money there is, and a company's trains."""
        who = question.company or question.decider
        has = f"{self.table.name(who)} has {self.words.money(self.table.state.cash[who])}"
        if question.company is None:
            return has
        trains = ", ".join(train.face for train in self.table.state.trains.get(who, ()))
        return f"{has}; trains: {trains or 'none'}"

    def chapters(self, question: Question) -> tuple[str, ...]:
        """That of the rule by which it is asked: `4` for 4.1."""
        asking = self.rulebook.chapters[type(question.task)]
        rule = asking.rule_for(question.task) if isinstance(asking, Decision) else ""
        return (re.sub(r"[./]\w+$", "", rule),)

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """Nothing; a title that wants to say why a tile cannot lie on a hex yields the tiles that might."""
        return iter(())

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        """How many certificates they then have."""
        player, limit = question.decider, self.table.certificate_limit
        if (held := count_certificates(later, player)) != count_certificates(self.table, player):
            yield f"{self.table.name(player)} then has {held} of {limit} certificates"

    def accounts(self, seat: str) -> set[str]:
        return {seat, *(company for company in self.table.state.certificates if director(self.table, company) == seat)}

    def standings(self) -> dict[str, int]:
        return self.table.standings()

    def winners(self) -> list[str]:
        """The richest; equals share the win."""
        found = self.standings()
        return [player for player, amount in found.items() if amount == max(found.values())]

    def round_name(self) -> str:
        return self.words.round_name(self.table.state.round)

    def headline(self) -> list[str]:
        return [f"phase {self.table.state.phase} ({self.table.phase.colour} tiles)"]
