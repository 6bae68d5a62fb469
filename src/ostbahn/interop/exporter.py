"""Export to the format of 18xx.games, the inverse of `importer`; answers that the site skips are left out."""

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
"""How many seeds to try; ten start prices, two of each, can be dealt to seven companies in 25,200 ways."""
FIRST_TIMESTAMP: Final = 1_700_000_000
"""Saves have no timestamps, the site wants one per action: they are one second apart from here."""


T = TypeVar("T", bound=Table)


class ExportedAnswer(Generic[T]):
    """An answer with the game before and after it."""

    def __init__(self, game: Game, number: int) -> None:
        self.number = number + 1
        """Number of the answer, from 1."""
        self.before, self.after = game.position(number), game.position(number + 1)
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
        """The company or seat that decided."""
        return self.question.company or self.question.decider


class PlayerOrder:
    """Players in playing order, as the file lists them; the site does not draw the order."""

    def __init__(self, setup: Setup) -> None:
        names = {f"p{seat}": name for seat, name in enumerate(setup.players, start=1)}
        self.chance = Chance.of(setup)
        """The generator after drawing the order."""
        drawn = self.chance.shuffled(list(names)) if setup.draw_order else tuple(names)
        self.names = [names[seat] for seat in drawn]
        self.ids = {seat: number for number, seat in enumerate(drawn)}


class TileCopies:
    """The copies of tiles as the site numbers them (`8-5` is the sixth tile 8): the first free copy is laid,
    returned ones go to the end of the queue, and both sides of a double-sided tile share a number."""

    def __init__(self, tiles: Mapping[str, Tile]) -> None:
        self.tiles = tiles
        self.free = [(name, number) for name, tile in tiles.items() for number in range(tile.count)]
        self.laid: dict[str, tuple[str, int]] = {}

    def lay(self, hex_id: str, tile: str) -> str:
        """Lay the next free copy and return its id."""
        copy = next(free for free in self.free if free[0] == tile)
        taken, returned = self._sides(copy), self._sides(self.laid.get(hex_id))
        self.free = [free for free in self.free if free not in taken] + returned
        self.laid[hex_id] = copy
        return f"{copy[0]}-{copy[1]}"

    def _sides(self, copy: tuple[str, int] | None) -> list[tuple[str, int]]:
        if copy is None:
            return []
        back = self.tiles[copy[0]].back
        return [copy] if back is None else [copy, (back, copy[1])]


class Exporter(ABC, Generic[T]):
    """Translates a game, answer by answer, into entries of the site."""

    end_reason: str
    """The site's keyword for the end of the game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = cast(T, game.table)
        self.copies = TileCopies(self.table.title.tiles)
        self.order = PlayerOrder(game.setup)
        self.entries: list[SiteEntry] = []
        self.lingering: str | None = None
        """The company that the site keeps in the track step after its last tile."""

    # What a title knows

    @abstractmethod
    def write_answer(self, answer: ExportedAnswer[T]) -> None:
        """Append the entries that the site has for an answer, if any."""

    @abstractmethod
    def company(self, name: str) -> str:
        """The site's name of a company."""

    @abstractmethod
    def standings(self) -> Mapping[str, int]:
        """Final worth by seat."""

    @abstractmethod
    def draw_as_site(self, chance: Chance) -> None:
        """Repeat all draws of the site in a game."""

    def entity_type_of(self, company: str) -> str:
        return "corporation"

    def hex(self, name: str) -> str:
        return name

    def printed_copy(self, hex_id: str) -> int:
        """The site's number of a hex without a tile."""
        return 0

    # What all do

    @property
    def seed(self) -> int:
        """A seed of the site that leads to this game's draws: the game's own, or the first that is found."""
        start, now = self.order.chance.state, getattr(self.game.state, "chance", None)
        if not isinstance(start, RngState) or not isinstance(now, RngState):
            return self.order.chance.value
        draws_made = now.draws[start.used : now.used]
        seed, generator = start.value, Chance(start)
        for _ in range(MAX_SEEDS):
            if seed < SITE_SEEDS and self.first_draws(seed, len(draws_made)) == draws_made:
                return seed
            seed = generator.draw() % SITE_SEEDS
        raise BadSetup("no seed of 18xx.games was found that leads to the draws made in this game")

    def first_draws(self, seed: int, number: int) -> tuple[int, ...]:
        """The first draws that the site makes from a seed."""
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
        """Append an entry of a seat or company."""
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

    def city(self, name: str) -> str:
        """`621-0-1` is the second city of the first copy of tile 621; `B9-0-0` one printed on a hex."""
        hex_id, _, node = name.partition(".")
        name, number = self.copies.laid.get(hex_id) or (self.hex(hex_id), self.printed_copy(hex_id))
        return f"{name}-{number}-{node or 0}"

    def slot(self, answer: ExportedAnswer[T], city: str) -> int:
        return len(answer.before.state.board.stations.get(city, ()))

    def bought(self, answer: ExportedAnswer[T], company: str) -> list[str]:
        """The share bought: `ABC_3` is certificate 3 of ABC."""
        return [f"{self.company(company)}_{ordinary_certificates(answer.table, BANK, company)[0]}"]

    def sold(self, answer: ExportedAnswer[T], company: str) -> list[str]:
        held = [game.state.certificates[company] for game in (answer.before, answer.after)]
        numbers = [number for number, (old, new) in enumerate(zip(*held, strict=True)) if old != BANK == new]
        return [f"{self.company(company)}_{number}" for number in numbers]

    def add_run(self, company: str, routes: list[SiteEntry], claim: int | None) -> None:
        extra = 0 if claim is None else claim - sum(route["revenue"] for route in routes)
        self.add("run_routes", company, routes=routes, extra_revenue=extra, subsidy=0)

    def route(self, train: str, path: Sequence[str], revenue: int) -> SiteEntry:
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
    """A route as chains of hexes, each from one revenue location to the next."""
    first, *places = path
    chains: list[list[str]] = []
    chain = [hex_of(first)]
    for place in places:
        chain.append(hex_of(place))
        if "." in place:
            chains.append(chain)
            chain = [hex_of(place)]
    return chains
