"""How long a game of 18Mag will still last. Its players decide that: a phase begins with a train that somebody buys."""

from __future__ import annotations

from pathlib import Path

import pytest

from ostbahn.bots.playing import BotAnswer, play_out
from ostbahn.bots.search import SearchBot
from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.mag.opponents.weights import mag_search_weights, mag_weights
from ostbahn.titles.mag.opponents.worth import MagBotView, rounds_ahead
from ostbahn.titles.mag.state import MagState, MagTable, Rounds

GOLDEN = Path(__file__).parents[2] / "golden"


def table_in(phase: str, rounds: Rounds) -> MagTable:
    table = new_game("18Mag", ["A", "B", "C"], seed=1).table
    assert isinstance(table, MagTable)
    table.state.phase, table.state.agenda = phase, (rounds,)
    return table


def before_set(turn: int) -> Rounds:
    return Rounds(turn, 0, 0)


def test_rounds_are_counted_phase_by_phase_until_the_last_one() -> None:
    ahead = rounds_ahead(table_in("green", before_set(5)), mag_weights())
    assert list(ahead) == ["green", "brown", "grey"]
    assert ahead["grey"] == 3
    assert sum(ahead.values()) == MagBotView(table_in("green", before_set(5)), mag_weights()).rounds


def test_every_round_that_is_over_brings_the_end_nearer() -> None:
    times = [Rounds(5, 0, 0), Rounds(5, 1, 2), Rounds(5, 2, 2), Rounds(6, 1, 2)]
    left = [MagBotView(table_in("green", each), mag_weights()).rounds for each in times]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == len(left)


def test_who_begins_a_phase_early_does_not_bring_the_end_nearer() -> None:
    usual, early = (MagBotView(table_in(phase, before_set(3)), mag_weights()).rounds for phase in ("yellow", "green"))
    assert early >= usual


def test_a_phase_that_is_overdue_is_expected_to_end_soon_however_long_it_has_lasted() -> None:
    late, later = (rounds_ahead(table_in("green", before_set(turn)), mag_weights()) for turn in (15, 40))
    assert late == pytest.approx(later)
    assert 0 < late["green"] < 1


def test_the_longer_a_phase_is_overdue_the_sooner_s_expects_its_end() -> None:
    """So that to begin the last phase costs less and less: two S and somebody who was far behind played on for ever."""
    weights = mag_search_weights()
    left = [rounds_ahead(table_in("brown", before_set(turn)), weights)["brown"] for turn in (10, 15, 40)]
    assert left == sorted(left, reverse=True)
    assert left[-1] < left[0] / 10


def test_in_the_last_set_rounds_are_exact() -> None:
    ahead = rounds_ahead(table_in("grey", Rounds(9, 1, 3, last=True)), mag_weights())
    assert ahead == {"grey": 2}


def test_before_the_last_set_all_of_it_is_to_come() -> None:
    """The last phase has just begun, in the second of two Operating Rounds."""
    assert rounds_ahead(table_in("grey", Rounds(8, 2, 2)), mag_weights()) == {"grey": 3}


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_three_s_bring_their_game_to_an_end() -> None:
    """Each could wait for the others to buy the train that begins the last phase; then it would never end."""
    whole = saves.read(GOLDEN / "18Mag-base-3.json")
    last = next(number for number in range(len(whole)) if whole.position(number).state.phase == "grey")
    game = whole.position(last - 60).copy()
    play_out(game, {player: SearchBot(seed) for seed, player in enumerate(game.state.players, 1)}, watch=_stop_late)
    assert game.over


def _stop_late(game: Game, _: BotAnswer) -> None:
    assert isinstance(game.state, MagState)
    assert int(game.state.round.partition(" ")[2].partition(".")[0] or 0) <= 14, "nobody ends this game"
