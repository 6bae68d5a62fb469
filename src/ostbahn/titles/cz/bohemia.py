"""Bohemia for two players: its data, and the handlers that Vaclav changes (18CZ XI.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from ostbahn.eighteen.title import PlayersSpec
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Setup
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import State
from ostbahn.kernel.table import Table
from ostbahn.kits.data import Spec
from ostbahn.titles.cz import state, vaclav
from ostbahn.titles.cz.bohemia_table import BohemiaTable, BohemiaTitle, Invitation, is_his
from ostbahn.titles.cz.rulebook import CzRulebook, Handlers, base_handlers
from ostbahn.titles.cz.state import CzState
from ostbahn.titles.cz.title import Tables, base_data, load_data


class LimitSpec(Spec, frozen=True):
    percent: int
    cites: str


class RemovedSpec(Spec, frozen=True):
    companies: tuple[str, ...]
    hexes: tuple[str, ...]


class BohemiaFile(Spec, frozen=True):
    players: Mapping[int, PlayersSpec]
    holding_limit: Mapping[str, LimitSpec]
    removed: RemovedSpec
    local_railways_of_a_size: int
    vaclav: tuple[Invitation, ...]


def tables_of(base: Tables, changes: BohemiaFile) -> Tables:
    """Return the base game's data without its east, for two players (XI.1/1 to XI.1/4, XI.1/17)."""
    sizes = dict(base.companies.sizes)
    for size, limit in changes.holding_limit.items():
        cites = replace(sizes[size].cites, holding_limit=limit.cites)
        sizes[size] = replace(sizes[size], holding_limit=limit.percent, cites=cites)
    removed, rows = changes.removed, changes.local_railways_of_a_size
    return Tables(
        replace(
            base.companies,
            companies={id_: data for id_, data in base.companies.companies.items() if id_ not in removed.companies},
            sizes=sizes,
        ),
        base.trains,
        replace(
            base.game,
            players=changes.players,
            local_railways={
                size: replace(column, prices=column.prices[:rows], names=column.names[:rows])
                for size, column in base.game.local_railways.items()
            },
        ),
        replace(base.board, hexes={id_: hex_ for id_, hex_ in base.board.hexes.items() if id_ not in removed.hexes}),
        replace(
            base.tiles,
            tiles={id_: tile for id_, tile in base.tiles.tiles.items() if tile.company not in removed.companies},
        ),
    )


@cache
def bohemia_title() -> BohemiaTitle:
    changes = load_data("bohemia.toml", BohemiaFile)
    return BohemiaTitle(tables_of(base_data(), changes), changes.vaclav)


class BohemiaRulebook(CzRulebook):
    """The handlers of the base game, with those that Vaclav changes."""

    def __init__(self) -> None:
        base = base_handlers(
            building=vaclav.Building,
            stationing=vaclav.Stationing,
            leave_track=vaclav.LeaveTrack,
            run=vaclav.BohemiaRun,
            offer_take_over=vaclav.BohemiaOfferTakeOver,
            buy_from_stack=vaclav.BohemiaBuyFromStack,
            buy_from_company=vaclav.BohemiaBuyFromCompany,
        )
        changed: Handlers = {
            state.VaclavJoins: vaclav.Arrival(),
            state.Timetable: vaclav.BohemiaNextBox(),
            state.OperatingRound: vaclav.BohemiaNextCompany(),
            state.VaclavRuns: vaclav.RunForMost(),
        }
        super().__init__(bohemia_title(), {**base, **changed})

    def initial_state(self, setup: Setup) -> CzState:
        """Return the base game's state, with Vaclav's first company to come (XI.1/6)."""
        opening = super().initial_state(setup)
        opening.agenda = (*opening.agenda, state.VaclavJoins())
        return opening

    def table(self, setup: Setup, state: State) -> BohemiaTable:
        return BohemiaTable(self.title, state, setup.rulings, setup.players)

    def turn_refusal(self, table: Table, question: Question, by: str) -> Refusal:
        """Name the player who decides for Vaclav's companies (XI.1/10, XI.1/12)."""
        company = question.company
        if company is None or not isinstance(table, BohemiaTable) or not is_his(table, company):
            return super().turn_refusal(table, question, by)
        stations_asked = isinstance(question.task, state.EstablishStation)
        return table.refuse(
            "XI.1/12" if stations_asked else "XI.1/10",
            f"{table.name(question.decider)} decides for Vaclav's {company} now, not {table.name(by)}",
        )
