"""Checks for titles: random legal play, with everything that must hold for any title checked at every step.

    play_random(game, Random(7), watch=[MyInspector(Random(7))])

A watcher sees the game after each step, the question, the state before, and the record. Subclass `Inspector` for your
title. Nothing here knows a title; failed checks raise AssertionError.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from ostbahn.interop import saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refused
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.tiles import TileSet
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.records import Paid, Record
from ostbahn.kernel.state import State
from ostbahn.kits.catalogue import rulebook

__all__ = [
    "AnswerPolicy",
    "Domains",
    "Inspector",
    "Watcher",
    "any_rulings",
    "check_earlier",
    "check_save",
    "mutations",
    "pick",
    "play_random",
    "uniform",
]

AnswerPolicy = Callable[[Game, Random], Action]
Watcher = Callable[[Game, Question, State, Record], None]
Domains = Mapping[str, Sequence[Any]]
"""For each field of an action the values that it might have, sensible or not."""


def pick(option: Option, rng: Random) -> Action:
    """An option at some price, where it leaves the price open."""
    if option.span is None:
        return option.action
    low, high = option.span
    return option.with_price(rng.choice((low, high, rng.randint(low, high))))


def by_kind(question: Question) -> dict[type[Action], list[Option]]:
    """The options sorted by the kind of answer."""
    kinds: dict[type[Action], list[Option]] = {}
    for option in question:
        kinds.setdefault(type(option.action), []).append(option)
    return kinds


def uniform(game: Game, rng: Random) -> Action:
    """Any kind of answer first, then any answer of that kind."""
    kinds = by_kind(game.ask())
    return pick(rng.choice(kinds[rng.choice(list(kinds))]), rng)


def any_rulings(title: str, variant: str, players: int, rng: Random, modules: Sequence[str] = ()) -> dict[str, str]:
    """Every ruling at one of its values."""
    rulings = rulebook(title, variant, players, modules).title.rulings
    return {name: rng.choice(ruling.values) for name, ruling in rulings.items()}


def play_random(
    game: Game,
    rng: Random,
    steps: int | None = None,
    policy: AnswerPolicy = uniform,
    watch: Iterable[Watcher] = (),
) -> Game:
    """Play on, so many steps or to the end."""
    watchers = tuple(watch)
    while not game.over and steps != 0:
        question, before = game.ask(), game.state
        record = game.apply(policy(game, rng))
        for watcher in watchers:
            watcher(game, question, before, record)
        steps = None if steps is None else steps - 1
    return game


# What must hold after every step


def check_money(before: State, record: Record, after: State) -> None:
    """Nothing appears, nothing vanishes, nobody owes, and the record tells every payment."""
    assert sum(after.cash.values()) == 0, "money appeared or vanished"
    short = {who: amount for who, amount in after.cash.items() if amount < 0 and who != BANK}
    assert not short, f"below zero: {short}"
    told = dict(before.cash)
    for event in record.events:
        if isinstance(event, Paid):
            assert event.amount > 0
            told[event.source] -= event.amount
            told[event.target] += event.amount
    assert told == after.cash, "the record does not tell how the money moved"


def check_copy(game: Game, action: Action) -> None:
    """A copy is equal, and what happens to it does not show in the original."""
    digest, length = game.state.digest, len(game)
    twin = game.copy()
    assert twin.state == game.state
    assert twin.state.digest == digest
    twin.apply(action)
    assert (game.state.digest, len(game)) == (digest, length), "a copy is tied to its original"
    twin.undo()
    assert twin.state.digest == digest


def check_undo(game: Game, before: State, record: Record) -> None:
    """Undoing the last step restores the state before it, redoing brings it back."""
    digest, length = game.state.digest, len(game)
    assert game.undo() == record
    assert game.state == before
    assert game.state.digest == before.digest
    assert len(game) == length - 1
    assert game.redo() == record
    assert (game.state.digest, len(game)) == (digest, length)


def apart_from_chance(game: Game) -> str:
    """The same for games that differ only in what they will draw: a copy of a game has chance of its own."""
    return msgspec.structs.replace(game.state, chance=0).digest


def check_save(game: Game) -> None:
    """A save replays to the same state."""
    loaded = saves.load(saves.dump(game))
    assert loaded.state == game.state
    assert loaded.state.digest == game.state.digest
    assert loaded.records == game.records


def check_earlier(game: Game, number: int) -> None:
    """Playing the same answers again from an earlier moment leads to the same state."""
    again = game.position(number)
    for record in game.records[number:]:
        assert again.apply(record.action, record.by) == record
    assert again.state.digest == game.state.digest


# What may be answered


class Listing:
    """The listed options of a question, to look up whether they cover an action.

    Of rotations of a tile that look the same one is listed, and stands for the others.
    """

    def __init__(self, question: Question, tiles: TileSet) -> None:
        self.tiles = tiles
        self.plain = {option.action for option in question if option.span is None}
        self.spans = {self._bare(option.action): option.span for option in question if option.span is not None}
        self.kinds = {type(option.action) for option in question}

    def _alike(self, action: Action) -> Iterator[Action]:
        tile, rotation = getattr(action, "tile", ""), getattr(action, "rotation", -1)
        if tile in self.tiles.tiles and rotation in range(6):
            for turn in self.tiles.alike[tile][rotation]:
                yield msgspec.structs.replace(action, rotation=turn)

    @staticmethod
    def _bare(action: Action) -> Action:
        return msgspec.structs.replace(action, price=0)

    def covers(self, action: Action) -> bool:
        if action in self.plain or any(other in self.plain for other in self._alike(action)):
            return True
        if not hasattr(action, "price"):
            return False
        span = self.spans.get(self._bare(action))
        return span is not None and span.low <= action.price <= span.high


def check_accepted(game: Game, action: Action) -> None:
    """A listed answer is accepted and changes something."""
    question = game.ask()
    assert question.refusal(action) is None, f"{action} is listed, but refused: {question.refusal(action)}"
    assert action in question
    twin = game.copy()
    twin.apply(action, question.decider)
    assert len(twin) == len(game) + 1
    assert twin.state != game.state, f"{action} changed nothing"


def check_refused(game: Game, action: Action) -> None:
    """An answer that is not listed is refused with a reason, and nothing changes."""
    digest, length = game.state.digest, len(game)
    refusal = game.refusal(action)
    assert refusal is not None, f"{action} is not listed, but allowed in {game.ask().task}"
    assert refusal.text
    assert action not in game.ask()
    raised = None
    try:
        game.apply(action)
    except Refused as refused:
        raised = refused.refusal
    assert raised == refusal, f"{action} is refused as {refusal}, but applying it raised {raised}"
    assert (game.state.digest, len(game)) == (digest, length), f"the refused {action} changed something"


def check_options(game: Game, rng: Random, samples: int) -> None:
    """Some listed answers are accepted; prices also at both ends, and not beyond them."""
    question = game.ask()
    assert question.options, f"nothing can be answered to {question.task}"
    actions = [option.action for option in question]
    assert len(set(actions)) == len(actions), "an option is listed twice"
    for option in rng.sample(question.options, min(samples, len(question))):
        if option.span is None:
            check_accepted(game, option.action)
            continue
        low, high = option.span
        assert low <= high
        assert option.action == option.with_price(low)
        check_accepted(game, option.with_price(low))
        check_accepted(game, option.with_price(high))
        check_refused(game, option.with_price(low - 1))
        check_refused(game, option.with_price(high + 1))


def mutations(actions: Sequence[Action], domains: Domains, rng: Random) -> Iterator[Action]:
    """Answers like the given ones, with one field changed."""
    while True:
        action = rng.choice(actions)
        fields = [field for field in action.__struct_fields__ if field in domains]
        if fields:
            field = rng.choice(fields)
            yield msgspec.structs.replace(action, **{field: rng.choice(domains[field])})
        else:
            yield action


def check_unlisted(game: Game, candidates: Iterable[Action], free: tuple[type[Action], ...] = ()) -> None:
    """Of some answers those that are listed are allowed, and no others.

    free: kinds of which one listed answer stands for others that are as good.
    """
    listing = Listing(game.ask(), game.table.title.tile_set)
    for action in candidates:
        if isinstance(action, free) and type(action) in listing.kinds:
            continue
        if listing.covers(action):
            assert game.refusal(action) is None, f"{action} is listed, but refused"
        else:
            check_refused(game, action)


def check_turn(game: Game, players: Iterable[str]) -> None:
    """Only who is asked may answer."""
    question = game.ask()
    action = question.options[0].action
    for player in players:
        refusal = game.refusal(action, by=player)
        assert (refusal is None) == (player == question.decider)


# All of it, step by step


class Inspector(ABC):
    """Looks at every step of a game.

    options, strange: how many answers of each sort are tried in each step.
    save_every: after how many steps a save is read back; None for never.
    """

    free: tuple[type[Action], ...] = ()
    """Kinds of answers of which one stands for others that are as good."""

    def __init__(self, rng: Random, *, options: int = 2, strange: int = 4, save_every: int | None = 50) -> None:
        self.rng = rng
        self.options = options
        self.strange = strange
        self.save_every = save_every

    @abstractmethod
    def audit(self, game: Game, before: State, record: Record) -> None:
        """What must hold in this title after a step."""

    @abstractmethod
    def strange_answers(self, game: Game) -> Iterable[Action]:
        """Answers close to the listed ones, and answers to other questions."""

    @abstractmethod
    def richer(self, game: Game) -> Game:
        """The same position with more money everywhere."""

    def __call__(self, game: Game, question: Question, before: State, record: Record) -> None:
        self.audit(game, before, record)
        check_money(before, record, game.state)
        check_undo(game, before, record)
        assert record.by == question.decider
        if self.save_every and (len(game) % self.save_every == 0 or game.over):
            check_save(game)
            check_earlier(game, max(0, len(game) - self.save_every))
        if not game.over:
            self.look_ahead(game, [option.action for option in question])

    def look_ahead(self, game: Game, before: Sequence[Action]) -> None:
        """What may be answered next, and what not: what could be answered just now, or with more money, may not."""
        check_options(game, self.rng, self.options)
        check_turn(game, game.state.players)
        check_copy(game, game.ask().options[0].action)
        wealthy = [option.action for option in self.richer(game).ask()]
        candidates = [
            *self.strange_answers(game),
            *self.rng.sample(before, min(self.strange, len(before))),
            *self.rng.sample(wealthy, min(self.strange, len(wealthy))),
        ]
        check_unlisted(game, candidates, free=self.free)
