"""How bots play 18Mag."""

from __future__ import annotations

from typing import Final

from ostbahn.bots.policies import Policy
from ostbahn.bots.sights import Seeing
from ostbahn.titles.mag.opponents.plans import LEARNT
from ostbahn.titles.mag.opponents.policy import proposals, search_proposals
from ostbahn.titles.mag.opponents.sight import fortunes, payouts, prices, sight_of
from ostbahn.titles.mag.opponents.weights import mag_search_weights, mag_weights
from ostbahn.titles.mag.opponents.worth import projected

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
SEEING: Final = Seeing(
    look=sight_of,
    wealth=fortunes,
    prices=prices,
    payouts=payouts,
    net="ostbahn.titles.mag.opponents",
)
POLICY: Final = Policy(
    weights=mag_weights,
    search_weights=mag_search_weights,
    propose=proposals,
    search_propose=search_proposals,
    projected=projected,
    searched=SEARCHED,
    together=False,
    seeing=SEEING,
    learnt=LEARNT,
    levels="ostbahn.titles.mag.opponents",
    width=mag_search_weights().fixed.search.width,
)
