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
    found = {name: _timed(game, name, limit) for name in companies(game, company)}
    if as_json:
        rows = [_row(name, run, ms) for name, (run, ms) in found.items()]
        print(json.dumps(rows[0] if company or len(rows) == 1 else rows, ensure_ascii=False, indent=2))
        return
    for name, (run, ms) in found.items():
        _tell(game, name, run, f", {ms:.1f} ms")


def tell_run(game: Game, company: str) -> None:
    """The best run of a company as the board lies, stop by stop."""
    _tell(game, company, best_run(game, company))


def _tell(game: Game, company: str, run: BestRun, took: str = "") -> None:
    console, money = open_console(), game.table.title.currency
    proof = "proven" if run.proven else f"not proven: at most {run.bound} {money}"
    print_line(console, f"{company} earns {earned(run, money)} ({proof}{took})")
    for route in run.routes:
        stops = " – ".join(_stops(game, route)) + "".join(f" + {words} {value}" for words, value in route.bonuses)
        print_line(console, f"  {route.face:<4}[{route.card}]{with_cars(route)} {route.revenue} {money}: {stops}")
        print_line(console, f"        {'-'.join(route.path)}", "dim")


def earned(run: BestRun, money: str) -> str:
    """Revenue and subsidies in words."""
    return f"{run.revenue} {money}" + (f" and {run.subsidy} {money} from mines" if run.subsidy else "")


def with_cars(route: TrainRoute) -> str:
    """The rail cars of a train, as a suffix of its name."""
    return "".join(f" with {car.replace('_', '-')} car" for car in route.cars)


def state_after(imported: ImportedGame, number: int | None) -> Game:
    """The game after an action of the file; without a number, as it stands."""
    if number is None:
        return imported.game
    for mark in imported.marks:
        if mark.id == number:
            return imported.game.position(mark.actions)
    raise BadFile(f"the file has no action {number} that took effect; the last is {imported.marks[-1].id}")


def companies(game: Game, company: str | None) -> list[str]:
    """The named company, or the one to move, or all that operate."""
    known = companies_of(game)
    if company is not None:
        names = {name.upper(): name for name in (*game.table.title.companies, *known)}
        if company.upper() not in names:
            raise BadSetup(f"there is no company {company}; there are {', '.join(names.values())}")
        return [names[company.upper()]]
    if game.question is not None and game.question.company in known:
        return [game.question.company]
    return known


def _timed(game: Game, company: str, limit: float | None) -> tuple[BestRun, float]:
    start = time.perf_counter()
    run = best_run(game, company, UNLIMITED if limit is None else TimeBudget(limit))
    return run, (time.perf_counter() - start) * 1000


def _stops(game: Game, route: TrainRoute) -> Iterator[str]:
    for stop, value, counted in route.paid_stops():
        place = f"{stop.id} {game.table.title.map[hex_of(stop.id)].printed.name or ''}".strip()
        yield f"{place} {value}" if counted else f"({place})"


def _row(company: str, run: BestRun, ms: float) -> dict[str, Any]:
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
