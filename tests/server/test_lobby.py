"""What a host decides for a table: who may sit down or look on, and hints; nobody gets a seat that another has."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import msgspec
import pytest

from ostbahn.kernel.errors import BadSetup, Refused
from ostbahn.server.games.keys import MyGames
from ostbahn.server.games.new_table import NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.lobby.service import Lobby, LobbyListing, OpenTableView
from ostbahn.table.access import Access, NotHere, NotYours
from ostbahn.table.table_view import table_view
from tests.server.tables import another, keys, people_on, standing, step, wanted


@pytest.fixture
def lobby(game_service: GameService) -> Lobby:
    return Lobby(game_service)


def open_table(*who: str, listed: bool = True, watchable: bool = False, name: str = "") -> NewTable:
    return msgspec.structs.replace(wanted(*who, name=name), listed=listed, watchable=watchable)


def free(table: OpenTableView) -> list[str]:
    """What the free seats are called."""
    return [seat.name for seat in table.seats if seat.kind == "free"]


def players(game_service: GameService, who: Access) -> tuple[str, ...]:
    with game_service.holding(who.game) as room:
        return room.game.setup.players


def test_tables_are_listed_that_the_host_has_opened_and_that_have_room(game_service: GameService, lobby: Lobby) -> None:
    game_service.create_game(wanted("here", "link", "link", name="closed"))
    game_service.create_game(open_table("here", "here", "S", name="no room"))
    game_service.create_game(open_table("here", "link", "S", name="to join"))
    game_service.create_game(open_table("here", "S", "S", listed=False, watchable=True, name="to watch"))
    game_service.create_game(open_table("here", "link", "link", listed=False, watchable=True, name="only to watch"))
    listed = [(table.name, free(table), table.watchable, table.bots, table.host) for table in lobby.tables()]
    assert listed == [
        ("only to watch", [], True, 0, "Anna"),
        ("to watch", [], True, 2, "Anna"),
        ("to join", ["Boris"], False, 1, "Anna"),
    ]


def test_whoever_joins_gets_a_seat_with_a_link_of_its_own(game_service: GameService, lobby: Lobby, url: str) -> None:
    host = game_service.create_game(open_table("here", "link", "link"))
    sent = keys(game_service, host)
    people = people_on(game_service.database)
    _, friend = people.welcome()
    MyGames(people.database).keep(friend, sent["p2"])
    joined = lobby.join(host.game, "Petra")
    with another(url) as later:
        assert later.access(joined.key) == joined
        assert (joined.role, joined.seats, joined.used) == ("seat", ("p2",), True)
        assert players(later, host) == ("Anna", "Petra", "Clara")
        assert keys(later, host)["p2"].key == "", "the host does not see it"
        assert keys(later, host)["p3"].key == sent["p3"].key
        with pytest.raises(NotHere, match="no longer works"):
            later.access(sent["p2"].key)
        assert MyGames(people.database).games(friend) == []
        step(later, host)
        step(later, joined)
    assert [free(table) for table in lobby.tables()] == [["Clara"]]
    assert lobby.join(host.game, "Quido").seats == ("p3",)
    assert lobby.tables() == []
    with pytest.raises(Refused, match="all seats of this table are taken"):
        lobby.join(host.game, "Rosa")


def test_all_who_join_at_the_same_moment_get_seats_of_their_own(url: str) -> None:
    """In threads of one server, and in two servers on one database."""
    with another(url) as one, another(url) as other:
        host = one.create_game(open_table("here", *("link",) * 5))
        together = Barrier(8)

        def join(number: int) -> Access | None:
            together.wait()
            try:
                return Lobby((one, other)[number % 2]).join(host.game, f"Guest {number}")
            except Refused:
                return None

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(join, range(8)))
        joined = [each for each in found if each is not None]
        assert sorted(each.seats for each in joined) == [(f"p{seat}",) for seat in range(2, 7)]
        assert len({each.key for each in joined}) == 5
        names = players(one, host)
        assert [names[int(each.seats[0][1:]) - 1] for each in joined] == [
            f"Guest {number}" for number, each in enumerate(found) if each is not None
        ]


def test_a_name_that_is_taken_takes_no_seat(game_service: GameService, lobby: Lobby) -> None:
    host = game_service.create_game(open_table("here", "link", "link"))
    before = standing(game_service, host)
    for name in ("Anna", "", "x" * 41):
        with pytest.raises(BadSetup):
            lobby.join(host.game, name)
    assert standing(game_service, host) == before
    assert [free(table) for table in lobby.tables()] == [["Boris", "Clara"]]


def test_nobody_joins_or_watches_where_the_host_does_not_want_it(game_service: GameService, lobby: Lobby) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    for game in (host.game, "no such game"):
        with pytest.raises(NotHere, match="not in the lobby"):
            lobby.join(game, "Petra")
        for deed in (lobby.watch, lobby.table):
            with pytest.raises(NotHere, match="not in the lobby"):
                deed(game)
    assert keys(game_service, host)["p2"].key


def test_whoever_watches_gets_the_link_of_spectators(game_service: GameService, lobby: Lobby) -> None:
    host = game_service.create_game(open_table("here", "S", "S", listed=False, watchable=True))
    assert lobby.watch(host.game) == keys(game_service, host)["spectator"]
    with game_service.database.engine.begin() as connection:  # as after the secret was lost
        connection.exec_driver_sql("UPDATE keys SET sealed = 'zz' WHERE role = 'spectator'")
    again = lobby.watch(host.game)
    assert game_service.access(again.key).role == "spectator"


def test_the_host_opens_and_closes_a_table(game_service: GameService, lobby: Lobby) -> None:
    host = game_service.create_game(wanted("here", "link", "link"))
    assert lobby.listing(host.game) == LobbyListing(False, False)
    lobby.set_listing(host, LobbyListing(True, True))
    assert free(lobby.table(host.game)) == ["Boris", "Clara"]
    lobby.set_listing(host, LobbyListing(False, True))
    assert free(lobby.table(host.game)) == []
    lobby.set_listing(host, LobbyListing(False, False))
    assert lobby.tables() == []
    for who in ("p2", "spectator"):
        with pytest.raises(NotYours):
            lobby.set_listing(keys(game_service, host)[who], LobbyListing(True, True))


def test_the_host_may_set_a_table_up_without_hints(game_service: GameService, url: str) -> None:
    assert len(game_service.hint_position(game_service.create_game(wanted()))[0]) == 0
    without = game_service.create_game(msgspec.structs.replace(wanted(), hints=False))
    with another(url) as later:
        for each in (game_service, later):
            with pytest.raises(NotYours, match="there are no hints at this table"):
                each.hint_position(without)
            with each.holding(without.game) as room:
                assert table_view(room, without).hints is False
