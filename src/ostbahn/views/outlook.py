"""Forecasts what comes next: the end of a round of shares, purchases of trains, and trains that leave.

For the end of a round everybody passes on a copy of the game, and its records show what follows. The copy has random
draws of its own and is read only up to the first turn of the next round, so it reveals nothing hidden.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, Literal, NamedTuple

from ostbahn.bots.playing import trial_game
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.records import Event, Paid, PriceMoved, RoundBegan, TurnBegan
from ostbahn.kernel.routes.budget import StepBudget
from ostbahn.kernel.steps import Decision
from ostbahn.text.speech import text_renderer_of
from ostbahn.views.common import mark_view, who_view
from ostbahn.views.models import MarkView, View, WhoView
from ostbahn.views.title_views import TitleViews, views_of
from ostbahn.views.turns import OrderView
from ostbahn.views.wealth import PartView

# The end of a round of shares


class MarkerView(View, frozen=True, kw_only=True):
    """A share price that will change."""

    company: str
    mark: MarkView
    before: int
    """The price now."""
    after: int
    """The price then."""
    why: str
    """Why: `sold out`."""
    rule: str = ""


class EarningView(View, frozen=True, kw_only=True):
    """What a company can share out in the next Operating Round."""

    company: str
    mark: MarkView
    amount: int
    source: Literal["run", "treasury"]
    """`run`: the best run of its present trains on the present track. `treasury`: what lies in its treasury."""
    proven: bool = True
    """Whether no better run exists; otherwise it is the best that a short search found."""


class NextIncomeView(View, frozen=True, kw_only=True):
    """What the next Operating Round would bring a player."""

    seat: str
    name: str
    amount: int
    parts: tuple[PartView, ...]
    """By company, and what papers pay. Together they are the amount."""


class EndedView(View, frozen=True, kw_only=True):
    """What would follow if everybody passed from now on."""

    round: str
    """The round that begins then: `OR 5.1`."""
    round_name: str
    markers: tuple[MarkerView, ...]
    """Share prices that change, in order."""
    order: tuple[WhoView, ...]
    """The order of players in the next round of shares, as far as it is known."""
    order_changes: bool
    """Whether that differs from the present order."""
    runs: tuple[OrderView, ...]
    """The companies in the order in which they act in the next Operating Round; empty if another round comes first."""
    earnings: tuple[EarningView, ...]
    incomes: tuple[NextIncomeView, ...]
    """What each player would receive."""
    incomes_if: str
    """What these figures assume."""


# Trains


class MustBuyView(View, frozen=True, kw_only=True):
    """A company that must buy a train, and who pays for it."""

    company: str
    mark: MarkView
    train: str
    """The cheapest train that it could run."""
    price: int
    treasury: int
    lacks: int
    """How much its treasury falls short."""
    payer: WhoView
    adds: int
    """What the payer adds in cash, after companies that act earlier."""
    borrows: int
    can_raise: int | None
    """What the payer could raise by selling shares in this round; null if nothing can be sold now."""
    enough: bool
    """Whether the payer can avoid a loan, sales in this round included."""
    rule: str = ""


class LoserView(View, frozen=True, kw_only=True):
    """A company that loses trains."""

    company: str
    mark: MarkView
    trains: tuple[str, ...]
    """The kinds of train that are scrapped."""
    over_limit: int
    """By how many trains it is above the train limit then."""
    without: bool
    """Whether it is left without a train that it can run."""


class SaleView(View, frozen=True, kw_only=True):
    """A train that is sold or leaves the stack, and what that scraps."""

    train: str
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class ComingView(View, frozen=True, kw_only=True):
    """The next trains whose sale changes something."""

    words: str
    """Which trains: `the next train`, `after 2 more trains`, `the first 4- or 6-train`."""
    before: int
    """How many trains are sold before it."""
    begins: str = ""
    """The phase that any of them begins; empty if none."""
    phase_name: str = ""
    """The name of that phase: `phase h`, `the grey phase`."""
    colour: str = ""
    """The colour of tiles in that phase."""
    limits: str = ""
    """Train limits that fall with it: `limit: small 2 trains`."""
    sales: tuple[SaleView, ...]
    """One of these happens: the buyer chooses the train."""

    @property
    def felt(self) -> bool:
        """Whether a phase begins or somebody loses a train."""
        return bool(self.begins) or any(sale.losers for sale in self.sales)


class LeavingView(View, frozen=True, kw_only=True):
    """What leaves the stack at the end of the set of Operating Rounds, if nothing is sold until then."""

    words: str
    """`the next card, e2, goes abroad`."""
    begins: str = ""
    scraps: tuple[str, ...] = ()
    losers: tuple[LoserView, ...] = ()


class OutlookView(View, frozen=True, kw_only=True):
    """What comes next as things stand. It never reveals what chance will decide."""

    ended: EndedView | None = None
    """What follows if the round of shares ends now; null in other rounds, and where nobody may pass."""
    held_up: str = ""
    """Why it cannot end yet: `Anna has 13 certificates and must sell down to 12 first`; empty if it can."""
    held_up_rule: str = ""
    """The rule for that."""
    must_buy: tuple[MustBuyView, ...] = ()
    """Companies that must buy a train, in the order in which they act."""
    coming: tuple[ComingView, ...] = ()
    """The next trains whose sale changes something, the nearest first, up to the next phase."""
    leaving: LeavingView | None = None


LAPS: Final = 3
"""Limit of laps until all have passed; a sale in the present turn makes the passes start again."""
SEARCH_STEPS: Final = 600
"""Steps for all searches for best runs together, some milliseconds; longer searches end unproven."""
FREE_STEPS: Final = 30
"""Further steps for each search, so that earlier searches cannot leave it without a run."""


def outlook_view(game: Game, views: TitleViews | None = None) -> OutlookView:
    """Forecast what comes next. views: those of the game, if already made."""
    views = views_of(game) if views is None else views
    question = game.question
    if question is None:
        return OutlookView()
    shares = views.scene(question) == "shares"
    passed = _pass_until_next_round(game) if shares else None
    refusal = None if passed is None else passed.refusal
    ended = None if refusal is not None else passed
    later = views if ended is None else views_of(ended.game)
    return OutlookView(
        ended=None if ended is None else _ended_view(views, later, ended),
        held_up="" if refusal is None else refusal.text,
        held_up_rule="" if refusal is None else refusal.rule.rpartition(" ")[2],
        must_buy=tuple(later.must_buy(views.can_raise if shares else None)),
        coming=tuple(views.coming_trains()),
        leaving=views.leaving_trains(),
    )


# Everybody passes


class PassedGame(NamedTuple):
    """A copy of the game in which everybody has passed."""

    game: Game
    events: Sequence[Event]
    """The events of all passes."""
    refusal: Refusal | None = None
    """Why a player could not pass."""


def _pass_until_next_round(game: Game) -> PassedGame | None:
    """Pass until the next round, including the first turn of an Operating Round.

    None if the round does not end by passing, like a draft or an auction.
    """
    twin, events = trial_game(game), list[Event]()
    for _ in range(LAPS * len(game.state.order)):
        question = twin.question
        if question is None or _has_next_round_begun(twin, events):
            return PassedGame(twin, events)
        handler = twin.rulebook.handlers[type(question.task)]
        if not isinstance(handler, Decision) or handler.step_for(Pass()) is None:
            return None
        refusal = question.refusal(Pass())
        if refusal is not None:
            return PassedGame(twin, events, refusal)
        events += twin.apply(Pass()).events
    return None


def _has_next_round_begun(game: Game, events: Iterable[Event]) -> bool:
    """Whether the next round has begun; an Operating Round only with its first turn, since questions may precede it."""
    began = [type(event) for event in events if isinstance(event, (RoundBegan, TurnBegan))]
    if not began or TurnBegan in began:
        return bool(began)
    return views_of(game).scene(game.question) == "shares"


# The effects


def _ended_view(views: TitleViews, later: TitleViews, passed: PassedGame) -> EndedView:
    table = views.game.table
    before, after = _player_order(views), _player_order(later)
    begun = [event.company for event in passed.events if isinstance(event, TurnBegan)]  # also turns that are over
    acting = tuple(dict.fromkeys((*begun, *later.operating_order().waiting)))
    earnings = tuple(_earning_views(later, acting))
    return EndedView(
        round=next((event.round for event in passed.events if isinstance(event, RoundBegan)), views.round),
        round_name=text_renderer_of(passed.game).round_name(),
        markers=tuple(_marker_views(views, passed.events)),
        order=tuple(who_view(table, seat) for seat in after),
        order_changes=before != after,
        runs=tuple(OrderView(company=company, mark=mark_view(table, company), state="ahead") for company in acting),
        earnings=earnings,
        incomes=tuple(_income_views(later, earnings, passed.events, after)) if acting else (),
        incomes_if=later.incomes_if,
    )


def _marker_views(views: TitleViews, events: Iterable[Event]) -> Iterator[MarkerView]:
    """Share prices that change before the next round begins."""
    for event in takewhile(lambda event: not isinstance(event, RoundBegan), events):
        if isinstance(event, PriceMoved):
            yield MarkerView(
                company=event.company,
                mark=mark_view(views.game.table, event.company),
                before=event.before,
                after=event.after,
                why=event.why,
                rule=views.price_rules.get(event.why, ""),
            )


def _player_order(views: TitleViews) -> tuple[str, ...]:
    """The seats in the order of the next round of shares."""
    order, first = views.game.state.order, views.progress().priority
    at = order.index(first) if first in order else 0
    return (*order[at:], *order[:at])


def _earning_views(later: TitleViews, acting: Iterable[str]) -> Iterator[EarningView]:
    budget = StepBudget(SEARCH_STEPS, free_steps=FREE_STEPS)
    for company in acting:
        earning = later.expected_income(company, budget)
        if earning is not None:
            yield EarningView(
                company=company,
                mark=mark_view(later.game.table, company),
                amount=earning.amount,
                source=earning.source,
                proven=earning.proven,
            )


def _income_views(
    later: TitleViews, earnings: Iterable[EarningView], events: Iterable[Event], seats: Iterable[str]
) -> Iterator[NextIncomeView]:
    parts: Mapping[str, dict[str, int]] = defaultdict(dict)
    for earning in earnings:
        for seat, amount in later.payouts_to_players(earning.company, earning.amount).items():
            if amount:
                parts[seat][earning.company] = amount
    for event in takewhile(lambda event: not isinstance(event, TurnBegan), events):  # before a company acts
        if isinstance(event, Paid) and event.purpose == "incomes":
            parts[event.target][event.why] = parts[event.target].get(event.why, 0) + event.amount
    for seat in seats:
        yield NextIncomeView(
            seat=seat,
            name=who_view(later.game.table, seat).name,
            amount=sum(parts[seat].values()),
            parts=tuple(PartView(name=name, amount=amount) for name, amount in parts[seat].items()),
        )
