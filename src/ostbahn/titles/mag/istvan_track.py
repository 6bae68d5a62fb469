"""Track of István's minors: they only promote cities (18Mag XI.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import Hex, hex_of
from ostbahn.kernel.map.hexes import opposite, sides_of
from ostbahn.kernel.money import BANK, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import Decision, Routine, Step
from ostbahn.titles.mag.actions import LayTile
from ostbahn.titles.mag.majors import TERRAIN, pay_service
from ostbahn.titles.mag.solo_table import ISTVAN, SoloTable
from ostbahn.titles.mag.state import IstvanPromotes, IstvanTrack
from ostbahn.titles.mag.track import lay_tile, legal_lays, terrain_cost


class PromoteCity(Routine[SoloTable, IstvanTrack]):
    """Make the best promotion; the human chooses among equally good ones (XI.2.1)."""

    def proceed(self, table: SoloTable, task: IstvanTrack) -> None:
        table.pop()
        pay_building_fee(table, task.company)
        allowed = best_promotions(table, task.company)
        # Rotations that look the same are one promotion, but games of version 0.1 recorded a choice among them.
        alike = [rotation for lay in allowed for rotation in table.title.tile_set.alike[lay.tile][lay.rotation]]
        if len(alike) == 1:
            promote(table, task.company, allowed[0])
        elif allowed:
            table.push(IstvanPromotes(task.company))


def pay_building_fee(table: SoloTable, minor: str) -> None:
    """Pay SzKÉV for building in the yellow phase, if the minor has a train and the money (XI.2.1/6)."""
    fee = table.title.solo.fee
    due = table.state.phase == fee.phase and table.trains_of(minor)
    if due and table.state.cash[minor] >= fee.price:
        pay(table, minor, fee.major, fee.price, "building in the yellow phase", "track")


def best_promotions(table: SoloTable, minor: str) -> list[LayTile]:
    """Equally good promotions of the home, or else of the nearest cities (XI.2.1/4, XI.2.1/5)."""
    by_hex: dict[str, list[LayTile]] = {}
    for hex_id, tile, rotation in legal_lays(table, minor):
        if hex_id in table.state.board.tiles and "city" in table.title.tile_set.faces[tile][rotation].kinds:
            by_hex.setdefault(hex_id, []).append(LayTile(hex_id, tile, rotation))
    home = table.title.minors[minor].home.hex
    if home in by_hex:
        hexes = [home]
    else:
        board, surveyor = table.state.board, table.title.surveyor
        stations = board.stations_of(minor)

        def is_closed(hex_: Hex, node: int) -> bool:
            return surveyor.closed(board, hex_, node, minor)

        from_home = city_distances(table, [city for city in stations if hex_of(city) == home], is_closed)
        distances = from_home if from_home.keys() & by_hex.keys() else city_distances(table, stations, is_closed)
        nearest = min((distances[hex_id] for hex_id in by_hex if hex_id in distances), default=0)
        hexes = [hex_id for hex_id in by_hex if distances.get(hex_id) == nearest]
    return [action for hex_id in hexes for action in most_joining(table, hex_id, by_hex[hex_id])]


def city_distances(table: SoloTable, stations: Sequence[str], is_closed: Callable[[Hex, int], bool]) -> dict[str, int]:
    """Distance along track, in hexes, from stations to every hex with a city (breadth-first search).

    is_closed: whether track may reach a node of a hex, but not pass it.
    """
    board, title = table.state.board, table.title
    distances: dict[str, int] = {}
    queue: list[tuple[Hex, int, int]] = []
    for city in stations:
        hex_id, _, number = city.partition(".")
        distances[hex_id] = 0
        exits = board.face(title.tile_set, title.map[hex_id]).node_exits[int(number)]
        queue += [(title.map[hex_id], side, 0) for side in sides_of(exits)]
    visited: set[tuple[str, int]] = set()
    for hex_, side, steps in queue:
        neighbour, entry = hex_.neighbours[side], opposite(side)
        if neighbour is None or (neighbour.id, entry) in visited:
            continue
        visited.add((neighbour.id, entry))
        face = title.tile_set.lying(board, neighbour)
        onward = list(face.through[entry])
        for node in face.node_at[entry]:
            if face.nodes[node].kind == "city":
                distances.setdefault(neighbour.id, steps + 1)
            if not is_closed(neighbour, node):
                onward += [other for other in sides_of(face.node_exits[node]) if other != entry]
        queue += [(neighbour, other, steps + 1) for other in onward]
    return distances


def most_joining(table: SoloTable, hex_id: str, actions: list[LayTile]) -> list[LayTile]:
    """Promotions of a hex that join the most loose ends of neighbouring track (XI.2.1/5)."""
    board, title = table.state.board, table.title
    hex_ = title.map[hex_id]
    old_exits = title.tile_set.lying(board, hex_).exits
    loose_ends = 0
    for side, neighbour in enumerate(hex_.neighbours):
        if neighbour is not None and not old_exits >> side & 1:
            loose_ends |= (title.tile_set.lying(board, neighbour).exits >> opposite(side) & 1) << side
    joined_counts = [(title.tile_set.faces[lay.tile][lay.rotation].exits & loose_ends).bit_count() for lay in actions]
    highest = max(joined_counts)
    return [action for action, count in zip(actions, joined_counts, strict=True) if count == highest]


def promote(table: SoloTable, minor: str, action: LayTile) -> None:
    """Promote a tile; the bank pays for the terrain (XI.2.1/3)."""
    pay_service(table, BANK, "terrain", terrain_cost(table, action.hex), f"{TERRAIN} {table.at(action.hex)}", "track")
    lay_tile(table, minor, action)


class ChoosePromotionStep(Step[SoloTable, IstvanPromotes, LayTile]):
    """Choose one of the equally good promotions (XI.2.1/4, XI.2.1/5)."""

    action = LayTile

    def answers(self, table: SoloTable, task: IstvanPromotes) -> Iterator[Option]:
        for action in best_promotions(table, task.company):
            yield Option(action)

    def refusal(self, table: SoloTable, task: IstvanPromotes, action: LayTile) -> Refusal | None:
        allowed = best_promotions(table, task.company)
        alike = table.title.tile_set.alike
        looks_like_allowed = any(
            replace(action, rotation=lay.rotation) == lay and action.rotation in alike[lay.tile][lay.rotation]
            for lay in allowed
        )
        if looks_like_allowed:
            return None
        hexes = {other.hex for other in allowed}
        if action.hex not in hexes:
            where = " or ".join(map(table.place, sorted(hexes)))
            return table.refuse("XI.2.1/4", f"minor {task.company} promotes its home or the nearest city: {where}")
        return table.refuse("XI.2.1/5", f"the new tile {table.at(action.hex)} must join as many loose tracks as it can")

    def perform(self, table: SoloTable, task: IstvanPromotes, action: LayTile) -> None:
        table.pop()
        promote(table, task.company, action)


class PromotionDecision(Decision[SoloTable, IstvanPromotes]):
    order_rule = "XI.2.1/4"
    asks_for = "choose István's promotion"

    def decider(self, table: SoloTable, task: IstvanPromotes) -> str:
        return next(player for player in table.state.players if player != ISTVAN)

    def company(self, table: SoloTable, task: IstvanPromotes) -> str | None:
        return task.company
