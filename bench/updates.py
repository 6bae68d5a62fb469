"""What pages late in a game cost the server: its processor time for an answer, and for each page that looks on.

Read from /proc, so on Linux only. The server is asked over the network, as pages do, so an earlier version of it can be
measured in the same run.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx

ANSWERS = 60
"""How many answers are timed in each game."""


class Shown(NamedTuple):
    """What a page shows, as it tells the server."""

    panels: dict[str, str]
    stamp: int

    def after(self, update: dict[str, Any]) -> Shown:
        found = {name: re.findall(r'data-hash="(\w+)"', html)[0] for name, html in update["panels"].items()}
        return Shown(self.panels | found, update["stamp"])


def figures(address: str, process: int, key: str) -> dict[str, float]:
    """Milliseconds for an answer alone, with the update of its page, and for the update of one that looks on."""
    alone: list[float] = []
    answers: list[float] = []
    updates: list[float] = []
    chance = Random(1)
    with httpx.Client(base_url=f"{address}api/t/", timeout=60) as net:

        def sent(key: str, path: str, fields: dict[str, Any]) -> dict[str, Any]:
            answer = net.post(f"{key}/{path}", json=fields)
            answer.raise_for_status()
            told: dict[str, Any] = answer.json()
            return told

        spectator = next(link["key"] for link in net.get(f"{key}/links").json() if link["role"] == "spectator")
        mine, other = (Shown({}, -1).after(sent(each, "update", {})) for each in (key, spectator))
        for number in range(2 * ANSWERS):
            view = net.get(key).json()
            if not view["my_turn"]:
                break
            action = chance.choice(view["question"]["answers"])["action"]
            fields = {"version": view["version"], "action": action, "page": mine._asdict() if number % 2 else None}
            taken, update = _timed(process, lambda fields=fields: sent(key, "answer", fields))  # type: ignore[misc]
            (answers if number % 2 else alone).append(taken)
            mine = mine.after(update if number % 2 else sent(key, "update", mine._asdict()))
            fields = other._asdict()
            taken, update = _timed(process, lambda fields=fields: sent(spectator, "update", fields))  # type: ignore[misc]
            updates.append(taken)
            other = other.after(update)
    return {
        "answer_alone_cpu_p50_ms": statistics.median(alone),
        "answer_alone_cpu_max_ms": max(alone),
        "answer_cpu_p50_ms": statistics.median(answers),
        "answer_cpu_max_ms": max(answers),
        "update_cpu_p50_ms": statistics.median(updates),
        "update_cpu_max_ms": max(updates),
    }


def _timed(process: int, ask: Callable[[], dict[str, Any]]) -> tuple[float, dict[str, Any]]:
    before = spent(process)
    answer = ask()
    return spent(process) - before, answer


def spent(process: int) -> float:
    """Milliseconds of processor time that all threads of a process have had so far."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e6
