"""Renders pages from templates, and the panels of a table separately, so that only changes are sent."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from msgspec import Struct

from ostbahn.bots.registry import bot_phrase
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kits
from ostbahn.pictures.charts import PANEL, chart_picture
from ostbahn.pictures.line_charts import Series, line_chart
from ostbahn.pictures.themes import THEMES, Theme, style_sheet
from ostbahn.table.access import NotHere
from ostbahn.table.drawing import board_svg, changed_hexes, cities_of, routes_svg
from ostbahn.table.listing import answers_of, card_remarks, grouped_offers
from ostbahn.table.panels import Content, PanelRenderer, RenderedPanel, money_in
from ostbahn.table.room import Room
from ostbahn.table.slots import DAY, HOUR, MINUTE
from ostbahn.table.table_view import TableView
from ostbahn.text.formatting import sentence_case
from ostbahn.text.words import join_words
from ostbahn.views.log import MentionFinder
from ostbahn.views.models import LogLine
from ostbahn.views.moves import MoveView
from ostbahn.views.question import RoutesView, place_names, question_data
from ostbahn.views.title_views import views_of
from ostbahn.views.wealth import WealthView

VIEWS: Final = (
    ("table", "Table", "t"),
    ("map", "Map", "m"),
    ("market", "Market", "k"),
    ("companies", "Companies", "c"),
    ("sheet", "Spreadsheet", "s"),
    ("tiles", "Tiles", "i"),
    ("log", "Log", "l"),
)
"""Views of the page: id, name and keyboard shortcut. `table` is the one arranged for the question."""
MEDIA: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
NAME: Final = re.compile(r"\w[\w.-]*", re.ASCII)
"""A part of a static file's path; it cannot lead out of the folder."""
COLOURS: Final = "css/themes.css"
"""The style sheet generated from the themes."""
ROUTES: Final = "routes drawn"
"""Key of drawn routes in `Room.memory`."""
DEFAULT_THEME: Final = "light"
TABLE: Final = "ostbahn.table"
"""The package with the table's own templates, scripts and styles."""


class Page(Struct, frozen=True):
    """What a page of this server shows. Programs have no use for it."""

    panels: Mapping[str, str] = {}
    """The hash of each panel, by name."""
    stamp: int = -1
    """The `stamp` of the board that it shows; negative if none."""
    at: int | None = None
    """The moment that it shows, as a number of answers; null for now."""
    after: int | None = None
    """The last moment shown by a page that goes through what was missed."""


class Update(Struct, frozen=True, kw_only=True):
    """What a page of this server has to redraw."""

    version: int
    number: int
    """How many answers have been given."""
    at: int
    """After how many answers this is."""
    now: bool
    my_turn: bool
    asks_me: bool
    over: bool
    stamp: int
    panels: Mapping[str, str]
    """The panels that have changed, by name, as HTML."""
    board: str | None = None
    """The whole board as SVG, if the page has to draw it anew."""
    hexes: Mapping[str, str]
    routes: str
    """The routes over the board as SVG; empty for none."""
    scene: str
    """How the page is arranged."""
    move: MoveView | None
    """The answer that led to the moment shown."""
    last: MoveView | None
    """That answer, or the last one before it that changed something to be seen."""
    stop: bool
    left: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Application:
    """What an application adds to the pages of a table."""

    packages: tuple[str, ...] = ()
    """Packages with further folders `templates` and `static`."""
    layout: str = "page.html"
    """The template that the coach, report and rules extend."""
    page: str = "table.html"
    """The template of a table's page; an application's own extends `table.html`."""
    panels: Mapping[str, Callable[[TableView], Content]] = field(default_factory=dict)
    """Contents of further panels."""
    scripts: tuple[str, ...] = ()
    """Scripts that the page of a table starts after its own."""
    modules: tuple[str, ...] = ()
    """Modules that these scripts import, to be preloaded."""
    styles: tuple[str, ...] = ()
    """Style sheets of the page of a table, without `.css`."""
    set_up: Callable[[Environment], None] = lambda env: None
    """Adds filters and globals for its templates."""


ALONE: Final = Application()
"""A single table without a server."""


@cache
def _load_templates(application: Application) -> Environment:
    """Load and compile all templates in advance; they never change."""
    packages = (TABLE, *application.packages)
    with_templates = [package for package in packages if resources.files(package).joinpath("templates").is_dir()]
    env = Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in with_templates]),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["json"] = embedded
    env.filters["bot"] = bot_phrase
    env.filters["card_remarks"] = card_remarks
    env.filters["grouped_offers"] = grouped_offers
    env.filters["clock"] = _format_clock
    env.filters["sentence_case"] = sentence_case
    env.globals |= {
        "release": release(packages),
        "titles": list(kits()),
        "all_titles": join_words(kits()),
        "views": VIEWS,
        "layout": application.layout,
        "extra_scripts": application.scripts,
        "extra_styles": application.styles,
        "modules": [file.name for file in static_files(TABLE, "js")] + [*application.scripts, *application.modules],
    }
    application.set_up(env)
    for name in env.list_templates():
        env.get_template(name)
    return env


class Renderer:
    def __init__(self, application: Application = ALONE) -> None:
        self.env = _load_templates(application)
        self.packages = (TABLE, *application.packages)
        self.table_page = application.page
        self._panels = PanelRenderer(self.env, application.panels)

    @property
    def release(self) -> str:
        """A digest in the URLs of static files: browsers fetch them again when they change."""
        return str(self.env.globals["release"])

    def page(self, template: str, theme: str, visitor: object = None, **values: Any) -> str:
        """Render a page in a theme. visitor: whoever is signed in, if the application has accounts."""
        return self.env.get_template(template).render(theme=theme, visitor=visitor, **values)

    def part(self, template: str, **values: Any) -> str:
        """Render a part of a page, which the page fetches on demand."""
        return self.env.get_template(template).render(values)

    def log(self, lines: Sequence[LogLine], since: int) -> str:
        """Render lines for a page that filters its log or loads earlier lines; `data-more` says that others exist."""
        shown = [line for line in lines if line.number >= since]
        more = bool(lines) and len(shown) == len(lines) and lines[-1].number > 0
        rows = Markup("").join(self._panels.log_line(line, 0) for line in shown)
        return Markup('<ol class="lines"{}>{}</ol>').format(Markup(" data-more") if more else "", rows)

    # The table

    def table(self, view: TableView, game: Game, theme: str, visitor: object = None, **values: Any) -> str:
        panels = {name: Markup(panel.html) for name, panel in self.panels(view, game, theme).items()}
        colours = theme_of(theme)
        return self.page(
            self.table_page,
            theme,
            visitor,
            view=view,
            panels=panels,
            board=Markup(board_svg(game, colours)),
            routes=shown_routes(view, game, colours),
            chips=views_of(game).chips,
            **values,
        )

    def panels(self, view: TableView, game: Game, theme: str) -> dict[str, RenderedPanel]:
        return self._panels.all(view, self._panel_values(view, game, theme))

    def _panel_values(self, view: TableView, game: Game, theme: str) -> dict[str, Any]:
        """The view, pictures, and data for scripts, as panels that are not cached need them."""
        colours, ended = theme_of(theme), view.outlook.ended
        ghosts = {marker.company: marker.after for marker in ended.markers} if ended is not None else {}
        return {
            "view": view,
            "theme": theme,
            "money": money_in(view.round.currency),
            "chart": Markup(chart_picture(game, colours, size=PANEL, previews=ghosts)),
            "wealth": Markup(_wealth_chart(view.wealth)),
            "cities": cities_of(game) if view.my_turn else {},
            "answers": answers_of(view, place_names(game)) if view.my_turn else None,
            "mentioned": MentionFinder(game).parts,
            "question_data": question_data(game, view.question) if view.question is not None and view.my_turn else None,
        }

    def update(self, view: TableView, game: Game, room: Room, page: Page, theme: str) -> Update:
        """What has changed since `page`."""
        colours, shown_game = theme_of(theme), room.game_at_version(page.stamp)
        return Update(
            version=view.version,
            number=view.number,
            at=view.at,
            now=view.now,
            my_turn=view.my_turn,
            asks_me=view.asks_me,
            over=view.round.over,
            stamp=view.stamp,
            panels=self._panels.changed(view, self._panel_values(view, game, theme), page.panels),
            board=board_svg(game, colours) if shown_game is None else None,
            hexes={} if shown_game is None else changed_hexes(shown_game, game, colours),
            scene=view.round.scene,
            routes=_cached_routes(view, game, room, colours),
            move=view.move,
            last=view.last,
            stop=view.stop,
            left=view.left,
        )


def _cached_routes(view: TableView, game: Game, room: Room, theme: Theme) -> str:
    """`shown_routes`, drawn once for all viewers of a moment."""
    moment = (view.version, view.at, theme.name, view.routes is None)
    cached: tuple[object, str] | None = room.memory.get(ROUTES)
    if cached is None or cached[0] != moment:
        room.memory[ROUTES] = cached = moment, shown_routes(view, game, theme)
    return cached[1]


def shown_routes(view: TableView, game: Game, theme: Theme) -> str:
    """Draw the routes in question, otherwise those just run."""
    if view.routes is not None or not view.ran:
        return drawn_routes(view.routes, game, theme)
    return routes_svg(game, [path for ran in view.ran for path in ran.paths], theme)


def drawn_routes(view: RoutesView | None, game: Game, theme: Theme) -> str:
    """Draw routes over the board; empty if no trains are to run."""
    return "" if view is None else routes_svg(game, [route.path for route in view.routes], theme)


def _wealth_chart(view: WealthView | None) -> str:
    """Draw a line for each player, in the colours of the page."""
    if view is None:
        return ""
    rows = {name: [point.worth.get(seat, 0) for point in view.points] for seat, name in view.names.items()}
    series = [Series(name, worth, hue, figure=str(worth[-1])) for hue, (name, worth) in enumerate(rows.items())]
    return line_chart("Worth over time", [point.round for point in view.points], series, view.currency)


def _format_clock(seconds: int) -> str:
    """Format a duration as on a clock; `clocks.js` does the same for running ones."""
    if seconds >= DAY:
        return f"{seconds // DAY} d {seconds % DAY // HOUR} h"
    minutes = f"{seconds % HOUR // MINUTE}:{seconds % MINUTE:02}"
    return f"{seconds // HOUR}:{minutes.rjust(5, '0')}" if seconds >= HOUR else minutes


def embedded(value: Any) -> Markup:
    """Encode data for a script element, escaped so that no text in it can end the element."""
    text = msgspec.json.encode(value).decode()
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def theme_of(name: str) -> Theme:
    return THEMES.get(name, THEMES[DEFAULT_THEME])


def release(packages: Iterable[str]) -> str:
    """A digest of all scripts and style sheets."""
    digest = hashlib.blake2s(style_sheet().encode(), digest_size=6)
    for package in packages:
        for folder in ("css", "js"):
            for file in static_files(package, folder):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def static_files(package: str, folder: str) -> list[Traversable]:
    """The files in a folder of a package's `static`, sorted by name."""
    directory = resources.files(package).joinpath("static", folder)
    return sorted(directory.iterdir(), key=lambda file: file.name) if directory.is_dir() else []


def static_file(packages: Iterable[str], path: str) -> tuple[str, bytes]:
    """The media type and bytes of a package's script, style sheet or picture, or of the generated `COLOURS`."""
    if path.strip("/") == COLOURS:
        return MEDIA["css"], style_sheet().encode()
    parts = path.strip("/").split("/")
    media = MEDIA.get(parts[-1].rpartition(".")[2])
    if media is not None and all(map(NAME.fullmatch, parts)):
        for package in packages:
            file = resources.files(package).joinpath("static", *parts)
            if file.is_file():
                return media, file.read_bytes()
    raise NotHere(f"there is no file {path}")
