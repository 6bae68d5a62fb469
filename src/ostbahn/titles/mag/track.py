"""Laying and promoting track (18Mag VI.3.2, VI.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ostbahn.eighteen.track import Laying, put_tile, sites
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import carrying_on, city_id
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import Lookup, native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import Plain
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
    """The first tile on a hex pays for its symbols (VI.3.2/11); OO and B tiles when they turn green (VI.3.3/9)."""
    laid = table.state.board.tiles.get(hex_id)
    return table.title.map[hex_id].printed.cost if laid is None else table.title.tiles[laid[0]].promotion_cost


def extra_cost(table: MagTable, task: LayTrack) -> int:
    """One of two lays is the extra yellow tile; the second one pays for it, whichever it is (VI.3.2/1, VI.3.2/2)."""
    return table.title.services["extra_tile"].price if task.laid else 0


def is_promotion(table: MagTable, hex_id: str) -> bool:
    return hex_id in table.state.board.tiles


def track_for_choices(table: MagTable, minor: str, hex_id: str, tile: str) -> list[str | None]:
    """Whose city may get the track of a yellow OO tile: a choice only if others have stations in both (VI.3.2/18)."""
    if tile != YELLOW_OO:
        return [None]
    here = [list(table.state.board.stations.get(city_id(hex_id, node), ())) for node in (0, 1)]
    if not all(here) or minor in here[0] + here[1]:
        return [None]
    if table.ruled("yellow_oo_stations") == "that in the first city":
        return [None]
    return [here[0][0], here[1][0]]


YELLOW_OO = "L32"


class Payer(NamedTuple):
    """Who pays for the terrain in the place of the minor, if anybody."""

    token: bool = False
    """A terrain token that is given with the tile (VI.3.2/13)."""
    supporter: bool = False
    """Somebody whom a module adds."""

    def covers(self, task: LayTrack) -> bool:
        """Whether the minor does not pay for the terrain itself; a token may have been declared before."""
        return self.token or self.supporter or task.token


@native(allow_interpreted_subclasses=True)
class LayTileStep(Laying[MagTable, LayTrack, LayTile]):
    """One yellow tile or promotion, and one more yellow tile for 10 Ft (VI.3.1/3)."""

    action = LayTile
    cites = RULES
    payers: tuple[Payer, ...] = (Payer(), Payer(token=True))
    """Who may pay for the terrain, in the order in which it is offered."""

    def answers(self, table: MagTable, task: LayTrack) -> Iterator[Option]:
        if self.extra_cost(table, task) > table.state.cash[task.company]:
            return  # whatever the terrain, so nobody asks what the minor reaches
        willing = [payer for payer in self.payers if not self.payer_refusal(table, task, payer)]
        if not willing:
            return
        tiles = self.tiles(table)
        able: dict[int, list[Payer]] = {}
        minor = task.company
        for hex_id, sides, fits in sites(table, self.reached(table, minor)):
            if self.too_many(table, task, hex_id):
                continue
            cost = terrain_cost(table, hex_id)
            payers = able.get(cost)
            if payers is None:
                payers = able[cost] = [
                    payer for payer in willing if not self.payment_refusal(table, task, hex_id, payer)
                ]
            for tile, rotation in carrying_on(fits, self.connecting_sides(table, sides), tiles) if payers else ():
                for other in track_for_choices(table, minor, hex_id, tile):
                    for payer in payers:
                        yield Option(self.lay_paid_by(payer, hex_id, tile, rotation, other))

    def unpaid(self, table: MagTable, task: LayTrack, action: LayTile) -> Refusal | None:
        choices = track_for_choices(table, task.company, action.hex, action.tile)
        if action.track_for not in choices:
            names = " or ".join(table.name(other) for other in choices)
            return table.refuse(
                "VI.3.2/18",
                f"the track is for {names}" if choices != [None] else "nobody chooses whose city gets the track",
            )
        payer = self.payer_of(action)
        return self.payer_refusal(table, task, payer) or self.payment_refusal(table, task, action.hex, payer)

    def disconnected(self, table: MagTable, company: str, action: LayTile) -> Refusal | None:
        meets = table.title.tile_set.faces[action.tile][action.rotation].exits
        if meets & self.connecting_sides(table, self.reached(table, company).get(action.hex, 0)):
            return None
        return super().disconnected(table, company, action)

    def connecting_sides(self, table: MagTable, sides: int) -> int:
        """Of which hex sides a tile must use one, where own track comes to some (VI.3.2/4, VI.3.3/3)."""
        return sides

    def payer_of(self, action: LayTile) -> Payer:
        return Payer(action.token)

    def lay_paid_by(self, payer: Payer, hex_id: str, tile: str, rotation: int, track_for: str | None) -> LayTile:
        return LayTile(hex_id, tile, rotation, payer.token, track_for)

    def too_many(self, table: MagTable, task: LayTrack, hex_id: str) -> Refusal | None:
        """Why a turn has no room for a tile there."""
        if task.laid >= table.title.lays_in_turn:
            return table.refuse("VI.3.1/3", f"minor {task.company} has laid all the tiles of its turn")
        if task.promoted and is_promotion(table, hex_id):
            return table.refuse("VI.3.1/3", "a minor promotes only one tile in a turn")
        return None

    def payer_refusal(self, table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
        """Why somebody pays for no terrain in this turn."""
        minor = task.company
        if not payer.token:
            return None
        if table.ruled("terrain_token_spent") == "when declared" or not table.state.terrain_tokens[minor]:
            return table.refuse("VI.3.2/13", f"minor {minor} has no terrain token to give with this tile")
        return None

    def payment_refusal(self, table: MagTable, task: LayTrack, hex_id: str, payer: Payer) -> Refusal | None:
        """Why the terrain of a hex cannot be paid so, or the extra tile with it.

        Where terrain costs as much it is the same.
        """
        minor = task.company
        terrain = terrain_cost(table, hex_id)
        if payer.token and not terrain:
            return table.refuse("VI.3.2/13", f"there is no terrain cost {table.at(hex_id)} that a token could cover")
        own = 0 if payer.covers(task) else terrain
        rule = "VI.3.3/10" if is_promotion(table, hex_id) else "VI.3.2/11"
        return table.too_dear(rule if own else "VI.3.2/1", minor, self.extra_cost(table, task) + own, "that")

    def go_on(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
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
    """Over as soon as all tiles of a turn are laid (VI.3.1/3)."""

    def settled(self, table: MagTable, task: LayTrack) -> bool:
        return task.laid >= table.title.lays_in_turn


def spend_token(table: MagTable, minor: str) -> None:
    """It leaves the game (VI.3.2/13)."""
    tokens = table.state.terrain_tokens
    table.state.terrain_tokens = {**tokens, minor: tokens[minor] - 1}
    table.note(TerrainTokenGiven(minor))


class DeclareTokenStep(Plain[MagTable, LayTrack, DeclareToken]):
    """The site spends a token when it is declared, whatever is laid then (ruling terrain_token_spent)."""

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
    """Stations stay with their cities, and the old tile goes back to the supply (VI.3.3/8)."""
    put_tile(table, minor, action.hex, action.tile, action.rotation, city_successors(table, minor, action))


def legal_lays(table: MagTable, minor: str) -> Iterator[tuple[str, str, int]]:
    """Every lay that track and supply allow, as hex, tile, rotation."""
    step = LayTileStep()
    return step.lays(table, minor, step.tiles(table))


def city_successors(table: MagTable, minor: str, action: LayTile) -> tuple[int, ...] | None:
    """Which city of a new yellow OO tile carries on which old one (VI.3.2/18); of others their track says it."""
    if action.tile != YELLOW_OO:
        return None
    # Only the first city of this tile has track. It goes to the station there is; of two to the layer's own.
    here = [table.state.board.stations.get(city_id(action.hex, node), ()) for node in (0, 1)]
    favoured = action.track_for or minor
    second = favoured in here[1] or (not here[0] and bool(here[1]))
    if table.ruled("yellow_oo_stations") == "that in the first city":
        second = not here[0] and bool(here[1])
    return (1, 0) if second else (0, 1)
