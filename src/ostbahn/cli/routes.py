"""`ostbahn routes`: the best run of a company, with proof."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ostbahn.analysis.runs import TimeBudget, best_run, companies_of
from ostbahn.interop import files
from ostbahn.interop.files import ImportedGame
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.routes.budget import UNLIMITED
from ostbahn.kernel.routes.network import BestRun, TrainRoute
from ostbahn.terminal.screen import open_console, print_line


def routes(file: Path, company: str | None, at: int | None, as_json: bool, limit: float | None) -> None:
    """Print routes, stops, sums, bound and time for the state after the file's action N."""
    game = state_after(files.open_with_marks(file), at)
    runs = {name: _timed_run(game, name, limit) for name in companies(game, company)}
    if as_json:
        documents = [_run_document(name, run, ms) for name, (run, ms) in runs.items()]
        is_single = company or len(documents) == 1
        print(json.dumps(documents[0] if is_single else documents, ensure_ascii=False, indent=2))
        return
    for name, (run, ms) in runs.items():
        _print_run(game, name, run, f", {ms:.1f} ms")


def print_run(game: Game, company: str) -> None:
    """Print the best run of a company on the present board, stop by stop."""
    _print_run(game, company, best_run(game, company))


def _print_run(game: Game, company: str, run: BestRun, time_note: str = "") -> None:
    console, money = open_console(), game.table.title.currency
    proof = "proven" if run.proven else f"not proven: at most {run.bound} {money}"
    print_line(console, f"{company} earns {earned(run, money)} ({proof}{time_note})")
    for route in run.routes:
        stops = " – ".join(_stop_texts(game, route)) + "".join(f" + {words} {value}" for words, value in route.bonuses)
        print_line(console, f"  {route.face:<4}[{route.card}]{with_cars(route)} {route.revenue} {money}: {stops}")
        print_line(console, f"        {'-'.join(route.path)}", "dim")


def earned(run: BestRun, money: str) -> str:
    """Revenue and subsidies in words."""
    return f"{run.revenue} {money}" + (f" and {run.subsidy} {money} from mines" if run.subsidy else "")


def with_cars(route: TrainRoute) -> str:
    """The rail cars of a train, as a suffix of its name."""
    return "".join(f" with {car.replace('_', '-')} car" for car in route.cars)


def state_after(imported: ImportedGame, number: int | None) -> Game:
    """The game after the action of this number in the file; without a number, after all."""
    if number is None:
        return imported.game
    for mark in imported.marks:
        if mark.id == number:
            return imported.game.position(mark.actions)
    raise BadFile(f"the file has no action {number} that took effect; the last is {imported.marks[-1].id}")


def companies(game: Game, company: str | None) -> list[str]:
    """The named company; without a name, the one to move, or all that operate."""
    operating = companies_of(game)
    if company is not None:
        names = {name.upper(): name for name in (*game.table.title.companies, *operating)}
        if company.upper() not in names:
            raise BadSetup(f"there is no company {company}; there are {', '.join(names.values())}")
        return [names[company.upper()]]
    if game.question is not None and game.question.company in operating:
        return [game.question.company]
    return operating


def _timed_run(game: Game, company: str, limit: float | None) -> tuple[BestRun, float]:
    """The best run of a company, and the milliseconds that the search took."""
    start = time.perf_counter()
    run = best_run(game, company, UNLIMITED if limit is None else TimeBudget(limit))
    return run, (time.perf_counter() - start) * 1000


def _stop_texts(game: Game, route: TrainRoute) -> Iterator[str]:
    """Each stop with its value; stops that do not count are in parentheses."""
    for stop, value, counted in route.paid_stops():
        place = f"{stop.id} {game.table.title.map[hex_of(stop.id)].printed.name or ''}".strip()
        yield f"{place} {value}" if counted else f"({place})"


def _run_document(company: str, run: BestRun, ms: float) -> dict[str, Any]:
    return {
        "company": company,
        "revenue": run.revenue,
        "subsidy": run.subsidy,
        "bound": run.bound,
        "proven": run.proven,
        "ms": round(ms, 3),
        "routes": [
            {
                "train": route.face,
                "card": route.card,
                "stops": [stop.id for stop, _, counted in route.paid_stops() if counted],
                "skipped": [stop.id for stop, _, counted in route.paid_stops() if not counted],
                "path": list(route.path),
                "revenue": route.revenue,
                "subsidy": route.subsidy,
                "cars": list(route.cars),
                "bonuses": dict(route.bonuses),
            }
            for route in run.routes
        ],
    }
