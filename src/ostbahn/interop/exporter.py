"""Exporting a game in the form of 18xx.games, in any title: the inverse of `importing`. Answers that the site does not
ask for, as there is nothing to decide, are left out; the others are told in its words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Generic, TypeVar, cast

from ostbahn.interop.importer import SiteEntry
from ostbahn.kernel.actions import Action
from ostbahn.kernel.chance import SITE_SEEDS, Chance
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.map.tiles import Tile
from ostbahn.kernel.money import BANK, ordinary_certificates
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import RngState
from ostbahn.kernel.table import Table

MAX_SEEDS: Final = 400_000
"""That are tried; ten start prices, two of each, can be dealt to seven companies in 25,200 ways."""
FIRST_TIMESTAMP: Final = 1_700_000_000
"""A save knows no times, but the site wants one with every action: they follow each other by a second."""


T = TypeVar("T", bound=Table)


class ExportedAnswer(Generic[T]):
    """An answer with the game before and after it."""

    def __init__(self, game: Game, number: int) -> None:
        self.number = number + 1
        """Which answer of the game it is, counted from 1 as people do."""
        self.before, self.after = game.at(number), game.at(number + 1)
        self.action: Action = game.records[number].action

    @property
    def question(self) -> Question:
        question = self.before.question
        assert question is not None
        return question

    @cached_property
    def table(self) -> T:
        return cast(T, self.before.table)

    @cached_property
    def later(self) -> T:
        return cast(T, self.after.table)

    @property
    def who(self) -> str:
        """Who was asked: a company or a seat."""
        return self.question.company or self.question.decider


class PlayerOrder:
    """The players as the file lists them: in playing order, which the site does not draw."""

    def __init__(self, setup: Setup) -> None:
        names = {f"p{seat}": name for seat, name in enumerate(setup.players, start=1)}
        self.chance = Chance.of(setup)
        """From which the order has been drawn."""
        drawn = self.chance.shuffled(list(names)) if setup.draw_order else tuple(names)
        self.names = [names[seat] for seat in drawn]
        self.ids = {seat: number for number, seat in enumerate(drawn)}


class TileCopies:
    """Which copy of a tile lies where, as the site tells them apart: `8-5` is the sixth tile 8. The first free one is
    laid, and one that is taken up goes to the end. Of a double-sided tile one side can be laid; both have one number.
    """

    def __init__(self, tiles: Mapping[str, Tile]) -> None:
        self.tiles = tiles
        self.free = [(name, number) for name, tile in tiles.items() for number in range(tile.count)]
        self.laid: dict[str, tuple[str, int]] = {}

    def lay(self, hex_id: str, tile: str) -> str:
        """Lay the next copy, and say which it is."""
        copy = next(free for free in self.free if free[0] == tile)
        gone, back_again = self._sides(copy), self._sides(self.laid.get(hex_id))
        self.free = [free for free in self.free if free not in gone] + back_again
        self.laid[hex_id] = copy
        return f"{copy[0]}-{copy[1]}"

    def _sides(self, copy: tuple[str, int] | None) -> list[tuple[str, int]]:
        if copy is None:
            return []
        back = self.tiles[copy[0]].back
        return [copy] if back is None else [copy, (back, copy[1])]


class Exporter(ABC, Generic[T]):
    """Goes through a game and writes down what the site would have."""

    end_reason: str
    """Why the game is over, in the site's word."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = cast(T, game.table)
        self.copies = TileCopies(self.table.title.tiles)
        self.order = PlayerOrder(game.setup)
        self.entries: list[SiteEntry] = []
        self.lingering: str | None = None
        """A company that has laid its tiles, and that the site keeps in the track step."""

    # What a title knows

    @abstractmethod
    def write_answer(self, answer: ExportedAnswer[T]) -> None:
        """Write down what an answer is for the site, if it is anything."""

    @abstractmethod
    def company(self, ours: str) -> str:
        """How the site calls a company."""

    @abstractmethod
    def standings(self) -> Mapping[str, int]:
        """What everybody is worth, by seat."""

    @abstractmethod
    def draw_as_site(self, chance: Chance) -> None:
        """Draw all that the site draws in a game."""

    def entity_type_of(self, company: str) -> str:
        return "corporation"

    def hex(self, ours: str) -> str:
        return ours

    def printed_copy(self, hex_id: str) -> int:
        """The number that the site gives a hex without a tile."""
        return 0

    # What all do

    @property
    def seed(self) -> int:
        """What the site's chance starts from. Where the game's own seed is not one of the site, any with its draws."""
        began, now = self.order.chance.state, getattr(self.game.state, "chance", None)
        if not isinstance(began, RngState) or not isinstance(now, RngState):
            return self.order.chance.value
        made = now.draws[began.used : now.used]
        seed, others = began.value, Chance(began)
        for _ in range(MAX_SEEDS):
            if seed < SITE_SEEDS and self.first_draws(seed, len(made)) == made:
                return seed
            seed = others.draw() % SITE_SEEDS
        raise BadSetup("no seed of 18xx.games was found that leads to the draws made in this game")

    def first_draws(self, seed: int, number: int) -> tuple[int, ...]:
        """The first draws of the site from a seed, so many of them."""
        chance = Chance(RngState(seed))
        self.draw_as_site(chance)
        state = chance.state
        assert isinstance(state, RngState)
        return state.draws[:number]

    def run(self) -> list[SiteEntry]:
        for number in range(len(self.game)):
            self.write_answer(ExportedAnswer(self.game, number))
        return self.entries

    def add(self, type_: str, who: str, **fields: Any) -> None:
        """Write an action of a seat or a company down."""
        if who in self.order.ids:
            self.write(type_, self.order.ids[who], "player", fields)
        else:
            self.write(type_, self.company(who), self.entity_type_of(who), fields)

    def write(self, type_: str, entity: str | int, entity_type: str, fields: Mapping[str, Any]) -> None:
        number = len(self.entries) + 1
        actor = {"entity": entity, "entity_type": entity_type}
        self.entries.append({"type": type_, **actor, "id": number, "created_at": FIRST_TIMESTAMP + number, **fields})

    def tile(self, hex_id: str, tile: str, rotation: int) -> SiteEntry:
        return {"hex": self.hex(hex_id), "tile": self.copies.lay(hex_id, tile), "rotation": rotation}

    def city(self, ours: str) -> str:
        """`621-0-1` is the second city of the first copy of tile 621; `B9-0-0` one printed on a hex."""
        hex_id, _, node = ours.partition(".")
        name, number = self.copies.laid.get(hex_id) or (self.hex(hex_id), self.printed_copy(hex_id))
        return f"{name}-{number}-{node or 0}"

    def slot(self, answer: ExportedAnswer[T], city: str) -> int:
        return len(answer.before.state.board.stations.get(city, ()))

    def bought(self, answer: ExportedAnswer[T], company: str) -> list[str]:
        """The share that somebody buys: `ABC_3` is the certificate 3 of ABC."""
        return [f"{self.company(company)}_{ordinary_certificates(answer.table, BANK, company)[0]}"]

    def sold(self, answer: ExportedAnswer[T], company: str) -> list[str]:
        """The shares that the bank got."""
        held = [game.state.certificates[company] for game in (answer.before, answer.after)]
        numbers = [number for number, (old, new) in enumerate(zip(*held, strict=True)) if old != BANK == new]
        return [f"{self.company(company)}_{number}" for number in numbers]

    def add_run(self, company: str, routes: list[SiteEntry], claim: int | None) -> None:
        extra = 0 if claim is None else claim - sum(route["revenue"] for route in routes)
        self.add("run_routes", company, routes=routes, extra_revenue=extra, subsidy=0)

    def route(self, train: str, path: Sequence[str], revenue: int) -> SiteEntry:
        """A train's way over the board, and what it earned there."""
        stops = [place.partition(".") for place in path if "." in place]
        hexes = [self.hex(hex_id) for hex_id, _, _ in stops]
        return {
            "train": train,
            "connections": [[self.hex(hex_id) for hex_id in chain] for chain in chains_of(path)],
            "hexes": hexes,
            "revenue": revenue,
            "revenue_str": "-".join(hexes),
            "nodes": [f"{self.hex(hex_id)}-{node}" for hex_id, _, node in stops],
        }


def chains_of(path: Iterable[str]) -> list[list[str]]:
    """A way over the board as chains of hexes, each from one revenue location to the next."""
    first, *places = path
    chains: list[list[str]] = []
    chain = [hex_of(first)]
    for place in places:
        chain.append(hex_of(place))
        if "." in place:
            chains.append(chain)
            chain = [hex_of(place)]
    return chains
