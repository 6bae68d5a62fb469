"""How a title looks: what only the title can say of its pictures. All else here draws what it is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import Train
from ostbahn.kernel.table import Table
from ostbahn.kernel.title import Title
from ostbahn.kits.catalogue import entry_of, kit_named
from ostbahn.kits.data import KEPT
from ostbahn.pictures.hexes import Scene
from ostbahn.pictures.terrain import NO_LAND, Land
from ostbahn.pictures.themes import Mark, Theme

TitleT = TypeVar("TitleT", bound=Title)
TableT = TypeVar("TableT", bound=Table)
DrawFunction = Callable[[Game, str, Theme], str]
"""A game, what was said after the colon, and the theme."""
NONE: Final = "–"


class PictureKind(NamedTuple):
    draw: DrawFunction
    about: str
    detail: str = ""
    """What is said after the colon, as it is told to people; in brackets if it can be left out."""
    paper: str = "a4"
    """What it is printed on if nothing is said."""

    @property
    def needs_detail(self) -> bool:
        return bool(self.detail) and not self.detail.startswith("[")


class Charter(NamedTuple):
    id: str
    name: str
    kind: str
    facts: Sequence[tuple[str, str]]
    trains: Sequence[Train]
    limit: int
    """Of trains; 0 for companies that run none."""
    stations: Sequence[str]
    left: Sequence[int]
    """The prices of the markers on the charter, the next one first."""
    asides: tuple[str, Sequence[tuple[str, bool]]]
    """What else it holds: a word for it, and each thing with whether it is used up; no word where it never does."""


class AidSection(NamedTuple):
    """A part of a player aid: lines of text, or a table with the widths of its columns."""

    heading: str
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[int] = ()
    """How wide the columns are, compared with each other."""


class Aid(NamedTuple):
    left: Sequence[AidSection]
    right: Sequence[AidSection]


class BoardStyle(ABC, Generic[TitleT, TableT]):
    """What a title says of its pictures."""

    chart_rows: int = 1
    """Two where prices lie in a zigzag."""
    train_columns: int = 4
    purple_edge: str = ""
    """What a purple edge of a tile means, for the map legend; nothing where no tile has one."""
    picture_kinds: Mapping[str, PictureKind] = {}
    """What only this title has to show, by the name under which it is asked for."""

    @abstractmethod
    def marks(self, title: TitleT) -> Mapping[str, Mark]:
        """For everything that has a charter the mark of its stations."""

    @abstractmethod
    def phase_colour(self, table: TableT) -> str:
        """The highest colour of tiles in the present phase."""

    def awaited_homes(self, table: TableT) -> Mapping[str, Sequence[str]]:
        """Where companies will have their first station that have not begun: city, or hex where no city is known, to
        the companies. A company that has the choice stands at each place."""
        return {}

    def land(self, title: TitleT) -> Land:
        """Rivers and neighbours, for the eye alone."""
        return NO_LAND

    @abstractmethod
    def start_marks(self, title: TitleT, price: int) -> Sequence[tuple[str, str]]:
        """How a price is marked at which companies can start: letters and a colour for each mark."""

    @abstractmethod
    def start_legend(self, title: TitleT) -> str:
        """What these marks mean."""

    @abstractmethod
    def process(self, table: TableT, theme: Theme) -> str:
        """Where the game stands: rounds and phases, as a picture."""

    def in_play(self, table: TableT) -> list[str]:
        return chart.by_price(table)

    @abstractmethod
    def charter(self, table: TableT, company: str) -> Charter: ...

    @abstractmethod
    def train_cards(self, table: TableT, theme: Theme) -> list[str]:
        """All kinds of train cards, each drawn in a frame of the size `cards.TRAIN`."""

    @abstractmethod
    def aid(self, title: TitleT) -> Aid: ...


def board_style_of(title: Title) -> BoardStyle[Any, Any]:
    return kit_named(title.name).board_style


@lru_cache(maxsize=KEPT)
def marks_of(title: Title) -> Mapping[str, Mark]:
    return board_style_of(title).marks(title)


@lru_cache(maxsize=KEPT)
def land_of(title: Title) -> Land:
    return board_style_of(title).land(title)


def scene_of(game: Game) -> Scene:
    table = game.table
    title = table.title
    style, board = board_style_of(title), table.state.board
    return Scene(title, board, style.phase_colour(table), marks_of(title), style.awaited_homes(table), land_of(title))


def money(title: Title, amount: int) -> str:
    return f"{amount} {title.currency}"


def full_name(title: Title) -> str:
    """Title and variant, as people call them."""
    return entry_of(title.name, title.variant).name
