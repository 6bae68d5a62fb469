"""What people call places: by name, by a side of the compass, or by their hex."""

from __future__ import annotations

import pytest

from ostbahn.kernel.map.board import Board, at_place, compass_names, place_name
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.mag.title import mag_title


def mask(*sides: str) -> int:
    return sum(1 << DIRECTIONS.index(side) for side in sides)


@pytest.mark.parametrize(
    ("exits", "told"),
    [
        ((mask("NE", "E"),), ("",)),
        ((mask("W"), mask("E")), ("west", "east")),
        ((mask("NW", "NE"), mask("SW", "SE")), ("north", "south")),
        ((mask("W", "E"), mask("NW", "NE")), ("W–E", "north")),
        ((mask("SW", "W", "NW"), mask("NE", "SE")), ("west", "east")),
        ((mask("NE"), 0), ("north-east", "")),
        ((0, 0), ("", "")),
    ],
)
def test_places_of_one_hex_are_told_apart_by_where_their_track_goes(
    exits: tuple[int, ...], told: tuple[str, ...]
) -> None:
    assert compass_names(exits) == told


def test_every_place_of_every_tile_has_a_bearing_of_its_own() -> None:
    for title in (cz_title(), mag_title()):
        for faces in title.tile_set.faces.values():
            for face in faces:
                found = compass_names(face.node_exits)
                assert len(set(found)) == len(found) or len(found) == 1


def test_a_city_has_its_name_on_the_map_and_a_bearing_on_a_tile() -> None:
    title = mag_title()
    assert place_name(title, "E12.0") == "Buda"
    assert place_name(title, "E12.1", Board({}, {})) == "Pest"
    laid = Board({"E12": ("L33", 2)}, {})
    names = {place_name(title, f"E12.{node}", laid) for node in (0, 1)}
    assert names == {"Buda & Pest (east)", "Buda & Pest (west)"}
    assert place_name(title, "E12", laid) == "Buda & Pest"


def test_what_has_no_name_is_called_by_its_hex() -> None:
    title = cz_title()
    assert place_name(title, "I9.0") == "Strakonice"
    assert place_name(title, "D22") == place_name(title, "D22.0") == "D22"
    assert (at_place(title, "E11"), at_place(title, "D22")) == ("in Praha", "on D22")
    assert place_name(title, "Z99.4") == "Z99.4", "what is not on the map is called as somebody wrote it"
    assert place_name(title, "E11.9") == place_name(title, "E11.x") == "Praha"
