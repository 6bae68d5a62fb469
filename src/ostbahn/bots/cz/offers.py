"""The other side's offers: accepted if they leave one better off."""

from __future__ import annotations

from ostbahn.bots.cz.prospects import View
from ostbahn.bots.cz.trying import after, standing
from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Accept, Decline
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    player = question.decider
    before = standing(view, player)
    gain = standing(after(game, Accept(), view.weights), player) - before
    return [Proposal(Decline(), 0.0, ("better kept",)), Proposal(Accept(), gain, (f"worth {gain:+.0f} K to you",))]
