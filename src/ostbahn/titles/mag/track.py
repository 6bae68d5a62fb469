"""Laying and promoting track (18Mag VI.3.2, VI.3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Apart, Hex, carrying_on, city_id, label_for, moved_stations
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import COLOURS, heirs
from ostbahn.kernel.money import BANK
from ostbahn.kernel.native import native
from ostbahn.kernel.questions import Option
from ostbahn.kernel.records import TileLaid
from ostbahn.kernel.steps import Plain, Step
from ostbahn.titles.mag.actions import DeclareToken, LayTile
from ostbahn.titles.mag.events import TerrainTokenGiven
from ostbahn.titles.mag.majors import TERRAIN, pay_service
from ostbahn.titles.mag.rounds import Asking
from ostbahn.titles.mag.state import LayTrack, MagTable
from ostbahn.titles.mag.title import MagTitle

# Which lays there are


def lays(table: MagTable, minor: str) -> Iterator[tuple[str, str, int]]:
    """Every lay that track and supply allow, as hex, tile, rotation; one rotation stands for all that look the same."""
    tiles = at_hand(table)
    for site in sites(table, minor):
        for tile, rotation in carrying_on(site.fits, site.sides, tiles):
            yield site.hex, tile, rotation


class Site:
    """A hex to which track of a minor comes, and on which something fits."""

    def __init__(self, hex_id: str, sides: int, fits: Apart, cost: int) -> None:
        self.hex = hex_id
        self.sides = sides
        self.fits = fits
        self.cost = cost
        """What its terrain costs now."""


def sites(table: MagTable, minor: str) -> list[Site]:
    title, board = table.title, table.state.board
    hexes, tiles, fitting = title.map.hexes, board.tiles, title.fits
    found: list[Site] = []
    for hex_id, sides in title.surveyor.reach(board, minor).sides.items():
        hex_, laid = hexes[hex_id], tiles.get(hex_id)
        fits = fitting.apart(hex_, laid)
        if fits:
            found.append(Site(hex_id, sides, fits, cost_of(title, hex_, laid)))
    return found


def at_hand(table: MagTable) -> set[str]:
    """The tiles of open colours of which some are left."""
    supply, coloured = table.state.supply, table.title.coloured
    found: set[str] = set()
    for colour in table.title.open_colours(table.state.phase):
        for name, piece in coloured[colour]:
            if supply[piece]:
                found.add(name)
    return found


def lay_refusal(table: MagTable, action: LayTile) -> Refusal | None:
    """Why a tile may not be laid so by anybody; connections, money and the number of lays aside."""
    state, title = table.state, table.title
    hex_, tile = title.map.hexes.get(action.hex), title.tiles.get(action.tile)
    if hex_ is None:
        return table.refuse("VI.3.2/15", f"there is no hex {action.hex} on the map")
    if tile is None or action.rotation not in range(6):
        return table.refuse("II.3/4", f"there is no tile {action.tile} at rotation {action.rotation}")
    laid = state.board.tiles.get(hex_.id)
    if action.rotation not in title.fitting(hex_, laid).get(action.tile, ()):
        return why_not_fitting(table, hex_, laid, action)
    if not title.colour_open(tile.colour, state.phase):
        return table.refuse("VI.3.3/2", f"{tile.colour} tiles cannot be laid in the {state.phase} phase")
    if not state.supply[title.piece(action.tile)]:
        return table.refuse("II.3/4", f"no tile {action.tile} is left in the supply")
    return None


def why_not_fitting(table: MagTable, hex_: Hex, laid: tuple[str, int] | None, action: LayTile) -> Refusal:
    """The first rule that a tile breaks on a hex where it does not fit."""
    title, printed = table.title, hex_.printed
    tile, face = title.tiles[action.tile], title.tile_set.faces[action.tile][action.rotation]
    if printed.ground in ("red", "grey"):
        rule = "III.1/3" if printed.ground == "red" else "III.1/4"
        return table.refuse(rule, f"nothing can be built {table.at(hex_.id)}")
    there = None if laid is None else title.tiles[laid[0]].colour
    wanted = colour_to_come(table, hex_.id)
    if tile.colour != wanted:
        place, next_ = table.place(hex_.id), f"a {wanted} tile" if wanted else "no other tile"
        return table.refuse("VI.3.3/1", f"{place} is {there or 'bare'} and takes {next_}, not a {tile.colour} one")
    if tile.label != label_for(hex_, tile.colour):
        rules = {"OO": "VI.3.2/7", "B": "VI.3.2/8", "K": "VI.3.2/9"}
        return table.refuse(
            rules[tile.label or printed.label or "K"], f"tile {action.tile} does not belong {table.at(hex_.id)}"
        )
    old = title.tile_set.lying(table.state.board, hex_)
    if set(old.kinds) != set(face.kinds) or (laid is None and len(old.kinds) != len(face.kinds)):
        kind = old.kinds[0] if old.kinds else "open country"
        rule = {"town": "VI.3.2/5", "city": "VI.3.2/6"}.get(kind, "VI.3.2/10")
        return table.refuse(
            rule if laid is None else "VI.3.3/5", f"{table.place(hex_.id)} is {kind} and takes such tiles only"
        )
    beyond = face.exits & ~hex_.marked
    if any(beyond >> side & 1 for side in range(6) if DIRECTIONS[side] in printed.barriers):
        return table.refuse("VI.3.2/19", f"track would run against the barrier at {table.place(hex_.id)}")
    if beyond:
        return table.refuse("VI.3.2/15", f"track would run from {table.place(hex_.id)} to where no track can go")
    if tile.rotations is not None and action.rotation not in tile.rotations:
        return table.refuse("VI.3.2/17", "the river on the tile must continue the printed river")
    if hex_.shores and any(all(pair & ~shore for shore in hex_.shores) for pair in face.pairs):
        rule = "VI.3.2/21" if laid is None else "VI.3.3/11"
        return table.refuse(rule, f"track {table.at(hex_.id)} would cross Lake Balaton")
    return table.refuse(
        "VI.3.3/4", f"tile {action.tile} at that rotation would lose track that lies {table.at(hex_.id)}"
    )


def colour_to_come(table: MagTable, hex_id: str) -> str | None:
    """Of the tile that a hex takes next, if it takes any (VI.3.3/1)."""
    laid = table.state.board.tiles.get(hex_id)
    colours = COLOURS if laid is None else COLOURS[COLOURS.index(table.title.tiles[laid[0]].colour) + 1 :]
    return next(iter(colours), None)


# What a lay costs


def terrain_cost(table: MagTable, hex_id: str) -> int:
    """The first tile on a hex pays for its symbols (VI.3.2/11); OO and B tiles when they turn green (VI.3.3/9)."""
    return cost_of(table.title, table.title.map[hex_id], table.state.board.tiles.get(hex_id))


def cost_of(title: MagTitle, hex_: Hex, laid: tuple[str, int] | None) -> int:
    """The same of a hex by what lies there."""
    return hex_.printed.cost if laid is None else title.tiles[laid[0]].promotion_cost


def extra_cost(table: MagTable, task: LayTrack) -> int:
    """One of two lays is the extra yellow tile; the second one pays for it, whichever it is (VI.3.2/1, VI.3.2/2)."""
    return table.title.services["extra_tile"].price if task.laid else 0


# The step in a minor's turn


def is_promotion(table: MagTable, hex_id: str) -> bool:
    return hex_id in table.state.board.tiles


def cities_to_choose(table: MagTable, minor: str, hex_id: str, tile: str) -> list[str | None]:
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
class Lay(Step[MagTable, LayTrack, LayTile]):
    """One yellow tile or promotion, and one more yellow tile for 10 Ft (VI.3.1/3)."""

    action = LayTile
    payers: tuple[Payer, ...] = (Payer(), Payer(token=True))
    """Who may pay for the terrain, in the order in which it is offered."""

    def answers(self, table: MagTable, task: LayTrack) -> Iterator[Option]:
        if self.extra_cost(table, task) > table.state.cash[task.company]:
            return  # whatever the terrain, so nobody asks what the minor reaches
        willing = [payer for payer in self.payers if not self.unwilling(table, task, payer)]
        if not willing:
            return
        tiles = at_hand(table)
        able: dict[int, list[Payer]] = {}
        minor = task.company
        for site in sites(table, minor):
            hex_id = site.hex
            if self.too_many(table, task, hex_id):
                continue
            payers = able.get(site.cost)
            if payers is None:
                payers = [payer for payer in willing if not self.money(table, task, hex_id, payer)]
                able[site.cost] = payers
            for tile, rotation in (
                carrying_on(site.fits, self.sides_to_meet(table, site.sides), tiles) if payers else ()
            ):
                for other in cities_to_choose(table, minor, hex_id, tile):
                    for payer in payers:
                        yield Option(self.paid_by(payer, hex_id, tile, rotation, other))

    def refusal(self, table: MagTable, task: LayTrack, action: LayTile) -> Refusal | None:
        if refusal := lay_refusal(table, action) or self.disconnected(table, task.company, action):
            return refusal
        if refusal := self.too_many(table, task, action.hex):
            return refusal
        choices = cities_to_choose(table, task.company, action.hex, action.tile)
        if action.track_for not in choices:
            names = " or ".join(table.name(other) for other in choices)
            return table.refuse(
                "VI.3.2/18",
                f"the track is for {names}" if choices != [None] else "nobody chooses whose city gets the track",
            )
        payer = self.payer_of(action)
        return self.unwilling(table, task, payer) or self.money(table, task, action.hex, payer)

    def disconnected(self, table: MagTable, minor: str, action: LayTile) -> Refusal | None:
        """Why a minor's own track does not lead to a tile."""
        title, board = table.title, table.state.board
        sides = self.sides_to_meet(table, title.surveyor.reach(board, minor).sides.get(action.hex, 0))
        if title.tile_set.faces[action.tile][action.rotation].exits & sides:
            return None
        rule = "VI.3.3/3" if is_promotion(table, action.hex) else "VI.3.2/4"
        where = f"tile {action.tile} {table.at(action.hex)}"
        return table.refuse(rule, f"minor {minor} has no connection to track of {where}")

    def sides_to_meet(self, table: MagTable, sides: int) -> int:
        """Of which hex sides a tile must use one, where own track comes to some (VI.3.2/4, VI.3.3/3)."""
        return sides

    def payer_of(self, action: LayTile) -> Payer:
        return Payer(action.token)

    def paid_by(self, payer: Payer, hex_id: str, tile: str, rotation: int, track_for: str | None) -> LayTile:
        return LayTile(hex_id, tile, rotation, payer.token, track_for)

    def too_many(self, table: MagTable, task: LayTrack, hex_id: str) -> Refusal | None:
        """Why a turn has no room for a tile there."""
        if task.laid >= table.title.lays_in_turn:
            return table.refuse("VI.3.1/3", f"minor {task.company} has laid all the tiles of its turn")
        if task.promoted and is_promotion(table, hex_id):
            return table.refuse("VI.3.1/3", "a minor promotes only one tile in a turn")
        return None

    def unwilling(self, table: MagTable, task: LayTrack, payer: Payer) -> Refusal | None:
        """Why somebody pays for no terrain in this turn."""
        minor = task.company
        if not payer.token:
            return None
        if table.ruled("terrain_token_spent") == "when declared" or not table.state.terrain_tokens[minor]:
            return table.refuse("VI.3.2/13", f"minor {minor} has no terrain token to give with this tile")
        return None

    def money(self, table: MagTable, task: LayTrack, hex_id: str, payer: Payer) -> Refusal | None:
        """Why the terrain of a hex cannot be paid so, or the extra tile with it.

        Where terrain costs as much it is the same.
        """
        minor = task.company
        terrain, cash = terrain_cost(table, hex_id), table.state.cash[minor]
        if payer.token and not terrain:
            return table.refuse("VI.3.2/13", f"there is no terrain cost {table.at(hex_id)} that a token could cover")
        own = 0 if payer.covers(task) else terrain
        due = self.extra_cost(table, task) + own
        if due > cash:
            rule = "VI.3.3/10" if is_promotion(table, hex_id) else "VI.3.2/11"
            return table.refuse(
                rule if own else "VI.3.2/1", f"that costs {due} Ft and minor {minor} has only {cash} Ft"
            )
        return None

    def perform(self, table: MagTable, task: LayTrack, action: LayTile) -> None:
        minor, promotion = task.company, is_promotion(table, action.hex)
        terrain, extra = terrain_cost(table, action.hex), self.extra_cost(table, task)
        table.replace(self.after(task, promotion, task.token and not terrain))
        if action.token:
            spend_token(table, minor)
        payer = BANK if self.payer_of(action).covers(task) else minor
        pay_service(table, payer, "terrain", terrain, f"{TERRAIN} {table.at(action.hex)}", "track")
        pay_service(table, minor, "extra_tile", extra, "extra tile", "track")
        lay(table, minor, action)

    def extra_cost(self, table: MagTable, task: LayTrack) -> int:
        return extra_cost(table, task)

    def after(self, task: LayTrack, promotion: bool, token: bool) -> LayTrack:
        """The turn after a lay."""
        return LayTrack(task.company, task.laid + 1, task.promoted or promotion, token)


@native(allow_interpreted_subclasses=True)
class LayingTrack(Asking):
    """Over as soon as all tiles of a turn are laid (VI.3.1/3)."""

    def settled(self, table: MagTable, task: LayTrack) -> bool:
        return task.laid >= table.title.lays_in_turn


def spend_token(table: MagTable, minor: str) -> None:
    """It leaves the game (VI.3.2/13)."""
    tokens = table.state.terrain_tokens
    table.state.terrain_tokens = {**tokens, minor: tokens[minor] - 1}
    table.note(TerrainTokenGiven(minor))


class Declare(Plain[MagTable, LayTrack, DeclareToken]):
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


# What a lay does


def lay(table: MagTable, minor: str, action: LayTile) -> None:
    """Put the tile down; stations stay with their cities; the old tile goes back to the supply (VI.3.3/8)."""
    state, title = table.state, table.title
    hex_ = title.map[action.hex]
    old = state.board.tiles.get(hex_.id)
    supply = dict(state.supply)
    supply[title.piece(action.tile)] -= 1
    if old is not None:
        supply[title.piece(old[0])] += 1
    state.supply = supply
    stations = moved_stations(state.board, hex_, successors(table, minor, hex_, action))
    state.board = state.board.with_tile(hex_.id, action.tile, action.rotation, stations)
    table.note(TileLaid(hex_.id, action.tile, action.rotation, minor))


def successors(table: MagTable, minor: str, hex_: Hex, action: LayTile) -> tuple[int, ...]:
    """Which city of the new tile carries on which old one (VI.3.2/18)."""
    new = table.title.tile_set.faces[action.tile][action.rotation]
    found = heirs(table.title.tile_set.lying(table.state.board, hex_), new) or ()
    if action.tile != YELLOW_OO:
        return found
    # Only the first city of this tile has track. It goes to the station there is; of two to the layer's own.
    here = [table.state.board.stations.get(city_id(hex_.id, node), ()) for node in (0, 1)]
    favoured = action.track_for or minor
    second = favoured in here[1] or (not here[0] and bool(here[1]))
    if table.ruled("yellow_oo_stations") == "that in the first city":
        second = not here[0] and bool(here[1])
    return (1, 0) if second else (0, 1)
