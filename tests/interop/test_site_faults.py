"""Files of 18xx.games that no site wrote: whatever is wrong in them, a fault names the action."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from ostbahn.interop.importer import SiteEntry
from ostbahn.interop.site_adapter import export_game, import_game
from ostbahn.kernel.errors import BadFile
from ostbahn.kits.catalogue import SITE, new_game
from ostbahn.testing import play_random
from tests.golden.games import GOLDEN, golden_game
from tests.interop.site_scenes import as_on_the_site, operating, read, said
from tests.titles.mag.modules.playing import SUPPORTERS
from tests.titles.mag.scenes import NAMES

TRACK = said("pass", "3")
MISSING_PARTS = said("lay_tile", "3", tile="57-0", rotation=0)


@pytest.mark.rule("18Mag M.5/2")
@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ([said("choose_ability", "MA", choice="9")], r"action 1 \(choose_ability by MA\) cannot be read: .*no 9-train"),
        ([said("choose_ability", "KK", choice="claim")], r"action 1 \(choose_ability by KK\) is refused: .*Rothschild"),
        ([TRACK, said("choose_ability", "SMFvR", choice="claim")], r"action 2 .* does not have the card of Rothschild"),
        ([TRACK, MISSING_PARTS], r"action 2 \(lay_tile by 3\) cannot be read: KeyError 'hex'"),
        ([said("discard_train", "3", train="7-7")], r"action 1 \(discard_train by 3\) .*there is no train '7-7' yet"),
        ([said("special_buy", "3", description="A piano", cost=1)], r"action 1 .* does not know what 'A piano' buys"),
        ([said("buy_piano", "3")], r"action 1 .* does not know the action 'buy_piano' of 18xx\.games"),
        ([said("lay_tile", 0, hex="E10", tile="57-0", rotation=0)], r"action 1 \(lay_tile by 0\) "),
        ([said("pass", 7)], r"action 1 \(pass by 7\) cannot be read"),
        ([TRACK, {"type": "pass", "id": 2}], r"action 2 \(pass by None\) cannot be read"),
        ([TRACK, said("pass", "99")], r"action 2 \(pass by 99\) "),
    ],
)
def test_a_fault_names_the_action_and_what_is_wrong(entries: list[SiteEntry], fault: str) -> None:
    game = operating("3", "6", supporters=["MA"], cash={"3": 20})
    with pytest.raises(BadFile, match=f"^{fault}"):
        read(game, *entries)


def test_a_supporter_that_acts_for_nobody_is_a_fault_of_its_action() -> None:
    """The first player has the draft, and no minor acts yet."""
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES[:3])]
    document: dict[str, Any] = {"title": "18Mag", "players": players, "settings": {"optional_rules": ["supporters"]}}
    for supporter in SUPPORTERS:
        entry = {**said("choose_ability", supporter, choice="claim"), "id": 1}
        with pytest.raises(BadFile, match=rf"^action 1 \(choose_ability by {supporter}\) "):
            import_game({**document, "actions": [entry]})


def test_a_file_that_begins_with_a_company_is_refused_at_its_first_action() -> None:
    """The draft cannot be passed over to get there."""
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES[:3])]
    with pytest.raises(BadFile, match=r"^action 4 \(lay_tile by 3\) is refused: now is the time to take a minor"):
        import_game({"title": "18Mag", "players": players, "actions": [{**said("lay_tile", "3", hex="E10"), "id": 4}]})


def test_a_pass_too_many_at_the_end_is_named() -> None:
    golden = next(golden for golden in GOLDEN if golden.title == "18Mag" and golden.preset == SITE)
    document = export_game(golden_game(golden.name))
    number = len(document["actions"]) + 1
    extra = {**said("pass", "1"), "id": number}
    with pytest.raises(BadFile, match=rf"^action {number} \(pass by 1\) .*goes on after the end of the game"):
        import_game({**document, "actions": [*document["actions"], extra]})


STRANGE: list[Any] = [None, "", -1, 7, "p1", "99", "XY", "2-77", "Z9", "57-0", [], {}, "SIK", 10**9, True, *SUPPORTERS]


def spoiled(entries: list[SiteEntry], rng: Random) -> list[SiteEntry]:
    """A file with one action left out, given twice, moved, or with another value in one field."""
    entries = deepcopy(entries)
    place = rng.randrange(len(entries))
    match rng.randrange(5):
        case 0:
            del entries[place]
        case 1:
            entries.insert(place, deepcopy(rng.choice(entries)))
        case 2:
            entries.insert(place, entries.pop(rng.randrange(len(entries))))
        case _:
            field = rng.choice([name for name in entries[place] if name not in ("id", "created_at")])
            entries[place][field] = rng.choice(STRANGE)
    return entries


def fault_of(document: dict[str, Any]) -> str:
    try:
        import_game(document)
    except BadFile as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_a_spoiled_file_is_read_or_refused_by_the_number_of_an_action(title: str) -> None:
    modules = ("new_minors_simple", "new_major", "supporters") if title == "18Mag" else ()
    game = new_game(title, NAMES[:3], seed=1, preset=SITE, draw_order=False, modules=modules)
    rng = Random(1)
    play_random(game, rng, 130, policy=as_on_the_site)
    document = export_game(game)
    faults = [
        fault for _ in range(150) if (fault := fault_of({**document, "actions": spoiled(document["actions"], rng)}))
    ]
    assert len(faults) > 40
    assert [fault for fault in faults if not re.match(r"action \d+ \(", fault)] == []
