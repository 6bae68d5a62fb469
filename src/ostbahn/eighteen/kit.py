"""A kit whose parts are import paths."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import CatalogueEntry, Kit, TitleRulebook


class PlainKit(Kit):
    """A kit whose parts are import paths (`package.module:Name`) of classes or objects, loaded on first use."""

    def __init__(
        self,
        *entries: CatalogueEntry,
        actions: str,
        running: str,
        text_renderer: str,
        policy: str,
        views: str,
        rulebook: str = "",
        programmable: str = "ostbahn.programmed.moves:ProgrammableMoves",
        board_style: str = "ostbahn.eighteen.pictures:PlainBoardStyle",
        terminal_renderer: str = "ostbahn.eighteen.terminal:BaseTerminalRenderer",
        site_adapter: str = "",
    ) -> None:
        """rulebook: may be omitted if a subclass overrides `rulebook`."""
        self.name = entries[0].title
        self.entries = entries
        self.parts = {
            "rulebook": rulebook,
            "actions": actions,
            "running": running,
            "text_renderer": text_renderer,
            "policy": policy,
            "programmable": programmable,
            "views": views,
            "board_style": board_style,
            "terminal_renderer": terminal_renderer,
            "site_adapter": site_adapter,
        }

    def _load(self, name: str) -> Any:
        module, _, part = self.parts[name].partition(":")
        return getattr(import_module(module), part)

    def _instance(self, name: str) -> Any:
        part = self._load(name)
        return part() if isinstance(part, type) else part

    def rulebook(self, setup: Setup) -> TitleRulebook:
        rulebook: TitleRulebook = self._instance("rulebook")
        return rulebook

    @property
    def actions(self) -> Any:
        return self._load("actions")

    @property
    def running(self) -> Any:
        return self._instance("running")

    def text_renderer(self, game: Game) -> Any:
        return self._load("text_renderer")(game)

    @property
    def policy(self) -> Any:
        return self._load("policy")

    @property
    def programmable(self) -> Any:
        return self._instance("programmable")

    @property
    def board_style(self) -> Any:
        return self._instance("board_style")

    def views(self, game: Game) -> Any:
        return self._load("views")(game)

    def terminal_renderer(self, game: Game) -> Any:
        return self._load("terminal_renderer")(game)

    @property
    def site_adapter(self) -> Any:
        return self._load("site_adapter") if self.parts["site_adapter"] else None
