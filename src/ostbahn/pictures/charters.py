"""Company charters as they lie on the table: treasury, trains, stations left, last income and what else they hold."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.places import place_name
from ostbahn.kernel.money import chart
from ostbahn.kernel.money.certificates import director
from ostbahn.kernel.table import Table
from ostbahn.pictures.look import NONE, Charter, full_name, look_of, marks_of, money
from ostbahn.pictures.panels import banner, box, card_ground, disc, empty_disc, fact, line, page, rule, soft, strip
from ostbahn.pictures.svg import element, group, titled
from ostbahn.pictures.themes import LIGHT, Theme

WIDTH: Final = 460.0
HEIGHT: Final = 232.0
TRAINS: Final = 74.0
"""What trains add to the height of a charter."""
ASIDES: Final = 44.0
"""What it is lower by where nothing else is held."""
PAD: Final = 16.0
RADIUS: Final = 15.0
MARKERS: Final = 205.0
"""The width for markers; whoever has taken over other companies may have more than five."""


def charter_picture(game: Game, company: str, theme: Theme = LIGHT) -> str:
    """The charter of a company."""
    table = game.table
    charter = look_of(table.title).charter(table, company)
    body, height = draw_charter(table, charter, theme), height_of(charter)
    told = ", ".join(f"{name} {value}" for name, value in charter.facts)
    return page(WIDTH + 24, height + 24, [_at(12, 12, body)], theme, f"Charter of {charter.name}", told)


def charters_picture(game: Game, theme: Theme = LIGHT, columns: int = 3) -> str:
    """All charters of companies that have begun, beside each other."""
    table = game.table
    companies = look_of(table.title).in_play(table)
    columns = max(1, min(columns, len(companies)))
    charters = [look_of(table.title).charter(table, company) for company in companies]
    parts, y = [], 12.0
    for start in range(0, len(charters), columns):
        row = charters[start : start + columns]
        for at, charter in enumerate(row):
            parts.append(_at(12 + at * (WIDTH + 12), y, draw_charter(table, charter, theme)))
        y += max(map(height_of, row)) + 12
    width = 12 + columns * (WIDTH + 12)
    return page(width, y, parts, theme, f"Charters of {full_name(table.title)}", ", ".join(companies))


def height_of(charter: Charter) -> float:
    return HEIGHT - ASIDES * (not charter.asides[0]) + TRAINS * bool(charter.limit or charter.trains)


def _at(x: float, y: float, content: str) -> str:
    return group([content], transform=f"translate({x:g} {y:g})")


# What several titles write on it


def income_words(table: Table, company: str) -> str:
    revenue = table.state.revenue.get(company)
    return NONE if revenue is None else money(table.title, revenue)


def price_words(table: Table, company: str) -> str:
    space = chart.position(table, company)
    return NONE if space is None else money(table.title, table.title.prices[space])


def director_words(table: Table, company: str) -> str:
    holders = table.state.certificates.get(company)
    who = None if holders is None else director(table, company)
    return NONE if who is None else table.name(who)


def station_names(table: Table, company: str) -> list[str]:
    board = table.state.board
    return [place_name(table.title, city, board) for city in board.stations_of(company)]


# How it is drawn


def draw_charter(table: Table, charter: Charter, theme: Theme) -> str:
    mark = marks_of(table.title)[charter.id]
    height = height_of(charter)
    parts = [
        titled(f"Charter of {charter.name}"),
        box(0, 0, WIDTH, height, card_ground(theme), theme.border, round=6),
        banner(0, 0, WIDTH, 54, mark.colour),
        line(charter.name, PAD, 24, 17, mark.ink, width=WIDTH - 2 * PAD - 62, bold=True),
        line(charter.kind, PAD, 43, 12.5, mark.ink, width=WIDTH - 2 * PAD - 62),
        element("circle", cx=WIDTH - PAD - 20, cy=27, r=22.5, fill=card_ground(theme)),
        disc(mark, WIDTH - PAD - 20, 27, 20, theme),
    ]
    wide = (WIDTH - 2 * PAD) / len(charter.facts)
    parts += [
        fact(name, value, PAD + at * wide, 76, wide - 6, theme, 15) for at, (name, value) in enumerate(charter.facts)
    ]
    y = 108.0
    if charter.limit or charter.trains:
        parts.append(_trains(charter, PAD, y, theme))
        y += TRAINS
    parts.append(_markers(table, charter, PAD, y, theme))
    parts.append(_asides(charter, PAD, height - 50, theme))
    return group(parts, id=f"charter-{charter.id}")


def _trains(charter: Charter, x: float, y: float, theme: Theme) -> str:
    """A place for each train that the limit allows, and one for each that is there all the same."""
    parts = [
        rule(PAD, y, WIDTH - 2 * PAD, theme),
        line(f"trains, at most {charter.limit}", x, y + 16, 10.5, soft(theme)),
    ]
    for at in range(max(charter.limit, len(charter.trains))):
        left = x + at * 74
        if at < len(charter.trains):
            train = charter.trains[at]
            parts.append(
                group(
                    [
                        titled(f"{train.face}-train, card {train.card}"),
                        box(left, y + 23, 66, 40, theme.paper, theme.ink, round=4),
                        line(train.face, left + 33, y + 47, 20, theme.ink, anchor="middle", width=60, bold=True),
                        line(train.card, left + 62, y + 60, 9, soft(theme), anchor="end"),
                    ],
                    class_="train",
                )
            )
        else:
            parts.append(
                element(
                    "rect",
                    x=left,
                    y=y + 23,
                    width=66,
                    height=40,
                    rx=4,
                    fill="none",
                    stroke=theme.faint,
                    stroke_dasharray="4 3",
                )
            )
    return "".join(parts)


def _markers(table: Table, charter: Charter, x: float, y: float, theme: Theme) -> str:
    """Markers on the charter with what placing each costs, and where the others stand."""
    mark = marks_of(table.title)[charter.id]
    parts = [
        rule(PAD, y, WIDTH - 2 * PAD, theme),
        line("stations left, with their prices", x, y + 16, 10.5, soft(theme)),
    ]
    step = min(46.0, MARKERS / max(len(charter.left), 1))
    radius = min(RADIUS, step / 2 - 1)
    for at, price in enumerate(charter.left):
        centre = x + radius + at * step
        words = "free" if price == 0 else str(price)
        parts.append(
            group(
                [
                    titled(f"station for {words}"),
                    disc(mark, centre, y + 38, radius, theme),
                    line(words, centre, y + 66, 11.5, theme.ink, anchor="middle", width=step - 2),
                ],
                class_="marker",
            )
        )
    if not charter.left:
        parts += [empty_disc(x + RADIUS, y + 38, RADIUS, theme), line("none", x + 38, y + 42, 12, soft(theme))]
    right = x + MARKERS + 10
    parts.append(line("stations in", right, y + 16, 10.5, soft(theme)))
    rows = [charter.stations[at : at + 2] for at in range(0, len(charter.stations), 2)] or [[NONE]]
    room = WIDTH - PAD - right
    for at, row in enumerate(rows[:3]):
        more = ", …" if at == 2 and len(rows) > 3 else ""
        parts.append(line(", ".join(row) + more, right, y + 34 + at * 16, 12.5, theme.ink, width=room))
    return "".join(parts)


def _asides(charter: Charter, x: float, y: float, theme: Theme) -> str:
    """What else it holds; what is used up is struck out."""
    name, things = charter.asides
    if not name:
        return ""
    parts = [rule(PAD, y, WIDTH - 2 * PAD, theme), line(name, x, y + 16, 10.5, soft(theme))]
    if not things:
        return "".join([*parts, line("none", x, y + 36, 12, soft(theme))])
    wide = min((WIDTH - 2 * PAD + 6) / len(things), 118.0) - 6
    for at, (thing, used) in enumerate(things):
        left = x + at * (wide + 6)
        fill = theme.land if used else theme.tiles["grey"]
        body = strip(f"{thing} used" if used else thing, left, y + 23, fill, wide, 12)
        parts.append(group([titled(f"{thing}{', power used' if used else ''}"), body], class_="aside"))
    return "".join(parts)
