"""Cards: share certificates, trains with all their faces, Local Railways, and what majors of 18Mag sell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import chart
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.trains import FaceSpec
from ostbahn.pictures.marks import marks_of
from ostbahn.pictures.panels import banner, box, card_ground, disc, heading, ink_on, line, page, paragraph, soft, strip
from ostbahn.pictures.svg import element, group, number, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.pictures.views import CARS, AnyTable, money, name_of, part_words, rail_cars, table_of_game, variant_of
from ostbahn.titles.cz.state import CzTable
from ostbahn.titles.cz.title import Local
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle

MARGIN: Final = 20.0
GAP: Final = 12.0
TOP: Final = 50.0


def sheet(
    cards: Sequence[str], size: tuple[float, float], columns: int, words: str, theme: Theme, about: str = ""
) -> str:
    """Cards of one size beside each other under a heading."""
    wide, high = size
    columns = max(1, min(columns, len(cards)))
    rows = max(1, -(-len(cards) // columns))
    parts = [
        _at(MARGIN + index % columns * (wide + GAP), TOP + index // columns * (high + GAP), card)
        for index, card in enumerate(cards)
    ]
    width = max(2 * MARGIN + columns * (wide + GAP) - GAP, 340)
    head = heading(words, MARGIN, 32, theme, 19, width - 2 * MARGIN)
    return page(width, TOP + rows * (high + GAP) - GAP + MARGIN, [head, *parts], theme, words, about)


def _at(x: float, y: float, content: str) -> str:
    return group([content], transform=f"translate({number(x)} {number(y)})")


# Share certificates

SHARE: Final = (196.0, 116.0)


def certificates_picture(game: Game, company: str, theme: Theme = LIGHT) -> str:
    """All certificates of a company, each with who holds it; the Director's is the first."""
    table = table_of_game(game)
    percents = table.title.companies[company].certificates
    cards = [draw_certificate(table, company, at, theme) for at in range(len(percents))]
    return sheet(cards, SHARE, 5 if len(cards) > 4 else len(cards), f"Certificates of {company}", theme)


def draw_certificate(table: AnyTable, company: str, at: int, theme: Theme) -> str:
    """One certificate: percentage, what it is, and who holds it. Those left out of a game lie in the box."""
    title, (wide, high) = table.title, SHARE
    spec, mark = title.companies[company], marks_of(title)[company]
    percent = spec.certificates[at]
    holders = table.state.certificates.get(company)
    holder = "out of the game" if holders is None else "bank" if holders[at] == BANK else table.name(holders[at])
    kind = "Director's certificate" if at == 0 else "share certificate"
    space = chart.position(table, company)
    worth = "" if space is None else money(title, title.prices[space] * percent // spec.certificates[-1])
    parts = [
        titled(f"{kind}, {percent} % of {spec.name}, {holder}"),
        box(0, 0, wide, high, card_ground(theme), mark.colour if at == 0 else theme.border, weight=4 if at == 0 else 1),
        banner(0, 0, wide, 28, mark.colour),
        line(spec.name, 10, 19, 12.5, mark.ink, width=wide - 20, bold=True),
        disc(mark, 34, 64, 21, theme),
        line(f"{percent} %", wide - 12, 62, 26, theme.ink, anchor="end", bold=True),
        line(kind, wide - 12, 79, 11, theme.ink, anchor="end", width=wide - 80, bold=at == 0),
        line(holder, 12, high - 10, 11.5, soft(theme), width=110),
        line(worth, wide - 12, high - 10, 11.5, soft(theme), anchor="end", width=60),
    ]
    return group(parts, id=f"certificate-{company}-{at}")


# Trains

TRAIN: Final = (232.0, 178.0)


def trains_picture(game: Game, theme: Theme = LIGHT) -> str:
    """All kinds of train cards with every face, its price and what it scraps, and how many are still in the bank."""
    table = table_of_game(game)
    title = table.title
    if isinstance(table, CzTable):
        letters = table.title.stack.letters
        cards = [_card(table, letter, theme) for letter in letters]
        columns = 5
    else:
        assert isinstance(table, MagTable)
        cards = [_endless(table, face, theme) for face in table.title.stacks]
        columns = 4
    return sheet(cards, TRAIN, columns, f"{name_of(title)} trains", theme)


def left_of(table: CzTable, letter: str) -> int | None:
    """How many cards of a letter are in the bank's stack; None if there is no end of them."""
    stack = table.title.stack
    count = stack.spec[letter].count
    if count is None:
        return None
    before = sum(stack.spec[other].count or 0 for other in stack.letters[: stack.letters.index(letter)])
    return min(max(before + count - table.state.cards_gone, 0), count)


def able(face: FaceSpec) -> str:
    """What a train can do, in words."""
    if face.skips_towns:
        return f"{face.cities} cities"
    if face.stops > face.cities:
        return f"{face.cities} stops + {face.stops - face.cities} towns"
    return f"{face.cities} stops"


def _card(table: CzTable, letter: str, theme: Theme) -> str:
    title, (wide, high) = table.title, TRAIN
    spec, left = title.stack.spec[letter], left_of(table, letter)
    count = "no end of them" if left is None else f"{left} of {spec.count} left"
    phase = title.phases[letter]
    fill = theme.tiles[phase.colour]
    now = letter == title.stack.card(table.state.cards_gone)[0]
    parts = [
        titled(f"{letter}-trains: {', '.join(spec.faces)}; {count}"),
        box(0, 0, wide, high, card_ground(theme), theme.highlight if now else theme.border, weight=3 if now else 1),
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
    parts = [
        titled(f"{face}-trains, {money(title, spec.price)}"),
        box(0, 0, wide, high, card_ground(theme), theme.border),
        line(face, 14, 40, 34, theme.ink, bold=True),
        line(money(title, spec.price), wide - 14, 30, 20, theme.ink, anchor="end", bold=True),
        line(able(faces[face]), wide - 14, 48, 12, soft(theme), anchor="end"),
        disc(mark, 66, 31, 16, theme),
    ]
    for at, (name, words) in enumerate(rows):
        y = 84 + at * 26
        rule = element("path", d=f"M14 {number(y - 17)}H{number(wide - 14)}", stroke=theme.border, stroke_width=0.7)
        parts += [rule, line(name, 14, y, 11, soft(theme), width=70)]
        parts.append(line(words, wide - 14, y, 12, theme.ink, anchor="end", width=wide - 104))
    return group(parts, id=f"train-{face}")


# Local Railways

LOCAL: Final = (226.0, 144.0)


PAPERS: Final = {
    "3E": ("makes one run for a company", "may leave out towns, adds red bonuses"),
    "MW": ("a station on its home hex", "lays the tile there for nothing"),
}
"""What the two private papers of Moravia-Silesia do that are no Local Railways (XI.2/28 to XI.2/35)."""
INCOMES: Final = {"3E": "none", "MW": "value of its city"}


def locals_picture(game: Game, theme: Theme = LIGHT) -> str:
    """The Local Railways (in Moravia-Silesia the private papers) with income, powers and owners."""
    table = table_of_game(game)
    assert isinstance(table, CzTable)
    kinds = [local.size for local in table.title.locals.values()]
    columns = max(3, max(map(kinds.count, kinds))) if kinds else 3
    cards = [draw_local(table, local, theme) for local in table.title.locals.values()]
    price = f", {table.state.local_price} K each" if table.state.local_price else ""
    return sheet(cards, LOCAL, columns, f"{name_of(table.title)} Local Railways{price}", theme)


def powers(local: Local) -> list[str]:
    """What a Local Railway can be used for, once."""
    found = []
    if local.waives:
        *others, last = local.waives
        found.append(f"waives the cost of a {', '.join(others)}{' or ' if others else ''}{last}")
    if local.purple:
        found.append(f"lays a purple tile: {', '.join(local.purple)}")
    return found


def _first_price(table: CzTable, local: Local) -> str:
    """What it costs on the pre-stock sheet; in an auction that is the least bid."""
    if variant_of(table.title) == "moravia":
        return f"least bid {local.price} K"
    return f"{local.size}, {local.price} K at the start"


def draw_local(table: CzTable, local: Local, theme: Theme) -> str:
    (wide, high), state = LOCAL, table.state
    owner = state.locals.get(local.id)
    where = "out of the game" if owner is None else "not sold yet" if owner == BANK else table.name(owner)
    used = local.id in state.used_powers
    name = paragraph(local.name, 66, 20, 12, theme.ink, wide - 76)
    parts = [
        titled(f"{local.id} {local.name}, {where}"),
        box(0, 0, wide, high, card_ground(theme), theme.border),
        line(local.id, 12, 29, 22, theme.ink, width=52, bold=True),
        name.svg,
        line(_first_price(table, local), 66, name.below, 10.5, soft(theme), width=wide - 76),
        line("income", 12, 72, 10.5, soft(theme)),
        line(INCOMES.get(local.id, f"{local.income} K"), 66, 72, 13, theme.ink, bold=True),
    ]
    for at, words in enumerate(powers(local) or PAPERS.get(local.id, ())):
        parts.append(line(words, 12, 91 + at * 15, 11, soft(theme) if used else theme.ink, width=wide - 24))
    parts.append(line(where, 12, high - 10, 11.5, soft(theme), width=110))
    if used:
        parts.append(strip("used", wide - 56, high - 23, theme.tiles["grey"], 46))
    return group(parts, id=f"local-{local.id}", opacity=0.55 if owner is None else None)


# What majors sell

SERVICE: Final = (300.0, 142.0)


def services_picture(title: MagTitle, theme: Theme = LIGHT) -> str:
    """Each major of 18Mag with what minors pay it for; rail cars with their prices by phase."""
    cards = [draw_services(title, major, theme) for major in title.companies]
    return sheet(cards, SERVICE, 3, f"{name_of(title)}: what majors sell", theme)


def service_words(title: MagTitle, major: str) -> list[str]:
    """One sentence for each thing that a major sells."""
    found = []
    for name, spec in title.services.items():
        if spec.major != major:
            continue
        if name == "terrain":
            found.append(f"Terrain: {money(title, spec.price_per_symbol)} for each symbol.")
        elif name == "extra_tile":
            found.append(f"A second yellow tile in a turn: {money(title, spec.price)}.")
        else:
            prices = ", ".join(map(str, title.minor.station_prices))
            found.append(f"Stations of minors: {prices} Ft, of which it gets {part_words(spec.part)}.")
    for kind, spec in rail_cars(title).items():
        if spec.major == major:
            found.append(f"{CARS[kind].capitalize()}: {car_words(title, kind)}.")
    for face, stack in title.stacks.items():
        if stack.seller == major:
            found.append(f"{face}-trains: {money(title, stack.price)}, of which it gets {part_words(stack.part)}.")
    return found


def car_words(title: MagTitle, kind: str) -> str:
    """What a rail car does and, by phase, costs."""
    bonus = ", ".join(f"{phase} {spec.off_board_bonus}" for phase, spec in title.phases.items())
    does = {
        "off_board": f"adds to an off-board area ({bonus})",
        "plus": "a train runs to as many more towns",
        "mine": "a train runs to a mine as well",
    }
    return does[kind]


def car_prices(title: MagTitle) -> list[tuple[str, str]]:
    """By phase the prices of the first, second and third rail car of a minor's turn."""
    return [(phase, ", ".join(map(str, spec.rail_cars))) for phase, spec in title.phases.items()]


def draw_services(title: MagTitle, major: str, theme: Theme) -> str:
    (wide, high), mark = SERVICE, marks_of(title)[major]
    parts = [
        titled(f"{major} sells"),
        box(0, 0, wide, high, card_ground(theme), theme.border),
        banner(0, 0, wide, 44, mark.colour),
        line(major, 12, 20, 16, mark.ink, bold=True),
        line(title.companies[major].name, 12, 36, 11.5, mark.ink, width=wide - 24),
    ]
    y = 63.0
    words = service_words(title, major)
    if any(spec.major == major for spec in rail_cars(title).values()):
        prices = "; ".join(f"{phase} {price}" for phase, price in car_prices(title))
        words.append(f"Prices of the cars of a turn: {prices} Ft.")
    for sentence in words:
        written = paragraph(sentence, 12, y, 12, theme.ink, wide - 24)
        parts.append(written.svg)
        y = written.below + 2
    return group(parts, id=f"services-{major}")
