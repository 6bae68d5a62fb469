"""Who looks at a table now: told when somebody comes or goes, but not when they only load their page again."""

from __future__ import annotations

import asyncio

import httpx

from ostbahn.server.games.live import Presence
from ostbahn.table.access import Access
from ostbahn.table.slots import NOBODY, Attendance
from tests.server.loops import run
from tests.server.network import Seat, hears, listening, open_table, until


def key(*seats: str, game: str = "g") -> Access:
    return Access(key="", hash="", game=game, role="seat" if seats else "spectator", seats=seats)


def test_those_who_came_are_there_until_they_go() -> None:
    told: list[tuple[str, Attendance]] = []

    async def scene() -> None:
        presence = Presence(lambda game: told.append((game, presence.at(game))), rest=0)

        async def settle() -> None:
            await asyncio.sleep(0.01)

        pages = [object() for _ in range(5)]
        for page, who in zip(pages, [key("p1"), key("p2", "p3"), key(), key(), key("p1", game="h")], strict=True):
            presence.come(page, who)
        assert presence.at("g") == NOBODY, "nothing is told before it has rested"
        await settle()
        assert presence.at("g") == Attendance(frozenset({"p1", "p2", "p3"}), 2)
        assert presence.at("h") == Attendance(frozenset({"p1"}))
        presence.come(pages[1], key("p3"))
        presence.go(pages[2], "g")
        await settle()
        assert presence.at("g") == Attendance(frozenset({"p1", "p3"}), 1)
        for page in pages:
            presence.go(page, "g")
        presence.go(pages[0], "g")
        await settle()
        assert presence.at("g") == NOBODY
        assert presence._pages.keys() == presence._published.keys() == {"h"}, "an empty table is forgotten"
        presence.close()

    run(scene())
    assert [(game, len(present.seats), present.watching) for game, present in told] == [
        ("g", 3, 2),
        ("h", 1, 0),
        ("g", 2, 1),
        ("g", 0, 0),
    ]


def test_whoever_loads_their_page_again_was_never_gone() -> None:
    told: list[str] = []

    async def scene() -> None:
        presence = Presence(told.append, rest=0.02)
        presence.come("first", key("p1"))
        await asyncio.sleep(0.1)
        presence.go("first", "g")
        assert presence.at("g") == Attendance(frozenset({"p1"}))
        presence.come("second", key("p1"))
        await asyncio.sleep(0.1)
        presence.close()

    run(scene())
    assert told == ["g"]


def here(seat: Seat) -> tuple[list[str], int]:
    view = seat.get()
    return [each["name"] for each in view["seats"] if each["here"]], view["watching"]


def test_all_at_a_table_see_who_is_there(net: httpx.Client, address: str) -> None:
    table = open_table(net, "here", "link", "link", "S")
    host = table["host"]
    assert here(host) == (["Anna", "David"], 0)
    with listening(address, host) as heard, listening(address, table["p2"]), listening(address, table["spectator"]):
        until(lambda: here(host) == (["Anna", "Boris", "David"], 1))
        hears(heard, ("presence", "0"))
        assert here(table["p3"]) == (["Anna", "Boris", "Clara", "David"], 1), "oneself is there"
    until(lambda: here(table["p3"]) == (["Clara", "David"], 0))


def test_a_seat_that_was_given_away_is_not_there_any_more(net: httpx.Client, address: str) -> None:
    table = open_table(net, "here", "link", "link")
    host = table["host"]
    with listening(address, table["p2"]), listening(address, host) as heard:
        until(lambda: here(host) == (["Anna", "Boris"], 0))
        host.post("seat", seat="p2", who="link")
        hears(heard, ("seats", "0"))
        until(lambda: here(host) == (["Anna"], 0))
        host.post("seat", seat="p3", who="here")
        until(lambda: here(table["spectator"]) == (["Anna", "Clara"], 0))
