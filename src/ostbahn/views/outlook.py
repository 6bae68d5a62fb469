"""What comes next as things stand: what everybody looks ahead to before they pass, buy or sell.

The end of a round of shares is not imitated: everybody passes on a copy of the game, and the records tell what the
rules made of it. The copy draws lots of its own and nothing is read from it beyond the first turn of the next round,
so nobody learns what they could not know at the table.
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
"""So often the turn goes round at most until all have passed: who has sold in this turn begins the passes anew."""
LASTING: Final = 600
"""Steps that all searches for best runs take together, some milliseconds; what takes longer is not proven then."""
GRACE: Final = 30
"""Steps that each search has for nothing, so that none is without a run because of those before it."""


def outlook_view(game: Game, views: TitleViews | None = None) -> OutlookView:
    """views: of the same game, where somebody has them already."""
    views = views_of(game) if views is None else views
    question = game.question
    if question is None:
        return OutlookView()
    shares = views.scene(question) == "shares"
    played = _played_out(game) if shares else None
    refusal = None if played is None else played.refusal
    ends = played is not None and refusal is None
    later = views_of(played.game) if played is not None and ends else views
    return OutlookView(
        ended=_ended(views, later, played) if played is not None and ends else None,
        held_up="" if refusal is None else refusal.text,
        held_up_rule="" if refusal is None else refusal.rule.rpartition(" ")[2],
        must_buy=tuple(later.must_buy(views.can_raise if shares else None)),
        coming=tuple(views.coming_trains()),
        leaving=views.leaving_trains(),
    )


# Everybody passes


class PlayedOut(NamedTuple):
    """A copy of the game in which everybody has passed."""

    game: Game
    events: Sequence[Event]
    """What has come of it."""
    refusal: Refusal | None = None
    """Why somebody could not pass."""


def _played_out(game: Game) -> PlayedOut | None:
    """Until the next round has begun, with the first turn of a company if it is an Operating Round.

    None where a round of shares does not end by passing: a draft, an auction.
    """
    twin, events = trial_game(game), list[Event]()
    for _ in range(LAPS * len(game.state.order)):
        question = twin.question
        if question is None or _begun(twin, events):
            return PlayedOut(twin, events)
        handler = twin.rulebook.handlers[type(question.task)]
        if not isinstance(handler, Decision) or handler.step_for(Pass()) is None:
            return None
        refusal = question.refusal(Pass())
        if refusal is not None:
            return PlayedOut(twin, events, refusal)
        events += twin.apply(Pass()).events
    return None


def _begun(game: Game, events: Iterable[Event]) -> bool:
    """Whether the next round is there. Before the first turn of an Operating Round somebody may still be asked."""
    began = [type(event) for event in events if isinstance(event, (RoundBegan, TurnBegan))]
    if not began or TurnBegan in began:
        return bool(began)
    return views_of(game).scene(game.question) == "shares"


# What came of it


def _ended(views: TitleViews, later: TitleViews, played: PlayedOut) -> EndedView:
    table = views.game.table
    before, after = _order(views), _order(later)
    begun = [event.company for event in played.events if isinstance(event, TurnBegan)]  # also turns that are over
    acting = tuple(dict.fromkeys((*begun, *later.operating_order().waiting)))
    earnings = tuple(_earnings(later, acting))
    return EndedView(
        round=next((event.round for event in played.events if isinstance(event, RoundBegan)), views.round),
        round_name=text_renderer_of(played.game).round_name(),
        markers=tuple(_markers(views, played.events)),
        order=tuple(who_view(table, seat) for seat in after),
        order_changes=before != after,
        runs=tuple(OrderView(company=each, mark=mark_view(table, each), state="ahead") for each in acting),
        earnings=earnings,
        incomes=tuple(_incomes(later, earnings, played.events, after)) if acting else (),
        incomes_if=later.incomes_if,
    )


def _markers(views: TitleViews, events: Iterable[Event]) -> Iterator[MarkerView]:
    """Those that move before the next round begins."""
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


def _order(views: TitleViews) -> tuple[str, ...]:
    """Seats as they follow each other in the next round of shares, as things stand."""
    order, first = views.game.state.order, views.progress().priority
    at = order.index(first) if first in order else 0
    return (*order[at:], *order[:at])


def _earnings(later: TitleViews, acting: Iterable[str]) -> Iterator[EarningView]:
    budget = StepBudget(LASTING, free_steps=GRACE)
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


def _incomes(
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
