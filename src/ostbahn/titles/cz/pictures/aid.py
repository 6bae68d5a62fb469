"""The player aid of 18CZ: order of play, phases, companies, trains and prices."""

from __future__ import annotations

from ostbahn.pictures.aids import texts_for
from ostbahn.pictures.cards import able
from ostbahn.pictures.look import NONE, Aid, Section
from ostbahn.titles.cz.title import CzTitle


def aid(title: CzTitle) -> Aid:
    rows = [["players", "cash", "certificates"]] + [
        [str(number), f"{spec.cash} K", str(spec.certificate_limit)] for number, spec in title.players.items()
    ]
    *tables, prices = _sections(title)
    texts = texts_for(title, "ostbahn.titles.cz")
    return Aid([*texts, prices, Section("Players", rows=rows, parts=(2, 2, 2))], tables)


def terrain_words(title: CzTitle) -> list[str]:
    """What terrain costs, cheapest first."""
    costs = {hex_.printed.terrain: hex_.printed.cost for hex_ in title.map if hex_.printed.terrain}
    return [f"{terrain} {cost} K" for terrain, cost in sorted(costs.items(), key=lambda row: row[1])]


def _sections(title: CzTitle) -> list[Section]:
    sizes = list(title.sizes)
    phases = [["phase", "tiles", *sizes]] + [
        [letter, phase.colour, *(str(phase.train_limit.get(size, NONE)) for size in sizes)]
        for letter, phase in title.phases.items()
    ]
    companies = [["companies", *sizes]]
    specs = [title.sizes[size] for size in sizes]
    companies += [
        ["certificates %", *(_few(spec.certificates) for spec in specs)],
        ["start prices", *(f"{min(spec.start_prices)}–{max(spec.start_prices)}" for spec in specs)],
        ["capital", *(f"{spec.capital} × price" for spec in specs)],
        ["hold at most", *(f"{spec.holding_limit} %" for spec in specs)],
        ["markers", *(str(spec.markers) for spec in specs)],
        ["from phase", *(spec.opens_in_phase for spec in specs)],
        ["dividend", *(f"+{spec.price_steps}" for spec in specs)],
    ]
    stations = title.station_prices
    prices = [
        f"Stations: home free, then {stations.first} K, further ones {stations.further} K.",
        f"First tile on terrain: {', '.join(terrain_words(title))}.",
        f"Bonus {title.home_bonus} K for "
        + ("red tiles, to trains that collect it." if title.bonus_everywhere else "the own red home tile."),
        f"Companies may buy Local Railways from phase {title.locals_open_in_phase} on.",
    ]
    return [
        Section("Phases: tiles and train limits", rows=phases, parts=(2, 2, *(2 for _ in sizes))),
        Section("Companies", rows=companies, parts=(2, *(2 for _ in sizes))),
        Section("Trains", rows=_train_rows(title), parts=(3, 3, 6, 3, 4)),
        Section("Prices", prices),
    ]


def _few(certificates: tuple[int, ...]) -> str:
    """20, 8 × 10 instead of nine numbers."""
    first, *rest = certificates
    return f"{first}, {len(rest)} × {rest[0]}"


def _train_rows(title: CzTitle) -> list[list[str]]:
    rows = [["train", "cards", "reaches", "price", "scraps"]]
    for face, spec in title.train_faces.items():
        letters = [letter for letter, card in title.stack.spec.items() if face in card.faces]
        price = f"{title.stack.spec[letters[0]].faces[face]} K" if letters else NONE
        rows.append([face, " ".join(letters) or "paper", able(spec), price, ", ".join(spec.scraps) or NONE])
    return rows
