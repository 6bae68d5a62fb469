"""Whatever strangers send is answered: never by a fault of ours or much work, and what is refused changes nothing.

A few hundred requests here; `python3 dev.py soak tests/server/strangers` sends fifty thousand, others every time.
OSTBAHN_SOAK_REQUESTS says how many, and OSTBAHN_SOAK_SEED repeats them.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.server.strangers import described, files, pages
from tests.server.strangers.sending import Place, Request, serving
from tests.server.strangers.world import World, quick
from tests.server.tables import another

Kind = Callable[[World, int, int], None]
ROUND = 20
"""Requests of each operation in a round, and half as many of each route."""
SHARES: dict[Kind, int] = {files.actions: 30, files.saves: 2, files.imports: 2, files.boards: 2, files.decks: 2}
"""How many times as much is sent of actions and files."""
PATIENCE = 0.01
"""Of the time of all, what one route may take beyond some seconds: a few let people wait for a bot."""


def rounds(world: World, enough: int, number: int) -> Iterator[str]:
    """Everything again and again until there were enough requests."""
    kinds = every_kind(world)
    spent = dict.fromkeys(kinds, 0.0)
    begun = monotonic()
    while sum(world.strangers.sent.values()) < enough:
        world.renew()
        for name, kind in kinds.items():
            if spent[name] > 5 + PATIENCE * (monotonic() - begun):
                continue
            start = monotonic()
            kind(world, ROUND, number)
            spent[name] += monotonic() - start
        number += 1
        yield f"{sum(world.strangers.sent.values()):,} requests; found: {[*world.strangers.findings]}"
    world.strangers.look_at_log()


def every_kind(world: World) -> dict[str, Kind]:
    found: dict[str, Kind] = {}
    for operation in described.operations(world):
        found[f"described {operation.label}"] = _of_operation(operation)
    for route in world.routes:
        found[f"{route.method} {route.route}"] = _of_route(route)
    return found | {kind.__name__: _share(kind, share) for kind, share in SHARES.items()}


def _of_operation(operation: object) -> Kind:
    return lambda world, examples, number: described.ask(world, operation, examples, number)


def _of_route(route: Request) -> Kind:
    return lambda world, examples, number: pages.ask(world, route, examples // 2, number)


def _share(kind: Kind, share: int) -> Kind:
    return lambda world, examples, number: kind(world, examples * share, number)


def held(place: Place, world: World, url: str) -> None:
    """All that was promised; and what the server shows is what it has kept."""
    with another(url) as game_service:
        for key in world.hosts:
            answer = place.strangers.send("set-up", Request("GET", f"/api/t/{key}/save", "set-up"))
            assert answer is not None
            assert answer.body == game_service.save_file(game_service.access(key))[1]
    assert not place.strangers.findings, place.strangers.told()
    assert place.strangers.writing, "that something is written would not have been noticed"


def test_a_few_hundred_requests_of_strangers(tmp_path: Path, url: str) -> None:
    with serving(tmp_path, url) as place:
        world = World(place)
        world.renew({"18CZ-base-3": 60})
        for kind in SHARES:
            kind(world, 12, 1)
        operations = [each for each in described.operations(world) if quick(each.path)]
        for operation in operations[::13]:  # schemathesis thinks for long about each
            described.ask(world, operation, 12, 1)
        for route in world.routes:
            if quick(route.route):
                pages.ask(world, route, 2, 1)
        place.strangers.look_at_log()
        held(place, world, url)


@pytest.mark.soak
@pytest.mark.parametrize("database_kind", ["sqlite", "postgres"])
def test_fifty_thousand_requests_of_strangers(tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    enough = int(os.environ.get("OSTBAHN_SOAK_REQUESTS", "50000"))
    number = int(os.environ.get("OSTBAHN_SOAK_SEED") or secrets.randbelow(10**6))
    with serving(tmp_path, url, number) as place:
        world = World(place)
        with capsys.disabled():
            print(f"\nOSTBAHN_SOAK_SEED={number}")
            for news in rounds(world, enough, number):
                print(news, flush=True)
            print(place.strangers.told())
        held(place, world, url)
