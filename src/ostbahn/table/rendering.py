"""Pages from templates: whole ones, and the panels of a table one by one, so that only what changed is sent."""

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
from ostbahn.table.listing import answers_of, card_remarks, on_card
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
"""What can be looked at, with its name on the page and its key; the table is what is arranged for the question."""
MEDIA: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
NAME: Final = re.compile(r"\w[\w.-]*", re.ASCII)
"""A part of the path of a static file; none that could lead out of the folder."""
COLOURS: Final = "css/themes.css"
"""The style sheet that is made from the themes."""
ROUTES: Final = "routes drawn"
"""Under this a room remembers them."""
DEFAULT_THEME: Final = "light"
TABLE: Final = "ostbahn.table"
"""The package of the table's own templates, scripts and styles."""


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
    """What an application adds to the pages of a table. Without any, there is one table and nobody else."""

    packages: tuple[str, ...] = ()
    """Packages with further folders `templates` and `static`."""
    layout: str = "page.html"
    """What the pages around a table (coach, report, rules) extend."""
    page: str = "table.html"
    """The page of a table; an application's own extends that one."""
    panels: Mapping[str, Callable[[TableView], Content]] = field(default_factory=dict)
    """Panels beside the table's own, with all that is in them."""
    scripts: tuple[str, ...] = ()
    """Scripts that the page of a table starts after its own."""
    modules: tuple[str, ...] = ()
    """What these import, to be loaded at once."""
    styles: tuple[str, ...] = ()
    """Style sheets of the page of a table, without `.css`."""
    set_up: Callable[[Environment], None] = lambda env: None
    """Adds filters and globals that its templates need."""


ALONE: Final = Application()


@cache
def _templates(application: Application) -> Environment:
    """All templates, compiled before anybody waits for a page; they never change, so once is enough."""
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
    env.filters["on_card"] = on_card
    env.filters["clock"] = _clock_face
    env.filters["sentence_case"] = sentence_case
    env.globals |= {
        "release": release(packages),
        "titles": list(kits()),
        "all_titles": join_words(kits()),
        "views": VIEWS,
        "layout": application.layout,
        "extra_scripts": application.scripts,
        "extra_styles": application.styles,
        "modules": [
            *(file.name for file in static_files(TABLE, "js")),
            *application.scripts,
            *application.modules,
        ],
    }
    application.set_up(env)
    for name in env.list_templates():
        env.get_template(name)
    return env


class Renderer:
    def __init__(self, application: Application = ALONE) -> None:
        self.env = _templates(application)
        self.packages = (TABLE, *application.packages)
        self.table_page = application.page
        self._panels = PanelRenderer(self.env, application.panels)

    @property
    def release(self) -> str:
        """What stands in the address of static files, so that browsers fetch them anew when they change."""
        return str(self.env.globals["release"])

    def page(self, template: str, theme: str, visitor: object = None, **values: Any) -> str:
        """A page in somebody's colours; visitor: who they are, where an application knows that."""
        return self.env.get_template(template).render(theme=theme, visitor=visitor, **values)

    def part(self, template: str, **values: Any) -> str:
        """A part of a page, which that fetches when it is wanted."""
        return self.env.get_template(template).render(values)

    def log(self, lines: Sequence[LogLine], since: int) -> str:
        """Lines for a page that filters its log or wants earlier ones, and whether there are more."""
        shown = [line for line in lines if line.number >= since]
        more = bool(lines) and len(shown) == len(lines) and lines[-1].number > 0
        rows = Markup("").join(self._panels.told(line, 0) for line in shown)
        return Markup('<ol class="lines"{}>{}</ol>').format(Markup(" data-more") if more else "", rows)

    # The table

    def table(self, view: TableView, game: Game, theme: str, visitor: object = None, **values: Any) -> str:
        panels = {name: Markup(panel.html) for name, panel in self.panels(view, game, theme).items()}
        drawn = theme_of(theme)
        return self.page(
            self.table_page,
            theme,
            visitor,
            view=view,
            panels=panels,
            board=Markup(board_svg(game, drawn)),
            routes=shown_routes(view, game, drawn),
            chips=views_of(game).chips,
            **values,
        )

    def panels(self, view: TableView, game: Game, theme: str) -> dict[str, RenderedPanel]:
        return self._panels.all(view, self._values(view, game, theme))

    def _values(self, view: TableView, game: Game, theme: str) -> dict[str, Any]:
        """What the panels want beside the view: pictures, and data for the page's own code."""
        drawn, ended = theme_of(theme), view.outlook.ended
        ghosts = {marker.company: marker.after for marker in ended.markers} if ended is not None else {}
        return {
            "view": view,
            "theme": theme,
            "money": money_in(view.round.currency),
            "chart": Markup(chart_picture(game, drawn, size=PANEL, previews=ghosts)),
            "wealth": Markup(_wealth(view.wealth)),
            "cities": cities_of(game) if view.my_turn else {},
            "answers": answers_of(view, place_names(game)) if view.my_turn else None,
            "mentioned": MentionFinder(game).parts,
            "question_data": question_data(game, view.question) if view.question is not None and view.my_turn else None,
        }

    def update(self, view: TableView, game: Game, room: Room, page: Page, theme: str) -> Update:
        drawn = theme_of(theme)
        shown = room.game_at_version(page.stamp)
        return Update(
            version=view.version,
            number=view.number,
            at=view.at,
            now=view.now,
            my_turn=view.my_turn,
            asks_me=view.asks_me,
            over=view.round.over,
            stamp=view.stamp,
            panels=self._panels.changed(view, self._values(view, game, theme), page.panels),
            board=board_svg(game, drawn) if shown is None else None,
            hexes={} if shown is None else changed_hexes(shown, game, drawn),
            scene=view.round.scene,
            routes=_routes(view, game, room, drawn),
            move=view.move,
            last=view.last,
            stop=view.stop,
            left=view.left,
        )


def _routes(view: TableView, game: Game, room: Room, theme: Theme) -> str:
    """The same as `shown_routes`, drawn once for all who look at the same moment."""
    moment = (view.version, view.at, theme.name, view.routes is None)
    seen: tuple[object, str] | None = room.memory.get(ROUTES)
    if seen is None or seen[0] != moment:
        room.memory[ROUTES] = seen = moment, shown_routes(view, game, theme)
    return seen[1]


def shown_routes(view: TableView, game: Game, theme: Theme) -> str:
    """The routes that are asked for, and otherwise those that have just been run."""
    if view.routes is not None or not view.ran:
        return drawn_routes(view.routes, game, theme)
    return routes_svg(game, [path for ran in view.ran for path in ran.paths], theme)


def drawn_routes(view: RoutesView | None, game: Game, theme: Theme) -> str:
    """Routes as they lie over the board; nothing where no trains are run."""
    return "" if view is None else routes_svg(game, [route.path for route in view.routes], theme)


def _wealth(view: WealthView | None) -> str:
    """A line for everybody; its colours are those of the page."""
    if view is None:
        return ""
    rows = {name: [point.worth.get(seat, 0) for point in view.points] for seat, name in view.names.items()}
    series = [Series(name, worth, hue, figure=str(worth[-1])) for hue, (name, worth) in enumerate(rows.items())]
    return line_chart("Worth over time", [point.round for point in view.points], series, view.currency)


def _clock_face(seconds: int) -> str:
    """As a clock shows it; `clocks.js` does the same for those that run."""
    if seconds >= DAY:
        return f"{seconds // DAY} d {seconds % DAY // HOUR} h"
    minutes = f"{seconds % HOUR // MINUTE}:{seconds % MINUTE:02}"
    return f"{seconds // HOUR}:{minutes.rjust(5, '0')}" if seconds >= HOUR else minutes


def embedded(value: Any) -> Markup:
    """Data inside a page; no text in it can end the element it stands in."""
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
    """The files of a folder of a package's `static`, by name."""
    place = resources.files(package).joinpath("static", folder)
    return sorted(place.iterdir(), key=lambda file: file.name) if place.is_dir() else []


def static_file(packages: Iterable[str], path: str) -> tuple[str, bytes]:
    """A script, style sheet or picture of one of the packages, or the colours of all themes, with its media type."""
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
