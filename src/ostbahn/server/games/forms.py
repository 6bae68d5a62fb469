"""The form for a new game: what somebody has chosen so far, and the table that is wanted.

The same fields come by GET, when the form is shown again for another variant, and by POST, when the game shall begin.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, structs

from ostbahn.bots.registry import STRONGEST, all_bots, offered
from ostbahn.kernel.errors import BadSetup
from ostbahn.kits.catalogue import DEFAULT
from ostbahn.server.games.module_choice import ModuleChoice, module_choices, playable, rulings_with
from ostbahn.server.games.new_table import LARGEST_SEED, NewSeat, NewTable
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.lookalikes import is_reserved, skeleton
from ostbahn.table.access import NotHere
from ostbahn.table.room import HERE, LINK
from ostbahn.table.slots import NONE as NO_CLOCK
from ostbahn.table.slots import clock_coded
from ostbahn.views.setup import EntryView, RulingView, catalogue_view

NAMES: Final = ("Anna", "Božena", "Cyril", "Dora", "Emil", "František")
"""What players are called until somebody says otherwise."""
BOTS: Final = "bots"
"""What the others are if bots play them."""
SENSIBLE: Final = 3
"""How many play where nothing was said, as far as the game allows: enough to be a game, and soon one's turn again."""
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
    modules: tuple[str, ...]
    ask_all: bool
    listed: bool
    watchable: bool
    no_hints: bool
    clock: str
    clock_end: str

    @property
    def game(self) -> str:
        return code_of(self.entry)

    @property
    def module_choices(self) -> tuple[ModuleChoice, ...]:
        return module_choices(self.entry, self.modules, len(self.seats))

    @property
    def open_questions(self) -> list[tuple[RulingView, str]]:
        """What can be ruled, with the module that brings it."""
        return rulings_with(self.entry, self.modules)

    @property
    def others(self) -> str:
        """What all but the first seat are, if that is the same: `here`, `link` or `bots`."""
        kinds = {seat.who if seat.who in (HERE, LINK) else BOTS for seat in self.seats[1:]}
        return kinds.pop() if len(kinds) == 1 else ""

    @property
    def opponent(self) -> str:
        """The bot that the others are, or would be."""
        return next((seat.who for seat in self.seats[1:] if seat.who not in (HERE, LINK)), STRONGEST)


def code_of(entry: EntryView) -> str:
    return f"{entry.title}/{entry.variant}"


def entry_coded(code: str) -> EntryView:
    """A way to play by its code, `TITLE/VARIANT`."""
    for entry in catalogue_view():
        if code_of(entry).casefold() == code.casefold():
            return entry
    raise NotHere(f"there is no game {code}; there are {', '.join(map(code_of, catalogue_view()))}")


def read_form(fields: Fields, *, first: str = "", watching: bool = False) -> NewForm:
    """The form as somebody has filled it in so far; good bots play the seats of which nothing was said.

    first: the name of whoever sets the table up.
    watching: whether they only want to look on.
    """
    fields = {name: value[:LONGEST_FIELD] for name, value in fields.items()}
    entry = entry_coded(fields.get("game") or code_of(catalogue_view()[0]))
    modules = modules_in(fields, entry)
    return NewForm(
        entry=entry,
        name=fields.get("name", ""),
        seats=_seats(fields, _number(fields, entry), STRONGEST if watching else HERE, first),
        seed=fields.get("seed", "").strip(),
        pace=fields.get("pace", str(WATCHING_PACE if watching else 0)),
        order=fields.get("order", "drawn"),
        preset=fields.get("preset", DEFAULT),
        rulings=_chosen(fields, "ruling.", [ruling.id for ruling, _ in rulings_with(entry, modules)]),
        options=_chosen(fields, "option.", [option.name for option in entry.options]),
        modules=modules,
        ask_all="ask_all" in fields,
        listed="listed" in fields,
        watchable="watchable" in fields,
        no_hints="no_hints" in fields,
        clock=fields.get("clock", NO_CLOCK),
        clock_end=fields.get("clock_end", "tell"),
    )


def modules_in(fields: Fields, entry: EntryView) -> tuple[str, ...]:
    """Those that are ticked."""
    return tuple(_chosen(fields, "module.", [module.id for module in entry.modules]))


def _number(fields: Fields, entry: EntryView) -> int:
    """How many play: as was said, or as is sensible."""
    said = fields.get("players", "")
    return next((number for number in entry.players if str(number) == said), sensible(entry))


def sensible(entry: EntryView) -> int:
    """How many play if nothing is said."""
    return min(entry.players, key=lambda number: abs(number - SENSIBLE))


def _seats(fields: Fields, number: int, me: str, first: str) -> tuple[SeatForm, ...]:
    """Whoever sets the table up sits down at it, on the first seat; seats that are added are like the others."""
    others = fields.get("others", BOTS)
    other = others if others in (HERE, LINK) else fields.get("opponent") or STRONGEST
    return tuple(
        SeatForm(
            fields.get(f"seat{seat}", "").strip() or name, fields.get(f"who{seat}") or (me if seat == 1 else other)
        )
        for seat, name in enumerate(_names(first or NAMES[0], number), start=1)
    )


def fitting(form: NewForm) -> NewForm:
    """The form where something else was chosen: a bot that cannot play it gives way to the strongest that can, and
    modules that cannot be played so are left out."""
    able = {bot.code for group in offered(form.entry.title).values() for bot in group}
    unable = {bot.code for bot in all_bots()} - able
    seats = tuple(structs.replace(seat, who=STRONGEST) if seat.who in unable else seat for seat in form.seats)
    return structs.replace(form, seats=seats, modules=playable(form.entry, form.modules, len(seats)))


def _names(first: str, number: int) -> tuple[str, ...]:
    """So many, of which none looks like another."""
    others = [name for name in NAMES if skeleton(name) != skeleton(first)]
    return (first, *others)[:number]


def _chosen(fields: Fields, prefix: str, known: list[str]) -> dict[str, str]:
    return {name: value for name in known if (value := fields.get(prefix + name))}


# The table that is wanted


def quick_table(entry: EntryView, name: str, watching: bool) -> NewTable:
    """A game that is begun by one click: against bots, or to watch them."""
    first = NAMES[0] if watching or not name or is_reserved(name) else name
    seats = [NewSeat(each, STRONGEST) for each in _names(first, sensible(entry))]
    if not watching:
        seats[0] = NewSeat(first, HERE)
    pace = WATCHING_PACE if watching else 0
    return NewTable(title=entry.title, variant=entry.variant, seats=tuple(seats), pace=pace)


def new_table_of(form: NewForm, board: str | None, deck: str | None) -> NewTable:
    """The game that is meant."""
    return NewTable(
        title=form.entry.title,
        variant=form.entry.variant,
        name=form.name,
        seats=tuple(NewSeat(seat.name, seat.who) for seat in form.seats),
        seed=_whole("The seed", form.seed, LARGEST_SEED) if form.seed else None,
        draw_order=form.order != "given",
        preset=form.preset,
        rulings=form.rulings,
        options=form.options,
        modules=form.modules,
        board=board,
        deck=deck,
        pace=_whole("The pace", form.pace or "0", 10_000),
        ask_all=form.ask_all,
        hints=not form.no_hints,
        listed=form.listed,
        watchable=form.watchable,
        clock=clock_coded(form.clock, form.clock_end),
    )


def _whole(what: str, text: str, highest: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= highest:
        return int(text)
    raise BadSetup(f"{what} is a whole number from 0 to {highest}, not {text!r}")
