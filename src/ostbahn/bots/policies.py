"""How a title is played: what to think of at a question, and what a position is worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from typing import Any, Final, NamedTuple

from ostbahn.bots.ideas import Learnt
from ostbahn.bots.proposal import Proposal
from ostbahn.bots.sights import FILE, Seeing
from ostbahn.bots.weights import Numbers, varied
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kits.catalogue import kit_named

CHARACTER: Final = 0.05
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
    projected: Callable[[Any, Any], dict[str, float]]
    """What everybody will be worth in the end, as far as a table shows it."""
    searched: frozenset[str]
    """Questions, by their kind, at which looking ahead was found to be better than the rule of thumb."""
    together: bool
    """Whether it counts, when weights are learnt, how rich those get who play by the same ones. Not where the players
    decide when the game ends: there, among those who want to be rich, nobody ends it."""
    width: int
    """Ideas that a search tries at most; more cost time and were not found to be better."""
    seeing: Seeing | None = None
    """How a net sees its tables; None where nothing has been learnt."""
    learnt: Learnt | None = None
    """How a bot thinks that judges by the net."""
    levels: str | None = None
    """The package whose `data/levels.toml` says how strong each level plays; None if the usual ones will do."""

    @property
    def has_learnt(self) -> bool:
        """Whether there is a net to judge by, and somebody who thinks with it."""
        if self.learnt is None or self.seeing is None:
            return False
        return resources.files(self.seeing.net).joinpath("data", FILE).is_file()


def plain_policy(
    weights: Callable[[], Any],
    propose: Callable[[Question, Game, Any], list[Proposal]],
    projected: Callable[[Any, Any], dict[str, float]],
    searched: frozenset[str] = frozenset(),
) -> Policy:
    """One way to think, whether or not a bot looks ahead."""
    return Policy(weights, weights, propose, propose, projected, searched, together=True, width=4)


class Player:
    """A policy with its weights: what a bot plays a game by."""

    def __init__(self, title: str, weights: Numbers | None = None, *, searching: bool = False) -> None:
        self.policy = kit_named(title).policy
        self.weights = self.policy.weights() if weights is None else weights
        self.propose = self.policy.search_propose if searching else self.policy.propose

    def proposals(self, question: Question, game: Game) -> list[Proposal]:
        """What to think of, the best first; never empty."""
        return self.propose(question, game, self.weights)

    def worth(self, game: Game) -> dict[str, float]:
        """What everybody will be worth in the end."""
        return self.policy.projected(game.table, self.weights)


@lru_cache(maxsize=64)
def player_of(title: str, seed: int = 0) -> Player:
    """With the weights that come with Ostbahn; a seed makes a character of its own of them."""
    weights = kit_named(title).policy.weights()
    return Player(title, varied(weights, seed, CHARACTER) if seed else weights)
