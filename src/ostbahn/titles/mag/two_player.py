"""18Mag for two players: its board, companies and trains (18Mag X). It is played by the rules of the base game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from ostbahn.eighteen.title import BoardFile, TilesFile
from ostbahn.kits.data import Spec
from ostbahn.titles.mag.actions import Car
from ostbahn.titles.mag.title import (
    DraftOrder,
    MagPlayersSpec,
    PayoutSpec,
    PhaseSpec,
    ServiceSpec,
    StackSpec,
    TitleData,
    TwoPlayerTitle,
    base_data,
    load_data,
)


class TwoPlayerFile(Spec, frozen=True):
    board: str
    minors: tuple[str, ...]
    majors: tuple[str, ...]
    without_tiles: tuple[str, ...]
    """Colours of tiles not in play."""
    players: Mapping[int, MagPlayersSpec]
    draft_order: DraftOrder
    prices: tuple[int, ...]
    payouts: tuple[PayoutSpec, ...]
    stacks: tuple[StackSpec, ...]
    rail_cars: Mapping[Car, ServiceSpec]
    one_rail_car: bool
    phases: Mapping[str, PhaseSpec]


def with_changes(base: TitleData, changes: TwoPlayerFile) -> TitleData:
    """The smaller board with fewer companies and trains (X/1 to X/18)."""
    tiles = base.tiles.tiles.items()
    return TitleData(
        replace(base.companies, rail_cars=changes.rail_cars, one_rail_car=changes.one_rail_car),
        replace(base.trains, stacks=changes.stacks, phases=changes.phases),
        replace(
            base.game,
            board=changes.board,
            minors=changes.minors,
            majors=changes.majors,
            players=changes.players,
            draft_order=changes.draft_order,
            chart=replace(base.game.chart, prices=changes.prices),
            payouts=changes.payouts,
        ),
        load_data(changes.board, BoardFile),
        TilesFile({name: tile for name, tile in tiles if tile.colour not in changes.without_tiles}),
    )


def two_player_data() -> TitleData:
    return with_changes(base_data(), load_data("game_two_player.toml", TwoPlayerFile))


@cache
def two_player_title() -> TwoPlayerTitle:
    return TwoPlayerTitle(two_player_data(), "two_player")
