"""Minors 14, 15 and 16, and how many are drafted and left over (18Mag M.3)."""

from __future__ import annotations

from collections import Counter

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.records import StationPlaced
from ostbahn.titles.mag.actions import DraftMinor
from ostbahn.titles.mag.events import MinorUnused
from ostbahn.titles.mag.state import LayTrack
from tests.titles.mag.bourse import cash_of, draft_of, draft_on, events_of, papers, refused_by
from tests.titles.mag.building import lays, rotation
from tests.titles.mag.modules.playing import with_modules
from tests.titles.mag.scenes import cards_of, scene, state_of

ALL = {str(number) for number in range(1, 17)}
NEW = ("new_minors_challenge", "new_minors_simple")


def turn_of(minor: str) -> Game:
    return scene(modules=[NEW[0]], owners={minor: "p1"}, cash={minor: 100}, agenda=[LayTrack(minor)])


def taken(minor: str) -> Game:
    game = with_modules(NEW[0])
    game.apply(DraftMinor(minor))
    return game


@pytest.mark.rule("18Mag M.3/1")
def test_minor_14_is_at_home_in_the_mountains_of_kolozsvar_and_has_two_tokens() -> None:
    game = taken("14")
    assert events_of(StationPlaced, game.records) == [StationPlaced("F23.0", "14")]
    assert state_of(game).terrain_tokens["14"] == 2
    assert (cash_of(game, "14"), cards_of(game, "14")) == (50, ["2-1"])
    assert {hex_id for hex_id, _, _ in lays(turn_of("14"))} == {"F23"}
    assert lays(turn_of("14"), token=True) == lays(turn_of("14")), "there is terrain to be covered"


@pytest.mark.rule("18Mag M.3/2")
def test_minor_15_is_at_home_in_pozsony_with_a_barrier_towards_sopron() -> None:
    game = taken("15")
    assert events_of(StationPlaced, game.records) == [StationPlaced("C8.0", "15")]
    assert state_of(game).terrain_tokens["15"] == 0
    laid = lays(turn_of("15"), "C8")
    assert ("C8", "57", rotation("57", "W", "E")) in laid
    assert ("C8", "57", rotation("57", "SW", "NE")) not in laid, "D7 lies to the south-west"


@pytest.mark.rule("18Mag M.3/3")
def test_minor_16_is_at_home_in_nagyvarad() -> None:
    game = taken("16")
    assert events_of(StationPlaced, game.records) == [StationPlaced("F19.0", "16")]
    assert state_of(game).terrain_tokens["16"] == 0
    assert not lays(turn_of("16"), token=True)


def drafted(module: str, players: int) -> tuple[Counter[str], list[str]]:
    """How many minors everybody has, and which are left when the draft is over."""
    game = with_modules(module, players=players)
    out = ALL - set(state_of(game).owners)
    draft_on(game)
    assert draft_of(game) is None
    told = [event.company for event in events_of(MinorUnused, game.records)]
    owners = state_of(game).owners
    assert set(told) == ALL - out - set(owners)
    return Counter(owners.values()), told


@pytest.mark.rule("18Mag M.3/4")
@pytest.mark.parametrize(("players", "quota", "left"), [(3, 5, 1), (4, 4, 0), (5, 3, 1), (6, 2, 4)])
def test_in_the_challenging_module_everybody_takes_more(players: int, quota: int, left: int) -> None:
    numbers, told = drafted("new_minors_challenge", players)
    assert set(numbers.values()) == {quota}
    assert len(numbers) == players
    assert len(told) == left


@pytest.mark.rule("18Mag M.3/5")
@pytest.mark.parametrize(("players", "quota", "left"), [(3, 4, 1), (4, 3, 1), (5, 2, 3), (6, 2, 1)])
def test_in_the_simple_module_quotas_stay(players: int, quota: int, left: int) -> None:
    numbers, told = drafted("new_minors_simple", players)
    assert set(numbers.values()) == {quota}
    assert len(told) == left


@pytest.mark.rule("18Mag M.3/5")
def test_three_of_the_sixteen_are_taken_out_by_lot_before_the_draft() -> None:
    gone: Counter[str] = Counter()
    for seed in range(60):
        game = with_modules("new_minors_simple", seed=seed)
        out = sorted(ALL - set(state_of(game).owners), key=int)
        assert len(out) == 3
        assert papers(game)[0] == ALL - set(out)
        assert refused_by(game, DraftMinor(out[0])) == "18Mag M.3/5"
        assert set(state_of(game).owners.values()) == {BANK}
        gone.update(out)
    assert set(gone) == ALL, "it can be any of them"
