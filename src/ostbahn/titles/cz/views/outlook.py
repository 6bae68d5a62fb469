"""What comes next in 18CZ: forced purchases, trains that scrap others, exports (VIII.10 to VIII.13).

What a sale or export does is asked of the rules themselves, on a table that nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ostbahn.bots.playing import trial
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, holdings
from ostbahn.titles.cz.bohemia_table import BohemiaTable, his_companies, is_his
from ostbahn.titles.cz.phases import card_left_stack, sold, train_limit
from ostbahn.titles.cz.purchase import forced, on_sale
from ostbahn.titles.cz.rounds import NextBox, dividend, present_box
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CzTable, Timetable
from ostbahn.titles.cz.views.course import turns_of
from ostbahn.titles.cz.views.trains import letters_ahead
from ostbahn.titles.cz.words.face import cz_table
from ostbahn.views.common import listed, mark_view, plural, trains_later, who_view
from ostbahn.views.outlook import ComingView, LeavingView, LoserView, MustBuyView, SaleView

# Forced purchases


def must_buy(table: CzTable, can_raise: Callable[[str], int] | None) -> Iterator[MustBuyView]:
    """No company ends its turn without a train that it can run (VIII.10/1). Its treasury pays first, then its Director,
    with cash and then by a loan (VIII.11/1, VIII.11/5, VIII.11/6); shares cannot be sold by then (VIII.11/12).

    Vaclav's companies are given their trains (XI.1/14).
    """
    cash = dict(table.state.cash)
    for company in turns_of(table).in_order(list(table.state.floated)):
        player = director(table, company)
        offered = _cheapest(table, company)
        if player is None or offered is None or is_his(table, company) or not forced(table, company):
            continue
        price, train = offered
        lacks = max(price - cash[company], 0)
        adds = min(lacks, cash[player])
        sales = None if can_raise is None else can_raise(player)
        cash[player] -= adds
        yield MustBuyView(
            company=company,
            mark=mark_view(table, company),
            train=train,
            price=price,
            treasury=cash[company],
            lacks=lacks,
            payer=who_view(table, player),
            adds=adds,
            borrows=lacks - adds,
            can_raise=sales,
            enough=lacks - adds <= (sales or 0),
            rule="VIII.11/1" if lacks else "VIII.10/1",
        )


def _cheapest(table: CzTable, company: str) -> tuple[int, str] | None:
    """The cheapest train in stack and pool that a company could run, with its price (VIII.11/2, VIII.11/3)."""
    size = table.size(company)
    return min(
        (
            (price, face)
            for card in on_sale(table)
            for face, price in table.title.stack.spec[card[0]].faces.items()
            if table.title.train_faces[face].size == size and face not in table.state.scrapped
        ),
        default=None,
    )


# Trains that change something when they are sold


def coming_trains(game: Game) -> Iterator[ComingView]:
    """The first card of each letter whose sale scraps trains or begins a phase (VIII.12/1, VIII.12/12 to /18)."""
    table = cz_table(game)
    seen = ""
    for before, letter in enumerate(letters_ahead(table)):
        if letter == seen:
            continue
        seen = letter
        begins = letter > table.state.phase
        sales = tuple(_sales(game, letter, before))
        if begins or any(sale.scraps or sale.losers for sale in sales):
            yield ComingView(
                words=trains_later(before),
                before=before,
                begins=letter if begins else "",
                phase_name=f"phase {letter}" if begins else "",
                colour=table.title.phases[letter].colour if begins else "",
                limits=_limits(table, letter) if begins else "",
                sales=sales,
            )
        if begins:
            return


def _sales(game: Game, letter: str, before: int) -> Iterator[SaleView]:
    """A card of a letter, sold as each of its trains."""
    now = cz_table(game)
    for face in now.title.stack.spec[letter].faces:
        if face not in now.state.scrapped:
            later = cz_table(game)
            later.state.cards_gone += before
            card_left_stack(later, later.title.stack.card(later.state.cards_gone))
            sold(later, (face,))
            yield SaleView(train=face, scraps=_scrapped(now, later), losers=tuple(losers(now, later)))


def _scrapped(now: CzTable, later: CzTable) -> tuple[str, ...]:
    return tuple(face for face in later.state.scrapped if face not in now.state.scrapped)


def losers(now: CzTable, later: CzTable) -> Iterator[LoserView]:
    """Companies that have lost trains, or have more than their limit (VIII.12/20, VIII.12/22)."""
    for company, trains in now.state.trains.items():
        left = later.state.trains[company]
        lost = tuple(train.face for train in trains if train not in left)
        over = max(len(left) - train_limit(later, company), 0) if left else 0
        if lost or over:
            ran = bool(runnable(now, company))
            yield LoserView(
                company=company,
                mark=mark_view(now, company),
                trains=lost,
                over_limit=over,
                without=ran and not runnable(later, company),
            )


def _limits(table: CzTable, letter: str) -> str:
    """Train limits that fall with a phase (VIII.12/6 to VIII.12/11)."""
    before, after = (table.title.phases[phase].train_limit for phase in (table.state.phase, letter))
    fallen = [
        f"{size} {plural(limit, 'train')}" for size, limit in after.items() if size in before and limit < before[size]
    ]
    return f"limit: {', '.join(fallen)}" if fallen else ""


# Between sets


def leaving_trains(game: Game) -> LeavingView | None:
    """After every set but the last a card is exported (VIII.13/4), or Vaclav's companies get some (XI.1/15)."""
    now, later = cz_table(game), cz_table(trial(game))
    boxes = now.title.boxes[present_box(now) + 1 :]
    chapter = game.rulebook.chapters[Timetable]
    if present_box(now) < 0 or "export" not in boxes or not isinstance(chapter, NextBox):
        return None
    chapter.end_set(later)
    return LeavingView(
        words=_leaving_words(now),
        begins=later.state.phase if later.state.phase != now.state.phase else "",
        scraps=_scrapped(now, later),
        losers=tuple(loser for loser in losers(now, later) if not is_his(now, loser.company)),
    )


def _leaving_words(table: CzTable) -> str:
    if isinstance(table, BohemiaTable):
        return f"{listed(his_companies(table))} of Vaclav's get the next trains"
    card = table.title.stack.card(table.state.cards_gone)
    return f"the next card ({'/'.join(table.title.stack.spec[card[0]].faces)}) goes abroad"


# Incomes


def shared_out(table: CzTable, company: str, amount: int) -> dict[str, int]:
    """Each part is rounded up (VIII.8/15); what the bank holds stays there (VIII.8/14)."""
    return {seat: dividend(amount, percent) for seat, percent in holdings(table, company).items()}
