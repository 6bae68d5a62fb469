"""18Mag with modules of its expansion, each of which replaces title data and task handlers (18Mag M.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from ostbahn.kernel.chance import Chance
from ostbahn.kernel.game import Setup
from ostbahn.kernel.state import State
from ostbahn.titles.mag.modules.module import MagModule
from ostbahn.titles.mag.modules.new_major import NewMajorModule
from ostbahn.titles.mag.modules.new_minors import ChallengingMinorsModule, SimpleMinorsModule
from ostbahn.titles.mag.modules.standard_divs import StandardDividendsModule
from ostbahn.titles.mag.modules.supporters import SupportersModule
from ostbahn.titles.mag.rulebook import MagRulebook, base_handlers
from ostbahn.titles.mag.state import MagState, MagTable
from ostbahn.titles.mag.title import MagTitle, TitleData, TwoPlayerTitle, base_data
from ostbahn.titles.mag.two_player import two_player_data

MODULES: Final[Mapping[str, MagModule]] = {
    "standard_divs": StandardDividendsModule(),
    "new_minors_challenge": ChallengingMinorsModule(),
    "new_minors_simple": SimpleMinorsModule(),
    "new_major": NewMajorModule(),
    "supporters": SupportersModule(),
}
"""Modules by name, in the order of application."""
VARIANTS: Final[Mapping[str, tuple[Callable[[], TitleData], type[MagTitle]]]] = {
    "base": (base_data, MagTitle),
    "two_player": (two_player_data, TwoPlayerTitle),
}
"""Data and title of each variant that takes modules."""


@cache
def expanded_title(variant: str, modules: tuple[str, ...]) -> MagTitle:
    variant_data, title = VARIANTS[variant]
    data = variant_data()
    for module in modules:
        data = MODULES[module].title_data(data)
    return title(data, variant, modules)


class ExpandedRulebook(MagRulebook):
    def __init__(self, variant: str, modules: tuple[str, ...]) -> None:
        ordered = tuple(module for module in MODULES if module in modules)
        self.modules = [MODULES[module] for module in ordered]
        handlers = base_handlers()
        for module in self.modules:
            handlers = module.handlers(handlers)
        super().__init__(expanded_title(variant, ordered), handlers)

    def initial_state(self, setup: Setup) -> MagState:
        opening = super().initial_state(setup)
        for module in self.modules:
            opening = module.opening_state(self.title, opening)
        return opening

    def deal(self, setup: Setup, opening: MagState, chance: Chance) -> None:
        for module in self.modules:
            module.draw_lots(self.title, setup, opening, chance)
        super().deal(setup, opening, chance)

    def table(self, setup: Setup, state: State) -> MagTable:
        """At most one module has a table class of its own."""
        table_class = next((module.table for module in self.modules if module.table is not MagTable), MagTable)
        return table_class(self.title, state, setup.rulings, setup.players)
