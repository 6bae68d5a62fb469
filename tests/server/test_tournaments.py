"""Tournaments from entering to the last table, and what becomes of them where something goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.server.accounts.people import AccountService, Visitor
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import GameRow, ResultRow
from ostbahn.server.jobs.queue import Jobs
from ostbahn.server.ops.personal_data import PersonalData
from ostbahn.server.tournaments import service
from ostbahn.server.tournaments.pages import TournamentView, listed_tournaments, tournament_view
from ostbahn.server.tournaments.seatings import draw_rounds
from ostbahn.server.tournaments.service import MOST_NOT_BEGUN, NewTournament, Programme, Tournaments, TournamentTableRow
from ostbahn.table.access import NotHere, NotYours
from tests.server.endings import person
from tests.server.tables import now, people_on

CUP = NewTournament(name="Spring  cup", programme=Programme(title="18CZ", variant="moravia"), size=2, rounds=2, seed=4)


@pytest.fixture
def people(game_service: GameService) -> AccountService:
    return people_on(game_service.database)


@pytest.fixture
def tournaments(game_service: GameService) -> Tournaments:
    return Tournaments(game_service)


def players(people: AccountService, *names: str) -> list[Visitor]:
    return [person(people, name) for name in names]


def begun(tournaments: Tournaments, everybody: list[Visitor], cup: NewTournament = CUP) -> str:
    """The first one hosts it and plays too."""
    made = tournaments.create(everybody[0], cup)
    for each in everybody:
        tournaments.enter(each, made)
    tournaments.begin_round(everybody[0], made)
    return made


def test_nobody_can_work_out_the_seatings_before_they_are_drawn(
    game_service: GameService, people: AccountService
) -> None:
    """Whoever knew the seed could enter at the place that suits them."""
    tournaments, everybody = Tournaments(game_service), players(people, "Anna", "Ben", "Cleo", "Dan")
    made = tournaments.create(everybody[0], CUP)
    for each in everybody:
        tournaments.enter(each, made)
    for visitor in (None, *everybody):
        assert tournament_view(game_service.database, made, visitor).seed is None
    tournaments.begin_round(everybody[0], made)
    assert tournament_view(game_service.database, made, None).seed == CUP.seed


def over(game_service: GameService, game: str, *places: int) -> None:
    """A game ends in these places, as if it had been played, and what follows from it is done."""
    with game_service.database.session() as session:
        session.execute(update(GameRow).where(GameRow.id == game).values(turn=None))
        for seat, place in enumerate(places, start=1):
            row = ResultRow(
                game=game, seat=f"p{seat}", number=1, title="18CZ", variant="moravia", person="", bot=None, place=place,
                won=place == 1, worth=1000 // place, ended=now(), counts=False, mu=None, sigma=None,
            )  # fmt: skip
            session.add(row)
        service.enqueue_round_check(session, game)
    jobs = Jobs(game_service.database)
    with jobs.claim([service.ROUND_JOB], now()) as job:
        assert job is not None
        Tournaments(game_service).begin_next_round(job)
        Tournaments(game_service).begin_next_round(job)  # as after a crash before it was noted as done
        jobs.end(job)
    jobs.close()


@pytest.fixture
def seen(game_service: GameService) -> Callable[[str, Visitor | None], TournamentView]:
    return lambda tournament, visitor: tournament_view(game_service.database, tournament, visitor)


Seen = Callable[[str, Visitor | None], TournamentView]


def test_a_tournament_from_entering_to_its_end(
    game_service: GameService, people: AccountService, tournaments: Tournaments, seen: Seen
) -> None:
    everybody = players(people, "Anna", "Ben", "Clara", "Dora")
    made = begun(tournaments, everybody)
    first = seen(made, everybody[0])
    assert (first.name, first.stage, first.round, first.hosting) == ("Spring cup", "running", 1, True)
    assert [[table.stage for table in round_.tables] for round_ in first.schedule] == [["running"] * 2, ["later"] * 2]
    games = [table.game for table in first.schedule[0].tables]
    for visitor in everybody:
        (game,) = MyGames(people.database).games(visitor)
        (mine,) = [table for table in seen(made, visitor).schedule[0].tables if table.key]
        assert (game.key, game.game, game.role) == (mine.key, mine.game, "seat")
        assert game_service.access(game.key).seats == game.seats
        (you,) = [player for player in mine.players if player.you]
        assert you.name == visitor.name
        with game_service.holding(game.game) as room:
            assert room.game.setup.players[int(game.seats[0][1:]) - 1] == visitor.name
            assert room.free == frozenset()
            assert not room.hints
    over(game_service, games[0], 1, 2)
    assert seen(made, None).round == 1, "another table is played"
    over(game_service, games[1], 1, 2)
    second = seen(made, None)
    assert (second.round, [table.stage for table in second.schedule[1].tables]) == (2, ["running"] * 2)
    for number, table in enumerate(second.schedule[1].tables):
        over(game_service, table.game, *((1, 1) if number else (1, 2)))
    end = seen(made, None)
    assert end.stage == "finished"
    assert [line.rank for line in end.standings] == sorted(line.rank for line in end.standings)
    assert sum(line.points for line in end.standings) == 4
    assert all(line.played == 2 for line in end.standings)
    with pytest.raises(Refused, match="last round"):
        tournaments.begin_round(everybody[0], made)
    assert [(each.name, each.stage) for each in listed_tournaments(game_service.database)] == [
        ("Spring cup", "finished")
    ]


def test_everybody_sees_it_and_nobody_the_keys_of_others(
    people: AccountService, tournaments: Tournaments, seen: Seen
) -> None:
    everybody = players(people, "Anna", "Ben")
    made = begun(tournaments, everybody)
    keys = {table.key for each in everybody for table in seen(made, each).schedule[0].tables}
    assert len(keys) == 2
    assert seen(made, everybody[0]).schedule[0].tables[0].host_key
    for visitor in (None, person(people, "Stranger")):
        (table,) = seen(made, visitor).schedule[0].tables
        assert (table.key, table.host_key) == ("", "")
    told = msgspec.json.encode(seen(made, None)).decode()
    assert not any(key in told for key in keys)


def test_only_those_with_an_account_enter_and_only_before_it_begins(
    people: AccountService, tournaments: Tournaments
) -> None:
    anna, ben, late = players(people, "Anna", "Ben", "Late")
    _, guest = people.welcome()
    made = tournaments.create(anna, CUP)
    for nobody in (None, guest):
        for deed in (tournaments.enter, tournaments.leave, tournaments.begin_round):
            with pytest.raises(NotYours, match="account"):
                deed(nobody, made)
        with pytest.raises(NotYours, match="account"):
            tournaments.create(nobody, CUP)
    tournaments.enter(anna, made)
    tournaments.enter(anna, made)
    with pytest.raises(Refused, match="2 people are needed for a table, and 1 have entered"):
        tournaments.begin_round(anna, made)
    tournaments.enter(ben, made)
    tournaments.enter(late, made)
    tournaments.leave(late, made)
    with pytest.raises(NotYours, match="whoever made"):
        tournaments.begin_round(ben, made)
    tournaments.begin_round(anna, made)
    for deed in (tournaments.enter, tournaments.leave):
        with pytest.raises(Refused, match="has begun already"):
            deed(late, made)
    with pytest.raises(NotHere):
        tournaments.enter(anna, "no such")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": "  "}, "1 to 60 letters"),
        ({"name": "x" * 61}, "1 to 60 letters"),
        ({"rounds": 0}, "1 to 10 rounds"),
        ({"rounds": 11}, "1 to 10 rounds"),
        ({"size": 7}, "not played by 7"),
        ({"size": 1, "programme": Programme(title="18Mag", variant="solo")}, "not played by 1"),
        ({"programme": Programme(title="1830", variant="base")}, "1830"),
        ({"programme": Programme(title="18CZ", variant="base", options={"x": "y"}), "size": 3}, "no option x"),
        (
            {
                "programme": Programme(
                    title="18Mag", variant="base", modules=("new_minors_simple", "new_minors_challenge")
                ),
                "size": 3,
            },
            "exclude each other",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_before_anybody_enters(
    people: AccountService, tournaments: Tournaments, changes: dict[str, object], told: str
) -> None:
    with pytest.raises(BadSetup, match=told):
        tournaments.create(person(people, "Anna"), msgspec.structs.replace(CUP, **changes))


def test_nobody_makes_ever_more(people: AccountService, tournaments: Tournaments) -> None:
    anna = person(people, "Anna")
    for _ in range(MOST_NOT_BEGUN):
        tournaments.create(anna, CUP)
    with pytest.raises(Refused, match="have not begun yet"):
        tournaments.create(anna, CUP)


def test_tables_that_a_crash_left_unmade_are_made_once(
    game_service: GameService,
    people: AccountService,
    tournaments: Tournaments,
    seen: Seen,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everybody = players(people, "Anna", "Ben", "Clara", "Dora")
    made, opened = tournaments.create(everybody[0], CUP), game_service.create_game
    for each in everybody:
        tournaments.enter(each, made)

    with monkeypatch.context() as patch:
        calls: list[object] = []

        def fails(wanted: object) -> object:
            calls.append(wanted)
            if len(calls) > 1:
                raise OSError("the process has ended")
            return opened(wanted)  # type: ignore[arg-type]

        patch.setattr(game_service, "create_game", fails)
        with pytest.raises(OSError, match="ended"):
            tournaments.begin_round(everybody[0], made)
    broken = seen(made, everybody[0])
    assert (broken.round, broken.incomplete) == (1, True)
    tournaments.begin_round(everybody[0], made)
    whole = seen(made, everybody[0])
    assert (whole.round, whole.incomplete) == (1, False)
    assert all(len(MyGames(people.database).games(each)) == 1 for each in everybody)
    with game_service.database.session() as session:
        rows = session.scalars(select(TournamentTableRow.game).where(TournamentTableRow.round == 1)).all()
    assert len(rows) == 3, "two tables, and who sits out"


def test_who_is_drawn_cannot_leave_though_a_crash_left_no_table(
    people: AccountService, tournaments: Tournaments, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = players(people, "Anna", "Ben", "Clara", "Dora")
    made = tournaments.create(everybody[0], CUP)
    for each in everybody:
        tournaments.enter(each, made)

    def fails(*_: object) -> None:
        raise OSError("the process has ended")

    with monkeypatch.context() as patch:
        for step in ("_next_round", "_open_tables"):
            patch.setattr(tournaments, step, fails)
        with pytest.raises(OSError, match="ended"):
            tournaments.begin_round(everybody[0], made)
    with pytest.raises(Refused, match="begun already"):
        tournaments.leave(everybody[3], made)
    tournaments.begin_round(everybody[0], made)
    assert all(len(MyGames(people.database).games(each)) == 1 for each in everybody)


def test_nobody_leaves_while_seats_are_drawn(
    people: AccountService, tournaments: Tournaments, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = players(people, "Anna", "Ben", "Clara", "Dora")
    made = tournaments.create(everybody[0], CUP)
    for each in everybody:
        tournaments.enter(each, made)
    with ThreadPoolExecutor(1) as other, monkeypatch.context() as patch:
        leaving: list[Future[None]] = []

        def drawn(*given: Any) -> Any:
            leaving.append(other.submit(tournaments.leave, everybody[3], made))
            wait(leaving, timeout=0.3)  # for as long as it waits for us, it is not done
            return draw_rounds(*given)

        patch.setattr("ostbahn.server.tournaments.service.draw_rounds", drawn)
        tournaments.begin_round(everybody[0], made)
        with pytest.raises(Refused, match="begun already"):
            leaving[0].result()
    assert all(len(MyGames(people.database).games(each)) == 1 for each in everybody)


def test_the_host_begins_a_round_though_a_table_is_played(
    people: AccountService, tournaments: Tournaments, seen: Seen
) -> None:
    everybody = players(people, "Anna", "Ben")
    made = begun(tournaments, everybody)
    tournaments.begin_round(everybody[0], made)
    assert seen(made, None).round == 2


def test_who_presses_twice_begins_one_round(people: AccountService, tournaments: Tournaments, seen: Seen) -> None:
    everybody = players(people, "Anna", "Ben")
    made = tournaments.create(everybody[0], CUP)
    for each in everybody:
        tournaments.enter(each, made)
    for _ in range(2):
        tournaments.begin_round(everybody[0], made, seen=0)
    assert seen(made, None).round == 1
    for _ in range(2):
        tournaments.begin_round(everybody[0], made, seen=1)
    assert seen(made, None).round == 2


def test_a_tournament_goes_on_without_somebody_whose_account_is_gone(
    game_service: GameService, people: AccountService, tournaments: Tournaments, seen: Seen
) -> None:
    everybody = players(people, "Anna", "Ben")
    made = begun(tournaments, everybody)
    PersonalData(game_service, people).delete(everybody[1], "eisenbahn")
    tournaments.begin_round(everybody[0], made)
    view = seen(made, everybody[0])
    assert sorted(line.name for line in view.standings) == ["Anna", "Somebody"]
    (table,) = view.schedule[1].tables
    with game_service.holding(table.game) as room:
        assert sorted(room.game.setup.players) == ["Anna", "Somebody"]
        assert len(room.free) == 1, "the host can give the seat to somebody"
