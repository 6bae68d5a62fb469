"""The form for a new game: what somebody has chosen so far, and the plan that comes of it.

The same fields come by GET, when the form is shown again for another variant, and by POST, when the game shall begin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from ostbahn.bots.registry import known
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import DEFAULT
from ostbahn.server.faults import NotHere
from ostbahn.server.play.plans import HERE, LARGEST_SEED, LINK, Plan, SeatPlan
from ostbahn.server.sent import LONGEST_FIELD
from ostbahn.views.setup import EntryView, catalogue_view

NAMES: Final = ("Anna", "Božena", "Cyril", "Dora", "Emil", "František")
"""What players are called until somebody says otherwise."""
WATCHING_PACE: Final = 1000
PACES: Final = {
    "0": "as fast as they can",
    "500": "half a second",
    "1000": "a second",
    "2000": "two seconds",
    "5000": "five seconds",
}

Fields = Mapping[str, str]


class SeatForm(Struct, frozen=True):
    name: str
    who: str


class NewForm(Struct, frozen=True, kw_only=True):
    """What stands in the form."""

    entry: EntryView
    name: str
    seats: tuple[SeatForm, ...]
    seed: str
    pace: str
    order: str
    preset: str
    rulings: Mapping[str, str]
    """Only those that are ruled otherwise than by the preset."""
    options: Mapping[str, str]
    ask_all: bool

    @property
    def game(self) -> str:
        return code_of(self.entry)


def code_of(entry: EntryView) -> str:
    return f"{entry.title}/{entry.variant}"


def entry_coded(code: str) -> EntryView:
    """A way to play by its code, `TITLE/VARIANT`."""
    for entry in catalogue_view():
        if code_of(entry).casefold() == code.casefold():
            return entry
    raise NotHere(f"there is no game {code}; there are {', '.join(map(code_of, catalogue_view()))}")


def read_form(fields: Fields, *, who: str = HERE, first: str = "", pace: int = 0) -> NewForm:
    """The form as somebody has filled it in so far; `who` plays the seats of which nothing was said."""
    fields = {name: value[:LONGEST_FIELD] for name, value in fields.items()}
    entry = entry_coded(fields.get("game") or code_of(catalogue_view()[0]))
    return NewForm(
        entry=entry,
        name=fields.get("name", ""),
        seats=_seats(fields, _number(fields, entry), who, first),
        seed=fields.get("seed", "").strip(),
        pace=fields.get("pace", str(pace)),
        order=fields.get("order", "drawn"),
        preset=fields.get("preset", DEFAULT),
        rulings=_chosen(fields, "ruling.", [ruling.id for ruling in entry.rulings]),
        options=_chosen(fields, "option.", [option.name for option in entry.options]),
        ask_all="ask_all" in fields,
    )


def _number(fields: Fields, entry: EntryView) -> int:
    """How many play: as was said, or as many as there have to be."""
    said = fields.get("players", "")
    return next((number for number in entry.players if str(number) == said), entry.players[0])


def _seats(fields: Fields, number: int, who: str, first: str) -> tuple[SeatForm, ...]:
    """Whoever sets the table up sits down at it, even where the others come by link."""
    names = dict(enumerate(dict.fromkeys((first or NAMES[0], *NAMES)), start=1))
    plays = {1: HERE if who == LINK else who}
    return tuple(
        SeatForm(
            fields.get(f"seat{seat}", "").strip() or names[seat],
            fields.get(f"who{seat}") or plays.get(seat, who),
        )
        for seat in range(1, number + 1)
    )


def _chosen(fields: Fields, prefix: str, known: list[str]) -> dict[str, str]:
    return {name: value for name in known if (value := fields.get(prefix + name))}


def bot_codes() -> list[str]:
    return [code for code, _ in known()]


# The plan


def plan_of(form: NewForm, board: str | None, deck: str | None) -> Plan:
    """The game that is meant."""
    return Plan(
        title=form.entry.title,
        variant=form.entry.variant,
        name=form.name,
        seats=tuple(SeatPlan(seat.name, seat.who) for seat in form.seats),
        seed=_whole("The seed", form.seed, LARGEST_SEED) if form.seed else None,
        draw_order=form.order != "given",
        preset=form.preset,
        rulings=form.rulings,
        options=form.options,
        board=board,
        deck=deck,
        pace=_whole("The pace", form.pace or "0", 10_000),
        ask_all=form.ask_all,
    )


def _whole(what: str, text: str, highest: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= highest:
        return int(text)
    raise BadSetup(f"{what} is a whole number from 0 to {highest}, not {text!r}")
