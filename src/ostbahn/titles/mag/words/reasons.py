"""What somebody may have meant in 18Mag who asks why a hex or a company cannot be chosen."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Action
from ostbahn.kernel.map.board import Hex, city_id
from ostbahn.kernel.money import share_unit
from ostbahn.kernel.questions import Question
from ostbahn.text.formatting import simple
from ostbahn.titles.mag import actions as mag
from ostbahn.titles.mag.cars import CARS, service
from ostbahn.titles.mag.state import (
    Draft,
    EstablishStation,
    LayTrack,
    MagTable,
    OperateTrains,
    PlaceMarker,
    PurchaseTrains,
    StockRound,
)
from ostbahn.titles.mag.track import cities_to_choose


def tries(table: MagTable, question: Question, what: str) -> Iterator[Action]:
    """A hex may be written in small letters; but a11 of two players is another one than A11 of the base game."""
    hexes, task = table.title.map.hexes, question.task
    hex_ = hexes.get(what) or hexes.get(what.upper())
    if hex_ is not None and isinstance(task, LayTrack):
        yield from _lays(table, task, hex_)
    elif hex_ is not None and isinstance(task, EstablishStation | PlaceMarker):
        for node in range(len(table.state.board.face(table.title.tile_set, hex_).nodes) or 1):
            yield mag.PlaceStation(city_id(hex_.id, node))
    elif isinstance(task, Draft | StockRound):
        yield from _papers(table, task, what)
    elif isinstance(task, PurchaseTrains):
        if (face := what.partition("-")[0]) in table.title.stacks:
            yield mag.BuyTrain(face)
    elif isinstance(task, OperateTrains):
        yield from _cars(table, what)


def _lays(table: MagTable, task: LayTrack, hex_: Hex) -> Iterator[Action]:
    """Each tile paid for with money, or by a token where only that is allowed."""
    fitting = table.title.fitting(hex_, table.state.board.tiles.get(hex_.id))
    tiles = table.title.tile_set
    lays = [(tile, turn) for tile, rotations in fitting.items() for turn in tiles.distinct(tile, rotations)]
    for tile, rotation in lays or [("9", 0)]:
        for other in cities_to_choose(table, task.company, hex_.id, tile):
            yield mag.LayTile(hex_.id, tile, rotation, track_for=other)


def _papers(table: MagTable, task: Draft | StockRound, what: str) -> Iterator[Action]:
    major = next((name for name in table.title.companies if simple(name) == simple(what)), None)
    if isinstance(task, StockRound):
        if major is not None:
            yield mag.BuyShare(major)
            yield mag.SellShares(major, share_unit(table, major))
    elif major is not None:
        yield mag.DraftShare(major)
    elif what in table.title.minors:
        yield mag.DraftMinor(what)
    for supporter, spec in table.title.supporters.items() if isinstance(task, Draft) else ():
        if simple(what) in (simple(supporter), simple(spec.short)):
            yield mag.DraftSupporter(supporter)


def _cars(table: MagTable, what: str) -> Iterator[Action]:
    """A rail car by its name or by the major that sells it."""
    for car in CARS:
        seller = service(table, car)
        if simple(what) in (car.replace("_", "-"), simple(seller.major if seller else "")):
            yield mag.BuyCar(car)
