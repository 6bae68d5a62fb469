"""Train cards of 18CZ: every face with its price and what it scraps, and how many cards the bank still has."""

from __future__ import annotations

from ostbahn.pictures.cards import TRAIN, able
from ostbahn.pictures.panels import banner, box, line, soft
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import Theme, ink_on
from ostbahn.titles.cz.state import CzTable


def train_cards(table: CzTable, theme: Theme) -> list[str]:
    return [_card(table, letter, theme) for letter in table.title.stack.letters]


def left_of(table: CzTable, letter: str) -> int | None:
    """How many cards of a letter are in the bank's stack; None if there is no end of them."""
    stack = table.title.stack
    count = stack.spec[letter].count
    if count is None:
        return None
    before = sum(stack.spec[other].count or 0 for other in stack.letters[: stack.letters.index(letter)])
    return min(max(before + count - table.state.cards_gone, 0), count)


def _card(table: CzTable, letter: str, theme: Theme) -> str:
    title, (wide, high) = table.title, TRAIN
    spec, left = title.stack.spec[letter], left_of(table, letter)
    count = "no end of them" if left is None else f"{left} of {spec.count} left"
    phase = title.phases[letter]
    fill = theme.tiles[phase.colour]
    now = letter == title.stack.card(table.state.cards_gone)[0]
    parts = [
        titled(f"{letter}-trains: {', '.join(spec.faces)}; {count}"),
        box(0, 0, wide, high, theme.card, theme.highlight if now else theme.border, weight=3 if now else 1),
        banner(1, 1, wide - 2, 30, fill),
        line(letter, 12, 22, 20, ink_on(fill), bold=True),
        line(count, wide - 12, 21, 12, ink_on(fill), anchor="end", width=120),
    ]
    for at, (face, price) in enumerate(spec.faces.items()):
        parts.append(_face(table, face, price, 34 + at * 42, theme))
    limits = ", ".join(f"{limit} {size}" for size, limit in phase.train_limit.items())
    parts.append(line(f"limits: {limits}", 12, high - 8, 10, soft(theme), width=wide - 20))
    return group(parts, id=f"train-{letter}", opacity=0.55 if left == 0 else None)


def _face(table: CzTable, face: str, price: int, y: float, theme: Theme) -> str:
    """A face with its price; one that is out of the game is struck through."""
    wide, spec = TRAIN[0], table.title.train_faces[face]
    gone = face in table.state.scrapped
    ink = soft(theme) if gone else theme.ink
    parts = [
        line(face, 12, y + 25, 20, ink, width=60, bold=True),
        line(f"{spec.size}: {able(spec)}", 76, y + 15, 10.5, soft(theme), width=wide - 84),
        line(f"{price} K", wide - 12, y + 31, 14, ink, anchor="end", bold=True),
        element("path", d=f"M10 {number(y + 40)}H{number(wide - 10)}", stroke=theme.border, stroke_width=0.7),
    ]
    if gone:
        parts.append(
            element("path", d=f"M10 {number(y + 18)}H64", stroke=theme.faint, stroke_width=2)
            + line("out of the game", 76, y + 31, 10.5, soft(theme))
        )
    elif spec.scraps:
        parts.append(line(f"scraps {', '.join(spec.scraps)}", 76, y + 31, 10.5, theme.highlight, width=88, bold=True))
    return "".join(parts)
