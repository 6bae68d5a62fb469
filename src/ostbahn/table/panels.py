"""The panels of a table one by one: each is drawn only if it is not on the page already.

Most answers leave most panels as they are, and many look alike to all at a table. Such a panel is told by what is in
it, before it is drawn; by that it is known how it looked, and often still how it is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from ostbahn.table.listing import companies_shown, income_totals, plan_words
from ostbahn.table.table_view import TableView
from ostbahn.views.models import CompanyView, LogLine
from ostbahn.views.question import OfferView

PANELS: Final = (
    "head",
    "order",
    "question",
    "tools",
    "plan",
    "players",
    "companies",
    "sheet",
    "trains",
    "chart",
    "outlook",
    "log",
    "result",
)
"""The parts of a table that are sent one by one; an application may add some."""
Content = Mapping[str, object]
"""All that is in a panel: what its template knows as `view`."""
PANEL_CONTENTS: Final[Mapping[str, Callable[[TableView], Content]]] = {
    "head": lambda view: {"round": view.round, "name": view.name, "damage": view.damage, "skipped": view.skipped},
    "tools": lambda view: {
        "now": view.now,
        "hints": view.my_turn and view.hints,
        "plan": view.plan,
        "can_undo": view.can_undo,
        "proposal": view.proposal,
        "vote": view.clocks.vote if view.clocks is not None and view.now else None,
    },
    "plan": lambda view: {
        "plan": view.plan,
        "told": None if view.plan is None else plan_words(view.plan),
        "over": view.round.over,
    },
    # of the number only whether the game has begun, since it changes with every answer
    "players": lambda view: {
        "players": view.players,
        "seats": view.seats,
        "clocks": _shown_clocks(view),
        "now": view.now,
        "number": min(view.number, 1),
    },
    "order": lambda view: {"order": view.order, "players": view.players, "now": view.now},
    "companies": lambda view: _on_cards(view),
    "sheet": lambda view: {"sheet": view.sheet, "totals": income_totals(view.sheet)},
    "trains": lambda view: {
        "trains": view.trains,
        "boxes": view.round.boxes,
        "outlook": msgspec.structs.replace(view.outlook, ended=None),  # the end of the round stands elsewhere
    },
    "outlook": lambda view: {"outlook": view.outlook},
    "log": lambda view: {"log": view.log, "since": view.since},
}
"""Panels that many answers leave as they are, or that look alike for several at the table, with all that is in them."""
MOST_KEPT: Final = 256
"""Panels that are kept as they are written; those who look at the same moment come for them soon after each other."""
MOST_KNOWN: Final = 50_000
"""Panels of which it is known how they looked: those of a thousand tables, and about ten megabytes."""
MOST_LINES: Final = 4096
"""Lines of logs that are kept as they stand on pages."""
MOST_CARDS: Final = 4096
"""Cards of companies that are kept likewise."""


class RenderedPanel(NamedTuple):
    """A part of the page, and by what it is told from what it was."""

    digest: str
    html: str


class PanelContent:
    """What is in a panel, told by its bytes: two panels with the same in them look the same."""

    def __init__(self, name: str, view: Content, currency: str) -> None:
        self.name, self.view, self.currency = name, view, currency
        self.told = hashlib.blake2b(msgspec.msgpack.encode((name, view, currency)), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PanelContent) and self.told == other.told

    def __hash__(self) -> int:
        return hash(self.told)


class PanelRenderer:
    def __init__(self, env: Environment, more: Mapping[str, Callable[[TableView], Content]]) -> None:
        """more: panels of the application, with all that is in them."""
        self.env = env
        self.kept = {**PANEL_CONTENTS, **more}
        self.names = (*PANELS, *more)
        self._written = lru_cache(maxsize=MOST_KEPT)(self._drawn_anew)
        self._lines = lru_cache(maxsize=MOST_LINES)(self._line)
        self._cards = lru_cache(maxsize=MOST_CARDS)(self._card_drawn)
        self._known: dict[bytes, str] = {}
        """How panels looked, by what is in them: their digests."""

    def all(self, view: TableView, values: Mapping[str, Any]) -> dict[str, RenderedPanel]:
        """Every panel, for a page that shows none; `values` are what those want that are not kept."""
        return {
            name: self._written(self._shown(name, view)) if name in self.kept else self._drawn(name, values)
            for name in self.names
        }

    def changed(self, view: TableView, values: Mapping[str, Any], page: Mapping[str, str]) -> dict[str, str]:
        """Those that look different from what a page shows, which it has told by their digests."""
        changed = {}
        for name in self.names:
            there = page.get(name)
            if name in self.kept:
                shown = self._shown(name, view)
                if there is not None and self._known.get(shown.told) == there:
                    continue
                panel = self._written(shown)
            else:
                panel = self._drawn(name, values)
            if panel.digest != there:
                changed[name] = panel.html
        return changed

    def _shown(self, name: str, view: TableView) -> PanelContent:
        return PanelContent(name, self.kept[name](view), view.round.currency)

    def _drawn_anew(self, shown: PanelContent) -> RenderedPanel:
        """It is given only what is in it, so that nothing else can make it look different."""
        values = {"view": shown.view, "money": money_in(shown.currency), "told": self.told, "card": self._card}
        panel = self._drawn(shown.name, values)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[shown.told] = panel.digest
        return panel

    def told(self, line: LogLine, since: int) -> Markup:
        """A line of the log: most of them are on the page already, and look the same to all but for what is new."""
        new, beside = bool(since) and line.number >= since, bool(since) and line.number >= since - 1
        return self._lines(msgspec.msgpack.encode(line), new, beside)

    def _line(self, told: bytes, new: bool, beside: bool) -> Markup:
        line = msgspec.msgpack.decode(told, type=LogLine)
        return Markup(self.env.get_template("log_line.html").render(line=line, is_new=new, new_beside=beside))

    def _card(self, company: CompanyView, offers: tuple[OfferView, ...], now: bool) -> Markup:
        """Of a company: most answers change that of one or two."""
        return self._cards(msgspec.msgpack.encode((company, offers)), now)

    def _card_drawn(self, told: bytes, now: bool) -> Markup:
        company, offers = msgspec.msgpack.decode(told, type=tuple[CompanyView, tuple[OfferView, ...]])
        return Markup(self.env.get_template("company_card.html").render(company=company, offers=offers, now=now))

    def _drawn(self, name: str, values: Mapping[str, Any]) -> RenderedPanel:
        """Its element carries its digest, so that the page can say what it shows."""
        html = self.env.get_template(f"panels/{name}.html").render(values)
        digest = hashlib.blake2s(html.encode(), digest_size=6).hexdigest()
        return RenderedPanel(digest, html.replace("<section ", f'<section data-hash="{digest}" ', 1))


def money_in(currency: str) -> Callable[[int], str]:
    return lambda amount: f"{amount} {currency}"


# What is in them


def _on_cards(view: TableView) -> dict[str, object]:
    """What stands on cards: for whoever is to answer buttons, for all what can be had beside shares."""
    offers = view.question.offers if view.question is not None and view.my_turn else {}
    return {**companies_shown(view.companies, view.items, offers), "offers": offers, "now": view.now}


def _shown_clocks(view: TableView) -> dict[str, object]:
    """By seat; those of now, since a clock is not looked back at."""
    clocks = view.clocks
    if clocks is None or not view.now:
        return {}
    return {each.seat: each for each in clocks.seats} | {"paused": clocks.paused}
