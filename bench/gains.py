"""How long it takes to say what each offered tile or station adds to the best run: at the fullest late question, at all
late ones, and over the network. `python3 dev.py bench` takes the figures in with the others.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Iterator, Sequence

import httpx

from bench.moments import forgotten
from bench.updates import spent
from ostbahn.analysis.gains import builds, gains
from ostbahn.analysis.runs import CompanyTrains, companies_of
from ostbahn.kernel.game import Game
from ostbahn.kernel.routes.optimiser import clear_caches

AGAIN = 7
"""How often the fullest question is worked out."""
SERVED = 40
"""How many questions are asked for over the network."""


def figures(game: Game, others: Sequence[Game], suffix: str = "") -> dict[str, float]:
    """Of the fullest late question of a game, and of all late questions of several: milliseconds, each from nothing.

    What was proven is told in percent of all figures.
    """
    fullest = fullest_question(game)
    asked = [moment for each in others for moment in late_questions(each)]
    gc.freeze()  # otherwise the games kept here would be searched for garbage meanwhile
    times, figures, proven = [], 0, 0
    for moment in asked:
        taken, found = _timed(moment)
        times.append(taken)
        figures += len(found)
        proven += sum(found)
    times.sort()
    return {
        f"gains{suffix}_answers": float(len(fullest.question or ())),
        f"gains{suffix}_ms": min(_timed(fullest)[0] for _ in range(AGAIN)),
        f"gains{suffix}_questions": float(len(times)),
        f"gains{suffix}_p50_ms": statistics.median(times),
        f"gains{suffix}_p99_ms": times[int(len(times) * 0.99)],
        f"gains{suffix}_max_ms": times[-1],
        f"gains{suffix}_proven_percent": 100 * proven / figures,
    }


def late_questions(game: Game) -> Iterator[Game]:
    """Every moment in the last third of a game at which a company with a train can build."""
    for number in range(len(game) * 2 // 3, len(game)):
        moment = game.position(number)
        if _can_build(moment):
            yield moment


def _can_build(game: Game) -> bool:
    question = game.question
    if (
        question is None
        or question.company not in companies_of(game)
        or not CompanyTrains(game.table, question.company).faces
    ):
        return False
    return any(builds(option.action) for option in question.options)


def fullest_question(game: Game) -> Game:
    return max(late_questions(game), key=lambda moment: len(moment.question or ()))


def _timed(moment: Game) -> tuple[float, list[bool]]:
    """Milliseconds of the processor, on a board and with a router that remember nothing; and of each figure whether it
    is proven."""
    cold = forgotten(moment)
    list(cold.question or ())
    clear_caches()
    start = time.thread_time()
    found = gains(cold)
    return (time.thread_time() - start) * 1e3, [figure.proven for figure in found.values()]


# Over the network


def served(address: str, process: int, keys: Sequence[str]) -> dict[str, float]:
    """Milliseconds until a page has the figures, a ghost, a network and a preview, where such a question is put; and
    those of the server's processor for the figures."""
    times: dict[str, list[float]] = {"gains": [], "ghost": [], "network": [], "preview": [], "gains_cpu": []}
    with httpx.Client(base_url=f"{address}api/t/", timeout=60) as net:
        for key in keys:
            view = net.get(key).json()  # which reads the game, as the page has done by then
            answers, company = view["question"]["answers"], view["question"]["company"]
            before = spent(process)
            times["gains"].append(_asked(net, "GET", f"{key}/gains"))
            times["gains_cpu"].append(spent(process) - before)
            times["network"].append(_asked(net, "GET", f"{key}/network/{company}"))
            times["preview"].append(_asked(net, "POST", f"{key}/preview", {"action": answers[0]["action"]}))
            for lay in [each for each in answers if each["tile"] is not None][:1]:
                path = f"{key}/ghost/{lay['place']}/{lay['tile']}/{lay['action']['rotation']}"
                times["ghost"].append(_asked(net, "GET", path))
    return {f"{what}_p95_ms": sorted(taken)[int(len(taken) * 0.95)] for what, taken in times.items()}


def _asked(net: httpx.Client, method: str, path: str, sent: object = None) -> float:
    start = time.perf_counter()
    net.request(method, path, json=sent).raise_for_status()
    return (time.perf_counter() - start) * 1e3


def some_of(game: Game) -> list[Game]:
    """Late questions of a game, evenly over the time."""
    late = list(late_questions(game))
    return late[:: max(1, len(late) // SERVED)][:SERVED]
