"""The adapter of 18Mag for 18xx.games, with its traces of states and legal lays."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.track import buildable_hexes, next_tile_colour
from ostbahn.interop.site_adapter import (
    SiteAdapter,
    TraceLine,
    company_line,
    lays_by_hex,
    player_line,
    station_places,
    table_line,
)
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import rotations_reaching
from ostbahn.kernel.money import director
from ostbahn.kernel.state import Train
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.titles.mag.draft import minors_of
from ostbahn.titles.mag.interop.exporter import MagExporter
from ostbahn.titles.mag.interop.importer import MagImporter
from ostbahn.titles.mag.interop.steps import waits_for_sina
from ostbahn.titles.mag.modules.supporters_table import supporters_file, supporters_of
from ostbahn.titles.mag.modules.supporters_track import PromoteWithSina
from ostbahn.titles.mag.state import EstablishStation, LayTrack, MagTable, PlaceMarker
from ostbahn.titles.mag.stations import next_price, open_cities
from ostbahn.titles.mag.track import is_promotion, legal_lays
from ostbahn.titles.mag.words.text_renderer import mag_table


def state_line(game: Game) -> TraceLine:
    table, question = mag_table(game), game.question
    state = table.state
    minors = [minor for minor in sorted(state.owners, key=int) if state.owners[minor] in state.players]
    return table_line(
        game,
        None if question is None else question.company or table.name(question.decider),
        {player: _player_row(table, player) for player in state.players},
        {
            **{major: _major_row(table, major) for major in table.title.companies},
            **{minor: {**_company_row(table, minor), "director": table.name(state.owners[minor])} for minor in minors},
        },
    )


def _player_row(table: MagTable, player: str) -> TraceLine:
    return player_line(table, player, table.title.companies, supporters_of(table, player), minors_of(table, player))


def _company_row(table: MagTable, company: str) -> TraceLine:
    return company_line(table, company, (_train_label(table, train) for train in table.state.trains.get(company, ())))


def _train_label(table: MagTable, train: Train) -> str:
    """The site's label of a train, with additional towns."""
    towns = table.extra_towns(train.card)
    return f"{train.face}+{towns}" if towns else train.face


def _major_row(table: MagTable, major: str) -> TraceLine:
    owner = director(table, major)
    return {
        **_company_row(table, major),
        "director": None if owner is None else table.name(owner),
        "price": chart.price(table, major),
    }


def legal_line(game: Game, lingering: bool) -> TraceLine | None:
    """Trace of the lays and stations open to the company in turn, lays regardless of money; None in other steps."""
    table, question = mag_table(game), game.question
    if lingering and question is not None and question.company is not None:
        return {"company": question.company, "sina": sina_lays(table, question.company)}
    match question.task if question is not None else None:
        case LayTrack(company=minor, promoted=promoted):
            own_lays = (lay for lay in legal_lays(table, minor) if not (promoted and is_promotion(table, lay[0])))
            line = {"company": minor, "lays": lays_by_hex(table.title.tile_set, own_lays)}
            return line | ({"sina": sina_lays(table, minor)} if waits_for_sina(table, minor) else {})
        case EstablishStation(company=minor) if table.state.markers[minor]:
            price = next_price(table, minor)
            return {"company": minor, "stations": station_places(open_cities(table, minor), price)}
        case PlaceMarker(company=major) if question is not None:
            price = next_price(table, major)
            cities = [action.city for action in question.actions(PlaceStation)]
            return {"company": major, "stations": station_places(cities, price)}
    return None


def sina_lays(table: MagTable, minor: str) -> TraceLine:
    """Lays open to Sina, regardless of money."""
    colours, sina = supporters_file().sina_colours, PromoteWithSina()
    tiles = sina.tiles(table)
    return lays_by_hex(
        table.title.tile_set,
        (
            (hex_id, tile, rotation)
            for hex_id, sides, fits in buildable_hexes(table, sina.reached(table, minor))
            if is_promotion(table, hex_id) and next_tile_colour(table, table.title.map[hex_id]) in colours
            for tile, rotation in rotations_reaching(fits, sina.connecting_sides(table, sides), tiles)
        ),
    )


SITE_ADAPTER: Final = SiteAdapter(MagImporter, MagExporter, ("base", "two_player"), state_line, legal_line)
