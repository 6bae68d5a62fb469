"""Keys and seats: who has a link, what it opens, and how a seat is given to somebody else."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.server.bots.service import bot_turn
from ostbahn.server.chat.service import Talk
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.service import House
from ostbahn.table.access import Access, NotHere, NotYours
from ostbahn.table.table_view import table_view
from tests.server.tables import another, keys, people_on, standing, step, wanted

# Keys


def test_everybody_gets_a_link_of_his_own(house: House) -> None:
    host = house.open(wanted("here", "link", "link", "R"))
    found = keys(house, host)
    assert {name: (each.role, each.seats) for name, each in found.items()} == {
        "host": ("host", ("p1",)),
        "p2": ("seat", ("p2",)),
        "p3": ("seat", ("p3",)),
        "spectator": ("spectator", ()),
    }
    assert len({each.key for each in found.values()}) == 4
    assert all(house.access(each.key) == each for each in found.values())


def test_nobody_but_the_host_learns_the_links_of_others(house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    found = keys(house, host)
    assert set(keys(house, found["p2"])) == {"p2", "spectator"}
    assert set(keys(house, found["spectator"])) == {"spectator"}


def test_the_links_come_in_the_order_of_the_seats(house: House) -> None:
    for _ in range(3):  # keys are drawn, so by chance they might be in order
        host = house.open(wanted(*("link",) * 6))
        assert [each.seats for each in house.links(host)] == [(), *((f"p{seat}",) for seat in range(1, 7)), ()]


def test_keys_cannot_be_guessed(house: House) -> None:
    found = [each.key for _ in range(5) for each in house.links(house.open(wanted("link", "link", "link")))]
    assert len(set(found)) == len(found) == 25
    assert min(map(len, found)) >= 22


@pytest.mark.parametrize("key", ["", "x", "0" * 22, "%", "' or 1=1 --", "x" * 100_000])
def test_a_wrong_key_opens_nothing(house: House, key: str) -> None:
    house.open(wanted())
    with pytest.raises(NotHere):
        house.access(key)


# Seats


def test_the_host_gives_a_seat_to_somebody_else(house: House) -> None:
    host = house.open(wanted("here", "link", "here"))
    old = keys(house, host)["p2"]
    house.seat(host, "p2", "link")
    new = keys(house, host)["p2"]
    assert new.key != old.key
    with pytest.raises(NotHere):
        house.access(old.key)
    house.seat(host, "p2", "R")
    assert set(keys(house, host)) == {"host", "spectator"}
    house.seat(host, "p2", "here")
    assert house.access(host.key).seats == ("p1", "p2", "p3")
    house.seat(host, "p1", "link")
    assert house.access(host.key).seats == ("p2", "p3")


def test_a_seat_can_be_given_away_though_its_link_was_used(house: House) -> None:
    """Its last owner has it in his list, and notes with it."""
    host = house.open(wanted("here", "link", "here"))
    old = keys(house, host)["p2"]
    people = people_on(house.archive)
    _, visitor = people.welcome()
    MyGames(people.archive).keep(visitor, old)
    Talk(house).keep_note(old, "mine")
    house.seat(host, "p2", "link")
    with pytest.raises(NotHere):
        house.access(old.key)
    assert MyGames(people.archive).games(visitor) == []
    assert Talk(house).note(keys(house, host)["p2"]) == ""


def test_another_house_sees_who_sits_where(url: str) -> None:
    with another(url) as one, another(url) as two:
        host = one.open(wanted("R", "here", "here"))
        assert standing(two, host)[0] == 0
        one.seat(host, "p1", "here")
        assert not bot_turn(two, host.game)
        with two.holding(host.game) as room:
            assert room.persons == ("p1", "p2", "p3")


# What all can see


def told(house: House, who: Access) -> list[str]:
    """What somebody reads in the log that happened beside the game."""
    with house.holding(who.game) as room:
        view = table_view(room, who)
    return [f"{each.by_name}: {each.words}" for line in view.log for each in line.notices]


def test_whoever_plays_a_seat_from_now_on_is_told_to_all_and_kept(url: str, house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    step(house, host)
    step(house, keys(house, host)["p2"])
    before, saved = standing(house, host), house.save(host)[1]
    for who in ("here", "R", "link", "link", "here"):
        house.seat(host, "p2", who)
    lines = [
        "The host: from now on the host plays for Boris, in place of whoever had the link",
        "The host: from now on bot R plays for Boris, in place of the host",
        "The host: from now on whoever has the new link plays for Boris, in place of bot R",
        "The host: from now on whoever has the new link plays for Boris, in place of whoever had the link",
        "The host: from now on the host plays for Boris, in place of whoever had the link",
    ]
    with another(url) as later:
        for reader in keys(house, host).values():
            assert told(house, reader) == told(later, reader) == lines
        assert standing(later, host)[1:] == before[1:], "the game itself knows nothing of it"
        assert later.save(host)[1] == saved
    with house.holding(host.game) as room:
        seat = next(each for each in table_view(room, host).seats if each.seat == "p2")
        assert (seat.host, seat.mine) == (True, False)  # the host's key as it was


def test_what_changes_nothing_is_no_line(house: House) -> None:
    host = house.open(wanted("here", "R", "link"))
    before = standing(house, host)
    house.seat(host, "p1", "here")
    house.seat(host, "p2", "R")
    assert standing(house, host) == before
    assert told(house, host) == []


def test_taking_back_is_told_to_all(house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    house.undo(host, step(house, host))
    step(house, host)
    assert told(house, keys(house, host)["spectator"]) == ["Anna: goes back to move 0: 1 answer is taken back"]


def test_the_host_does_not_take_back_what_somebody_else_answered_who_had_the_seat(house: House) -> None:
    host = house.open(wanted("here", "link", "link"))
    step(house, host)
    step(house, keys(house, host)["p2"])
    house.seat(host, "p2", "here")
    host = house.access(host.key)
    assert host.seats == ("p1", "p2")
    with pytest.raises(Refused, match="somebody else has moved"):
        house.undo(host, standing(house, host)[0])
    house.seat(host, "p3", "here")
    host = house.access(host.key)
    house.undo(host, step(house, host))  # his own answer for that seat he may
    assert told(house, host)[-1] == "Clara: goes back to move 2: 1 answer is taken back"


@pytest.mark.parametrize(
    ("seat", "who", "fault"), [("p9", "here", NotHere), ("p2", "X", BadSetup), ("p2", "bot.py:Bot", BadSetup)]
)
def test_seats_are_given_only_to_those_who_can_sit(house: House, seat: str, who: str, fault: type[Exception]) -> None:
    host = house.open(wanted("here", "link", "here"))
    before = house.links(host)
    with pytest.raises(fault):
        house.seat(host, seat, who)
    assert house.links(host) == before


def test_only_the_host_gives_seats(house: House) -> None:
    found = keys(house, house.open(wanted("here", "link", "here")))
    for name in ("p2", "spectator"):
        with pytest.raises(NotYours):
            house.seat(found[name], "p2", "link")
