"""Company charters, share certificates, and sheets of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.kernel import chart
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import BANK
from ostbahn.kernel.table import Table
from ostbahn.pictures.board_style import NONE, Charter, board_style_of, full_name, marks_of, money
from ostbahn.pictures.svg import (
    banner,
    box,
    circle,
    company_disc,
    empty_marker_disc,
    group,
    heading,
    label_strip,
    labelled_value,
    line,
    muted,
    page,
    rule,
    title_tag,
    translate,
)
from ostbahn.pictures.themes import LIGHT, Mark, Theme

MARGIN: Final = 20.0
GAP: Final = 12.0
TOP: Final = 50.0


def sheet(cards: Sequence[str], size: tuple[float, float], columns: int, words: str, theme: Theme) -> str:
    wide, high = size
    columns = max(1, min(columns, len(cards)))
    rows = max(1, -(-len(cards) // columns))
    parts = [
        group(
            [card], transform=translate(MARGIN + index % columns * (wide + GAP), TOP + index // columns * (high + GAP))
        )
        for index, card in enumerate(cards)
    ]
    width = max(2 * MARGIN + columns * (wide + GAP) - GAP, 340)
    head = heading(words, MARGIN, 32, theme, 19, width - 2 * MARGIN)
    return page(width, TOP + rows * (high + GAP) - GAP + MARGIN, [head, *parts], theme, words)


SHARE: Final = (196.0, 116.0)


def certificates_picture(game: Game, company: str, theme: Theme = LIGHT) -> str:
    table = game.table
    percents = table.title.companies[company].certificates
    cards = [draw_certificate(table, company, at, theme) for at in range(len(percents))]
    return sheet(cards, SHARE, 5 if len(cards) > 4 else len(cards), f"Certificates of {company}", theme)


def draw_certificate(table: Table, company: str, at: int, theme: Theme) -> str:
    """A certificate with percentage, kind and holder; certificates out of the game lie in the box."""
    title, (wide, high) = table.title, SHARE
    spec, mark = title.companies[company], marks_of(title)[company]
    percent = spec.certificates[at]
    holders = table.state.certificates.get(company)
    holder = "out of the game" if holders is None else "bank" if holders[at] == BANK else table.name(holders[at])
    kind = "Director's certificate" if at == 0 else "share certificate"
    space = chart.position(table, company)
    worth = "" if space is None else money(title, title.prices[space] * percent // spec.certificates[-1])
    parts = [
        title_tag(f"{kind}, {percent} % of {spec.name}, {holder}"),
        box(0, 0, wide, high, theme.card, mark.colour if at == 0 else theme.border, weight=4 if at == 0 else 1),
        banner(0, 0, wide, 28, mark.colour),
        line(spec.name, 10, 19, 12.5, mark.ink, width=wide - 20, bold=True),
        company_disc(mark, 34, 64, 21, theme),
        line(f"{percent} %", wide - 12, 62, 26, theme.ink, anchor="end", bold=True),
        line(kind, wide - 12, 79, 11, theme.ink, anchor="end", width=wide - 80, bold=at == 0),
        line(holder, 12, high - 10, 11.5, muted(theme), width=110),
        line(worth, wide - 12, high - 10, 11.5, muted(theme), anchor="end", width=60),
    ]
    return group(parts, id=f"certificate-{company}-{at}")


TRAIN: Final = (232.0, 178.0)


def trains_picture(game: Game, theme: Theme = LIGHT) -> str:
    table = game.table
    style = board_style_of(table.title)
    words = f"{full_name(table.title)} trains"
    return sheet(style.train_cards(table, theme), TRAIN, style.train_columns, words, theme)


WIDTH: Final = 460.0
HEIGHT: Final = 232.0
TRAINS: Final = 74.0
ASIDES: Final = 44.0
PAD: Final = 16.0
RADIUS: Final = 15.0
MARKERS: Final = 205.0


def charter_picture(game: Game, company: str, theme: Theme = LIGHT) -> str:
    table = game.table
    charter = board_style_of(table.title).charter(table, company)
    body, height = draw_charter(table, charter, theme), height_of(charter)
    told = ", ".join(f"{name} {value}" for name, value in charter.facts)
    content = [group([body], transform=translate(12, 12))]
    return page(WIDTH + 24, height + 24, content, theme, f"Charter of {charter.name}", told)


def height_of(charter: Charter) -> float:
    return HEIGHT - ASIDES * (not charter.asides[0]) + TRAINS * bool(charter.limit or charter.trains)


def draw_charter(table: Table, charter: Charter, theme: Theme) -> str:
    mark = marks_of(table.title)[charter.id]
    height = height_of(charter)
    parts = [
        title_tag(f"Charter of {charter.name}"),
        box(0, 0, WIDTH, height, theme.card, theme.border, round=6),
        banner(0, 0, WIDTH, 54, mark.colour),
        line(charter.name, PAD, 24, 17, mark.ink, width=WIDTH - 2 * PAD - 62, bold=True),
        line(charter.kind, PAD, 43, 12.5, mark.ink, width=WIDTH - 2 * PAD - 62),
        circle(WIDTH - PAD - 20, 27, 22.5, theme.card),
        company_disc(mark, WIDTH - PAD - 20, 27, 20, theme),
    ]
    wide = (WIDTH - 2 * PAD) / len(charter.facts)
    parts += [
        labelled_value(name, value, PAD + at * wide, 76, wide - 6, theme, 15)
        for at, (name, value) in enumerate(charter.facts)
    ]
    y = 108.0
    if charter.limit or charter.trains:
        parts += _trains(charter, y, theme)
        y += TRAINS
    parts += [*_markers(mark, charter, y, theme), *_asides(charter, height - 50, theme)]
    return group(parts, id=f"charter-{charter.id}")


def _part_head(words: str, y: float, theme: Theme) -> list[str]:
    return [rule(PAD, y, WIDTH - 2 * PAD, theme), line(words, PAD, y + 16, 10.5, muted(theme))]


def _trains(charter: Charter, y: float, theme: Theme) -> list[str]:
    """A card for each train, and an empty slot up to the limit."""
    parts = _part_head(f"trains, at most {charter.limit}", y, theme)
    for at in range(max(charter.limit, len(charter.trains))):
        left = PAD + at * 74
        if at < len(charter.trains):
            train = charter.trains[at]
            card = [
                title_tag(f"{train.face}-train, card {train.card}"),
                box(left, y + 23, 66, 40, theme.paper, theme.ink, round=4),
                line(train.face, left + 33, y + 47, 20, theme.ink, anchor="middle", width=60, bold=True),
                line(train.card, left + 62, y + 60, 9, muted(theme), anchor="end"),
            ]
            parts.append(group(card, class_="train"))
        else:
            parts.append(box(left, y + 23, 66, 40, "none", theme.faint, None, round=4, stroke_dasharray="4 3"))
    return parts


def _markers(mark: Mark, charter: Charter, y: float, theme: Theme) -> list[str]:
    """Markers left with their prices, and the places of the others."""
    parts = _part_head("stations left, with their prices", y, theme)
    step = min(46.0, MARKERS / max(len(charter.left), 1))
    radius = min(RADIUS, step / 2 - 1)
    for at, price in enumerate(charter.left):
        centre = PAD + radius + at * step
        words = "free" if price == 0 else str(price)
        marker = [
            title_tag(f"station for {words}"),
            company_disc(mark, centre, y + 38, radius, theme),
            line(words, centre, y + 66, 11.5, theme.ink, anchor="middle", width=step - 2),
        ]
        parts.append(group(marker, class_="marker"))
    if not charter.left:
        parts += [
            empty_marker_disc(PAD + RADIUS, y + 38, RADIUS, theme),
            line("none", PAD + 38, y + 42, 12, muted(theme)),
        ]
    right = PAD + MARKERS + 10
    parts.append(line("stations in", right, y + 16, 10.5, muted(theme)))
    rows = [charter.stations[at : at + 2] for at in range(0, len(charter.stations), 2)] or [[NONE]]
    room = WIDTH - PAD - right
    for at, row in enumerate(rows[:3]):
        more = ", …" if at == 2 and len(rows) > 3 else ""
        parts.append(line(", ".join(row) + more, right, y + 34 + at * 16, 12.5, theme.ink, width=room))
    return parts


def _asides(charter: Charter, y: float, theme: Theme) -> list[str]:
    name, things = charter.asides
    if not name:
        return []
    parts = _part_head(name, y, theme)
    if not things:
        parts.append(line("none", PAD, y + 36, 12, muted(theme)))
    wide = min((WIDTH - 2 * PAD + 6) / max(len(things), 1), 118.0) - 6
    for at, (thing, used) in enumerate(things):
        fill = theme.land if used else theme.tiles["grey"]
        body = label_strip(f"{thing} used" if used else thing, PAD + at * (wide + 6), y + 23, fill, wide, 12)
        parts.append(group([title_tag(f"{thing}{', power used' if used else ''}"), body], class_="aside"))
    return parts
