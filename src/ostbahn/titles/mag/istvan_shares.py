"""István in Share Rounds (18Mag XI.4)."""

from __future__ import annotations

from ostbahn.kernel import chart, money
from ostbahn.kernel.money import BANK, holding, pay, share_unit
from ostbahn.kernel.steps import Routine
from ostbahn.titles.mag.shares import certificate_limit, change_director_if_outdone, exchange_for_director
from ostbahn.titles.mag.solo_table import ISTVAN, SoloTable
from ostbahn.titles.mag.state import IstvanStock
from ostbahn.titles.mag.turns import acted, passed


class Stock(Routine[SoloTable, IstvanStock]):
    """He buys the topmost major on his share card that he can have; he never sells (XI.4/2, XI.4/8)."""

    def proceed(self, table: SoloTable, task: IstvanStock) -> None:
        table.replace(task.turn)
        major = wanted_share(table)
        if major is None:
            passed(table, task.turn)
            return
        pay(table, ISTVAN, BANK, chart.price(table, major), f"share of {major}", "shares")
        money.move_certificate(table, major, money.ordinary_certificates(table, BANK, major)[0], ISTVAN)
        exchange_for_director(table, major, ISTVAN)
        change_director_if_outdone(table, major)
        acted(table, task.turn)


def wanted_share(table: SoloTable) -> str | None:
    bound = table.ruled("istvan_certificate_limit") == "yes"
    if bound and money.count_certificates(table, ISTVAN) >= certificate_limit(table):
        return None
    for wish in table.title.deck.shares[table.istvan.share_card].order:
        most = min(wish.max_percent, table.title.major.holding_limit)
        if (
            chart.price(table, wish.major) <= table.state.cash[ISTVAN]
            and money.ordinary_certificates(table, BANK, wish.major)
            and holding(table, ISTVAN, wish.major) + share_unit(table, wish.major) <= most
        ):
            return wish.major
    return None
