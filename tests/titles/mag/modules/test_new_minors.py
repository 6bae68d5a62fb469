"""Minors 14, 15 and 16, and how many are drafted and left over (18Mag M.3)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import StationPlaced
from ostbahn.kits.catalogue import DEFAULT, SITE, new_game
from ostbahn.titles.mag.actions import DraftMinor
from ostbahn.titles.mag.events import MinorUnused
from ostbahn.titles.mag.state import LayTrack
from tests.titles.mag.modules.playing import with_modules
from tests.titles.mag.scenes import NAMES, cards_of, scene, state_of
from tests.titles.mag.share_scenes import (
    MAJORS,
    cash_of,
    draft_choices,
    draft_of,
    events_of,
    finish_draft,
    price_of,
    refusal_rule,
)
from tests.titles.mag.track_scenes import lays, rotation

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
    finish_draft(game)
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
        assert draft_choices(game)[0] == ALL - set(out)
        assert refusal_rule(game, DraftMinor(out[0])) == "18Mag M.3/5"
        assert set(state_of(game).owners.values()) == {BANK}
        gone.update(out)
    assert set(gone) == ALL, "it can be any of them"


# What the seed brings


SEEDS = (0, 1, 7, 1108, 2**31 + 5)
SIXTEEN = [str(number) for number in range(1, 17)]
START_PRICES = [60, 60, 65, 65, 70, 70, 75, 75, 80, 80]
Opening = tuple[set[str], list[int]]
"""The minors that are out, and the start prices of the seven majors."""


def draws(seed: int) -> Iterator[int]:
    """The numbers that 18xx.games draws."""
    value = seed % 2**31
    while True:
        value = (1103515245 * value + 12345) % 2**31
        yield value


def dealt(cards: Sequence[int], numbers: Iterator[int]) -> list[int]:
    """The first seven of the cards, sorted by one draw each."""
    return [card for _, card in sorted(zip(islice(numbers, len(cards)), cards, strict=True))][: len(MAJORS)]


def taken_out(numbers: Iterator[int]) -> set[str]:
    return {minor for _, minor in sorted(zip(islice(numbers, 16), SIXTEEN, strict=True))[:3]}


def minors_first(seed: int) -> Opening:
    numbers = draws(seed)
    return taken_out(numbers), dealt(START_PRICES, numbers)


def prices_first(seed: int) -> Opening:
    numbers = draws(seed)
    prices = dealt(START_PRICES, numbers)
    return taken_out(numbers), prices


def opening_of(game: Game) -> Opening:
    return ALL - set(state_of(game).owners), [price_of(game, major) for major in MAJORS]


@pytest.mark.rule("18Mag M.3/5", "18Mag II.4/2")
@pytest.mark.parametrize("preset", [DEFAULT, SITE])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_removed_minors_are_drawn_before_the_start_prices_as_on_the_site(preset: str, seed: int) -> None:
    game = new_game(
        "18Mag", NAMES[:3], seed=seed, draw_order=False, preset=preset, modules=["new_minors_simple", "supporters"]
    )
    assert opening_of(game) == minors_first(seed)


@pytest.mark.rule("18Mag M.3/5")
def test_without_the_module_nothing_is_drawn_before_the_start_prices() -> None:
    for module in ("new_minors_challenge", "new_major"):
        assert opening_of(with_modules(module, seed=7))[1] == dealt(START_PRICES, draws(7))


@pytest.mark.rule("18Mag M.3/5")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_ruling_has_them_drawn_after_the_start_prices(seed: int) -> None:
    rulings = {"removed_minors_drawn": "after the start prices"}
    game = new_game(
        "18Mag", NAMES[:3], seed=seed, draw_order=False, rulings=rulings, modules=["new_minors_simple", "new_major"]
    )
    assert opening_of(game) == prices_first(seed)
    assert opening_of(game) != minors_first(seed), "the order shows"


def test_a_save_older_than_the_ruling_goes_on_as_it_was() -> None:
    """It does not name the ruling; its first pick is of a minor that the new order would have taken out."""
    seed = 7
    pick = min(minors_first(seed)[0] - prices_first(seed)[0])
    game = new_game(
        "18Mag",
        NAMES[:3],
        seed=seed,
        draw_order=False,
        rulings={"removed_minors_drawn": "after the start prices"},
        modules=["new_minors_simple"],
    )
    game.apply(DraftMinor(pick))
    document = json.loads(saves.dump(game))
    del document["setup"]["rulings"]["removed_minors_drawn"]
    old = saves.load(json.dumps(document).encode())
    assert opening_of(old) == prices_first(seed)
    assert old.state.digest == game.state.digest
    finish_draft(old)
    assert saves.load(saves.dump(old)).state.digest == old.state.digest, "saved again it is the same game"
