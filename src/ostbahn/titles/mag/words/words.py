"""18Mag in words."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel import records
from ostbahn.kernel.money.ledger import BANK
from ostbahn.telling.words import Words
from ostbahn.titles.mag import actions as mag

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


class MagWords(Words):
    """Majors have markers where minors have stations, and they begin without a director."""

    def why(self, event: records.Paid) -> str:
        for car, name in CARS.items():
            if event.why == f"rail car {car}":
                return name
        return event.why

    def director(self, event: records.DirectorChanged, before: str, after: str) -> str:
        instead = "" if event.before == BANK else f" instead of {before}"
        return f"{after} is director of {event.company}{instead}"

    def station(self, event: records.StationPlaced, who: str) -> str:
        return f"{who} has a {'station' if event.company.isdecimal() else 'marker'} in {event.city}"

    def phase(self, event: records.PhaseBegan) -> str:
        return f"the {event.phase} phase begins"


WORDS: Final = MagWords(
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
    notes={
        "turn": "it is the turn of {who}",
        "minor unused": "{who} is out of the game",
        "terrain token": "{who} gives a terrain token back",
        "revenue": "{who} earns {amount} Ft",
        "claim believed": "{who} is believed to earn {amount} Ft",
        "not proven": "whether this is the best run of {who} is not proven; none brings more than {amount} Ft",
        "payout": "{who} pays {amount} Ft out",
        "no train sold": "no train was sold in this round: no-train-sold token {amount}",
        "offer declined": "{who} declines {amount} Ft",
        "István's card": "{who} plays by István's company card {amount}",
        "card entry done": "entry {amount} on the card of {who} is done",
        "card entry skipped": "entry {amount} on the card of {who} is skipped",
        "wealth": "{who} is worth {amount} Ft",
    },
    rounds={"PRE": "First Share Round", "SR": "Share Round", "OR": "Operating Round"},
    ahead=("terrain token", "revenue", "no train sold"),
)
