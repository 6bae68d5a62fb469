"""The player aid of 18Mag: order of play, phases, trains, payouts and services."""

from __future__ import annotations

from ostbahn.pictures.aids import texts_for
from ostbahn.pictures.cards import able
from ostbahn.pictures.look import NONE, Aid, Section
from ostbahn.titles.mag.pictures.services import service_words
from ostbahn.titles.mag.title import MagTitle
from ostbahn.titles.mag.words.cards import does


def aid(title: MagTitle) -> Aid:
    *tables, services = _sections(title)
    texts = texts_for(title, "ostbahn.titles.mag")
    helpers = [Section("Supporters, once in an Operating Round", _supporters(title))] if title.supporters else []
    return Aid([*texts, services, *helpers, _players(title)], tables)


def _players(title: MagTitle) -> Section:
    """What everybody takes in the first Share Round, and may hold."""
    columns = ["players", "minors", "shares", *(["supporters"] if title.supporters else []), "certificates"]
    rows = [columns]
    for number, spec in title.players.items():
        helpers = [str(spec.supporters)] if title.supporters else []
        rows.append([str(number), str(spec.minors or NONE), str(spec.shares), *helpers, str(spec.certificate_limit)])
    return Section("Players", rows=rows, parts=(2, 2, 2, 3, 3) if title.supporters else (2, 2, 2, 2))


def _supporters(title: MagTitle) -> list[str]:
    return [f"{spec.short}: {does(supporter)}." for supporter, spec in title.supporters.items()]


def _sections(title: MagTitle) -> list[Section]:
    red = any(spec.red_to_red for spec in title.phases.values())
    phases = [["phase", "rounds", "rail cars", "off-board", *(["red to red"] if red else [])]]
    for name, spec in title.phases.items():
        row = [name, str(spec.operating_rounds), ", ".join(map(str, spec.rail_cars)), f"+{spec.off_board_bonus}"]
        phases.append([*row, *([f"+{spec.red_to_red}"] if red else [])])
    trains = [["train", "price", "sold by", "as a plus-train"]] + [
        [face, f"{stack.price} Ft", stack.seller, able(title.train_faces[stack.plus])]
        for face, stack in title.stacks.items()
    ]
    lowest = [None, *(payout.up_to for payout in title.payouts)]
    payouts = [["paid out", "spaces"]] + [
        [_payout(below, payout.up_to), f"{payout.spaces:+d}" if payout.spaces else "0"]
        for below, payout in zip(lowest, title.payouts, strict=False)
    ]
    services = [
        f"{major}: {' '.join(word for word in service_words(title, major) if '-trains:' not in word)}"
        for major in title.companies
        if any("-trains:" not in word for word in service_words(title, major))
    ]
    markers = ", ".join(map(str, title.major.marker_prices))
    services.append(f"Markers of majors: {markers} Ft to the bank; each adds {title.major.marker_bonus} to its city.")
    services.append(f"Minors own at most {title.minor.train_limit} trains. Trains are never scrapped by others.")
    return [
        Section("Phases", rows=phases, parts=(4, 4, 5, 5, 5) if red else (2, 2, 3, 2)),
        Section("Trains", rows=trains, parts=(2, 2, 3, 4)),
        Section("Payouts of majors", rows=payouts, parts=(3, 2)),
        Section("Services", services),
    ]


def _payout(below: int | None, up_to: int | None) -> str:
    if up_to is None:
        return f"more than {below} Ft"
    return f"{up_to} Ft" if below is None else f"up to {up_to} Ft"
