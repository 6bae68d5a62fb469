"""The title description of 18CZ, read from its data files and checked."""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Final, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from ostbahn.eighteen.title import BaseTitle, BoardFile, PlayersSpec, TilesFile
from ostbahn.kernel.map.tiles import COLOURS
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.state import CardSpec, FaceSpec, Stack
from ostbahn.kits.data import RulingsFile, Spec, check_known, errors_in_data, read_data

SIZES: Final = ("small", "medium", "large")
RANKS: Final = {size: rank for rank, size in enumerate(SIZES)}
"""Rank of each size, the smallest 0."""
T = TypeVar("T")


class Cites(Spec, frozen=True):
    """Rule numbers cited when a restriction of a size refuses an action."""

    opens: str
    holding_limit: str
    start_prices: str


class SizeSpec(Spec, frozen=True):
    certificates: tuple[int, ...]
    holding_limit: int
    markers: int
    start_prices: tuple[int, ...]
    capital: int
    opens_in_phase: str
    price_steps: int
    cites: Cites


class CompanyData(Spec, frozen=True):
    name: str
    size: str
    homes: tuple[str, ...]
    colour: str
    home_node: int | None = None


class CompaniesFile(Spec, frozen=True):
    sizes: Lookup[str, SizeSpec]
    companies: Lookup[str, CompanyData]

    def __post_init__(self) -> None:
        for id_, company in self.companies.items():
            check_known(f"companies.{id_}.size", [company.size], self.sizes)


class PhaseSpec(Spec, frozen=True):
    colour: str
    train_limit: Lookup[str, int]


class TrainsFile(Spec, frozen=True):
    faces: Lookup[str, FaceSpec]
    cards: tuple[CardSpec, ...]
    phases: Lookup[str, PhaseSpec]

    def __post_init__(self) -> None:
        for card in self.cards:
            check_known(f"cards {card.letter}: faces", card.faces, self.faces)
        for name, phase in self.phases.items():
            check_known(f"phases.{name}.colour", [phase.colour], COLOURS)


class ChartSpec(Spec, frozen=True):
    prices: tuple[int, ...]


class StationsSpec(Spec, frozen=True):
    first: int
    further: int


class RedTilesSpec(Spec, frozen=True):
    home_bonus: int
    bonus_everywhere: bool = False


class OpeningSpec(Spec, frozen=True):
    local_railways: str


class LocalsSpec(Spec, frozen=True):
    letter: str
    income: int
    waives: tuple[str, ...]
    purple: tuple[str, ...]
    prices: tuple[int, ...]
    names: tuple[str, ...]

    def local(self, id_: str, name: str, size: str, price: int) -> Local:
        """Return a Local Railway of this size."""
        return Local(id_, name, size, price, self.income, self.waives, self.purple)


class GameFile(Spec, frozen=True):
    players: Lookup[int, PlayersSpec]
    chart: ChartSpec
    boxes: tuple[str | int, ...]
    opening: OpeningSpec
    stations: StationsSpec
    red_tiles: RedTilesSpec
    local_railways: Lookup[str, LocalsSpec]


class Company(CompanyData, frozen=True, kw_only=True):
    """A share company with the properties of its size."""

    id: str
    certificates: tuple[int, ...]
    spec: SizeSpec


class Local(Struct, frozen=True):
    id: str
    name: str
    size: str
    price: int
    """Price on the pre-stock sheet."""
    income: int = 0
    waives: tuple[str, ...] = ()
    purple: tuple[str, ...] = ()
    priced: bool = True
    """Whether it counts at the current price of Local Railways; one paper of Moravia-Silesia does not."""


def load_data(file: str, kind: type[T]) -> T:
    return read_data("18CZ", __package__, file, kind)


class Tables(NamedTuple):
    """The data files of a game; variants replace some of the base game's."""

    companies: CompaniesFile
    trains: TrainsFile
    game: GameFile
    board: BoardFile
    tiles: TilesFile


def base_data() -> Tables:
    tables = Tables(
        load_data("companies.toml", CompaniesFile),
        load_data("trains.toml", TrainsFile),
        load_data("game.toml", GameFile),
        load_data("board.toml", BoardFile),
        load_data("tiles.toml", TilesFile),
    )
    with errors_in_data("18CZ", "companies.toml"):
        for id_, company in tables.companies.companies.items():
            check_known(f"companies.{id_}.homes", company.homes, tables.board.hexes)
        for name, size in tables.companies.sizes.items():
            check_known(f"sizes.{name}.opens_in_phase", [size.opens_in_phase], tables.trains.phases)
    with errors_in_data("18CZ", "game.toml"):
        check_known("opening.local_railways", [tables.game.opening.local_railways], tables.trains.phases)
    return tables


class CzTitle(BaseTitle):
    name = "18CZ"
    package = __package__ or ""
    currency = "K"
    opening = "Pre-stock round"
    """Name of the round before the first box of the process track."""
    between_sets = ("export", "a train")
    """Two short lines for a box between two sets of Operating Rounds."""
    players_rule = "I/1"
    """Rule on the number of players."""
    companies_rule = "IV.2.a/7"
    """Rule that lists the companies."""
    locals_rule = "IV.1/7"
    """Rule on when companies may buy from players."""
    colour_rules: ClassVar[Lookup[str, str]] = {"green": "VIII.5/2", "brown": "VIII.5/3", "grey": "VIII.5/4"}
    """Rules on when the tile colours open."""
    trains_rules: ClassVar[Lookup[str, str]] = {"small": "IV.2.b/2", "medium": "IV.2.c/2", "large": "IV.2.d/2"}
    """Rules on the trains that a company of each size runs."""

    def __init__(self, tables: Tables, variant: str = "base") -> None:
        companies, trains, game = tables.companies, tables.trains, tables.game
        super().__init__(tables.board, tables.tiles.tiles, load_data("rulings.toml", RulingsFile).ruling, variant)
        self.purple_tiles = self.by_colour(name for name, tile in self.tiles.items() if tile.purple)
        self.sizes = companies.sizes
        self.companies = {
            id_: Company(id=id_, certificates=size.certificates, spec=size, **asdict(data))
            for id_, data in companies.companies.items()
            for size in (companies.sizes[data.size],)
        }
        self.size_of = {company.id: company.size for company in self.companies.values()}
        self.charters = tuple(self.companies)
        self.train_faces = trains.faces
        self.stack = Stack(trains.cards)
        self.phases = trains.phases
        self.players = game.players
        self.prices = game.chart.prices
        self.boxes = game.boxes
        self.locals_open_in_phase = game.opening.local_railways
        self.station_prices = game.stations
        self.home_bonus = game.red_tiles.home_bonus
        self.bonus_everywhere = game.red_tiles.bonus_everywhere
        """Whether every red tile pays the bonus to trains that collect it, instead of the home only."""
        self.locals = {
            f"{column.letter}{row}": column.local(f"{column.letter}{row}", name, size, price)
            for size, column in game.local_railways.items()
            for row, (price, name) in enumerate(zip(column.prices, column.names, strict=True), start=1)
        }
        self.home_tiles = {tile.company: name for name, tile in self.tiles.items() if tile.company}
        self.homes_on: dict[str, tuple[str, ...]] = {}
        """Hex to the companies at home there, except on red homes of large companies."""
        for company in self.companies.values():
            if company.id not in self.home_tiles:
                home = company.homes[0]
                self.homes_on[home] = (*self.homes_on.get(home, ()), company.id)

    def highest_colour(self, phase: str) -> str:
        return self.phases[phase].colour


@cache
def cz_title() -> CzTitle:
    """Return the immutable description of the base game, read once."""
    return CzTitle(base_data())
