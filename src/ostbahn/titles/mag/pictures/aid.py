"""The player aid of 18Mag: order of play, phases, trains, payouts and services."""

from __future__ import annotations

from ostbahn.pictures.aids import texts_for
from ostbahn.pictures.cards import able
from ostbahn.pictures.look import NONE, Aid, Section
from ostbahn.titles.mag.pictures.services import service_words
from ostbahn.titles.mag.title import MagTitle


def aid(title: MagTitle) -> Aid:
    rows = [["players", "minors", "shares", "certificates"]] + [
        [str(number), str(spec.minors or NONE), str(spec.shares), str(spec.certificate_limit)]
        for number, spec in title.players.items()
    ]
    *tables, services = _sections(title)
    texts = texts_for(title, "ostbahn.titles.mag")
    return Aid([*texts, services, Section("Players", rows=rows, parts=(2, 2, 2, 2))], tables)


def _sections(title: MagTitle) -> list[Section]:
    phases = [["phase", "rounds", "rail cars", "off-board"]] + [
        [name, str(spec.operating_rounds), ", ".join(map(str, spec.rail_cars)), f"+{spec.off_board_bonus}"]
        for name, spec in title.phases.items()
    ]
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
        Section("Phases", rows=phases, parts=(2, 2, 3, 2)),
        Section("Trains", rows=trains, parts=(2, 2, 3, 4)),
        Section("Payouts of majors", rows=payouts, parts=(3, 2)),
        Section("Services", services),
    ]


def _payout(below: int | None, up_to: int | None) -> str:
    if up_to is None:
        return f"more than {below} Ft"
    return f"{up_to} Ft" if below is None else f"up to {up_to} Ft"
