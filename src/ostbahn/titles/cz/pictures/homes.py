"""Homes of companies that have not begun, for the board (18CZ VIII.6, VIII.4/22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ostbahn.kernel.map.board import city_id
from ostbahn.titles.cz.moravia_table import WESTBAHN, MoraviaTitle
from ostbahn.titles.cz.state import Auction, CzTable
from ostbahn.titles.cz.stations import free_places, home_node


def awaited_homes(table: CzTable) -> Mapping[str, Sequence[str]]:
    """City or red hex to the companies that will stand there; those that have the choice, at each place."""
    state = table.state
    begun = {company for companies in state.board.stations.values() for company in companies}
    found: dict[str, list[str]] = {}
    for company in table.title.companies:
        if company not in begun and company not in state.closed:
            for place in _places(table, company):
                found.setdefault(place, []).append(company)
    if isinstance(table.title, MoraviaTitle) and WESTBAHN not in begun and _on_sale(table):
        found.setdefault(city_id(table.title.westbahn_home, 0), []).append(WESTBAHN)
    return found


def _on_sale(table: CzTable) -> bool:
    """Whether papers are still auctioned: the railway that nobody wants never has a station."""
    return any(isinstance(task, Auction) for task in table.state.agenda)


def _places(table: CzTable, company: str) -> Iterator[str]:
    spec = table.title.companies[company]
    if company in table.title.home_tiles:
        yield from spec.homes
        return
    home, node = spec.homes[0], home_node(table, company)
    free = dict.fromkeys(free_places(table, home))
    if node is not None and city_id(home, node) in free:
        yield city_id(home, node)
    else:
        yield from free
