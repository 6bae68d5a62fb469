"""The optimiser of runs: every rule of routes by itself."""

from __future__ import annotations

from itertools import permutations

import pytest

from ostbahn.kernel.routes.network import BestRun, RunningTrain
from ostbahn.kernel.routes.optimiser import best_run
from tests.kernel import brute_force
from tests.kernel.networks import counted, earned, electric, line, network, normal, on_the_site, plus, ways

# Every kind of train


@pytest.mark.rule("18CZ VIII.7/4", "18CZ VIII.7/5")
@pytest.mark.parametrize(("size", "revenue"), [(2, 30), (3, 60), (4, 100), (5, 150), (9, 150)])
def test_a_normal_train_has_as_many_stops_as_its_number(size: int, revenue: int) -> None:
    assert earned(line("A20* b10 C30 d40 E50"), normal(size)) == revenue


@pytest.mark.rule("18CZ VIII.7/5")
def test_a_normal_train_leaves_out_no_town() -> None:
    assert ways(line("A20* b10 C90"), normal(2)) == {"2": "Ab"}
    assert earned(line("A20* b0 C90"), normal(2)) == 20
    assert earned(line("A20* b0 C90"), normal(3)) == 110


@pytest.mark.rule("18CZ VIII.7/6")
def test_a_plus_train_has_no_more_cities_than_its_first_number() -> None:
    assert earned(line("A20* B20 C40"), plus(2)) == 40
    assert earned(line("A20* b10 C40 d10 E50"), plus(2)) == 80
    assert earned(line("A20* B30* C40"), plus(2)) == 70


@pytest.mark.rule("18CZ VIII.7/6")
def test_towns_may_fill_all_stops_of_a_plus_train() -> None:
    assert earned(line("A20* b10 c10 d10 e10 f10"), plus(2)) == 50
    assert earned(line("b10 c10 A20* d10 e10 f10"), plus(2)) == 50
    assert earned(line("A20* b10 c10 d10 e10 f10"), plus(3)) == 70


@pytest.mark.rule("18CZ VIII.7/6")
def test_a_plus_train_leaves_out_no_town() -> None:
    assert earned(line("A20* b0 c0 d0 E90"), plus(2)) == 20
    assert earned(line("A20* b0 c0 E90"), plus(2)) == 110


@pytest.mark.rule("18CZ VIII.7/7", "18CZ VIII.8/1")
def test_an_e_train_passes_towns_that_do_not_count() -> None:
    assert earned(line("A20* b10 c10 d10 E30 F40"), electric(3)) == 90
    assert earned(line("A20* b10 c10 d10 e10 f10 g10 h10 I30"), electric(2)) == 50


@pytest.mark.rule("18CZ VIII.7/8")
def test_an_e_train_counts_the_best_towns_with_stops_to_spare() -> None:
    assert earned(line("A20* b10 c30 d20 E30"), electric(3)) == 80
    assert earned(line("A20* b10 c30 d20 E30"), electric(4)) == 100
    assert earned(line("A20* b10 c30 d20"), electric(8)) == 80
    assert earned(line("a20* b10 c30 d20"), electric(3)) == 70


@pytest.mark.rule("18CZ VIII.7/7")
def test_an_e_train_leaves_out_no_city() -> None:
    net = line("A60* B10 C50 D90")
    assert ways(net, electric(3)) == {"3E": "ABC"}
    assert ways(net, electric(4)) == {"4E": "ABCD"}
    assert earned(line("A60* B0 C50"), electric(2)) == 60


@pytest.mark.rule("18CZ VIII.7/7", "18CZ VIII.7/8")
def test_no_town_takes_the_place_of_a_city() -> None:
    """The town would pay more than either city, but all three stops are taken by cities."""
    assert earned(line("A10* b90 C10 D10"), electric(3)) == 110, "A, b and C; D is not reached"
    assert earned(line("A10* b90 C10 D10 E200"), electric(4)) == 230, "b is passed on the way to E"
    assert counted(electric(3), "A10 b90 C10 D10") == "ACD"
    assert counted(electric(4), "A10 b90 c50 D10 E10") == "AbDE"


@pytest.mark.rule("18CZ VIII.7/7")
def test_a_longer_way_with_fewer_cities_may_be_better() -> None:
    """By the towns a 3E gets from A to C and on to D; by the city B it would have to stop there."""
    net = network("A40* B10 C40 D50 x10 y10 z10", "A-B B-C C-D A-x x-y y-z z-C")
    assert ways(net, electric(3)) == {"3E": "AxyzCD"}
    assert earned(net, electric(3)) == 130


@pytest.mark.parametrize(
    ("train", "stops", "which"),
    [
        (normal(3), "A10 b90 C20", "AbC"),
        (plus(2), "A10 b90 c20 D20", "AbcD"),
        (electric(3), "A10 b20 c90 D20", "AcD"),
        (electric(2), "A10 b20 c90 D20", "AD"),
        (electric(8), "A10 b20 c90 D20", "AbcD"),
        (on_the_site(3), "A10 b20 c90 D20 E40", "bcE"),
        (on_the_site(4), "a90 b80 c70 d60 E10", "abcE"),
        (on_the_site(8), "a90 b80 c70 d60", "abc"),
        (on_the_site(3), "A10 B30 C20 D40", "BCD"),
    ],
)
def test_which_stops_of_a_route_pay(train: RunningTrain, stops: str, which: str) -> None:
    assert counted(train, stops) == which


@pytest.mark.rule("18CZ VIII.7/8")
def test_by_the_sites_reading_the_best_stops_count() -> None:
    net = line("A60* B10 c30 D50")
    assert earned(net, electric(3)) == 120, "A, B and D, past the town c"
    assert earned(net, on_the_site(3)) == 140, "A, c and D, past the city B"
    assert earned(line("A20* B0 C0 D0 E90"), on_the_site(2)) == 110


def test_by_the_sites_reading_no_more_than_three_towns_count() -> None:
    net = line("A20* b10 c20 d30 e40 f50")
    assert earned(net, electric(6)) == 170
    assert earned(net, on_the_site(6)) == 20 + 50 + 40 + 30
    assert earned(net, on_the_site(3)) == 120, "f, e and d; the station itself need not count"


def test_by_the_sites_reading_an_own_station_must_still_be_on_the_route() -> None:
    net = network("A0* B50 C60 D70", "A-B B-C C-D")
    assert ways(net, on_the_site(3)) == {"3S": "ABCD"}
    assert earned(net, on_the_site(3)) == 180


def test_any_number_of_stops_may_lie_between_two_that_count() -> None:
    """The stops are told in another order than they lie in, which is no way to find out at once what is ahead."""
    net = network("A10 B0 C10 D20 E20 G0*", "E-B B-A A-G G-C C-D")
    assert earned(net, on_the_site(2)) == 20 + 20


def test_an_own_station_may_stand_in_a_town_that_is_left_out() -> None:
    """No title has stations in towns, but a network can be written down that way."""
    net = network("A10* B10 c0* D10", "A-B B-D D-c")
    for train in (electric, on_the_site):
        assert earned(line("B10 D10 c0*"), train(2)) == 20
        assert earned(line("B10 c0* D10"), train(2)) == 20
        assert earned(net, train(2, "x"), train(2, "y")) == 20 + 20


# Stops


@pytest.mark.rule("18CZ VIII.7/2")
def test_a_route_has_two_stops_at_least() -> None:
    for train in (normal(2), plus(2), electric(2), on_the_site(2)):
        assert best_run(network("A90*", ""), [train]) == BestRun((), 0, 0)
        assert best_run(network("A90* B20", ""), [train]) == BestRun((), 0, 0)
        assert best_run(network("", ""), [train]) == BestRun((), 0, 0)


@pytest.mark.rule("18CZ VIII.7/2")
def test_two_stops_at_least_must_count() -> None:
    assert earned(line("a20* b30"), on_the_site(3, towns=2)) == 50
    assert earned(line("a20* b30"), on_the_site(3, towns=1)) == 0
    assert earned(line("a20* b30 C10"), on_the_site(3, towns=1)) == 40
    assert earned(line("A20* B30"), normal(1)) == 0
    assert earned(line("a20* b30"), electric(1)) == 0


@pytest.mark.rule("18CZ VIII.7/2")
def test_a_way_back_to_the_same_stop_is_no_route() -> None:
    assert earned(network("A90*", "A-A"), normal(3)) == 0
    assert earned(network("A90* B10", "A-A A-B"), electric(3)) == 100


@pytest.mark.rule("18CZ VIII.7/3")
def test_a_route_needs_an_own_station_at_an_end_or_on_the_way() -> None:
    assert earned(line("A50 B60 C10 D10*"), normal(2)) == 20
    assert earned(line("A50 B60 C10 D10"), normal(4)) == 0
    assert ways(line("A50 B20* C40 D90"), normal(3)) == {"3": "BCD"}
    assert ways(line("A50 B20* C40 D30"), normal(3)) == {"3": "ABC"}
    assert earned(line("A50 b20 c20 D10*"), electric(2)) == 60


@pytest.mark.rule("18CZ VIII.7/3")
def test_each_train_needs_an_own_station() -> None:
    assert ways(line("A50 B60* C70 D80"), normal(2, "x"), normal(2, "y")) == {"x": "BC", "y": "AB"}
    assert earned(line("A50 B60 C70* D80* E10"), normal(2, "x"), normal(2, "y")) == 150 + 130


@pytest.mark.rule("18CZ VIII.7/14")
def test_the_best_route_may_have_own_stations_only_in_its_middle() -> None:
    assert ways(line("A10 B90 C20* D10* E80 F10"), normal(4)) == {"4": "BCDE"}


@pytest.mark.rule("18CZ VIII.7/14", "18CZ VIII.6/2")
def test_a_closed_city_is_an_end() -> None:
    assert earned(line("A20* B30! C40"), normal(3)) == 50
    assert earned(line("A20* B30 C40"), normal(3)) == 90
    assert earned(line("A40! B20* C30!"), normal(3)) == 90
    assert earned(line("A20* B30! C40*"), normal(3)) == 70, "from the other side"
    assert earned(line("A20* B30! C40"), on_the_site(2)) == 50, "it may be left out, but not passed"


@pytest.mark.rule("18CZ VIII.7/13")
def test_a_red_tile_is_an_end_even_with_an_own_station() -> None:
    assert earned(line("A20 R90*! C40"), normal(3)) == 130
    assert earned(line("A20 R90*! C40"), normal(3, "x"), normal(3, "y")) == 130 + 110
    assert earned(line("A20* R90*! C40"), electric(3)) == 130
    assert ways(line("R90*! b10 S70!"), normal(3)) == {"3": "RbS"}


@pytest.mark.rule("18CZ VIII.7/12")
def test_a_red_tile_is_one_of_the_cities() -> None:
    assert earned(line("A20* B30 R40!"), plus(2)) == 50
    assert earned(line("A20* b10 c10 R40!"), plus(2)) == 80
    assert earned(line("A20* B30 R40!"), electric(2)) == 50


@pytest.mark.rule("18CZ VIII.7/9")
def test_a_route_calls_at_a_location_once() -> None:
    ring = network("A40* b10 c20", "A-b b-c c-A")
    assert earned(ring, normal(4)) == 70
    assert earned(ring, electric(4)) == 70
    eight = network("A40* B50 C60 D70 E80", "A-B B-C C-A A-D D-E E-A")
    assert earned(eight, normal(9)) == 40 + 50 + 60 + 70 + 80
    bow = network("X10* A40 B50 C60 D70 E80", "X-A A-B B-C C-A A-D D-E E-A")
    assert earned(bow, normal(9)) == 10 + 40 + 70 + 80, "one of the loops, and A not again"


@pytest.mark.rule("18CZ VIII.7/9", "18CZ VIII.7/7")
def test_a_town_left_out_was_visited_all_the_same() -> None:
    """To take in A, C and D a train would have to pass the town b on the way to C and on the way back."""
    net = network("A40* b10 C20 D90", "A-b b-C C-b b-D")
    for train in (electric(3), electric(4), on_the_site(4)):
        assert earned(net, train) == 40 + 10 + 90


@pytest.mark.rule("18CZ VIII.7/11")
def test_the_cities_of_praha_are_one_location() -> None:
    assert earned(network("P30*@Praha Q40@Praha", "P-Q"), normal(2)) == 0
    net = network("P30*@Praha Q40@Praha R50@Praha b10", "P-b b-Q b-R")
    assert earned(net, normal(3)) == 40
    assert earned(net, electric(3)) == 40
    assert earned(net, on_the_site(3)) == 40
    assert earned(network("P30*@Praha Q40*@Praha b10 C20", "P-b Q-b b-C"), normal(3)) == 70


@pytest.mark.rule("18CZ VIII.7/11", "18CZ VIII.7/17")
def test_different_trains_may_call_at_praha() -> None:
    net = network("P30*@Praha Q40*@Praha b10 c20", "P-b Q-c")
    assert earned(net, normal(2, "x"), normal(2, "y")) == 40 + 60


@pytest.mark.rule("18CZ VIII.7/10")
def test_other_cities_of_one_tile_are_locations_of_their_own() -> None:
    assert earned(network("A30* B40", "A-B"), normal(2)) == 70
    assert earned(network("A30* B40 c10", "A-c c-B"), normal(3)) == 80


# Track


@pytest.mark.rule("18CZ VIII.7/15")
def test_a_route_uses_a_hex_side_once() -> None:
    assert earned(network("A20* B30 C40", "A-B:xy B-C:yz"), normal(3)) == 50
    assert earned(network("A20* B30 C40", "A-B:xy B-C:zw"), normal(3)) == 90
    assert earned(network("A20 B30* C40", "A-B:x B-C:x"), normal(3)) == 70
    assert earned(network("A20 B30* C40 D50", "A-B:xy B-C:z C-D:yw"), normal(4)) == 120
    assert earned(network("A20* b30 c40 D50", "A-b:x b-c:y c-D:x"), electric(4)) == 90


@pytest.mark.rule("18CZ VIII.7/16")
def test_a_stop_may_be_left_by_any_other_track() -> None:
    net = network("A20* b10 C30 D40 E50", "A-b b-C b-D b-E")
    assert ways(net, normal(3)) == {"3": "AbE"}
    assert ways(net, normal(3, "x"), normal(3, "y")) == {"x": "AbE"}


@pytest.mark.rule("18CZ VIII.7/15")
def test_of_parallel_tracks_the_one_that_leaves_the_rest_free_is_taken() -> None:
    net = network("A20* B30 C40", "A-B:x A-B:y B-C:x")
    assert earned(net, normal(3)) == 90
    assert earned(net, normal(3, "s"), normal(2, "t")) == 100, "each on a track of its own from A to B, none to C"
    free = network("A20* B30 C40", "A-B:x A-B:y B-C:z")
    assert earned(free, normal(3, "s"), normal(2, "t")) == 90 + 50


@pytest.mark.rule("18CZ VIII.7/15", "18CZ VIII.7/17")
def test_a_longer_track_may_be_the_one_that_fits() -> None:
    """The short link of A and B crosses a side that B and C need; the detour over three sides does not."""
    assert earned(network("A20* B30 C40", "A-B:x A-B:uvw B-C:xz"), normal(3)) == 90
    two = network("A20* B30 C40 D50*", "A-B:x A-B:uvw C-D:x")
    assert earned(two, normal(2, "s"), normal(2, "t")) == 50 + 90


@pytest.mark.rule("18CZ VIII.7/17", "18CZ VIII.8/2")
def test_trains_share_no_hex_side() -> None:
    assert earned(line("A20* B30"), normal(2, "x"), normal(2, "y")) == 50
    crossed = network("A20* B30 C40* D50", "A-B:x C-D:x")
    assert earned(crossed, normal(2, "x"), normal(2, "y")) == 90
    apart = network("A20* B30 C40* D50", "A-B:x C-D:y")
    assert earned(apart, normal(2, "x"), normal(2, "y")) == 140


@pytest.mark.rule("18CZ VIII.7/17")
def test_trains_may_meet_at_stops() -> None:
    assert earned(line("A20 B30* C40"), normal(2, "x"), normal(2, "y")) == 120
    assert earned(network("A20* B30", "A-B:x A-B:y"), normal(2, "x"), normal(2, "y")) == 100
    star = network("a10 b20 c30 d40 S10*", "a-S b-S c-S d-S")
    assert earned(star, normal(3, "x"), normal(3, "y")) == 120


@pytest.mark.rule("18CZ VIII.7/18")
def test_a_junction_is_for_one_train() -> None:
    """Both ways from the switch to B cross the side s."""
    net = network("A20* B30 C40*", "A-B:as C-B:cs")
    assert earned(net, normal(2, "x"), normal(2, "y")) == 70


@pytest.mark.rule("18CZ VIII.8/6")
def test_all_trains_together_count_and_not_the_best_of_each() -> None:
    """The best route of the first train would block the second one, which has no other."""
    net = network("A50* B60 C40*", "A-B:xy A-C:z B-C:y")
    assert earned(net, normal(2, "x"), normal(2, "y")) == 110 + 90
    net = network("M10* A50 B40 C40", "M-A:pq M-B:p M-C:q")
    assert ways(net, normal(2, "x")) == {"x": "AM"}
    assert ways(net, normal(2, "x"), normal(2, "y")) == {"x": "BM", "y": "CM"}


@pytest.mark.rule("18CZ VIII.8/6")
def test_the_small_train_gets_the_short_way_where_that_is_better() -> None:
    net = network("A20* B90 C10 D10", "A-B B-C C-D")
    assert earned(net, normal(4, "x"), normal(2, "y")) == 130
    net = network("A20* B90 c30 d30 E40", "A-B A-c c-d d-E")
    assert ways(net, normal(4, "x"), normal(2, "y")) == {"x": "AcdE", "y": "AB"}


@pytest.mark.rule("18CZ VIII.7/1")
def test_each_train_runs_once_and_trains_without_a_route_stand_still() -> None:
    trains = [normal(2, "x"), normal(2, "y"), normal(2, "z")]
    assert earned(line("A20 B30* C40"), *trains) == 120
    assert len(best_run(line("A20 B30* C40"), trains).routes) == 2
    assert best_run(line("A20 B30* C40"), []) == BestRun((), 0, 0)


@pytest.mark.rule("18CZ VIII.8/2")
def test_trains_of_different_kinds_run_together() -> None:
    net = network("A20* b10 C30 d10 E40 F50 g20", "A-b b-C C-d d-E A-F A-g")
    assert ways(net, electric(3), normal(2)) == {"3E": "AbCdE", "2": "AF"}
    for trains in permutations([electric(3), normal(2), plus(2)]):
        assert earned(net, *trains) == brute_force.most(net, trains)


def test_a_run_for_nothing_is_no_run() -> None:
    assert best_run(line("A0* B0"), [normal(2), electric(3)]) == BestRun((), 0, 0)
