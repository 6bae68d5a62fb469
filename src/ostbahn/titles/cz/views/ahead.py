"""Forecasts for 18CZ: steps of a company's turn, forced purchases, trains that scrap others, exports.

Effects of sales and exports come from the rules themselves, applied to a copy of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from ostbahn.bots.playing import trial_game
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import director, share_unit
from ostbahn.kernel.steps import Decision
from ostbahn.text.words import join_words, plural
from ostbahn.titles.cz.actions import OfferAcquisition
from ostbahn.titles.cz.bohemia_table import BohemiaTable, his_companies, is_his
from ostbahn.titles.cz.moravia_table import MoraviaTable
from ostbahn.titles.cz.phases import card_left_stack, sold, train_limit
from ostbahn.titles.cz.purchase import must_buy_train, runnable_on_sale
from ostbahn.titles.cz.rounds import NextBox, dividend, present_box
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import Acquire, CzTable, HomeCity, LayTrack, LayWaived, RedHome, Timetable, UseIncome
from ostbahn.titles.cz.stations import markers_left, next_price
from ostbahn.titles.cz.title import SIZES
from ostbahn.titles.cz.views.table import CzTableViews, letters_ahead
from ostbahn.titles.cz.words.text_renderer import cz_table
from ostbahn.views.common import mark_view, next_train_words, who_view
from ostbahn.views.outlook import ComingView, LeavingView, LoserView, MustBuyView, SaleView
from ostbahn.views.title_views import TurnStep

TRACK: Final = TurnStep("Track", ("red_home", "home_city", "lay_track", "lay_waived"))
STATION: Final = TurnStep("Station", ("establish_station",))
RUN: Final = TurnStep("Run", ("operate_trains", "vaclav_runs"))
INCOME: Final = TurnStep("Income", ("use_income",))
TAKE_OVER: Final = TurnStep("Take over", ("acquire", "return_station", "join_stations", "settle_trains"))
TRAINS: Final = TurnStep("Trains", ("purchase_trains", "return_trains"))

STAGES: Final = (TRACK, STATION, RUN, INCOME, TAKE_OVER, TRAINS)
"""Steps of a turn (VIII.3/1)."""
WITHOUT_TARGETS: Final = (TRACK, STATION, RUN, INCOME, TRAINS)
"""Steps of companies without a smaller one: small ones, and all in Moravia-Silesia (VIII.9/1)."""
VACLAVS: Final = (TRACK, STATION, RUN, INCOME)
"""Steps of Vaclav's companies, which neither take over others nor buy trains (XI.1/14)."""


class CzAhead(CzTableViews):
    # The steps of a turn

    def turn_steps(self, company: str) -> tuple[TurnStep, ...]:
        if is_his(self.table, company):
            return VACLAVS
        small = self.table.size(company) == SIZES[0]
        return WITHOUT_TARGETS if small or isinstance(self.table, MoraviaTable) else STAGES

    def step_forecast(self, company: str, stage: str) -> str:
        words: Mapping[str, Callable[[str], str]] = {
            TRACK.name: self._track,
            STATION.name: self._station,
            RUN.name: self._run,
            INCOME.name: self._income,
            TAKE_OVER.name: self._targets,
            TRAINS.name: self._trains,
        }
        return words[stage](company)

    def _track(self, company: str) -> str:
        """Return how many tiles a company may still lay (VIII.4/4, VIII.4/5)."""
        match self.table.state.agenda[-1]:
            case RedHome():
                return "first the red home tile"
            case HomeCity():
                return "first the home station"
            case LayWaived():
                return "1 more yellow tile if a Local Railway pays"
            case LayTrack(yellows=yellows) if yellows:
                return "1 more yellow tile"
            case _:
                first = any(isinstance(task, LayTrack) and task.first for task in self.table.state.agenda)
                return f"{'2 yellow tiles' if first else '1 yellow tile'} or 1 promotion"

    def _station(self, company: str) -> str:
        left, price = markers_left(self.table, company), next_price(self.table, company)
        if not left:
            return "no marker left"
        return f"{f'{price} K' if price else 'free'}: {plural(left, 'marker')} left"

    def _run(self, company: str) -> str:
        trains = [*runnable(self.table, company), *self.table.guests(company)]
        return self.run_forecast(company, (train.face for train in trains))

    def _income(self, company: str) -> str:
        """Return the dividend per share at stake, before the run the last one."""
        if is_his(self.table, company):
            return "always paid out"
        unit = share_unit(self.table, company)
        for task in self.table.state.agenda:
            if isinstance(task, UseIncome):
                return f"{task.revenue} K: {dividend(task.revenue, unit)} K a share, or keep it"
        paid = self.record_stats.paid.get(company)
        if paid is None:
            return ""
        return f"last time {dividend(paid, unit)} K a share" if paid else "last time nothing"

    def _targets(self, company: str) -> str:
        """Return the companies that it can afford to take over, by the variant's rules (VIII.9/1, VIII.9/7)."""
        handler = self.game.rulebook.handlers[Acquire]
        step = handler.step_for(OfferAcquisition("", 0)) if isinstance(handler, Decision) else None
        actions = [option.action for option in step.answers(self.table, Acquire(company))] if step is not None else []
        targets = [action.company for action in actions if isinstance(action, OfferAcquisition)]
        return f"{', '.join(targets)} possible" if targets else "nobody it could pay for"

    def _trains(self, company: str) -> str:
        """Return how many trains a company has, and what the next card offers it."""
        has, limit = len(self.table.state.trains.get(company, ())), train_limit(self.table, company)
        following = (
            f"{'must buy' if must_buy_train(self.table, company) else 'next'}: {_next_train_words(self.table, company)}"
        )
        return f"{has} of {plural(limit, 'train')}; {following}"

    # Trains to come

    def must_buy(self, can_raise: Callable[[str], int] | None) -> Iterator[MustBuyView]:
        """Yield companies that must buy a train (VIII.10/1); Vaclav's are given theirs (XI.1/14).

        The treasury pays first, then the Director by cash and loan (VIII.11/1, /5, /6); no share sales (VIII.11/12).
        """
        table = self.table
        cash = dict(table.state.cash)
        for company in self.operating_order().in_order(list(table.state.floated)):
            player = director(table, company)
            on_sale = runnable_on_sale(table, company)
            if player is None or not on_sale or is_his(table, company) or not must_buy_train(table, company):
                continue
            price, train = min(on_sale)
            missing = max(price - cash[company], 0)
            director_part = min(missing, cash[player])
            sales = None if can_raise is None else can_raise(player)
            cash[player] -= director_part
            yield MustBuyView(
                company=company,
                mark=mark_view(table, company),
                train=train,
                price=price,
                treasury=cash[company],
                lacks=missing,
                payer=who_view(table, player),
                adds=director_part,
                borrows=missing - director_part,
                can_raise=sales,
                enough=missing - director_part <= (sales or 0),
                rule="VIII.11/1" if missing else "VIII.10/1",
            )

    def coming_trains(self) -> Iterator[ComingView]:
        """Yield the first card of each letter that scraps trains or begins a phase (VIII.12/1, VIII.12/12 to /18)."""
        table = self.table
        seen = ""
        for before, letter in enumerate(letters_ahead(table)):
            if letter == seen:
                continue
            seen = letter
            begins = letter > table.state.phase
            sales = tuple(_sale_views(self.game, letter, before))
            if begins or any(sale.scraps or sale.losers for sale in sales):
                yield ComingView(
                    words=next_train_words(before),
                    before=before,
                    begins=letter if begins else "",
                    phase_name=f"phase {letter}" if begins else "",
                    colour=table.title.phases[letter].colour if begins else "",
                    limits=_fallen_limits(table, letter) if begins else "",
                    sales=sales,
                )
            if begins:
                return

    def leaving_trains(self) -> LeavingView | None:
        """Return the effect of the next export (VIII.13/4), or of trains for Vaclav's companies (XI.1/15)."""
        now, later = self.table, cz_table(trial_game(self.game))
        boxes = now.title.boxes[present_box(now) + 1 :]
        handler = self.game.rulebook.handlers[Timetable]
        if present_box(now) < 0 or "export" not in boxes or not isinstance(handler, NextBox):
            return None
        handler.end_set(later)
        if isinstance(now, BohemiaTable):
            words = f"{join_words(his_companies(now))} of Vaclav's get the next trains"
        else:
            card = now.title.stack.card(now.state.cards_gone)
            words = f"the next card ({'/'.join(now.title.stack.spec[card[0]].faces)}) goes abroad"
        return LeavingView(
            words=words,
            begins=later.state.phase if later.state.phase != now.state.phase else "",
            scraps=_newly_scrapped(now, later),
            losers=tuple(loser for loser in losers(now, later) if not is_his(now, loser.company)),
        )


def _next_train_words(table: CzTable, company: str) -> str:
    """Return the price of the next train of its size, the Director's part, and what it scraps."""
    state, title = table.state, table.title
    for face, price in title.stack.spec[title.stack.card(state.cards_gone)[0]].faces.items():
        if title.train_faces[face].size == table.size(company) and face not in state.scrapped:
            missing = price - state.cash[company]
            director_part = f", {missing} K from the Director" if missing > 0 and must_buy_train(table, company) else ""
            old = [scrap for scrap in title.train_faces[face].scraps if scrap not in state.scrapped]
            return f"{face} for {price} K{director_part}{f', scraps {join_words(old)}' if old else ''}"
    return "from the pool or others"


def _sale_views(game: Game, letter: str, before: int) -> Iterator[SaleView]:
    """Yield the effects of selling a card of a letter on each of its faces."""
    now = cz_table(game)
    for face in now.title.stack.spec[letter].faces:
        if face not in now.state.scrapped:
            later = cz_table(game)
            later.state.cards_gone += before
            card_left_stack(later, later.title.stack.card(later.state.cards_gone))
            sold(later, (face,))
            yield SaleView(train=face, scraps=_newly_scrapped(now, later), losers=tuple(losers(now, later)))


def _newly_scrapped(now: CzTable, later: CzTable) -> tuple[str, ...]:
    return tuple(face for face in later.state.scrapped if face not in now.state.scrapped)


def losers(now: CzTable, later: CzTable) -> Iterator[LoserView]:
    """Yield companies that lose trains or exceed their limit (VIII.12/20, VIII.12/22)."""
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


def _fallen_limits(table: CzTable, letter: str) -> str:
    """Return the train limits that fall with a phase (VIII.12/6 to VIII.12/11)."""
    before, after = (table.title.phases[phase].train_limit for phase in (table.state.phase, letter))
    fallen = [
        f"{size} {plural(limit, 'train')}" for size, limit in after.items() if size in before and limit < before[size]
    ]
    return f"limit: {', '.join(fallen)}" if fallen else ""
