"""The players of 18Mag; in the solo game István is one of them."""

from __future__ import annotations

from ostbahn.eighteen.text import proceeds
from ostbahn.kernel import money
from ostbahn.text.formatting import printable
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.modules.supporters_table import cards_of
from ostbahn.titles.mag.rounds import standings
from ostbahn.titles.mag.solo_table import ISTVAN, SoloTable
from ostbahn.titles.mag.state import MagTable, StockRound
from ostbahn.titles.mag.stock import Sell, certificate_limit
from ostbahn.titles.mag.words.cards import does, is_used, share_card_words, supporter_name
from ostbahn.titles.mag.words.face import minor_words
from ostbahn.views.common import all_sold, holdings_of, income_figures, mark_view, ranks
from ostbahn.views.models import PaperView, PlayerView
from ostbahn.views.title_views import Past


def mag_players(table: MagTable, past: Past, decider: str | None) -> tuple[PlayerView, ...]:
    worth = standings(table)
    rank = ranks(worth)
    return tuple(_player(table, past, seat, decider, worth[seat], rank[seat]) for seat in table.state.order)


def _player(table: MagTable, past: Past, seat: str, decider: str | None, worth: int, rank: int) -> PlayerView:
    state = table.state
    held, limit = money.count_certificates(table, seat), certificate_limit(table)
    first = state.priority == seat
    automaton = is_automaton(table, seat)
    return PlayerView(
        seat=seat,
        name=printable(table.name(seat)),
        role="automaton" if automaton else "player",
        place=state.order.index(seat) + 1,
        has_priority=first,
        priority_words="priority deal" if first else "",
        deciding=seat == decider,
        cash=state.cash[seat],
        holdings=holdings_of(table, seat),
        papers=(
            *(minor_paper(table, minor) for minor in minors_of(table, seat)),
            *(supporter_paper(table, supporter) for supporter in cards_of(table, seat)),
        ),
        certificates=held,
        certificate_limit=limit,
        over_limit=held > limit,
        worth=worth,
        rank=rank,
        can_raise=0 if automaton else can_raise(table, seat),
        **income_figures(past, seat),
        notes=share_card_words(table) if automaton else (),
    )


def can_raise(table: MagTable, seat: str) -> int:
    """What all shares bring that somebody may sell in a turn of the present Share Round, or of one that began now.

    A sale of any size brings the price, and only then it falls (VII.4/7); each major is sold once in a turn (S.4/1).
    An automaton never sells (XI.4/8).
    """
    present = next((task for task in table.state.agenda if isinstance(task, StockRound)), None)
    if present is None or present.player != seat:
        present = StockRound(seat)
    return all_sold(
        Sell().answers(table, present),
        lambda sale: sale.major,
        lambda sale: proceeds(table, sale.major, sale.percent),
    )


def is_automaton(table: MagTable, seat: str) -> bool:
    return isinstance(table, SoloTable) and seat == ISTVAN


def minor_paper(table: MagTable, minor: str) -> PaperView:
    """A minor, with what its last run brought its owner."""
    numerator, denominator = table.title.minor.owner_part
    return PaperView(
        id=minor,
        name=table.title.minors[minor].name,
        kind="minor",
        income=table.state.revenue.get(minor, 0) * numerator // denominator,
        words=minor_words(table.title, minor),
        mark=mark_view(table, minor),
    )


def supporter_paper(table: MagTable, supporter: str) -> PaperView:
    """A supporter, and whether they have helped in this Operating Round (M.5/2)."""
    used = is_used(table, supporter)
    spent = " (has helped in this operating round)" if used else ""
    return PaperView(
        id=supporter,
        name=table.title.supporters[supporter].name,
        label=supporter_name(supporter),
        kind="supporter",
        power_used=used,
        words=f"{supporter_name(supporter)}: {does(supporter)}{spent}",
    )


def parts(table: MagTable, seat: str) -> dict[str, int]:
    """The parts of a player's wealth (IX.2)."""
    return {
        "cash": table.state.cash[seat],
        "shares": sum(held.value for held in holdings_of(table, seat)),
    }
