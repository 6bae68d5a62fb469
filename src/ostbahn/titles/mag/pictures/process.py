"""Phases, sets of rounds and train stacks: where the game stands."""

from __future__ import annotations

from typing import Final

from ostbahn.pictures.look import full_name, marks_of, money
from ostbahn.pictures.panels import box, heading, line, page, pill, soft, strip
from ostbahn.pictures.svg import element, group, titled
from ostbahn.pictures.themes import Theme, ink_on
from ostbahn.titles.mag.state import MagTable, Rounds
from ostbahn.titles.mag.title import PhaseSpec

MARGIN: Final = 20.0


def process(table: MagTable, theme: Theme) -> str:
    title = table.title
    phases = list(title.phases)
    wide, deep = 178.0, 134.0
    width = 2 * MARGIN + max(len(phases) * (wide + 10), len(title.stacks) * (wide + 10)) - 10
    parts = [
        heading(f"{full_name(title)} phases and rounds", MARGIN, 34, theme),
        line(round_words(table), width - MARGIN, 34, 15, theme.ink, anchor="end", width=width * 0.5, bold=True),
    ]
    for at, (name, spec) in enumerate(title.phases.items()):
        parts.append(_phase(table, name, spec, MARGIN + at * (wide + 10), 52, wide, deep, theme))
    y = 52 + deep + 32
    parts.append(heading("Train stacks", MARGIN, y, theme, 16))
    for at, face in enumerate(title.stacks):
        parts.append(_stack(table, face, MARGIN + at * (wide + 10), y + 12, wide, 130, theme))
    return page(width, y + 12 + 130 + MARGIN, parts, theme, f"Phases of {full_name(title)}", round_words(table))


def round_words(table: MagTable) -> str:
    """The present round, and the set of which it is a part."""
    course = next((task for task in table.state.agenda if isinstance(task, Rounds)), None)
    if not table.state.agenda:
        return "the game is over"
    if course is None or not course.round:
        return "First share round" if table.state.round == "PRE" else f"Share round {table.state.round[3:]}"
    words = f"Operating round {course.round} of {course.length}"
    if table.state.phase_began:
        return f"{words}, the last of its set"
    return f"{words}, last set" if course.last else words


def _phase(
    table: MagTable, name: str, spec: PhaseSpec, x: float, y: float, width: float, height: float, theme: Theme
) -> str:
    state = table.state
    now = name == state.phase and bool(state.agenda)
    fill = theme.tiles[name]
    ink = ink_on(fill)
    cars = ", ".join(map(str, spec.rail_cars))
    parts = [
        titled(f"{name} phase{', now' if now else ''}"),
        box(x, y, width, height, fill, theme.highlight if now else theme.border, weight=4 if now else 1, round=8),
        line(name, x + 12, y + 24, 17, ink, bold=True),
        _rounds(table, name, spec, x + 14, y + 46, theme),
        line(f"rail cars {cars} {table.title.currency}", x + 12, y + 93, 12, ink, width=width - 20),
        line(_bonuses(spec), x + 12, y + 109, 12, ink, width=width - 20),
    ]
    if spec.final:
        parts.append(line("the set in it is the last", x + 12, y + 125, 12, ink, width=width - 20, bold=True))
    if now:
        parts.append(strip("now", x + width - 50, y + 10, theme.highlight, 40, 11))
    return group(parts, id=f"phase-{name}", class_="now" if now else None)


def _bonuses(spec: PhaseSpec) -> str:
    """What a train can earn on top in a phase; with CIWL there is one bonus more (M.4/8)."""
    if not spec.red_to_red:
        return f"off-board car +{spec.off_board_bonus}"
    return f"off-board +{spec.off_board_bonus}, red to red +{spec.red_to_red}"


def _rounds(table: MagTable, name: str, spec: PhaseSpec, x: float, y: float, theme: Theme) -> str:
    """A disc for each Operating Round of a set; in the present phase those that have begun are full.

    A set keeps the length with which it began, whatever phase begins in it."""
    course = next((task for task in table.state.agenda if isinstance(task, Rounds)), None)
    running = course is not None and course.round > 0
    shown = name == table.state.phase and not table.state.phase_began and running
    begun = course.round if course is not None and shown else 0
    length = course.length if course is not None and shown else spec.operating_rounds
    ink = ink_on(theme.tiles[name])
    parts = []
    for at in range(length):
        centre = x + 10 + at * 30
        last = at + 1 == begun
        parts.append(
            element(
                "circle",
                cx=centre,
                cy=y,
                r=11,
                fill=theme.highlight if last else ink if at < begun else "none",
                stroke=ink,
                stroke_width=1.5,
            )
        )
        colour = ink_on(theme.highlight) if last else theme.tiles[name] if at < begun else ink
        parts.append(line(str(at + 1), centre, y + 4.5, 12, colour, anchor="middle", bold=True))
    words = "operating round" if length == 1 else "operating rounds"
    return "".join(parts) + line(words, x - 2, y + 28, 12, ink)


def _stack(table: MagTable, face: str, x: float, y: float, width: float, height: float, theme: Theme) -> str:
    """An endless stack of trains, with the round indicator tile and the no-train-sold tokens that lie on it."""
    title, state = table.title, table.state
    spec = title.stacks[face]
    marked = face in state.indicators
    parts = [titled(f"{face}-trains, {money(title, spec.price)}{', round indicator tile' if marked else ''}")]
    for shift in (6.0, 3.0, 0.0):
        parts.append(box(x + shift, y + shift, width - 6, height - 6, theme.card, theme.border, round=8))
    parts += [
        line(face, x + 14, y + 36, 30, theme.ink, bold=True),
        line(money(title, spec.price), x + width - 18, y + 30, 16, theme.ink, anchor="end", bold=True),
        pill(marks_of(title)[spec.seller], spec.seller, x + width - 82, y + 40, 64, 18, theme),
    ]
    if marked:
        words = "no phase follows" if table.phase.final else "its first train begins a phase"
        parts.append(
            group(
                [
                    box(x + 12, y + 68, width - 32, 22, theme.tiles["grey"], theme.ink, round=3),
                    line(words, x + width / 2 - 4, y + 83, 11, "#1d1d1d", anchor="middle", width=width - 38),
                ],
                id=f"indicator-{face}",
            )
        )
    lowest = face in state.indicators[:1] and not table.phase.final
    if lowest:
        parts.append(_tokens(table, x + 12, y + 106, theme))
    return group(parts, id=f"stack-{face}")


def _tokens(table: MagTable, x: float, y: float, theme: Theme) -> str:
    """Rounds in which no train was sold; the last token advances the phase."""
    parts = [titled(f"{table.state.no_train} of {table.title.no_train_tokens} no-train-sold tokens")]
    for at in range(table.title.no_train_tokens):
        there = at < table.state.no_train
        parts.append(
            element(
                "circle",
                cx=x + 8 + at * 20,
                cy=y,
                r=8,
                fill=theme.tiles["red"] if there else "none",
                stroke=theme.ink if there else theme.faint,
                stroke_width=1.2,
                stroke_dasharray=None if there else "3 2",
                class_="token" if there else None,
            )
        )
    right = x + 20 * table.title.no_train_tokens + 4
    return group([*parts, line("no train sold", right, y + 4, 11, soft(theme), width=80)], id="no-train-sold")
