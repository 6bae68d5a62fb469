"""The title 18Mag: reads and checks its data files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ostbahn.eighteen.title import BaseTitle, BoardFile, TilesFile
from ostbahn.eighteen.title import PlayersSpec as BasePlayersSpec
from ostbahn.kernel.native import Lookup
from ostbahn.kernel.state import FaceSpec
from ostbahn.kits.data import RulingsFile, Spec, check_known, errors_in_data, read_data
from ostbahn.titles.mag.actions import Car

T = TypeVar("T")
Ratio = tuple[int, int]
"""Numerator and denominator."""


class HomeSpec(Spec, frozen=True):
    hex: str
    node: int


class MinorData(Spec, frozen=True):
    name: str
    short: str
    terrain_tokens: int
    homes: Lookup[str, HomeSpec]
    """Home by variant; a minor without one is not in the variant."""


class Major(Spec, frozen=True):
    """A major company: it sells services to minors, and players own its shares."""

    name: str
    colour: str
    colour_name: str
    certificates: tuple[int, ...] = ()
    """Percentages of the certificates; empty for the default of all majors."""


class MinorDefaults(Spec, frozen=True):
    cash: int
    trains: tuple[str, ...]
    train_limit: int
    stations: int
    station_prices: tuple[int, ...]
    owner_part: Ratio
    least_train_price: int


class MajorDefaults(Spec, frozen=True):
    certificates: tuple[int, ...]
    holding_limit: int
    markers: int
    marker_prices: tuple[int, ...]
    marker_bonus: int
    payout_step: int


class ServiceSpec(Spec, frozen=True):
    """A service that a major sells to minors, and the major's part of the price."""

    major: str
    price: int = 0
    price_per_symbol: int = 0
    part: Ratio = (1, 1)


class CompaniesFile(Spec, frozen=True):
    minor: MinorDefaults
    major: MajorDefaults
    minors: Lookup[str, MinorData]
    majors: Lookup[str, Major]
    services: Lookup[str, ServiceSpec]
    rail_cars: Lookup[Car, ServiceSpec]
    one_rail_car: bool = False
    """Whether a minor may buy only one rail car in a turn."""

    def __post_init__(self) -> None:
        for name, service in self.services.items():
            check_known(f"services.{name}.major", [service.major], self.majors)


class StackSpec(Spec, frozen=True):
    """An endless stack of trains."""

    train: str
    plus: str
    price: int
    seller: str
    part: Ratio
    indicator: bool
    """Whether it starts with a round indicator tile, so that its first train begins a phase."""


class PhaseSpec(Spec, frozen=True):
    operating_rounds: int
    rail_cars: tuple[int, ...]
    """Prices of the first, second and third car in a turn."""
    off_board_bonus: int
    red_to_red: int = 0
    """Bonus for a train from one red area to another."""
    final: bool = False


class TrainsFile(Spec, frozen=True):
    faces: Lookup[str, FaceSpec]
    stacks: tuple[StackSpec, ...]
    phases: Lookup[str, PhaseSpec]
    no_train_tokens: int


class MagPlayersSpec(BasePlayersSpec, frozen=True):
    minors: int
    shares: int
    package_shares: int
    supporters: int = 0

    @property
    def picks(self) -> int:
        """Number of picks of a player in the first Share Round."""
        return self.minors + self.shares + self.supporters


DraftOrder = Literal["rotating", "snake"]


class ChartSpec(Spec, frozen=True):
    prices: tuple[int, ...]
    start_cards: tuple[int, ...]
    sale: int
    sold_out: int


class PayoutSpec(Spec, frozen=True):
    spaces: int
    up_to: int | None = None


class SupporterSpec(Spec, frozen=True):
    """A card that helps its owner's minors."""

    name: str
    short: str
    """Name within a sentence."""
    about: str


class MagGameFile(Spec, frozen=True):
    currency: str
    board: str
    minors: tuple[str, ...]
    majors: tuple[str, ...]
    players: Lookup[int, MagPlayersSpec]
    draft_order: DraftOrder
    lays_in_turn: int
    chart: ChartSpec
    payouts: tuple[PayoutSpec, ...]
    supporters: Mapping[str, SupporterSpec] = {}


class Minor(Struct, frozen=True):
    """A minor company: it builds and runs, and belongs to one player."""

    name: str
    short: str
    home: HomeSpec
    terrain_tokens: int


class TitleData(NamedTuple):
    """All data of a title. A variant replaces some of the base game's."""

    companies: CompaniesFile
    trains: TrainsFile
    game: MagGameFile
    board: BoardFile
    tiles: TilesFile


def load_data(file: str, kind: type[T]) -> T:
    return read_data("18Mag", __package__, file, kind)


def base_data() -> TitleData:
    game = load_data("game.toml", MagGameFile)
    tables = TitleData(
        load_data("companies.toml", CompaniesFile),
        load_data("trains.toml", TrainsFile),
        game,
        load_data(game.board, BoardFile),
        load_data("tiles.toml", TilesFile),
    )
    with errors_in_data("18Mag", "game.toml"):
        check_known("majors", game.majors, tables.companies.majors)
        check_known("minors", game.minors, tables.companies.minors)
    with errors_in_data("18Mag", "companies.toml"):
        for id_ in game.minors:
            homes = tables.companies.minors[id_].homes
            check_known(f"minors.{id_}.homes", ["base"], homes)
            check_known(f"minors.{id_}.homes.base.hex", [homes["base"].hex], tables.board.hexes)
    return tables


class MagTitle(BaseTitle):
    """18Mag in one variant. The highest colour of tiles names a phase (VI.3.3/2)."""

    name = "18Mag"
    package = __package__ or ""
    currency = "Ft"
    cars_rule = "III.3.3/5"
    """Rule that lists the rail cars."""
    stacks_rule = "VI.3.8/2"
    """Rule that lists the trains."""
    players_rule = "I/1"
    """Rule on the number of players."""

    def __init__(self, tables: TitleData, variant: str = "base", modules: tuple[str, ...] = ()) -> None:
        companies, trains, game = tables.companies, tables.trains, tables.game
        rulings = load_data("rulings.toml", RulingsFile).ruling
        super().__init__(tables.board, tables.tiles.tiles, rulings, variant, modules)
        self.minor, self.major = companies.minor, companies.major
        self.companies = {
            id_: replace(major, certificates=major.certificates or companies.major.certificates)
            for id_ in game.majors
            for major in (companies.majors[id_],)
        }
        """The majors, in the order of dealing start prices."""
        homes = "base" if variant == "base" else "two_player"  # the solo game is played on the board of two players
        self.minors = {
            id_: Minor(data.name, data.short, data.homes[homes], data.terrain_tokens)
            for id_ in game.minors
            for data in (companies.minors[id_],)
        }
        self.charters = (*self.companies, *self.minors)
        self.services = companies.services
        self.rail_cars, self.one_rail_car = companies.rail_cars, companies.one_rail_car
        self.train_faces = trains.faces
        self.stacks = {stack.train: stack for stack in trains.stacks}
        self.phases = trains.phases
        self.no_train_tokens = trains.no_train_tokens
        self.players = game.players
        self.draft_order = game.draft_order
        self.chart = game.chart
        self.prices = game.chart.prices
        self.payouts = game.payouts
        self.supporters = game.supporters
        """Supporters by their letters; empty in the base game."""
        self.lays_in_turn = game.lays_in_turn


class TwoPlayerTitle(MagTitle):
    """Rules on trains and rail cars for two players and the solo game (X/4, X/5)."""

    cars_rule = "X/4"
    stacks_rule = "X/5"
    players_rule = "X/1"


@cache
def mag_title() -> MagTitle:
    """The title of the base game."""
    return MagTitle(base_data())
