"""The golden games are complete, and today's rules make the same of every answer.

Whether bots would still give these answers is not asked.
"""

from __future__ import annotations

from typing import get_args

import pytest

from ostbahn.kits.catalogue import CATALOGUE, kits, rulebook
from tests.golden.games import FOLDER, GOLDEN, Golden, digests, given_again, golden_game
from tests.golden.story import story

IF_MEANT = "(if it should be so now: `python3 dev.py golden`, and read the diff)"

of_each = pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)


@of_each
def test_every_answer_has_the_same_consequences(golden: Golden) -> None:
    game, refused = given_again(golden)
    kept = golden.story.read_text(encoding="utf-8").splitlines()
    told = list(story(game))
    for was, now in zip(kept, told, strict=False):
        assert now == was, f"{golden.name}:\n  it was {was.strip()}\n  it is  {now.strip()}\n{IF_MEANT}"
    assert not refused, f"{golden.name}: {refused} {IF_MEANT}"
    assert len(told) == len(kept), f"{golden.name} has {len(told)} lines instead of {len(kept)} {IF_MEANT}"
    for number, (was, now) in enumerate(zip(golden.digests.read_text().split(), digests(game), strict=True)):
        line = next((line.strip() for line in told if line.startswith(f"{number:4} ")), "the beginning")
        assert now == was, f"{golden.name}: the state after {line} differs in what its line does not tell {IF_MEANT}"


@of_each
def test_a_golden_game_is_the_one_that_is_wanted_and_whole(golden: Golden) -> None:
    game = golden_game(golden.name)
    assert game.setup == golden.begin().setup
    assert game.over


def test_every_variant_is_there_with_every_number_of_players() -> None:
    wanted = {(entry.title, entry.variant, players) for entry in CATALOGUE for players in entry.players}
    assert {(golden.title, golden.variant, len(golden.bots)) for golden in GOLDEN} == wanted


def test_every_value_of_an_option_is_there() -> None:
    for entry in CATALOGUE:
        chosen = [golden.options for golden in GOLDEN if (golden.title, golden.variant) == (entry.title, entry.variant)]
        for name, choice in entry.options.items():
            assert {options[name] for options in chosen} == set(choice.values)


def test_there_are_no_other_files() -> None:
    wanted = {path for golden in GOLDEN for path in (golden.save, golden.story, golden.digests, golden.export)}
    found = {path for path in FOLDER.iterdir() if path.suffix in (".json", ".txt", ".digests")}
    assert found == wanted - {None}


@pytest.mark.slow
@pytest.mark.parametrize("title", kits())
def test_every_phase_and_nearly_every_kind_of_answer_is_in_some_game(title: str) -> None:
    """What only luck brings about may be missing once; much missing would mean that the games have become dull."""
    games = [golden_game(golden.name) for golden in GOLDEN if golden.title == title]
    phases = {game.position(number).state.phase for game in games for number in range(0, len(game) + 1, 5)}
    assert phases == set(rulebook(title).title.phases)
    kinds = {type(action) for game in games for _, action in game.actions()}
    missing = {kind.__name__ for kind in get_args(kits()[title].actions) if kind not in kinds}
    assert len(missing) <= 2, missing
