"""How strong István is: who ended a game, and what the table says of many."""

from __future__ import annotations

from typing import Any

import pytest

from lab.automaton import HEAD, Outcome, Trial, ending, play, row, table
from ostbahn.bots.arena import mean_interval
from ostbahn.kernel.game import Game
from ostbahn.titles.mag.actions import BuyTrain
from ostbahn.titles.mag.state import PurchaseTrains, Rounds
from tests.titles.mag.share_scenes import play_until
from tests.titles.mag.solo_scenes import HIM, ME, solo_scene, with_entries

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def trial(length: str, level: str, seed: int) -> Trial:
    return Trial("18Mag", "solo", "R", {"difficulty": level, "length": length}, seed)


def in_green(**particulars: Any) -> Game:
    """An Operating Round of the green phase begins; minor 2 is István's and minor 11 the human's."""
    entries = {"cash": {"2": 300, "11": 300}, "phase": "green", "agenda": [Rounds(3, 0, 0)], "indicators": ("4",)}
    return solo_scene(**{"his": {"2": 5}, **entries, **particulars})


@pytest.mark.rule("18Mag X/11", "18Mag X/12")
def test_istvan_ends_a_game_by_the_train_that_begins_the_last_phase() -> None:
    game = in_green(deck=with_entries({"do": "buy_train", "train": "4"}))
    assert ending(game) == (HIM, 1, 1)


@pytest.mark.rule("18Mag X/11", "18Mag X/12")
def test_the_human_ends_a_game_in_the_same_way() -> None:
    game = in_green(deck=with_entries())
    play_until(game, lambda question: isinstance(question.task, PurchaseTrains))
    game.apply(BuyTrain("4"), ME)
    play_until(game)
    assert ending(game) == (ME, 1, 4), "three Operating Rounds follow"


@pytest.mark.rule("18Mag VI.4.3/8", "18Mag X/12")
def test_nobody_ends_a_game_in_which_no_train_is_sold() -> None:
    game = in_green(deck=with_entries(), no_train=1)
    play_until(game)
    assert ending(game) == (None, 2, 5)


def test_a_game_is_the_same_whenever_it_is_played() -> None:
    wanted = trial("short", "easy", 7)
    outcome = play(wanted)
    assert outcome == play(wanted)
    assert outcome.its > 0
    assert 0 < outcome.last_phase < outcome.rounds


def test_a_line_tells_of_all_games() -> None:
    outcomes = [
        Outcome(2000, 1000, "automaton", 8, 11),
        Outcome(1000, 1000, "bot", 10, 13),
        Outcome(1200, 3000, "nobody", 9, 12),
        Outcome(1800, 1800, "automaton", 9, 12),
    ]
    cells = [cell.strip() for cell in row(("short", "easy"), outcomes).strip("|").split("|")]
    assert [cells[place] for place in (0, 1, 2, 4, 6, 8, 9, 10)] == [
        *("short", "easy", "1,500", "1,700", "2 of 4", "2, 1, 1", "9.0", "12.0")
    ]
    assert len(cells) == len(HEAD) + 2


def test_all_that_can_be_chosen_has_its_line() -> None:
    head, *lines = table(("18Mag", "solo"), "R", 1, 1)
    assert head.splitlines()[0].startswith("| difficulty | length | automaton |")
    named = [tuple(cell.strip() for cell in line.split("|")[1:3]) for line in lines]
    assert named == [(level, length) for level in ("medium", "easy", "difficult") for length in ("short", "long")]


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], list[Outcome]]:
    """Eight games of each kind against somebody who plays at random and so hardly disturbs him."""
    return {
        (length, level): [play(trial(length, level, seed)) for seed in range(1, 9)]
        for length in ("short", "long")
        for level in ("easy", "medium", "difficult")
    }


@pytest.mark.rule("18Mag XI.1/3")
@pytest.mark.parametrize("length", ["short", "long"])
def test_the_harder_his_cards_the_richer_he_gets(outcomes: dict[tuple[str, str], list[Outcome]], length: str) -> None:
    """So much that the intervals are apart: our cards were easier when they were red than when they were yellow."""
    levels = ("easy", "medium", "difficult")
    easy, medium, hard = (mean_interval([float(each.its) for each in outcomes[length, level]]) for level in levels)
    assert easy.high < medium.low
    assert medium.high < hard.low


@pytest.mark.rule("18Mag XI.2.2/6", "18Mag XI.2.2/9", "18Mag X/11")
def test_he_ends_games_himself(outcomes: dict[tuple[str, str], list[Outcome]]) -> None:
    """With our first cards he never did."""
    ended = {kind: sum(each.ended_by == "automaton" for each in found) for kind, found in outcomes.items()}
    assert min(ended.values()) > 0
    assert sum(ended.values()) >= 24, "of 48"
