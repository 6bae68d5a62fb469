"""Views of a turn's steps, and of the candidates in the draft and in Share Rounds of 18Mag."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ostbahn.eighteen.views import BaseViews
from ostbahn.kernel import money
from ostbahn.kernel.actions import Action
from ostbahn.kernel.money import BANK, share_unit
from ostbahn.kernel.questions import Question
from ostbahn.text.words import plural
from ostbahn.titles.mag.actions import BuyDirectorShare, BuyShare, DraftMinor, DraftShare, DraftSupporter, SellShares
from ostbahn.titles.mag.draft import drafted_share_count as drafted
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.modules import supporters_table as supporters
from ostbahn.titles.mag.state import Draft, LayTrack, MagTable, SoloDraft, StockRound
from ostbahn.titles.mag.stations import next_price
from ostbahn.titles.mag.words.cards import can_help, supporter_effect
from ostbahn.titles.mag.words.text_renderer import home_name, price_after_sale
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.question import ItemView, PickView
from ostbahn.views.title_views import CandidateAnswer, TurnStep

PACKAGE_EMPTY: Final = "none left to draft"

SHORT_REASONS: Final[Mapping[str, str]] = {
    "V/1": PACKAGE_EMPTY,
    "V/2": PACKAGE_EMPTY,
    "X/13": PACKAGE_EMPTY,
    "V/6": "you have {drafted} already",
    "M.5/1": "you have {supporters} already",
    "XI.1/7": "{solo}",
    "XI.1/8": "the other side has one of these",
    "VII.3/1": "{certificates} of {limit} certificates",
    "VII.3/3": "at most {holding_limit} %",
    "VII.4/2": "must keep {card} %",
    "VII.5/1": "{left}",
    "VII.5/2": "sold in this round",
    "S.4/1": "sold in this turn already",
}
"""Short refusals for cards, by the cited rule."""

TRACK: Final = TurnStep("Track", ("lay_track", "istvan_track", "istvan_promotes"))
STATION: Final = TurnStep("Station", ("establish_station", "istvan_station"))
SCRAP: Final = TurnStep("Scrap", ("scrap_trains", "istvan_scraps"))
RUN: Final = TurnStep("Run", ("operate_trains", "istvan_runs"))
TRAINS: Final = TurnStep("Trains", ("purchase_trains", "istvan_buys"))
MARKER: Final = TurnStep("Marker", ("place_marker",))
INCOME: Final = TurnStep("Income", ("pay_out",))

MINORS: Final = (TRACK, STATION, SCRAP, RUN, TRAINS)
"""Steps of a minor's turn (VI.3.1/1)."""
MAJORS: Final = (MARKER, INCOME)
"""Steps of a major's turn (VI.4.1/1)."""


class MagOffers(BaseViews[MagTable]):
    short_reasons = SHORT_REASONS

    # Steps of a turn

    def turn_steps(self, company: str) -> tuple[TurnStep, ...]:
        return MINORS if company in self.table.title.minors else MAJORS

    def step_forecast(self, company: str, stage: str) -> str:
        words_by_step: Mapping[str, Callable[[str], str]] = {
            TRACK.name: self._track_words,
            STATION.name: self._station_words,
            SCRAP.name: self._scrap_words,
            RUN.name: self._run_words,
            TRAINS.name: self._trains_words,
            MARKER.name: self._station_words,
            INCOME.name: self._income_words,
        }
        return words_by_step[stage](company)

    def _track_words(self, minor: str) -> str:
        """Tiles left in the turn (VI.3.2/1), terrain tokens and supporters."""
        table = self.table
        laid = next((task.laid for task in table.state.agenda if isinstance(task, LayTrack)), 0)
        extra = f"1 more for {table.title.services['extra_tile'].price} Ft"
        tokens = table.terrain_tokens(minor)
        words = [
            extra if laid else f"1 tile, {extra}",
            plural(tokens, "terrain token") if tokens else "",
            "Feketeházy can pay the terrain of one hex" if can_help(table, supporters.FEKETEHAZY, minor) else "",
            "Sina can promote one more" if can_help(table, supporters.SINA, minor) else "",
        ]
        return "; ".join(word for word in words if word)

    def _station_words(self, company: str) -> str:
        stations_left = self.table.state.markers[company]
        kind = "station" if company in self.table.title.minors else "marker"
        if not stations_left:
            return f"no {kind} left"
        price = next_price(self.table, company)
        has_discount = can_help(self.table, supporters.DDSG, company)
        discount = f", {supporters.ddsg_price(price)} Ft with the DDSG" if has_discount else ""
        return f"{price} Ft{discount}: {plural(stations_left, kind)} left"

    def _scrap_words(self, minor: str) -> str:
        trains, limit = self.table.trains_of(minor), self.table.title.minor.train_limit
        return "makes room for another train" if len(trains) == limit else "there is room for another train"

    def _run_words(self, minor: str) -> str:
        town = "; Magyar Államvasutak: one more town" if can_help(self.table, supporters.MAV, minor) else ""
        return self.run_forecast(minor, (train.face for train in self.table.trains_of(minor))) + town

    def _trains_words(self, minor: str) -> str:
        count, limit = len(self.table.trains_of(minor)), self.table.title.minor.train_limit
        prices = ", ".join(f"{face} for {stack.price}" for face, stack in self.table.title.stacks.items())
        discount = ""
        if can_help(self.table, supporters.KANDO, minor):
            discount = f", one with Kandó for {', '.join(map(str, supporters.supporters_file().kando.values()))} Ft"
        return f"{count} of {plural(limit, 'train')}; {prices} Ft{discount}"

    def _income_words(self, major: str) -> str:
        return f"{self.table.state.cash[major]} Ft in the treasury"

    def candidates(self, question: Question) -> Iterator[CandidateAnswer]:
        table, task = self.table, question.task
        if isinstance(task, StockRound):
            for major in table.title.companies:
                yield from self._share_candidates(question, task.player, major)
        elif isinstance(task, Draft | SoloDraft):
            for minor, owner in table.state.owners.items():
                if owner == BANK:
                    yield CandidateAnswer(minor, "draft", "Draft", None, DraftMinor(minor))
            for major in table.title.companies:
                yield CandidateAnswer(major, "draft", f"Draft {share_unit(table, major)} %", None, DraftShare(major))
            for supporter in supporters.supporters_of(table, BANK):
                yield CandidateAnswer(supporter, "draft", "Draft", None, DraftSupporter(supporter))

    def _share_candidates(self, question: Question, player: str, major: str) -> Iterator[CandidateAnswer]:
        yield self.buying(major, BuyShare(major))
        if BuyDirectorShare(major) in question:
            unit, card = share_unit(self.table, major), self.table.title.companies[major].certificates[0]
            yield self.buying(major, BuyDirectorShare(major), f"{unit} % into the {card} % director share")
        yield from self.sales(player, major, SellShares)

    def facts(self, player: str, candidate: CandidateAnswer) -> dict[str, Any]:
        """Values for the placeholders of `SHORT_REASONS`."""
        table, major = self.table, candidate.subject
        facts = {
            **super().facts(player, candidate),
            "drafted": plural(len(minors_of(table, player)), "minor"),
            "supporters": plural(len(supporters.supporters_of(table, player)), "supporter"),
            "solo": "you have as many as the other side",
        }
        if major in table.title.companies:
            unaffordable = f"you have only {table.state.cash[player]} Ft"
            facts |= {
                "drafted": plural(drafted(table, player), "share"),
                "solo": "first the minors, then a share",
                "holding_limit": table.title.major.holding_limit,
                "card": table.title.companies[major].certificates[0],
                "left": unaffordable if money.ordinary_certificates(table, BANK, major) else "none left",
            }
        return facts

    def items(self, question: Question) -> tuple[ItemView, ...]:
        """Minors and supporters in the draft, with their holders."""
        if not isinstance(question.task, Draft | SoloDraft):
            return ()
        return (*self._minor_items(), *self._supporter_items())

    def _minor_items(self) -> Iterator[ItemView]:
        """Items of minors, such as `home Pest; 2 terrain tokens`."""
        table = self.table
        for minor, owner in table.state.owners.items():
            spec = table.title.minors[minor]
            tokens = f"; {plural(spec.terrain_tokens, 'terrain token')}" if spec.terrain_tokens else ""
            yield ItemView(
                id=minor,
                name=spec.name,
                words=f"home {home_name(table.title, minor)}{tokens}",
                mark=mark_view(table, minor),
                holder=who_view(table, owner) if owner != BANK else None,
            )

    def _supporter_items(self) -> Iterator[ItemView]:
        for supporter, holder in supporters.supporter_holders(self.table).items():
            yield ItemView(
                id=supporter,
                name=self.table.title.supporters[supporter].short,
                words=f"supporter: {supporter_effect(supporter)}",
                holder=who_view(self.table, holder) if holder != BANK else None,
            )

    def pick(self, action: Action) -> PickView | None:
        if not isinstance(action, SellShares):
            return None
        return self.sale_pick(action.major, action.percent, price_after_sale(self.table, action.major))
