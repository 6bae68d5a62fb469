"""A random player of 18Mag that gets into all corners of the game, and the checks on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec

from ostbahn import testing
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.questions import Question
from ostbahn.kernel.records import DirectorChanged, Paid, PhaseBegan, Record, TrainMoved
from ostbahn.kernel.state import State
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.majors import SLEEPING_CARS
from ostbahn.titles.mag.title import mag_title
from tests.titles.mag import invariants

TITLE = mag_title()

WEIGHTS: dict[type[Action], float] = {
    Pass: 3,
    Accept: 3,
    Decline: 1,
    mag.BuyShare: 20,
    mag.SellShares: 1,
    mag.LayTile: 30,
    mag.DeclareToken: 0.5,
    mag.PlaceStation: 6,
    mag.ScrapTrain: 0.5,
    mag.BuyCar: 8,
    mag.RunTrains: 10,
    mag.BuyTrain: 12,
    mag.OfferForTrain: 1,
    mag.BuyDirectorShare: 20,
    mag.LayByFeketehazy: 6,
    mag.PromoteBySina: 6,
    mag.PlaceByDdsg: 6,
    mag.BuyByKando: 12,
    mag.AddTown: 3,
}
"""How often each kind of answer is given; kinds that are not named have weight 1."""

DOMAINS: testing.Domains = {
    "minor": (*TITLE.minors, "14", "16", ""),
    "supporter": ("KK", "FJ", "SMFvR", "GSvS", "DDSG", "MA", "XY", ""),
    "feketehazy": (True, False),
    "major": (*TITLE.companies, "CIWL", "p1", "bank"),
    "hex": (*TITLE.map.hexes, "Z9", ""),
    "tile": (*TITLE.tiles, "99", ""),
    "rotation": (*range(6), -1, 6),
    "token": (True, False),
    "track_for": (None, "2", "RÁBA"),
    "city": (*(f"{hex_.id}.{node}" for hex_ in TITLE.map for node in range(2)), "Z9.0", "E12.9", "E12", ""),
    "card": (*(f"{face}-{number}" for face in TITLE.stacks for number in range(1, 6)), "9-1", ""),
    "car": ("off_board", "plus", "mine"),
    "face": (*TITLE.stacks, "5", ""),
    "price": (-1, 0, 1, 20, 80, 10_000),
    "percent": (-10, 0, 5, 10, 20, 60, 100),
    "amount": (-10, 0, 5, 10, 100, 10_000),
}
ANYTHING: tuple[Action, ...] = (
    Pass(),
    Accept(),
    Decline(),
    mag.DraftMinor("3"),
    mag.DraftShare("SIK"),
    mag.BuyShare("SIK"),
    mag.SellShares("SIK", 10),
    mag.LayTile("E10", "57", 0),
    mag.DeclareToken(),
    mag.PlaceStation("E10.0"),
    mag.ScrapTrain("2-1"),
    mag.BuyCar("plus"),
    mag.RunTrains(()),
    mag.BuyTrain("3"),
    mag.OfferForTrain("2-1", 20),
    mag.PayDividend(10),
)
"""One answer of every kind."""
WITH_MODULES: tuple[Action, ...] = (
    mag.DraftSupporter("KK"),
    mag.BuyDirectorShare("CIWL"),
    mag.TakeFromRothschild(),
    mag.AddTown("2-1"),
    mag.LayByFeketehazy("E10", "57", 0),
    mag.PromoteBySina("E10", "57", 0),
    mag.PlaceByDdsg("E10.0"),
    mag.BuyByKando("3"),
)
"""Those that only modules bring."""


def lively(rng: Random) -> testing.AnswerPolicy:
    """A random player with a temper of his own: fond of some kinds of answers, averse to others."""
    temper = {kind: weight * rng.choice((0.3, 1, 3)) for kind, weight in WEIGHTS.items()}

    def policy(game: Game, rng: Random) -> Action:
        kinds = testing.by_kind(game.ask())
        [kind] = rng.choices(list(kinds), [temper.get(kind, 1) for kind in kinds])
        return testing.pick(rng.choice(kinds[kind]), rng)

    return policy


def richer(game: Game, amount: int) -> Game:
    """The same position, but everybody has more money; it cannot be saved, because nobody played it."""
    state = invariants.state_of(game.state)
    owners = {who for who in state.owners if state.owners[who] != BANK}
    cash = {who: money + amount for who, money in state.cash.items() if who in state.players or who in owners}
    cash = {**state.cash, **cash}
    cash[BANK] = -sum(money for who, money in cash.items() if who != BANK)
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(state, cash=cash))


def strange_answers(game: Game, rng: Random, samples: int) -> Iterator[Action]:
    """Answers close to the listed ones, and answers to other questions."""
    listed = [option.action for option in game.ask()]
    yield from islice(testing.mutations(listed, DOMAINS, rng), samples)
    yield from islice(testing.mutations((*ANYTHING, *WITH_MODULES), DOMAINS, rng), samples)


class Inspector(testing.Inspector):
    free = (mag.RunTrains,)

    def audit(self, game: Game, before: State, record: Record) -> None:
        invariants.check_invariants(game)
        invariants.check_train_events(invariants.state_of(before), record, invariants.state_of(game.state))

    def strange_answers(self, game: Game) -> Iterator[Action]:
        return strange_answers(game, self.rng, self.strange)

    def richer(self, game: Game) -> Game:
        return richer(game, 500)


CORNERS = (
    *(f"phase {colour}" for colour in ("green", "brown", "grey")),
    *(f"did {action.__struct_config__.tag}" for action in ANYTHING if not isinstance(action, mag.DeclareToken)),
    "train from stack",
    "train to stack",
    "train traded",
    "director changed",
    "told no_train_sold",
    "told terrain_token_given",
    "told offer_declined",
    "mine",
)
"""What random games should reach, or the checks would not see everything."""
CORNERS_WITH_MODULES = (
    *(f"did {action.__struct_config__.tag}" for action in WITH_MODULES),
    "sleeping cars",
    *(f"did buy_by_kando {face}" for face in TITLE.stacks),
)
"""And those with modules."""


class Tally(Counter[str]):
    """Counts what has happened in games."""

    def __call__(self, game: Game, question: Question, before: State, record: Record) -> None:
        self[f"did {record.action.__struct_config__.tag}"] += 1
        if isinstance(record.action, mag.BuyByKando):
            self[f"did buy_by_kando {record.action.face}"] += 1
        for event in record.events:
            match event:
                case PhaseBegan(phase):
                    self[f"phase {phase}"] += 1
                case DirectorChanged():
                    self["director changed"] += 1
                case TrainMoved(_, _, source, target):
                    self["train from stack" if source == "stack" else "train traded"] += target != "stack"
                    self["train to stack"] += target == "stack"
                case _:
                    self[f"told {event.__struct_config__.tag}"] += 1
        if isinstance(record.action, mag.RunTrains) and any("mine" in run.cars for run in record.action.runs):
            self["mine"] += 1
        if isinstance(record.action, mag.RunTrains):
            self._run(record)
        if game.over:
            self["games"] += 1

    def _run(self, record: Record) -> None:
        assert isinstance(record.action, mag.RunTrains)
        self["sleeping cars"] += any(isinstance(event, Paid) and event.why == SLEEPING_CARS for event in record.events)
