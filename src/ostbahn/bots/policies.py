"""A title's policy: its weights, its proposals at a question, its valuation of positions and the features for a net."""

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
    """A table of a weights file; an unknown name is an error."""


class FixedParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of numbers that neither characters nor tuning change."""


W = TypeVar("W", bound=TunableWeights)
T = TypeVar("T", bound=TunableWeights | FixedParameters)


def read_weights(package: str, file: str, kind: type[T]) -> T:
    """Read a weights file from a package's `data` folder."""
    return parse_weights(resources.files(package).joinpath("data", file).read_text(encoding="utf-8"), file, kind)


def parse_weights(text: str, file: str, kind: type[T]) -> T:
    """Parse the text of a weights file; errors name file and field."""
    return decode_data(f"weights of a bot, {file}", text, kind)


WeightChange = Callable[[str, str, Any], Any]
"""Maps table name, dotted path (`dealing.levy`) and value of a weight to its new value."""


def map_weights(weights: W, change: WeightChange, prefix: str = "") -> W:
    """Apply `change` to every tunable weight, recursively."""
    table = type(weights).__name__.removesuffix("Weights")
    values = {
        name: map_weights(value, change, f"{prefix}{name}.")
        if isinstance(value, TunableWeights)
        else change(table, f"{prefix}{name}", value)
        for name, value in structs.asdict(weights).items()
        if not isinstance(value, FixedParameters)
    }
    return structs.replace(weights, **values)


def perturb_weights(weights: W, seed: int, spread: float) -> W:
    """Scale every float weight by a random factor from `1 - spread` to `1 + spread`.

    The factor depends on seed, table and weight names, so renaming a weight changes how a seeded bot plays.
    """

    def change(table: str, path: str, value: Any) -> Any:
        if not isinstance(value, float):
            return value
        return value * (1 + spread * Random(f"{seed}/{table}/{path.rpartition('.')[2]}").uniform(-1, 1))

    return map_weights(weights, change)


def cap_weight(weights: W, name: str, most: int) -> W:
    """Limit every weight of that name to `most`."""
    return map_weights(weights, lambda _, path, value: min(value, most) if path.rpartition(".")[2] == name else value)


Factors = Mapping[str, float]
"""Factors of weights by their dotted paths (`dealing.levy`)."""


def scale_weights(weights: W, factors: Factors) -> W:
    """Multiply float weights by their factors."""
    return map_weights(
        weights, lambda _, path, value: value * factors.get(path, 1.0) if isinstance(value, float) else value
    )


class Proposal(NamedTuple):
    """A possible answer with the score of the heuristics."""

    action: Action
    score: float
    """Projected final wealth; only differences between proposals of one question matter."""
    reasons: tuple[str, ...] = ()
    """Two or three short arguments for it, shown in hints; never against it, as another bot may still choose it."""


def with_pass(proposals: Iterable[Proposal], reason: str, score: float = 0.0) -> list[Proposal]:
    """Put passing before the proposals; it has the reason only if none of them is better."""
    others = list(proposals)
    is_best = all(proposal.score <= score for proposal in others)
    return [Proposal(Pass(), score, (reason,) if is_best else ()), *others]


def with_reason_for_best(proposals: Iterable[Proposal], reason: str) -> list[Proposal]:
    """Sort proposals, the best first, and add a reason to the best one."""
    ranked = best_first(proposals)
    return [best._replace(reasons=(*best.reasons, reason)) for best in ranked[:1]] + ranked[1:]


def best_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Sort proposals by score; ties keep their order, so the result is deterministic."""
    return sorted(proposals, key=lambda proposal: -proposal.score)


NET_FILE: Final = "net.npz"
"""The file of a net in the `data` folder of its package."""


class TableFeatures(NamedTuple):
    """A table as input of a net; most numbers are near 1."""

    seats: tuple[str, ...]
    companies: tuple[str, ...]
    game: Sequence[float]
    company: Sequence[Sequence[float]]
    """A row for each company."""
    player: Sequence[Sequence[float]]
    """A row for each seat."""
    foreseen: Sequence[float]
    """The final wealth of each seat as the heuristics estimate it, in money; the net corrects it."""
    held: Sequence[Sequence[float]]
    """For each seat, its fraction of each company."""
    directed: Sequence[Sequence[float]]
    """For each seat, 1 for each company that it directs."""


def deciding_player(state: State) -> str | None:
    """The player of the innermost task that has one."""
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
"""A trait of a candidate that a character may like or dislike. A company pays out or keeps its income, buys trains or
waits, triggers a phase. A player starts a company, buys shares of their own or of others' companies, takes control,
sells, sells shares that others direct (`hurts`), builds, passes, or trades with others."""
Taste = Mapping[Trait, float]
"""Value of traits as fractions of one's wealth; negative for dislikes."""
FollowUp = Callable[[Question], Action | None]
"""Returns the intended answer to a question, or None if it cannot be given there."""


class Candidate(NamedTuple):
    """An answer with the planned answers that follow it."""

    action: Action
    follow_ups: tuple[FollowUp, ...] = ()
    """The intended answers to one's next questions, in order."""
    plan: str = ""
    """The whole plan in a few words, for hints."""
    reasons: tuple[str, ...] = ()
    partner: str | None = None
    """The player who must agree; the candidate counts only if both gain more than the rest of the table."""
    traits: frozenset[Trait] = frozenset()


class EvaluatedCandidate(NamedTuple):
    """A candidate with its expected outcome."""

    candidate: Candidate
    value: float
    """What bots maximise: final wealth, less the others' weighted by rivalry, plus taste; or the heuristic score.
    Only differences between candidates of one question matter."""
    wealth: float = 0.0
    """Expected final wealth; 0 if only heuristics were used."""
    doubt: float = 0.0
    """Standard deviation of the logarithm of `wealth`."""
    judgement: Prediction | None = None

    @classmethod
    def from_proposal(cls, proposal: Proposal, value: float) -> EvaluatedCandidate:
        return cls(Candidate(proposal.action, reasons=proposal.reasons), value)


CandidateGenerator = Callable[[Question, Game, list[Candidate], Any, "Prediction"], list[Candidate]]
"""Adds a title's own candidates to those of `S`, given the weights and the net's prediction for the present table.
The first candidate stays the first."""
RolloutHorizon = Literal["answer", "turn", "round"]
"""How long a candidate is played out: not at all, to the end of the company's turn, or to the end of the round."""


class RolloutSettings(FixedParameters, frozen=True):
    """How the candidates of a kind of question are evaluated."""

    until: RolloutHorizon
    kept: int
    """How many candidates are played out; a first evaluation right after the answer selects them."""
    settled: int = 0
    """In this many last rounds of shares the best candidate of `S` stays the first: heuristics may know the end
    better than the net."""


class VariantSettings(FixedParameters, frozen=True):
    """Settings that differ in a variant."""

    settled: tuple[str, ...]
    """Kinds of question that heuristics decide, as the net was worse there."""
    factors: Factors
    """Replaces the title's factors."""


class LearntSettings(FixedParameters, frozen=True):
    """Settings of `N` for a title, from `learnt.toml`."""

    rivalry: float
    """Weight of the others' mean wealth, subtracted from one's own."""
    margin: float
    """A plan replaces the heuristic one only if better by this fraction of one's wealth: a net may be wrong too."""
    opening: int
    """In this many first answers of a game, a seeded bot draws among plans nearly as good as the best."""
    near: float
    """By what fraction of one's wealth such plans may be worse."""
    doubt: float
    """Factor of the net's own doubt, calibrated so that two of three games end within the bounds of a hint."""
    studies: Mapping[str, RolloutSettings]
    """By kind of question; heuristics decide all others."""
    factors: Factors
    """Factors of the weights of `S`, found by self-play."""
    variants: Mapping[str, VariantSettings] = {}
    modules: tuple[str, ...] = ()
    """Modules of the title's expansion that the net was trained with."""

    def knows_modules(self, modules: Sequence[str]) -> bool:
        """Whether the net was trained with all these modules."""
        return set(modules) <= set(self.modules)

    def settings_for(self, variant: str, modules: Sequence[str] = ()) -> VariantSettings:
        """Settings of a variant; with modules unknown to the net, heuristics decide all questions."""
        own = self.variants.get(variant) or VariantSettings((), self.factors)
        return own if self.knows_modules(modules) else replace(own, settled=tuple(self.studies))

    def utility(self, wealth: Mapping[str, float], seat: str) -> float:
        """A seat's wealth less `rivalry` times the mean wealth of the others."""
        others = [amount for other, amount in wealth.items() if other != seat]
        return wealth[seat] - self.rivalry * sum(others) / max(1, len(others))


class Tastes(FixedParameters, frozen=True):
    """A title's own tastes of characters, from `tastes.toml`; they override the usual ones."""

    tastes: Mapping[str, Taste]


def unknown_rounds_left(_: Game) -> float:
    """Infinity, for titles in which the players decide when the game ends."""
    return inf


class LearntPolicy(NamedTuple):
    """How `N` plays a title."""

    package: str
    """The package whose `data` folder holds the net and the settings."""
    features_of: Callable[[Any], TableFeatures]
    generate_candidates: CandidateGenerator
    rounds_left: Callable[[Game], float] = unknown_rounds_left
    """How many rounds of shares are left, with the present one."""

    def settings(self) -> LearntSettings:
        return read_weights(self.package, "learnt.toml", LearntSettings)

    def tastes(self) -> Tastes:
        return read_weights(self.package, "tastes.toml", Tastes)


def exactly(action: Action) -> FollowUp:
    """A follow-up that answers with this action wherever it is allowed."""
    return lambda question: action if question.refusal(action) is None else None


def distinct_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Remove candidates with the same action and plan; the first of each stays."""
    by_plan: dict[tuple[Action, str], Candidate] = {}
    for candidate in candidates:
        by_plan.setdefault((candidate.action, candidate.plan), candidate)
    return list(by_plan.values())


PRICES_TRIED: Final = 6
"""Prices tried beside the lowest."""


def price_offers(option: Option, partner: str, currency: str) -> Iterator[Candidate]:
    """Candidates that offer an option's price range in steps, from the lowest price to the highest."""
    span = option.span
    assert span is not None
    for price in sorted({span.low + (span.high - span.low) * step // PRICES_TRIED for step in range(PRICES_TRIED + 1)}):
        yield Candidate(option.with_price(price), plan=f"offer {price} {currency}", partner=partner)


def purchase_traits(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Traits of buying one more share: whose company it is, and whether the purchase wins control."""
    head, own = director(table, company), holding(table, player, company) + share_unit(table, company)
    if head is None:
        first = table.title.companies[company].certificates[0]
        return frozenset({"control"}) if own >= first else frozenset()
    if head == player:
        return frozenset({"own"})
    return frozenset({"others", "control"}) if own > holding(table, head, company) else frozenset({"others"})


def sale_traits(table: Table, player: str, company: str) -> frozenset[Trait]:
    """Traits of a sale; it hurts another Director, as the price falls."""
    return frozenset({"sells"}) if director(table, company) in (None, player) else frozenset({"sells", "hurts"})


SEED_SPREAD: Final = 0.05
"""Spread of a seeded bot's weights. Without it bots would repeat games that differ only in the playing order."""


class Policy(NamedTuple):
    """How bots play a title."""

    weights: Callable[[], Any]
    """Weights of the heuristics."""
    search_weights: Callable[[], Any]
    """The same for a bot that searches."""
    propose: Callable[[Question, Game, Any], list[Proposal]]
    """Proposals at a question, the best first."""
    search_propose: Callable[[Question, Game, Any], list[Proposal]]
    """The same for a bot that searches."""
    estimate_final_wealth: Callable[[Any, Any], dict[str, float]]
    """Estimates everybody's final wealth from a table and weights."""
    searched_kinds: frozenset[str]
    """Kinds of question at which search proved better than heuristics."""
    rewards_total_wealth: bool
    """Whether tuning also rewards the wealth of players with equal weights. False if the players decide when the game
    ends: players who only want to be rich would never end it."""
    max_candidates: int
    """How many candidates a search tries; more cost time and did not play better."""
    learnt: LearntPolicy | None = None
    """The policy of `N`; None if no net was trained."""
    levels: str | None = None
    """The package whose `data/levels.toml` defines the strength of levels; None for the default."""

    @property
    def has_learnt(self) -> bool:
        return self.learnt is not None and resources.files(self.learnt.package).joinpath("data", NET_FILE).is_file()


def plain_policy(
    weights: Callable[[], Any],
    propose: Callable[[Question, Game, Any], list[Proposal]],
    estimate_final_wealth: Callable[[Any, Any], dict[str, float]],
    searched_kinds: frozenset[str] = frozenset(),
) -> Policy:
    """A policy with equal weights and proposals for greedy and searching bots."""
    args = weights, weights, propose, propose, estimate_final_wealth, searched_kinds
    return Policy(*args, rewards_total_wealth=True, max_candidates=4)


class WeightedPolicy:
    """A title's policy with certain weights."""

    def __init__(self, title: str, weights: TunableWeights | None = None, *, searching: bool = False) -> None:
        self.policy = kit_named(title).policy
        self.weights = self.policy.weights() if weights is None else weights
        self.propose = self.policy.search_propose if searching else self.policy.propose

    def proposals(self, question: Question, game: Game) -> list[Proposal]:
        """Proposals, the best first; never empty."""
        return self.propose(question, game, self.weights)

    def estimate_final_wealth(self, game: Game) -> dict[str, float]:
        return self.policy.estimate_final_wealth(game.table, self.weights)


@lru_cache(maxsize=64)
def weighted_policy_of(title: str, seed: int = 0) -> WeightedPolicy:
    """A title's policy with the default weights; a seed other than 0 perturbs them."""
    weights = kit_named(title).policy.weights()
    return WeightedPolicy(title, perturb_weights(weights, seed, SEED_SPREAD) if seed else weights)
