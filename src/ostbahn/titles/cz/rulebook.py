"""The rulebook of 18CZ: the initial state, and the handler of each task."""

from __future__ import annotations

from typing import Any, Final

from ostbahn.eighteen.operating import CompanyTurnDecision, FinishTurn, PlayerDecision
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.steps import Decision, PassStep, Routine, Step
from ostbahn.kernel.table import Table
from ostbahn.titles.cz import (
    acquisition,
    offers,
    phases,
    prestock,
    purchase,
    rounds,
    running,
    state,
    stations,
    stock,
    track,
)
from ostbahn.titles.cz.actions import Offer, OfferAcquisition, OfferForLocal, OfferForTrain
from ostbahn.titles.cz.local_railways import AT_ANY_POINT, hand_over
from ostbahn.titles.cz.state import CzState, CzTable, PreStock, Timetable
from ostbahn.titles.cz.title import CzTitle, cz_title

ORDER: Final = "VIII.3/1"
"""Rule on the steps of a company's turn and their order."""

Handlers = Lookup[type[Task], Decision[Any, Any] | Routine[Any, Any]]

SETTLEMENTS: Final[Lookup[type[Offer], offers.Settle]] = {
    OfferForLocal: hand_over,
    OfferForTrain: purchase.trade,
    OfferAcquisition: acquisition.take_over,
}
"""Function that carries out each kind of accepted offer."""


def base_handlers(
    at_any_point: tuple[Step[Any, Any, Any], ...] = AT_ANY_POINT,
    building: type[CompanyTurnDecision[CzTable]] = CompanyTurnDecision,
    stationing: type[CompanyTurnDecision[CzTable]] = CompanyTurnDecision,
    leave_track: type[PassStep[Any, Any]] = PassStep,
    run: type[running.RunTrainsStep] = running.RunTrainsStep,
    offer_take_over: type[acquisition.OfferTakeOver] = acquisition.OfferTakeOver,
    buy_from_stack: type[purchase.BuyFromStack] = purchase.BuyFromStack,
    buy_from_company: type[purchase.BuyFromCompany] = purchase.BuyFromCompany,
) -> Handlers:
    """Return the handlers of the base game; variants replace deciders and steps."""
    return_station = "choose the station that goes back to the charter"
    return {
        Timetable: rounds.NextBox(),
        PreStock: PlayerDecision(
            "buy a Local Railway", "VI/2", prestock.BuyLocalStep(), prestock.LeavePreStock(), by=prestock.player_in_turn
        ),
        state.StockRound: PlayerDecision(
            "sell and buy shares",
            "IV.2.a/1",
            stock.SellSharesStep(),
            stock.RepayDebtStep(),
            stock.StartCompanyStep(),
            stock.BuyFromBank(),
            stock.LeaveStockTurn(),
        ),
        state.OperatingRound: rounds.NextCompany(),
        state.RedHome: building("lay the red home tile", ORDER, track.LayRedHomeStep(), *at_any_point),
        state.HomeCity: building(
            "choose the city of the home station", ORDER, stations.ChooseCityStep(), *at_any_point
        ),
        state.LayTrack: building("lay track", ORDER, track.LayTileStep(), *at_any_point, leave_track()),
        state.LayWaived: building(
            "lay a tile that a Local Railway pays for", ORDER, track.LayWaivedTile(), *at_any_point, PassStep()
        ),
        state.EstablishStation: stationing(
            "place a station", ORDER, stations.PlaceStationStep(), *at_any_point, PassStep()
        ),
        state.OperateTrains: building("run trains", ORDER, run(), *at_any_point),
        state.UseIncome: CompanyTurnDecision(
            "pay out or withhold", ORDER, rounds.PayOutStep(), rounds.WithholdStep(), *at_any_point
        ),
        state.Acquire: CompanyTurnDecision("take over a company", ORDER, offer_take_over(), *at_any_point, PassStep()),
        state.ReturnStation: CompanyTurnDecision(return_station, ORDER, acquisition.ReturnStationStep(), *at_any_point),
        state.JoinStations: CompanyTurnDecision(return_station, ORDER, acquisition.JoinStationsStep(), *at_any_point),
        state.SettleTrains: acquisition.TrainsSettled(
            acquisition.TurnTrainStep(), acquisition.ScrapTrainStep(), *at_any_point, acquisition.KeepTrains()
        ),
        state.PurchaseTrains: CompanyTurnDecision(
            "buy trains", ORDER, buy_from_stack(), buy_from_company(), *at_any_point, purchase.LeavePurchase()
        ),
        state.ReturnTrains: phases.TrainsReturned(phases.ReturnTrainStep(), *at_any_point),
        state.EndTurn: FinishTurn(),
        state.Consent: offers.ConsentAsked(
            "accept or decline the offer", "", offers.AcceptOffer(SETTLEMENTS), offers.DeclineOffer()
        ),
    }


@native(allow_interpreted_subclasses=True)
class CzRulebook:
    """The rulebook of the base game; variants pass another title or handlers."""

    def __init__(self, title: CzTitle | None = None, handlers: Handlers | None = None) -> None:
        self.title = title or cz_title()
        self.handlers = handlers or base_handlers()

    def initial_state(self, setup: Setup) -> CzState:
        """Return the state before the first action (III)."""
        title = self.title
        number = len(setup.players)
        if number not in title.players:
            low, high = min(title.players), max(title.players)
            whom = f"{low} to {high}" if low < high else f"{low}"
            raise BadSetup(f"18CZ ({setup.variant}) is for {whom} players, not {number} (18CZ {title.players_rule})")
        seats = tuple(f"p{seat}" for seat in range(1, number + 1))
        cash = title.players[number].cash
        chance = Chance.of(setup)
        return CzState(
            players=seats,
            order=chance.shuffled(seats) if setup.draw_order else seats,
            cash={BANK: -cash * number, **dict.fromkeys(seats, cash), **dict.fromkeys(title.companies, 0)},
            certificates={company: (BANK,) * len(spec.certificates) for company, spec in title.companies.items()},
            start_prices={},
            chart=((),) * len(title.prices),
            floated=(),
            board=Board({}, {}),
            supply={name: tile.count for name, tile in title.tiles.items()},
            phase="a",
            cards_gone=0,
            trains={},
            pool=(),
            scrapped=(),
            revenue={},
            agenda=(Timetable(0), PreStock(0, ())),
            round="PRE",
            local_price=0,
            locals=dict.fromkeys(title.locals, BANK),
            used_powers=(),
            markers={},
            operated=(),
            closed=(),
            debts={},
            penalties={},
            declined={},
            chance=chance.state,
        )

    def table(self, setup: Setup, state: State) -> CzTable:
        return CzTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        task = question.task
        rule = {PreStock: "VI/1", state.StockRound: "VII.2/1"}.get(type(task), "V/6")
        if isinstance(task, state.Consent):
            rule = task.offer.consent_rule
        whose = f" for {question.company}" if rule == "V/6" else ""
        return table.refuse(rule, f"{table.name(question.decider)} decides{whose} now, not {table.name(by)}")
