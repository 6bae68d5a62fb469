"""Prepared moves at a table: only their owner sees them, they outlast a restart and are carried out exactly once."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refused
from ostbahn.programmed.moves import ProgrammedPass, ProgrammedPurchases, StopCondition
from ostbahn.server.games.service import GameService
from ostbahn.server.games.services import Proposals
from ostbahn.server.games.tables import EntryRow
from ostbahn.server.programmed import service as prepared_moves
from ostbahn.server.programmed.service import MOST_ACTIVE_MOVES, ProgrammedMoveRow, ProgrammedMoves
from ostbahn.server.web.services import Services
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.slots import ProgrammedMoveView
from ostbahn.titles.cz.actions import StartCompany
from tests.server.tables import another, keys, standing, wanted

PASS = ProgrammedPass(alarms=("sale",))


class Stage:
    """Anna, Boris and Clara by link each in the first Stock Round; Anna is asked."""

    def __init__(self, game_service: GameService) -> None:
        self.game_service = game_service
        self.programmed_moves = ProgrammedMoves(game_service)
        self.host = game_service.create_game(wanted("link", "link", "link"))
        links = keys(game_service, self.host)
        for seat, name in (("p1", "Anna"), ("p2", "Boris"), ("p3", "Clara")):
            game_service.name_seat(links[seat], seat, name)
        self.anna, self.boris, self.clara = (game_service.access(links[seat].key) for seat in ("p1", "p2", "p3"))
        self.spectator = links["spectator"]
        for who in (self.anna, self.boris, self.clara):
            self.act(who, Pass())

    def act(self, who: Access, action: Any) -> int:
        return self.game_service.answer(who, self.version, action)

    def prepare(self, who: Access, move: Any, version: int | None = None) -> int:
        return self.programmed_moves.add(who, self.version if version is None else version, who.seats[0], move)

    def of(self, who: Access) -> tuple[ProgrammedMoveView, ...]:
        with self.game_service.holding(who.game) as room:
            return self.programmed_moves.list_for(room, who)

    @property
    def version(self) -> int:
        return standing(self.game_service, self.host)[0]

    @property
    def turn(self) -> str | None:
        with self.game_service.holding(self.host.game) as room:
            return room.turn

    def hows(self) -> list[str]:
        with self.game_service.holding(self.host.game) as room:
            return [given.how for given in room.given]


@pytest.fixture
def stage(game_service: GameService) -> Stage:
    return Stage(game_service)


def test_a_move_is_carried_out_right_after_the_answer_before_it(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    assert stage.turn == "p1"
    stage.act(stage.anna, StartCompany("EKJ", 50))
    assert stage.turn == "p3"
    assert stage.hows()[-2:] == ["person", "prepared"]
    assert [view.ended for view in stage.of(stage.boris)] == [""], "it stands until the round is over"


def test_a_move_that_is_due_is_carried_out_at_once(stage: Stage) -> None:
    stage.prepare(stage.anna, PASS)
    assert stage.turn == "p2"


def test_all_who_pass_end_the_round_and_their_moves(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    stage.prepare(stage.clara, PASS)
    stage.prepare(stage.anna, PASS)
    for who in (stage.anna, stage.boris, stage.clara):
        assert [(view.ended, view.done) for view in stage.of(who)] == [("the round is over", True)]


def test_nobody_else_sees_it(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    assert [view.words for view in stage.of(stage.boris)] == ["pass until the round is over"]
    for who in (stage.anna, stage.clara, stage.spectator, stage.host):
        assert stage.of(who) == ()
    [view] = stage.of(stage.boris)
    for who in (stage.anna, stage.spectator, stage.host):
        with pytest.raises(NotHere):
            stage.programmed_moves.remove(who, view.id)
        with pytest.raises(NotYours):
            stage.programmed_moves.add(who, stage.version, "p2", PASS)
    stage.programmed_moves.remove(stage.boris, view.id)
    assert stage.of(stage.boris) == ()


def test_it_is_there_after_a_restart(stage: Stage, url: str) -> None:
    stage.prepare(stage.boris, PASS)
    with another(url) as later:
        later.answer(stage.anna, stage.version, Pass())
        with later.holding(stage.host.game) as room:
            assert [given.how for given in room.given][-2:] == ["person", "prepared"]


def test_it_is_carried_out_once_where_two_houses_hear_of_the_same_answer(stage: Stage, url: str) -> None:
    stage.prepare(stage.boris, PASS)
    version = stage.version
    with another(url) as later:
        later.answer(stage.anna, version, Pass())
        with pytest.raises(Stale):
            stage.game_service.answer(stage.anna, version, Pass())
    with stage.game_service.database.session() as session:
        lines = select(func.count()).where(EntryRow.game == stage.host.game, EntryRow.how == "prepared")
        assert session.scalar(lines) == 1


def test_what_cannot_be_carried_out_is_called_off_and_its_owner_asked(stage: Stage) -> None:
    stage.act(stage.anna, StartCompany("EKJ", 50))
    stage.prepare(stage.clara, ProgrammedPurchases(company="EKJ", until="number", amount=1, alarms=("bought",)))
    stage.act(stage.boris, StartCompany("OFE", 60))
    assert stage.hows()[-1] == "prepared", "that was not what it waits for"
    assert [view.done for view in stage.of(stage.clara)] == [True]


def test_an_alarm_since_the_page_was_shown_calls_it_off(stage: Stage) -> None:
    """Whoever prepares something has seen a moment; what happened after that counts."""
    stage.act(stage.anna, StartCompany("EKJ", 50))
    seen = stage.version
    with stage.game_service.holding(stage.host.game) as room:
        share = next(
            option.action for option in room.game.question or () if getattr(option.action, "company", "") == "EKJ"
        )
    stage.act(stage.boris, share)
    move = ProgrammedPurchases(company="EKJ", until="number", amount=1, alarms=("bought",))
    stage.prepare(stage.anna, move, version=seen)
    [view] = stage.of(stage.anna)
    assert view.ended == "Boris bought 25 % of EKJ"
    assert not view.done


# Going back


def test_whoever_takes_back_loses_what_they_have_prepared(stage: Stage) -> None:
    stage.prepare(stage.anna, PASS)
    assert stage.turn == "p2"
    stage.game_service.undo_own_move(stage.anna, stage.version)
    assert stage.turn == "p1", "it is not carried out again"
    assert [view.ended for view in stage.of(stage.anna)] == ["answers were taken back"]


def test_what_others_have_prepared_is_no_objection_and_stands(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    stage.act(stage.anna, Pass())
    assert stage.turn == "p3"
    stage.game_service.undo_own_move(stage.anna, stage.version)
    assert stage.turn == "p1"
    assert [view.ended for view in stage.of(stage.boris)] == [""]
    stage.act(stage.anna, StartCompany("EKJ", 50))
    assert stage.turn == "p3"


def test_what_was_prepared_at_a_moment_that_is_gone_falls(stage: Stage) -> None:
    stage.act(stage.anna, StartCompany("EKJ", 50))
    stage.prepare(stage.clara, PASS)
    stage.game_service.undo_own_move(stage.anna, stage.version)
    assert [view.ended for view in stage.of(stage.clara)] == ["answers were taken back"]


def test_a_moment_that_is_another_by_now_is_noticed(stage: Stage) -> None:
    """Even if nobody had said that it was taken back."""
    stage.act(stage.anna, StartCompany("EKJ", 50))
    stage.prepare(stage.clara, PASS)
    with stage.game_service.database.session() as session:
        session.execute(update(ProgrammedMoveRow).values(stamp=ProgrammedMoveRow.stamp - 1))
    stage.act(stage.boris, Pass())
    assert stage.turn == "p3"
    assert [view.ended for view in stage.of(stage.clara)] == ["answers were taken back"]


def test_going_back_by_consent_calls_everything_off(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    stage.act(stage.anna, Pass())
    proposals = Proposals(stage.game_service)
    number = standing(stage.game_service, stage.host)[1]
    proposals.make(stage.anna, stage.version, number - 2)
    proposals.reply(stage.boris, stage.version, True)
    proposals.reply(stage.clara, stage.version, True)
    assert stage.turn == "p1"
    assert [view.ended for view in stage.of(stage.boris)] == ["answers were taken back"]


def test_a_page_of_before_somebody_went_back_prepares_nothing(stage: Stage) -> None:
    seen = stage.act(stage.anna, Pass())
    stage.game_service.undo_own_move(stage.anna, stage.version)
    with pytest.raises(Stale):
        stage.prepare(stage.clara, PASS, version=seen)


# Seats


def test_a_seat_that_is_given_away_has_nothing_prepared(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    stage.game_service.assign_seat(stage.host, "p2", "here")
    host = stage.game_service.access(stage.host.key)
    assert stage.of(host) == ()
    stage.act(stage.anna, Pass())
    assert stage.turn == "p2"


# Limits and faults


def test_there_is_a_limit_and_nothing_stands_twice(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    with pytest.raises(Refused, match="already"):
        stage.prepare(stage.boris, PASS)
    alarms: tuple[StopCondition, ...] = ("directorship", "affordable", "price", "float", "sale")
    moves = [ProgrammedPass(alarms=alarms[: number % 6], until="once") for number in range(5)]
    for move in [*moves, ProgrammedPass(alarms=("price",)), ProgrammedPass(alarms=("float",))]:
        stage.prepare(stage.boris, move)
    with pytest.raises(Refused, match=f"more than {MOST_ACTIVE_MOVES}"):
        stage.prepare(stage.boris, ProgrammedPass())


def test_a_fault_of_ours_ends_what_was_prepared_and_not_the_game(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(*_: object) -> None:
        raise RuntimeError("oh")

    stage.prepare(stage.boris, PASS)
    monkeypatch.setattr(prepared_moves, "due_answer", stumble)
    with caplog.at_level(logging.CRITICAL):
        stage.act(stage.anna, Pass())
    assert stage.turn == "p2"
    assert [view.ended for view in stage.of(stage.boris)] == ["it could not be carried out"]


def test_a_move_that_nobody_understands_any_more_is_over(stage: Stage) -> None:
    stage.prepare(stage.boris, PASS)
    with stage.game_service.database.session() as session:
        session.execute(update(ProgrammedMoveRow).values(data='{"prepare":"dance"}'))
    stage.act(stage.anna, Pass())
    assert stage.turn == "p2"
    assert stage.of(stage.boris) == ()


# The interface


def test_the_interface_lists_gives_and_cancels(net: httpx.Client, inside: Services) -> None:
    stage = Stage(inside.game_service)
    mine, other = f"/api/t/{stage.boris.key}", f"/api/t/{stage.anna.key}"
    [choices] = net.get(f"{mine}/prepared/kinds").json()
    assert [kind["prepare"] for kind in choices["kinds"]] == ["pass"]
    assert choices["kinds"][0]["until"] == {"round": "until the round is over", "once": "once"}
    move = {"prepare": "pass", "until": "round", "alarms": ["sale", "directorship"]}
    sent = net.post(f"{mine}/prepared", json={"version": stage.version, "move": move})
    assert sent.status_code == 200
    [told] = net.get(f"{mine}/prepared").json()
    assert (told["words"], told["ended"]) == ("pass until the round is over", "")
    assert [view["id"] for view in net.get(mine).json()["prepared"]] == [told["id"]]
    for key in (stage.anna.key, stage.spectator.key, stage.host.key):
        assert net.get(f"/api/t/{key}/prepared").json() == []
        assert net.get(f"/api/t/{key}").json()["prepared"] == []
        assert "until the round is over" not in json.dumps(net.get(f"/api/t/{key}").json()["log"])
    assert net.delete(f"{other}/prepared/{told['id']}").status_code == 404
    assert net.delete(f"{mine}/prepared/{told['id']}").status_code == 204
    assert net.get(f"{mine}/prepared").json() == []


def test_the_form_says_what_may_be_prepared(net: httpx.Client, inside: Services) -> None:
    stage = Stage(inside.game_service)
    stage.act(stage.anna, StartCompany("EKJ", 50))
    [choices] = net.get(f"/api/t/{stage.clara.key}/prepared/kinds").json()
    assert choices["kinds"][1]["about"] == [{"id": "EKJ", "words": "EKJ"}]
    assert choices["kinds"][1]["amounts"]["EKJ"]["percent"] == {"least": 25, "most": 50, "step": 25}
    form = net.get(f"/t/{stage.clara.key}/prepare")
    assert 'data-prepare="buy" data-seat="p3"' in form.text
    assert "data-prepare" not in net.get(f"/t/{stage.spectator.key}/prepare").text


@pytest.mark.parametrize(
    "move",
    [
        {"prepare": "dance"},
        {"prepare": "pass", "alarms": ["rain"]},
        {"prepare": "pass", "company": "x"},
        {"prepare": "buy", "company": "x" * 1000, "amount": 1},
        {"prepare": "buy", "company": "EKJ", "amount": 10**30},
        {"prepare": "pass", "alarms": ["sale"] * 5000},
    ],
)
def test_whatever_is_sent_is_a_move_or_refused(net: httpx.Client, inside: Services, move: dict[str, Any]) -> None:
    stage = Stage(inside.game_service)
    sent = net.post(f"/api/t/{stage.boris.key}/prepared", json={"version": stage.version, "move": move})
    assert sent.status_code in (400, 409)
    assert len(sent.text) < 3000
    assert net.get(f"/api/t/{stage.boris.key}/prepared").json() == []
