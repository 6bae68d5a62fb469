"""A kit whose parts are named by where they are."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import Entry, Kit, TitleRulebook


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
        look: str = "ostbahn.eighteen.pictures:PlainLook",
        display: str = "ostbahn.eighteen.terminal:BaseDisplay",
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
        return self._part("running")

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
