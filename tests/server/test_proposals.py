"""Going further back: somebody proposes it, and all other people agree."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import OstbahnError, Refused
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.table.access import Access, NotYours, Stale
from ostbahn.table.slots import UndoProposal
from tests.server.tables import keys, standing, step, wanted


@pytest.fixture
def proposals(game_service: GameService) -> Proposals:
    return Proposals(game_service)


def played(game_service: GameService, *who: str) -> tuple[dict[str, Access], int]:
    """A table at which everybody has acted twice, and its version; each seat by its name, host included."""
    host = game_service.create_game(wanted(*who, title="18Mag"))
    found = keys(game_service, host)
    at_seat = {seat: each for each in found.values() for seat in each.seats}
    while standing(game_service, host)[1] < 6:
        with game_service.holding(host.game) as room:
            turn = room.turn or ""
        if not play_bot_turn(game_service, host.game):
            step(game_service, at_seat[turn])
    return found | at_seat, standing(game_service, host)[0]


def proposed(proposals: Proposals, who: Access) -> UndoProposal | None:
    with proposals.game_service.holding(who.game) as room:
        return proposals.standing(room)


def test_all_have_to_agree(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    assert proposals.make(found["p1"], version, 2) == version
    assert proposed(proposals, found["p1"]) == UndoProposal(("p1",), 2, ("p1",), ("p2", "p3"))
    assert proposals.reply(found["p3"], version, True, 2) == version
    assert proposals.reply(found["p3"], version, True) == version  # twice is not for two
    assert standing(game_service, found["p1"])[1] == 6
    assert proposals.reply(found["p2"], version, True) == version + 1
    assert standing(game_service, found["p1"])[:2] == (version + 1, 2)
    assert proposed(proposals, found["p1"]) is None


def test_one_who_does_not_agree_is_enough(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    proposals.make(found["p1"], version, 2)
    proposals.reply(found["p2"], version, True)
    proposals.reply(found["p3"], version, False)
    assert proposed(proposals, found["p1"]) is None
    with pytest.raises(Stale):
        proposals.reply(found["p2"], version, True)
    assert standing(game_service, found["p1"])[:2] == (version, 6)


def test_bots_are_not_asked(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "R", "R")
    assert proposals.make(found["p1"], version, 0) == version + 1
    assert standing(game_service, found["p1"])[1] == 0


def test_whoever_plays_for_all_need_not_ask(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "here", "here")
    proposals.make(found["host"], version, 1)
    assert standing(game_service, found["host"])[1] == 1


def test_spectators_have_no_say(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    with pytest.raises(NotYours):
        proposals.make(found["spectator"], version, 2)
    proposals.make(found["p1"], version, 2)
    for agree in (True, False):
        with pytest.raises(NotYours):
            proposals.reply(found["spectator"], version, agree)
    assert proposed(proposals, found["p1"]) is not None


def test_a_proposal_lapses_when_the_game_goes_on(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    proposals.make(found["p1"], version, 2)
    with game_service.holding(found["p1"].game) as room:
        turn = room.turn or ""
    later = step(game_service, found[turn])
    assert proposed(proposals, found["p1"]) is None
    for said in (version, later):
        with pytest.raises(Stale):
            proposals.reply(found["p2"], said, True)
    game_service.undo_own_move(found[turn], later)  # it does not come back with the position
    assert proposed(proposals, found["p1"]) is None


@pytest.mark.parametrize("keep", [-1, 6, 7, 10**20])
def test_only_what_was_answered_can_be_taken_back(game_service: GameService, proposals: Proposals, keep: int) -> None:
    found, version = played(game_service, "here", "link", "link")
    with pytest.raises(Refused, match="moves 0 to 5"):
        proposals.make(found["p1"], version, keep)
    with pytest.raises(Stale):
        proposals.make(found["p1"], version - 1, 2)


def test_nobody_agrees_to_another_proposal_than_he_saw(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    proposals.make(found["p1"], version, 4)
    proposals.make(found["p2"], version, 0)
    assert proposed(proposals, found["p1"]) == UndoProposal(("p2",), 0, ("p2",), ("p1", "p3"))
    with pytest.raises(Stale, match="something else"):
        proposals.reply(found["p3"], version, True, 4)
    proposals.reply(found["p3"], version, True, 0)


def test_whoever_takes_a_seat_is_not_bound_by_who_had_it(game_service: GameService, proposals: Proposals) -> None:
    found, version = played(game_service, "here", "link", "link")
    proposals.make(found["p1"], version, 2)
    proposals.reply(found["p2"], version, True)
    game_service.assign_seat(found["host"], "p2", "link")
    assert proposed(proposals, found["p1"]) is None
    game_service.assign_seat(found["host"], "p3", "R")
    now = keys(game_service, found["host"])
    with pytest.raises(OstbahnError):
        game_service.access(found["p3"].key)
    version = standing(game_service, found["p1"])[0]
    proposals.make(found["p1"], version, 2)
    assert proposals.reply(now["p2"], version, True) == version + 1


# Those who have lost their seats


@pytest.mark.parametrize("who", ["here", "R", "link"])
def test_whoever_was_replaced_is_not_taken_to_agree_and_all_are_told_so(
    game_service: GameService, proposals: Proposals, who: str
) -> None:
    """Neither the host who holds his seat now nor a bot nor whoever has the new link can speak for him."""
    found, _ = played(game_service, "here", "link", "link")
    game_service.assign_seat(found["host"], "p2", who)
    host = game_service.access(found["host"].key)
    version = standing(game_service, host)[0]
    proposals.make(host, version, 2)
    proposal = proposed(proposals, host)
    assert proposal is not None
    assert proposal.unasked == ("p2",)
    assert proposal.missing == (("p2", "p3") if who == "link" else ("p3",))
    for seat in proposal.missing:
        proposals.reply(keys(game_service, host)[seat], version, True)
    with game_service.holding(host.game) as room:
        assert room.number == 2
        note = room.notices.all[-1].note
    assert "Clara agreed." in note
    assert note.endswith("Whoever had the link of Boris before was not asked.")


def test_a_host_who_has_taken_all_seats_goes_back_in_everybodys_sight(
    game_service: GameService, proposals: Proposals
) -> None:
    found, _ = played(game_service, "here", "link", "link")
    for seat in ("p2", "p3"):
        game_service.assign_seat(found["host"], seat, "here")
    host = game_service.access(found["host"].key)
    proposals.make(host, standing(game_service, host)[0], 0)
    with game_service.holding(host.game) as room:
        last = room.notices.all[-1]
        assert (last.by, last.gone) == ("p1", 6)
        assert last.note == "Whoever had the link of Boris and Clara before was not asked."


def test_what_happened_after_somebody_was_replaced_is_not_his_to_object_to(
    game_service: GameService, proposals: Proposals
) -> None:
    found, _ = played(game_service, "here", "link", "link")
    game_service.assign_seat(found["host"], "p2", "here")
    host = game_service.access(found["host"].key)
    at_seat = {"p1": host, "p2": host, "p3": found["p3"]}
    for _ in range(2):
        with game_service.holding(host.game) as room:
            turn = room.turn or ""
        step(game_service, at_seat[turn])
    proposals.make(host, standing(game_service, host)[0], 6)
    proposal = proposed(proposals, host)
    assert proposal is None or proposal.unasked == ()
