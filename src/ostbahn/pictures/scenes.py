"""What there is to draw: a board with how its title looks at it, and the part of the plane that its map covers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from ostbahn.kernel.map.board import Board, Map
from ostbahn.kernel.map.tiles import Tile, TileSet
from ostbahn.pictures.geometry import APOTHEM, RADIUS, Point, centre_of
from ostbahn.pictures.land import NOWHERE, Land
from ostbahn.pictures.tiles import Mark

BESIDE: Final = RADIUS * 0.6
"""Room for the names of rows, at the left and at the right."""
ABOVE: Final = RADIUS * 0.9
"""Room for the numbers of columns, above and below."""


class BoardTitle(Protocol):
    """What a picture wants to know of a title."""

    def __hash__(self) -> int: ...
    @property
    def map(self) -> Map: ...
    @property
    def tiles(self) -> Mapping[str, Tile]: ...
    @property
    def tile_set(self) -> TileSet: ...


class Scene(NamedTuple):
    """A board to draw, and how the title looks at it."""

    title: BoardTitle
    board: Board
    colour: str
    """The colour of the phase, by which red areas and mines are worth what they are."""
    marks: Mapping[str, Mark]
    """How each company's stations look."""
    homes: Mapping[str, Sequence[str]] = {}
    """Where companies will have their first station that have not begun: city or hex to the companies."""
    land: Land = NOWHERE

    def stations_at(self, place: str) -> tuple[Mark, ...]:
        """The marks of the stations in a city, or of those in a hex that belong to none of its cities yet."""
        return tuple(self.marks[company] for company in self.board.stations.get(place, ()))

    def awaited_at(self, place: str) -> tuple[Mark, ...]:
        return tuple(self.marks[company] for company in self.homes.get(place, ()))


# Where things are


class Frame(NamedTuple):
    """The part of the plane that a map covers."""

    rows: str
    left: float
    top: float
    width: float
    height: float

    def centre(self, hex_id: str) -> Point:
        point = centre_of(self.rows.index(hex_id[0]), int(hex_id[1:]))
        return Point(point.x - self.left, point.y - self.top)


@lru_cache(maxsize=64)
def frame_of(map_: Map) -> Frame:
    rows = _rows(map_)
    centres = [centre_of(rows.index(hex_.id[0]), int(hex_.id[1:])) for hex_ in map_]
    left, right = min(point.x for point in centres) - APOTHEM, max(point.x for point in centres) + APOTHEM
    top, bottom = min(point.y for point in centres) - RADIUS, max(point.y for point in centres) + RADIUS
    return Frame(rows, left - BESIDE, top - ABOVE, right - left + 2 * BESIDE, bottom - top + 2 * ABOVE)


def _rows(map_: Map) -> str:
    """The rows from north to south: a row with a small letter lies above row A."""
    letters = sorted({hex_.id[0] for hex_ in map_}, key=lambda letter: (letter.isupper(), letter))
    capitals = [letter for letter in letters if letter.isupper()]
    between = [chr(code) for code in range(ord(capitals[0]), ord(capitals[-1]) + 1)]
    return "".join([*(letter for letter in letters if letter.islower()), *between])
