"""News of a table: whoever listens hears of everything at once, and nobody else does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.events.bus import ChangeEvent, event_bus_of
from ostbahn.server.web.services import Services, create_services
from tests.server.loops import run
from tests.server.network import hears, listening, open_table, until
from tests.server.site import unlimited
from tests.server.tables import now


def test_news_reach_everybody_at_the_table(net: httpx.Client, address: str) -> None:
    table = open_table(net, "here", "link", "link")
    elsewhere = open_table(net)["host"]
    host = table["host"]
    with listening(address, table["spectator"]) as heard, listening(address, elsewhere) as other:
        hears(heard, ("state", "0"))
        hears(other, ("state", "0"))
        host.answer()
        hears(heard, ("state", "1"))
        host.post("chat", text="hello")
        hears(heard, ("chat", "0"))
        host.post("undo", version=1)
        hears(heard, ("state", "2"))
        host.answer()
        hears(heard, ("state", "3"))
        host.post("propose", version=3, keep=0)
        hears(heard, ("proposal", "3"))
        table["p2"].post("reply", version=3, agree=True)
        table["p3"].post("reply", version=3, agree=True)
        hears(heard, ("state", "4"))
        host.post("seat", seat="p2", who="R")
        hears(heard, ("seats", "0"))
        passed = [other.get()[0] for _ in range(other.qsize())]
        assert set(passed) <= {"presence"}, "news of another table"


def test_bots_make_news_too(net: httpx.Client, address: str) -> None:
    host = open_table(net, "here", "R", "R")["host"]
    with listening(address, host) as heard:
        hears(heard, ("state", "0"))
        host.answer()
        hears(heard, ("state", "2"))


def test_whoever_hangs_up_is_forgotten(net: httpx.Client, address: str, inside: Services) -> None:
    host = open_table(net)["host"]
    channel = f"game-{inside.game_service.access(host.key).game}"
    with listening(address, host) as heard:
        hears(heard, ("state", "0"))
        assert len(inside.live_updates.plugin._channels[channel]) == 1
    until(lambda: not inside.live_updates.plugin._channels.get(channel))


def test_news_that_come_while_the_server_ends_are_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other workers and jobs go on telling news when this one has stopped to pass them on to its pages."""
    inside = create_services(sqlite_url_in(tmp_path), now)
    faults: list[Any] = []
    told = 0

    async def one_more() -> None:
        nonlocal told
        told += 1
        event_bus_of(inside.database).deliver([ChangeEvent("game", "state", 1)])
        await asyncio.sleep(0)

    async def begin_and_end() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["exception"]))
        async with unlimited(inside).lifespan():
            await asyncio.sleep(0)  # by now somebody listens to news
            monkeypatch.setattr(inside.live_updates.plugin._backend, "on_shutdown", one_more)

    run(begin_and_end())
    assert (told, faults) == (1, [])
