"""Pages from templates: whole ones, and the panels of a table one by one, so that only what changed is sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from msgspec import Struct

from ostbahn.bots.registry import in_words
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kits
from ostbahn.pictures.charts import PANEL, chart_picture
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.pictures.wealth import Moment, wealth_picture
from ostbahn.server.play.room import Room
from ostbahn.server.store.people import Visitor
from ostbahn.server.views.table import TableView
from ostbahn.server.web.drawing import board_svg, changed_hexes, cities_of, routes_svg
from ostbahn.views.common import listed
from ostbahn.views.dividends import notable
from ostbahn.views.mentions import Mentions
from ostbahn.views.models import WealthView
from ostbahn.views.moves import MoveView
from ostbahn.views.outlook_models import OutlookView
from ostbahn.views.question import answers_data, place_names
from ostbahn.views.question_models import RoutesView
from ostbahn.views.title_views import views_of

PANELS: Final = (
    "head",
    "people",
    "order",
    "question",
    "prepared",
    "tools",
    "plan",
    "players",
    "companies",
    "sheet",
    "trains",
    "chart",
    "outlook",
    "log",
    "chat",
    "result",
)
"""The parts of a table that are sent one by one."""
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
KEPT: Final[Mapping[str, Callable[[TableView], Mapping[str, object]]]] = {
    # of the number only whether the game has begun, since it changes with every answer
    "players": lambda view: {
        "players": view.players,
        "seats": view.seats,
        "now": view.now,
        "number": min(view.number, 1),
    },
    "people": lambda view: {"seats": view.seats},
    "order": lambda view: {"order": view.order, "players": view.players, "now": view.now},
    "companies": lambda view: {"companies": view.companies, "now": view.now, **_on_cards(view)},
    "sheet": lambda view: {"sheet": view.sheet},
    "trains": lambda view: {"trains": view.trains, "boxes": view.round.boxes, "outlook": _of_trains(view)},
    "outlook": lambda view: {"outlook": view.outlook},
    "log": lambda view: {"log": view.log, "since": view.since},
    "chat": lambda view: {"messages": view.messages},
}
"""Panels that many answers leave as they are, or that look alike for several at the table, with all that is in them."""
MOST_KEPT: Final = 256
DEFAULT_THEME: Final = "light"
ELSEWHERE: Final = frozenset({"new.js", "home.js"})
"""Modules that the table has no use for."""


class Page(Struct, frozen=True):
    """What a page shows already."""

    panels: Mapping[str, str] = {}
    """Each panel with the hash of its content."""
    stamp: int = -1
    """Which board it shows; negative if none."""
    at: int | None = None
    """After how many answers it looks at the game; None is now."""
    after: int | None = None
    """Given, it goes through what was missed, and has shown the moment after so many answers."""


class Update(Struct, frozen=True, kw_only=True):
    """What a page has to change."""

    version: int
    number: int
    at: int
    now: bool
    my_turn: bool
    asks_me: bool
    over: bool
    stamp: int
    panels: Mapping[str, str]
    board: str | None = None
    """The whole board, where a page shows one that cannot be told from it."""
    hexes: Mapping[str, str]
    routes: str
    """The routes that lie over the board, to be run or just run; empty for none."""
    scene: str
    """How the page is arranged."""
    move: MoveView | None
    """The answer that led to the moment shown."""
    last: MoveView | None
    """That one, or one before it after which something looked different."""
    stop: bool
    left: int


class Panel(NamedTuple):
    """A part of the page, and by what it is told from what it was."""

    digest: str
    html: str


class Shown:
    """What is in a panel, told by its bytes: two panels with the same in them look the same."""

    def __init__(self, name: str, view: Mapping[str, object], currency: str) -> None:
        self.name, self.view, self.currency = name, view, currency
        self._told = msgspec.msgpack.encode((name, view, currency))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)


@cache
def _templates() -> Environment:
    """All templates, compiled before anybody waits for a page; they never change, so once is enough."""
    env = Environment(
        loader=PackageLoader("ostbahn.server"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["json"] = embedded
    env.filters["bot"] = in_words
    env.globals["release"] = release()
    env.globals["titles"] = list(kits())
    env.globals["all_titles"] = listed(kits())
    env.globals["views"] = VIEWS
    env.globals["modules"] = [file.name for file in _static("js") if file.name not in ELSEWHERE]
    for name in env.list_templates():
        env.get_template(name)
    return env


class Renderer:
    def __init__(self) -> None:
        self.env = _templates()
        self._kept = lru_cache(maxsize=MOST_KEPT)(self._rendered)

    def page(self, template: str, theme: str, visitor: Visitor | None, **values: Any) -> str:
        """A page in somebody's colours; at its top it says who they are."""
        return self.env.get_template(template).render(theme=theme, visitor=visitor, **values)

    def part(self, template: str, **values: Any) -> str:
        """A part of a page, which that fetches when it is wanted."""
        return self.env.get_template(template).render(values)

    # The table

    def table(self, view: TableView, game: Game, theme: str, visitor: Visitor | None, **values: Any) -> str:
        """The whole page of a table."""
        panels = {name: Markup(panel.html) for name, panel in self.panels(view, game, theme).items()}
        drawn = theme_of(theme)
        return self.page(
            "table.html",
            theme,
            visitor,
            view=view,
            panels=panels,
            board=Markup(board_svg(game, drawn)),
            routes=shown_routes(view, game, drawn),
            chips=views_of(game).chips,
            whoami=_whoami(view),
            **values,
        )

    def panels(self, view: TableView, game: Game, theme: str) -> dict[str, Panel]:
        values = self._values(view, game, theme)
        currency = view.round.currency
        return {
            name: self._kept(Shown(name, KEPT[name](view), currency)) if name in KEPT else self._panel(name, values)
            for name in PANELS
        }

    def _rendered(self, shown: Shown) -> Panel:
        """It is given only what is in it, so that nothing else can make it look different."""
        return self._panel(shown.name, {"view": shown.view, "money": _money(shown.currency)})

    def _panel(self, name: str, values: Mapping[str, Any]) -> Panel:
        return _panel(self.env.get_template(f"panels/{name}.html").render(values))

    def _values(self, view: TableView, game: Game, theme: str) -> dict[str, Any]:
        """What the panels want beside the view: pictures, and data for the page's own code."""
        drawn = theme_of(theme)
        return {
            "view": view,
            "theme": theme,
            "money": _money(view.round.currency),
            "chart": Markup(chart_picture(game, drawn, format_=PANEL, ghosts=_ghosts(view))),
            "wealth": Markup(_wealth(view.wealth, drawn)),
            "cities": cities_of(game) if view.my_turn else {},
            "places": place_names(game),
            "mentioned": Mentions(game).parts,
            "answers_data": answers_data(game, view.question) if view.question is not None and view.my_turn else None,
            "dividends": {dividend.index: dividend for dividend in view.dividends},
            "notable": {dividend.index for dividend in notable(view.dividends)},
            "offered": _offered(view),
        }

    def update(self, view: TableView, game: Game, room: Room, page: Page, theme: str) -> Update:
        """What a page that shows something else has to change."""
        drawn = theme_of(theme)
        panels = self.panels(view, game, theme)
        shown = room.stamped(page.stamp)
        return Update(
            version=view.version,
            number=view.number,
            at=view.at,
            now=view.now,
            my_turn=view.my_turn,
            asks_me=view.asks_me,
            over=view.round.over,
            stamp=view.stamp,
            panels={name: panel.html for name, panel in panels.items() if page.panels.get(name) != panel.digest},
            board=board_svg(game, drawn) if shown is None else None,
            hexes={} if shown is None else changed_hexes(shown, game, drawn),
            scene=view.round.scene,
            routes=shown_routes(view, game, drawn),
            move=view.move,
            last=view.last,
            stop=view.stop,
            left=view.left,
        )


def shown_routes(view: TableView, game: Game, theme: Theme) -> str:
    """The routes that are asked for, and otherwise those that have just been run."""
    if view.routes is not None or not view.ran:
        return drawn_routes(view.routes, game, theme)
    return routes_svg(game, [path for ran in view.ran for path in ran.paths], theme)


def drawn_routes(view: RoutesView | None, game: Game, theme: Theme) -> str:
    """Routes as they lie over the board; nothing where no trains are run."""
    return "" if view is None else routes_svg(game, [route.path for route in view.routes], theme)


def _on_cards(view: TableView) -> dict[str, object]:
    """What stands on cards: for whoever is to answer buttons, for all what can be had beside shares."""
    asked = view.question if view.my_turn else None
    return {"offers": asked.offers if asked else {}, "things": view.items}


def _of_trains(view: TableView) -> OutlookView:
    """What comes next without the end of the round, which stands elsewhere."""
    return msgspec.structs.replace(view.outlook, ended=None)


def _ghosts(view: TableView) -> dict[str, int]:
    """Markers that would move if the round ended now, with their new prices."""
    ended = view.outlook.ended
    return {marker.company: marker.after for marker in ended.markers} if ended is not None else {}


def _offered(view: TableView) -> frozenset[int]:
    """Answers that stand on a card, so that the question need not list them too."""
    if view.question is None or not view.my_turn:
        return frozenset()
    offers = (offer for offers in view.question.offers.values() for offer in offers)
    return frozenset(offer.index for offer in offers if offer.index is not None)


def _whoami(view: TableView) -> str:
    mine = [seat.name for seat in view.seats if seat.mine]
    return f"You play {listed(mine)}." if mine else "You look on."


def _money(currency: str) -> Callable[[int], str]:
    return lambda amount: f"{amount} {currency}"


def _wealth(view: WealthView | None, theme: Theme) -> str:
    if view is None:
        return ""
    return wealth_picture(view.names, [Moment(point.round, point.worth) for point in view.points], view.currency, theme)


def embedded(value: Any) -> Markup:
    """Data inside a page; no text in it can end the element it stands in."""
    text = msgspec.json.encode(value).decode()
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def theme_of(name: str) -> Theme:
    return THEMES.get(name, THEMES[DEFAULT_THEME])


def _panel(html: str) -> Panel:
    """A panel whose element carries its digest, so that the page can say what it shows."""
    digest = _digest(html)
    return Panel(digest, html.replace("<section ", f'<section data-hash="{digest}" ', 1))


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=6).hexdigest()


def release() -> str:
    """What to add to the address of static files, so that browsers fetch them anew when they change."""
    found = hashlib.blake2s(digest_size=6)
    for folder in ("css", "js"):
        for file in _static(folder):
            found.update(file.read_bytes())
    return found.hexdigest()


def _static(folder: str) -> list[Traversable]:
    files = resources.files("ostbahn.server").joinpath("static", folder).iterdir()
    return sorted(files, key=lambda file: file.name)
