"""The kit of a title: rulebook, bots, renderers, each loaded on first use. Shared code knows kits, not titles."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ostbahn.kernel.game import Game, Rulebook, Setup
from ostbahn.kernel.title import Title
from ostbahn.kits.data import Reading, Rule, Ruling

if TYPE_CHECKING:  # the users of the parts define their protocols, in higher layers
    from ostbahn.analysis.runs import RunningRules
    from ostbahn.bots.policies import Policy
    from ostbahn.interop.site_adapter import SiteAdapter
    from ostbahn.pictures.board_style import BoardStyle
    from ostbahn.programmed.moves import ProgrammableMoves
    from ostbahn.terminal.screen import TerminalRenderer
    from ostbahn.text.speech import TextRenderer
    from ostbahn.views.title_views import TitleViews

__all__ = ["CatalogueEntry", "DocumentedTitle", "Kit", "Module", "OptionChoice", "TitleRulebook"]


class OptionChoice(NamedTuple):
    values: tuple[str, ...]
    """The first is the default."""
    about: str


class Module(NamedTuple):
    """A part of an expansion that may be added to a way to play."""

    name: str
    players: tuple[int, ...]
    """Allowed numbers of players."""
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
    """A note shown when choosing a game."""
    own_board: bool = False
    """Whether it can be played on a board from a file."""
    own_deck: bool = False
    """Whether it can be played with cards from a file."""
    options: Mapping[str, OptionChoice] = {}
    modules: Mapping[str, Module] = {}
    """By their ids, in the order in which they are named."""
    seatless: str = ""
    """A sentence on an automated participant without a seat."""


class DocumentedTitle(Title, Protocol):
    """A title with its rules, rulings, readings and phases."""

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
    """A rulebook with its title."""

    @property
    def title(self) -> DocumentedTitle: ...


class Kit(ABC):
    name: str
    """Its display name."""
    entries: tuple[CatalogueEntry, ...]
    """The ways to play it, the usual one first."""
    rules_version: int = 1
    """Increase it with a change that may refuse or alter games already played."""

    @abstractmethod
    def rulebook(self, setup: Setup) -> TitleRulebook:
        """The rulebook for a set-up."""

    @property
    @abstractmethod
    def actions(self) -> Any:
        """The union of all action types."""

    @property
    @abstractmethod
    def running(self) -> RunningRules:
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
    def programmable(self) -> ProgrammableMoves:
        """Which of its answers a player can programme in advance."""

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
