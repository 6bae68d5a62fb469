"""The first Share Round: which minors and shares to take."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, best_first
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag.actions import DraftMinor, DraftShare, DraftSupporter
from ostbahn.titles.mag.opponents.majors import outlook
from ostbahn.titles.mag.opponents.weights import MagWeights
from ostbahn.titles.mag.state import MagTable


def proposals(question: Question, table: MagTable, weights: MagWeights) -> list[Proposal]:
    spec = weights.draft
    found = []
    for option in question:
        action = option.action
        if isinstance(action, DraftMinor):
            home = table.title.minors[action.minor].home.hex
            worth = spec.minors.get(action.minor, spec.unknown_minor)
            found.append(Proposal(action, worth, (f"home in {table.title.map[home].printed.name or home}",)))
        elif isinstance(action, DraftShare):
            worth = outlook(table, action.major, weights).worth
            found.append(Proposal(action, worth * spec.share_pull, (f"brings about {worth:.0f} Ft until the end",)))
        elif isinstance(action, DraftSupporter):
            supporter = table.title.supporters[action.supporter]
            found.append(Proposal(action, spec.supporters[action.supporter], (supporter.about,)))
    return best_first(found)
