"""Train cards of 18Mag: endless stacks, with who sells them."""

from __future__ import annotations

from ostbahn.pictures.cards import TRAIN, able
from ostbahn.pictures.look import marks_of, money
from ostbahn.pictures.panels import box, disc, line, soft
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import Theme
from ostbahn.titles.mag.modules.supporters_table import supporters_file
from ostbahn.titles.mag.pictures.services import part_words
from ostbahn.titles.mag.state import MagTable


def train_cards(table: MagTable, theme: Theme) -> list[str]:
    return [_endless(table, face, theme) for face in table.title.stacks]


def _endless(table: MagTable, face: str, theme: Theme) -> str:
    """A stack of 18Mag: these trains never leave the game and never run out."""
    title, (wide, high) = table.title, TRAIN
    spec, faces = title.stacks[face], title.train_faces
    mark = marks_of(title)[spec.seller]
    marked = face in table.state.indicators
    rows = [
        (f"as {spec.plus}", able(faces[spec.plus])),
        ("sold by", f"{spec.seller}, gets {part_words(spec.part)}"),
        ("taken so far", str(table.state.cards.get(face, 0))),
        ("phase", "first sale begins one" if marked else "begins none"),
    ]
    kando = f"; Kandó {money(title, supporters_file().kando[face])}" if title.supporters else ""
    parts = [
        titled(f"{face}-trains, {money(title, spec.price)}"),
        box(0, 0, wide, high, theme.card, theme.border),
        line(face, 14, 40, 34, theme.ink, bold=True),
        line(money(title, spec.price), wide - 14, 30, 20, theme.ink, anchor="end", bold=True),
        line(f"{able(faces[face])}{kando}", wide - 14, 48, 12, soft(theme), anchor="end", width=wide - 100),
        disc(mark, 66, 31, 16, theme),
    ]
    for at, (name, words) in enumerate(rows):
        y = 84 + at * 26
        rule = element("path", d=f"M14 {number(y - 17)}H{number(wide - 14)}", stroke=theme.border, stroke_width=0.7)
        parts += [rule, line(name, 14, y, 11, soft(theme), width=70)]
        parts.append(line(words, wide - 14, y, 12, theme.ink, anchor="end", width=wide - 104))
    return group(parts, id=f"train-{face}")
