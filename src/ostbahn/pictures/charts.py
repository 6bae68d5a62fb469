"""Share charts with their markers: prices in a row, or in a zigzag of two."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.kernel.title import Title
from ostbahn.pictures.board_style import board_style_of, full_name, marks_of, money
from ostbahn.pictures.svg import box, future_pill, group, heading, label_strip, line, muted, page, pill, title_tag
from ostbahn.pictures.themes import LIGHT, Theme

LETTER_WIDTH: Final = 16.0
BETWEEN: Final = 14.0
NONE: Final[Mapping[str, int]] = {}


class ChartFormat(NamedTuple):
    """Dimensions of a share chart."""

    width: float
    least: int
    """Minimum number of markers that fit on a space."""
    margin: float
    top: float
    head: float
    marker: float
    foot: float
    heading: bool = True

    @property
    def step(self) -> float:
        return self.marker + 2

    def height(self, markers: int) -> float:
        return self.head + self.foot + self.step * max(self.least, markers)


SHEET: Final = ChartFormat(width=64, least=3, margin=20, top=48, head=26, marker=19, foot=20)
PANEL: Final = ChartFormat(width=46, least=2, margin=4, top=4, head=22, marker=16, foot=17, heading=False)


def chart_picture(
    game: Game, theme: Theme = LIGHT, size: ChartFormat = SHEET, previews: Mapping[str, int] = NONE
) -> str:
    """The chart as it lies; previews: markers about to move, with their next prices."""
    table = game.table
    return _picture(table.title, table.state.chart, tuple(previews.items()), theme, size)


@lru_cache(maxsize=256)
def _picture(
    title: Title,
    stacks: tuple[tuple[str, ...], ...],
    moving: tuple[tuple[str, int], ...],
    theme: Theme,
    size: ChartFormat,
) -> str:
    """Cached, since most answers move no marker."""
    rows = board_style_of(title).chart_rows
    columns = -(-len(title.prices) // rows)
    coming = [tuple(company for company, price in moving if price == target) for target in title.prices]
    lying = [len(stack) + len(more) for stack, more in zip(stacks, coming, strict=True)]
    heights = [size.height(max(lying[row::rows])) for row in range(rows)]
    across, margin, top = size.width, size.margin, size.top
    parts = _heading(title, columns * across, theme) if size.heading else []
    for space in range(len(title.prices)):
        column, row = divmod(space, rows)
        x = margin + (column + row / 2) * across
        y = top + sum(height + BETWEEN / 2 for height in heights[row + 1 :])
        parts.append(_draw_space(title, space, stacks[space], coming[space], (x, y, heights[row]), size, theme))
    width = 2 * margin + (columns + (rows - 1) / 2) * across
    total = top + sum(heights) + (rows - 1) * BETWEEN / 2 + margin
    return page(width, total, parts, theme, f"Share chart of {full_name(title)}", describe(title, stacks, dict(moving)))


def describe(title: Title, stacks: tuple[tuple[str, ...], ...], previews: Mapping[str, int] = NONE) -> str:
    """The chart in words, highest price first, for screen readers."""
    lines = [f"{money(title, title.prices[space])}: {', '.join(stack)}" for space, stack in enumerate(stacks) if stack]
    lines = [*(f"{company} will go to {money(title, price)}" for company, price in previews.items()), *lines]
    return "; ".join(reversed(lines)) or "no company has a price yet"


def _heading(title: Title, wide: float, theme: Theme) -> list[str]:
    words = board_style_of(title).start_legend(title)
    return [
        heading(f"{full_name(title)} share prices", SHEET.margin, 30, theme, width=wide * 0.56),
        line(words, SHEET.margin + wide, 30, 11, muted(theme), anchor="end", width=wide * 0.4),
    ]


@lru_cache(maxsize=4096)
def _draw_space(
    title: Title,
    space: int,
    stack: tuple[str, ...],
    previews: tuple[str, ...],
    place: tuple[float, float, float],
    size: ChartFormat,
    theme: Theme,
) -> str:
    """A space at `place` (left, top, height), cached per content."""
    (x, y, height), width = place, size.width
    price, marks = title.prices[space], marks_of(title)
    parts = [
        title_tag(f"{money(title, price)}{': ' + ', '.join(stack) if stack else ''}"),
        box(x + 1, y, width - 2, height, theme.card, theme.border, round=4),
        line(str(price), x + width / 2, y + 18, 15, theme.ink, anchor="middle", bold=True),
    ]
    for depth, company in enumerate((*stack, *previews)):
        name = company if width >= SHEET.width else marks[company].letters
        spot_ = (x + 4, y + size.head + depth * size.step, width - 8, size.marker)
        if depth < len(stack):
            marker = pill(marks[company], name, *spot_, theme)
            parts.append(group([title_tag(company), marker], id=f"marker-{company}"))
        else:
            ghost, words = future_pill(marks[company], name, *spot_, theme), f"{company} will be here"
            parts.append(group([title_tag(words), ghost], id=f"ghost-{company}", class_="ghost-marker"))
    starts = board_style_of(title).start_marks(title, price)
    short = all(len(letters) <= 2 for letters, _ in starts)
    wide = (
        LETTER_WIDTH * max((len(letters) for letters, _ in starts), default=1) if short else (width - 10) / len(starts)
    )
    for at, (letters, colour) in enumerate(starts):
        left = x + width / 2 + (at - len(starts) / 2) * (wide + 2) + 1
        parts.append(label_strip(letters, left, y + height - 18, colour, wide, 9.5))
    return group(parts, id=f"price-{price}", class_="price")
