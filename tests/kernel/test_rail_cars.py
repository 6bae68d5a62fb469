"""What rail cars do for a train: bonuses off the board, access to a mine, more towns; and who gets which."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostbahn.kernel.routes.network import BestRun, Network, RunningTrain, Stop
from ostbahn.kernel.routes.optimiser import best_alternative, best_run
from tests.kernel import brute_force, integer_programme
from tests.kernel.networks import checked, earned, line, network, normal, plus, ways
from tests.kernel.test_optimiser_at_random import networks
from tests.lengths import at_random

# Bonuses


def able(train: RunningTrain, **changes: Any) -> RunningTrain:
    """A train that can do more, or must."""
    return train._replace(kind=train.kind._replace(**changes))


def bonus(train: RunningTrain, number: int = 1) -> RunningTrain:
    return able(train, bonuses=number)


def mining(train: RunningTrain) -> RunningTrain:
    return able(train, visits_mine=True)


def longer(train: RunningTrain) -> RunningTrain:
    """A train that may visit one more town."""
    return able(train, stops=train.kind.stops + 1)


def test_a_bonus_is_paid_only_to_trains_that_collect_it() -> None:
    net = line("A20+30! B10*")
    assert earned(net, normal(2)) == 30
    assert earned(net, bonus(normal(2))) == 60


def test_a_train_collects_as_many_bonuses_as_it_may() -> None:
    net = line("A20+30! B10* C20+20!")
    assert earned(net, bonus(normal(3))) == 80, "only the better bonus"
    assert earned(net, bonus(normal(3), 2)) == 100
    assert earned(net, bonus(normal(2), 2)) == 60


def test_the_bonus_decides_where_to_run() -> None:
    net = network("A20+30! B10* C40", "A-B B-C")
    assert ways(net, normal(2)) == {"2": "BC"}
    assert ways(net, bonus(normal(2))) == {"2": "AB"}


# Mines


def test_no_train_enters_a_mine_without_access() -> None:
    net = line("A20* m30% B40")
    assert earned(net, normal(4)) == 0
    assert earned(net, mining(normal(2))) == 90


def test_a_mine_pays_a_subsidy_and_takes_no_stop() -> None:
    run = checked(line("m50% A20* B40"), [mining(normal(2))])
    assert (run.revenue, run.subsidy, run.bound) == (60, 50, 110)
    assert earned(line("m50% A20*"), mining(normal(4))) == 0, "a mine is none of the two locations of a route"


def test_only_one_mine_is_visited() -> None:
    net = line("m50% A20* B40 n30%")
    assert earned(net, mining(normal(2))) == 110
    assert earned(line("m50% A20* n30% B40"), mining(normal(2))) == 90


def test_a_poor_mine_may_open_the_way_to_good_cities() -> None:
    net = network("A20* m10% C90 n50%", "A-m m-C A-n")
    assert ways(net, mining(normal(2))) == {"2": "AmC"}


def test_all_cars_may_go_to_one_train() -> None:
    net = line("m50% A20* b10 c10 D30+20!")
    assert earned(net, bonus(mining(plus(2)))) == 140


# From red to red


def red(stops: str, *names: str) -> Network:
    net = line(stops)
    return Network(tuple(stop._replace(is_red=True) if stop.id in names else stop for stop in net.stops), net.links)


def test_a_train_that_joins_two_red_tiles_earns_more() -> None:
    net = red("A40+20! B30* C40+20!", "A", "C")
    assert earned(net, able(normal(3), red_to_red=30)) == 140
    assert earned(net, able(normal(2), red_to_red=30)) == 70, "it comes to one of them"
    assert earned(net, able(bonus(normal(3)), red_to_red=35)) == 165, "a bonus is added"


def test_it_decides_where_to_run() -> None:
    net = network("A10! B20* C10! D40 E30", "A-B B-C B-D D-E")
    reds = Network(tuple(stop._replace(is_red=stop.id in "AC") for stop in net.stops), net.links)
    assert ways(reds, normal(3)) == {"3": "BDE"}
    assert ways(reds, able(normal(3), red_to_red=60)) == {"3": "ABC"}


def test_one_more_town_is_no_city() -> None:
    assert earned(line("A20* b10 C40"), longer(normal(2))) == 70
    assert earned(line("A20* B10 C40"), longer(normal(2))) == 30
    assert earned(line("A20* b10 c10 d10"), longer(normal(2))) == 40, "the main number spent on towns"
    assert earned(line("A20* b10 c10 d10 e10 f10"), longer(plus(2))) == 60


# Which train gets which car


def test_the_fleet_that_earns_most_is_found() -> None:
    net = network("A20* B40 C20+30! m40%", "A-B A-C B-m")
    plain, long_ = normal(2, "x"), normal(3, "y")
    options = [[bonus(plain), long_], [plain, bonus(long_)]]
    number, run = best_alternative(net, options)
    assert run.worth == max(earned(net, *option) for option in options)
    assert run == best_run(net, options[number])


def test_of_equal_alternatives_the_first_is_taken() -> None:
    net = line("A20+30! B10*")
    assert best_alternative(net, [[bonus(normal(2, "x"))], [bonus(normal(2, "y"))]])[0] == 0
    assert best_alternative(net, []) == (-1, BestRun((), 0, 0))


def test_what_can_be_earned_is_known_to_the_last_forint() -> None:
    net = network("A20* B40 C20+30! m40%", "A-B A-C B-m")
    alternatives = [[bonus(normal(2))], [mining(normal(2))]]
    assert best_alternative(net, alternatives, enough=99)[0] >= 0
    assert best_alternative(net, alternatives, enough=100)[0] == -1
    assert best_alternative(net, [], enough=-1)[0] == -1


# At random


FLEET = [normal(2), normal(3), normal(4), plus(2), plus(3), longer(normal(2)), longer(normal(3)), longer(plus(2))]


@st.composite
def with_cars(draw: st.DrawFn) -> tuple[Network, list[RunningTrain]]:
    """A network with mines and red areas, and trains with any cars."""
    net = draw(networks(sides=16))
    stops = [_as(stop, draw(st.integers(0, 5))) for stop in net.stops]
    trains = [
        able(
            draw(st.sampled_from(FLEET))._replace(id=f"t{number}"),
            bonuses=draw(st.integers(0, 2)),
            visits_mine=draw(st.booleans()),
            red_to_red=together,
        )
        for together in (draw(st.sampled_from([0, 30, 35])),)
        for number in range(draw(st.integers(1, 2)))
    ]
    return Network(tuple(stops), net.links), trains


def _as(stop: Stop, dice: int) -> Stop:
    if dice == 0:
        return stop._replace(is_town=False, bonus=30, passable=False, is_red=True)
    if dice == 1:
        return stop._replace(is_town=True, is_mine=True, own=False, passable=True, location=stop.id)
    return stop


@pytest.mark.slow
@at_random(600)
@given(with_cars())
def test_networks_with_mines_and_bonuses_agree_with_brute_force(case: tuple[Network, list[RunningTrain]]) -> None:
    net, trains = case
    assert checked(net, trains).worth == brute_force.most(net, trains)


@pytest.mark.slow
@at_random(300)
@given(with_cars())
def test_the_integer_programme_agrees_with_brute_force_on_mines_and_bonuses(
    case: tuple[Network, list[RunningTrain]],
) -> None:
    net, trains = case
    assert integer_programme.most(net, trains) == brute_force.most(net, trains)


@at_random(150)
@given(with_cars())
def test_the_best_alternative_agrees_with_trying_all(case: tuple[Network, list[RunningTrain]]) -> None:
    net, trains = case
    alternatives = []
    for red, grey in product(range(len(trains)), repeat=2):
        alternatives.append(
            [able(train, bonuses=int(red == n), visits_mine=grey == n) for n, train in enumerate(trains)]
        )
    number, run = best_alternative(net, alternatives)
    assert run.proven
    assert brute_force.faults(net, alternatives[number], run) == []
    assert run.worth == max(brute_force.most(net, trains) for trains in alternatives)


def demanding(train: RunningTrain, demand: int) -> RunningTrain:
    """A train of which something is demanded."""
    match demand:
        case 0:
            return able(train, least_stops=3)
        case 1:
            return able(train, bonuses=1, needs_bonus=True)
        case 2:
            return able(train, visits_mine=True, needs_mine=True)
        case _:
            return train


def test_what_is_demanded_is_done_even_if_it_earns_less() -> None:
    net = network("A20* B90! C20+30 m10% d10 e10", "A-B A-C C-m C-d")
    assert earned(net, normal(2)) == 110
    assert earned(net, demanding(normal(2), 1)) == 70
    assert earned(net, demanding(normal(2), 2)) == 50
    assert ways(net, demanding(plus(2), 0)) == {"2+2": "ACd"}
    assert best_alternative(line("A20* B90"), [[demanding(normal(2), 1)]])[0] == -1


@pytest.mark.slow
@at_random(500)
@given(with_cars(), st.lists(st.integers(0, 4), min_size=2, max_size=2))
def test_demands_agree_with_brute_force(case: tuple[Network, list[RunningTrain]], demands: list[int]) -> None:
    net, plain = case
    trains = [demanding(train, demand) for train, demand in zip(plain, demands, strict=False)]
    number, run = best_alternative(net, [trains])
    most = brute_force.most(net, trains)
    assert (number == 0) == (most >= 0)
    assert (best_alternative(net, [trains], enough=most - 1)[0] == 0) == (most >= 0)
    assert best_alternative(net, [trains], enough=max(most, 0))[0] == -1
    if number == 0:
        assert run.proven
        assert run.worth == most
        assert brute_force.faults(net, trains, run) == []


@pytest.mark.soak
@settings(max_examples=10_000, deadline=None)
@given(with_cars())
def test_thousands_of_networks_with_cars_agree_with_brute_force(case: tuple[Network, list[RunningTrain]]) -> None:
    net, trains = case
    assert checked(net, trains).worth == brute_force.most(net, trains)
