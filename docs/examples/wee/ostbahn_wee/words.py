"""The texts of 18Wee."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from ostbahn.eighteen.running import earnings
from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.text import PASSING, PlainTextRenderer, hex_of_name, joined, ran_words, run_words, track_words
from ostbahn.eighteen.track import terrain_cost
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.questions import Question
from ostbahn.text.words import Words
from ostbahn_wee import actions as wee
from ostbahn_wee.operating import RUNNING
from ostbahn_wee.state import TITLE

WORDS: Final = Words(
    currency=TITLE.currency,
    actions={
        wee.StartCompany: "start {a.company} at {a.price}",
        wee.BuyShare: "buy a share of {a.company}",
        wee.SellShare: "sell a share of {a.company}",
        wee.LayTile: "lay {a.tile} {at.hex}",
        wee.RunTrains: run_words,
        wee.PayOut: "pay out",
        wee.Withhold: "withhold",
        wee.BuyTrain: "buy a {a.face}-train",
    },
    events={wee.Founded: "{who.player} founds {who.company}"},
    rounds={"SR": "Stock round", "OR": "Operating round"},
    passing=PASSING,
    deeds={wee.RunTrains: ran_words},
)


class WeeTextRenderer(PlainTextRenderer[PlainTable]):
    words = WORDS

    def cost(self, action: Action) -> int | None:
        match action:
            case wee.StartCompany():
                return 2 * action.price
            case wee.BuyShare():
                return chart.price(self.table, action.company)
            case wee.LayTile():
                return terrain_cost(self.table, action.hex) or None
            case wee.BuyTrain():
                return self.table.title.trains[action.face].price
        return None

    def remark(self, question: Question, action: Action) -> str:
        """The price or proceeds of an answer."""
        table, money, costs = self.table, self.words.money, self.costs(action)
        match action:
            case wee.StartCompany():
                return f"{table.title.companies[action.company].name}; {costs}"
            case wee.SellShare():
                return f"brings {money(chart.price(table, action.company))}"
            case wee.LayTile():
                track = track_words(table, action.tile, action.rotation)
                return joined(hex_of_name(table, action.hex), track, costs)
            case wee.RunTrains():
                routes = RUNNING.routes(table, question.company or "", action.runs)
                return "" if isinstance(routes, Refusal) else f"earns {money(earnings(routes)[0])}"
        return costs

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """Every lay on the hex `what`, or every trade in the company `what`."""
        title = self.table.title
        if question.kind == "lay_track" and what in title.map:
            yield from (wee.LayTile(what, tile, turn) for tile, turn in product(title.tiles, range(6)))
        elif question.kind == "stock_round" and what in title.companies:
            yield from (wee.StartCompany(what, price) for price in title.game.start_prices)
            yield from (wee.BuyShare(what), wee.SellShare(what))
