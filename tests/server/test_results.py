"""How games ended: kept once, taken away with the end, and rated by nothing else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from ostbahn.server.accounts.people import AccountService, PrivacyChoices
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.results import Rating, rate_anew, ratings_after_game
from ostbahn.server.games.service import GameService
from ostbahn.server.games.tables import ResultRow
from ostbahn.server.plans.service import Plans
from ostbahn.server.profiles.service import Profiles
from ostbahn.table.access import NotHere
from tests.server.endings import Ending, ending, person, played
from tests.server.tables import another, people_on


@pytest.fixture
def people(game_service: GameService) -> AccountService:
    return people_on(game_service.database)


def rows(game_service: GameService) -> list[tuple[int, str, int, bool, float | None, float | None]]:
    wanted = select(ResultRow).order_by(ResultRow.number, ResultRow.seat)
    with game_service.database.session() as session:
        return [(row.number, row.seat, row.place, row.won, row.mu, row.sigma) for row in session.scalars(wanted)]


# Ratings alone


def test_who_comes_in_first_rises_and_the_last_falls_and_equals_stay_together() -> None:
    after = ratings_after_game({"a": 1, "b": 2, "c": 3}, {})
    start = Rating(25.0, 25.0 / 3)
    assert after["a"].mu > after["b"].mu > after["c"].mu
    assert after["a"].mu > start.mu > after["c"].mu
    assert all(each.sigma < start.sigma for each in after.values()), "one knows more of everybody"
    even = ratings_after_game({"a": 1, "b": 1}, {})
    assert even["a"].mu == pytest.approx(even["b"].mu)
    assert Rating(25.0, 25.0 / 3).points == 1000


def test_to_beat_somebody_strong_is_worth_more() -> None:
    strong, weak = Rating(35.0, 3.0), Rating(15.0, 3.0)
    over_strong = ratings_after_game({"me": 1, "other": 2}, {"other": strong})["me"]
    over_weak = ratings_after_game({"me": 1, "other": 2}, {"other": weak})["me"]
    assert over_strong.mu > over_weak.mu


def test_nobody_is_rated_alone() -> None:
    assert ratings_after_game({"a": 1}, {}) == {}


# Results


def test_a_game_counts_once_however_often_its_end_is_taken_back(
    game_service: GameService, people: AccountService
) -> None:
    anna, ben = person(people, "Anna"), person(people, "Ben")
    table = played(game_service, people, anna, ben)
    once = rows(game_service)
    assert [(number, seat) for number, seat, *_ in once] == [(1, "p1"), (1, "p2")]
    assert sorted(won for _, _, _, won, _, _ in once) == [False, True]
    assert all(mu is not None for *_, mu, _ in once)
    table.take_back()
    assert rows(game_service) == []
    assert Profiles(game_service.database).view("Anna", anna).games == ()
    table.finish()
    assert rows(game_service) == once


def test_ratings_go_on_from_game_to_game_and_can_be_computed_anew(
    game_service: GameService, people: AccountService
) -> None:
    anna, ben, clara = (person(people, name) for name in ("Anna", "Ben", "Clara"))
    first = played(game_service, people, anna, ben)
    played(game_service, people, clara, anna)
    played(game_service, people, ben, clara)
    before = rows(game_service)
    assert len({mu for *_, mu, _ in before}) == 6
    with game_service.database.session() as session:
        for row in session.scalars(select(ResultRow)):
            row.mu = row.sigma = 1.0
    with game_service.database.session() as session:
        assert rate_anew(session) == 3
    assert rows(game_service) == before
    first.take_back()  # later ones are as if it had never been
    without = rows(game_service)
    first.finish()
    assert [number for number, *_ in rows(game_service)] == [2, 2, 3, 3, 4, 4]
    first.take_back()
    assert rows(game_service) == without


def test_games_that_end_at_the_same_moment_are_rated_one_after_the_other(
    game_service: GameService, people: AccountService, url: str
) -> None:
    anna, ben = person(people, "Anna"), person(people, "Ben")
    with another(url) as other:
        tables = [ending(worker) for worker in (game_service, other, game_service, other)]
        for table in tables:
            MyGames(people.database).keep(anna, table.seats["p1"])
            MyGames(people.database).keep(ben, table.seats["p2"])
        with ThreadPoolExecutor(len(tables)) as pool:
            list(pool.map(Ending.finish, tables))
    before = rows(game_service)
    assert [number for number, *_ in before] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert len({mu for *_, mu, _ in before}) == 8
    with game_service.database.session() as session:
        rate_anew(session)
    assert rows(game_service) == before


def test_who_does_not_want_to_be_rated_changes_nobodys_rating(
    game_service: GameService, people: AccountService
) -> None:
    anna, ben, clara = (person(people, name) for name in ("Anna", "Ben", "Clara"))
    people.save_privacy(ben, PrivacyChoices(rated=False))
    played(game_service, people, anna, ben)
    assert [mu for *_, mu, _ in rows(game_service)] == [None, None]
    played(game_service, people, anna, ben, clara, golden="18CZ-base-3")
    three = rows(game_service)[2:]
    assert [mu is None for *_, mu, _ in three] == [False, True, False]
    places = {seat: place - won for _, seat, place, won, _, _ in three if seat != "p2"}
    alone = ratings_after_game({"anna": places["p1"], "clara": places["p3"]}, {})
    assert [mu for *_, mu, _ in three if mu] == [pytest.approx(each.mu) for each in alone.values()]
    profile = Profiles(game_service.database).view("Ben", ben)
    assert (profile.ratings, len(profile.games)) == ((), 2), "their past games are there all the same"


def test_bots_strangers_and_hot_seats_are_not_rated(game_service: GameService, people: AccountService) -> None:
    anna, ben = person(people, "Anna"), person(people, "Ben")
    played(game_service, people, anna, None)
    hot = ending(game_service, "here", "here")
    MyGames(people.database).keep(anna, hot.host)
    hot.finish()
    bots = ending(game_service, "here", "S")
    MyGames(people.database).keep(anna, bots.host)
    bots.finish()
    several = ending(game_service, "here", "link", "here", golden="18CZ-base-3")
    MyGames(people.database).keep(anna, several.host)
    MyGames(people.database).keep(ben, several.seats["p2"])
    several.finish()
    assert {mu for *_, mu, _ in rows(game_service)} == {None}
    (server_stats,) = [
        each for each in Profiles(game_service.database).view("Anna", anna).tallies if each.variant == "moravia"
    ]
    assert server_stats.games == 2, "a game at all seats is in no tally"


def test_plans_have_no_results(game_service: GameService, people: AccountService) -> None:
    table = ending(game_service)
    plans = Plans(game_service)
    board = plans.create(table.seats["p1"], "Ahead")
    table._replace(host=board, seats=dict.fromkeys(table.seats, board)).finish()
    plans.close()
    assert rows(game_service) == []


def test_games_that_were_finished_without_an_account_are_found_by_it_later(
    game_service: GameService, people: AccountService
) -> None:
    table = ending(game_service)
    _, guest = people.welcome()
    MyGames(people.database).keep(guest, table.seats["p1"])
    table.finish()
    anna = people.visitor(people.register(guest, "Anna", "eisenbahn").cookie)
    (game,) = Profiles(game_service.database).view("anna", anna).games
    assert [each.mine for each in game.placings].count(True) == 1
    assert (game.path, game.rating) == (f"/t/{table.seats['p1'].key}", None)


# Profiles


def test_a_profile_is_seen_by_whom_its_owner_wants(game_service: GameService, people: AccountService) -> None:
    anna, ben = person(people, "Anna"), person(people, "Ben")
    table = played(game_service, people, anna, ben)
    profiles = Profiles(game_service.database)
    own = profiles.view(" ANNA ", anna)
    (game,) = own.games
    assert game.path == f"/t/{table.seats['p1'].key}"
    assert [each.profile for each in game.placings] == ["", ""]
    for other in (None, ben):
        with pytest.raises(NotHere, match="no profile by this name"):
            profiles.view("Anna", other)
    people.save_privacy(anna, PrivacyChoices(public=True))
    people.save_privacy(ben, PrivacyChoices(public=True))
    seen = profiles.view("Anna", None)
    assert (seen.own, seen.games[0].path) == (False, "")
    assert {each.profile for each in seen.games[0].placings} == {"", "/people/Ben"}, "no link to the page itself"
    assert seen.ratings == own.ratings
    with pytest.raises(NotHere):
        profiles.view("Nobody", None)
