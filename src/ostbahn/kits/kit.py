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
    """An optional part of an expansion."""

    name: str
    players: tuple[int, ...]
    """Allowed numbers of players."""
    about: str
    excludes: tuple[str, ...] = ()
    """Modules that cannot be played together with it."""


class CatalogueEntry(NamedTuple):
    """A title in one variant, as players choose it."""

    title: str
    variant: str
    name: str
    players: tuple[int, ...]
    about: str
    note: str = ""
    """A note shown when choosing a game."""
    own_board: bool = False
    """Whether a board from a file can replace its own."""
    own_deck: bool = False
    """Whether cards from a file can replace its own."""
    options: Mapping[str, OptionChoice] = {}
    modules: Mapping[str, Module] = {}
    """Modules by id, in display order."""
    seatless: str = ""
    """A sentence on an automated participant without a seat."""


class DocumentedTitle(Title, Protocol):
    """A title with its rules, rulings, readings and phases."""

    @property
    def phases(self) -> Mapping[str, Any]:
        """Phases by name, in order of play."""

    @property
    def rules(self) -> Mapping[str, Rule]: ...
    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """Rulings of the variant."""

    @property
    def all_rulings(self) -> tuple[Ruling, ...]:
        """Rulings of all variants."""

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
    """Its variants, the usual one first."""
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
        """Runs of trains, for analysis."""

    @abstractmethod
    def text_renderer(self, game: Game) -> TextRenderer:
        """The texts of a game."""

    @property
    @abstractmethod
    def policy(self) -> Policy:
        """The play of bots."""

    @property
    @abstractmethod
    def programmable(self) -> ProgrammableMoves:
        """The answers that a player can programme in advance."""

    @property
    @abstractmethod
    def board_style(self) -> BoardStyle[Any, Any]:
        """Its pictures."""

    @abstractmethod
    def views(self, game: Game) -> TitleViews:
        """The views of a game for pages and the JSON interface."""

    @abstractmethod
    def terminal_renderer(self, game: Game) -> TerminalRenderer:
        """The drawing of a game at the terminal."""

    @property
    def site_adapter(self) -> SiteAdapter | None:
        """Import from and export to 18xx.games; None if the site does not have the title."""
        return None
