"""The rules of 18Mag: the opening position and the handler of each task."""

from __future__ import annotations

from typing import Any

from ostbahn.eighteen.operating import FinishTurn, PlayerDecision
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup, Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.steps import Decision, PassStep, Routine
from ostbahn.kernel.table import Table
from ostbahn.titles.mag import cars, draft, majors, rounds, running, state, stations, stock, track, trains
from ostbahn.titles.mag.rounds import TurnDecision
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.title import MagTitle, mag_title

TaskHandlers = Lookup[type[Task], Decision[Any, Any] | Routine[Any, Any]]


def base_handlers() -> TaskHandlers:
    """Handlers of the base game for 3 to 6 players."""
    order = "VI.3.1/1"
    return {
        state.Rounds: rounds.NextRound(),
        state.Draft: draft.DraftDecision(draft.TakeMinor(), draft.TakeShare()),
        state.StockRound: PlayerDecision(
            "sell and buy shares", "VII.1/3", stock.SellSharesStep(), stock.BuyFromCharter(), stock.LeaveStockTurn()
        ),
        state.OperatingRound: rounds.NextCompany(),
        state.LayTrack: track.LayTrackDecision(
            "lay track", order, track.LayTileStep(), track.DeclareTokenStep(), PassStep()
        ),
        state.EstablishStation: TurnDecision("place a station", order, stations.PlaceStationStep(), PassStep()),
        state.ScrapTrains: TurnDecision("scrap trains", order, trains.ScrapTrainStep(), PassStep()),
        state.OperateWithCars: TurnDecision("run trains", order, cars.BuyRailCar(), running.RunTrainsStep()),
        state.PurchaseTrains: TurnDecision(
            "buy trains", order, trains.BuyFromStack(), trains.BuyFromMinor(), PassStep()
        ),
        state.EndTurn: FinishTurn(),
        state.Consent: PlayerDecision(
            "accept or decline the offer", "III.3.2/6", trains.AcceptOffer(), trains.DeclineOffer()
        ),
        state.PlaceMarker: TurnDecision("place a marker", "VI.4.1/1", stations.PlaceMarkerStep(), PassStep()),
        state.PayOut: TurnDecision("pay out", "VI.4.1/1", majors.PayDividendStep()),
    }


@native(allow_interpreted_subclasses=True)
class MagRulebook:
    """The base game; variants pass another title, other handlers, or both."""

    def __init__(self, title: MagTitle | None = None, handlers: TaskHandlers | None = None) -> None:
        self.title = title or mag_title()
        self.handlers = handlers or base_handlers()

    def initial_state(self, setup: Setup) -> MagState:
        """The state before the first action (II.4)."""
        title, number = self.title, len(setup.players)
        if number not in title.players:
            low, high = min(title.players), max(title.players)
            players = f"{low} to {high}" if low < high else f"{low}"
            raise BadSetup(
                f"18Mag ({setup.variant}) is for {players} players, not {number} (18Mag {title.players_rule})"
            )
        seats = self.seats(number)
        chance = Chance.of(setup)
        order = chance.shuffled(seats) if setup.draw_order else seats
        cash = title.players[number].cash
        opening = MagState(
            players=seats,
            order=order,
            cash={
                BANK: -cash * number,
                **dict.fromkeys(seats, cash),
                **dict.fromkeys(title.minors, 0),
                **dict.fromkeys(title.companies, 0),
            },
            certificates={major: (BANK,) * len(spec.certificates) for major, spec in title.companies.items()},
            chart=((),) * len(title.prices),
            board=Board({}, {}),
            supply={name: tile.count for name, tile in title.tiles.items() if title.piece(name) == name},
            phase=next(iter(title.phases)),
            trains={},
            revenue={},
            agenda=(state.Rounds(1, 0, 1), state.Draft(0)),
            round="PRE",
            priority=order[0],
            owners=dict.fromkeys(title.minors, BANK),
            package=dict.fromkeys(title.companies, title.players[number].package_shares),
            markers=dict.fromkeys(title.companies, title.major.markers),
            terrain_tokens={minor: spec.terrain_tokens for minor, spec in title.minors.items()},
            indicators=tuple(face for face, stack in title.stacks.items() if stack.indicator),
            cards={},
            no_train=0,
            sold_train=False,
            phase_began=False,
            declined={},
            chance=0,
        )
        self.deal(setup, opening, chance)
        opening.chance = chance.state
        return opening

    def seats(self, number: int) -> tuple[str, ...]:
        return tuple(f"p{seat}" for seat in range(1, number + 1))

    def deal(self, setup: Setup, opening: MagState, chance: Chance) -> None:
        """Deal each major a start price card (II.4/2); a later one on the same space lies below (VI.4/1)."""
        chart = list(opening.chart)
        cards = chance.first(self.title.chart.start_cards, len(self.title.companies))
        for major, price in zip(self.title.companies, cards, strict=False):
            space = self.title.prices.index(price)
            chart[space] = (*chart[space], major)
        opening.chart = tuple(chart)

    def table(self, setup: Setup, state: State) -> MagTable:
        return MagTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        """Refusal of an action by a seat that is not to move."""
        rule = {state.Draft: "V/4", state.StockRound: "VII.2/1", state.Consent: "III.3.2/6"}.get(
            type(question.task), "IV/2"
        )
        company = f" for {table.name(question.company)}" if rule == "IV/2" else ""
        return table.refuse(rule, f"{table.name(question.decider)} decides{company} now, not {table.name(by)}")
