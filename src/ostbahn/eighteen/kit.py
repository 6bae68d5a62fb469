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
        """rulebook: not needed if a subclass overrides `rulebook`."""
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

    def _part(self, name: str) -> Any:
        module, _, part = self.parts[name].partition(":")
        return getattr(import_module(module), part)

    def _made(self, name: str) -> Any:
        part = self._part(name)
        return part() if isinstance(part, type) else part

    def rulebook(self, setup: Setup) -> TitleRulebook:
        rules: TitleRulebook = self._made("rulebook")
        return rules

    @property
    def actions(self) -> Any:
        return self._part("actions")

    @property
    def running(self) -> Any:
        return self._made("running")

    def text_renderer(self, game: Game) -> Any:
        return self._part("text_renderer")(game)

    @property
    def policy(self) -> Any:
        return self._part("policy")

    @property
    def programmable(self) -> Any:
        return self._made("programmable")

    @property
    def board_style(self) -> Any:
        return self._made("board_style")

    def views(self, game: Game) -> Any:
        return self._part("views")(game)

    def terminal_renderer(self, game: Game) -> Any:
        return self._part("terminal_renderer")(game)

    @property
    def site_adapter(self) -> Any:
        return self._part("site_adapter") if self.parts["site_adapter"] else None
