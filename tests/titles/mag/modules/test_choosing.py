"""Which modules can be played together and by how many, and what none of them changes (18Mag M.1)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kits.catalogue import entry_of, new_game, rulebook, start_game, with_all_rulings
from ostbahn.titles.mag.title import MagTitle, mag_title
from tests.titles.mag.modules.playing import COMBINATIONS, MODULES, with_modules
from tests.titles.mag.scenes import NAMES, setup_for, table_of


@pytest.mark.rule("18Mag M.1/1")
def test_every_combination_can_be_begun_but_with_both_modules_of_new_minors() -> None:
    """The site let both be chosen together: #9668 of 18xx.games."""
    chosen = [some for number in range(6) for some in combinations(MODULES, number)]
    assert len(chosen) == 32
    both = [modules for modules in chosen if {"new_minors_challenge", "new_minors_simple"} <= set(modules)]
    assert len(both) == 8
    for modules in both:
        with pytest.raises(BadSetup, match="new_minors_challenge and new_minors_simple exclude each other"):
            with_modules(*modules)
    for modules in set(chosen) - set(both):
        assert set(with_modules(*modules).setup.modules) == set(modules)
    assert set(COMBINATIONS) == set(chosen) - set(both)


@pytest.mark.rule("18Mag M.1/2")
def test_two_can_play_with_standard_dividends_only() -> None:
    assert new_game("18Mag", NAMES[:2], variant="two_player", modules=["standard_divs"]).setup.modules
    for module in MODULES[1:]:
        with pytest.raises(BadSetup, match=rf"18Mag \(two_player\) has no module {module}; known are standard_divs"):
            new_game("18Mag", NAMES[:2], variant="two_player", modules=[module])
    with pytest.raises(BadSetup, match=r"18Mag \(solo\) has no module standard_divs; known are none"):
        new_game("18Mag", NAMES[:1], variant="solo", modules=["standard_divs"])
    with pytest.raises(BadSetup, match="the module supporters of 18Mag \\(base\\) is for 3, 4, 5, 6 players, not 2"):
        new_game("18Mag", NAMES[:2], modules=["supporters"])


def test_a_module_that_nobody_knows_or_names_twice_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"18Mag \(base\) has no module sleeping_cars; known are standard_divs, new_min"):
        with_modules("sleeping_cars")
    with pytest.raises(BadSetup, match="the module supporters is named twice"):
        with_modules("supporters", "supporters")


def test_the_order_in_which_modules_are_named_makes_no_difference() -> None:
    one, other = with_modules("supporters", "new_major"), with_modules("new_major", "supporters")
    assert one.setup.modules == other.setup.modules == ("new_major", "supporters")
    assert one.state == other.state


def titles() -> list[MagTitle]:
    return [table_of(with_modules(*modules)).title for modules in COMBINATIONS]


@pytest.mark.rule("18Mag M.1/3")
def test_no_module_changes_trains_minors_and_certificate_limits() -> None:
    plain = mag_title()
    for title in titles():
        assert {face: stack.price for face, stack in title.stacks.items()} == {"2": 80, "3": 120, "4": 200, "6": 320}
        assert title.minor == plain.minor
        assert (title.minor.cash, title.minor.trains, title.minor.station_prices) == (50, ("2",), (40, 80))
        limits = {number: spec.certificate_limit for number, spec in title.players.items()}
        assert limits == {3: 18, 4: 14, 5: 11, 6: 9}
        assert title.payouts == plain.payouts


@pytest.mark.rule("18Mag M.1/4")
def test_start_prices_are_dealt_without_putting_back() -> None:
    for seed in range(30):
        game = new_game("18Mag", NAMES[:3], seed=seed, modules=["new_major"])
        table = table_of(game)
        dealt = Counter(
            table.title.prices[space] for space, markers in enumerate(table.state.chart) for _ in range(len(markers))
        )
        assert dealt.total() == 8
        assert set(dealt) <= {60, 65, 70, 75, 80}
        assert max(dealt.values()) <= 2


# Saves


def test_a_save_names_the_modules_and_needs_a_later_version() -> None:
    game = with_modules(*MODULES[:2], *MODULES[3:])
    document = saves.parse(saves.dump(game))
    assert document["setup"]["modules"] == ["standard_divs", "new_minors_challenge", "new_major", "supporters"]
    assert document["version"] == 4
    assert saves.restore(document).game.state == game.state


def test_a_save_without_modules_stays_as_it_was() -> None:
    document = saves.parse(saves.dump(with_modules()))
    assert "modules" not in document["setup"]
    assert document["version"] == 3
    assert saves.restore(document).game.setup.modules == ()


def test_a_save_with_modules_that_exclude_each_other_is_refused() -> None:
    document = saves.parse(saves.dump(with_modules("new_minors_simple")))
    document["setup"]["modules"] = ["new_minors_simple", "new_minors_challenge"]
    with pytest.raises(BadFile, match="exclude each other"):
        saves.restore(document)


def test_a_ruling_about_a_module_is_asked_only_with_it() -> None:
    assert "sina_fresh_tile" not in rulebook("18Mag").title.rulings
    assert "sina_fresh_tile" in rulebook("18Mag", modules=["supporters"]).title.rulings
    stored = setup_for(modules=["supporters"])
    assert start_game(with_all_rulings(stored)).setup.rulings["sina_fresh_tile"] == "allowed"


def test_the_catalogue_tells_of_every_module() -> None:
    entry = entry_of("18Mag", "base")
    assert tuple(entry.modules) == MODULES
    assert all(module.about.endswith(".") and module.name for module in entry.modules.values())
