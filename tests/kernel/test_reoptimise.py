"""Reoptimisation after a small change: always what two searches from nothing find."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from ostbahn.kernel.routes.budget import UNLIMITED, StepBudget
from ostbahn.kernel.routes.network import Link, Network, RunningTrain, Stop
from ostbahn.kernel.routes.reoptimise import Reoptimiser, RunChange
from tests.kernel.networks import checked, electric, network, normal, on_the_site
from tests.kernel.test_optimiser_at_random import VALUES, fleets, networks
from tests.lengths import at_random


def change_of(before: Network, after: Network, *trains: RunningTrain) -> RunChange:
    (change,) = Reoptimiser(before, [train.kind for train in trains], UNLIMITED).changes([after])
    return change


def test_a_new_link_leads_to_a_better_place() -> None:
    before = network("A20* B20 C50", "A-B:x")
    after = network("A20* B20 C50", "A-B:x B-C:y")
    assert change_of(before, after, normal(3)) == RunChange(worth=90, gain=50, proven=True)
    assert change_of(before, after, normal(2)) == RunChange(worth=40, gain=0, proven=True), "it cannot go so far"


def test_a_place_that_is_worth_more() -> None:
    before, after = (network(f"A20* B{value} C30", "A-B:x A-C:y") for value in (20, 40))
    assert change_of(before, after, normal(2)).gain == 10
    assert change_of(before, after, normal(2), normal(2, "other")).gain == 20


def test_a_place_that_can_be_passed_from_now_on() -> None:
    before, after = (network(f"A20* B20{closed} C30", "A-B:x B-C:y") for closed in ("!", ""))
    assert change_of(before, after, normal(3)).gain == 30


def test_a_station_where_there_was_none() -> None:
    before, after = (network(f"A20* B20! C30{own} D40", "A-B:x B-C:y C-D:z") for own in ("", "*"))
    assert change_of(before, after, normal(2)).gain == 30


def test_a_lost_link_takes_away_what_it_earned() -> None:
    before, after = network("A20* B20 C50", "A-B:x A-C:y"), network("A20* B20 C50", "A-B:x")
    assert change_of(before, after, normal(2)) == RunChange(worth=40, gain=-30, proven=True)
    assert change_of(after, after, normal(2)) == RunChange(worth=40, gain=0, proven=True)


def test_two_trains_do_not_share_what_is_new() -> None:
    before = network("A20* B20 C50 D50", "A-B:x A-B:v")
    one_way = network("A20* B20 C50 D50", "A-B:x A-B:v A-C:yz A-D:yz")
    two_ways = network("A20* B20 C50 D50", "A-B:x A-B:v A-C:y A-D:z")
    assert [change_of(before, after, normal(2), normal(2, "other")).gain for after in (one_way, two_ways)] == [30, 60]


def test_without_enough_budget_nothing_is_called_proven() -> None:
    before = network("A20* B20 C20 D20 e10 f10", "A-B:s A-B:t B-C:u B-C:v C-D:w D-A:x e-A:y C-f:z e-f:s B-D:t")
    stops = (*before.stops[:2], before.stops[2]._replace(value=30), *before.stops[3:])
    after = before._replace(stops=stops)
    trains = [on_the_site(3).kind, on_the_site(3).kind, electric(2).kind]
    true = Reoptimiser(before, trains, UNLIMITED).changes([after])[0]
    assert true.proven
    assert true.gain > 0
    seen = set()
    for steps in (0, 10, 100, 1000, 10_000):
        told = Reoptimiser(before, trains, StepBudget(steps, free_steps=0)).changes([after])[0]
        assert told == true or not told.proven
        seen.add(told.proven)
    assert seen == {True, False}


# At random


@st.composite
def changes(draw: st.DrawFn, before: Network) -> Network:
    """Some links more, perhaps to a stop more; some gone; stops that are not what they were; all in another order."""
    stops = list(before.stops)
    for number in draw(st.sets(st.integers(0, len(stops) - 1), max_size=2)):
        value, own = draw(st.sampled_from(VALUES)), draw(st.booleans())
        stops[number] = stops[number]._replace(value=value, own=own, passable=draw(st.integers(0, 3)) > 0)
    if draw(st.booleans()):
        stops.append(Stop("new", draw(st.booleans()), draw(st.sampled_from(VALUES)), False, True, "new"))
    links = [link for link in before.links if draw(st.integers(0, 9)) > 0]
    ends = st.integers(0, len(stops) - 1)
    for number in range(draw(st.integers(0, 3))):
        crossed = draw(st.sets(st.integers(0, 11), min_size=1, max_size=3))
        links.append(Link(draw(ends), draw(ends), sum(1 << side for side in crossed), (f"n{number}",)))
    order = draw(st.permutations(range(len(stops))))
    moved = [link._replace(a=order.index(link.a), b=order.index(link.b)) for link in links]
    return Network(tuple(stops[number] for number in order), tuple(moved))


@pytest.mark.slow
@at_random(500)
@given(data=st.data(), before=networks(), trains=fleets())
def test_any_change_has_the_gain_that_two_searches_find(
    data: st.DataObject, before: Network, trains: list[RunningTrain]
) -> None:
    after = data.draw(st.lists(changes(before), min_size=1, max_size=3))
    check(before, after, trains, data.draw(st.sampled_from((None, 300, 30))))


def check(before: Network, after: Sequence[Network], trains: Sequence[RunningTrain], steps: int | None) -> None:
    budget = UNLIMITED if steps is None else StepBudget(steps, free_steps=0)
    now = checked(before, trains).worth
    run_changes = Reoptimiser(before, [train.kind for train in trains], budget).changes(after)
    for changed, change in zip(after, run_changes, strict=True):
        then = checked(changed, trains).worth
        event(f"budget {steps}: proven {change.proven}, gain {(then > now) - (then < now)}")
        assert change.proven or steps is not None
        assert change.worth <= then
        if change.proven:
            assert change.gain == then - now
