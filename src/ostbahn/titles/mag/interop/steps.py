"""The site's names of majors, and the steps in which it waits."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel import money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.actions import BuyTrain, OfferForTrain, PayDividend, RunTrains
from ostbahn.titles.mag.modules.supporters_table import DDSG, SINA, ddsg_price, unused_supporters
from ostbahn.titles.mag.running import network
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.stations import next_price, open_cities
from ostbahn.titles.mag.words.text_renderer import mag_table

SITE_MAJORS: Final = {"RÁBA": "RABA", "SzKÉV": "SKEV", "MÁVAG": "MAVAG"}
"""Majors that the site writes without accents."""


def skip_decision(game: Game) -> None:
    """Answer a question that the site skipped."""
    match game.question and game.question.task:
        case tasks.OperateWithCars():
            game.apply(RunTrains((), 0, 0))
        case tasks.PayOut():
            game.apply(PayDividend(0))
        case _:
            game.apply(Pass())


def next_site_question(game: Game) -> Question | None:
    """The next question at which the site waits."""
    if (question := game.question) is not None and not site_waits(mag_table(game), question):
        game = game.branch()
        while (question := game.question) is not None and not site_waits(mag_table(game), question):
            skip_decision(game)
    return question


def site_waits(table: MagTable, question: Question) -> bool:
    """Whether the site waits at a question."""
    match question.task:
        case tasks.LayTrack(company=minor, laid=laid):
            # The site checks the money for the extra tile, but not whether one can be laid.
            affordable = not laid or table.state.cash[minor] >= table.title.services["extra_tile"].price
            return (laid < table.title.lays_in_turn and affordable) or waits_for_sina(table, minor)
        case tasks.EstablishStation(company=minor):
            return can_pay_station(table, minor) and next(open_cities(table, minor), None) is not None
        case tasks.PlaceMarker(company=major):
            return can_pay_station(table, major)  # even if no city has a free place
        case tasks.ScrapTrains(company=minor):
            return bool(table.trains_of(minor))
        case tasks.OperateWithCars(company=minor):
            return bool(table.trains_of(minor)) and any(stop.own for stop in network(table, minor).stops)
        case tasks.PurchaseTrains():
            return any(isinstance(option.action, BuyTrain | OfferForTrain) for option in question)
        case tasks.PayOut() | tasks.StockRound():
            return len(question) > 1
        case _:
            return True


def waits_for_sina(table: MagTable, minor: str) -> bool:
    """Whether the site waits for a pass in the track step because of Sina; it checks the phase, not the board."""
    first_phase = next(iter(table.title.phases))
    return SINA in unused_supporters(table, table.state.owners[minor]) and table.state.phase != first_phase


def can_pay_station(table: MagTable, company: str) -> bool:
    """Whether the site deems the next station affordable; it grants DDSG's discount to majors too."""
    if not table.state.markers[company]:
        return False
    owner = table.state.owners[company] if company in table.title.minors else money.director(table, company)
    price = next_price(table, company)
    if owner is not None and DDSG in unused_supporters(table, owner):
        price = ddsg_price(price)
    return price <= table.state.cash[company]
