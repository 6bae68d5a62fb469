"""A kit: all that a title brings, in parts that are loaded when somebody first asks for them.

Shared code knows kits and no titles. Whoever only plays loads no pictures, and a game at the terminal no page.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ostbahn.kernel.game import Game, Rulebook, Setup
from ostbahn.kernel.title import Title
from ostbahn.kits.data import Reading, Rule, Ruling

if TYPE_CHECKING:  # what parts look like is said by those who use them, and they stand above
    from ostbahn.analysis.runs import Running
    from ostbahn.bots.policies import Policy
    from ostbahn.interop.site_adapter import SiteAdapter
    from ostbahn.pictures.board_style import BoardStyle
    from ostbahn.programmed.preparing import Preparing
    from ostbahn.terminal.screen import TerminalRenderer
    from ostbahn.text.speech import TextRenderer
    from ostbahn.views.title_views import TitleViews


class OptionChoice(NamedTuple):
    values: tuple[str, ...]
    """The first one is taken if nothing is said."""
    about: str


class Module(NamedTuple):
    """A part of an expansion that may be added to a way to play."""

    name: str
    players: tuple[int, ...]
    """With how many it can be played."""
    about: str
    excludes: tuple[str, ...] = ()
    """Modules that cannot be played together with it."""


class CatalogueEntry(NamedTuple):
    """A way to play: title and variant."""

    title: str
    variant: str
    name: str
    players: tuple[int, ...]
    about: str
    note: str = ""
    """What people should know before they begin."""
    own_board: bool = False
    """Whether it can be played on a board from a file."""
    own_deck: bool = False
    """Whether it can be played with cards from a file."""
    options: Mapping[str, OptionChoice] = {}
    modules: Mapping[str, Module] = {}
    """By their ids, in the order in which they are named."""
    seatless: str = ""
    """Who takes part but has no seat, in a sentence."""


class DocumentedTitle(Title, Protocol):
    """A title with all that is written in its rulebook, and that lies in its box."""

    @property
    def phases(self) -> Mapping[str, Any]:
        """By their names, the first one first."""

    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """Those of the variant."""

    @property
    def all_rulings(self) -> tuple[Ruling, ...]:
        """Those of the other variants too."""

    @property
    def readings(self) -> Mapping[str, Reading]: ...


class TitleRulebook(Rulebook, Protocol):
    """What is played by, with the title that it plays."""

    @property
    def title(self) -> DocumentedTitle: ...


class Kit(ABC):
    name: str
    """As people write it."""
    entries: tuple[CatalogueEntry, ...]
    """The ways to play it, the usual one first."""
    rules_version: int = 1
    """Raised by a change after which games that were played before could be refused, or come out otherwise."""

    @abstractmethod
    def rulebook(self, setup: Setup) -> TitleRulebook:
        """The rules of a game, with what was chosen for it."""

    @property
    @abstractmethod
    def actions(self) -> Any:
        """Everything that can be answered, as a union of types."""

    @property
    @abstractmethod
    def running(self) -> Running:
        """How its trains run."""

    @abstractmethod
    def text_renderer(self, game: Game) -> TextRenderer:
        """The game as it is told to people."""

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """How bots play it."""

    @property
    @abstractmethod
    def preparing(self) -> Preparing:
        """What of it can be answered beforehand."""

    @property
    @abstractmethod
    def board_style(self) -> BoardStyle[Any, Any]:
        """How it is drawn."""

    @abstractmethod
    def views(self, game: Game) -> TitleViews:
        """The game as pages and the JSON interface show it."""

    @abstractmethod
    def terminal_renderer(self, game: Game) -> TerminalRenderer:
        """The game as it is drawn at the terminal."""

    @property
    def site_adapter(self) -> SiteAdapter | None:
        """What it knows of its games at 18xx.games; None where these are not played."""
        return None
