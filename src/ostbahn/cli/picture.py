"""`ostbahn picture`: a game, or a part of it, as SVG, PNG or PDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from ostbahn.analysis.runs import best_run
from ostbahn.cli.commands import start_game, title_of
from ostbahn.cli.invocation import GamePlan, Rulings
from ostbahn.cli.routes import companies, earned, state_after, with_cars
from ostbahn.interop import files
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.routes.network import TrainRoute
from ostbahn.kernel.title import Title
from ostbahn.kits.catalogue import entry_of
from ostbahn.pictures import export, gallery
from ostbahn.pictures.board import DrawnRoute
from ostbahn.pictures.board_style import PictureKind, scene_of
from ostbahn.pictures.sheets import blank_board, run_picture
from ostbahn.pictures.themes import DARK, Theme
from ostbahn.terminal.screen import open_console, print_line

WHITE: Final = "#ffffff"


class PictureOptions(NamedTuple):
    what: str = "board"
    theme: str = "light"
    paper: str | None = None
    scale: float = export.SCALE


def picture(source: Path | GamePlan, at: int | None, options: PictureOptions, out: Path) -> None:
    """Draw a game file or a title as `options` say, and write the picture to `out`."""
    kinds: Mapping[str, PictureKind] = {**gallery.all_picture_kinds(), **RUNS}
    kind, _ = gallery.find_picture_kind(options.what, kinds)
    export.file_suffix(out)  # check the file name before loading a long game
    if isinstance(source, GamePlan):
        if at is not None:
            raise BadSetup("nothing has happened in a title that is not played, so --at has no meaning")
        fewest = min(entry_of(title_of(source), source.variant or "base").players)
        game = start_game(source._replace(number=fewest, seed=1), Rulings(given_order=True))
        kinds = {**kinds, "board": kind._replace(draw=lambda game, _, theme: blank_board(game.table.title, theme))}
    else:
        game = state_after(files.open_with_marks(source), at)
    paper = options.paper or kind.paper
    theme = gallery.theme_named(options.theme)
    if export.file_suffix(out) == ".pdf" and paper != export.FIT and theme != DARK:
        theme = replace(theme, paper=WHITE)  # printed paper has its own colour
    svg = gallery.draw(game, options.what, theme, kinds)
    export.write(out, svg, paper=paper, scale=options.scale)
    print_line(open_console(), f"{out}: {export.picture_title(svg)}")


def _draw_best_run(game: Game, company: str, theme: Theme) -> str:
    running = companies(game, company or None)
    if len(running) != 1:
        known = ", ".join(running) or "none yet"
        raise BadSetup(f"no company is in turn here, so say whose run: routes:COMPANY. Those that operate: {known}")
    company, title = running[0], game.table.title
    run = best_run(game, company)
    routes = [DrawnRoute(route.path, _route_legend(route, title)) for route in run.routes]
    heading = f"Best run of {game.table.name(company)}: {earned(run, title.currency)}"
    return run_picture(scene_of(game), routes, heading, theme)


def _route_legend(route: TrainRoute, title: Title) -> str:
    """Train, revenue and stops of a route."""
    hexes = [title.map[hex_of(stop.id)] for stop, _, counted in route.paid_stops() if counted]
    stops = " – ".join(hex_.printed.name or hex_.id for hex_ in hexes)
    return f"{route.face}-train{with_cars(route)}: {route.revenue} {title.currency}, {stops}"


RUNS: Final[Mapping[str, PictureKind]] = {
    "routes": PictureKind(_draw_best_run, "the best run of a company, over the board", "[COMPANY]", paper="a3")
}
"""Not in the gallery, since pictures do not know the router."""
