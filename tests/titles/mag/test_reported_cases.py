"""Situations of 18Mag that players reported to 18xx.games, played here as the rulebook has it.

Reports that another test already plays are named there, by their issue number.
"""

from __future__ import annotations

import pytest

from ostbahn.titles.mag.actions import AddTown, LayTile
from ostbahn.titles.mag.state import EndTurn, OperateWithCars
from tests.titles.mag.modules.playing import helped
from tests.titles.mag.run_scenes import CITY_20, TOWN_10, line, path_of_line, proposed_run, question_of, run
from tests.titles.mag.scenes import state_of
from tests.titles.mag.track_scenes import PRINTED, TITLE, facing, lays, names, track_step

PIECES = TITLE.tiles["8"].count
"""How many pieces bear a gentle curve on one side and a straight on the other."""
FAR_AWAY = [id_ for id_, hex_ in PRINTED.items() if hex_.ground == "open" and not hex_.nodes and id_[0] not in "DEFG"]


@pytest.mark.rule("18Mag II.3/4", "18Mag VI.3.3.1/1")
@pytest.mark.parametrize("face", [facing("8", "E", "SW"), facing("9", "E", "W")], ids=["curve", "straight"])
@pytest.mark.parametrize("elsewhere", ["8", "9"])
def test_a_tile_that_lies_on_the_map_is_not_laid_again(elsewhere: str, face: tuple[str, int]) -> None:
    """Issues #9026 and #9062: a lay took a tile from another hex; then free tiles were refused as being in use."""
    lying = {hex_id: (elsewhere, 0) for hex_id in FAR_AWAY[: PIECES - 1]}
    assert len(lying) == PIECES - 1
    game = track_step("3", {"E10": facing("6", "W", "SE"), **lying})
    assert {"8", "9"} <= names(game, "E8") & names(game, "F11"), "the last piece may be laid, either side up"
    game.apply(LayTile("E8", *face))
    tiles = state_of(game).board.tiles
    assert {hex_id: tiles[hex_id] for hex_id in lying} == lying, "all of them stay where they are"
    assert tiles["E8"] == face
    assert not any(tile in ("8", "9") for _, tile, _ in lays(game)), "no piece is left"


@pytest.mark.rule("18Mag M.5/2", "18Mag M.5/8")
@pytest.mark.parametrize("helped_minor", ["5", "11"])
def test_a_2_train_with_one_more_town_makes_its_run(helped_minor: str) -> None:
    """Issues #9996 and #10005: a 2-train became a 2+1, and its run was refused. They name minors 5 and 11."""
    rows = {"5": line("F9", TOWN_10, CITY_20, TOWN_10), "11": line("D9", TOWN_10, CITY_20, TOWN_10)}
    game = helped(
        "MA",
        owners={"5": "p1", "11": "p1"},
        tiles=rows["5"] | rows["11"],
        stations={"F11.0": ["5"], "D11.0": ["11"]},
        agenda=[EndTurn("11"), OperateWithCars("11"), EndTurn("5"), OperateWithCars("5")],
    )
    for minor, card in (("5", "2-1"), ("11", "2-2")):
        assert question_of(game).company == minor
        three = run(game, path_of_line(rows[minor]))
        assert game.refusal(three) is not None, "three places are too many for a 2-train"
        if minor == helped_minor:
            game.apply(AddTown(card))
            game.apply(three)
            assert state_of(game).revenue[minor] == 40
        else:
            game.apply(proposed_run(game))
            assert state_of(game).revenue[minor] == 30
