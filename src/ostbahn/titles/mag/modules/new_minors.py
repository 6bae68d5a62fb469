"""The modules `new_minors_challenge` and `new_minors_simple`: minors 14, 15 and 16 (18Mag M.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from ostbahn.kernel.chance import Chance
from ostbahn.kernel.state import Setup
from ostbahn.kernel.steps import Routine
from ostbahn.kits.data import Spec
from ostbahn.titles.mag.events import MinorUnused
from ostbahn.titles.mag.modules.module import MagModule, with_players
from ostbahn.titles.mag.rulebook import TaskHandlers
from ostbahn.titles.mag.state import MagState, MagTable, RemoveMinors
from ostbahn.titles.mag.title import MagTitle, MinorData, TitleData, load_data


class NewMinorsFile(Spec, frozen=True):
    minors: Mapping[str, MinorData]
    challenge: Mapping[int, int]
    """Minors for each player with `new_minors_challenge`, by number of players."""
    removed: int
    """Number of minors that leave the game with `new_minors_simple`."""


@cache
def new_minors_file() -> NewMinorsFile:
    return load_data("new_minors.toml", NewMinorsFile)


def with_new_minors(data: TitleData) -> TitleData:
    """Title data with all sixteen minors (M.3/1 to M.3/3)."""
    new = new_minors_file().minors
    return data._replace(
        companies=replace(data.companies, minors={**data.companies.minors, **new}),
        game=replace(data.game, minors=(*data.game.minors, *new)),
    )


class ChallengingMinorsModule(MagModule):
    """Every player drafts more minors (M.3/4)."""

    def title_data(self, data: TitleData) -> TitleData:
        data = with_new_minors(data)
        players = with_players(data.game.players, "minors", new_minors_file().challenge)
        return data._replace(game=replace(data.game, players=players))


def draw_minors(title: MagTitle, chance: Chance) -> tuple[str, ...]:
    return chance.first(title.minors, new_minors_file().removed)


class RemoveMinorsByLot(Routine[MagTable, RemoveMinors]):
    """Remove random minors, whose homes become ordinary cities (M.3/5)."""

    def proceed(self, table: MagTable, task: RemoveMinors) -> None:
        table.pop()
        state, removed_minors = table.state, task.drawn
        if not removed_minors:  # the ruling `removed_minors_drawn`: after the start prices
            chance = Chance(state.chance)
            removed_minors = draw_minors(table.title, chance)
            state.chance = chance.state
        state.owners = {minor: owner for minor, owner in state.owners.items() if minor not in removed_minors}
        for minor in table.title.minors:
            if minor in removed_minors:
                table.note(MinorUnused(minor))


class SimpleMinorsModule(MagModule):
    """Players draft as many minors as without the module (M.3/5)."""

    def title_data(self, data: TitleData) -> TitleData:
        return with_new_minors(data)

    def handlers(self, handlers: TaskHandlers) -> TaskHandlers:
        return {**handlers, RemoveMinors: RemoveMinorsByLot()}

    def draw_lots(self, title: MagTitle, setup: Setup, opening: MagState, chance: Chance) -> None:
        first = setup.rulings["removed_minors_drawn"] == "before the start prices"
        opening.agenda = (*opening.agenda, RemoveMinors(draw_minors(title, chance) if first else ()))
