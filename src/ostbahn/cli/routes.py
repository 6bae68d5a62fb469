"""`ostbahn routes`: the best run of a company, with proof."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from ostbahn.analysis.runs import BestRun, best_run
from ostbahn.cli.screen import say, screen
from ostbahn.interop import site
from ostbahn.interop.imported import Imported
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.titles.cz.state import CzTable


def routes(file: Path, company: str | None, at: int | None, as_json: bool, limit: float | None) -> None:
    """Print routes, stops, sums, bound and time for the state after the file's action N."""
    game = state_after(site.open_imported(file), at)
    found = [_timed(game, name, limit) for name in companies(game, company)]
    if as_json:
        rows = [_row(run, ms) for run, ms in found]
        print(json.dumps(rows[0] if company or len(rows) == 1 else rows, ensure_ascii=False, indent=2))
        return
    console = screen()
    for run, ms in found:
        proof = "proven" if run.proven else f"not proven: at most {run.bound} K"
        say(console, f"{run.company} earns {run.revenue} K ({proof}, {ms:.1f} ms)")
        for route in run.routes:
            say(console, f"  {route.train:<4}[{route.card}] {route.revenue} K: {_calls(route.calls)}")
            say(console, f"        {'-'.join(route.path)}", "dim")


def state_after(imported: Imported, number: int | None) -> Game:
    """The game after an action of the file; without a number, as it stands."""
    if number is None:
        return imported.game
    for mark in imported.marks:
        if mark.id == number:
            return imported.game.at(mark.actions)
    raise BadFile(f"the file has no action {number} that took effect; the last is {imported.marks[-1].id}")


def companies(game: Game, company: str | None) -> list[str]:
    """The one that is named, or the one whose turn it is, or all that operate."""
    table = game.table
    assert isinstance(table, CzTable)
    if company is not None:
        names = {name.upper(): name for name in table.title.companies}
        if company.upper() not in names:
            raise BadSetup(f"there is no company {company}; there are {', '.join(names.values())}")
        return [names[company.upper()]]
    if game.question is not None and game.question.company is not None:
        return [game.question.company]
    return list(table.state.floated)


def _timed(game: Game, company: str, limit: float | None) -> tuple[BestRun, float]:
    start = time.perf_counter()
    run = best_run(game, company, lambda: limit is None or time.perf_counter() - start < limit)
    return run, (time.perf_counter() - start) * 1000


def _calls(calls: tuple[Any, ...]) -> str:
    told = []
    for call in calls:
        place = f"{call.place} {call.name}".strip()
        told.append(f"{place} {call.value}" if call.counted else f"({place})")
    return " – ".join(told)


def _row(run: BestRun, ms: float) -> dict[str, Any]:
    return {
        "company": run.company,
        "revenue": run.revenue,
        "subsidy": 0,
        "bound": run.bound,
        "proven": run.proven,
        "ms": round(ms, 3),
        "routes": [
            {
                "train": route.train,
                "card": route.card,
                "stops": [call.place for call in route.calls if call.counted],
                "skipped": [call.place for call in route.calls if not call.counted],
                "path": list(route.path),
                "revenue": route.revenue,
            }
            for route in run.routes
        ],
    }
