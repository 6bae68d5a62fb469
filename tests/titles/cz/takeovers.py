"""Companies about to take over smaller ones, for the tests of VIII.9."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ostbahn.kernel.actions import Accept, Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.actions import OfferAcquisition
from ostbahn.titles.cz.state import Acquire, PurchaseTrains
from ostbahn.titles.cz.title import cz_title
from tests.titles.cz.asking import asked as asked
from tests.titles.cz.scenes import scene, state_of

START = {"small": (60, 0), "medium": (70, 1), "large": (100, 3)}
"""By size a starting price, and the shares beside the Director's certificate that float the company."""


def buying(
    buyer: str = "BN",
    target: str = "EKJ",
    *,
    others: Sequence[str] = (),
    directors: Mapping[str, str] | None = None,
    cash: int = 1000,
    target_cash: int = 0,
    shares: Mapping[str, int] | None = None,
    price: int | None = None,
    phase: str = "d",
    agenda: Sequence[Any] | None = None,
    **fields: Any,
) -> Game:
    """A company of p1 that may take over one of p2; shares are those of the target beside p2's certificate.

    Whatever else is in play belongs to p2 too. A medium target has the shares that float it, if not told otherwise.
    """
    companies = cz_title().companies
    start = {company: START[companies[company].size] for company in (buyer, target, *others)}
    holder = {company: "p2" for company in start} | {buyer: "p1"} | dict(directors or {})
    held = {company: {holder[company]: number} for company, (_, number) in start.items() if number}
    if shares is not None:
        held[target] = dict(shares)
    return scene(
        phase=phase,
        started={company: (par, holder[company]) for company, (par, _) in start.items()},
        shares=held,
        prices={} if price is None else {target: price},
        cash={buyer: cash, target: target_cash},
        agenda=[PurchaseTrains(buyer), Acquire(buyer)] if agenda is None else agenda,
        **fields,
    )


def take_over(game: Game, target: str = "EKJ", price: int = 60) -> None:
    """Offer, and let the other Director accept; what follows from it is still to be answered."""
    game.apply(OfferAcquisition(target, price))
    if game.question is not None and Accept() in game.question:
        game.apply(Accept())


def finish(game: Game) -> None:
    """Leave trains as they are and acquire nothing more."""
    while asked(game).kind in ("settle_trains", "acquire"):
        game.apply(Pass())


def rule_against(game: Game, action: Action, by: str | None = None) -> str:
    refusal = game.refusal(action, by)
    return "allowed" if refusal is None else refusal.rule


def cash_of(game: Game, *accounts: str) -> list[int]:
    return [state_of(game).cash[account] for account in accounts]
