"""How bots play 18CZ."""

from __future__ import annotations

from typing import Final

from ostbahn.bots.policies import Policy
from ostbahn.bots.sights import Seeing
from ostbahn.titles.cz.opponents.plans import LEARNT
from ostbahn.titles.cz.opponents.policy import proposals, search_proposals
from ostbahn.titles.cz.opponents.sight import fortunes, payouts, prices, sight_of
from ostbahn.titles.cz.opponents.weights import cz_search_weights, cz_weights
from ostbahn.titles.cz.opponents.worth import projected

SEARCHED: Final[frozenset[str]] = frozenset()
"""It looks ahead in its own ways, by planning track and by rehearsing; lines on top of that made three S poorer."""
SEEING: Final = Seeing(
    look=sight_of,
    wealth=fortunes,
    prices=prices,
    payouts=payouts,
    net="ostbahn.titles.cz.opponents",
)
POLICY: Final = Policy(
    weights=cz_weights,
    search_weights=cz_search_weights,
    propose=proposals,
    search_propose=search_proposals,
    projected=projected,
    searched=SEARCHED,
    together=True,
    seeing=SEEING,
    learnt=LEARNT,
    levels="ostbahn.titles.cz.opponents",
    width=cz_search_weights().fixed.search.width,
)
