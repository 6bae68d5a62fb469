"""People: cookies, accounts, and the seats that each has."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from ostbahn.server.accounts.people import AccountRow, AccountService, Visitor, VisitorRow
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import KeepingRow
from ostbahn.table.access import NotHere, NotYours, Unreadable
from tests.server.tables import keys, people_on, step, wanted

PASSWORD = "Brno–Přerov 1841"


@pytest.fixture
def people(game_service: GameService) -> AccountService:
    return people_on(game_service.database)


def again(people: AccountService, cookie: str) -> Visitor:
    """The same browser, with its next request."""
    visitor = people.visitor(cookie)
    assert visitor is not None
    return visitor


def test_a_browser_is_known_by_its_cookie_and_by_nothing_in_the_database(people: AccountService) -> None:
    cookie, visitor = people.welcome()
    assert again(people, cookie) == visitor
    assert (visitor.account, visitor.name) == (None, None)
    with people.database.session() as session:
        (stored,) = session.scalars(select(VisitorRow.cookie))
    assert cookie not in stored
    for wrong in (None, "", stored, cookie[:-1], "x" * 100_000, "ž\0"):
        assert people.visitor(wrong) is None


def test_passwords_are_kept_as_argon2_hashes(game_service: GameService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ostbahn.server.accounts.people.PasswordHasher", PasswordHasher)
    people = people_on(game_service.database)
    _, visitor = people.welcome()
    people.register(visitor, "Anna", PASSWORD)
    with game_service.database.session() as session:
        stored = session.scalars(select(AccountRow.password)).one()
    assert stored.startswith("$argon2id$")
    assert PASSWORD not in stored


def test_ones_games_are_listed_with_those_first_in_which_one_is_asked(
    game_service: GameService, people: AccountService
) -> None:
    _, visitor = people.welcome()
    hosts = [game_service.create_game(wanted("here", "link", "link", name=str(number))) for number in range(3)]
    step(game_service, hosts[1])
    for host in hosts:
        MyGames(people.database).keep(visitor, host)
        MyGames(people.database).keep(visitor, host)
    games = MyGames(people.database).games(visitor)
    assert [(game.name, game.mine, game.turn) for game in games] == [
        ("2", True, "p1"),
        ("0", True, "p1"),
        ("1", False, "p2"),
    ]
    MyGames(people.database).remove(visitor, hosts[0].hash)
    assert [game.name for game in MyGames(people.database).games(visitor)] == ["2", "1"]
    assert game_service.access(hosts[0].key) == hosts[0]


def test_a_game_is_listed_once_though_it_was_opened_in_two_tabs_at_the_same_moment(
    game_service: GameService, people: AccountService
) -> None:
    _, visitor = people.welcome()
    host = game_service.create_game(wanted())
    with game_service.database.session() as session:
        session.add_all([KeepingRow(hash=host.hash, visitor=visitor.id) for _ in range(2)])
    assert len(MyGames(people.database).games(visitor)) == 1
    MyGames(people.database).remove(visitor, host.hash)
    assert MyGames(people.database).games(visitor) == []


def test_nobody_sees_the_games_of_others(game_service: GameService, people: AccountService) -> None:
    (_, one), (_, two) = people.welcome(), people.welcome()
    MyGames(people.database).keep(one, game_service.create_game(wanted()))
    assert MyGames(people.database).games(two) == []
    MyGames(people.database).remove(two, MyGames(people.database).games(one)[0].hash)
    assert len(MyGames(people.database).games(one)) == 1


def test_an_account_collects_seats_from_several_browsers(game_service: GameService, people: AccountService) -> None:
    found = keys(game_service, game_service.create_game(wanted("here", "link", "link")))
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, found["host"])
    MyGames(people.database).keep(visitor, found["p2"])
    home = people.register(visitor, " Anna ", PASSWORD).cookie
    assert again(people, home).name == "Anna"
    _, traveller = people.welcome()
    MyGames(people.database).keep(traveller, found["p2"])
    MyGames(people.database).keep(traveller, found["p3"])
    train = people.log_in(traveller, "Anna", PASSWORD)
    mine = {game.key for game in MyGames(people.database).games(again(people, train))}
    assert mine == {found[name].key for name in ("host", "p2", "p3")}
    assert len(MyGames(people.database).games(again(people, home))) == 3
    MyGames(people.database).keep(again(people, home), found["spectator"])
    assert len(MyGames(people.database).games(again(people, train))) == 4


def test_after_logging_out_a_browser_has_no_games(game_service: GameService, people: AccountService) -> None:
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, game_service.create_game(wanted()))
    cookie = people.register(visitor, "Anna", PASSWORD).cookie
    people.log_out(again(people, cookie))
    assert MyGames(people.database).games(again(people, cookie)) == []
    cookie = people.log_in(again(people, cookie), "Anna", PASSWORD)
    assert len(MyGames(people.database).games(again(people, cookie))) == 1


def test_the_cookie_of_before_is_worth_nothing_after_logging_in(people: AccountService) -> None:
    """Somebody may have planted it, and would be logged in as well."""
    planted, visitor = people.welcome()
    first = people.register(visitor, "Anna", PASSWORD).cookie
    second = people.log_in(again(people, first), "Anna", PASSWORD)
    assert people.visitor(planted) is None
    assert people.visitor(first) is None
    assert again(people, second).name == "Anna"
    with people.database.session() as session:
        assert len(list(session.scalars(select(VisitorRow.id)))) == 1


def test_who_presses_twice_is_let_in_twice(people: AccountService) -> None:
    """The second request was under way when the first had its browser known by another cookie."""
    _, visitor = people.welcome()
    code = people.register(None, "Anna", "eisenbahn").code
    people.log_in(visitor, "Anna", "eisenbahn")
    assert again(people, people.log_in(visitor, "Anna", "eisenbahn")).name == "Anna"
    assert again(people, people.recover(visitor, "Anna", code, "zeleznice").cookie).name == "Anna"


def test_somebody_who_was_never_here_can_log_in(people: AccountService) -> None:
    people.register(None, "Anna", PASSWORD)
    assert again(people, people.log_in(None, "Anna", PASSWORD)).name == "Anna"


def test_logging_in_as_somebody_else_leaves_the_games_of_the_first_with_him(
    game_service: GameService, people: AccountService
) -> None:
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, game_service.create_game(wanted()))
    cookie = people.register(visitor, "Anna", PASSWORD).cookie
    _, other = people.welcome()
    people.register(other, "Boris", PASSWORD)
    cookie = people.log_in(again(people, cookie), "Boris", PASSWORD)
    assert MyGames(people.database).games(again(people, cookie)) == []


@pytest.mark.parametrize(("name", "password"), [("Anna", "wrong"), ("Anna", ""), ("Nobody", PASSWORD), ("", "")])
def test_name_and_password_have_to_fit(people: AccountService, name: str, password: str) -> None:
    cookie, visitor = people.welcome()
    people.register(people.welcome()[1], "Anna", PASSWORD)
    with pytest.raises(NotYours) as told:
        people.log_in(visitor, name, password)
    assert str(told.value) == "name and password do not fit together"  # not which of the two is wrong
    assert again(people, cookie).account is None


def test_an_unknown_name_costs_as_much_work_as_a_wrong_password(
    people: AccountService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time would tell which names there are."""
    people.register(people.welcome()[1], "Anna", PASSWORD)
    _, visitor = people.welcome()
    work: list[str] = []
    hasher = people._hasher

    class Counting:
        def hash(self, password: str) -> str:
            work.append("hash")
            return hasher.hash(password)

        def verify(self, stored: str, password: str) -> bool:
            work.append("verify")
            return hasher.verify(stored, password)

    monkeypatch.setattr(people, "_hasher", Counting())
    done = []
    for name in ("Anna", "Nobody"):
        work.clear()
        with pytest.raises(NotYours):
            people.log_in(visitor, name, "wrong")
        done.append(tuple(work))
    assert done[0] == done[1]


@pytest.mark.parametrize("name", ["", "A", " ", "x" * 41, "_Anna", "An\nna", "<b>", "Anna\0", "-- ' OR 1=1"])
def test_names_that_cannot_be_told_apart_or_printed_are_refused(people: AccountService, name: str) -> None:
    with pytest.raises(Unreadable):
        people.register(people.welcome()[1], name, PASSWORD)


@pytest.mark.parametrize("name", ["Bo", "x" * 40, "Jan Hus", "O'Neill", "Žofie-Anna", "18xx"])
def test_names_that_people_have_are_taken(people: AccountService, name: str) -> None:
    people.register(people.welcome()[1], name, PASSWORD)


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_passwords_have_a_length(people: AccountService, password: str) -> None:
    with pytest.raises(Unreadable, match="password"):
        people.register(people.welcome()[1], "Anna", password)


def test_a_name_is_given_once(people: AccountService) -> None:
    people.register(people.welcome()[1], "Anna", PASSWORD)
    cookie, other = people.welcome()
    with pytest.raises(Unreadable, match="taken"):
        people.register(other, "Anna", "another password")
    assert again(people, cookie).account is None


# Recovery


def test_recovery_codes_are_kept_as_hashes_and_are_all_different(people: AccountService) -> None:
    codes = [people.register(None, name, PASSWORD).code for name in ("Anna", "Boris")]
    assert len({*codes, people.reset_recovery_code("anna")[1]}) == 3
    assert all(len(set(code)) > 5 for code in codes)
    with people.database.session() as session:
        kept = list(session.scalars(select(AccountRow.recovery)))
    assert all(len(each) == 64 and each not in codes for each in kept)


def test_the_host_of_the_server_makes_a_new_code(people: AccountService) -> None:
    old = people.register(None, "Anna", PASSWORD).code
    name, code = people.reset_recovery_code(" ANNA ")
    assert name == "Anna"
    assert people.log_in(None, "Anna", PASSWORD), "the password works until there is another"
    with pytest.raises(NotYours):
        people.recover(None, "Anna", old, "another password")
    people.recover(None, "Anna", code, "another password")
    with pytest.raises(NotYours):
        people.recover(None, "Anna", code, "yet another password")
    with pytest.raises(NotHere, match="Nobody"):
        people.reset_recovery_code("Nobody")


def test_an_account_without_a_code_is_opened_by_none(people: AccountService) -> None:
    """As those of before."""
    people.register(None, "Anna", PASSWORD)
    with people.database.session() as session:
        session.scalars(select(AccountRow)).one().recovery = ""
    for code in ("", " ", "-"):
        with pytest.raises(NotYours):
            people.recover(None, "Anna", code, PASSWORD)


def test_a_new_password_takes_the_games_of_this_browser_along(
    game_service: GameService, people: AccountService
) -> None:
    code = people.register(None, "Anna", PASSWORD).code
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, game_service.create_game(wanted()))
    cookie = people.recover(visitor, "Anna", code, "another password").cookie
    assert len(MyGames(people.database).games(again(people, cookie))) == 1


# Removed games


def test_removed_games_are_listed_apart_and_can_be_put_back(game_service: GameService, people: AccountService) -> None:
    (_, one), (_, two) = people.welcome(), people.welcome()
    host = game_service.create_game(wanted(name="A"))
    for visitor in (one, two):
        MyGames(people.database).keep(visitor, host)
    MyGames(people.database).remove(one, host.hash)
    assert (
        MyGames(people.database).games(one),
        [game.name for game in MyGames(people.database).games(one, removed=True)],
    ) == ([], ["A"])
    assert len(MyGames(people.database).games(two)) == 1
    MyGames(people.database).remove(two, host.hash, False)
    MyGames(people.database).remove(one, host.hash, False)
    assert (len(MyGames(people.database).games(one)), MyGames(people.database).games(one, removed=True)) == (1, [])


def test_a_seat_is_known_again_by_whoever_plays_it(game_service: GameService, people: AccountService) -> None:
    found = keys(game_service, game_service.create_game(wanted("here", "link", "link")))
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, found["spectator"])
    assert MyGames(people.database).seat_at(visitor, found["p2"].game) is None
    MyGames(people.database).keep(visitor, found["p2"])
    assert MyGames(people.database).seat_at(visitor, found["p2"].game) == found["p2"]
    assert MyGames(people.database).seat_at(visitor, game_service.create_game(wanted()).game) is None
