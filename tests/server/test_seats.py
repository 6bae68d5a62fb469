"""Keys and seats: who has a link, what it opens, and how a seat is given to somebody else."""

from __future__ import annotations

import pytest

from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.server.bots.service import play_bot_turn
from ostbahn.server.chat.service import Chat
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.service import GameService
from ostbahn.table.access import Access, NotHere, NotYours
from ostbahn.table.table_view import table_view
from tests.server.tables import another, keys, people_on, standing, step, wanted

# Keys


def test_everybody_gets_a_link_of_his_own(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link", "R"))
    found = keys(game_service, host)
    assert {name: (each.role, each.seats) for name, each in found.items()} == {
        "host": ("host", ("p1",)),
        "p2": ("seat", ("p2",)),
        "p3": ("seat", ("p3",)),
        "spectator": ("spectator", ()),
    }
    assert len({each.key for each in found.values()}) == 4
    assert all(game_service.access(each.key) == each for each in found.values())


def test_nobody_but_the_host_learns_the_links_of_others(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    found = keys(game_service, host)
    assert set(keys(game_service, found["p2"])) == {"p2", "spectator"}
    assert set(keys(game_service, found["spectator"])) == {"spectator"}


def test_the_links_come_in_the_order_of_the_seats(game_service: GameService) -> None:
    for _ in range(3):  # keys are drawn, so by chance they might be in order
        host = game_service.create_game(wanted(*("link",) * 6))
        assert [each.seats for each in game_service.links(host)] == [(), *((f"p{seat}",) for seat in range(1, 7)), ()]


def test_keys_cannot_be_guessed(game_service: GameService) -> None:
    found = [
        each.key
        for _ in range(5)
        for each in game_service.links(game_service.create_game(wanted("link", "link", "link")))
    ]
    assert len(set(found)) == len(found) == 25
    assert min(map(len, found)) >= 22


@pytest.mark.parametrize("key", ["", "x", "0" * 22, "%", "' or 1=1 --", "x" * 100_000])
def test_a_wrong_key_opens_nothing(game_service: GameService, key: str) -> None:
    game_service.create_game(wanted())
    with pytest.raises(NotHere):
        game_service.access(key)


# Seats


def test_the_host_gives_a_seat_to_somebody_else(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "here"))
    old = keys(game_service, host)["p2"]
    game_service.assign_seat(host, "p2", "link")
    new = keys(game_service, host)["p2"]
    assert new.key != old.key
    with pytest.raises(NotHere):
        game_service.access(old.key)
    game_service.assign_seat(host, "p2", "R")
    assert set(keys(game_service, host)) == {"host", "spectator"}
    game_service.assign_seat(host, "p2", "here")
    assert game_service.access(host.key).seats == ("p1", "p2", "p3")
    game_service.assign_seat(host, "p1", "link")
    assert game_service.access(host.key).seats == ("p2", "p3")


def test_a_seat_can_be_given_away_though_its_link_was_used(game_service: GameService) -> None:
    """Its last owner has it in his list, and notes with it."""
    host = game_service.create_game(wanted("here", "link", "here"))
    old = keys(game_service, host)["p2"]
    people = people_on(game_service.database)
    _, visitor = people.welcome()
    MyGames(people.database).keep(visitor, old)
    Chat(game_service).save_note(old, "mine")
    game_service.assign_seat(host, "p2", "link")
    with pytest.raises(NotHere):
        game_service.access(old.key)
    assert MyGames(people.database).games(visitor) == []
    assert Chat(game_service).note(keys(game_service, host)["p2"]) == ""


def test_another_server_sees_who_sits_where(url: str) -> None:
    with another(url) as one, another(url) as two:
        host = one.create_game(wanted("R", "here", "here"))
        assert standing(two, host)[0] == 0
        one.assign_seat(host, "p1", "here")
        assert not play_bot_turn(two, host.game)
        with two.holding(host.game) as room:
            assert room.persons == ("p1", "p2", "p3")


# What all can see


def told(game_service: GameService, who: Access) -> list[str]:
    """What somebody reads in the log that happened beside the game."""
    with game_service.holding(who.game) as room:
        view = table_view(room, who)
    return [f"{each.by_name}: {each.words}" for line in view.log for each in line.notices]


def test_whoever_plays_a_seat_from_now_on_is_told_to_all_and_kept(url: str, game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    step(game_service, host)
    step(game_service, keys(game_service, host)["p2"])
    before, saved = standing(game_service, host), game_service.save_file(host)[1]
    for who in ("here", "R", "link", "link", "here"):
        game_service.assign_seat(host, "p2", who)
    lines = [
        "The host: from now on the host plays for Boris, in place of whoever had the link",
        "The host: from now on bot R plays for Boris, in place of the host",
        "The host: from now on whoever has the new link plays for Boris, in place of bot R",
        "The host: from now on whoever has the new link plays for Boris, in place of whoever had the link",
        "The host: from now on the host plays for Boris, in place of whoever had the link",
    ]
    with another(url) as later:
        for reader in keys(game_service, host).values():
            assert told(game_service, reader) == told(later, reader) == lines
        assert standing(later, host)[1:] == before[1:], "the game itself knows nothing of it"
        assert later.save_file(host)[1] == saved
    with game_service.holding(host.game) as room:
        seat = next(each for each in table_view(room, host).seats if each.seat == "p2")
        assert (seat.host, seat.mine) == (True, False)  # the host's key as it was


def test_what_changes_nothing_is_no_line(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "R", "link"))
    before = standing(game_service, host)
    game_service.assign_seat(host, "p1", "here")
    game_service.assign_seat(host, "p2", "R")
    assert standing(game_service, host) == before
    assert told(game_service, host) == []


def test_taking_back_is_told_to_all(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    game_service.undo_own_move(host, step(game_service, host))
    step(game_service, host)
    assert told(game_service, keys(game_service, host)["spectator"]) == [
        "Anna: goes back to move 0: 1 answer is taken back"
    ]


def test_the_host_does_not_take_back_what_somebody_else_answered_who_had_the_seat(game_service: GameService) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    step(game_service, host)
    step(game_service, keys(game_service, host)["p2"])
    game_service.assign_seat(host, "p2", "here")
    host = game_service.access(host.key)
    assert host.seats == ("p1", "p2")
    with pytest.raises(Refused, match="somebody else has moved"):
        game_service.undo_own_move(host, standing(game_service, host)[0])
    game_service.assign_seat(host, "p3", "here")
    host = game_service.access(host.key)
    game_service.undo_own_move(host, step(game_service, host))  # his own answer for that seat he may
    assert told(game_service, host)[-1] == "Clara: goes back to move 2: 1 answer is taken back"


@pytest.mark.parametrize(
    ("seat", "who", "fault"), [("p9", "here", NotHere), ("p2", "X", BadSetup), ("p2", "bot.py:Bot", BadSetup)]
)
def test_seats_are_given_only_to_those_who_can_sit(
    game_service: GameService, seat: str, who: str, fault: type[Exception]
) -> None:
    host = game_service.create_game(wanted("here", "link", "here"))
    before = game_service.links(host)
    with pytest.raises(fault):
        game_service.assign_seat(host, seat, who)
    assert game_service.links(host) == before


def test_only_the_host_gives_seats(game_service: GameService) -> None:
    found = keys(game_service, game_service.create_game(wanted("here", "link", "here")))
    for name in ("p2", "spectator"):
        with pytest.raises(NotYours):
            game_service.assign_seat(found[name], "p2", "link")
