"""Trace lines of 18Mag: the state, and what was legal, in the form of the reference games."""

from __future__ import annotations

from ostbahn.interop.site import TraceLine, by_hex
from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import carrying_on, hex_of
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.state import Train
from ostbahn.titles.mag.actions import PlaceStation
from ostbahn.titles.mag.importing.steps import waits_for_sina
from ostbahn.titles.mag.modules.supporters_table import cards_of, supporters_file
from ostbahn.titles.mag.modules.supporters_track import PromoteWithSina
from ostbahn.titles.mag.state import EstablishStation, LayTrack, MagTable, PlaceMarker
from ostbahn.titles.mag.stations import next_price, station_cities
from ostbahn.titles.mag.track import at_hand, colour_to_come, is_promotion, lays, sites
from ostbahn.titles.mag.words.face import mag_table


def state_line(game: Game) -> TraceLine:
    table, question = mag_table(game), game.question
    state = table.state
    return {
        "round": state.round,
        "phase": state.phase,
        "actor": None if question is None else question.company or table.name(question.decider),
        "players": {table.name(player): _player(table, player) for player in state.players},
        "companies": {
            **{major: _major(table, major) for major in table.title.companies},
            **{minor: _minor(table, minor) for minor in sorted(state.owners, key=int) if _drafted(table, minor)},
        },
        "tiles": {hex_id: list(laid) for hex_id, laid in state.board.tiles.items()},
    }


def _drafted(table: MagTable, minor: str) -> bool:
    return table.state.owners[minor] in table.state.players


def _player(table: MagTable, player: str) -> TraceLine:
    shares = {major: holding(table, player, major) for major in table.title.companies}
    return {
        "cash": table.state.cash[player],
        "shares": {major: percent for major, percent in shares.items() if percent},
        "locals": sorted(cards_of(table, player)),
        "minors": sorted((minor for minor, owner in table.state.owners.items() if owner == player), key=int),
        "debt": 0,
    }


def _company(table: MagTable, company: str) -> TraceLine:
    return {
        "cash": table.state.cash[company],
        "trains": sorted(_face(table, train) for train in table.state.trains.get(company, ())),
        "stations": sorted(hex_of(city) for city in table.state.board.stations_of(company)),
    }


def _face(table: MagTable, train: Train) -> str:
    """With the town that it may visit in this turn, as the site writes it."""
    towns = table.extra_towns(train.card)
    return f"{train.face}+{towns}" if towns else train.face


def _major(table: MagTable, major: str) -> TraceLine:
    who = director(table, major)
    return {
        **_company(table, major),
        "director": None if who is None else table.name(who),
        "price": chart.price(table, major),
    }


def _minor(table: MagTable, minor: str) -> TraceLine:
    return {**_company(table, minor), "director": table.name(table.state.owners[minor])}


def legal_line(game: Game, lingering: bool) -> TraceLine | None:
    """In a minor's turn: what it could lay, money aside, and where it could put a station."""
    table, question = mag_table(game), game.question
    if lingering and question is not None and question.company is not None:
        return {"company": question.company, "sina": promoted_by_sina(table, question.company)}
    match question.task if question is not None else None:
        case LayTrack(company=minor, promoted=promoted):
            usual = (lay for lay in lays(table, minor) if not (promoted and is_promotion(table, lay[0])))
            line = {"company": minor, "lays": by_hex(table.title.tile_set, usual)}
            return line | ({"sina": promoted_by_sina(table, minor)} if waits_for_sina(table, minor) else {})
        case EstablishStation(company=minor) if table.state.markers[minor]:
            price = next_price(table, minor)
            hexes = {hex_of(city) for city in station_cities(table, minor)}
            return {"company": minor, "stations": [[hex_id, price] for hex_id in sorted(hexes)]}
        case PlaceMarker(company=major) if question is not None:
            price = next_price(table, major)
            cities = [option.action.city for option in question if isinstance(option.action, PlaceStation)]
            return {"company": major, "stations": [[hex_id, price] for hex_id in sorted(set(map(hex_of, cities)))]}
    return None


def promoted_by_sina(table: MagTable, minor: str) -> TraceLine:
    """What Sina could promote, money aside."""
    colours, sina, tiles = supporters_file().sina.colours, PromoteWithSina(), at_hand(table)
    return by_hex(
        table.title.tile_set,
        (
            (site.hex, tile, rotation)
            for site in sites(table, minor)
            if is_promotion(table, site.hex) and colour_to_come(table, site.hex) in colours
            for tile, rotation in carrying_on(site.fits, sina.sides_to_meet(table, site.sides), tiles)
        ),
    )
