"""Copies of games with chance of their own: the same game so far, and nothing of what the game will draw."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import UNSET

from ostbahn.interop import saves
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import RngState
from ostbahn.kits.catalogue import CATALOGUE, new_game, reseeded, start_game
from ostbahn.kits.kit import CatalogueEntry
from ostbahn.testing import apart_from_chance, play_random
from ostbahn.titles.cz.events import JoinedVaclav
from tests.golden.games import GOLDEN, Golden, golden_game

STRONG = 2**128 + 12345678901234567890
OTHER = 2**128 + 98765432109876543210
CANDIDATES = ({"EKJ", "BCB", "VBW"}, {"BN", "NWB", "ATE", "BTE"}, {"Sx", "By", "kk"})
"""Of Vaclav, in the order in which he gets one of each (XI.1/6)."""


def joined(game: Game) -> list[str]:
    """Vaclav's companies in the order in which they were drawn."""
    events = [*game.opening, *(event for record in game.records for event in record.events)]
    return [event.company for event in events if isinstance(event, JoinedVaclav)]


def draws_of(game: Game) -> tuple[int, ...]:
    assert isinstance(game.setup.draws, tuple)
    return game.setup.draws


def before_a_draw(game: Game) -> list[int]:
    """The numbers of answers after which the next one leads to a draw."""
    drawn = [any(isinstance(event, JoinedVaclav) for event in record.events) for record in game.records]
    return [number for number, found in enumerate(drawn) if found]


def played_on(copy: Game, real: Game) -> Game:
    """The copy with the next answer of the real game."""
    record = real.records[len(copy)]
    copy.apply(record.action, record.by)
    return copy


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_copy_is_the_same_game_answer_by_answer(golden: Golden) -> None:
    game = golden_game(golden.name).position(120)
    copy = reseeded(game, STRONG)
    assert copy.setup.seed == STRONG
    again = saves.load(saves.dump(copy))
    assert again.setup == copy.setup
    for number in range(0, 121, 10):
        assert apart_from_chance(again.position(number)) == apart_from_chance(game.position(number))
    assert again.records == game.records
    assert again.state == copy.state


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: f"{entry.title}-{entry.variant}")
def test_copies_of_games_with_long_seeds_and_of_copies(entry: CatalogueEntry) -> None:
    names = [f"Player {seat}" for seat in range(entry.players[0])]
    game = new_game(entry.title, names, variant=entry.variant, seed=STRONG, draws=())
    play_random(game, Random(3), 60)
    copy = reseeded(reseeded(game, OTHER), STRONG + 1)
    assert draws_of(copy) == draws_of(reseeded(game, 7))
    assert apart_from_chance(saves.load(saves.dump(copy))) == apart_from_chance(game)
    assert apart_from_chance(start_game(copy.setup)) == apart_from_chance(game.position(0))


def test_what_vaclav_gets_next_does_not_follow_from_a_copy() -> None:
    """Copies of one game go on in every way; and the same for a game whose draws nobody can know."""
    for real in (golden_game("18CZ-bohemia-2"), reseeded(golden_game("18CZ-bohemia-2"), OTHER)):
        moments = before_a_draw(real)
        assert len(moments) == 2, "the first company was drawn before the first answer"
        for place, number in enumerate(moments, start=1):
            position = real.position(number)
            copies = [saves.load(saves.dump(reseeded(position, STRONG + seed))) for seed in range(40)]
            assert {joined(played_on(copy, real))[place] for copy in copies} == CANDIDATES[place]


def test_a_copy_holds_no_draw_that_is_still_to_come() -> None:
    real = golden_game("18CZ-bohemia-2")
    number = before_a_draw(real)[1]
    before, after = reseeded(real.position(number), STRONG), reseeded(real.position(number + 1), STRONG)
    assert len(draws_of(after)) == len(draws_of(before)) + 1
    assert draws_of(reseeded(after.position(number), STRONG)) == draws_of(before)


def test_nobody_writes_down_what_a_game_will_draw() -> None:
    """Somebody could take such a file to a server, and would know what others draw there."""
    copy = reseeded(golden_game("18CZ-bohemia-2").position(50), STRONG)
    text = saves.dump(copy).decode()
    made = list(draws_of(copy))
    with pytest.raises(BadFile, match=f"has {len(made) + 1} draws, but the actions lead to only {len(made)}"):
        saves.load(text.replace(f'"draws": {made}', f'"draws": {[*made, 2]}').encode())
    with pytest.raises(BadFile, match="the set-up cannot be played: draw 1 of the set-up cannot have been"):
        saves.load(text.replace(f'"draws": {made}', f'"draws": {[7, *made[1:]]}').encode())
    with pytest.raises(BadFile, match="at most 1000 draws, not 1001"):
        saves.load(text.replace(f'"draws": {made}', f'"draws": {[0] * 1001}').encode())


def test_saves_without_draws_stay_as_they_are() -> None:
    game = golden_game("18CZ-bohemia-2")
    golden = next(golden for golden in GOLDEN if golden.name == "18CZ-bohemia-2")
    assert game.setup.draws is UNSET
    assert b'"draws"' not in saves.dump(game)
    assert saves.dump(game, saves.restore(saves.parse(golden.save.read_bytes())).bots).count(b'"version": 3') == 1


def test_a_finished_game_with_a_long_seed_is_told_with_it() -> None:
    """Whoever has the seed then can see that nothing was drawn otherwise."""
    game = new_game("18CZ", ["Anna", "Ben"], variant="bohemia", seed=STRONG, draws=())
    again = saves.load(saves.dump(play_random(game, Random(1), 40)))
    assert isinstance(again.state.chance, RngState)  # type: ignore[attr-defined]
    assert again.state == game.state
    assert again.setup.seed == STRONG


def test_a_copy_whose_answers_were_taken_back_can_be_saved_and_read() -> None:
    """Its set-up then holds draws that are still to come; the save has those made so far."""
    game = reseeded(golden_game("18CZ-bohemia-2"), STRONG)
    for number in (0, before_a_draw(game)[-1], len(game)):
        read = saves.load(saves.dump(game.position(number)))
        assert apart_from_chance(read) == apart_from_chance(game.position(number))
        assert joined(read) == joined(game.position(number))
