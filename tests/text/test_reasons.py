"""Why something cannot be done."""

from __future__ import annotations

from ostbahn.kernel.actions import Pass
from ostbahn.kits.catalogue import new_game
from ostbahn.text import speech
from ostbahn.text.speech import refusal_reasons
from ostbahn.titles.mag.actions import LayTile
from tests.text.positions import until


def test_why_nothing_can_be_laid_somewhere() -> None:
    game = until("lay_track")
    assert game.question is not None
    reached = {option.action.hex for option in game.question.options if isinstance(option.action, LayTile)}
    far = next(hex_id for hex_id in ("A14", "G28", "I8", "H3") if hex_id not in reached)
    lines = refusal_reasons(game, far.lower())
    assert lines[0].startswith(f"{far.lower()}: 0 of ")
    assert "has no connection to track" in lines[1]
    assert "(18Mag VI.3.2/4)" in lines[1]
    near = next(iter(reached))
    allowed = len(
        {(a.tile, a.rotation) for o in game.question.options if isinstance(a := o.action, LayTile) and a.hex == near}
    )
    assert refusal_reasons(game, near)[0].startswith(f"{near}: {allowed} of ")
    assert "(18Mag III.1/3)" in refusal_reasons(game, "C6")[1]


def test_why_a_station_a_share_a_train_or_a_car_cannot_be_had() -> None:
    station = until("establish_station")
    assert "(18Mag VI.3.4/" in "".join(refusal_reasons(station, "I2"))
    share = until("stock_round")
    assert refusal_reasons(share, "raba")[0].startswith("raba: ")
    assert "(18Mag VI.3.8/3)" in "".join(refusal_reasons(until("purchase_trains"), "6"))
    run = until("scrap_trains")
    run.apply(Pass())
    assert "snw: 0 of 1" in refusal_reasons(run, "snw")[0]
    assert "(18Mag VI.3.7/5)" in refusal_reasons(run, "snw")[1]
    draft = new_game("18Mag", ["Anna", "Ben", "Cyril"], draw_order=False)
    draft.apply(speech.listed_options(draft)[6].option.action)
    assert "belongs to Anna already (18Mag III.3.2/1)" in refusal_reasons(draft, "7")[1]
    assert refusal_reasons(draft, "xyzzy") == []
