"""Company charters as they lie on the table: treasury, trains, stations left, last income and what else they hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import chart
from ostbahn.kernel.money.certificates import director, holding
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.trains import Train
from ostbahn.pictures.marks import marks_of
from ostbahn.pictures.panels import banner, box, card_ground, disc, empty_disc, fact, line, page, rule, soft, strip
from ostbahn.pictures.svg import element, group, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.views import NONE, AnyTable, money, name_of, place_name, sells, table_of_game
from ostbahn.titles.cz.phases import train_limit
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.mag.state import MagTable

WIDTH: Final = 460.0
HEIGHT: Final = 232.0
TRAINS: Final = 74.0
"""What trains add to the height of a charter."""
PAD: Final = 16.0
RADIUS: Final = 15.0
MARKERS: Final = 205.0
"""The width for markers; whoever has taken over other companies may have more than five."""


class Charter(NamedTuple):
    """What a charter shows, whatever the title."""

    id: str
    name: str
    kind: str
    facts: Sequence[tuple[str, str]]
    trains: Sequence[Train]
    limit: int
    """Of trains; 0 for companies that run none."""
    stations: Sequence[str]
    """Where its stations stand."""
    left: Sequence[int]
    """The prices of the markers on the charter, the next one first."""
    asides: tuple[str, Sequence[tuple[str, bool]]]
    """What else it holds: a word for it, and each thing with whether it is used up."""


def charter_picture(game: Game, company: str, theme: Theme = LIGHT) -> str:
    """The charter of a company."""
    table = table_of_game(game)
    charter = charter_of(table, company)
    body, height = draw_charter(table, charter, theme), height_of(charter)
    told = ", ".join(f"{name} {value}" for name, value in charter.facts)
    return page(WIDTH + 24, height + 24, [_at(12, 12, body)], theme, f"Charter of {charter.name}", told)


def charters_picture(game: Game, theme: Theme = LIGHT, columns: int = 3) -> str:
    """All charters of companies that have begun, beside each other."""
    table = table_of_game(game)
    companies = companies_in_play(table)
    columns = max(1, min(columns, len(companies)))
    charters = [charter_of(table, company) for company in companies]
    parts, y = [], 12.0
    for start in range(0, len(charters), columns):
        row = charters[start : start + columns]
        for at, charter in enumerate(row):
            parts.append(_at(12 + at * (WIDTH + 12), y, draw_charter(table, charter, theme)))
        y += max(map(height_of, row)) + 12
    width = 12 + columns * (WIDTH + 12)
    return page(width, y, parts, theme, f"Charters of {name_of(table.title)}", ", ".join(companies))


def height_of(charter: Charter) -> float:
    return HEIGHT + TRAINS * bool(charter.limit or charter.trains)


def companies_in_play(table: AnyTable) -> list[str]:
    """Companies with a charter on the table, by price; minors first, as they act first."""
    if isinstance(table, MagTable):
        owned = [minor for minor in table.title.minors if table.state.owners.get(minor, BANK) != BANK]
        return owned + chart.by_price(table)
    return [company for company in chart.by_price(table) if company not in table.state.closed]


def _at(x: float, y: float, content: str) -> str:
    return group([content], transform=f"translate({x:g} {y:g})")


# What is on it


def charter_of(table: AnyTable, company: str) -> Charter:
    if isinstance(table, CzTable):
        return _share_company(table, company)
    return _minor(table, company) if company in table.title.minors else _major(table, company)


def _income(table: AnyTable, company: str) -> str:
    revenue = table.state.revenue.get(company)
    return NONE if revenue is None else money(table.title, revenue)


def _price(table: AnyTable, company: str) -> str:
    space = chart.position(table, company)
    return NONE if space is None else money(table.title, table.title.prices[space])


def _director(table: AnyTable, company: str) -> str:
    holders = table.state.certificates.get(company)
    who = None if holders is None else director(table, company)
    return NONE if who is None else table.name(who)


def _stations(table: AnyTable, company: str) -> list[str]:
    board = table.state.board
    return [place_name(table.title, city, board) for city in board.stations_of(company)]


def _share_company(table: CzTable, company: str) -> Charter:
    state, spec = table.state, table.title.companies[company]
    floated = company in state.floated
    facts = [
        ("Director", _director(table, company)),
        ("share price", _price(table, company)),
        ("treasury", money(table.title, state.cash[company]) if floated else "not floated"),
        ("last income", _income(table, company)),
        ("bank holds", f"{holding(table, BANK, company)} %"),
    ]
    trains = state.trains.get(company, ())
    locals_ = [(local, local in state.used_powers) for local, owner in state.locals.items() if owner == company]
    limits = table.title.phases[state.phase].train_limit
    return Charter(
        company,
        spec.name,
        f"{spec.size} company",
        facts,
        trains,
        train_limit(table, company) if spec.size in limits else 0,
        _stations(table, company),
        marker_prices(table, company),
        ("Local Railways", locals_),
    )


def marker_prices(table: CzTable, company: str) -> list[int]:
    """What the markers on a charter cost in turn; before it has a home, the first is free and stands there."""
    state, prices = table.state, table.title.station_prices
    if company in state.closed:
        return []
    if company not in state.markers:
        count = table.title.companies[company].spec.markers
        return [0, prices.first, *[prices.further] * (count - 2)]
    left = sum(state.markers[company])
    if table.builds_free(company):
        return [0] * left
    home = [] if state.board.stations_of(company) or company in state.operated else [0]
    cheap = [prices.first] if home or table.first_marker_due(company) else []
    return [*home, *cheap, *[prices.further] * left][:left]


def _minor(table: MagTable, minor: str) -> Charter:
    state, spec, kind = table.state, table.title.minors[minor], table.title.minor
    owner = state.owners.get(minor)
    taken = owner is not None and owner != BANK
    begun = minor in state.markers
    tokens = state.terrain_tokens.get(minor, spec.terrain_tokens)
    facts = [
        ("owner", table.name(owner) if taken else "nobody yet"),
        ("treasury", money(table.title, state.cash.get(minor, 0)) if taken else NONE),
        ("last income", _income(table, minor)),
        ("home", place_name(table.title, f"{spec.home.hex}.{spec.home.node}")),
    ]
    left = list(kind.station_prices)
    if begun:
        left = left[len(left) - min(state.markers[minor], len(left)) :]
    return Charter(
        minor,
        spec.name,
        f"minor {minor} ({spec.short})",
        facts,
        state.trains.get(minor, ()),
        kind.train_limit,
        _stations(table, minor),
        left,
        ("terrain tokens", [("▲", False)] * tokens),
    )


def _major(table: MagTable, major: str) -> Charter:
    state, title = table.state, table.title
    facts = [
        ("director", _director(table, major)),
        ("share price", _price(table, major)),
        ("treasury", money(title, state.cash[major])),
        ("last payout", _income(table, major)),
        ("bank holds", f"{holding(table, BANK, major)} %"),
    ]
    prices = title.major.marker_prices
    return Charter(
        major,
        title.companies[major].name,
        "major",
        facts,
        (),
        0,
        _stations(table, major),
        prices[len(prices) - state.markers[major] :],
        ("sells", [(what, False) for what in sells(title, major)]),
    )


# How it is drawn


def draw_charter(table: AnyTable, charter: Charter, theme: Theme) -> str:
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


def _markers(table: AnyTable, charter: Charter, x: float, y: float, theme: Theme) -> str:
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
    """Local Railways, terrain tokens or services; what is used up is struck out."""
    name, things = charter.asides
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
