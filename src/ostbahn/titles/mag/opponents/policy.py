"""The policy of 18Mag's bots: proposals for each task, and further candidates for N."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ostbahn.bots.policies import (
    Candidate,
    LearntPolicy,
    Policy,
    Proposal,
    Trait,
    distinct_candidates,
    price_offers,
    purchase_traits,
    sale_traits,
)
from ostbahn.kernel.actions import Accept, Action, Decline, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.titles.mag import state
from ostbahn.titles.mag.actions import (
    BuyDirectorShare,
    BuyShare,
    BuyTrain,
    DraftMinor,
    LayTile,
    OfferForTrain,
    PayDividend,
    PlaceStation,
    ScrapTrain,
    SellShares,
)
from ostbahn.titles.mag.opponents import operating, shares, track
from ostbahn.titles.mag.opponents.features import table_features
from ostbahn.titles.mag.opponents.weights import MagWeights, mag_search_weights, mag_weights
from ostbahn.titles.mag.opponents.worth import MagBotView, estimate_final_wealth
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.words.text_renderer import mag_table

if TYPE_CHECKING:
    from ostbahn.bots.nets import Prediction


def proposals(question: Question, game: Game, weights: MagWeights) -> list[Proposal]:
    """Proposed actions, the best first; never empty."""
    view = MagBotView(mag_table(game), weights)
    if immediate := operating.immediate_proposal(question, view):
        return [immediate]
    propose = PROPOSERS.get(type(question.task))
    if propose is None:
        return [Proposal(option.action, 0.0) for option in question]
    return propose(question, view, question.task) or [Proposal(question.options[0].action, 0.0)]


def search_proposals(question: Question, game: Game, weights: MagWeights) -> list[Proposal]:
    """Proposals for S, with one lay of each rounded score: equal ones are not worth a rollout each."""
    ranked = proposals(question, game, weights)
    if not isinstance(question.task, state.LayTrack):
        return ranked
    by_score: dict[tuple[type[Action], float], Proposal] = {}
    for proposal in ranked:
        by_score.setdefault((type(proposal.action), round(proposal.score, weights.fixed.alike)), proposal)
    return list(by_score.values())


PROPOSERS: Final[Mapping[type[Task], Callable[[Question, MagBotView, Any], list[Proposal]]]] = {
    state.Draft: shares.draft_proposed,
    state.SoloDraft: shares.draft_proposed,
    state.StockRound: shares.shares_proposed,
    state.LayTrack: track.proposals,
    state.EstablishStation: operating.stations_proposed,
    state.ScrapTrains: operating.scrapping_proposed,
    state.OperateWithCars: operating.cars_proposed,
    state.PurchaseTrains: operating.purchases_proposed,
    state.Consent: operating.consent_proposed,
    state.PlaceMarker: operating.markers_proposed,
    state.PayOut: shares.payouts_proposed,
}


def _traits(action: Action, question: Question, table: MagTable) -> frozenset[Trait]:
    """Traits of an action, by which characters prefer or avoid it."""
    match action:
        case PayDividend(amount=amount):
            assert isinstance(question.task, state.PayOut)
            pays_half = 2 * amount >= table.state.cash[question.task.company]
            return frozenset({"pays"}) if pays_half else frozenset({"keeps"})
        case BuyTrain(face=face):
            return frozenset({"trains", "phase"}) if face in table.state.indicators else frozenset({"trains"})
        case OfferForTrain():
            return frozenset({"trains", "trades"})
        case ScrapTrain():
            return frozenset({"trains"})  # it makes room for a better one
        case BuyShare(major=major) | BuyDirectorShare(major=major):
            return purchase_traits(table, question.decider, major)
        case SellShares(major=major):
            return sale_traits(table, question.decider, major)
        case DraftMinor():
            return frozenset({"starts"})
        case LayTile() | PlaceStation():
            return frozenset({"builds"})
        case Pass() if isinstance(question.task, state.PurchaseTrains):
            return frozenset({"waits"})
        case Pass() if isinstance(question.task, state.StockRound):
            return frozenset({"passes"})
    return frozenset()


MAX_PROPOSALS: Final = 8
"""Proposals that N considers."""


def generate_candidates(
    question: Question, game: Game, usual: list[Candidate], weights: MagWeights, judgement: Prediction
) -> list[Candidate]:
    """Candidates of N for a question, those of S first; never empty."""
    candidates = [
        *usual,
        *(Candidate(top.action, reasons=top.reasons) for top in proposals(question, game, weights)[:MAX_PROPOSALS]),
    ]
    if isinstance(question.task, state.PurchaseTrains):
        candidates += [Candidate(option.action) for option in question.only(BuyTrain)]
        candidates += _train_offers(question, mag_table(game))
    elif isinstance(question.task, state.Consent):
        candidates += [Candidate(Accept()), Candidate(Decline())]
    if question.only(Pass):
        candidates.append(Candidate(Pass()))
    allowed = (
        distinct_candidates([candidate for candidate in candidates if question.refusal(candidate.action) is None])
        or usual
    )
    return [
        candidate._replace(traits=candidate.traits | _traits(candidate.action, question, mag_table(game)))
        for candidate in allowed
    ]


def _train_offers(question: Question, table: MagTable) -> Iterator[Candidate]:
    """Offers for trains of other players' minors."""
    for option in question.only(OfferForTrain):
        action = option.action
        assert isinstance(action, OfferForTrain)
        seller = table.owner_of(action.card)
        owner = None if seller is None else table.state.owners[seller]
        if option.span is not None and owner in table.state.players and owner != question.decider:
            yield from price_offers(option, owner, "Ft")


SEARCHED: Final = frozenset(
    {
        "draft",
        "solo_draft",
        "stock_round",
        "lay_track",
        "purchase_trains",
        "scrap_trains",
        "place_marker",
        "pay_out",
        "consent",
    }
)
POLICY: Final = Policy(
    weights=mag_weights,
    search_weights=mag_search_weights,
    propose=proposals,
    search_propose=search_proposals,
    estimate_final_wealth=estimate_final_wealth,
    searched_kinds=SEARCHED,
    rewards_total_wealth=False,
    learnt=LearntPolicy(__package__, table_features, generate_candidates),
    levels=__package__,
    max_candidates=mag_search_weights().fixed.ideas,
)
