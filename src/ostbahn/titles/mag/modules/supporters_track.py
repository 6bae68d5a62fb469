"""Laying track with Feketeházy and Sina (18Mag M.5/4, M.5/6)."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.operating import FinishTurn
from ostbahn.eighteen.track import next_tile_colour
from ostbahn.kernel.errors import Refusal
from ostbahn.titles.mag.actions import LayByFeketehazy, LayTile, PromoteBySina
from ostbahn.titles.mag.modules.supporters_table import FEKETEHAZY, SINA, as_supporters_table, supporters_file
from ostbahn.titles.mag.state import EndTurn, LayTrack, MagTable
from ostbahn.titles.mag.track import LayTileStep, LayTrackDecision, Payer, is_promotion, terrain_cost

ALL_SIDES: Final = 0b111111


class LayTileAndRecord(LayTileStep):
    """Record the hexes of new tiles: a ruling says whether Sina may promote them in the same turn."""

    def perform(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        super().perform(table, task, action)
        as_supporters_table(table).state.fresh = (*as_supporters_table(table).state.fresh, action.hex)


class LayWithFeketehazy(LayTileAndRecord):
    """Let the bank pay the terrain; a second tile of the turn still costs its price (M.5/4)."""

    action = LayByFeketehazy
    payers = (Payer(supporter=True),)

    def payer_of(self, action: LayTile) -> Payer:
        return Payer(action.token, supporter=True)

    def lay_paid_by(self, payer: Payer, hex_id: str, tile: str, rotation: int, track_for: str | None) -> LayTile:
        return LayByFeketehazy(hex_id, tile, rotation, payer.token, track_for)

    def payer_refusal(self, table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
        return feketehazy_refusal(table, task, payer) or super().payer_refusal(table, task, payer)

    def payment_refusal(self, table: MagTable, task: LayTrack, hex_id: str, payer: Payer) -> Refusal | None:
        return free_terrain_refusal(table, hex_id) or super().payment_refusal(table, task, hex_id, payer)

    def perform(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        as_supporters_table(table).mark_used(FEKETEHAZY, task.company)
        super().perform(table, task, action)


def feketehazy_refusal(table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
    """Why Feketeházy cannot help the minor in this turn."""
    if refusal := as_supporters_table(table).help_refusal(FEKETEHAZY, task.company):
        return refusal
    if payer.token or task.token:
        return table.refuse("M.5/4", "a terrain token covers this terrain; Feketeházy is not needed for it")
    return None


def free_terrain_refusal(table: MagTable, hex_id: str) -> Refusal | None:
    """Refusal of Feketeházy's help where terrain costs nothing."""
    if not terrain_cost(table, hex_id):
        return table.refuse("M.5/4", f"there is no terrain cost {table.at(hex_id)} that Feketeházy could cover")
    return None


class PromoteWithSina(LayTileAndRecord):
    """Promote one more tile without the extra tile's price; its terrain costs as usual (M.5/6)."""

    action = PromoteBySina
    payers = (Payer(), Payer(token=True), Payer(supporter=True))

    def payer_of(self, action: LayTile) -> Payer:
        return Payer(action.token, _uses_feketehazy(action))

    def lay_paid_by(self, payer: Payer, hex_id: str, tile: str, rotation: int, track_for: str | None) -> LayTile:
        return PromoteBySina(hex_id, tile, rotation, payer.token, track_for, payer.supporter)

    def lay_limit_refusal(self, table: MagTable, task: LayTrack, hex_id: str) -> Refusal | None:
        if refusal := as_supporters_table(table).help_refusal(SINA, task.company):
            return refusal
        colours = supporters_file().sina_colours
        if not is_promotion(table, hex_id) or next_tile_colour(table, table.title.map[hex_id]) not in colours:
            return table.refuse("M.5/6", f"Sina promotes a tile to {' or '.join(colours)}")
        if table.ruled("sina_fresh_tile") == "refused" and hex_id in as_supporters_table(table).state.fresh:
            return table.refuse("M.5/6", f"the tile {table.at(hex_id)} was laid in this turn")
        return None

    def connecting_sides(self, table: MagTable, sides: int) -> int:
        return ALL_SIDES if sides and table.ruled("sina_connection") == "the hex is reached" else sides

    def payer_refusal(self, table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
        if refusal := as_supporters_table(table).help_refusal(SINA, task.company):
            return refusal
        if payer.supporter and (refusal := feketehazy_refusal(table, task, payer)):
            return refusal
        return super().payer_refusal(table, task, payer)

    def payment_refusal(self, table: MagTable, task: LayTrack, hex_id: str, payer: Payer) -> Refusal | None:
        if payer.supporter and (refusal := free_terrain_refusal(table, hex_id)):
            return refusal
        return super().payment_refusal(table, task, hex_id, payer)

    def extra_cost(self, table: MagTable, task: LayTrack) -> int:
        return 0

    def task_after(self, task: LayTrack, promotion: bool, token: bool) -> LayTrack:
        return LayTrack(task.company, task.laid, task.promoted, token)

    def perform(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        as_supporters_table(table).mark_used(SINA, task.company)
        if _uses_feketehazy(action):
            as_supporters_table(table).mark_used(FEKETEHAZY, task.company)
        super().perform(table, task, action)


def _uses_feketehazy(action: LayTile) -> bool:
    return isinstance(action, PromoteBySina) and action.feketehazy


class LaySupportedTrackDecision(LayTrackDecision):
    """Track step that continues after the last tile of the turn while Sina may still promote."""

    def is_settled(self, table: MagTable, task: LayTrack) -> bool:
        return super().is_settled(table, task) and next(PromoteWithSina().answers(table, task), None) is None


class FinishSupportedTurn(FinishTurn[MagTable]):
    """Drop what supporters changed for this turn, such as a train's additional town (M.5/8)."""

    def proceed(self, table: MagTable, task: EndTurn) -> None:
        super().proceed(table, task)
        state = as_supporters_table(table).state
        state.longer, state.fresh = None, ()
