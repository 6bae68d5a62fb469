"""Tiles: how they look when turned, and which may replace which."""

from __future__ import annotations

import pytest

from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kernel.map.tiles import Face, Node, Tile, TileSet, face_of, heir, heirs, preserves

SW, W, NW, NE, E, SE = range(6)
CITY = Node("city", 20, slots=1)
TOWN = Node("town", 10)
Track = tuple[tuple[str | int, str | int], ...]


def mask(*sides: int) -> int:
    return sum(1 << side for side in sides)


def face(nodes: tuple[Node, ...], *track: tuple[str | int, str | int]) -> Face:
    return face_of(nodes, track)


def plain(*track: tuple[str | int, str | int], colour: str = "yellow", label: str | None = None) -> Tile:
    return Tile(colour, 1, track, label=label)


def located(node: Node, *sides: str, colour: str = "yellow", label: str | None = None) -> Tile:
    return Tile(colour, 1, tuple((side, 0) for side in sides), nodes=(node,), label=label)


# Rotations that look the same


def test_rotations_that_look_the_same_are_known() -> None:
    two = (TOWN, TOWN)
    tiles = TileSet(
        {
            "straight": plain(("W", "E")),
            "star": located(CITY, *DIRECTIONS),
            "bend": plain(("W", "NE")),
            "two towns": Tile("yellow", 1, (("SW", 0), ("NE", 0), ("W", 1), ("E", 1)), nodes=two),
            "town and city": Tile("yellow", 1, (("SW", 0), ("NE", 1)), nodes=(TOWN, CITY)),
            "one way up": Tile("yellow", 1, (("W", "E"),), rotations=(2,)),
        }
    )
    assert tiles.alike["straight"] == ((0, 3), (1, 4), (2, 5)) * 2
    assert tiles.alike["star"] == ((0, 1, 2, 3, 4, 5),) * 6
    assert tiles.alike["bend"] == tuple((turn,) for turn in range(6))
    assert tiles.alike["two towns"][1] == (1, 4), "towns that pay the same may change places"
    assert tiles.alike["town and city"][1] == (1,), "a town and a city may not"
    assert tiles.alike["one way up"] == ((), (), (2,), (), (), ())
    assert list(tiles.distinct("straight", [1, 3, 4])) == [1]


# Faces


def test_a_face_knows_where_plain_track_leads() -> None:
    fork = face((), ("SW", "NE"), ("SW", "E"))
    assert set(fork.through[SW]) == {NE, E}
    assert set(fork.through[NE]) == {SW}, "no way from branch to branch"
    assert set(fork.through[E]) == {SW}
    assert not fork.through[W]
    assert fork.exits == mask(SW, NE, E)


def test_a_face_knows_which_location_each_side_leads_to() -> None:
    two = face((TOWN, TOWN), ("SW", 0), (0, "NE"), ("W", 1), ("E", 1))
    assert two.node_exits == (mask(SW, NE), mask(W, E))
    assert [two.node_at[side] for side in range(6)] == [(0,), (1,), (), (0,), (1,), ()]
    assert two.exits == mask(SW, NE, W, E)
    assert not two.pairs


@pytest.mark.parametrize("rotation", range(6))
def test_turning_a_tile_is_turning_every_piece_of_it(rotation: int) -> None:
    track: Track = (("SW", "NE"), ("SW", "E"), ("W", 0), ("NW", 0))
    turned_track: Track = tuple(
        tuple(  # type: ignore[misc]
            DIRECTIONS[(DIRECTIONS.index(end) + rotation) % 6] if isinstance(end, str) else end for end in piece
        )
        for piece in track
    )
    turned, drawn = face_of((CITY,), track).turned(rotation), face_of((CITY,), turned_track)
    assert (turned.pairs, turned.node_exits, turned.exits) == (drawn.pairs, drawn.node_exits, drawn.exits)
    assert [set(ends) for ends in turned.through] == [set(ends) for ends in drawn.through]
    assert turned.node_at == drawn.node_at


# What a promotion keeps


def test_the_heir_of_a_city_is_the_city_with_all_its_track() -> None:
    new = face((CITY, CITY), ("SW", 0), ("NW", 0), ("W", 1), ("NE", 1))
    assert heir(mask(SW), "city", new) == 0
    assert heir(mask(W, NE), "city", new) == 1
    assert heir(mask(SW, W), "city", new) is None, "its track would be torn between two cities"
    assert heir(mask(W), "town", new) is None


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (face((CITY,), ("SW", 0)), face((CITY,), ("SW", 0), ("E", 0)), (0,)),
        (face((CITY, CITY), ("SW", 0), ("E", 1)), face((CITY, CITY), ("E", 0), ("SW", 1)), (1, 0)),
        (face((CITY, CITY), ("SW", 0), ("E", 1)), face((CITY,), ("SW", 0), ("E", 0)), (0, 0)),
        (face((CITY, CITY), ("SW", 0), ("E", 1)), face((CITY, CITY), ("SW", 0), ("E", 0), ("W", 1)), None),
        (face((CITY, CITY), ("SW", 0)), face((CITY, CITY), ("W", 0), ("SW", 1), ("E", 1)), (1, 0)),
        (face((CITY, CITY), ("SW", 1)), face((CITY, CITY), ("SW", 0), ("E", 1)), (1, 0)),
        (face((CITY, CITY)), face((CITY, CITY), ("SW", 0)), (0, 1)),
        (face((TOWN, CITY), ("SW", 0), ("E", 1)), face((CITY, TOWN), ("E", 0), ("SW", 1)), (1, 0)),
        (face((CITY,), ("SW", 0)), face((CITY, CITY), ("E", 0), ("SW", 1)), (1,)),
        (face((CITY,), ("SW", 0)), face((TOWN,), ("SW", 0)), None),
        (face((CITY,), ("SW", 0)), face((CITY,), ("E", 0)), None),
        (face(()), face((CITY,), ("E", 0)), ()),
    ],
)
def test_every_place_has_an_heir_of_its_own_unless_they_are_drawn_together(
    old: Face, new: Face, found: tuple[int, ...] | None
) -> None:
    assert heirs(old, new) == found


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (face((), ("SW", "NE")), face((), ("SW", "NE"), ("W", "E")), True),
        (face((), ("SW", "NE")), face((), ("SW", "E"), ("W", "NE")), False),
        (face((), ("SW", "NE")), face((CITY,), ("SW", 0), ("NE", 0)), False),
        (face((CITY,), ("SW", 0)), face((CITY,), ("SW", 0), ("W", 0)), True),
        (face((CITY,), ("SW", 0)), face((CITY,), ("W", 0), ("E", 0)), False),
        (face((CITY,), ("SW", 0)), face((TOWN,), ("SW", 0), ("W", 0)), False),
        (face((CITY,), ("SW", 0)), face((), ("SW", "W")), False),
        (face((CITY, CITY), ("SW", 0), ("E", 1)), face((CITY,), ("SW", 0), ("E", 0)), True),
        (face((CITY, CITY), ("SW", 0), ("E", 1)), face((CITY,), ("SW", 0), ("W", 0)), False),
        (face((CITY,), ("SW", 0), ("E", 0)), face((CITY, CITY), ("SW", 0), ("E", 1)), False),
        (face((TOWN,), ("SW", 0)), face((TOWN, CITY), ("SW", 0), ("E", 1)), False),
    ],
)
def test_a_promotion_keeps_track_and_locations(old: Face, new: Face, kept: bool) -> None:
    assert preserves(old, new) is kept


def test_promotions_go_up_one_colour_whatever_the_label() -> None:
    """Labels are the hex's matter: some bind only from a colour on."""
    tiles = TileSet(
        {
            "bend": plain(("SW", "W")),
            "fork": plain(("SW", "W"), ("SW", "NE"), colour="green"),
            "marked": plain(("SW", "W"), ("SW", "E"), colour="green", label="X"),
            "late": plain(("SW", "W"), ("SW", "NE"), ("W", "NE"), colour="brown"),
            "straight": plain(("SW", "NE")),
            "city": located(CITY, "SW", "W", colour="green"),
            "home": Tile("red", 1, (("SW", 0), ("W", 0)), nodes=(Node("red"),), company="K"),
        }
    )
    assert set(tiles.promotions["bend"]) == {"fork", "marked"}
    assert set(tiles.promotions["straight"]) == {"fork"}
    assert set(tiles.promotions["fork"]) == {"late"}
    assert not tiles.promotions["late"]
    assert not tiles.promotions["home"]


def test_promotions_tell_the_turns_relative_to_the_old_tile() -> None:
    tiles = TileSet({"bend": plain(("SW", "W")), "fork": plain(("SW", "W"), ("SW", "SE"), colour="green")})
    # The fork has two sharp bends, SW-W and SE-SW: it lies over the bend as drawn, or turned one step.
    assert sorted(tiles.promotions["bend"]["fork"]) == [0, 1]


def test_a_symmetric_tile_may_lie_in_several_ways() -> None:
    tiles = TileSet(
        {"through": located(CITY, "SW", "NE"), "cross": located(CITY, "SW", "W", "NE", "E", colour="green")}
    )
    assert sorted(tiles.promotions["through"]["cross"]) == [0, 2, 3, 5]
