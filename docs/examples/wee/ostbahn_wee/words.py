"""18Wee as people are told of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from ostbahn.eighteen.running import earnings
from ostbahn.eighteen.text import PASSING, PlainFace, hex_of_name, joined, ran_words, run_words, track_words
from ostbahn.eighteen.track import terrain_cost
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.questions import Question
from ostbahn.text.words import Naming, Words
from ostbahn_wee import actions as wee
from ostbahn_wee.running import RUNNING
from ostbahn_wee.state import TITLE, WeeTable


def _lay(action: wee.LayTile, naming: Naming, _: str) -> str:
    return f"lay {action.tile} {naming.at(action.hex)}"


WORDS: Final = Words(
    currency=TITLE.currency,
    actions={
        wee.StartCompany: "start {a.company} at {a.price}",
        wee.BuyShare: "buy a share of {a.company}",
        wee.SellShare: "sell a share of {a.company}",
        wee.LayTile: _lay,
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


class WeeFace(PlainFace[WeeTable]):
    words = WORDS

    def remark(self, question: Question, action: Action) -> str:
        """What an answer costs or brings."""
        title, money = self.table.title, self.words.money
        match action:
            case wee.StartCompany():
                return f"{title.companies[action.company].name}; costs {money(2 * action.price)}"
            case wee.BuyShare() | wee.SellShare():
                price = money(chart.price(self.table, action.company))
                return f"{'costs' if isinstance(action, wee.BuyShare) else 'brings'} {price}"
            case wee.LayTile():
                cost = terrain_cost(self.table, action.hex)
                track = track_words(self.table, action.tile, action.rotation)
                return joined(hex_of_name(self.table, action.hex), track, f"costs {money(cost)}" if cost else "")
            case wee.RunTrains():
                routes = RUNNING.routes(self.table, question.company or "", action.runs)
                return "" if isinstance(routes, Refusal) else f"earns {money(earnings(routes)[0])}"
            case wee.BuyTrain():
                return f"costs {money(title.trains[action.face].price)}"
        return ""

    def tries(self, question: Question, what: str) -> Iterator[Action]:
        """Every tile in every rotation for somebody who names a hex, and trade for who names a company."""
        title = self.table.title
        if question.kind == "lay_track" and what in title.map:
            yield from (wee.LayTile(what, tile, turn) for tile, turn in product(title.tiles, range(6)))
        elif question.kind == "stock_round" and what in title.companies:
            yield from (wee.StartCompany(what, price) for price in title.game.start_prices)
            yield from (wee.BuyShare(what), wee.SellShare(what))
