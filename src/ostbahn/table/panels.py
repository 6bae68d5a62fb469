"""The panels of a table, rendered and sent only if they differ from what the page shows.

Most answers change few panels, and many panels look the same to all viewers. So a panel is identified by a digest of
its content before it is rendered, and its HTML is cached under that digest.
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
"""The parts of a table that are sent separately; an application may add more."""
Content = Mapping[str, object]
"""All data of a panel; its template sees it as `view`."""
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
        "words": None if view.plan is None else plan_words(view.plan),
        "over": view.round.over,
    },
    # the number changes with every answer, so the content only says whether the game has begun
    "players": lambda view: {
        "players": view.players,
        "seats": view.seats,
        "clocks": _clocks_by_seat(view),
        "now": view.now,
        "number": min(view.number, 1),
    },
    "order": lambda view: {"order": view.order, "players": view.players, "now": view.now},
    "companies": lambda view: _company_cards(view),
    "sheet": lambda view: {"sheet": view.sheet, "totals": income_totals(view.sheet)},
    "trains": lambda view: {
        "trains": view.trains,
        "boxes": view.round.boxes,
        "outlook": msgspec.structs.replace(view.outlook, ended=None),  # the end of the round stands elsewhere
    },
    "outlook": lambda view: {"outlook": view.outlook},
    "log": lambda view: {"log": view.log, "since": view.since},
}
"""Panels worth caching, since they change rarely or look the same to several viewers, with all their data."""
MOST_PANELS: Final = 256
"""Cached panels; viewers of the same moment ask for them shortly after each other."""
MOST_DIGESTS: Final = 50_000
"""Cached digests of panels: those of a thousand tables, about ten megabytes."""
MOST_LINES: Final = 4096
"""Cached lines of logs."""
MOST_CARDS: Final = 4096
"""Cached cards of companies."""


class RenderedPanel(NamedTuple):
    """The HTML of a panel, and the digest of that HTML."""

    digest: str
    html: str


class PanelContent:
    """The data of a panel, compared by digest: equal content gives equal HTML."""

    def __init__(self, name: str, view: Content, currency: str) -> None:
        self.name, self.view, self.currency = name, view, currency
        self.digest = hashlib.blake2b(msgspec.msgpack.encode((name, view, currency)), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PanelContent) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


class PanelRenderer:
    def __init__(self, env: Environment, more: Mapping[str, Callable[[TableView], Content]]) -> None:
        """more: contents of the application's own panels."""
        self.env = env
        self.contents = {**PANEL_CONTENTS, **more}
        self.names = (*PANELS, *more)
        self._cached_panel = lru_cache(maxsize=MOST_PANELS)(self._render_content)
        self._cached_line = lru_cache(maxsize=MOST_LINES)(self._render_encoded_line)
        self._cached_card = lru_cache(maxsize=MOST_CARDS)(self._render_encoded_card)
        self._html_digests: dict[bytes, str] = {}
        """Digests of HTML, by digest of content."""

    def all(self, view: TableView, values: Mapping[str, Any]) -> dict[str, RenderedPanel]:
        """Render every panel. values: data for panels that are not cached."""
        return {
            name: self._cached_panel(self._content(name, view)) if name in self.contents else self._render(name, values)
            for name in self.names
        }

    def changed(self, view: TableView, values: Mapping[str, Any], page: Mapping[str, str]) -> dict[str, str]:
        """Render the panels that differ from those on a page. page: digests of the panels it shows."""
        changed = {}
        for name in self.names:
            shown_digest = page.get(name)
            if name in self.contents:
                content = self._content(name, view)
                if shown_digest is not None and self._html_digests.get(content.digest) == shown_digest:
                    continue
                panel = self._cached_panel(content)
            else:
                panel = self._render(name, values)
            if panel.digest != shown_digest:
                changed[name] = panel.html
        return changed

    def _content(self, name: str, view: TableView) -> PanelContent:
        return PanelContent(name, self.contents[name](view), view.round.currency)

    def _render_content(self, content: PanelContent) -> RenderedPanel:
        """Render a panel from its content alone, so that equal content gives equal HTML."""
        values = {"view": content.view, "money": money_in(content.currency)}
        panel = self._render(content.name, values | {"log_line": self.log_line, "card": self._card})
        if len(self._html_digests) >= MOST_DIGESTS:
            self._html_digests.clear()
        self._html_digests[content.digest] = panel.digest
        return panel

    def log_line(self, line: LogLine, since: int) -> Markup:
        """Render a line of the log. since: the first answer that is new to the viewer; 0 if none is."""
        is_new, new_beside = bool(since) and line.number >= since, bool(since) and line.number >= since - 1
        return self._cached_line(msgspec.msgpack.encode(line), is_new, new_beside)

    def _render_encoded_line(self, line_data: bytes, is_new: bool, new_beside: bool) -> Markup:
        line = msgspec.msgpack.decode(line_data, type=LogLine)
        return Markup(self.env.get_template("log_line.html").render(line=line, is_new=is_new, new_beside=new_beside))

    def _card(self, company: CompanyView, offers: tuple[OfferView, ...], now: bool) -> Markup:
        """Render a company's card; cached, since most answers change only one or two."""
        return self._cached_card(msgspec.msgpack.encode((company, offers)), now)

    def _render_encoded_card(self, card_data: bytes, now: bool) -> Markup:
        company, offers = msgspec.msgpack.decode(card_data, type=tuple[CompanyView, tuple[OfferView, ...]])
        return Markup(self.env.get_template("company_card.html").render(company=company, offers=offers, now=now))

    def _render(self, name: str, values: Mapping[str, Any]) -> RenderedPanel:
        """Render a panel; its element carries the digest, which the page sends back."""
        html = self.env.get_template(f"panels/{name}.html").render(values)
        digest = hashlib.blake2s(html.encode(), digest_size=6).hexdigest()
        return RenderedPanel(digest, html.replace("<section ", f'<section data-hash="{digest}" ', 1))


def money_in(currency: str) -> Callable[[int], str]:
    return lambda amount: f"{amount} {currency}"


# Contents


def _company_cards(view: TableView) -> dict[str, object]:
    """Companies and items, with offers if the viewer is to move."""
    offers = view.question.offers if view.question is not None and view.my_turn else {}
    return {**companies_shown(view.companies, view.items, offers), "offers": offers, "now": view.now}


def _clocks_by_seat(view: TableView) -> dict[str, object]:
    """Clocks by seat, and whether they are paused; empty for an earlier moment."""
    clocks = view.clocks
    if clocks is None or not view.now:
        return {}
    return {clock.seat: clock for clock in clocks.seats} | {"paused": clocks.paused}
