"""The base of a title: its data files, and what follows from map and tiles.

A title of share companies, a stack of trains and rounds in a fixed order can use `PlainTitle`, `PlainTable`,
`PlainTextRenderer`, `PlainBoardStyle`, `PlainViews` and `BaseTerminalRenderer`, and subclass them for special rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol, TypeVar

from ostbahn.kernel.map.board import Fits, Hex, Map, PrintedHex, TileFitter, city_id
from ostbahn.kernel.map.hexes import ROWS
from ostbahn.kernel.map.tiles import COLOURS, Tile, TileSet
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.routes.reach import Surveyor
from ostbahn.kernel.title import Title
from ostbahn.kits.data import (
    Reading,
    ReadingsFile,
    Rule,
    RulesFile,
    Ruling,
    Spec,
    check_hexes,
    check_known,
    check_tiles,
    read_data,
    rulings_in,
)

T = TypeVar("T")


class BoardFile(Spec, frozen=True):
    hexes: Lookup[str, PrintedHex]
    rows: str = ROWS
    """The letters of the rows, from top to bottom."""

    def __post_init__(self) -> None:
        check_hexes(self.hexes, self.rows)


class TilesFile(Spec, frozen=True):
    tiles: Lookup[str, Tile]

    def __post_init__(self) -> None:
        check_tiles(self.tiles)


class PlayersSpec(Spec, frozen=True):
    cash: int
    certificate_limit: int


class ShareTitle(Title, Protocol):
    """What the shared tables and rules need of a title."""

    @property
    def players(self) -> Mapping[int, PlayersSpec]:
        """Cash and limits by number of players."""

    @property
    def fits(self) -> TileFitter: ...
    @property
    def tiles_by_colour(self) -> Lookup[str, tuple[tuple[str, str], ...]]:
        """For each colour its tiles, each with the name under which the supply counts it."""

    def open_colours(self, phase: str) -> tuple[str, ...]: ...
    def is_colour_open(self, colour: str, phase: str) -> bool: ...


class BaseTitle:
    """A title in one variant. Immutable; cached properties depend on nothing else."""

    name: str
    package: str
    """The package whose folder `data` has its files."""

    def __init__(
        self,
        board: BoardFile,
        tiles: Lookup[str, Tile],
        rulings: tuple[Ruling, ...] = (),
        variant: str = "base",
        modules: tuple[str, ...] = (),
    ) -> None:
        self.variant, self.modules = variant, modules
        self.map = Map(board.hexes, board.rows)
        self.tiles = tiles
        self.tile_set = TileSet(tiles)
        self.surveyor = Surveyor(self.map, self.tile_set)
        self.fits = TileFitter(self.tile_set)
        self._pieces = {name: name if tile.back is None else min(name, tile.back) for name, tile in tiles.items()}
        self.tiles_by_colour = self.by_colour(tile for tile in tiles if not tiles[tile].purple)
        self.all_rulings = rulings
        """The rulings of all variants."""
        self.rulings = {ruling.id: ruling for ruling in rulings_in(rulings, variant, modules)}

    def by_colour(self, tiles: Iterable[str]) -> dict[str, tuple[tuple[str, str], ...]]:
        ordered = tuple(tiles)
        return {
            colour: tuple((name, self._pieces[name]) for name in ordered if self.tiles[name].colour == colour)
            for colour in COLOURS
        }

    def _read(self, file: str, kind: type[T]) -> T:
        return read_data(self.name, self.package, file, kind)

    @cached_property
    def rules(self) -> Lookup[str, Rule]:
        """The rules in our words. Loaded on first use, like the readings, since no game needs them."""
        return {rule.id: rule for rule in self._read("rules.toml", RulesFile).rule}

    @cached_property
    def readings(self) -> Lookup[str, Reading]:
        return {reading.id: reading for reading in self._read("readings.toml", ReadingsFile).reading}

    def piece(self, tile: str) -> str:
        """The name under which the supply counts a tile: both sides of a double-sided one are one piece."""
        return self._pieces[tile]

    def highest_colour(self, phase: str) -> str:
        """The highest colour of tiles that may be laid in a phase."""
        return phase

    def open_colours(self, phase: str) -> tuple[str, ...]:
        """The colours of tiles that may be laid in a phase; red ones are laid by other rules."""
        return COLOURS[: COLOURS.index(self.highest_colour(phase)) + 1]

    def is_colour_open(self, colour: str, phase: str) -> bool:
        return colour in self.open_colours(phase)

    def fitting(self, hex_: Hex, laid: tuple[str, int] | None) -> Fits:
        """Tiles and rotations that fit a hex, regardless of company and supply."""
        return self.fits.of(hex_, laid)


# Plain titles


class Company(Spec, frozen=True):
    name: str
    colour: str
    """`#rrggbb`."""
    home: str
    """The city of its first station: `A5.0`."""
    certificates: tuple[int, ...]
    """Percentages, the Director's first."""


class TrainSpec(Spec, frozen=True):
    price: int
    stops: int
    """The number of cities and towns that count."""
    count: int | None = None
    """None: unlimited."""
    begins: str | None = None
    """The phase that begins with the first sale."""


class Phase(Spec, frozen=True):
    colour: str
    """The highest colour of tiles that may be laid."""
    train_limit: int


class GameFile(Spec, frozen=True):
    currency: str
    rounds: tuple[str, ...]
    """All rounds of the game in order: `SR 1` is a Stock Round, `OR 1.1` an Operating Round."""
    prices: tuple[int, ...]
    """Share prices, lowest first."""
    start_prices: tuple[int, ...]
    """Prices at which companies can start."""
    players: Mapping[int, PlayersSpec]
    companies: Mapping[str, Company]
    trains: Mapping[str, TrainSpec]
    """Trains by face, in order of sale."""
    phases: Mapping[str, Phase]
    tiles: Lookup[str, Tile]
    hexes: Lookup[str, PrintedHex]

    def __post_init__(self) -> None:
        check_tiles(self.tiles)
        check_hexes(self.hexes)
        cities = [city_id(id_, node) for id_, hex_ in self.hexes.items() for node in range(len(hex_.nodes))]
        for id_, company in self.companies.items():
            check_known(f"companies.{id_}.home", [company.home], cities)
            if sum(company.certificates) != 100:
                raise ValueError(f"companies.{id_}.certificates: they are {sum(company.certificates)} %, not 100 %")
        for name, train in self.trains.items():
            check_known(f"trains.{name}.begins", [train.begins] if train.begins else (), self.phases)
        for name, phase in self.phases.items():
            check_known(f"phases.{name}.colour", [phase.colour], COLOURS)
        check_known("start_prices", self.start_prices, self.prices)
        for code in self.rounds:
            check_known(f"rounds: {code}", [code.partition(" ")[0]], ("SR", "OR"))
        for field in ("rounds", "players", "companies", "trains", "phases"):
            if not getattr(self, field):
                raise ValueError(f"{field}: there are none")


class PlainTitle(BaseTitle):
    """A title described by `data/game.toml` and `data/rules.toml` of a package."""

    def __init__(self, name: str, package: str) -> None:
        self.name, self.package = name, package
        self.game = game = self._read("game.toml", GameFile)
        self._read("rules.toml", RulesFile)  # so that errors in it appear at once
        super().__init__(BoardFile(game.hexes), game.tiles)
        self.currency, self.prices, self.companies = game.currency, game.prices, game.companies
        self.trains, self.phases, self.players = game.trains, game.phases, game.players
        self.charters = tuple(game.companies)

    @cached_property
    def readings(self) -> Lookup[str, Reading]:
        return {}

    def highest_colour(self, phase: str) -> str:
        return self.phases[phase].colour
