"""Views of 18Wee for pages and the JSON interface."""

from __future__ import annotations

from collections.abc import Mapping

from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.views import PlainViews


class WeeViews(PlainViews[PlainTable]):
    groups: Mapping[str, str] = {
        "start_company": "Start a company",
        "buy_share": "Buy",
        "sell_share": "Sell",
        "lay_tile": "Track",
        "run_trains": "Run",
        "pay_out": "Income",
        "withhold": "Income",
        "buy_train": "Trains",
        "pass": "Pass",
    }
