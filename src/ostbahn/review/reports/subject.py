"""The parts of a report (sections with drawings and tables), and the game with its accounts that it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from ostbahn.kernel.game import Game
from ostbahn.pictures.board import DrawnRoute, draw_route_excerpt
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.export import picture_title
from ostbahn.pictures.line_charts import Band, RoundEvent, timeline
from ostbahn.pictures.themes import DARK, LIGHT
from ostbahn.review.accounts import Accounts, CompanyAccount, PlayerAccount, accounts_of
from ostbahn.text.speech import text_renderer_of
from ostbahn.text.words import Words

ReportProgress = Callable[[str, int, int], None]
"""Receives the present step, how much of it is done, and its total."""


class DataTable(Struct, frozen=True, kw_only=True):
    """A table with formatted cells."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    """How many columns, from the left, hold words; the others hold figures."""
    total: bool = False
    """Whether the last row is the total."""


class ReportDrawing(Struct, frozen=True, kw_only=True):
    """An SVG with colours as `var(--…)`, for light, dark and print."""

    name: str
    """Its accessible name."""
    svg: str
    heading: str = ""
    """The heading above it, if several are side by side."""


class Exhibit(Struct, frozen=True, kw_only=True):
    """Drawings with a table of the same figures."""

    heading: str
    words: str = ""
    drawings: tuple[ReportDrawing, ...] = ()
    """Placed side by side as space permits."""
    panels: bool = False
    """Whether its drawings are small multiples."""
    table: DataTable | None = None


class ReportSection(Struct, frozen=True, kw_only=True):
    id: str
    heading: str
    words: tuple[str, ...] = ()
    """Paragraphs."""
    exhibits: tuple[Exhibit, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    heading: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    """Basic facts: name and value."""
    sections: tuple[ReportSection, ...]
    inks: dict[str, tuple[str, str]]
    """Light and dark colours of the drawings by variable name."""
    foot: str = ""


COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b")


class MapDrawer:
    """Draws maps, and collects the colours of all of them."""

    def __init__(self) -> None:
        self.inks: dict[str, tuple[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def routes(
        self, game: Game, routes: Sequence[DrawnRoute], name: str, heading: str = "", around: Iterable[str] = ()
    ) -> ReportDrawing:
        """Draw routes on a part of the present board that also shows the hexes `around`."""
        scene, around = scene_of(game), tuple(around)
        light, dark = (draw_route_excerpt(scene, routes, around, theme, name) for theme in (LIGHT, DARK))
        return ReportDrawing(name=name, svg=self._both(light, dark), heading=heading)

    def _both(self, light: str, dark: str) -> str:
        others = iter(COLOUR.findall(dark))
        return COLOUR.sub(lambda match: self._ink(match[0], next(others)), light)

    def _ink(self, light: str, dark: str) -> str:
        if light == dark:
            return light
        name = self._names.setdefault((light, dark), f"map-{len(self._names)}")
        self.inks[name] = (light, dark)
        return f"var(--{name})"


NOTHING = "–"
"""A table cell without a value."""


def drawings(*charts: str) -> tuple[ReportDrawing, ...]:
    """Charts as drawings named by their picture titles."""
    return tuple(ReportDrawing(name=picture_title(svg), svg=svg) for svg in charts)


class ReportContext:
    def __init__(self, game: Game, told: ReportProgress = lambda *_: None) -> None:
        self.game = game
        self.told = told
        self.maps = MapDrawer()

    @cached_property
    def accounts(self) -> Accounts:
        return accounts_of(self.game)

    @cached_property
    def words(self) -> Words:
        return text_renderer_of(self.game).words

    def money(self, amount: float | None) -> str:
        return NOTHING if amount is None else self.words.money(round(amount))

    @property
    def unit(self) -> str:
        return self.accounts.currency

    # Who and when

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.accounts.names)

    def hue(self, seat: str) -> int:
        """The index of a seat's colour, dash and marker in all charts."""
        return self.seats.index(seat)

    @property
    def labels(self) -> list[str]:
        return [each.name for each in self.accounts.rounds]

    def of_player(self, seat: str) -> list[PlayerAccount]:
        """The accounts of a player at the end of each round."""
        return [next(each for each in round_.players if each.seat == seat) for round_ in self.accounts.rounds]

    def of_company(self, company: str) -> list[CompanyAccount]:
        return [next(each for each in round_.companies if each.company == company) for round_ in self.accounts.rounds]

    @cached_property
    def companies(self) -> list[str]:
        """Companies that were ever active, in the order of the charters."""

        def is_active(account: CompanyAccount) -> bool:
            return account.price is not None or account.treasury is not None or bool(account.revenue)

        return [company for company in self.accounts.companies if any(map(is_active, self.of_company(company)))]

    @property
    def phases(self) -> list[RoundEvent]:
        """The starts of phases, by round."""
        events: list[RoundEvent] = []
        for at, label in enumerate(self.labels):
            if begun := [each.phase for each in self.accounts.phases if each.round == label]:
                events.append(RoundEvent(at, f"{'' if events else 'phase '}{', '.join(begun)}"))
        return events

    def by_round(self, caption: str, columns: dict[str, list[str]]) -> DataTable:
        """A table with a row for each round."""
        names = [self.words.round_name(label) for label in self.labels]
        rows = zip(names, *columns.values(), strict=True)
        return DataTable(caption=caption, columns=("Round", *columns), rows=tuple(tuple(row) for row in rows))

    def company_timeline(
        self,
        heading: str,
        had: Callable[[CompanyAccount], bool],
        bands: Callable[[int, Sequence[CompanyAccount]], Iterator[Band]],
        cell: Callable[[CompanyAccount], str],
    ) -> Iterator[Exhibit]:
        """A timeline and table of what companies had in each round, for those that ever had something."""
        by_company = {self.accounts.companies[company].name: self.of_company(company) for company in self.companies}
        by_company = {name: rounds for name, rounds in by_company.items() if any(map(had, rounds))}
        if by_company:
            drawn = [band for row, rounds in enumerate(by_company.values()) for band in bands(row, rounds)]
            chart = timeline(f"{heading} of the companies", self.labels, list(by_company), drawn)
            columns = {name: [cell(each) for each in rounds] for name, rounds in by_company.items()}
            table = self.by_round(f"{heading} at the end of each round", columns)
            yield Exhibit(heading=heading, drawings=drawings(chart), table=table)
