"""The process track: every box from the opening to the end, and where the turn marker is."""

from __future__ import annotations

from typing import Final

from ostbahn.pictures.look import full_name
from ostbahn.pictures.panels import box, heading, line, page, soft, strip
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import Theme
from ostbahn.titles.cz.rounds import present_box, sets_of
from ostbahn.titles.cz.state import CzTable

MARGIN: Final = 20.0
BOX: Final = 76.0
HEIGHT: Final = 64.0
GAP: Final = 6.0
WIDEST: Final = 1000.0


def process(table: CzTable, theme: Theme) -> str:
    """Sets stay together; as many beside each other as there is room for."""
    title, present = table.title, present_box(table)
    x, y, right = MARGIN, 96.0, 0.0
    parts = [heading(f"{full_name(title)} game process", MARGIN, 34, theme), _opening(table, present, theme)]
    for number, numbers in enumerate(sets_of(title.boxes), 1):
        width = len(numbers) * BOX + 2 * GAP
        if x + width > WIDEST:
            x, y = MARGIN, y + HEIGHT + 4 * GAP
        ground = box(x, y, width, HEIGHT + 2 * GAP, theme.land, theme.border, round=8)
        boxes = [
            _box(table, at, number, x + GAP + place * BOX, y + GAP, present, theme) for place, at in enumerate(numbers)
        ]
        parts.append(group([ground, *boxes], id=f"set-{number}"))
        x += width + 2 * GAP
        right = max(right, x)
    now = f"now {table.state.round}" if present < len(title.boxes) else "the game is over"
    return page(
        max(right - 2 * GAP + MARGIN, 400),
        y + HEIGHT + 2 * GAP + MARGIN,
        parts,
        theme,
        f"Game process of {full_name(title)}",
        f"{now}; Local Railways at {table.state.local_price} K",
    )


def _opening(table: CzTable, present: int, theme: Theme) -> str:
    words = table.title.opening
    fill = theme.highlight if present < 0 else soft(theme)
    told = words if present < 0 else f"{words} (done)"
    phase = f"Phase {table.state.phase}, {table.title.phases[table.state.phase].colour} tiles"
    return strip(told, MARGIN, 52, fill, size=13) + line(phase, MARGIN + 200, 67, 14, theme.ink, width=180)


def _box(table: CzTable, at: int, number: int, x: float, y: float, present: int, theme: Theme) -> str:
    kind = table.title.boxes[at]
    if kind == "SR":
        upper, lower, name = "SR", str(number), f"SR {number}"
    elif kind == "export":
        upper, lower = table.title.between_sets
        name = f"{upper} {lower}"
    else:
        start = max(place for place in range(at) if table.title.boxes[place] == "SR")
        upper, lower, name = f"OR {number}.{at - start}", f"{kind} K", f"OR {number}.{at - start}"
    now = at == present
    width = BOX - GAP if at + 1 < len(table.title.boxes) and table.title.boxes[at + 1] != "SR" else BOX
    fill = theme.card if at >= present else theme.land
    ink = theme.ink if at >= present else soft(theme)
    parts = [
        titled(f"{name}{', now' if now else ', done' if at < present else ''}"),
        box(x, y, width, HEIGHT, fill, theme.highlight if now else theme.border, weight=3.5 if now else 1),
        line(upper, x + width / 2, y + 22, 13, ink, anchor="middle", width=width - 8, bold=kind != "export"),
        line(lower, x + width / 2, y + 42, 15 if kind != "export" else 12, ink, anchor="middle", width=width - 8),
    ]
    if now:
        parts.append(strip("now", x + width / 2 - 18, y + HEIGHT - 16, theme.highlight, 36, 9.5))
    return group(parts, id=f"box-{at}", class_="now" if now else None)
