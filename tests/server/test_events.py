"""News of a table: whoever listens hears of everything at once, and nobody else does."""

from __future__ import annotations

import time

import httpx

from ostbahn.server.services import Services
from tests.server.network import listening, open_table, within_a_second


def test_news_reach_everybody_at_the_table_within_a_second(net: httpx.Client, address: str) -> None:
    table = open_table(net, "here", "link", "link")
    elsewhere = open_table(net)["host"]
    host = table["host"]
    with listening(address, table["spectator"]) as heard, listening(address, elsewhere) as other:
        within_a_second(heard, ("state", "0"))
        within_a_second(other, ("state", "0"))
        host.answer()
        within_a_second(heard, ("state", "1"))
        host.post("chat", text="hello")
        within_a_second(heard, ("chat", "0"))
        host.post("undo", version=1)
        within_a_second(heard, ("state", "2"))
        host.answer()
        within_a_second(heard, ("state", "3"))
        host.post("propose", version=3, keep=0)
        within_a_second(heard, ("proposal", "3"))
        table["p2"].post("reply", version=3, agree=True)
        table["p3"].post("reply", version=3, agree=True)
        within_a_second(heard, ("state", "4"))
        host.post("seat", seat="p2", who="R")
        within_a_second(heard, ("seats", "0"))
        assert other.empty(), "news of another table"


def test_bots_make_news_too(net: httpx.Client, address: str) -> None:
    host = open_table(net, "here", "R", "R")["host"]
    with listening(address, host) as heard:
        within_a_second(heard, ("state", "0"))
        host.answer()
        within_a_second(heard, ("state", "2"))


def test_whoever_hangs_up_is_forgotten(net: httpx.Client, address: str, inside: Services) -> None:
    host = open_table(net)["host"]
    channel = f"game-{inside.house.access(host.key).game}"
    with listening(address, host) as heard:
        within_a_second(heard, ("state", "0"))
        assert len(inside.live.plugin._channels[channel]) == 1
    end = time.monotonic() + 5
    while inside.live.plugin._channels.get(channel):
        assert time.monotonic() < end
        time.sleep(0.02)
