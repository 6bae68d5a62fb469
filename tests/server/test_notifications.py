"""Notifications that nobody at the table triggers for themselves: a game begins, a seat is lost, nothing arrives."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec
import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.clocks.clock import DAY, TableClock
from ostbahn.server.clocks.votes import Motion
from ostbahn.server.play.access import Access
from ostbahn.server.play.new_table import HERE, LINK
from ostbahn.server.play.tournaments import NewTournament, Programme
from ostbahn.server.store.people import Visitor
from ostbahn.server.told.noting import SETTLED
from ostbahn.server.told.wishes import owner_of
from tests.server.loops import run
from tests.server.receivers import mail_server, web_server
from tests.server.tables import NAMES, keys, wanted
from tests.server.test_told import Town, pass_on, texts, two_people

HOUR_EACH = TableClock(kind="move", seconds=3600)


@pytest.fixture
def town(url: str) -> Iterator[Town]:
    with mail_server() as mail, web_server() as web:
        made = Town(url, mail, web)
        yield made
        run(made.runner.close())
        made.services.house.opponents.close()
        made.services.archive.close()


def reachable(town: Town, who: Access, name: str) -> Visitor:
    """Somebody who has a key among their games and wants mail."""
    visitor = town.person(who)
    town.mail_wire(visitor, f"{name}@example.org")
    town.wish(visitor)
    return visitor


def letters(town: Town) -> list[tuple[str, str]]:
    """To whom mail was sent since, and about what."""
    town.time += SETTLED
    town.work()
    found = []
    while not town.mail.letters.empty():
        letter = town.mail.letters.get()
        found.append((str(letter["To"]).partition("@")[0], str(letter["Subject"]).partition(":")[0]))
    return sorted(found)


# Whoever is to move when a game begins


def test_the_first_to_move_is_notified_when_all_seats_are_taken(town: Town) -> None:
    house = town.services.house
    found = keys(house, house.open(wanted("here", "link", "link")))
    reachable(town, found["host"], "anna")
    assert letters(town) == [], "others are awaited"
    house.name_seat(found["p2"], "p2", "Boris")
    assert letters(town) == []
    house.name_seat(found["p3"], "p3", "Clara")
    assert letters(town) == [("anna", "Your turn")]
    assert letters(town) == []


def test_the_last_to_sit_down_is_notified_where_it_is_their_turn(town: Town) -> None:
    """Their key is among their games only after they have sat down, as with tables in the lobby."""
    house = town.services.house
    host = house.open(msgspec.structs.replace(wanted("link", "here", "R"), listed=True))
    reachable(town, host, "boris")
    seat = town.services.lobby.join(host.game, "Anna")
    town.work()
    reachable(town, seat, "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_whoever_looks_at_the_table_when_it_begins_is_not_notified(town: Town) -> None:
    house = town.services.house
    reachable(town, house.open(wanted("here", "R", "R")), "anna")
    town.there = {"p1"}
    assert letters(town) == []


def test_the_host_is_notified_of_a_game_that_begins_without_them(town: Town) -> None:
    house = town.services.house
    reachable(town, house.open(wanted("here", "R", "R")), "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_an_imported_game_continues_with_a_notification(town: Town) -> None:
    house = town.services.house
    game: Game = new_game("18CZ", NAMES[:3], seed=3)
    reachable(town, house.take_in(game), "anna")
    assert letters(town) == [("anna", "Your turn")]


def test_a_table_begins_when_a_bot_takes_its_last_free_seat(town: Town) -> None:
    house = town.services.house
    new = msgspec.structs.replace(wanted("here", "link", "link"), clock=HOUR_EACH)
    found = keys(house, house.open(new))
    reachable(town, found["host"], "anna")
    house.name_seat(found["p2"], "p2", "Boris")
    house.seat(found["host"], "p3", "R")
    assert letters(town) == [("anna", "Your turn")]
    town.time += timedelta(minutes=31)
    assert letters(town) == [("anna", "Your time")], "the clock runs"


def test_the_first_to_move_at_each_table_of_a_round_is_notified(town: Town) -> None:
    people, tournaments = town.services.people, town.services.tournaments
    entrants = []
    for name in ("Anna", "Boris", "Clara"):
        _, visitor = people.welcome()
        account = people.visitor(people.register(visitor, name, "a long password").cookie)
        assert account is not None
        town.mail_wire(account, f"{name.lower()}@example.org")
        town.wish(account)
        entrants.append(account)
    programme = Programme(title="18CZ", variant="base")
    number = tournaments.make(entrants[0], NewTournament(name="Cup", programme=programme, size=3, rounds=1, seed=1))
    for account in entrants:
        tournaments.enter(account, number)
    tournaments.go_on(entrants[0], number)
    (letter,) = letters(town)
    assert letter[1] == "Your turn"


def test_a_new_person_whose_turn_it_is_is_notified(town: Town) -> None:
    found, _ = two_people(town)
    pass_on(town, found["host"])
    assert letters(town) == [("boris", "Your turn")]
    house = town.services.house
    house.seat(found["host"], "p2", LINK)
    assert letters(town) == [("boris", "You lost your seat")]
    new = keys(house, found["host"])["p2"]
    reachable(town, new, "dora")
    house.name_seat(new, "p2", "Dora")
    assert letters(town) == [("dora", "Your turn")]


# Bots that take a turn, or a seat


def timed(town: Town, clock: TableClock) -> tuple[dict[str, Access], Visitor]:
    """Boris is to move, and has been notified of it."""
    house = town.services.house
    found = keys(house, house.open(msgspec.structs.replace(wanted("here", "link", "R"), clock=clock)))
    boris = reachable(town, found["p2"], "boris")
    house.name_seat(found["p2"], "p2", "Boris")
    pass_on(town, found["host"])
    town.work()
    texts(town.mail.letters)
    return found, boris


def ended(town: Town) -> list[str]:
    town.work()
    return [text.partition(" You play")[0] for text in texts(town.mail.letters)]


def test_a_bot_that_takes_a_turn_is_told_to_whoever_lost_it(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60, end="bot_once"))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time was over, so a bot took your turn."]
    town.time += timedelta(seconds=61)
    assert ended(town) == []


def test_a_seat_that_the_clock_gives_to_a_bot_is_told_to_whoever_lost_it(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60, end="bot_stays"))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time was over, so a bot plays for you from now on."]


def test_a_clock_that_only_notifies_still_does(town: Town) -> None:
    timed(town, TableClock(kind="move", seconds=60))
    town.time += timedelta(seconds=61)
    assert ended(town) == ["Your time is over."]


def test_a_clock_that_runs_out_after_a_holiday_is_told(town: Town) -> None:
    _, boris = timed(town, TableClock(kind="days", seconds=DAY, end="bot_stays"))
    town.desk.holidays.take(owner_of(boris), date(2026, 7, 2), date(2026, 7, 5))
    town.time += timedelta(days=1, hours=1)
    assert not any("bot" in text for text in ended(town)), "the clock stands still"
    town.time += timedelta(days=4)
    assert "Your time was over, so a bot plays for you from now on." in ended(town)


def test_a_seat_that_others_vote_away_is_told_to_whoever_lost_it(town: Town) -> None:
    house, votes = town.services.house, town.desk.votes
    found = keys(house, house.open(wanted("here", "link", "link")))
    reachable(town, found["p2"], "boris")
    votes.propose(found["host"], Motion(what="bot", seat="p2"))
    assert ended(town) == []
    assert votes.reply(found["p3"], 1, True)
    assert ended(town) == ["The other players agreed that a bot plays for you from now on."]


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("R", "The host gave your seat to a bot."),
        (HERE, "The host took over your seat."),
        (LINK, "The host offers your seat to somebody else."),
    ],
)
def test_a_seat_that_the_host_gives_away_is_told_to_whoever_lost_it(town: Town, who: str, words: str) -> None:
    found, _ = two_people(town)
    reachable(town, found["host"], "anna")
    texts(town.mail.letters)
    town.services.house.seat(found["host"], "p2", who)
    assert ended(town) == [words], "and the host knows"
    town.services.house.seat(found["host"], "p1", "R")
    assert ended(town) == []


def test_who_does_not_want_to_hear_of_their_time_is_not_told_of_their_seat(town: Town) -> None:
    found, boris = two_people(town)
    town.wish(boris, events=("turn",))
    town.services.house.seat(found["host"], "p2", "R")
    assert ended(town) == []
