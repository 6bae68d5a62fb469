"""Which widget shows which question, and under which heading an answer stands: one table for both titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.server.views.play_models import Widget

WIDGETS: Final[Mapping[str, Widget]] = {
    # 18CZ
    "pre_stock": "answers",
    "auction": "answers",
    "bidding": "answers",
    "build_home": "track",
    "red_home": "track",
    "lay_waived": "track",
    "home_city": "stations",
    "use_income": "answers",
    "acquire": "answers",
    "return_station": "stations",
    "join_stations": "stations",
    "settle_trains": "answers",
    "return_trains": "answers",
    # 18Mag
    "draft": "answers",
    "solo_draft": "answers",
    "scrap_trains": "answers",
    "place_marker": "stations",
    "pay_out": "answers",
    "istvan_promotes": "track",
    # both
    "stock_round": "answers",
    "lay_track": "track",
    "establish_station": "stations",
    "operate_trains": "routes",
    "purchase_trains": "answers",
    "consent": "offer",
}
"""By the tag of the task."""

POOL: Final = "Trains from the pool"
GROUPS: Final[Mapping[str, str]] = {
    "lay_red_tile": "Red home tile",
    "lay_tile": "Track",
    "declare_token": "Terrain token",
    "lay_purple_tile": "Purple-edged track by a Local Railway",
    "choose_city": "Home station",
    "place_station": "Stations",
    "choose_return": "Stations to take back",
    "run_trains": "Run",
    "buy_car": "Rail cars",
    "accept": "Offer",
    "decline": "Offer",
    "pay_out": "Income",
    "withhold": "Income",
    "pay_dividend": "Payout",
    "draft_minor": "Minors",
    "draft_share": "Shares",
    "buy_share": "Buy",
    "start_company": "Start a company",
    "sell_shares": "Sell",
    "repay_debt": "Debt",
    "buy_train": "Trains from the bank",
    "pool_train": POOL,
    "turn_train": "Turn trains",
    "scrap_train": "Scrap trains",
    "return_train": "Return trains",
    "offer_acquisition": "Take over a company",
    "offer_for_train": "Offers for trains",
    "bid": "Bid",
    "open_auction": "Bid for a private paper",
    "name_paper": "Name a private paper without a bid",
    "assign_train": "Private papers",
    "buy_local": "Local Railways",
    "offer_for_local": "Offers for Local Railways",
    "sell_local": "Local Railways to the bank",
    "pass": "Nothing (more)",
}
"""By the tag of the action, in the order in which the headings are shown; a train in the pool has one of its own."""

ORDER: Final = {group: place for place, group in enumerate(dict.fromkeys(GROUPS.values()))}
PLACES: Final = ("city", "hex")
"""Fields of an action that name a place on the board."""
SUBJECTS: Final = ("company", "major", "minor", "paper", "local", "card", "face", "car")
"""Fields of an action that name what it is about."""
