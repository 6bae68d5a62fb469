"""What majors sell, as cards and in short."""

from __future__ import annotations

from typing import Final

from ostbahn.kernel.game import Game
from ostbahn.pictures.cards import sheet
from ostbahn.pictures.look import full_name, marks_of, money
from ostbahn.pictures.panels import banner, box, line, paragraph
from ostbahn.pictures.svg import group, titled
from ostbahn.pictures.themes import LIGHT, Theme
from ostbahn.titles.mag.majors import rail_cars
from ostbahn.titles.mag.title import MagTitle
from ostbahn.titles.mag.words.face import mag_table

CARS: Final = {"off_board": "off-board car", "plus": "plus-train", "mine": "mine car"}
SERVICES: Final = {
    "terrain": "terrain",
    "extra_tile": "extra tile",
    "station": "stations",
    "red_to_red": "trains from red to red",
}
SERVICE: Final = (300.0, 142.0)


def services_picture(game: Game, theme: Theme = LIGHT) -> str:
    """Each major with what minors pay it for; rail cars with their prices by phase."""
    title = mag_table(game).title
    cards = [draw_services(title, major, theme) for major in title.companies]
    return sheet(cards, SERVICE, 3, f"{full_name(title)}: what majors sell", theme)


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
        elif name == "red_to_red":
            bonus = ", ".join(f"{phase} {spec.red_to_red}" for phase, spec in title.phases.items())
            found.append(f"Trains from one red area to another earn more ({bonus}), and the bank pays it the same.")
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
        box(0, 0, wide, high, theme.card, theme.border),
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


def sells(title: MagTitle, major: str) -> list[str]:
    """What a major lives on."""
    found = [f"{CARS[kind]}s" for kind, spec in rail_cars(title).items() if spec.major == major]
    found += [SERVICES[service] for service, spec in title.services.items() if spec.major == major]
    return found + [f"{face}-trains" for face, stack in title.stacks.items() if stack.seller == major]


def part_words(part: tuple[int, int]) -> str:
    """1/2 as a part of a price."""
    return "all" if part[0] == part[1] else {(1, 2): "half", (1, 4): "a quarter"}.get(part, f"{part[0]}/{part[1]}")
