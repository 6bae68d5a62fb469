"""Planning boards on a server: they are private, last, and leave the game and all that is kept of it as it was."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from ostbahn.kernel.errors import Refused
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow, PlanRow
from ostbahn.server.lobby.service import Lobby
from ostbahn.server.ops.backups import METADATA
from ostbahn.server.plans import service as boards
from ostbahn.server.plans.service import Plans
from ostbahn.table.access import Access, NotHere, NotYours, Stale
from ostbahn.table.plans import plan_status
from ostbahn.testing import uniform
from tests.golden.games import golden_game
from tests.server.loops import run
from tests.server.site import Client, client, words
from tests.server.tables import FEWEST, WAYS, another, keys, standing, step, waiting_for_bots, wanted


@pytest.fixture
def plans(game_service: GameService) -> Iterator[Plans]:
    made = Plans(game_service)
    yield made
    made.close()


@pytest.fixture
def site(url: str) -> Iterator[Client]:
    with client(url) as opened:
        yield opened


def rows_of(game_service: GameService, game: str) -> list[tuple[str, tuple[Any, ...]]]:
    """All that the database has of a game, plans apart, and of the keys to it."""
    with game_service.database.session() as session:
        return [
            (table.name, tuple(row))
            for table in METADATA.sorted_tables
            if table.name not in ("plans",) and ("game" in table.c or table.name == "games")
            for row in session.execute(
                select(table).where((table.c.game if "game" in table.c else table.c.id) == game)
            ).all()
        ]


def version_of(game_service: GameService, who: Access) -> int:
    return standing(game_service, who)[0]


def wander(plans: Plans, who: Access, rng: Random, steps: int) -> None:
    """Whatever can be done on a board, in any order."""
    game_service = plans.game_service
    for _ in range(steps):
        with plans.holding(who) as room:
            version, what, over = room.version, rng.random(), room.turn is None
            can_undo, can_redo = room.own_move(who.seats) is not None, bool(room.undone)
            action = None if over else uniform(room.game, rng)
        if can_undo and (action is None or what < 0.2):
            game_service.undo_own_move(who, version)
        elif can_redo and what < 0.35:
            plans.redo(who, version)
        elif what < 0.45 and not over:
            run(plans.let_bot_play(who, version, "R"))
        elif what < 0.5:
            plans.rebase(who, version)
        elif action is not None:
            game_service.answer(who, version, action)


def buy(game_service: GameService, who: Access, local: str) -> None:
    """For whoever is asked."""
    with game_service.holding(who.game) as room:
        version, action = room.version, room.game.ask().only(local=local)[0].action
    game_service.answer(who, version, action)


# The game stays as it is


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_nothing_on_a_board_changes_the_game(game_service: GameService, plans: Plans, title: str, variant: str) -> None:
    host = game_service.create_game(
        wanted(*("here", "link", "here")[: FEWEST[title, variant]], title=title, variant=variant)
    )
    owner = keys(game_service, host).get("p2", host)
    for _ in range(20):
        with game_service.holding(host.game) as room:
            if room.turn is None:
                break
            asked = host if room.turn in host.seats else owner
            version, action = room.version, uniform(room.game, Random(room.version))
        game_service.answer(asked, version, action)
    before, digest, presence = rows_of(game_service, host.game), standing(game_service, host), game_service.links(host)
    rng = Random(f"{title} {variant}")
    for at in (None, 7):
        wander(plans, plans.create(host, "A try", at), rng, 25)
    wander(plans, plans.create(keys(game_service, host)["spectator"]), rng, 10)
    assert (rows_of(game_service, host.game), standing(game_service, host), game_service.links(host)) == (
        before,
        digest,
        presence,
    )


def test_boards_survive_a_restart_with_what_was_taken_back(url: str, game_service: GameService, plans: Plans) -> None:
    host = game_service.import_game(golden_game("18CZ-base-3").position(130))
    who = plans.create(host, "Ahead")
    wander(plans, who, Random(3), 30)
    step(game_service, who)
    step(game_service, who)
    game_service.undo_own_move(who, version_of(game_service, who))
    plans.rename(who, "Further ahead")
    with plans.holding(who) as room, another(url) as later:
        again = Plans(later)
        assert later.access(who.key) == who
        with again.holding(who) as read:
            assert standing(later, who) == standing(game_service, who)
            assert (read.given, read.undone, read.fork, read.seed) == (room.given, room.undone, room.fork, room.seed)
            assert read.name == "Further ahead"
        assert [plan.name for plan in again.list_boards(host)] == ["Further ahead"]
        later.rooms.find_damaged_games()
        assert later.rooms.damaged == {}
        again.redo(who, version_of(later, who))
        again.close()


# Nobody else finds it


def test_a_board_is_opened_by_the_key_that_made_it_alone(game_service: GameService, plans: Plans, site: Client) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    others = keys(game_service, host)
    mine = plans.create(others["p2"], "Secret")
    board = mine.key.partition(".")[2]
    assert site.get(f"/api/t/{mine.key}").json()["you"] == "You play Anna, Boris and Clara"
    for other in (host, others["p3"], others["spectator"]):
        for path in (f"/t/{other.key}.{board}", f"/api/t/{other.key}.{board}", f"/api/t/{other.key}.{board}/plan"):
            assert site.get(path).status_code == 404
        assert site.get(f"/api/t/{other.key}/plans", params={"known": board}).json() == []
        assert site.get(f"/api/t/{other.key}/plans/compare", params={"one": board}).status_code == 404
    assert [each["name"] for each in site.get(f"/api/t/{others['p2'].key}/plans").json()] == ["Secret"]
    game_service.assign_seat(host, "p2", "link")  # whoever had the seat has it no more, and nobody has their plans
    with pytest.raises(NotHere):
        game_service.access(mine.key)
    with game_service.database.session() as session:
        assert session.get(PlanRow, board) is None
        assert session.get(GameRow, board) is None


def test_a_board_stands_in_no_list(game_service: GameService, plans: Plans, site: Client) -> None:
    host = game_service.create_game(wanted(name="The real one"))
    assert site.get(f"/t/{host.key}").status_code == 200
    who = plans.create(host, "The hidden one")
    page = site.get(f"/t/{who.key}")
    assert "The hidden one" in words(page)
    assert "Players and links" not in words(page)
    assert "The hidden one" not in words(site.get("/"))
    assert "The real one" in words(site.get("/"))
    assert "hidden" not in words(site.get("/lobby"))
    assert Lobby(game_service).tables() == []
    assert waiting_for_bots(game_service.database) == []
    assert site.get(f"/api/t/{who.key}/links").json() == []
    assert site.get(f"/api/t/{who.key}/save").status_code == 409
    assert site.post(f"/t/{who.key}/join", data={"seat": "p1", "name": "Else"}).status_code == 409


def test_those_who_look_on_share_a_key_but_no_plans(
    game_service: GameService, plans: Plans, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = game_service.create_game(wanted("here", "R", "R"))
    watcher = keys(game_service, host)["spectator"]
    mine, other = plans.create(watcher, "Mine"), plans.create(watcher, "Of another")
    assert plans.list_boards(watcher) == plans.list_boards(other) == []
    assert [plan.name for plan in plans.list_boards(watcher, [mine.game])] == ["Mine"]
    step(game_service, mine)
    with pytest.raises(NotYours, match="can plan, but not play"):
        plans.play(mine, version_of(game_service, mine))
    monkeypatch.setattr(boards, "MOST_SPECTATOR_BOARDS", 2)
    plans.create(watcher, "New")
    assert [plan.name for plan in plans.list_boards(watcher, [mine.game, other.game])] == [
        "Mine"
    ]  # where somebody acted last


# Planning and the game


def test_the_first_move_is_played_for_real_while_it_is_legal(game_service: GameService, plans: Plans) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    boris = keys(game_service, host)["p2"]
    who = plans.create(host)
    for local in ("L1", "L2", "L3"):
        buy(game_service, who, local)
    assert plans.play(who, version_of(game_service, who)) == host
    with game_service.holding(host.game) as room:
        assert [record.action for record in room.game.records] == [ask_action(game_service, who, 0)]
    with pytest.raises(Refused, match="it is the turn of Boris"):
        plans.play(who, version_of(game_service, who))
    with plans.holding(who) as board:
        found = plan_status(board, plans.real(who))
    assert (found.fit.followed, found.fit.broke) == (1, None)
    buy(game_service, boris, "S1")
    with plans.holding(who) as board:
        found = plan_status(board, plans.real(who))
    assert found.fit.broke is not None
    assert found.fit.broke.number == 2
    assert found.replayed is not None
    assert len(found.replayed.kept) == 1  # what was planned for Clara
    plans.rebase(who, version_of(game_service, who))
    with plans.holding(who) as board:
        assert (board.fork, board.number) == (2, 3)
        assert plan_status(board, plans.real(who)).fit.broke is None


def ask_action(game_service: GameService, who: Access, number: int) -> object:
    with game_service.holding(who.game) as room:
        return room.game.records[number].action


def test_a_move_that_nobody_has_seen_is_not_played(game_service: GameService, plans: Plans) -> None:
    host = game_service.create_game(wanted())
    who = plans.create(host)
    version = step(game_service, who)
    step(game_service, who)
    with pytest.raises(Stale):
        plans.play(who, version)
    assert standing(game_service, host)[1] == 0


def test_a_board_brought_up_to_date_again_and_again_is_the_same_after_a_restart(
    url: str, game_service: GameService, plans: Plans
) -> None:
    """Also where the game went along with a part of it, and back before it."""
    host = game_service.import_game(golden_game("18CZ-base-3").position(3))
    who = plans.create(host)
    rng = Random(4)
    for _ in range(6):
        wander(plans, who, rng, 6)
        for _ in range(2):
            with game_service.holding(host.game) as room:
                version, action = room.version, uniform(room.game, rng)
            game_service.answer(host, version, action)
        game_service.undo_own_move(host, version_of(game_service, host))
        plans.rebase(who, version_of(game_service, who))
        with game_service.holding(host.game) as room, plans.holding(who) as board:
            assert board.game.records[: board.fork] == room.game.records
            assert board.game_at_version(board.version_at(board.number - 1)) is not None
    with another(url) as later:
        assert standing(later, who) == standing(game_service, who)


def test_a_board_may_go_back_to_where_it_begins_and_no_further(game_service: GameService, plans: Plans) -> None:
    host = game_service.import_game(golden_game("18CZ-base-3").position(40))
    begins = standing(game_service, host)[1]
    who = plans.create(host)
    with pytest.raises(Refused, match="nothing to take back"):
        game_service.undo_own_move(who, version_of(game_service, who))
    step(game_service, who)
    step(game_service, who)
    for _ in range(2):
        game_service.undo_own_move(who, version_of(game_service, who))
    assert standing(game_service, who)[1] == begins
    with plans.holding(who) as board, pytest.raises(Refused, match="nothing to take back"):
        board.undo(begins - 1, "p1")


def test_bots_answer_on_a_board_where_hints_are_allowed(game_service: GameService, plans: Plans) -> None:
    host = game_service.create_game(wanted("here", "link", "R"))
    who = plans.create(host)
    step(game_service, who)
    done = run(plans.let_bot_play(who, version_of(game_service, who), "R", until="p3"))
    assert (done.answers, done.done) == (1, True)
    with game_service.holding(who.game) as room:
        assert room.turn == "p3"
        assert [given.how for given in room.given] == ["person", "bot"]
    with pytest.raises(Refused, match="Clara is asked now"):
        run(plans.let_bot_play(who, version_of(game_service, who), "R", until="p3"))
    with game_service.holding(who.game) as room:
        room.hints = False
        with pytest.raises(NotYours, match="no hints at this table"):
            plans._play_bot_answer(who, room.version, "R", None)


def test_there_is_a_limit_to_plans(game_service: GameService, plans: Plans, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_PLANS", 2)
    host = game_service.create_game(wanted())
    first = plans.create(host)
    plans.create(host)
    with pytest.raises(Refused, match="throw one away"):
        plans.create(host)
    plans.delete(first)
    assert [plan.name for plan in plans.list_boards(host)] == ["Plan from move 0"]
    plans.create(host)
    with pytest.raises(NotHere, match="of another plan"):
        plans.create(game_service.access(f"{host.key}.{plans.list_boards(host)[0].id}"))


# By the interface


def test_a_plan_by_the_interface_alone(game_service: GameService, site: Client) -> None:
    host = game_service.create_game(wanted("here", "link", "R"))
    table = f"/api/t/{host.key}"
    made = site.post(f"{table}/plans", json={"name": "By hand"}).json()
    board = f"/api/t/{made['key']}"
    action = {"do": "buy_local", "local": "L1"}
    assert site.post(f"{board}/answer", json={"version": 1, "action": action}).status_code == 200
    view = site.get(f"{board}/plan").json()
    assert (view["answers"], view["first"]) == (1, {"words": "Buy Local Railway L1", "refusal": ""})
    assert site.post(f"{board}/undo", json={"version": 2}).status_code == 200
    assert site.post(f"{board}/plan/redo", json={"version": 3}).status_code == 200
    answered = site.post(f"{board}/plan/bot", json={"version": 4, "bot": "R"}).json()
    assert answered == {"answered": {"version": 5, "answers": 1, "done": True}, "update": None}
    compared = site.get(f"{table}/plans/compare", params={"other": made["id"]}).json()
    anna = compared["players"][0]
    assert anna["other"]["cash"] - anna["one"]["cash"] == -55
    assert site.put(f"{board}/plan", json={"name": "Otherwise"}).status_code == 200
    assert [plan["name"] for plan in site.get(f"{table}/plans").json()] == ["Otherwise"]
    assert "Otherwise" in words(site.get(f"/t/{host.key}/plans"))
    assert "L1" not in words(site.get(f"/t/{host.key}/plans/compare", params={"other": made["id"]}))
    played = site.post(f"{board}/plan/play", json={"version": 5}).json()
    assert played["path"] == f"/t/{host.key}"
    assert site.get(table).json()["number"] == 1
    assert site.get(f"{table}/plan").status_code == 404
    assert site.delete(f"{board}/plan").status_code == 204
    assert site.get(f"{board}").status_code == 404


def test_what_a_company_would_run_for(game_service: GameService, site: Client) -> None:
    game = golden_game("18CZ-base-3").position(400)
    host = game_service.import_game(game)
    key = site.post(f"/api/t/{host.key}/plans", json={}).json()["key"]
    run = site.get(f"/api/t/{key}/plan/run/ATE").json()
    assert run["revenue"] > 0
    assert run["proven"]
    assert site.get(f"/api/t/{key}/plan/run/XYZ").status_code == 400
