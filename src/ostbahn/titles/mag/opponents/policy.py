"""What to answer in 18Mag: every question is passed on to its chapter."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import state
from ostbahn.titles.mag.opponents import cars, draft, payouts, shares, stations, supporters, track, trains
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable


def proposals(question: Question, game: Game, weights: MagWeights) -> list[Proposal]:
    """Answers, the best first; never none."""
    table = game.table
    assert isinstance(table, MagTable)
    if first := supporters.at_once(question, table, weights):
        return [first]
    return _of_chapter(question, table, weights) or [Proposal(question.options[0].action, 0.0)]


def search_proposals(question: Question, game: Game, weights: MagWeights) -> list[Proposal]:
    """For who tries ideas out: of lays that promise the same only one, as the others would show nothing new."""
    found = proposals(question, game, weights)
    return unlike(found, weights.fixed.search.alike) if isinstance(question.task, state.LayTrack) else found


def unlike(found: list[Proposal], decimals: int) -> list[Proposal]:
    """The first of those that do the same kind of thing for the same score."""
    kept: dict[tuple[type[Action], float], Proposal] = {}
    for proposal in found:
        kept.setdefault((type(proposal.action), round(proposal.score, decimals)), proposal)
    return list(kept.values())


def _of_chapter(question: Question, table: MagTable, weights: MagWeights) -> list[Proposal]:
    match question.task:
        case state.Draft() | state.SoloDraft():
            return draft.proposals(question, table, weights)
        case state.StockRound() as task:
            return shares.proposals(question, table, task, weights)
        case state.LayTrack() as task:
            return track.proposals(question, table, task, weights)
        case state.EstablishStation() as task:
            return stations.proposals(question, table, task, weights)
        case state.ScrapTrains() as task:
            return trains.scrapping(question, table, task, weights)
        case state.OperateTrains() as task:
            return cars.proposals(question, table, task, weights)
        case state.PurchaseTrains() as task:
            return trains.purchases(question, table, task, weights)
        case state.Consent() as task:
            return trains.consent(question, table, task, weights)
        case state.PlaceMarker() as task:
            return stations.markers(question, table, task, weights)
        case state.PayOut() as task:
            return payouts.proposals(question, table, task, weights)
        case _:
            return [Proposal(option.action, 0.0) for option in question]
