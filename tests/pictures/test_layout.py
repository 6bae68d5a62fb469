"""Where things stand on a tile: places and values inside the hex, clear of each other, and of track where they can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product

import pytest

from ostbahn.kernel.map.hexes import sides_of
from ostbahn.kernel.map.tiles import Face, Node
from ostbahn.kits.catalogue import CATALOGUE, rulebook
from ostbahn.pictures.geometry import Point, _options, place_nodes
from ostbahn.pictures.tiles import PURPLE
from tests.pictures.svg_reader import XY, Shape, apart, gap, heading, nearest, turn_between
from tests.pictures.tile_reading import MIDDLES, ROUNDED, TILES, Drawn, crossings, inside, tiles, turned

pytestmark = pytest.mark.slow

of_each_tile = pytest.mark.parametrize(("title", "name"), TILES)


def overlap(one: Shape, other: Shape) -> float:
    """How far two things reach into each other, borders included; negative if they are apart."""
    borders = (one.width + other.width) / 2
    if one.radius and other.radius:
        return one.radius + other.radius + borders - apart(one.middle, other.middle)
    for disc, shape in ((one, other), (other, one)):
        if disc.radius:
            left, top, right, bottom = shape.box
            x, y = disc.middle
            within = left < x < right and top < y < bottom
            return disc.radius + borders + (99.0 if within else -nearest(disc.middle, shape.points))
    return borders - gap(one.points, other.points)


def stays_inside(shape: Shape) -> bool:
    return all(inside(point, shape.width / 2 - ROUNDED) for point in shape.points)


# Cities


@of_each_tile
def test_every_place_for_a_station_is_drawn_once(title: str, name: str) -> None:
    for tile in turned(title, name):
        assert [len(place) for place in tile.places] == [
            node.slots if node.kind != "town" else 1 for node in tile.face.nodes
        ], tile.key
        assert len(tile.slots) == sum(node.slots for node in tile.face.nodes), tile.key


@of_each_tile
def test_cities_lie_in_the_hex(title: str, name: str) -> None:
    for tile in turned(title, name):
        for shape in (*tile.slots, *tile.grounds, *tile.towns):
            assert stays_inside(shape), f"{tile.key}: something of a place reaches out of the hex near {shape.middle}"


@of_each_tile
def test_places_do_not_overlap(title: str, name: str) -> None:
    """Slots of different cities have ground between them; those of one city may touch, as their borders do."""
    for tile in turned(title, name):
        for one, other in combinations(tile.places, 2):
            reach = max(overlap(first, second) for first in one for second in other)
            assert reach <= 0, f"{tile.key}: two places overlap by {reach:.1f}"
        for place in tile.places:
            for first, second in combinations(place, 2):
                assert apart(first.middle, second.middle) >= first.radius + second.radius - 2 * ROUNDED, tile.key


@of_each_tile
def test_slots_of_a_city_stand_on_one_ground(title: str, name: str) -> None:
    for tile in turned(title, name):
        shared = [place for place in tile.places if len(place) > 1]
        assert len(tile.grounds) >= len(shared), tile.key
        for slot in (slot for place in shared for slot in place):
            left, top, right, bottom = tile.grounds[0].box
            x, y = slot.middle
            radius = slot.radius - ROUNDED
            assert left <= x - radius, tile.key
            assert x + radius <= right, tile.key
            assert top <= y - radius, tile.key
            assert y + radius <= bottom, tile.key


@of_each_tile
def test_a_city_does_not_lie_on_the_track_of_another(title: str, name: str) -> None:
    """Otherwise it looks as if that track led into it."""
    for tile in turned(title, name):
        for place, shapes in enumerate(tile.places):
            for line in tile.tracks:
                if not {tile.end(line[0]), tile.end(line[-1])} & {f"place {place}"} and place not in tile.passes(line):
                    for shape in shapes:
                        near = nearest(shape.middle, line) if shape.radius else gap(shape.points, line)
                        reach = shape.radius + 3.25 - near
                        assert reach <= 0, f"{tile.key}: place {place} lies {reach:.1f} over other track"


# Towns


@of_each_tile
def test_a_town_with_two_exits_is_a_bar_across_its_track(title: str, name: str) -> None:
    for tile in turned(title, name):
        for node, place in enumerate(tile.places):
            if tile.face.nodes[node].kind != "town" or len(sides_of(tile.face.node_exits[node])) != 2:
                continue
            (bar,) = place
            assert bar.kind == "rect", f"{tile.key}: the town is a {bar.kind}"
            (line,) = [line for line in tile.tracks if nearest(bar.middle, line) < 1 and runs_to(tile, line, node)]
            at = min(range(1, len(line) - 1), key=lambda index: apart(bar.middle, line[index]))
            assert turn_between(along(bar), heading((line[at - 1], line[at + 1]))) > 90 - 4, tile.key


def along(bar: Shape) -> float:
    """The direction of the longer side of a bar."""
    corners = [point for point, turn in zip(bar.points, corner_turns(bar), strict=True) if turn > 45]
    first, second = max(pairwise(corners), key=lambda pair: apart(*pair))
    return heading((first, second))


def corner_turns(bar: Shape) -> list[float]:
    points = bar.points
    unique = [index for index in range(len(points)) if apart(points[index], points[index - 1]) > 0.01]
    turns = [0.0] * len(points)
    for before, index, after in zip([unique[-1], *unique], unique, [*unique[1:], unique[0]], strict=False):
        turns[index] = turn_between(heading((points[before], points[index])), heading((points[index], points[after])))
    return turns


def runs_to(tile: Drawn, line: tuple[XY, ...], node: int) -> bool:
    ends = {tile.end(line[0]), tile.end(line[-1])}
    return ends == {f"side {side}" for side in sides_of(tile.face.node_exits[node])}


@of_each_tile
def test_towns_keep_off_crossings(title: str, name: str) -> None:
    """A bar on a crossing would belong to both tracks."""
    for tile in turned(title, name):
        for *_, spot in crossings(tile):
            for town in tile.towns:
                near = nearest(spot, town.points)
                assert near > 3.5, f"{tile.key}: a town stands on the crossing at {spot}"


# Values and labels


@of_each_tile
def test_values_lie_in_the_hex(title: str, name: str) -> None:
    for tile in turned(title, name):
        for badge in tile.badges:
            assert stays_inside(badge), f"{tile.key}: the value at {badge.middle} reaches out of the hex"


@of_each_tile
def test_values_keep_off_places_and_each_other(title: str, name: str) -> None:
    for tile in turned(title, name):
        things = [*tile.slots, *tile.grounds, *tile.towns]
        for badge in tile.badges:
            reach = max((overlap(badge, thing) for thing in things), default=-99.0)
            assert reach <= 0, f"{tile.key}: the value at {badge.middle} overlaps a place by {reach:.1f}"
        for one, other in combinations(tile.badges, 2):
            assert overlap(one, other) <= 0, f"{tile.key}: two values overlap"


@of_each_tile
def test_the_label_keeps_off_places_values_and_the_number(title: str, name: str) -> None:
    for tile in turned(title, name):
        if tile.tile.label is None:
            continue
        (label,) = tile.labels
        assert all(inside(point) for point in label.points), f"{tile.key}: the label reaches out of the hex"
        for thing in (*tile.slots, *tile.grounds, *tile.towns, *tile.badges):
            assert overlap(label, thing) <= 0, f"{tile.key}: the label lies over something at {thing.middle}"
        number = next(text for text in tile.texts if text.words == name)
        assert apart_boxes(label, number), f"{tile.key}: the label lies over the number"


def apart_boxes(one: Shape, other: Shape) -> bool:
    """With a hair of ground between them."""
    left, top, right, bottom = one.box
    left, top, right, bottom = left - 1, top - 1, right + 1, bottom + 1
    other_left, other_top, other_right, other_bottom = other.box
    return left >= other_right or right <= other_left or top >= other_bottom or bottom <= other_top


@of_each_tile
def test_the_number_lies_in_the_hex_clear_of_places_and_values(title: str, name: str) -> None:
    for tile in turned(title, name):
        number = next(text for text in tile.texts if text.words == name)
        assert all(inside(point, 1.0) for point in number.points), f"{tile.key}: the number touches the border"
        for thing in (*tile.slots, *tile.grounds, *tile.towns, *tile.badges):
            assert overlap(number, thing) <= 0, f"{tile.key}: the number lies over something at {thing.middle}"


@of_each_tile
def test_nothing_lies_on_a_purple_edge(title: str, name: str) -> None:
    for tile in turned(title, name):
        edges = [shape for shape in tile.shapes if tile.tile.purple and shape.at.get("stroke") == PURPLE]
        for edge in edges:
            for thing in (*tile.slots, *tile.grounds, *tile.badges, *tile.labels):
                reach = (edge.width + thing.width) / 2 - gap(thing.points, edge.points)
                assert reach <= 0, f"{tile.key}: {thing.words or thing.kind} lies {reach:.1f} over the purple edge"


def touches_track(tile: Drawn, badge: Shape) -> float:
    return badge.radius + badge.width / 2 + 3.25 - min((nearest(badge.middle, line) for line in tile.lines), default=99)


def free_spots(tile: Drawn, badge: Shape) -> list[XY]:
    """Spots of a fine grid where the badge would touch nothing at all, with a little room to spare."""
    reach = badge.radius + badge.width / 2 + 1
    things = [shape for shape in (*tile.slots, *tile.grounds, *tile.towns, *tile.labels)]
    things += [other for other in tile.badges if other is not badge]
    things.append(next(text for text in tile.texts if text.words == tile.name))
    points = [point for thing in things for point in thing.points]
    track = [point for line in tile.lines for point in line]
    grid = [(float(x), float(y)) for x in range(-40, 41, 4) for y in range(-44, 45, 4)]
    return [
        spot
        for spot in grid
        if inside(spot, reach)
        and nearest(spot, track) > reach + 3.25
        and nearest(spot, points) > reach
        and not any(apart(spot, slot.middle) < slot.radius for slot in tile.slots)
    ]


@of_each_tile
def test_values_keep_off_track_where_there_is_room(title: str, name: str) -> None:
    for tile in turned(title, name):
        for badge in tile.badges:
            reach = touches_track(tile, badge)
            if reach > 0:
                spots = free_spots(tile, badge)
                assert not spots, f"{tile.key}: the value lies {reach:.1f} over track; it had room at {spots[0]}"


@of_each_tile
def test_a_value_is_nearest_to_its_own_place(title: str, name: str) -> None:
    """Where places of a tile pay different amounts."""
    values = {node.value for node in tiles(title)[name].nodes if isinstance(node.value, int)}
    if len(values) < 2:
        return
    for tile in turned(title, name):
        for badge in tile.badges:
            words = next(text.words for text in tile.texts if apart(text.middle, badge.middle) < 3)
            order = sorted(range(len(tile.places)), key=lambda node: apart(tile.places[node][0].middle, badge.middle))
            assert tile.face.nodes[order[0]].value == int(words), f"{tile.key}: {words} stands at another place"


def test_the_middles_of_sides_are_six_points_at_equal_distance() -> None:
    """So that the measures of these tests are known to be right."""
    assert all(apart(MIDDLES[side], MIDDLES[side - 1]) == pytest.approx(43.3, abs=0.05) for side in range(6))


# Many places


def test_places_stand_as_far_apart_as_any_choice_of_their_spots_allows() -> None:
    """On every tile and printed hex, four places on one included."""
    for face in all_faces():
        spots = [[place.centre for place in _options(face, node)] for node in range(len(face.nodes))]
        farthest = max(map(spread, product(*spots)))
        assert spread([place.centre for place in place_nodes(face)]) == farthest


def all_faces() -> list[Face]:
    """Those with several places."""
    titles = [rulebook(entry.title, entry.variant, entry.players[0]).title for entry in CATALOGUE]
    faces = [face for title in titles for turned in title.tile_set.faces.values() for face in turned]
    faces += [hex_.face for title in titles for hex_ in title.map]
    return [face for face in faces if len(face.nodes) > 1]


def spread(spots: Sequence[Point]) -> float:
    return min(one.distance(other) for one, other in combinations(spots, 2))


def test_twice_as_many_towns_do_not_take_a_thousand_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board from a file may have many towns in a hex; what is counted is how often a distance is measured."""
    measure, measured = Point.distance, Counter[int]()

    def counted(self: Point, other: Point) -> float:
        measured[towns] += 1
        return measure(self, other)

    monkeypatch.setattr(Point, "distance", counted)
    for towns in (3, 6):
        place_nodes(Face((Node("town"),) * towns, (0,) * towns, frozenset()))
    assert measured[6] < 10 * measured[3]
