"""Benchmarks: `python3 dev.py bench [--json FILE]`. Figures by name; machines are noisy, compare within one run.

They measure with the reference games where these lie beside the project, and else with golden games; compare figures of
the same games only.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import statistics
import time
from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from typing import Any

from bench.bots import figures as bot_figures
from bench.crowded import all_figures as crowded_figures
from bench.dense import dense_board, thinned
from bench.gains import figures as gain_figures
from bench.gains import some_of
from bench.moments import forgotten
from bench.outlook import figures as outlook_figures
from bench.random_play import figures as random_play_figures
from bench.report import figures as report_figures
from bench.service import figures as service_figures
from bench.start import figures as start_figures
from ostbahn.analysis.runs import TimeBudget
from ostbahn.interop.site_adapter import import_game
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import Hex
from ostbahn.kernel.routes.optimiser import best_run, clear_caches
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import rulings_of, start_game
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import BoardScene, frame_of, hex_group
from ostbahn.pictures.themes import LIGHT
from ostbahn.titles.cz.actions import RunTrains as CzRunTrains
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.cz.running import as_train, network
from ostbahn.titles.cz.running import best as cz_best
from ostbahn.titles.cz.running import best_of as best_of_trains
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.state import LayTrack as CzLayTrack
from ostbahn.titles.cz.title import cz_title
from ostbahn.titles.mag.actions import RunTrains as MagRunTrains
from ostbahn.titles.mag.running import best as mag_best
from ostbahn.titles.mag.state import LayTrack as MagLayTrack
from ostbahn.titles.mag.state import MagTable, OperateWithCars
from ostbahn.views.question import question_view

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"
REAL = {"18CZ": "29247", "18Mag": "hs_puhjabag_1762198060"}
"""Whole games of people among the reference games."""


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def chosen(title: str) -> dict[str, Any]:
    """The game that is measured on its own: a real one, or the golden one where there are no reference games."""
    real = REFERENCE / title / f"{REAL[title]}.json"
    return read(real) if real.exists() else documents(title)[0]


def documents(title: str) -> list[dict[str, Any]]:
    """All reference games of a title, without those that use modules; without any, golden games in the same form."""
    paths = [*(REFERENCE / title).glob("*.json"), *(REFERENCE / "generated" / title).glob("*.json")]
    found = [read(path) for path in sorted(paths or GOLDEN.glob(f"{title}-*.18xx.json"))]
    return [document for document in found if not document["settings"].get("optional_rules")]


def best_of(times: int, work: Callable[[], object]) -> float:
    """The quickest of several runs, in seconds: what disturbs a machine only ever makes it slower."""
    return min(_timed(work) for _ in range(times))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def middle_of(times: int, work: Callable[[], object]) -> float:
    return statistics.median(_timed(work) for _ in range(times))


def late_track_question(game: Game) -> Game:
    """The game at the track question, in its last third, that has the most answers."""
    late = [
        number
        for number in range(len(game) * 2 // 3, len(game))
        if (state := game.position(number).state).agenda and isinstance(state.agenda[-1], (CzLayTrack, MagLayTrack))
    ]
    return game.position(max(late, key=lambda number: len(game.position(number).question or ())))


def measure(document: dict[str, Any], name: str) -> dict[str, float]:
    """How quickly a real game is imported and replayed, and how quickly a late state of it answers."""
    imported = import_game(document)
    game = imported.game
    file_actions = len(imported.marks) - 1
    answers = list(game.actions())
    gc.freeze()  # as a server does: all that is loaded here would be searched for garbage again and again

    def replay() -> None:
        again = start_game(game.setup)
        for by, action in answers:
            again.apply(action, by)

    late = late_track_question(game)
    cold = [forgotten(late) for _ in range(15)]
    first = min(_timed(lambda each=each: list(each.question or ())) for each in cold)  # type: ignore[misc]
    again = best_of(200, lambda: list(cold[0].question or ()))
    end = game.branch()

    def undo() -> None:
        end.undo()

    suffix = "" if name == "18cz" else f"_{name}"
    figures = {
        "copy_us": middle_of(2000, late.copy) * 1e6,
        "branch_us": middle_of(2000, late.branch) * 1e6,
        "answers_track": float(len(cold[0].question or ())),
        "answers_track_first_ms": first * 1e3,
        "answers_track_again_ms": again * 1e3,
        "answers_track_view_ms": best_of(30, lambda: question_view(late)) * 1e3,
        "undo_us": middle_of(300, undo) * 1e6,
        "digest_us": middle_of(200, lambda: late.state.digest) * 1e6,
    }
    return {
        f"replay_{name}_actions_per_s": file_actions / best_of(7, lambda: import_game(document)),
        f"replay_{name}_own_actions_per_s": len(answers) / best_of(7, replay),
        **{figure + suffix: value for figure, value in figures.items()},
    }


def runs_of(games: list[Game]) -> list[Game]:
    """Every moment of the games at which a company with a train runs, on a board that remembers nothing."""
    found = []
    for game in games:
        for number, record in enumerate(game.records):
            if isinstance(record.action, (CzRunTrains, MagRunTrains)):
                moment = forgotten(game.position(number))
                if moment.question and moment.state.trains.get(moment.question.company or ""):
                    found.append(moment)
    return found


DEFAULTS = {ruling.id: ruling.default for ruling in cz_title().all_rulings}


def run_best(game: Game) -> None:
    """The best run of the company that is about to run, by the rulebook's rulings."""
    table = game.table
    task = table.state.agenda[-1]
    if isinstance(table, MagTable) and isinstance(task, OperateWithCars):
        mag_best(table, task.company, task.cars)
    elif isinstance(table, CzTable) and game.question is not None:
        table.rulings = DEFAULTS
        cz_best(table, game.question.company or "")


def _cold(run: Callable[[], object]) -> float:
    """How long something takes if the router remembers nothing."""
    clear_caches()
    return _timed(run)


def measure_routes(games: list[Game], suffix: str = "") -> dict[str, float]:
    """The best run of every run of the games, each worked out from nothing."""
    moments = runs_of(games)
    gc.freeze()  # otherwise the thousands of games kept here would be searched for garbage while a run is timed
    times = sorted(_cold(lambda game=game: run_best(game)) * 1e3 for game in moments)  # type: ignore[misc]
    return {
        f"routes{suffix}_runs": float(len(times)),
        f"routes{suffix}_p50_ms": statistics.median(times),
        f"routes{suffix}_p99_ms": times[int(len(times) * 0.99)],
        f"routes{suffix}_max_ms": times[-1],
    }


def measure_dense(seconds: float) -> dict[str, float]:
    """One and three 8E-trains where every hex is built: processor time to the proof, or to the limit and what is then
    left open."""
    title = cz_title()
    rulebook = CzRulebook(title)
    setup = Setup(title="18CZ", variant="base", players=("A", "B", "C"), rulings=rulings_of(title.rulings))
    state = rulebook.initial_state(setup)
    state.board, state.phase = dense_board(title, 0), "j"
    table = rulebook.table(setup, state)
    net = network(table, "kk")
    figures = {}
    for trains in (1, 3):
        fleet = [as_train(table, Train(f"j{number}", "8E")) for number in range(trains)]
        clear_caches()
        start = time.process_time()
        run = best_run(net, fleet, TimeBudget(seconds))
        figures[f"routes_dense_{trains}_s"] = time.process_time() - start
        figures[f"routes_dense_{trains}_revenue"] = float(run.revenue)
        figures[f"routes_dense_{trains}_bound"] = float(run.bound)
    return figures


def measure_connected() -> dict[str, float]:
    """6E, 6E and 5E on well-connected boards, by the budget of the game: the longest, and how many were proven."""
    title = cz_title()
    rulebook = CzRulebook(title)
    setup = Setup(title="18CZ", variant="base", players=("A", "B", "C"), rulings=rulings_of(title.rulings))
    spent, proven = [], 0
    for seed, part in product(range(1, 9), (0.5, 0.6, 0.7)):
        state = rulebook.initial_state(setup)
        state.board, state.phase = thinned(dense_board(title, seed), part, seed), "j"
        table = rulebook.table(setup, state)
        fleet = [Train("i1", "6E"), Train("i2", "6E"), Train("h1", "5E")]
        clear_caches()
        start = time.perf_counter()
        proven += best_of_trains(table, "kk", [fleet]).proven
        spent.append(time.perf_counter() - start)
    return {
        "routes_connected_p50_s": statistics.median(spent),
        "routes_connected_max_s": max(spent),
        "routes_connected_proven": float(proven),
        "routes_connected_boards": float(len(spent)),
    }


def measure_pictures(game: Game, suffix: str = "") -> dict[str, float]:
    """The board at the end of a game, and the slowest of its hexes; hexes that were drawn before are remembered."""
    scene = scene_of(game)
    frame = frame_of(scene.title.map)
    phases = (f"phase {number}" for number in count())

    def anew() -> BoardScene:
        """In a phase that never was, no hex has been drawn before."""
        return scene._replace(colour=next(phases))

    def hex_ms(hex_: Hex) -> float:
        return best_of(10, lambda: hex_group(anew(), frame, hex_, LIGHT)) * 1e3

    return {
        f"picture_board_kb{suffix}": len(draw_board(scene).encode()) / 1000,
        f"picture_board_ms{suffix}": best_of(20, lambda: draw_board(anew())) * 1e3,
        f"picture_board_again_ms{suffix}": best_of(20, lambda: draw_board(scene_of(game))) * 1e3,
        f"picture_hex_ms{suffix}": max(map(hex_ms, scene.title.map)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--dense", type=float, metavar="SECONDS", default=10, help="limit for the dense board")
    parser.add_argument("--web", action="store_true", help="measure the web table too, in Chromium")
    parser.add_argument("--bots", action="store_true", help="measure the bots too, which takes some minutes")
    parser.add_argument("--engine", action="store_true", help="measure the engine alone: rules and routes")
    options = parser.parse_args()
    figures = measure_engine() if options.engine else measure_all(options)
    width = max(map(len, figures))
    source = "reference games" if REFERENCE.exists() else "golden games"
    print(f"Python {platform.python_version()}, one core, {source}")
    for name, value in figures.items():
        print(f"{name:<{width}}  {value:,.3f}" if value < 100 else f"{name:<{width}}  {value:,.0f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def measure_engine() -> dict[str, float]:
    """What the rules and the router do, without anything that shows a game."""
    figures = measure(chosen("18CZ"), "18cz") | measure(chosen("18Mag"), "18mag")
    figures |= random_play_figures()
    return figures | measure_routes([import_game(chosen(title)).game for title in REAL])


def measure_all(options: argparse.Namespace) -> dict[str, float]:
    figures = measure(chosen("18CZ"), "18cz") | measure(chosen("18Mag"), "18mag")
    figures |= start_figures()
    figures |= random_play_figures()
    if options.web:
        from bench.web import figures as web_figures  # here, since nothing else needs a browser

        whole = {title.lower(): import_game(chosen(title)).game for title in REAL}
        late = {name: game.position(len(game) * 3 // 4) for name, game in whole.items()}
        figures |= web_figures(late, {name: some_of(game) for name, game in whole.items()})
    if options.bots:
        from bench.coach import figures as coach_figures  # here too
        from bench.thinking import figures as thinking_figures

        figures |= bot_figures() | thinking_figures() | coach_figures()
    cz, mag = ([import_game(each).game for each in documents(title)] for title in ("18CZ", "18Mag"))
    figures |= measure_routes([*cz, *mag])
    figures |= measure_routes(mag, "_18mag")
    for suffix, title, games in (("", "18CZ", cz), ("_18mag", "18Mag", mag)):
        figures |= measure_pictures(import_game(chosen(title)).game, suffix)
        figures |= gain_figures(import_game(chosen(title)).game, games, suffix)
        figures |= report_figures(import_game(chosen(title)).game, suffix)
    figures |= outlook_figures()
    figures |= service_figures()
    figures |= measure_connected()
    figures |= crowded_figures()
    return figures | measure_dense(options.dense)


if __name__ == "__main__":
    raise SystemExit(main())
