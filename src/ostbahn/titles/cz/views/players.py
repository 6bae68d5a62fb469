"""The players of 18CZ, and Vaclav beside them."""

from __future__ import annotations

from ostbahn.eighteen.text import proceeds
from ostbahn.text.formatting import printable
from ostbahn.titles.cz.bohemia_table import VACLAV, BohemiaTable
from ostbahn.titles.cz.rounds import standings
from ostbahn.titles.cz.state import CzTable, StockRound
from ostbahn.titles.cz.stock import Sell, certificate_count, certificate_limit
from ostbahn.titles.cz.views.papers import locals_of
from ostbahn.views.common import all_sold, holdings_of, income_figures, ranks
from ostbahn.views.models import PlayerView
from ostbahn.views.title_views import Past


def cz_players(table: CzTable, past: Past, decider: str | None) -> tuple[PlayerView, ...]:
    worth = standings(table)
    rank = ranks(worth)
    seated = [_player(table, past, seat, decider, worth[seat], rank[seat]) for seat in table.state.order]
    return (*seated, *([_vaclav(table)] if isinstance(table, BohemiaTable) else []))


def _player(table: CzTable, past: Past, seat: str, decider: str | None, worth: int, rank: int) -> PlayerView:
    state = table.state
    place = state.order.index(seat) + 1
    held, limit = certificate_count(table, seat), certificate_limit(table)
    return PlayerView(
        seat=seat,
        name=printable(table.name(seat)),
        role="player",
        place=place,
        has_priority=place == 1,
        priority_words="first in playing order" if place == 1 else "",
        deciding=seat == decider,
        cash=state.cash[seat],
        debt=state.debts.get(seat, 0),
        penalty=state.penalties.get(seat, 0),
        holdings=holdings_of(table, seat),
        papers=locals_of(table, seat),
        certificates=held,
        certificate_limit=limit,
        over_limit=held > limit,
        worth=worth,
        rank=rank,
        can_raise=can_raise(table, seat),
        **income_figures(past, seat),
    )


def can_raise(table: CzTable, seat: str) -> int:
    """What all shares bring that somebody may sell in a turn of the present Stock Round, or of one that began now.

    However many shares of a company are sold at once, they bring its price, and only then it falls (VII.6, IX.3/2).
    In the very first Stock Round nothing is sold (VII.6/4); Local Railways are sold by companies only (IV.1/24).
    """
    present = next((task for task in table.state.agenda if isinstance(task, StockRound)), None)
    if present is None or present.player != seat:
        present = StockRound(first=present is not None and present.first, player=seat)
    return all_sold(
        Sell().answers(table, present),
        lambda sale: sale.company,
        lambda sale: proceeds(table, sale.company, sale.percent),
    )


def _vaclav(table: BohemiaTable) -> PlayerView:
    """He has neither money nor turns; the players build for his companies (XI.1)."""
    holdings = holdings_of(table, VACLAV)
    return PlayerView(
        seat=VACLAV,
        name=VACLAV,
        role="bystander",
        place=None,
        has_priority=False,
        priority_words="",
        deciding=False,
        cash=None,
        holdings=holdings,
        papers=(),
        certificates=sum(held.certificates for held in holdings),
        certificate_limit=None,
        worth=None,
        rank=None,
        notes=("nobody plays him: the players build for his companies, which run for the most and pay out",),
    )


def parts(table: CzTable, seat: str) -> dict[str, int]:
    """The parts of a player's wealth (X.2)."""
    state = table.state
    return {
        "cash": state.cash[seat],
        "shares": sum(held.value for held in holdings_of(table, seat)),
        "Local Railways": sum(paper.value for paper in locals_of(table, seat)),
        "debt": -state.debts.get(seat, 0),
        "penalty": -state.penalties.get(seat, 0),
    }
