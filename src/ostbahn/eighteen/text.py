"""The base of a title's text: what follows from its table, and the words for runs, offers and passing."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Generic, TypeVar, cast

from ostbahn.eighteen.table import BaseTable, PlainTable
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.map.hexes import DIRECTIONS, sides_of
from ostbahn.kernel.map.tiles import Face
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import Record, Revenue
from ostbahn.kernel.steps import Decision
from ostbahn.kernel.table import Table
from ostbahn.kits.data import Spec
from ostbahn.text.formatting import seat_names
from ostbahn.text.words import DeedText, Names, Naming, Passing, Words

TableT = TypeVar("TableT", bound=BaseTable)
PlainT = TypeVar("PlainT", bound=PlainTable)

# Answers

PASSING: Final[Mapping[str, Passing]] = {
    "stock_round": Passing("pass", why="no share can be bought or sold"),
    "lay_track": Passing("lay no track", "lay no more track", "no track can be laid"),
    "establish_station": Passing("place no station", why="no station can be placed"),
    "operate_trains": Passing("run no train", why="there is no train to run"),
    "purchase_trains": Passing("buy no train", "buy no more trains", "no train can be bought"),
}


def run_words(action: Any, naming: Naming, _: str = "") -> str:
    return f"run {naming.ways(action.runs) if action.runs else 'no train'}{claim_words(action, naming)}"


def claim_words(action: Any, naming: Naming) -> str:
    """The revenue that an imported file claims, or nothing."""
    claim = getattr(action, "claim", None)
    return "" if claim is None else f", said to earn {naming.money(claim)}"


def ran_words(record: Record, naming: Naming) -> str:
    """A run in the log, with its revenue."""
    action: Any = record.action
    if not action.runs:
        return f"ran no train{claim_words(action, naming)}"
    earned = sum(event.amount for event in record.events if isinstance(event, Revenue))
    return f"ran {naming.ways(action.runs)} for {naming.money(earned)}"


def reply_words(verb: str, terms: Callable[[Any, Naming, str], str]) -> DeedText:
    """The log text of a reply to an offer. terms: words an offer at a price."""

    def deed_text(_: Record, naming: Naming) -> str:
        task: Any = naming.task
        return f"{verb} the offer of {naming.who(task.company)}: {terms(task.offer, naming, str(task.offer.price))}"

    return deed_text


# Remarks


def joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def sides(mask: int) -> str:
    return "-".join(DIRECTIONS[side] for side in sides_of(mask))


def track_words(table: Table, tile: str, rotation: int) -> str:
    """The colour of a tile and the sides that its track joins."""
    face: Face = table.title.tile_set.faces[tile][rotation]
    track = ", ".join(text for mask in (*face.node_exits, *sorted(face.pairs)) if (text := sides(mask)))
    return f"{table.title.tiles[tile].colour} {track}"


def hex_of_name(table: Table, place: str) -> str:
    """The hex of a place that is shown by name, to find it on the map; empty if shown by hex."""
    hex_id = hex_of(place)
    return "" if table.place(hex_id) == hex_id else hex_id


def proceeds(table: Table, company: str, percent: int) -> int:
    return percent // money.share_unit(table, company) * chart.price(table, company)


def lays_on(table: Table, hex_: Hex) -> list[tuple[str, int]]:
    """The tiles and rotations that fit a hex; if none does, one whose refusal says why."""
    tiles = table.title.tile_set
    fitting = table.title.fitting(hex_, table.state.board.tiles.get(hex_.id))
    lays = [(tile, turn) for tile, rotations in fitting.items() for turn in tiles.distinct(tile, rotations)]
    return lays or [("9", 0)]


# Chapters

Chapters = tuple[str, ...]
"""Ids of chapters of the rulebook, the most important first."""


class QuestionsFile(Spec, frozen=True):
    """A title's `questions.toml`: the chapters of the rulebook for each question."""

    questions: Mapping[str, Chapters]
    """Chapters by kind of question."""
    answers: Mapping[str, Chapters] = {}
    """Further chapters by kind of legal answer."""
    otherwise: Mapping[str, Chapters] = {}
    """Chapters by kind of question where the other two have none."""
    also: Mapping[str, Mapping[str, Chapters]] = {}
    """Chapters that variants and modules add, by name and kind of question."""

    def chapters(self, kind: str, question: Question, played: Iterable[str]) -> Chapters:
        """The chapters for a question of this kind. played: the variant and modules of the game."""
        by_answers = (chapters for answer, chapters in self.answers.items() if question.offers(answer))
        ids = [*self.questions[kind], *chain.from_iterable(by_answers)] or [*self.otherwise[kind]]
        ids += [chapter for name in played for chapter in self.also.get(name, {}).get(kind, ())]
        return tuple(dict.fromkeys(ids))


# Renderers


class BaseTextRenderer(ABC, Generic[TableT]):
    """Text that all titles share; a title subclasses it for its own."""

    words: Words

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = cast(TableT, game.table)

    def names(self) -> Names:
        return seat_names(self.table.players)

    def remark(self, question: Question, action: Action) -> str:
        return ""

    def matter(self, question: Question) -> str:
        who = question.company or question.decider
        has = f"{self.table.name(who)} has {self.words.money(self.table.state.cash[who])}"
        if question.company is None:
            return has
        trains = ", ".join(train.face for train in self.table.state.trains.get(who, ()))
        return f"{has}; trains: {trains or 'none'}"

    def chapters(self, question: Question) -> Chapters:
        """The chapter of the rule behind the question: `4` for 4.1."""
        handler = self.game.rulebook.handlers[type(question.task)]
        rule = handler.rule_for(question.task) if isinstance(handler, Decision) else ""
        return (re.sub(r"[./]\w+$", "", rule),)

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """No answers by default; a title yields those to try for a hex or company, so that refusals explain why not."""
        return iter(())

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        return iter(())

    def accounts(self, seat: str) -> set[str]:
        companies = self.table.state.certificates
        return {seat, *(company for company in companies if money.director(self.table, company) == seat)}

    def certificates(self, table: TableT, player: str) -> int:
        return money.count_certificates(table, player)

    def certificates_then(self, later: TableT, player: str) -> str:
        held = self.certificates(later, player)
        return f"{self.table.name(player)} then has {held} of {self.table.certificate_limit} certificates"

    @property
    def round(self) -> str:
        """The code of the present round: `OR 5.2`."""
        state: Any = self.table.state
        return str(state.round)

    def round_name(self) -> str:
        return self.words.round_name(self.round)

    @abstractmethod
    def headline(self) -> list[str]:
        """The phase, and what else describes the moment of the game."""


class PlainTextRenderer(BaseTextRenderer[PlainT]):
    """Text of a plain title: the title supplies `words`, the rest follows from its table."""

    def cost(self, action: Action) -> int | None:
        """The price on the card of an answer."""
        return None

    def costs(self, action: Action) -> str:
        cost = self.cost(action)
        return f"costs {self.words.money(cost)}" if cost else ""

    def foresee(self, question: Question, action: Action, later: Table) -> Iterator[str]:
        player, then = question.decider, cast(PlainT, later)
        if self.certificates(then, player) != self.certificates(self.table, player):
            yield self.certificates_then(then, player)

    def headline(self) -> list[str]:
        return [f"phase {self.table.state.phase} ({self.table.phase.colour} tiles)"]
