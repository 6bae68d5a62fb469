"""G at the table of 18CZ: for every question what it would answer, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from ostbahn.bots.proposal import Proposal, best_first
from ostbahn.bots.weights import with_at_most
from ostbahn.kernel.actions import Accept, Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Task
from ostbahn.titles.cz import state
from ostbahn.titles.cz.actions import PayOut, RunTrains
from ostbahn.titles.cz.opponents import (
    acquisition,
    income,
    offers,
    papers,
    planned_track,
    portfolio,
    prestock,
    shares,
    stations,
    track,
    trains,
)
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.rehearsal import rehearsed
from ostbahn.titles.cz.opponents.trying import table_of
from ostbahn.titles.cz.opponents.weights import CzWeights, cz_search_weights, cz_weights

Chapter = Callable[[Question, Game, View], list[Proposal]]

CHAPTERS: Final[Mapping[type[Task], Chapter]] = {
    state.PreStock: prestock.proposals,
    state.Auction: papers.openings,
    state.Bidding: papers.bids,
    state.BuildHome: papers.home_lays,
    state.StockRound: shares.proposals,
    state.RedHome: track.red_homes,
    state.HomeCity: stations.home_cities,
    state.LayTrack: track.proposals,
    state.EstablishStation: stations.proposals,
    state.UseIncome: income.proposals,
    state.Acquire: acquisition.proposals,
    state.ReturnStation: stations.returns,
    state.SettleTrains: acquisition.settlements,
    state.PurchaseTrains: trains.proposals,
    state.ReturnTrains: trains.returns,
    state.Consent: offers.proposals,
}


def stock_rounds(question: Question, game: Game, view: View) -> list[Proposal]:
    """The last ones are planned by what a rehearsal of the rest of the game has told."""
    if view.calendar.stock_rounds_ahead < view.weights.shares.rehearsed:
        view = View(view.table, view.weights, rehearsal=rehearsed(game, by_rules_of_thumb))
    return portfolio.proposals(question, game, view)


def by_rules_of_thumb(question: Question, game: Game) -> Action:
    """What G answers, in some haste."""
    return next(_legal(CHAPTERS, question, game, hasty_weights())).action


@cache
def hasty_weights() -> CzWeights:
    return with_at_most(cz_weights(), "candidates", cz_search_weights().fixed.shares.rehearsed_closely)


SEARCHING: Final[Mapping[type[Task], Chapter]] = {
    **CHAPTERS,
    state.StockRound: stock_rounds,
    state.LayTrack: planned_track.proposals,
}
"""Where S thinks in another way than G."""


def proposals(question: Question, game: Game, weights: CzWeights) -> list[Proposal]:
    """What G thinks of answering, best first; never nothing."""
    return list(_legal(CHAPTERS, question, game, weights))


def search_proposals(question: Question, game: Game, weights: CzWeights) -> list[Proposal]:
    """The same for S."""
    return list(_legal(SEARCHING, question, game, weights))


def _legal(
    chapters: Mapping[type[Task], Chapter], question: Question, game: Game, weights: CzWeights
) -> Iterator[Proposal]:
    """What may really be answered, best first; whoever wants the best only need not have the others checked."""
    view = View(table_of(game), weights)
    chapter = chapters.get(type(question.task))
    found = best_first(chapter(question, game, view)) if chapter is not None else []
    if isinstance(question.task, state.OperateTrains):
        found = papers.trains_given(question, view) or found
    allowed = False
    for each in found:
        if question.refusal(each.action) is None:
            allowed = True
            yield each
    if not allowed:
        yield obvious(question)


def obvious(question: Question) -> Proposal:
    """Where nothing speaks for anything: run, pay out, leave it, or the first that may be answered."""
    for kind in (RunTrains, PayOut, Accept, Pass):
        for option in question.only(kind):
            runs = isinstance(option.action, RunTrains) and option.action.runs
            return Proposal(option.action, 0.0, ("the best run there is",) if runs else ())
    return Proposal(question.options[0].action, 0.0)
