"""Pictures of 18Mag: charters, phases and rounds, train cards, services of majors, and the player aid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ostbahn.eighteen.pictures import MARGIN, director_words, face_reach, income_words, price_words, station_names
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import city_id, place_name
from ostbahn.kernel.money import BANK, holding
from ostbahn.pictures.aids import aid_sections
from ostbahn.pictures.board_style import (
    NONE,
    Aid,
    AidSection,
    BoardStyle,
    Charter,
    PictureKind,
    full_name,
    marks_of,
    money,
)
from ostbahn.pictures.cards import TRAIN, sheet
from ostbahn.pictures.svg import (
    banner,
    box,
    circle,
    company_disc,
    element,
    group,
    heading,
    label_strip,
    line,
    muted,
    number,
    page,
    paragraph,
    pill,
    title_tag,
)
from ostbahn.pictures.terrain import Land, LandFile
from ostbahn.pictures.themes import LIGHT, Mark, Theme, ink_on, mark
from ostbahn.titles.mag.actions import Car
from ostbahn.titles.mag.modules.supporters_table import supporters_file
from ostbahn.titles.mag.rounds import current_set
from ostbahn.titles.mag.state import MagTable
from ostbahn.titles.mag.title import MagTitle, PhaseSpec, load_data
from ostbahn.titles.mag.words.cards import supporter_effect
from ostbahn.titles.mag.words.text_renderer import mag_table

MARKER_LABELS: Final = {
    "RÁBA": "RÁ",
    "G&C": "GC",
    "SNW": "SN",
    "SIK": "SI",
    "SzKÉV": "SK",
    "LdStEG": "Ld",
    "MÁVAG": "MÁ",
    "CIWL": "CI",
}
"""Labels of majors on their markers."""
START_CARD: Final = "#b7c9a8"
PHASE_BOX_SIZE: Final = (178.0, 134.0)


class MagBoardStyle(BoardStyle[MagTitle, MagTable]):
    picture_kinds: Mapping[str, PictureKind] = {
        "services": PictureKind(lambda game, _, theme: services_picture(game, theme), "what majors of 18Mag sell")
    }

    def marks(self, title: MagTitle) -> Mapping[str, Mark]:
        colours = LIGHT.companies
        majors = {id_: mark(MARKER_LABELS[id_], major.colour) for id_, major in title.companies.items()}
        return {**majors, **{id_: mark(id_, colours[(int(id_) - 1) % len(colours)]) for id_ in title.minors}}

    def phase_colour(self, table: MagTable) -> str:
        return table.state.phase

    def awaited_homes(self, table: MagTable) -> Mapping[str, Sequence[str]]:
        """Home cities of minors that can still be drafted (V/7)."""
        minors, owners = table.title.minors, table.state.owners
        waiting = [id_ for id_ in minors if owners.get(id_) == BANK]
        return {city_id(minors[id_].home.hex, minors[id_].home.node): (id_,) for id_ in waiting}

    def land(self, title: MagTitle) -> Land:
        return Land(title.map, load_data("land.toml" if title.variant == "base" else "land_two_player.toml", LandFile))

    def start_marks(self, title: MagTitle, price: int) -> Sequence[tuple[str, str]]:
        count = title.chart.start_cards.count(price)
        return [(f"×{count}", START_CARD)] if count else []

    def start_legend(self, title: MagTitle) -> str:
        return "×2: two start cards show the price"

    def process(self, table: MagTable, theme: Theme) -> str:
        """Picture of phases, rounds and train stacks."""
        title = table.title
        box_width, box_height = PHASE_BOX_SIZE
        width = 2 * MARGIN + max(len(title.phases), len(title.stacks)) * (box_width + 10) - 10
        parts = [
            heading(f"{full_name(title)} phases and rounds", MARGIN, 34, theme),
            line(round_words(table), width - MARGIN, 34, 15, theme.ink, anchor="end", width=width * 0.5, bold=True),
        ]
        for index, (name, spec) in enumerate(title.phases.items()):
            parts.append(_draw_phase_box(table, name, spec, MARGIN + index * (box_width + 10), 52, theme))
        y = 52 + box_height + 32
        parts.append(heading("Train stacks", MARGIN, y, theme, 16))
        for index, face in enumerate(title.stacks):
            parts.append(_draw_stack(table, face, MARGIN + index * (box_width + 10), y + 12, box_width, 130, theme))
        return page(width, y + 12 + 130 + MARGIN, parts, theme, f"Phases of {full_name(title)}", round_words(table))

    def in_play(self, table: MagTable) -> list[str]:
        """Minors first, as they act first, then majors by price."""
        owned = [minor for minor in table.title.minors if table.state.owners.get(minor, BANK) != BANK]
        return owned + super().in_play(table)

    def charter(self, table: MagTable, company: str) -> Charter:
        return _minor_charter(table, company) if company in table.title.minors else _major_charter(table, company)

    def train_cards(self, table: MagTable, theme: Theme) -> list[str]:
        return [_draw_train_card(table, face, theme) for face in table.title.stacks]

    def aid(self, title: MagTitle) -> Aid:
        *tables, services = _rule_sections(title)
        texts = aid_sections(title, "ostbahn.titles.mag")
        supporters = [f"{spec.short}: {supporter_effect(supporter)}." for supporter, spec in title.supporters.items()]
        helpers = [AidSection("Supporters, once in an Operating Round", supporters)] if supporters else []
        return Aid([*texts, services, *helpers, _players_section(title)], tables)


BOARD_STYLE: Final = MagBoardStyle()


def _minor_charter(table: MagTable, minor: str) -> Charter:
    state, spec, defaults = table.state, table.title.minors[minor], table.title.minor
    owner = state.owners.get(minor)
    is_owned = owner is not None and owner != BANK
    token_count = state.terrain_tokens.get(minor, spec.terrain_tokens)
    facts = [
        ("owner", table.name(owner) if is_owned else "nobody yet"),
        ("treasury", money(table.title, state.cash.get(minor, 0)) if is_owned else NONE),
        ("last income", income_words(table, minor)),
        ("home", place_name(table.title, f"{spec.home.hex}.{spec.home.node}")),
    ]
    prices_left = list(defaults.station_prices)
    if minor in state.markers:
        prices_left = prices_left[len(prices_left) - min(state.markers[minor], len(prices_left)) :]
    return Charter(
        id=minor,
        name=spec.name,
        kind=f"minor {minor} ({spec.short})",
        facts=facts,
        trains=state.trains.get(minor, ()),
        limit=defaults.train_limit,
        stations=station_names(table, minor),
        left=prices_left,
        asides=("terrain tokens", [("▲", False)] * token_count),
    )


def _major_charter(table: MagTable, major: str) -> Charter:
    state, title = table.state, table.title
    facts = [
        ("director", director_words(table, major)),
        ("share price", price_words(table, major)),
        ("treasury", money(title, state.cash[major])),
        ("last payout", income_words(table, major)),
        ("bank holds", f"{holding(table, BANK, major)} %"),
    ]
    prices = title.major.marker_prices
    return Charter(
        id=major,
        name=title.companies[major].name,
        kind="major",
        facts=facts,
        trains=(),
        limit=0,
        stations=station_names(table, major),
        left=prices[len(prices) - state.markers[major] :],
        asides=("sells", [(goods, False) for goods in sells(title, major)]),
    )


# Phases, rounds and train stacks


def round_words(table: MagTable) -> str:
    """Words for the present round and its set."""
    present = current_set(table)
    if not table.state.agenda:
        return "the game is over"
    if present is None or not present.round:
        return "First share round" if table.state.round == "PRE" else f"Share round {table.state.round[3:]}"
    words = f"Operating round {present.round} of {present.length}"
    if table.state.phase_began:
        return f"{words}, the last of its set"
    return f"{words}, last set" if present.last else words


def _draw_phase_box(table: MagTable, name: str, spec: PhaseSpec, x: float, y: float, theme: Theme) -> str:
    width, height = PHASE_BOX_SIZE
    is_current = name == table.state.phase and bool(table.state.agenda)
    fill = theme.tiles[name]
    ink = ink_on(fill)
    edge, weight = (theme.highlight, 4) if is_current else (theme.border, 1)
    cars, bonuses = ", ".join(map(str, spec.rail_cars)), f"off-board car +{spec.off_board_bonus}"
    if spec.red_to_red:  # M.4/8
        bonuses = f"off-board +{spec.off_board_bonus}, red to red +{spec.red_to_red}"
    parts = [
        title_tag(f"{name} phase{', now' if is_current else ''}"),
        box(x, y, width, height, fill, edge, weight=weight, round=8),
        line(name, x + 12, y + 24, 17, ink, bold=True),
        _draw_rounds(table, name, spec, x + 14, y + 46, theme),
        line(f"rail cars {cars} {table.title.currency}", x + 12, y + 93, 12, ink, width=width - 20),
        line(bonuses, x + 12, y + 109, 12, ink, width=width - 20),
    ]
    if spec.final:
        parts.append(line("the set in it is the last", x + 12, y + 125, 12, ink, width=width - 20, bold=True))
    if is_current:
        parts.append(label_strip("now", x + width - 50, y + 10, theme.highlight, 40, 11))
    return group(parts, id=f"phase-{name}", class_="now" if is_current else None)


def _draw_rounds(table: MagTable, name: str, spec: PhaseSpec, x: float, y: float, theme: Theme) -> str:
    """Draw a disc for each Operating Round of a set, filled if begun in this phase; a set keeps its length."""
    present = current_set(table)
    begun, length = 0, spec.operating_rounds
    if present is not None and present.round and name == table.state.phase and not table.state.phase_began:
        begun, length = present.round, present.length
    ink = ink_on(theme.tiles[name])
    parts = []
    for index in range(length):
        centre = x + 10 + index * 30
        last = index + 1 == begun
        parts.append(circle(centre, y, 11, theme.highlight if last else ink if index < begun else "none", ink, 1.5))
        colour = ink_on(theme.highlight) if last else theme.tiles[name] if index < begun else ink
        parts.append(line(str(index + 1), centre, y + 4.5, 12, colour, anchor="middle", bold=True))
    words = "operating round" if length == 1 else "operating rounds"
    return "".join(parts) + line(words, x - 2, y + 28, 12, ink)


def _draw_stack(table: MagTable, face: str, x: float, y: float, width: float, height: float, theme: Theme) -> str:
    """Draw a train stack with its round indicator tile and no-train-sold tokens."""
    title, state = table.title, table.state
    spec = title.stacks[face]
    has_indicator = face in state.indicators
    parts = [title_tag(f"{face}-trains, {money(title, spec.price)}{', round indicator tile' if has_indicator else ''}")]
    for shift in (6.0, 3.0, 0.0):
        parts.append(box(x + shift, y + shift, width - 6, height - 6, theme.card, theme.border, round=8))
    parts += [
        line(face, x + 14, y + 36, 30, theme.ink, bold=True),
        line(money(title, spec.price), x + width - 18, y + 30, 16, theme.ink, anchor="end", bold=True),
        pill(marks_of(title)[spec.seller], spec.seller, x + width - 82, y + 40, 64, 18, theme),
    ]
    if has_indicator:
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
    holds_tokens = face in state.indicators[:1] and not table.phase.final
    if holds_tokens:
        parts.append(_draw_no_train_tokens(table, x + 12, y + 106, theme))
    return group(parts, id=f"stack-{face}")


def _draw_no_train_tokens(table: MagTable, x: float, y: float, theme: Theme) -> str:
    """Draw the no-train-sold tokens; the last one begins the next phase."""
    parts = [title_tag(f"{table.state.no_train} of {table.title.no_train_tokens} no-train-sold tokens")]
    for index in range(table.title.no_train_tokens):
        is_placed = index < table.state.no_train
        parts.append(
            element(
                "circle",
                cx=x + 8 + index * 20,
                cy=y,
                r=8,
                fill=theme.tiles["red"] if is_placed else "none",
                stroke=theme.ink if is_placed else theme.faint,
                stroke_width=1.2,
                stroke_dasharray=None if is_placed else "3 2",
                class_="token" if is_placed else None,
            )
        )
    right = x + 20 * table.title.no_train_tokens + 4
    return group([*parts, line("no train sold", right, y + 4, 11, muted(theme), width=80)], id="no-train-sold")


# Train cards: endless stacks and their sellers


def _draw_train_card(table: MagTable, face: str, theme: Theme) -> str:
    """Draw the card of a train, whose stack never runs out."""
    title, (width, height) = table.title, TRAIN
    spec, faces = title.stacks[face], title.train_faces
    mark = marks_of(title)[spec.seller]
    has_indicator = face in table.state.indicators
    rows = [
        (f"as {spec.plus}", face_reach(faces[spec.plus])),
        ("sold by", f"{spec.seller}, gets {part_words(spec.part)}"),
        ("taken so far", str(table.state.cards.get(face, 0))),
        ("phase", "first sale begins one" if has_indicator else "begins none"),
    ]
    kando = f"; Kandó {money(title, supporters_file().kando[face])}" if title.supporters else ""
    parts = [
        title_tag(f"{face}-trains, {money(title, spec.price)}"),
        box(0, 0, width, height, theme.card, theme.border),
        line(face, 14, 40, 34, theme.ink, bold=True),
        line(money(title, spec.price), width - 14, 30, 20, theme.ink, anchor="end", bold=True),
        line(f"{face_reach(faces[face])}{kando}", width - 14, 48, 12, muted(theme), anchor="end", width=width - 100),
        company_disc(mark, 66, 31, 16, theme),
    ]
    for index, (name, value) in enumerate(rows):
        y = 84 + index * 26
        rule = element("path", d=f"M14 {number(y - 17)}H{number(width - 14)}", stroke=theme.border, stroke_width=0.7)
        parts += [rule, line(name, 14, y, 11, muted(theme), width=70)]
        parts.append(line(value, width - 14, y, 12, theme.ink, anchor="end", width=width - 104))
    return group(parts, id=f"train-{face}")


# Services of majors

CAR_WORDS: Final = {"off_board": "off-board car", "plus": "plus-train", "mine": "mine car"}
SERVICE_WORDS: Final = {
    "terrain": "terrain",
    "extra_tile": "extra tile",
    "station": "stations",
    "red_to_red": "trains from red to red",
}
SERVICE_CARD_SIZE: Final = (300.0, 142.0)


def services_picture(game: Game, theme: Theme = LIGHT) -> str:
    """Cards of the majors with their services, and prices of rail cars by phase."""
    title = mag_table(game).title
    cards = [draw_services(title, major, theme) for major in title.companies]
    return sheet(cards, SERVICE_CARD_SIZE, 3, f"{full_name(title)}: what majors sell", theme)


def service_words(title: MagTitle, major: str) -> list[str]:
    """A sentence for each service of a major."""
    off_board = ", ".join(f"{phase} {spec.off_board_bonus}" for phase, spec in title.phases.items())
    car_effects: Mapping[Car, str] = {
        "off_board": f"adds to an off-board area ({off_board})",
        "plus": "a train runs to as many more towns",
        "mine": "a train runs to a mine as well",
    }
    sentences = []
    for name, spec in title.services.items():
        if spec.major != major:
            continue
        if name == "terrain":
            sentences.append(f"Terrain: {money(title, spec.price_per_symbol)} for each symbol.")
        elif name == "extra_tile":
            sentences.append(f"A second yellow tile in a turn: {money(title, spec.price)}.")
        elif name == "red_to_red":
            bonus = ", ".join(f"{phase} {spec.red_to_red}" for phase, spec in title.phases.items())
            sentences.append(f"Trains from one red area to another earn more ({bonus}), and the bank pays it the same.")
        else:
            prices = ", ".join(map(str, title.minor.station_prices))
            sentences.append(f"Stations of minors: {prices} Ft, of which it gets {part_words(spec.part)}.")
    for kind, spec in title.rail_cars.items():
        if spec.major == major:
            sentences.append(f"{CAR_WORDS[kind].capitalize()}: {car_effects[kind]}.")
    for face, stack in title.stacks.items():
        if stack.seller == major:
            sentences.append(f"{face}-trains: {money(title, stack.price)}, of which it gets {part_words(stack.part)}.")
    return sentences


def draw_services(title: MagTitle, major: str, theme: Theme) -> str:
    (width, height), mark = SERVICE_CARD_SIZE, marks_of(title)[major]
    parts = [
        title_tag(f"{major} sells"),
        box(0, 0, width, height, theme.card, theme.border),
        banner(0, 0, width, 44, mark.colour),
        line(major, 12, 20, 16, mark.ink, bold=True),
        line(title.companies[major].name, 12, 36, 11.5, mark.ink, width=width - 24),
    ]
    y = 63.0
    sentences = service_words(title, major)
    if any(spec.major == major for spec in title.rail_cars.values()):
        prices = "; ".join(f"{phase} {', '.join(map(str, spec.rail_cars))}" for phase, spec in title.phases.items())
        sentences.append(f"Prices of the cars of a turn: {prices} Ft.")
    for sentence in sentences:
        text = paragraph(sentence, 12, y, 12, theme.ink, width - 24)
        parts.append(text.svg)
        y = text.below + 2
    return group(parts, id=f"services-{major}")


def sells(title: MagTitle, major: str) -> list[str]:
    """Short names of the goods that a major sells."""
    goods = [f"{CAR_WORDS[kind]}s" for kind, spec in title.rail_cars.items() if spec.major == major]
    goods += [SERVICE_WORDS[service] for service, spec in title.services.items() if spec.major == major]
    return goods + [f"{face}-trains" for face, stack in title.stacks.items() if stack.seller == major]


def part_words(part: tuple[int, int]) -> str:
    """Words for a part of a price, such as "half"."""
    return "all" if part[0] == part[1] else {(1, 2): "half", (1, 4): "a quarter"}.get(part, f"{part[0]}/{part[1]}")


def _players_section(title: MagTitle) -> AidSection:
    """Draft quotas and certificate limits by number of players."""
    columns = ["players", "minors", "shares", *(["supporters"] if title.supporters else []), "certificates"]
    rows = [columns]
    for players, spec in title.players.items():
        quota = [str(spec.supporters)] if title.supporters else []
        rows.append([str(players), str(spec.minors or NONE), str(spec.shares), *quota, str(spec.certificate_limit)])
    return AidSection("Players", rows=rows, parts=(2, 2, 2, 3, 3) if title.supporters else (2, 2, 2, 2))


def _rule_sections(title: MagTitle) -> list[AidSection]:
    has_red_to_red = any(spec.red_to_red for spec in title.phases.values())
    phases = [["phase", "rounds", "rail cars", "off-board", *(["red to red"] if has_red_to_red else [])]]
    for name, spec in title.phases.items():
        row = [name, str(spec.operating_rounds), ", ".join(map(str, spec.rail_cars)), f"+{spec.off_board_bonus}"]
        phases.append([*row, *([f"+{spec.red_to_red}"] if has_red_to_red else [])])
    trains = [["train", "price", "sold by", "as a plus-train"]] + [
        [face, f"{stack.price} Ft", stack.seller, face_reach(title.train_faces[stack.plus])]
        for face, stack in title.stacks.items()
    ]
    lowest = [None, *(payout.up_to for payout in title.payouts)]
    payouts = [["paid out", "spaces"]] + [
        [_payout_range(lower, payout.up_to), f"{payout.spaces:+d}" if payout.spaces else "0"]
        for lower, payout in zip(lowest, title.payouts, strict=False)
    ]
    services = [
        f"{major}: {' '.join(sentence for sentence in service_words(title, major) if '-trains:' not in sentence)}"
        for major in title.companies
        if any("-trains:" not in sentence for sentence in service_words(title, major))
    ]
    markers = ", ".join(map(str, title.major.marker_prices))
    services.append(f"Markers of majors: {markers} Ft to the bank; each adds {title.major.marker_bonus} to its city.")
    services.append(f"Minors own at most {title.minor.train_limit} trains. Trains are never scrapped by others.")
    return [
        AidSection("Phases", rows=phases, parts=(4, 4, 5, 5, 5) if has_red_to_red else (2, 2, 3, 2)),
        AidSection("Trains", rows=trains, parts=(2, 2, 3, 4)),
        AidSection("Payouts of majors", rows=payouts, parts=(3, 2)),
        AidSection("Services", services),
    ]


def _payout_range(lower: int | None, up_to: int | None) -> str:
    if up_to is None:
        return f"more than {lower} Ft"
    return f"{up_to} Ft" if lower is None else f"up to {up_to} Ft"
