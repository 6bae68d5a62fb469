"""A kit whose parts are named by where they are."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import Entry, Kit, TitleRulebook


class PlainKit(Kit):
    """A kit whose parts are told by where they are, `package.module:Name`; each is loaded when first asked for.

    A part is a class, of which one is made, or the thing itself.
    """

    def __init__(
        self,
        *entries: Entry,
        actions: str,
        running: str,
        text_renderer: str,
        policy: str,
        views: str,
        rulebook: str = "",
        preparing: str = "ostbahn.programmed.preparing:Preparing",
        look: str = "ostbahn.eighteen.pictures:PlainLook",
        display: str = "ostbahn.eighteen.terminal:BaseDisplay",
        site: str = "",
    ) -> None:
        """rulebook: may be left out where `rulebook` chooses one by the set-up."""
        self.name = entries[0].title
        self.entries = entries
        self.parts = {
            "rulebook": rulebook,
            "actions": actions,
            "running": running,
            "text_renderer": text_renderer,
            "policy": policy,
        }
        self.parts |= {"preparing": preparing, "views": views, "look": look, "display": display, "site": site}

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
    def preparing(self) -> Any:
        return self._made("preparing")

    @property
    def look(self) -> Any:
        return self._made("look")

    def views(self, game: Game) -> Any:
        return self._part("views")(game)

    def display(self, game: Game) -> Any:
        return self._part("display")(game)

    @property
    def site(self) -> Any:
        return self._part("site") if self.parts["site"] else None
