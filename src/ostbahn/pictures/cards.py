"""Cards: share certificates, and sheets of whatever cards a title has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.kernel.money import chart
from ostbahn.kernel.money.ledger import BANK
from ostbahn.kernel.table import Table
from ostbahn.kernel.trains import FaceSpec
from ostbahn.pictures.look import full_name, look_of, marks_of, money
from ostbahn.pictures.panels import banner, box, card_ground, disc, heading, line, page, soft
from ostbahn.pictures.svg import group, number, titled
from ostbahn.pictures.themes import LIGHT, Theme

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
    table = game.table
    percents = table.title.companies[company].certificates
    cards = [draw_certificate(table, company, at, theme) for at in range(len(percents))]
    return sheet(cards, SHARE, 5 if len(cards) > 4 else len(cards), f"Certificates of {company}", theme)


def draw_certificate(table: Table, company: str, at: int, theme: Theme) -> str:
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
    """All kinds of train cards, as the title shows them."""
    table = game.table
    look = look_of(table.title)
    words = f"{full_name(table.title)} trains"
    return sheet(look.train_cards(table, theme), TRAIN, look.train_columns, words, theme)


def able(face: FaceSpec) -> str:
    """What a train can do, in words."""
    if face.skips_towns:
        return f"{face.cities} cities"
    if face.stops > face.cities:
        return f"{face.cities} stops + {face.stops - face.cities} towns"
    return f"{face.cities} stops"
