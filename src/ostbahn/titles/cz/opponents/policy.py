"""The bots' policy for 18CZ: proposals of G and S for every question, and the auctions before the first Stock Round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from ostbahn.bots.policies import LearntPolicy, Policy, Proposal, best_first, cap_weight, with_pass
from ostbahn.kernel.actions import Accept, Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.titles.cz import state
from ostbahn.titles.cz.actions import AssignTrain, Bid, BuyLocal, NamePaper, OpenAuction, PayOut, RunTrains
from ostbahn.titles.cz.opponents import building, operating, shares, track
from ostbahn.titles.cz.opponents.course import stock_round_rollout
from ostbahn.titles.cz.opponents.features import table_features
from ostbahn.titles.cz.opponents.plans import generate_candidates, rounds_left
from ostbahn.titles.cz.opponents.prospects import CzBotView, estimate_final_wealth
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights
from ostbahn.titles.cz.state import Bidding
from ostbahn.titles.cz.words.text_renderer import cz_table


def prestock_proposed(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    weights, title = view.weights.shares, view.table.title
    keep = kept_for_start(view)
    cash = view.table.state.cash[question.decider]
    proposed = []
    for action in question.actions(BuyLocal):
        spec = title.locals[action.local]
        worth = spec.income * weights.local_years + weights.local_resale
        if cash - spec.price >= keep:
            reasons = (f"earns {spec.income} K a round", f"brings about {worth:.0f} K in all, for {spec.price} K")
            proposed.append(Proposal(action, worth - spec.price, reasons if worth > spec.price else reasons[:1]))
    return with_pass(proposed, "the money is kept for a company of your own")


def kept_for_start(view: CzBotView) -> int:
    """Return the cash to keep for starting a company, by number of players."""
    amounts = view.weights.shares.keep_for_start
    return amounts[min(len(view.table.state.players), len(amounts)) - 1]


def price_limit(view: CzBotView, paper: str, player: str) -> float:
    """Return the most that a player should bid: income and resale, within the cash not kept for a company."""
    spec = view.table.title.locals[paper]
    weights = view.weights.shares
    resale = weights.local_resale if spec.priced else view.weights.fixed.shares.unpriced_paper
    worth = spec.income * weights.local_years + resale
    return min(worth, view.table.state.cash[player] - kept_for_start(view))


def openings(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    bids = [_bid_proposal(view, question, action, action.paper) for action in question.actions(OpenAuction)]
    none = ("none of them is worth its price to you",)
    return [bid for bid in bids if bid.score >= 0] or [
        Proposal(option.action, 0.0, none) for option in question.only(NamePaper)[:1]
    ]


def bids(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    assert isinstance(question.task, Bidding)
    proposed = [_bid_proposal(view, question, action, question.task.paper) for action in question.actions(Bid)]
    return with_pass(proposed, "it would cost more than it is worth to you")


def _bid_proposal(view: CzBotView, question: Question, action: OpenAuction | Bid, paper: str) -> Proposal:
    limit = price_limit(view, paper, question.decider)
    reasons = (f"worth up to {limit:.0f} K to you",) if limit >= action.price else ()
    return Proposal(action, limit - action.price, reasons)


Proposer = Callable[[Question, Game, CzBotView], list[Proposal]]

PROPOSERS: Final[Mapping[type[Task], Proposer]] = {
    state.PreStock: prestock_proposed,
    state.Auction: openings,
    state.Bidding: bids,
    state.BuildHome: track.home_lays,
    state.StockRound: shares.proposals,
    state.RedHome: track.red_homes,
    state.HomeCity: track.ranked_by_run,
    state.LayTrack: track.lays_proposed,
    state.EstablishStation: track.stations_proposed,
    state.UseIncome: operating.income_proposed,
    state.Acquire: operating.takeovers_proposed,
    state.ReturnStation: track.ranked_by_run,
    state.SettleTrains: operating.settlements,
    state.PurchaseTrains: operating.trains_proposed,
    state.ReturnTrains: operating.train_returns,
    state.Consent: operating.replies_proposed,
}


def stock_rounds(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    """Propose for S, in the last Stock Rounds with a rollout of the rest of the game."""
    if view.calendar.stock_rounds_ahead < view.weights.shares.rehearsed:
        view = CzBotView(view.table, view.weights, rehearsal=stock_round_rollout(game, greedy_action))
    return shares.planned_proposals(question, game, view)


def greedy_action(question: Question, game: Game) -> Action:
    """Return G's best action, with fewer track candidates for speed."""
    return next(_legal_proposals(PROPOSERS, question, game, rollout_weights())).action


@cache
def rollout_weights() -> CzWeights:
    return cap_weight(cz_weights(), "candidates", cz_search_weights().fixed.shares.rehearsed_closely)


SEARCH_PROPOSERS: Final[Mapping[type[Task], Proposer]] = {
    **PROPOSERS,
    state.StockRound: stock_rounds,
    state.LayTrack: building.proposals,
}
"""G's proposers, with those that S replaces."""


def proposals(question: Question, game: Game, weights: CzWeights) -> list[Proposal]:
    """Return G's proposals, at least one, best first."""
    return list(_legal_proposals(PROPOSERS, question, game, weights))


def search_proposals(question: Question, game: Game, weights: CzWeights) -> list[Proposal]:
    """Return S's proposals, at least one, best first."""
    return list(_legal_proposals(SEARCH_PROPOSERS, question, game, weights))


def _legal_proposals(
    proposers: Mapping[type[Task], Proposer], question: Question, game: Game, weights: CzWeights
) -> Iterator[Proposal]:
    """Yield legal proposals, best first, checking each only when it is needed."""
    view = CzBotView(cz_table(game), weights)
    proposer = proposers.get(type(question.task))
    proposed = best_first(proposer(question, game, view)) if proposer is not None else []
    if isinstance(question.task, state.OperateTrains):
        # the 3E-train of the paper is given to the first company that can run it
        assignments = question.only(AssignTrain)[:1]
        proposed = [
            Proposal(option.action, 1.0, ("the train runs once, beside all others",)) for option in assignments
        ] or proposed
    any_legal = False
    for proposal in proposed:
        if question.refusal(proposal.action) is None:
            any_legal = True
            yield proposal
    if not any_legal:
        yield default_proposal(question)


def default_proposal(question: Question) -> Proposal:
    """Return the fallback: run, pay out, accept, pass or the first legal action."""
    for kind in (RunTrains, PayOut, Accept, Pass):
        for option in question.only(kind):
            runs = isinstance(option.action, RunTrains) and option.action.runs
            return Proposal(option.action, 0.0, ("the best run there is",) if runs else ())
    return Proposal(question.options[0].action, 0.0)


SEARCHED: Final[frozenset[str]] = frozenset()
"""No search on top: S already looks ahead by beam search and rollouts, and searching made it play worse."""
POLICY: Final = Policy(
    weights=cz_weights,
    search_weights=cz_search_weights,
    propose=proposals,
    search_propose=search_proposals,
    estimate_final_wealth=estimate_final_wealth,
    searched_kinds=SEARCHED,
    rewards_total_wealth=True,
    learnt=LearntPolicy(__package__, table_features, generate_candidates, rounds_left),
    levels=__package__,
    max_candidates=cz_search_weights().fixed.ideas,
)
