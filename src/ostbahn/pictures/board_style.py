"""How a title's pictures look: the interface that titles implement, and its data types."""

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
from ostbahn.kits.data import MAX_CACHED_TITLES
from ostbahn.pictures.hexes import BoardScene
from ostbahn.pictures.terrain import NO_LAND, Land
from ostbahn.pictures.themes import Mark, Theme

TitleT = TypeVar("TitleT", bound=Title)
TableT = TypeVar("TableT", bound=Table)
DrawFunction = Callable[[Game, str, Theme], str]
"""Draws a game; takes the detail after the colon, and a theme."""
NONE: Final = "–"


class PictureKind(NamedTuple):
    draw: DrawFunction
    about: str
    detail: str = ""
    """The detail after the colon, as users read it; in brackets if optional."""
    paper: str = "a4"

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
    """Train limit; 0 for companies that run none."""
    stations: Sequence[str]
    left: Sequence[int]
    """Prices of the markers left on the charter, the next one first."""
    asides: tuple[str, Sequence[tuple[str, bool]]]
    """Heading and other holdings, each with whether it is used up; no heading where a company never has any."""


class AidSection(NamedTuple):
    """A part of a player aid: lines of text, or a table."""

    heading: str
    lines: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[int] = ()


class Aid(NamedTuple):
    left: Sequence[AidSection]
    right: Sequence[AidSection]


class BoardStyle(ABC, Generic[TitleT, TableT]):
    """What a title defines for its pictures."""

    chart_rows: int = 1
    """2 for prices in a zigzag."""
    train_columns: int = 4
    purple_edge: str = ""
    """What a purple tile edge means, for the map legend."""
    picture_kinds: Mapping[str, PictureKind] = {}
    """Pictures that only this title has, by name."""

    @abstractmethod
    def marks(self, title: TitleT) -> Mapping[str, Mark]:
        """The station mark of everything with a charter."""

    @abstractmethod
    def phase_colour(self, table: TableT) -> str:
        """The highest tile colour of the present phase."""

    def awaited_homes(self, table: TableT) -> Mapping[str, Sequence[str]]:
        """City (or hex, if the city is open) to the companies that will place their first station there. A company
        with a choice appears at each place."""
        return {}

    def land(self, title: TitleT) -> Land:
        return NO_LAND

    @abstractmethod
    def start_marks(self, title: TitleT, price: int) -> Sequence[tuple[str, str]]:
        """Marks of a start price: letters and colour of each."""

    @abstractmethod
    def start_legend(self, title: TitleT) -> str:
        """What these marks mean."""

    @abstractmethod
    def process(self, table: TableT, theme: Theme) -> str:
        """Rounds and phases as a picture."""

    def in_play(self, table: TableT) -> list[str]:
        return chart.companies_by_price(table)

    @abstractmethod
    def charter(self, table: TableT, company: str) -> Charter: ...

    @abstractmethod
    def train_cards(self, table: TableT, theme: Theme) -> list[str]:
        """Train cards, each in a frame of size `cards.TRAIN`."""

    @abstractmethod
    def aid(self, title: TitleT) -> Aid: ...


def board_style_of(title: Title) -> BoardStyle[Any, Any]:
    return kit_named(title.name).board_style


@lru_cache(maxsize=MAX_CACHED_TITLES)
def marks_of(title: Title) -> Mapping[str, Mark]:
    return board_style_of(title).marks(title)


@lru_cache(maxsize=MAX_CACHED_TITLES)
def land_of(title: Title) -> Land:
    return board_style_of(title).land(title)


def scene_of(game: Game) -> BoardScene:
    table = game.table
    title = table.title
    style, board = board_style_of(title), table.state.board
    return BoardScene(
        title, board, style.phase_colour(table), marks_of(title), style.awaited_homes(table), land_of(title)
    )


def money(title: Title, amount: int) -> str:
    return f"{amount} {title.currency}"


def full_name(title: Title) -> str:
    """Title and variant as users know them."""
    return entry_of(title.name, title.variant).name
