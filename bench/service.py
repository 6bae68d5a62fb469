"""What a table late in a long game costs the server: processor time of an answer and of an update, of bringing a room
back that was put away, and memory of an idle game. `python3 -m bench.service` prints the figures.

Golden games are taken up at nine tenths of their length, each answer is given as it was given then, and after each one
the page that gave it and one that looks on fetch what has changed.
"""

from __future__ import annotations

import gc
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from bench.serving import served
from bench.updates import Shown
from bench.updates import figures as over_the_network
from ostbahn.interop import saves
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.optimiser import clear_caches
from ostbahn.server.db.database import sqlite_url_in
from ostbahn.server.web.app import preload
from ostbahn.server.web.services import Services, create_services
from ostbahn.table.access import Access
from ostbahn.table.rendering import Page
from ostbahn.table.room import Room

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
GAMES = {"18cz": "18CZ-base-6", "18mag": "18Mag-base-6"}
"""The longest golden game of each title."""
ANSWERS = 80
"""How many answers are timed in each game."""
IDLE = 12
"""Of how many rooms memory is measured; each has a whole game in it."""

T = TypeVar("T")


class Timed(NamedTuple):
    """Milliseconds of processor time, each time."""

    answers: list[float]
    own: list[float]
    """Updates of the page that answered."""
    others: list[float]
    """Updates of a page that looks on."""


def figures() -> dict[str, float]:
    preload()
    found: dict[str, float] = {}
    for name, file in GAMES.items():
        game = saves.read(GOLDEN / f"{file}.json")
        late = game.position(len(game) * 9 // 10)
        with game_service() as made:
            timed = played(made, made.game_service.import_game(late), game)
            found |= {f"service_{what}_{name}": value for what, value in _told(timed).items()}
        with game_service() as made:
            back = brought_back(made, made.game_service.import_game(late))
            found |= {f"service_{what}_{name}": value for what, value in back.items()}
        found |= {f"service_{what}_{name}": value for what, value in idle(late).items()}
        found |= {f"service_http_{what}_{name}": value for what, value in _http(late).items()}
    return found


@contextmanager
def game_service() -> Iterator[Services]:
    with tempfile.TemporaryDirectory() as folder:
        made = create_services(sqlite_url_in(Path(folder)), lambda: datetime.now(UTC))
        yield made
        made.database.close()


def spent(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of processor time, and what came of it."""
    start = time.process_time_ns()
    found = work()
    return (time.process_time_ns() - start) / 1e6, found


def played(made: Services, host: Access, whole: Game) -> Timed:
    """Give the answers of the game, and let both pages fetch what has changed."""
    chance, timed = Random(1), Timed([], [], [])
    spectator = next(each for each in made.game_service.links(host) if each.role == "spectator")
    mine, other = (_shown(made, who, Shown({}, -1)) for who in (host, spectator))
    for _ in range(ANSWERS):
        with made.game_service.holding(host.game) as room:
            if room.turn is None:
                break
            version, action = room.version, _next(room, whole, chance)
        taken, _ = spent(lambda version=version, action=action: made.game_service.answer(host, version, action))  # type: ignore[misc]
        timed.answers.append(taken)
        taken, mine = spent(lambda mine=mine: _shown(made, host, mine))  # type: ignore[misc]
        timed.own.append(taken)
        taken, other = spent(lambda other=other: _shown(made, spectator, other))  # type: ignore[misc]
        timed.others.append(taken)
    return timed


def _next(room: Room, whole: Game, chance: Random) -> Action:
    """What was answered in the golden game, as long as this one goes along with it."""
    if room.number < len(whole):
        action = whole.records[room.number].action
        if room.game.refusal(action) is None:
            return action
    return chance.choice(list(room.game.question or ())).action


def _shown(made: Services, who: Access, shown: Shown) -> Shown:
    update = made.update(who, Page(panels=shown.panels, stamp=shown.stamp), "light")
    return shown.after({"panels": update.panels, "stamp": update.stamp})


def _told(timed: Timed) -> dict[str, float]:
    found = {}
    for what, times in (("answer", timed.answers), ("own_update", timed.own), ("update", timed.others)):
        found[f"{what}_p50_ms"] = statistics.median(times)
        found[f"{what}_p95_ms"] = sorted(times)[int(len(times) * 0.95)]
    return found


def brought_back(made: Services, host: Access) -> dict[str, float]:
    """A room that nobody has in memory, as right after the start of a server: nothing else is remembered either."""
    rooms, looks = [], []
    for _ in range(7):
        put_away(made)
        clear_caches()
        taken, _ = spent(lambda: _held(made, host))
        rooms.append(taken)
        taken, _ = spent(lambda: _shown(made, host, Shown({}, -1)))
        looks.append(taken)
    return {
        "back_p50_ms": statistics.median(rooms),
        "back_max_ms": max(rooms),
        "first_page_p50_ms": statistics.median(looks),
    }


def put_away(made: Services) -> None:
    for game in list(made.game_service.rooms._rooms):
        made.game_service.rooms.evict(game)


def _held(made: Services, host: Access) -> int:
    with made.game_service.holding(host.game) as room:
        return room.version


def idle(game: Game) -> dict[str, float]:
    """Kilobytes of a room: brought back, looked at by somebody, and with all of its states at hand."""
    with game_service() as made:
        hosts = [made.game_service.import_game(game) for _ in range(IDLE + 1)]
        put_away(made)
        _shown(made, hosts[0], Shown({}, -1))  # what is kept once for all
        tracemalloc.start()
        found = {"idle_kb": _kept(hosts, lambda host: _held(made, host))}
        found["idle_looked_at_kb"] = _kept(hosts, lambda host: _shown(made, host, Shown({}, -1)))
        found["idle_history_kb"] = _kept(hosts, lambda host: _recalled(made, host))
        tracemalloc.stop()
        return found


def _kept(hosts: list[Access], do: Callable[[Access], object]) -> float:
    for host in hosts[1:]:
        do(host)
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1000 / IDLE


def _recalled(made: Services, host: Access) -> int:
    with made.game_service.holding(host.game) as room:
        return len(room.game.history.states)


def _http(game: Game) -> dict[str, float]:
    """The same as pages see it, the network included."""
    with tempfile.TemporaryDirectory() as folder:
        made = create_services(sqlite_url_in(Path(folder)), lambda: datetime.now(UTC))
        key = made.game_service.import_game(game).key
        made.database.close()
        with served(folder, "--thinkers", "0") as (address, process):
            return over_the_network(address, process, key)


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}  {value:,.2f}")
