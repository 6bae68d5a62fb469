"""What a report is about and made of: a game with its accounts, sections with drawings and tables, small maps."""

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
"""Hears what is being done, how much of it is done, and how much there is of it."""


class DataTable(Struct, frozen=True, kw_only=True):
    """Figures in rows, ready to be read."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    """How many columns, from the left, hold words; the others hold figures."""
    total: bool = False
    """Whether the last row is what the others come to."""


class ReportDrawing(Struct, frozen=True, kw_only=True):
    """An SVG whose colours are `var(--…)`, so that one serves for light, dark and print."""

    name: str
    """What it shows, for those who do not see it."""
    svg: str
    heading: str = ""
    """What stands above it where several lie beside each other."""


class Exhibit(Struct, frozen=True, kw_only=True):
    """Something to look at, and the same in figures."""

    heading: str
    words: str = ""
    drawings: tuple[ReportDrawing, ...] = ()
    """Several lie side by side, as many as there is room for."""
    panels: bool = False
    """Whether its drawings are small multiples."""
    table: DataTable | None = None


class ReportSection(Struct, frozen=True, kw_only=True):
    id: str
    heading: str
    words: tuple[str, ...] = ()
    """A paragraph each."""
    exhibits: tuple[Exhibit, ...] = ()


class Report(Struct, frozen=True, kw_only=True):
    heading: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    """What there is to know before one begins to read: name and value."""
    sections: tuple[ReportSection, ...]
    inks: dict[str, tuple[str, str]]
    """The colours of its drawings by the name of their variable: in light and in dark."""
    foot: str = ""


COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b")


class MapDrawer:
    """Draws maps, and knows the colours of all of them."""

    def __init__(self) -> None:
        self.inks: dict[str, tuple[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}

    def routes(
        self, game: Game, routes: Sequence[DrawnRoute], name: str, heading: str = "", around: Iterable[str] = ()
    ) -> ReportDrawing:
        """Where trains went, on the board of a moment; around: what is to be seen too."""
        scene, around = scene_of(game), tuple(around)
        light, dark = (draw_route_excerpt(scene, routes, around, theme, name) for theme in (LIGHT, DARK))
        return ReportDrawing(name=name, svg=self._both(light, dark), heading=heading)

    def _both(self, light: str, dark: str) -> str:
        others = iter(COLOUR.findall(dark))
        return COLOUR.sub(lambda each: self._ink(each[0], next(others)), light)

    def _ink(self, light: str, dark: str) -> str:
        if light == dark:
            return light
        name = self._names.setdefault((light, dark), f"map-{len(self._names)}")
        self.inks[name] = (light, dark)
        return f"var(--{name})"


NOTHING = "–"
"""In a table, where there is no figure."""


def drawings(*charts: str) -> tuple[ReportDrawing, ...]:
    """Charts under the names that they have as pictures."""
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
        """By which colour, dash and marker somebody is known all through the report."""
        return self.seats.index(seat)

    @property
    def labels(self) -> list[str]:
        return [each.name for each in self.accounts.rounds]

    def of_player(self, seat: str) -> list[PlayerAccount]:
        """How somebody stood at the end of each round."""
        return [next(each for each in round_.players if each.seat == seat) for round_ in self.accounts.rounds]

    def of_company(self, company: str) -> list[CompanyAccount]:
        return [next(each for each in round_.companies if each.company == company) for round_ in self.accounts.rounds]

    @cached_property
    def companies(self) -> list[str]:
        """Those that ever did something, in the order of the box."""

        def lived(each: CompanyAccount) -> bool:
            return each.price is not None or each.treasury is not None or bool(each.revenue)

        return [company for company in self.accounts.companies if any(map(lived, self.of_company(company)))]

    @property
    def phases(self) -> list[RoundEvent]:
        """When phases began, along the rounds."""
        events: list[RoundEvent] = []
        for at, label in enumerate(self.labels):
            if begun := [each.phase for each in self.accounts.phases if each.round == label]:
                events.append(RoundEvent(at, f"{'' if events else 'phase '}{', '.join(begun)}"))
        return events

    def by_round(self, caption: str, columns: dict[str, list[str]]) -> DataTable:
        """A row for each round, a column for each name."""
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
        """What each company had from round to round; of those that ever had something."""
        by_company = {self.accounts.companies[company].name: self.of_company(company) for company in self.companies}
        by_company = {name: rounds for name, rounds in by_company.items() if any(map(had, rounds))}
        if by_company:
            drawn = [band for row, rounds in enumerate(by_company.values()) for band in bands(row, rounds)]
            chart = timeline(f"{heading} of the companies", self.labels, list(by_company), drawn)
            columns = {name: [cell(each) for each in rounds] for name, rounds in by_company.items()}
            table = self.by_round(f"{heading} at the end of each round", columns)
            yield Exhibit(heading=heading, drawings=drawings(chart), table=table)
