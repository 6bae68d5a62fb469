"""How bots play 18Mag: what to answer to every question, and what N thinks of beside that."""

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
    """Answers, the best first; never none."""
    view = MagBotView(mag_table(game), weights)
    if first := operating.immediate_proposal(question, view):
        return [first]
    chapter = PROPOSERS.get(type(question.task))
    if chapter is None:
        return [Proposal(option.action, 0.0) for option in question]
    return chapter(question, view, question.task) or [Proposal(question.options[0].action, 0.0)]


def search_proposals(question: Question, game: Game, weights: MagWeights) -> list[Proposal]:
    """For who tries ideas out: of lays that promise the same only one, as the others would show nothing new."""
    found = proposals(question, game, weights)
    if not isinstance(question.task, state.LayTrack):
        return found
    unlike: dict[tuple[type[Action], float], Proposal] = {}
    for proposal in found:
        unlike.setdefault((type(proposal.action), round(proposal.score, weights.fixed.alike)), proposal)
    return list(unlike.values())


PROPOSERS: Final[Mapping[type[Task], Callable[[Question, MagBotView, Any], list[Proposal]]]] = {
    state.Draft: shares.draft_proposed,
    state.SoloDraft: shares.draft_proposed,
    state.StockRound: shares.shares_proposed,
    state.LayTrack: track.proposals,
    state.EstablishStation: operating.stations_proposed,
    state.ScrapTrains: operating.scrapping,
    state.OperateWithCars: operating.cars_proposed,
    state.PurchaseTrains: operating.purchases,
    state.Consent: operating.consent,
    state.PlaceMarker: operating.markers,
    state.PayOut: shares.payouts_proposed,
}


def _traits(action: Action, question: Question, table: MagTable) -> frozenset[Trait]:
    match action:
        case PayDividend(amount=amount):
            assert isinstance(question.task, state.PayOut)
            most = 2 * amount >= table.state.cash[question.task.company]
            return frozenset({"pays"}) if most else frozenset({"keeps"})
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


WIDTH: Final = 8


def generate_candidates(
    question: Question, game: Game, usual: list[Candidate], weights: MagWeights, judgement: Prediction
) -> list[Candidate]:
    """Ideas for a question, those of S first; never none."""
    found = [
        *usual,
        *(Candidate(each.action, reasons=each.reasons) for each in proposals(question, game, weights)[:WIDTH]),
    ]
    if isinstance(question.task, state.PurchaseTrains):
        found += [Candidate(option.action) for option in question.only(BuyTrain)]
        found += _trade(question, mag_table(game))
    elif isinstance(question.task, state.Consent):
        found += [Candidate(Accept()), Candidate(Decline())]
    if question.only(Pass):
        found.append(Candidate(Pass()))
    allowed = distinct_candidates([idea for idea in found if question.refusal(idea.action) is None]) or usual
    return [idea._replace(traits=idea.traits | _traits(idea.action, question, mag_table(game))) for idea in allowed]


def _trade(question: Question, table: MagTable) -> Iterator[Candidate]:
    """Offers for trains of other players' minors."""
    for option in question.only(OfferForTrain):
        action = option.action
        assert isinstance(action, OfferForTrain)
        seller = table.owner_of(action.card)
        partner = None if seller is None else table.state.owners[seller]
        if option.span is not None and partner in table.state.players and partner != question.decider:
            yield from price_offers(option, partner, "Ft")


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
