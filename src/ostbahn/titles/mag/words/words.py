"""18Mag in words."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel import records
from ostbahn.kernel.money.ledger import BANK
from ostbahn.telling.words import Naming, Words
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag import events

CARS: Final = {"off_board": "off-board car", "plus": "plus car", "mine": "mine car"}
"""What rail cars are called."""


def _run(action: mag.RunTrains, _: str) -> str:
    claim = "" if action.claim is None else f", said to earn {action.claim} Ft"
    if action.claimed_subsidy:
        claim += f" and {action.claimed_subsidy} Ft from mines"
    if not action.runs:
        return f"run no train{claim}"
    return "; ".join(f"run {run.card}{_with_cars(run)}: {' '.join(run.path)}" for run in action.runs) + claim


def _with_cars(run: mag.TrainRun) -> str:
    return " with " + " and ".join(CARS[car] for car in run.cars) if run.cars else ""


def _lay(action: mag.LayTile, _: str) -> str:
    token = ", with a terrain token" if action.token else ""
    whose = f", its track for {_company(action.track_for)}" if action.track_for else ""
    return f"lay tile {action.tile} on {action.hex}, rotation {action.rotation}{token}{whose}"


def _car(action: mag.BuyCar, _: str) -> str:
    claim = "" if action.claim is None else f", said to cost {action.claim} Ft"
    return f"buy the {CARS[action.car]}{claim}"


def _company(company: str) -> str:
    """Minors have numbers only, so people are told that it is a minor."""
    return f"minor {company}" if company.isdecimal() else company


def _paid(event: records.Paid, who: Naming, currency: str) -> str:
    why = next((name for car, name in CARS.items() if event.why == f"rail car {car}"), event.why)
    return f"{who.source} pays {who.target} {event.amount} {currency} ({why})"


def _director(event: records.DirectorChanged, who: Naming, _: str) -> str:
    """Majors begin without a director."""
    instead = "" if event.before == BANK else f" instead of {who.before}"
    return f"{who.after} is director of {event.company}{instead}"


def _station(event: records.StationPlaced, who: Naming, _: str) -> str:
    """Majors have markers where minors have stations."""
    return f"{who.company} has a {'station' if event.company.isdecimal() else 'marker'} in {event.city}"


WORDS: Final = Words(
    currency="Ft",
    actions={
        mag.DraftMinor: "take minor {a.minor}",
        mag.DraftShare: "take a share of {a.major}",
        mag.BuyShare: "buy a share of {a.major}",
        mag.SellShares: "sell {a.percent}% of {a.major}",
        mag.LayTile: _lay,
        mag.DeclareToken: "give a terrain token for the next tile",
        mag.PlaceStation: "put a station into {a.city}",
        mag.ScrapTrain: "scrap train {a.card}",
        mag.BuyCar: _car,
        mag.RunTrains: _run,
        mag.BuyTrain: "buy a {a.face}-train",
        mag.OfferForTrain: "offer {price} Ft for train {a.card}",
        mag.PayDividend: "pay {a.amount} Ft out",
    },
    events={
        records.Paid: _paid,
        records.DirectorChanged: _director,
        records.StationPlaced: _station,
        records.PhaseBegan: "the {e.phase} phase begins",
        events.MinorUnused: "{who.company} is out of the game",
        events.TerrainTokenGiven: "{who.company} gives a terrain token back",
        events.PaidOut: "{who.company} pays {e.amount} Ft out",
        events.NoTrainSold: "no train was sold in this round: no-train-sold token {e.tokens}",
        events.CompanyCardDealt: "{who.company} plays by István's company card {e.card}",
        events.CardEntryDone: "entry {e.entry} on the card of {who.company} is done",
        events.CardEntrySkipped: "entry {e.entry} on the card of {who.company} is skipped",
    },
    rounds={"PRE": "First Share Round", "SR": "Share Round", "OR": "Operating Round"},
)
