"""S's turn at track: a power of a Local Railway where it brings enough, then the lay with the best future."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.opponents import powers
from ostbahn.titles.cz.opponents.building import Builder
from ostbahn.titles.cz.opponents.prospects import View


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    builder = Builder(question, view)
    if purple := powers.proposals(question, builder):
        return purple
    found = [Proposal(Pass(), builder.thrift * view.table.state.cash[builder.company])]
    for lay, (worth, added) in builder.futures().items():
        found.append(Proposal(lay, worth, (f"adds {added:.0f} K to runs",) if added else ("leads to new places",)))
    return found
