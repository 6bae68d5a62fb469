"""A random player of 18CZ that gets into all corners of the game, the checks on the way, and a tally of both."""

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
from ostbahn.kernel.records import DirectorChanged, Event, PhaseBegan, Record, TileLaid, TrainMoved
from ostbahn.kernel.state import State
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.cz.events import Closed
from ostbahn.titles.cz.state import CzState, ReturnTrains
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz import audit

TITLE = cz_title()
FACES = tuple(TITLE.train_faces)
NODES = tuple(f"{hex_.id}.{node}" for hex_ in TITLE.map for node in range(4))

WEIGHTS: dict[type[Action], float] = {
    Pass: 3,
    Accept: 3,
    Decline: 1,
    cz.BuyLocal: 9,
    cz.OpenAuction: 6,
    cz.Bid: 2,
    cz.AssignTrain: 1,
    cz.StartCompany: 12,
    cz.BuyShare: 20,
    cz.SellShares: 1,
    cz.RepayDebt: 20,
    cz.LayTile: 30,
    cz.LayPurpleTile: 8,
    cz.OfferForLocal: 1,
    cz.SellLocal: 0.3,
    cz.PlaceStation: 6,
    cz.RunTrains: 20,
    cz.PayOut: 2,
    cz.Withhold: 3,
    cz.OfferAcquisition: 0.8,
    cz.TurnTrain: 6,
    cz.ScrapTrain: 2,
    cz.BuyTrain: 24,
    cz.OfferForTrain: 2,
}
"""How often each kind of answer is given; kinds that are not named have weight 1."""


SIZE_WEIGHTS = {"small": 1, "medium": 4, "large": 12}


def lively(rng: Random) -> testing.AnswerPolicy:
    """A random player with a temper of his own: fond of some kinds of answers, averse to others."""
    temper = {kind: weight * rng.choice((0.3, 1, 3)) for kind, weight in WEIGHTS.items()}

    def policy(game: Game, rng: Random) -> Action:
        kinds = testing.by_kind(game.ask())
        [kind] = rng.choices(list(kinds), [temper.get(kind, 1) for kind in kinds])
        options = kinds[kind]
        state = audit.state_of(game.state)
        [option] = rng.choices(options, [liking(state, option.action) for option in options])
        return testing.pick(option, rng)

    return policy


def liking(state: CzState, action: Action) -> float:
    """How much one answer is preferred to others of its kind: companies should float, large ones above all."""
    match action:
        case cz.StartCompany(company):
            return SIZE_WEIGHTS[TITLE.companies[company].size]
        case cz.BuyShare(company):
            return SIZE_WEIGHTS[TITLE.companies[company].size] * (1 if company in state.floated else 5)
    return 1


# Answers that nobody listed

DOMAINS: testing.Domains = {
    "hex": (*TITLE.map.hexes, "Z9", ""),
    "tile": (*TITLE.tiles, "99", ""),
    "rotation": tuple(range(-1, 7)),
    "waiver": (None, *TITLE.locals, "Q1"),
    "local": (*TITLE.locals, "MW", "3E", "Q1"),
    "paper": ("3E", "MW", "S1", "M1", "L1", "M2", ""),
    "company": (*TITLE.companies, "XX", "p1", "bank"),
    "price": (*range(-1, 130), 150, 200, 500, 10**6),
    "percent": (-25, 0, 1, 10, 20, 25, 30, 40, 50, 60, 75, 100),
    "city": (*NODES, *TITLE.map.hexes, "Z9.0", "E11.9", ""),
    "card": (*(TITLE.stack.card(number) for number in range(36)), "k1", ""),
    "face": (*FACES, "7", ""),
}
ANYTHING: tuple[Action, ...] = (
    Pass(),
    Accept(),
    Decline(),
    cz.BuyLocal("S1"),
    cz.OpenAuction("S1", 40),
    cz.NamePaper("MW"),
    cz.Bid(45),
    cz.AssignTrain("3E"),
    cz.StartCompany("EKJ", 60),
    cz.BuyShare("EKJ"),
    cz.SellShares("EKJ", 25),
    cz.RepayDebt(),
    cz.LayRedTile("A7", 0),
    cz.ChooseCity("B8.0"),
    cz.LayTile("D4", "57", 0),
    cz.LayPurpleTile("S1", "E3", "887p", 0),
    cz.OfferForLocal("S1", 20),
    cz.SellLocal("S1"),
    cz.PlaceStation("D4.0"),
    cz.RunTrains(()),
    cz.PayOut(),
    cz.Withhold(),
    cz.OfferAcquisition("EKJ", 60),
    cz.ChooseReturn("E11.0"),
    cz.TurnTrain("d1", "3+3"),
    cz.ScrapTrain("d1"),
    cz.BuyTrain("d1", "3"),
    cz.OfferForTrain("d1", 20),
    cz.ReturnTrain("d1"),
)
"""One answer of every kind."""


def strange_answers(game: Game, rng: Random, samples: int) -> Iterator[Action]:
    """Answers close to the listed ones, and answers to other questions."""
    listed = [option.action for option in game.ask()]
    yield from islice(testing.mutations(listed, DOMAINS, rng), samples)
    yield from islice(testing.mutations(ANYTHING, DOMAINS, rng), samples)


def richer(game: Game, amount: int) -> Game:
    """The same position, but everybody has more money; it cannot be saved, because nobody played it."""
    state = audit.state_of(game.state)
    cash = {who: money + amount for who, money in state.cash.items() if who in state.players or who in state.floated}
    cash = {**state.cash, **cash}
    cash[BANK] = -sum(money for who, money in cash.items() if who != BANK)
    return Game.from_state(game.rulebook, game.setup, msgspec.structs.replace(state, cash=cash))


# Checks on the way


class Inspector(testing.Inspector):
    free = (cz.RunTrains,)

    def audit(self, game: Game, before: State, record: Record) -> None:
        audit.check_invariants(game)
        audit.check_trains_told(audit.state_of(before), record, audit.state_of(game.state))

    def strange_answers(self, game: Game) -> Iterator[Action]:
        return strange_answers(game, self.rng, self.strange)

    def richer(self, game: Game) -> Game:
        return richer(game, 500)


# What has happened

CORNERS = (
    *(f"phase {letter}" for letter in "bcdefghij"),
    *(f"{colour} tile" for colour in ("yellow", "green", "brown", "grey", "red")),
    *(f"purple {colour} tile" for colour in ("green", "brown", "grey")),
    *(f"did {action.__struct_config__.tag}" for action in ANYTHING),
    *(f"train from stack to {target}" for target in ("company", "abroad")),
    *(f"train from pool to {target}" for target in ("company", "scrap")),
    *(f"train from company to {target}" for target in ("company", "pool", "scrap")),
    "above the certificate limit",
    "bought beyond the train limit",
    *(f"told {event}" for event in ("closed", "loan_taken", "power_used", "station_returned")),
    "closed before it operated",
    "cost waived",
    "director changed",
)
"""What random games get to see between them."""


class Tally(Counter[str]):
    """Counts what happens in games."""

    def __call__(self, game: Game, question: Question, before: State, record: Record) -> None:
        self[f"asked {question.kind}"] += 1
        self[f"did {record.action.__struct_config__.tag}"] += 1
        if isinstance(record.action, cz.LayTile) and record.action.waiver:
            self["cost waived"] += 1
        if isinstance(question.task, ReturnTrains) and question.task.but:
            self["bought beyond the train limit"] += 1
        for event in record.events:
            self.update(names_of(event))
            if isinstance(event, Closed) and event.company not in audit.state_of(before).operated:
                self["closed before it operated"] += 1
            if isinstance(event, DirectorChanged) and audit.above_certificate_limit(game, event.before):
                self["above the certificate limit"] += 1
        if game.over:
            self[f"ended in phase {game.state.phase}"] += 1
            self["games"] += 1


def names_of(event: Event) -> list[str]:
    """What to call an event in a tally."""
    match event:
        case PhaseBegan(phase):
            return [f"phase {phase}"]
        case DirectorChanged():
            return ["director changed"]
        case TrainMoved(_, _, source, target):
            places = ("stack", "pool", "scrap", "abroad")
            return ["train from {} to {}".format(*(p if p in places else "company" for p in (source, target)))]
        case TileLaid(_, name):
            tile = TITLE.tiles[name]
            return [f"{'purple ' if tile.purple else ''}{tile.colour} tile"]
    return [f"told {event.__struct_config__.tag}"]
