"""A title without peculiarities: what its data files and its table hold, in forms that everything shared can show.

Whoever writes a title of share companies, a stack of trains and rounds in a fixed order can begin with these, and with
`PlainFace`, `PlainLook`, `PlainViews` and `PlainDisplay`, which need nothing else. Whatever is special is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Self

from ostbahn.kernel import chart
from ostbahn.kernel.chance import Chance
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import Board, Fits, Fitting, Hex, Map, PrintedHex, city_id
from ostbahn.kernel.map.tiles import COLOURS, Tile, TileSet
from ostbahn.kernel.money import BANK, holding, share_unit
from ostbahn.kernel.routes.reach import Surveyor
from ostbahn.kernel.state import State, Task
from ostbahn.kernel.table import Table
from ostbahn.kits.data import Reading, RulesFile, Ruling, Spec, check_hexes, check_known, check_tiles, read_data
from ostbahn.kits.kit import Entry, Kit, TitleRulebook


class Company(Spec, frozen=True):
    """A share company."""

    name: str
    colour: str
    """As #rrggbb."""
    home: str
    """The city in which its first station stands: `A5.0`."""
    certificates: tuple[int, ...]
    """Percentages, the Director's first."""


class TrainSpec(Spec, frozen=True):
    """Trains of one size."""

    price: int
    stops: int
    """How many cities or towns count."""
    count: int | None = None
    """None: as many as wanted."""
    begins: str | None = None
    """The phase that begins when the first is sold."""


class Phase(Spec, frozen=True):
    colour: str
    """The highest colour of tiles that may be laid."""
    train_limit: int
    """How many trains a company may have."""


class Players(Spec, frozen=True):
    """What depends on how many play."""

    cash: int
    certificate_limit: int


class GameFile(Spec, frozen=True):
    """What lies in the box."""

    currency: str
    rounds: tuple[str, ...]
    """All rounds of the game in their order: `SR 1` is a Stock Round, `OR 1.1` an Operating Round."""
    prices: tuple[int, ...]
    """Of shares, the lowest first."""
    start_prices: tuple[int, ...]
    """At which companies can start."""
    players: Mapping[int, Players]
    companies: Mapping[str, Company]
    trains: Mapping[str, TrainSpec]
    """By their names, in the order in which they are sold."""
    phases: Mapping[str, Phase]
    """By their names, in their order."""
    tiles: Mapping[str, Tile]
    hexes: Mapping[str, PrintedHex]

    def __post_init__(self) -> None:
        """What must fit together."""
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


class PlainTitle:
    """A title as its data files describe it. Immutable."""

    variant = "base"
    rulings: Mapping[str, Ruling] = {}
    all_rulings: tuple[Ruling, ...] = ()
    readings: Mapping[str, Reading] = {}

    def __init__(self, name: str, game: GameFile, rules: RulesFile) -> None:
        self.name = name
        self.game = game
        self.currency, self.prices, self.companies = game.currency, game.prices, game.companies
        self.trains, self.phases, self.tiles = game.trains, game.phases, game.tiles
        self.charters = tuple(game.companies)
        self.map = Map(game.hexes)
        self.tile_set = TileSet(game.tiles)
        self.surveyor = Surveyor(self.map, self.tile_set)
        self._fitting = Fitting(self.tile_set)
        self.rules = {rule.id: rule for rule in rules.rule}

    @classmethod
    def read(cls, name: str, package: str) -> Self:
        """From `data/game.toml` and `data/rules.toml` in a package."""
        rules = read_data(name, package, "rules.toml", RulesFile)
        return cls(name, read_data(name, package, "game.toml", GameFile), rules)

    def piece(self, tile: str) -> str:
        """Every tile is a piece of its own: none has another on its back."""
        return tile

    def fitting(self, hex_: Hex, laid: tuple[str, int] | None) -> Fits:
        return self._fitting.of(hex_, laid)


class PlainState(State, kw_only=True):
    round: str
    """The present round, by its letters and number."""
    priority: str
    """Who begins the next Stock Round."""
    sold: Mapping[str, int]
    """How many trains of each kind have left the bank."""


def opening(title: PlainTitle, setup: Setup, *agenda: Task) -> PlainState:
    """Everything in its place before the first action: money dealt, the playing order drawn."""
    number = len(setup.players)
    if number not in title.game.players:
        known = ", ".join(map(str, title.game.players))
        raise BadSetup(f"{title.name} is for so many players: {known}; not for {number}")
    seats = tuple(f"p{seat}" for seat in range(1, number + 1))
    order = Chance.of(setup).shuffled(seats) if setup.draw_order else seats
    cash = title.game.players[number].cash
    return PlainState(
        players=seats,
        order=order,
        cash={BANK: -cash * number, **dict.fromkeys(seats, cash), **dict.fromkeys(title.companies, 0)},
        certificates={company: (BANK,) * len(spec.certificates) for company, spec in title.companies.items()},
        chart=((),) * len(title.prices),
        board=Board({}, {}),
        supply={name: tile.count for name, tile in title.tiles.items()},
        phase=next(iter(title.phases)),
        trains={},
        revenue={},
        agenda=agenda,
        round="",
        priority=order[0],
        sold={},
    )


class PlainTable(Table):
    """A table that answers what people want to see on it."""

    title: PlainTitle
    state: PlainState

    @property
    def rounds(self) -> tuple[str, ...]:
        """All rounds of the game in their order."""
        return self.title.game.rounds

    @property
    def round_number(self) -> int:
        """Which of all rounds is the present one, from 0; beyond the last when the game is over."""
        return self.rounds.index(self.state.round) if self.state.agenda else len(self.rounds)

    @property
    def runs_left(self) -> int:
        """Operating Rounds from the present round on."""
        return sum(code.startswith("OR") for code in self.rounds[self.round_number :])

    @property
    def certificate_limit(self) -> int:
        """How many certificates a player may hold."""
        return self.title.game.players[len(self.state.players)].certificate_limit

    @property
    def waiting(self) -> tuple[str, ...]:
        """The companies that have still to act in the present Operating Round: those that a task calls `waiting`."""
        return next((task.waiting for task in self.state.agenda if hasattr(task, "waiting")), ())

    @property
    def in_turn(self) -> str | None:
        """The company that acts now."""
        named = (getattr(task, "company", None) for task in self.state.agenda)
        return next((company for company in named if company is not None), None)

    @property
    def phase(self) -> Phase:
        return self.title.phases[self.state.phase]

    def left(self, face: str) -> int | None:
        """How many trains of a kind the bank still has; None: without end."""
        count = self.title.trains[face].count
        return None if count is None else count - self.state.sold.get(face, 0)

    @property
    def on_sale(self) -> str | None:
        """The kind of train that lies on top; None if all are gone."""
        return next((face for face in self.title.trains if self.left(face) != 0), None)

    # What everybody is worth

    def share_value(self, player: str) -> int:
        """A player's shares at their prices."""
        return sum(
            chart.price(self, company) * holding(self, player, company) // share_unit(self, company)
            for company in chart.by_price(self)
        )

    def wealth(self, player: str) -> int:
        return self.state.cash[player] + self.share_value(player)

    def standings(self) -> dict[str, int]:
        """What everybody is worth, the richest first."""
        found = {player: self.wealth(player) for player in self.state.players}
        return dict(sorted(found.items(), key=lambda row: -row[1]))


# The kit


class PlainKit(Kit):
    """A kit whose parts are told by where they are, `package.module:Name`; each is loaded when first asked for."""

    def __init__(
        self,
        *entries: Entry,
        rulebook: str,
        actions: str,
        running: str,
        face: str,
        policy: str,
        views: str,
        preparing: str = "ostbahn.programmed.preparing:Preparing",
        look: str = "ostbahn.pictures.plain:PlainLook",
        display: str = "ostbahn.terminal.plain:PlainDisplay",
    ) -> None:
        self.name = entries[0].title
        self.entries = entries
        self._parts = {"rulebook": rulebook, "actions": actions, "running": running, "face": face, "policy": policy}
        self._parts |= {"preparing": preparing, "views": views, "look": look, "display": display}

    def _part(self, name: str) -> Any:
        module, _, part = self._parts[name].partition(":")
        return getattr(import_module(module), part)

    def rulebook(self, setup: Setup) -> TitleRulebook:
        rules: TitleRulebook = self._part("rulebook")()
        return rules

    @property
    def actions(self) -> Any:
        return self._part("actions")

    @property
    def running(self) -> Any:
        return self._part("running")()

    def face(self, game: Game) -> Any:
        return self._part("face")(game)

    @property
    def policy(self) -> Any:
        return self._part("policy")

    @property
    def preparing(self) -> Any:
        return self._part("preparing")()

    @property
    def look(self) -> Any:
        return self._part("look")()

    def views(self, game: Game) -> Any:
        return self._part("views")(game)

    def display(self, game: Game) -> Any:
        return self._part("display")(game)
