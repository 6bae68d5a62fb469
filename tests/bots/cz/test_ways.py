"""Ways to build: how many tiles are missing between places, on boards that differ in little."""

from __future__ import annotations

from ostbahn.kits.catalogue import rulebook
from ostbahn.titles.cz.opponents.track import track_distances_of
from ostbahn.titles.cz.title import CzTitle, cz_title

NOTHING: frozenset[str] = frozenset()


def test_bare_hexes_on_the_way_count_and_built_ones_do_not() -> None:
    """From G11 to the west: G9, G7."""
    for _ in range(2):
        boards = (NOTHING, frozenset({"G9"}))
        bare, built = (track_distances_of(cz_title().map, tiles, False).around("G11", 5) for tiles in boards)
        assert (bare["G11"], bare["G9"], bare["G7"]) == (0, 1, 2)
        assert (built["G11"], built["G9"], built["G7"]) == (0, 0, 1)


def test_nothing_is_farther_away_than_one_looks() -> None:
    country = track_distances_of(cz_title().map, NOTHING, False)
    assert max(country.around("G11", 2).values()) == 2
    assert max(country.around("G11", 3).values()) == 3


def test_double_cities_are_open_once_green_tiles_are() -> None:
    double = next(hex_ for hex_ in cz_title().map if hex_.printed.ground == "yellow")
    for _ in range(2):
        opened = [track_distances_of(cz_title().map, NOTHING, green).open(double) for green in (False, True)]
        assert opened == [False, True]


def test_every_board_has_its_own_country() -> None:
    """Brno and the west: Moravia-Silesia ends before G9."""
    moravia = rulebook("18CZ", "moravia", 3).title
    assert isinstance(moravia, CzTitle)
    for _ in range(2):
        assert "G9" in track_distances_of(cz_title().map, NOTHING, False).around("G19", 9)
        assert "G9" not in track_distances_of(moravia.map, NOTHING, False).around("G19", 9)
