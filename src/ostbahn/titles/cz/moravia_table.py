"""The table of Moravia-Silesia: private papers, and the station of one of them (18CZ XI.2)."""

from __future__ import annotations

from typing import ClassVar, Final

from ostbahn.kernel.map.board import city_id
from ostbahn.kernel.records import StationPlaced
from ostbahn.kernel.state import Train
from ostbahn.titles.cz.events import LocalRailwayGone, MarkerGained, PaperSold
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import CzTitle, Local, Tables

WESTBAHN: Final = "MW"
EXPRESS: Final = "3E"


class MoraviaTitle(CzTitle):
    """Moravia-Silesia on one board, for one number of players."""

    opening = "Auction"
    players_rule = "XI.2/1"
    companies_rule = "XI.2/3"
    locals_rule = "XI.2/9"
    colour_rules: ClassVar = dict.fromkeys(("green", "brown", "grey"), "XI.2/13")
    trains_rules: ClassVar = {"large": "XI.2/7"}

    def __init__(self, tables: Tables, papers: dict[str, Local], westbahn_home: str, papers_close: str) -> None:
        super().__init__(tables, "moravia")
        self.locals = papers
        self.westbahn_home = westbahn_home
        """Hex of the Mährische Westbahn's station."""
        self.papers_close_in_phase = papers_close


class MoraviaTable(CzTable):
    title: MoraviaTitle

    def first_marker_due(self, company: str) -> bool:
        """Whether the next own marker is the first after the home; one bought with MW does not count (XI.2/5)."""
        return self.state.markers[company].own == self.title.companies[company].spec.markers - 1

    def guests(self, company: str) -> tuple[Train, ...]:
        """Return the private paper's 3E-train if the company has it (XI.2/30)."""
        return (Train(EXPRESS, EXPRESS),) if self.state.guest == company else ()

    def give_paper(self, paper: str, player: str) -> None:
        """Give a paper to its buyer; the Mährische Westbahn places its station (XI.2/20, XI.2/32)."""
        self.state.locals = {**self.state.locals, paper: player}
        self.note(PaperSold(paper))
        if paper == WESTBAHN:
            board, city = self.state.board, city_id(self.title.westbahn_home, 0)
            self.state.board = board.with_stations({**board.stations, city: (WESTBAHN,)})
            self.note(StationPlaced(city, WESTBAHN))

    def take_local(self, company: str, local: str) -> None:
        """Close the Mährische Westbahn when a company buys it, and give the buyer its station (XI.2/35).

        A buyer with a station in that hex gets a marker instead, as one hex holds only one of its stations (VIII.6/6).
        """
        if local != WESTBAHN:
            super().take_local(company, local)
            return
        self.state.locals = {paper: owner for paper, owner in self.state.locals.items() if paper != WESTBAHN}
        self.note(LocalRailwayGone(WESTBAHN))
        if company not in self.state.board.companies_in(self.title.westbahn_home):
            replace_station(self, company)
            return
        replace_station(self, None)
        markers = self.state.markers[company]
        self.state.markers = {**self.state.markers, company: markers._replace(taken=markers.taken + 1)}
        self.note(MarkerGained(company))


def replace_station(table: MoraviaTable, company: str | None) -> None:
    """Give the Mährische Westbahn's station to a company, or take it off the map."""
    stations = {}
    for city, companies in table.state.board.stations.items():
        changed = tuple(company if other == WESTBAHN else other for other in companies)
        remaining = tuple(other for other in changed if other is not None)
        if remaining:
            stations[city] = remaining
        if company is not None and WESTBAHN in companies:
            table.note(StationPlaced(city, company))
    table.state.board = table.state.board.with_stations(stations)
