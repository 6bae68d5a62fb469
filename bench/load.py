"""Many tables at once, over HTTP and server-sent events: what a server bears, and what it costs.

At every table one person plays against bots, and somebody looks on. Their pages do what pages in browsers do: they
listen to news, fetch what changed, moment by moment, and the person answers after some thought. At the end each page
that looked on says which moves it saw, and the game itself says which there were.

`python3 dev.py load --games 300 --seconds 120 --postgres --workers 2` starts a server of its own. The clients take
a part of the same machine, so what the server bears alone is more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import aiohttp

from bench.serving import served
from bench.spending import spent
from ostbahn.server.db.database import Database, sqlite_url_in
from ostbahn.server.games.new_table import NewSeat, NewTable
from ostbahn.server.games.service import GameService
from ostbahn.server.web.services import game_listeners

QUESTION = re.compile(r'<script type="application/json" id="question-data">(.*?)</script>', re.DOTALL)
HASH = re.compile(r'data-hash="(\w+)"')
WAYS = (("18CZ", "base"), ("18Mag", "base"))
MOST = 200
"""Moves that are told at once."""


class Keys(NamedTuple):
    """The links of a table."""

    person: str
    spectator: str


@dataclass
class Seen:
    """What happened to all pages, as long as it is counted."""

    counts: bool = False
    answers: list[float] = field(default_factory=list)
    """Seconds from an answer to what the page has to change."""
    updates: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def note(self, times: list[float], start: float) -> None:
        if self.counts:
            times.append(time.perf_counter() - start)


class LoadPage:
    """A page that is open: what it shows, and all moments at which it stopped."""

    def __init__(self, net: aiohttp.ClientSession, key: str, seen: Seen) -> None:
        self.net, self.key, self.seen = net, key, seen
        self.panels: dict[str, str] = {}
        self.stamp, self.at, self.version = -1, 0, -1
        self.first = 0
        self.stops: list[int] = []
        self.mine, self.over = False, False
        self.answers: list[dict[str, Any]] = []
        self.news = asyncio.Event()
        self.told = 0

    async def sent(self, path: str, fields: dict[str, Any], times: list[float]) -> dict[str, Any] | None:
        start = time.perf_counter()
        async with self.net.post(f"/api/t/{self.key}/{path}", json=fields) as answer:
            body = await answer.read()
        if answer.status == 409:  # somebody was quicker: the page is brought up to date by its news
            return None
        if answer.status != 200:
            self.seen.faults.append(f"{path}: {answer.status} {body[:200]!r}")
            return None
        self.seen.note(times, start)
        told: dict[str, Any] = json.loads(body)
        return told

    def shown(self) -> dict[str, Any]:
        return {"panels": self.panels, "stamp": self.stamp, "after": self.at}

    def put_in(self, update: dict[str, Any]) -> None:
        for name, html in update["panels"].items():
            found = HASH.search(html)
            assert found is not None
            self.panels[name] = found[1]
            if name == "question":
                data = QUESTION.search(html)
                self.answers = json.loads(data[1])["answers"] if data else []
        if update["stop"] and update["at"] != self.at:
            self.stops.append(update["at"])
        self.stamp, self.at = update["stamp"], update["at"]
        self.version, self.over = update["version"], update["over"]
        self.mine = update["now"] and update["my_turn"]

    async def begin(self) -> None:
        update = await self.sent("update", {}, [])
        assert update is not None
        self.put_in(update | {"stop": False})
        self.first = self.at

    async def listen(self) -> None:
        """Hear the news; whoever is cut off comes back, as browsers do."""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self.net.get(f"/api/t/{self.key}/events", timeout=aiohttp.ClientTimeout(None)) as stream:
                    event = ""
                    async for line in stream.content:
                        if line.startswith(b"event:"):
                            event = line[6:].strip().decode()
                        elif line.startswith(b"data:") and event == "state":
                            self.told = int(line[5:])
                            self.news.set()
                        elif not line.strip():
                            event = ""
            await asyncio.sleep(1)

    async def follow(self) -> None:
        """Go through everything that was missed, to now."""
        while True:
            update = await self.sent("update", self.shown(), self.seen.updates)
            if update is None:
                return
            self.put_in(update)
            if update["now"]:
                return

    async def look_on(self) -> None:
        while not self.over:
            await self.news.wait()
            self.news.clear()
            if self.told > self.version:
                await self.follow()

    async def play(self, chance: Random, thought: float) -> None:
        while not self.over:
            if not self.mine:
                await self.news.wait()
                self.news.clear()
                if self.told > self.version:
                    await self.follow()
                continue
            await asyncio.sleep(chance.expovariate(1 / thought))
            answer = chance.choice(self.answers)
            fields = {"version": self.version, "action": answer["action"], "page": self.shown()}
            update = await self.sent("answer", fields, self.seen.answers)
            if update is None:
                update = await self.sent("update", self.shown(), [])
            if update is not None:
                self.put_in(update)
                if not update["now"]:
                    await self.follow()

    async def missed(self) -> str:
        """What it did not see, saw twice, or in another order than it happened."""
        wanted: list[int] = []
        while True:
            after = wanted[-1] if wanted else self.first
            async with self.net.get(
                f"/api/t/{self.key}/moves", params={"after": str(after), "limit": str(MOST)}
            ) as told:
                found = [move["number"] for move in await told.json()]
            wanted += found
            if len(found) < MOST:
                break
        seen = [number for number in wanted if number <= self.at]
        return "" if self.stops == seen else f"{self.key[:4]}…: saw {len(self.stops)} of {len(seen)} moves"


def _now() -> datetime:
    return datetime.now(UTC)


def tables(url: str, data: Path, number: int, bot: str) -> list[Keys]:
    """Tables in an empty database, made without a server."""
    database = Database(url, data)
    game_service, made = GameService(database, _now, listeners=game_listeners(_now)), []
    for seed in range(1, number + 1):
        title, variant = WAYS[seed % len(WAYS)]
        seats = (NewSeat("Ida"), NewSeat("Jan", bot), NewSeat("Karl", bot))
        host = game_service.create_game(NewTable(title=title, variant=variant, seats=seats, seed=seed))
        spectator = next(link.key for link in game_service.links(host) if link.role == "spectator")
        made.append(Keys(host.key, spectator))
    database.close()
    return made


async def loaded(address: str, server: int, keys: Sequence[Keys], wanted: argparse.Namespace) -> dict[str, float]:
    """Let all pages play for some time; figures of the part after everybody has sat down."""
    seen = Seen()
    limit = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(address, connector=limit, timeout=aiohttp.ClientTimeout(60)) as net:
        persons = [LoadPage(net, each.person, seen) for each in keys]
        others = [LoadPage(net, each.spectator, seen) for each in keys]
        tasks: list[asyncio.Task[None]] = []
        pause = wanted.ramp / len(keys)
        for seed, (person, other) in enumerate(zip(persons, others, strict=True), start=1):
            for page in (other, person):
                await page.begin()
                tasks.append(asyncio.create_task(page.listen()))
            tasks.append(asyncio.create_task(other.look_on()))
            tasks.append(asyncio.create_task(person.play(Random(seed), wanted.thought)))
            await asyncio.sleep(pause)
        await asyncio.sleep(wanted.ramp / 4)
        seen.counts, before, versions, start = True, spent(server), _versions(others), time.perf_counter()
        await asyncio.sleep(wanted.seconds)
        seen.counts, taken, after = False, time.perf_counter() - start, spent(server)
        moved = _versions(others) - versions
        for page in persons:
            page.over = True  # nobody answers any more
        await asyncio.sleep(wanted.settle)
        lost = [told for page in others if (told := await page.missed())]
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    broken = [repr(each) for each in results if isinstance(each, Exception)]
    for told in [*seen.faults[:10], *lost[:10], *broken[:10]]:
        print("!!", told)
    cost = {name: after[name] - before[name] for name in after}
    return {
        "answers": len(seen.answers),
        "answers_per_s": len(seen.answers) / taken,
        "lines_per_s": moved / taken,
        "updates_per_s": len(seen.updates) / taken,
        **_times("answer", seen.answers),
        **_times("update", seen.updates),
        **{f"{name}_cores": value / taken for name, value in cost.items()},
        "faults": len(seen.faults) + len(broken),
        "pages_that_missed_something": len(lost),
    }


def _versions(pages: Sequence[LoadPage]) -> int:
    return sum(page.told for page in pages)


def _times(what: str, times: list[float]) -> dict[str, float]:
    if not times:
        return {}
    ordered = sorted(times)
    return {
        f"{what}_p50_ms": statistics.median(ordered) * 1e3,
        f"{what}_p95_ms": ordered[int(len(ordered) * 0.95)] * 1e3,
        f"{what}_p99_ms": ordered[int(len(ordered) * 0.99)] * 1e3,
    }


def wanted_load(args: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--thought", type=float, default=20, help="seconds before a person answers, on average")
    parser.add_argument("--ramp", type=float, default=60, help="seconds in which all sit down")
    parser.add_argument("--settle", type=float, default=15, help="seconds for the last bots and updates")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--thinkers", type=int, default=None)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--bot", default="G")
    parser.add_argument("--json", type=Path)
    return parser.parse_args(args)


@contextmanager
def place(postgres: bool, folder: Path) -> Iterator[str]:
    """Where the games are kept."""
    if not postgres:
        yield sqlite_url_in(folder)
        return
    from tests.server.postgres import cluster  # whoever measures has the tests

    with cluster("") as found:  # as it is usually set up: what was answered is on the disk
        name = found.empty()
        yield found.url(name)


def main() -> None:
    wanted = wanted_load()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        url = opened.enter_context(place(wanted.postgres, Path(folder)))
        keys = tables(url, Path(folder), wanted.games, wanted.bot)
        flags = ["--database", url, "--workers", str(wanted.workers)] if wanted.postgres else []
        flags += [] if wanted.thinkers is None else ["--thinkers", str(wanted.thinkers)]
        address, server = opened.enter_context(served(folder, *flags))
        figures = asyncio.run(loaded(address, server, keys, wanted))
    for name, value in figures.items():
        print(f"{name:32}{value:12.2f}")
    if wanted.json is not None:
        wanted.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
