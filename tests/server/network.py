"""The other end of the line: programs that play by the JSON interface."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple, get_args

import httpx

from ostbahn.server.games.api import EventName
from tests.server.tables import NAMES

Json = Any


class Seat(NamedTuple):
    """Somebody with a key, at the other end of the line."""

    net: httpx.Client
    key: str

    def get(self, path: str = "", **params: object) -> Json:
        return told(self.net.get(self.path(path), params=params))  # type: ignore[arg-type]

    def post(self, path: str, **fields: object) -> Json:
        return told(self.net.post(self.path(path), json=fields))

    def answer(self, **more: object) -> Json:
        """The first answer that is offered."""
        view = self.get()
        return self.post("answer", version=view["version"], action=first(view), **more)

    def refused(self, path: str, status: int, **fields: object) -> Json:
        answer = self.net.post(self.path(path), json=fields)
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"].startswith("application/json")
        fault = answer.json()
        assert set(fault) <= {"error", "rule", "rule_text"}
        assert fault["error"]
        return fault

    def path(self, path: str) -> str:
        return f"/api/t/{self.key}" + (f"/{path}" if path else "")


def told(answer: httpx.Response) -> Json:
    assert answer.status_code in (200, 201), answer.text
    return answer.json() if answer.content else None


def first(view: Json) -> Json:
    return view["question"]["answers"][0]["action"]


def open_table(net: httpx.Client, *who: str, **more: object) -> dict[str, Seat]:
    """A new table; each key by its seat, or by its role where it has none or several."""
    seats = [{"name": name, "who": kind} for name, kind in zip(NAMES, who or ("here",) * 3, strict=False)]
    fields = {"title": "18CZ", "seed": 3, "draw_order": False, "seats": seats} | more
    found = told(net.post("/api/games", json=fields))
    assert all(link["path"] == f"/t/{link['key']}" for link in found)
    return {link["seats"][0] if link["role"] == "seat" else link["role"]: Seat(net, link["key"]) for link in found}


# News


@contextmanager
def listening(address: str, seat: Seat) -> Iterator[Queue[tuple[str, str]]]:
    """Another client that hears the news, with a connection of its own."""
    heard: Queue[tuple[str, str]] = Queue()
    names: set[str] = set()
    client = httpx.Client(base_url=address, timeout=None)
    stream = client.stream("GET", seat.path("events"))
    response = stream.__enter__()
    assert response.headers["content-type"].startswith("text/event-stream")

    def hear() -> None:
        name = ""
        try:
            for line in response.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    names.add(name)
                    heard.put((name, value))
        except (httpx.HTTPError, OSError, RuntimeError):
            pass  # hung up

    Thread(target=hear, daemon=True).start()
    try:
        yield heard
    finally:
        line: socket.socket = response.extensions["network_stream"].get_extra_info("socket")
        line.shutdown(socket.SHUT_RDWR)  # closing alone does not hang up while the other thread reads
        client.close()
    assert names <= set(get_args(EventName)), "messages that the interface does not describe"


def hears(heard: Queue[tuple[str, str]], wanted: tuple[str, str]) -> None:
    """Wait for news, and pass over others; if they never come, the test's time is up."""
    while heard.get() != wanted:
        pass


def until(reached: Callable[[], object]) -> None:
    """Wait for what happens in another thread; if it never does, the test's time is up."""
    while not reached():
        time.sleep(0.01)
