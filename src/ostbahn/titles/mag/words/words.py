"""Texts of 18Mag: actions, log messages, events, rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ostbahn.eighteen.text import PASSING, ran_words, reply_words, run_words
from ostbahn.kernel import records
from ostbahn.kernel.actions import Accept, Action, Decline
from ostbahn.kernel.records import Paid, Record
from ostbahn.text.words import DeedText, Naming, Passing, Words
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import events
from ostbahn.titles.mag.majors import SLEEPING_CARS
from ostbahn.titles.mag.modules.supporters_table import supporters_file
from ostbahn.titles.mag.running import CAR_NAMES, MINE
from ostbahn.titles.mag.words.cards import supporter_name


def _claim_words(action: mag.RunTrains) -> str:
    """Words for the mine money that an imported file states."""
    return f" and {action.claimed_subsidy} Ft from mines" if action.claimed_subsidy else ""


def _run_message(record: Record, naming: Naming) -> str:
    assert isinstance(record.action, mag.RunTrains)
    mine_income = sum(event.amount for event in record.events if isinstance(event, Paid) and event.why == MINE)
    mine_words = f" and {mine_income} Ft from the mine" if mine_income else ""
    payments = [event for event in record.events if isinstance(event, Paid) and event.why == SLEEPING_CARS]
    bonus = f"; the bank paid {payments[0].target} {sum(paid.amount for paid in payments)} Ft" if payments else ""
    return f"{ran_words(record, naming)}{'' if record.action.runs else _claim_words(record.action)}{mine_words}{bonus}"


def offer_terms(offer: mag.OfferForTrain, naming: Naming, price: str) -> str:
    """Price and train of an offer."""
    return f"{price} Ft for a {naming.train(offer.card)} of {naming.owner(offer.card)}"


def _offer_message(record: Record, naming: Naming) -> str:
    """Log message of an offer, which is a purchase at once between minors of one owner."""
    offer = record.action
    assert isinstance(offer, mag.OfferForTrain)
    if any(isinstance(event, Paid) for event in record.events):
        return f"bought a {naming.train(offer.card)} from {naming.owner(offer.card)} for {offer.price} Ft"
    return f"offered {offer_terms(offer, naming, str(offer.price))}"


def _payout_message(record: Record, _: Naming) -> str:
    assert isinstance(record.action, mag.PayDividend)
    return f"paid out {record.action.amount} Ft" if record.action.amount else "paid nothing out"


DEEDS: Final[Mapping[type[Action], DeedText]] = {
    mag.RunTrains: _run_message,
    mag.OfferForTrain: _offer_message,
    mag.PayDividend: _payout_message,
    Accept: reply_words("accepted", offer_terms),
    Decline: reply_words("declined", offer_terms),
}
"""Log messages; other actions are logged by their own text and cost."""


def _lay_words(action: mag.LayTile, naming: Naming, _: str) -> str:
    token = " with a terrain token" if action.token else ""
    track_for = f", its track for {naming.who(action.track_for)}" if action.track_for else ""
    return f"lay {action.tile} {naming.at(action.hex)}{token}{track_for}"


def _sina_words(action: mag.PromoteBySina, naming: Naming, price: str) -> str:
    terrain = ", its terrain paid by Feketeházy" if action.feketehazy else ""
    return f"{_lay_words(action, naming, price)} with the card of Sina{terrain}"


def _place_words(action: mag.PlaceStation, naming: Naming, _: str) -> str:
    return f"place a {_marker_word(naming.company or '')} in {naming.place(action.city)}"


def _marker_word(company: str) -> str:
    """Station for minors, whose ids are numbers; marker for majors."""
    return "station" if company.isdecimal() else "marker"


def _car_words(action: mag.BuyCar, _: Naming, __: str) -> str:
    claim = "" if action.claim is None else f", said to cost {action.claim} Ft"
    return f"buy the {CAR_NAMES[action.car]}{claim}"


def _station_words(event: records.StationPlaced, naming: Naming) -> str:
    return f"{naming.who(event.company)} has a {_marker_word(event.company)} in {naming.place(event.city)}"


def _payout_words(event: events.PaidOut, naming: Naming) -> str:
    return f"pays out {naming.money(event.amount)}" if event.amount else "pays nothing out"


WORDS: Final = Words(
    currency="Ft",
    actions={
        mag.DraftMinor: "take {who.minor}",
        mag.DraftShare: "take a share of {a.major}",
        mag.BuyShare: "buy a share of {a.major}",
        mag.SellShares: "sell {a.percent}% of {a.major}",
        mag.LayTile: _lay_words,
        mag.DeclareToken: "give a terrain token for the next tile",
        mag.PlaceStation: _place_words,
        mag.ScrapTrain: "scrap a {train.card}",
        mag.BuyCar: _car_words,
        mag.RunTrains: lambda action, naming, _: run_words(action, naming) + _claim_words(action),
        mag.BuyTrain: "buy a {a.face}-train",
        mag.OfferForTrain: lambda *args: f"offer {offer_terms(*args)}",
        mag.PayDividend: lambda action, *_: f"pay out {action.amount} Ft" if action.amount else "pay nothing out",
        mag.DraftSupporter: lambda action, *_: f"take {supporter_name(action.supporter)} as a supporter",
        mag.BuyDirectorShare: "give in a share of {a.major} and pay for the rest of the director share",
        mag.TakeFromRothschild: lambda *_: f"take {supporters_file().rothschild_gift} Ft from Rothschild",
        mag.AddTown: "give a {train.card} one more town by Magyar Államvasutak",
        mag.LayByFeketehazy: lambda *args: f"{_lay_words(*args)}, its terrain paid by Feketeházy",
        mag.PromoteBySina: _sina_words,
        mag.PlaceByDdsg: lambda *args: f"{_place_words(*args)} with the DDSG",
        mag.BuyByKando: "buy a {a.face}-train at Kandó's price",
    },
    events={
        records.StationPlaced: _station_words,
        records.PhaseBegan: "the {e.phase} phase begins",
        events.MinorUnused: "{who.company} is out of the game",
        events.TerrainTokenGiven: "{who.company} gives a terrain token back",
        events.PaidOut: lambda event, naming: f"{naming.who(event.company)} {_payout_words(event, naming)}",
        events.NoTrainSold: "no train was sold in this round: no-train-sold token {e.tokens}",
        events.SupporterUsed: lambda event, naming: (
            f"{supporter_name(event.supporter)} helps {naming.who(event.company)}"
        ),
        events.CompanyCardDealt: "{who.company} plays by István's company card {e.card}",
        events.CardEntryDone: "entry {e.entry} on the card of {who.company} is done",
        events.CardEntrySkipped: "entry {e.entry} on the card of {who.company} is skipped",
    },
    rounds={"PRE": "First share round", "SR": "Share round", "OR": "Operating round"},
    passing={
        **PASSING,
        "scrap_trains": Passing("scrap no train", "scrap no more trains", "there is no train to scrap"),
        "place_marker": Passing("place no marker", why="no marker can be placed"),
    },
    deeds=DEEDS,
    summaries={events.PaidOut: _payout_words, events.NoTrainSold: "no train was sold"},
)
