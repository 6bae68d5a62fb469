"""Laying and promoting track (18Mag VI.3.2, VI.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ostbahn.eighteen.track import BaseLayTile, buildable_hexes, put_tile
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import city_id, rotations_reaching
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import PlainStep
from ostbahn.titles.mag.actions import DeclareToken, LayTile
from ostbahn.titles.mag.events import TerrainTokenGiven
from ostbahn.titles.mag.majors import TERRAIN, pay_service
from ostbahn.titles.mag.rounds import TurnDecision
from ostbahn.titles.mag.state import LayTrack, MagTable

RULES: Final[Lookup[str, str]] = {
    "": "VI.3.3/4",
    "off the map": "VI.3.2/15",
    "tiles": "II.3/4",
    "phase": "VI.3.3/2",
    "red": "III.1/3",
    "grey": "III.1/4",
    "colour": "VI.3.3/1",
    "label OO": "VI.3.2/7",
    "label B": "VI.3.2/8",
    "label K": "VI.3.2/9",
    "town": "VI.3.2/5",
    "two towns": "VI.3.2/5",
    "city": "VI.3.2/6",
    "open country": "VI.3.2/10",
    "plain track": "VI.3.3/5",
    "places": "VI.3.3/5",
    "barrier": "VI.3.2/19",
    "river": "VI.3.2/17",
    "lake": "VI.3.2/21",
    "lake, promoted": "VI.3.3/11",
    "connected": "VI.3.2/4",
    "promotion connected": "VI.3.3/3",
}


def terrain_cost(table: MagTable, hex_id: str) -> int:
    """Terrain cost of the next tile: the printed symbols (VI.3.2/11), later the promotion of OO and B (VI.3.3/9)."""
    laid = table.state.board.tiles.get(hex_id)
    return table.title.map[hex_id].printed.cost if laid is None else table.title.tiles[laid[0]].promotion_cost


def extra_cost(table: MagTable, task: LayTrack) -> int:
    """Price of the extra yellow tile, due with the second lay of a turn, whichever it is (VI.3.2/1, VI.3.2/2)."""
    return table.title.services["extra_tile"].price if task.laid else 0


def is_promotion(table: MagTable, hex_id: str) -> bool:
    return hex_id in table.state.board.tiles


def track_for_choices(table: MagTable, minor: str, hex_id: str, tile: str) -> list[str | None]:
    """Companies whose city may get the track of a yellow OO tile (VI.3.2/18).

    [None] without a choice: it exists only where other companies have stations in both cities.
    """
    if tile != YELLOW_OO:
        return [None]
    first, second = (table.state.board.stations.get(city_id(hex_id, node), ()) for node in (0, 1))
    if not first or not second or minor in first + second:
        return [None]
    if table.ruled("yellow_oo_stations") == "that in the first city":
        return [None]
    return [first[0], second[0]]


YELLOW_OO = "L32"


class Payer(NamedTuple):
    """Payer of the terrain instead of the minor, if any."""

    token: bool = False
    """A terrain token spent with the tile (VI.3.2/13)."""
    supporter: bool = False
    """A card of the module `supporters`."""

    def covers(self, task: LayTrack) -> bool:
        """Whether the minor itself pays nothing for terrain; a token may have been declared before the lay."""
        return self.token or self.supporter or task.token


@native(allow_interpreted_subclasses=True)
class LayTileStep(BaseLayTile[MagTable, LayTrack, LayTile]):
    """Lay a yellow tile or promote one, and lay one more yellow tile for 10 Ft (VI.3.1/3)."""

    action = LayTile
    cites = RULES
    payers: tuple[Payer, ...] = (Payer(), Payer(token=True))
    """Ways to pay for the terrain, in the order of the options."""

    def answers(self, table: MagTable, task: LayTrack) -> Iterator[Option]:
        if self.extra_cost(table, task) > table.state.cash[task.company]:
            return  # unaffordable on any terrain: avoid computing reachable hexes
        usable_payers = [payer for payer in self.payers if not self.payer_refusal(table, task, payer)]
        if not usable_payers:
            return
        tiles = self.tiles(table)
        payers_by_cost: dict[int, list[Payer]] = {}
        minor = task.company
        for hex_id, sides, fits in buildable_hexes(table, self.reached(table, minor)):
            if self.lay_limit_refusal(table, task, hex_id):
                continue
            cost = terrain_cost(table, hex_id)
            payers = payers_by_cost.get(cost)
            if payers is None:
                payers = payers_by_cost[cost] = [
                    payer for payer in usable_payers if not self.payment_refusal(table, task, hex_id, payer)
                ]
            for tile, rotation in (
                rotations_reaching(fits, self.connecting_sides(table, sides), tiles) if payers else ()
            ):
                for track_for in track_for_choices(table, minor, hex_id, tile):
                    for payer in payers:
                        yield Option(self.lay_paid_by(payer, hex_id, tile, rotation, track_for))

    def unpaid_refusal(self, table: MagTable, task: LayTrack, action: LayTile) -> Refusal | None:
        choices = track_for_choices(table, task.company, action.hex, action.tile)
        if action.track_for not in choices:
            names = " or ".join(table.name(other) for other in choices)
            return table.refuse(
                "VI.3.2/18",
                f"the track is for {names}" if choices != [None] else "nobody chooses whose city gets the track",
            )
        payer = self.payer_of(action)
        return self.payer_refusal(table, task, payer) or self.payment_refusal(table, task, action.hex, payer)

    def connection_refusal(self, table: MagTable, company: str, action: LayTile) -> Refusal | None:
        exits = table.title.tile_set.faces[action.tile][action.rotation].exits
        if exits & self.connecting_sides(table, self.reached(table, company).get(action.hex, 0)):
            return None
        return super().connection_refusal(table, company, action)

    def connecting_sides(self, table: MagTable, sides: int) -> int:
        """Sides of which a tile must use one, given those that the minor's track reaches (VI.3.2/4, VI.3.3/3)."""
        return sides

    def payer_of(self, action: LayTile) -> Payer:
        return Payer(action.token)

    def lay_paid_by(self, payer: Payer, hex_id: str, tile: str, rotation: int, track_for: str | None) -> LayTile:
        return LayTile(hex_id, tile, rotation, payer.token, track_for)

    def lay_limit_refusal(self, table: MagTable, task: LayTrack, hex_id: str) -> Refusal | None:
        """Why the turn allows no further lay on a hex."""
        if task.laid >= table.title.lays_in_turn:
            return table.refuse("VI.3.1/3", f"minor {task.company} has laid all the tiles of its turn")
        if task.promoted and is_promotion(table, hex_id):
            return table.refuse("VI.3.1/3", "a minor promotes only one tile in a turn")
        return None

    def payer_refusal(self, table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
        """Why a payer covers no terrain in this turn."""
        minor = task.company
        if not payer.token:
            return None
        if table.ruled("terrain_token_spent") == "when declared" or not table.state.terrain_tokens[minor]:
            return table.refuse("VI.3.2/13", f"minor {minor} has no terrain token to give with this tile")
        return None

    def payment_refusal(self, table: MagTable, task: LayTrack, hex_id: str, payer: Payer) -> Refusal | None:
        """Why terrain and extra tile cannot be paid this way; depends on the hex by its terrain cost alone."""
        minor = task.company
        terrain = terrain_cost(table, hex_id)
        if payer.token and not terrain:
            return table.refuse("VI.3.2/13", f"there is no terrain cost {table.at(hex_id)} that a token could cover")
        due = 0 if payer.covers(task) else terrain
        rule = "VI.3.3/10" if is_promotion(table, hex_id) else "VI.3.2/11"
        return table.cannot_afford(rule if due else "VI.3.2/1", minor, self.extra_cost(table, task) + due, "that")

    def continue_turn(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        spent = task.token and not terrain_cost(table, action.hex)
        table.replace(self.task_after(task, is_promotion(table, action.hex), spent))

    def pay(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        minor, terrain = task.company, terrain_cost(table, action.hex)
        if action.token:
            spend_token(table, minor)
        payer = BANK if self.payer_of(action).covers(task) else minor
        pay_service(table, payer, "terrain", terrain, f"{TERRAIN} {table.at(action.hex)}", "track")
        pay_service(table, minor, "extra_tile", self.extra_cost(table, task), "extra tile", "track")

    def lay(self, table: MagTable, company: str, action: LayTile) -> None:
        lay_tile(table, company, action)

    def extra_cost(self, table: MagTable, task: LayTrack) -> int:
        return extra_cost(table, task)

    def task_after(self, task: LayTrack, promotion: bool, token: bool) -> LayTrack:
        return LayTrack(task.company, task.laid + 1, task.promoted or promotion, token)


@native(allow_interpreted_subclasses=True)
class LayTrackDecision(TurnDecision):
    """Track step, which ends by itself after the last tile of a turn (VI.3.1/3)."""

    def is_settled(self, table: MagTable, task: LayTrack) -> bool:
        return task.laid >= table.title.lays_in_turn


def spend_token(table: MagTable, minor: str) -> None:
    """Remove a terrain token from the game (VI.3.2/13)."""
    tokens = table.state.terrain_tokens
    table.state.terrain_tokens = {**tokens, minor: tokens[minor] - 1}
    table.note(TerrainTokenGiven(minor))


class DeclareTokenStep(PlainStep[MagTable, LayTrack, DeclareToken]):
    """Spend a token before the lay, as on 18xx.games (ruling terrain_token_spent)."""

    action = DeclareToken

    def refusal(self, table: MagTable, task: LayTrack, action: DeclareToken) -> Refusal | None:
        if table.ruled("terrain_token_spent") != "when declared":
            return table.refuse("VI.3.2/13", "a terrain token is given together with the tile it pays for")
        if task.token or not table.state.terrain_tokens[task.company]:
            return table.refuse("VI.3.2/13", f"minor {task.company} has no terrain token to declare")
        return None

    def perform(self, table: MagTable, task: LayTrack, action: DeclareToken) -> None:
        spend_token(table, task.company)
        table.replace(LayTrack(task.company, task.laid, task.promoted, token=True))


def lay_tile(table: MagTable, minor: str, action: LayTile) -> None:
    """Lay a tile; stations stay in their cities, and the old tile returns to the supply (VI.3.3/8)."""
    put_tile(table, minor, action.hex, action.tile, action.rotation, city_successors(table, minor, action))


def legal_lays(table: MagTable, minor: str) -> Iterator[tuple[str, str, int]]:
    """Every lay allowed by track and supply, as hex, tile, rotation."""
    step = LayTileStep()
    return step.lays(table, minor, step.tiles(table))


def city_successors(table: MagTable, minor: str, action: LayTile) -> tuple[int, ...] | None:
    """New city of each old one on a yellow OO tile (VI.3.2/18); None for other tiles, whose track decides."""
    if action.tile != YELLOW_OO:
        return None
    # Only the first city of this tile has track. It goes to the only station, or else to the minor's own.
    first, second = (table.state.board.stations.get(city_id(action.hex, node), ()) for node in (0, 1))
    swapped = bool(second) and not first
    if table.ruled("yellow_oo_stations") != "that in the first city":
        swapped = swapped or (action.track_for or minor) in second
    return (1, 0) if swapped else (0, 1)
