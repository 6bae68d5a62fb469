"""How a title is played: weights, what to think of at a question, what a position is worth, what a net sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from msgspec import Struct, structs
from msgspec.structs import replace

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holding, share_unit
from ostbahn.kernel.questions import Option, Question
from ostbahn.kernel.state import State
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import kit_named
from ostbahn.kits.data import decode_data

if TYPE_CHECKING:
    from ostbahn.bots.nets import Prediction


class TunableWeights(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a weights file; a misspelt name is an error and not a default."""


class FixedParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of numbers that are the same for every character, and that tuning leaves alone."""


W = TypeVar("W", bound=TunableWeights)
T = TypeVar("T", bound=TunableWeights | FixedParameters)


def read_weights(package: str, file: str, kind: type[T]) -> T:
    """A weights file of a title's bots."""
    return parse_weights(resources.files(package).joinpath("data", file).read_text(encoding="utf-8"), file, kind)


def parse_weights(text: str, file: str, kind: type[T]) -> T:
    """A text of the form of such a file; a fault is told with file and field."""
    return decode_data(f"weights of a bot, {file}", text, kind)


WeightChange = Callable[[str, str, Any], Any]
"""What becomes of a weight, by the name of its table, its own whole name (`dealing.levy`) and its value."""


def map_weights(weights: W, change: WeightChange, prefix: str = "") -> W:
    """The weights as they become, in all tables but those that are fixed."""
    table = type(weights).__name__.removesuffix("Weights")
    values = {
        name: map_weights(value, change, f"{prefix}{name}.")
        if isinstance(value, TunableWeights)
        else change(table, f"{prefix}{name}", value)
        for name, value in structs.asdict(weights).items()
        if not isinstance(value, FixedParameters)
    }
    return structs.replace(weights, **values)


def perturb_weights(weights: W, seed: int, part: float) -> W:
    """The same numbers, each with a decimal point up to a part larger or smaller, as the seed has it.

    A character hangs on the names of tables and weights: other names would be another character.
    """

    def change(table: str, path: str, value: Any) -> Any:
        if not isinstance(value, float):
            return value
        return value * (1 + part * Random(f"{seed}/{table}/{path.rpartition('.')[2]}").uniform(-1, 1))

    return map_weights(weights, change)


def cap_weight(weights: W, name: str, most: int) -> W:
    """The same numbers, but none of that name is larger."""
    return map_weights(weights, lambda _, path, value: min(value, most) if path.rpartition(".")[2] == name else value)


Factors = Mapping[str, float]
"""By the whole name of a weight (`dealing.levy`), what it is multiplied with."""


def scale_weights(weights: W, factors: Factors) -> W:
    """The weights with some of them multiplied; only those that are a single number with a decimal point can be."""
    return map_weights(
        weights, lambda _, path, value: value * factors.get(path, 1.0) if isinstance(value, float) else value
    )


class Proposal(NamedTuple):
    """An answer that somebody thinks of."""

    action: Action
    score: float
    """Money of projected final wealth; only differences between proposals of one question matter."""
    reasons: tuple[str, ...] = ()
    """Two or three short figures that speak for it, for whoever asks for a hint. Figures that speak against it are
    left out: another bot may choose it for reasons of its own."""


def with_pass(found: Iterable[Proposal], reason: str, score: float = 0.0) -> list[Proposal]:
    """Passing, and what else there is. The reason is said only if nothing else is better."""
    others = list(found)
    best = all(each.score <= score for each in others)
    return [Proposal(Pass(), score, (reason,) if best else ()), *others]


def with_reason_for_best(found: Iterable[Proposal], reason: str) -> list[Proposal]:
    """The best first, with a reason that only the best one has."""
    ranked = best_first(found)
    return [each._replace(reasons=(*each.reasons, reason)) for each in ranked[:1]] + ranked[1:]


def best_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """The best first; equals stay in the order in which they were thought of, so that no lot has to be drawn."""
    return sorted(proposals, key=lambda proposal: -proposal.score)


NET_FILE: Final = "net.npz"
"""A net, in the data of its package."""


class TableFeatures(NamedTuple):
    """A table in numbers, all of them about as large as 1."""

    seats: tuple[str, ...]
    companies: tuple[str, ...]
    game: Sequence[float]
    company: Sequence[Sequence[float]]
    """A row for each company."""
    player: Sequence[Sequence[float]]
    """A row for each seat."""
    foreseen: Sequence[float]
    """For each seat what the rules of thumb foresee that it will have, in money: what a net begins with."""
    held: Sequence[Sequence[float]]
    """For each seat what part of each company it holds."""
    directed: Sequence[Sequence[float]]
    """For each seat 1 for the companies that it directs."""


def deciding_player(state: State) -> str | None:
    """Whose turn it is in a round of shares."""
    players = (getattr(task, "player", None) for task in reversed(state.agenda))
    return next((str(player) for player in players if player), None)


Trait = Literal[
    "pays",
    "keeps",
    "trains",
    "waits",
    "phase",
    "starts",
    "own",
    "others",
    "control",
    "sells",
    "hurts",
    "builds",
    "passes",
    "trades",
]
"""What an idea is like, as far as a character cares: a company pays its income or keeps it; it buys trains or none,
and a phase begins by one; somebody starts a company, buys more of their own, buys what others direct, or takes it over;
they sell, or sell what others direct; they build, pass, or offer something to others."""
Taste = Mapping[Trait, float]
"""What traits count for, as parts of one's wealth; less than nothing for what is disliked."""
FollowUp = Callable[[Question], Action | None]
"""What one wants to answer if it can be answered: at the first question where it is something, it is fulfilled."""


class Candidate(NamedTuple):
    """An answer with what is to follow."""

    action: Action
    follow_ups: tuple[FollowUp, ...] = ()
    """At one's next questions, in this order."""
    plan: str = ""
    """The whole of it in a few words, for whoever asks for a hint."""
    reasons: tuple[str, ...] = ()
    partner: str | None = None
    """Whoever would have to agree. It is thought of only if both gain more by it than the rest of the table."""
    traits: frozenset[Trait] = frozenset()
    """What it is like; a character may like that or not."""


class EvaluatedCandidate(NamedTuple):
    """An idea with what it is expected to bring."""

    candidate: Candidate
    value: float
    """What a bot goes by: one's own wealth in the end, less what the others' counts against it, and with what a
    character likes of it; of rules of thumb the score. Only differences between ideas of one question matter."""
    wealth: float = 0.0
    """0 where only rules of thumb were asked."""
    doubt: float = 0.0
    """The standard deviation of the logarithm of that wealth."""
    judgement: Prediction | None = None

    @classmethod
    def from_proposal(cls, proposal: Proposal, value: float) -> EvaluatedCandidate:
        return cls(Candidate(proposal.action, reasons=proposal.reasons), value)


CandidateGenerator = Callable[[Question, Game, list[Candidate], Any, "Prediction"], list[Candidate]]
"""What to think of at a question: the ideas of `S`, the best first, and others, thought of with certain weights and
with what the net foresees as things are. The first one stays the first."""
RolloutHorizon = Literal["answer", "turn", "round"]
"""How far an idea is played on before it is judged: not at all, to the end of the company's turn, or of the round."""


class RolloutSettings(FixedParameters, frozen=True):
    """How a kind of question is studied."""

    until: RolloutHorizon
    kept: int
    """So many ideas are played on; before that, each is judged by the table right after it."""
    settled: int = 0
    """In so many of the last rounds of shares the first idea of `S` stays the first, whatever the net says: rules of
    thumb may know better what the end brings."""


class VariantSettings(FixedParameters, frozen=True):
    """What is otherwise in a variant."""

    settled: tuple[str, ...]
    """Kinds of question at which rules of thumb decide: there the net was seen to know less."""
    factors: Factors
    """In place of the title's."""


class LearntSettings(FixedParameters, frozen=True):
    """How a bot that has learnt goes about its questions: what is in `learnt.toml`."""

    rivalry: float
    """What 1 that the others have on average counts against."""
    margin: float
    """By what part of one's wealth a plan must be better than what the rules of thumb say: a net may be wrong too."""
    opening: int
    """So many answers of a game are its opening: there it draws among plans that are nearly as good as the best."""
    near: float
    """By what part of one's wealth such plans may be worse."""
    doubt: float
    """What the net's own doubt is multiplied by: so that two of three games do end within the bounds of a hint."""
    studies: Mapping[str, RolloutSettings]
    """By kinds of question; at others the rules of thumb decide."""
    factors: Factors
    """Weights of `S` that it multiplies: what self-play has shown of them."""
    variants: Mapping[str, VariantSettings] = {}
    """By the names of variants."""
    modules: tuple[str, ...] = ()
    """Of the title's expansion, those of which the net has seen games."""

    def knows_modules(self, modules: Sequence[str]) -> bool:
        """Whether the net can judge a game with some modules."""
        return set(modules) <= set(self.modules)

    def settings_for(self, variant: str, modules: Sequence[str] = ()) -> VariantSettings:
        """What holds in a variant; with modules that the net does not know, rules of thumb decide everything."""
        own = self.variants.get(variant) or VariantSettings((), self.factors)
        return own if self.knows_modules(modules) else replace(own, settled=tuple(self.studies))

    def utility(self, wealth: Mapping[str, float], seat: str) -> float:
        """What it is worth to somebody that everybody has so much."""
        others = [amount for other, amount in wealth.items() if other != seat]
        return wealth[seat] - self.rivalry * sum(others) / max(1, len(others))


class Tastes(FixedParameters, frozen=True):
    """What is in `tastes.toml`: what characters like in a title, where that is another amount than usual."""

    tastes: Mapping[str, Taste]


def unknown_rounds_left(_: Game) -> float:
    """Where the players decide when the game ends."""
    return inf


class LearntPolicy(NamedTuple):
    """How a title is played by a bot that has learnt."""

    package: str
    """In whose folder `data` the net and the numbers are."""
    features_of: Callable[[Any], TableFeatures]
    """What a net sees of a table."""
    generate_candidates: CandidateGenerator
    rounds_left: Callable[[Game], float] = unknown_rounds_left
    """Rounds of shares that are left, with the present one."""

    def manner(self) -> LearntSettings:
        return read_weights(self.package, "learnt.toml", LearntSettings)

    def tastes(self) -> Tastes:
        return read_weights(self.package, "tastes.toml", Tastes)


def exactly(action: Action) -> FollowUp:
    """To answer exactly this."""
    return lambda question: action if question.refusal(action) is None else None


def distinct_candidates(ideas: Sequence[Candidate]) -> list[Candidate]:
    """Each plan once, in the order in which they were thought of."""
    found: dict[tuple[Action, str], Candidate] = {}
    for idea in ideas:
        found.setdefault((idea.action, idea.plan), idea)
    return list(found.values())


PRICES_TRIED: Final = 6
"""Prices that are thought of, beside the lowest."""


def price_offers(option: Option, partner: str, currency: str) -> Iterator[Candidate]:
    """Offers for one thing, from the lowest price to the highest."""
    span = option.span
    assert span is not None
    for price in sorted({span.low + (span.high - span.low) * step // PRICES_TRIED for step in range(PRICES_TRIED + 1)}):
        yield Candidate(option.with_price(price), plan=f"offer {price} {currency}", partner=partner)


def purchase_traits(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Of one more share: whose company it is, and whether it becomes one's own by that."""
    head, own = director(table, company), holding(table, player, company) + share_unit(table, company)
    if head is None:
        first = table.title.companies[company].certificates[0]
        return frozenset({"control"}) if own >= first else frozenset()
    if head == player:
        return frozenset({"own"})
    return frozenset({"others", "control"}) if own > holding(table, head, company) else frozenset({"others"})


def sale_traits(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Of a sale: the price falls, and where somebody else is the Director, that is their loss."""
    return frozenset({"sells"}) if director(table, company) in (None, player) else frozenset({"sells", "hurts"})


SEED_SPREAD: Final = 0.05
"""How far the weights of a character are from those in the file. Without that, bots would play the same game again and
again, where a seed only shuffles the playing order."""


class Policy(NamedTuple):
    """How a title is played."""

    weights: Callable[[], Any]
    """The numbers that its rules of thumb go by."""
    search_weights: Callable[[], Any]
    """Those of a bot that searches."""
    propose: Callable[[Question, Game, Any], list[Proposal]]
    """What to think of, the best first."""
    search_propose: Callable[[Question, Game, Any], list[Proposal]]
    """The same for a bot that searches."""
    estimate_final_wealth: Callable[[Any, Any], dict[str, float]]
    """What everybody will be worth in the end, as far as a table shows it."""
    searched_kinds: frozenset[str]
    """Questions, by their kind, at which looking ahead was found to be better than the rule of thumb."""
    rewards_total_wealth: bool
    """Whether it counts, when weights are learnt, how rich those get who play by the same ones. Not where the players
    decide when the game ends: there, among those who want to be rich, nobody ends it."""
    max_candidates: int
    """Ideas that a search tries at most; more cost time and were not found to be better."""
    learnt: LearntPolicy | None = None
    """How a bot thinks that judges by a net; None where nothing has been learnt."""
    levels: str | None = None
    """The package whose `data/levels.toml` says how strong each level plays; None if the usual ones will do."""

    @property
    def has_learnt(self) -> bool:
        return self.learnt is not None and resources.files(self.learnt.package).joinpath("data", NET_FILE).is_file()


def plain_policy(
    weights: Callable[[], Any],
    propose: Callable[[Question, Game, Any], list[Proposal]],
    estimate_final_wealth: Callable[[Any, Any], dict[str, float]],
    searched_kinds: frozenset[str] = frozenset(),
) -> Policy:
    """One way to think, whether or not a bot looks ahead."""
    return Policy(
        weights,
        weights,
        propose,
        propose,
        estimate_final_wealth,
        searched_kinds,
        rewards_total_wealth=True,
        max_candidates=4,
    )


class WeightedPolicy:
    """A policy with its weights: what a bot plays a game by."""

    def __init__(self, title: str, weights: TunableWeights | None = None, *, searching: bool = False) -> None:
        self.policy = kit_named(title).policy
        self.weights = self.policy.weights() if weights is None else weights
        self.propose = self.policy.search_propose if searching else self.policy.propose

    def proposals(self, question: Question, game: Game) -> list[Proposal]:
        """What to think of, the best first; never empty."""
        return self.propose(question, game, self.weights)

    def estimate_final_wealth(self, game: Game) -> dict[str, float]:
        return self.policy.estimate_final_wealth(game.table, self.weights)


@lru_cache(maxsize=64)
def weighted_policy_of(title: str, seed: int = 0) -> WeightedPolicy:
    """With the weights that come with Ostbahn; a seed makes a character of its own of them."""
    weights = kit_named(title).policy.weights()
    return WeightedPolicy(title, perturb_weights(weights, seed, SEED_SPREAD) if seed else weights)
