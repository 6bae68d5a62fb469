"""New tables: the request, and the form that makes one."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import UNSET, Struct, field, structs

from ostbahn.bots.registry import STRONGEST, all_bots, bots_for_title, built_in, check_bot_plays
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import DEFAULT, SITE, new_game
from ostbahn.server.limits import LONGEST_FIELD
from ostbahn.server.lookalikes import is_reserved, skeleton
from ostbahn.table.access import NotHere
from ostbahn.table.room import HERE, LINK
from ostbahn.table.slots import NONE as NO_CLOCK
from ostbahn.table.slots import TableClock, check_clock, clock_from_code
from ostbahn.views.catalogue import EntryView, ModuleView, RulingView, catalogue_view

LARGEST_SEED: Final = 2**31 - 1
SEED_BYTES: Final = 16
LONGEST_NAME: Final = 40
SLOWEST: Final = 10_000


class NewSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a new game, and who plays the seat."""

    name: str
    who: str = HERE
    """`here`: the host, with the host key. `link`: whoever gets the link of the seat. Otherwise the code of a bot; one
    that searches may have a budget: `S:2000`."""


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new game. Only `title` and `seats` are required; see `/api/catalogue` for the choices."""

    title: str
    variant: str = "base"
    name: str = ""
    """The name of the game in lists; if empty, it is named for its players."""
    seats: tuple[NewSeat, ...]
    """The players, in their order at the table."""
    seed: int | None = None
    """The seed of all chance; null for a random one. Whoever chooses it can foretell all draws."""
    draw_order: bool = True
    preset: str = DEFAULT
    rulings: Mapping[str, str] = field(default_factory=dict)
    """How open questions of the rulebook are ruled: values by id. `preset` decides the others."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Choices of the variant: values by name."""
    modules: tuple[str, ...] = ()
    """The ids of modules of an expansion to play with."""
    board: str | None = None
    deck: str | None = None
    pace: int = 0
    """Milliseconds between two answers of bots, for spectators."""
    ask_all: bool = False
    """Whether questions with only one answer are asked too."""
    hints: bool = True
    """Whether players may ask for hints."""
    listed: bool = False
    """Whether the lobby lists it, so that anybody may take a free seat."""
    watchable: bool = False
    """Whether the lobby lists it, so that anybody may watch."""
    clock: TableClock | None = None
    """How much time players have; null for no clock."""


def game_for(wanted: NewTable) -> Game:
    """A new game, before its first answer."""
    check_seats(wanted.seats, wanted.title)
    if not 0 <= wanted.pace <= SLOWEST:
        raise BadSetup(f"bots take 0 to {SLOWEST} milliseconds between two answers, not {wanted.pace}")
    if wanted.clock is not None:
        check_clock(wanted.clock)
    seed = wanted.seed
    if seed is None:  # with the rulings of 18xx.games, its kind of seed, so that the game can continue there
        seed = secrets.randbelow(LARGEST_SEED) + 1 if wanted.preset == SITE else strong_seed()
    return new_game(
        wanted.title,
        [seat.name.strip() for seat in wanted.seats],
        variant=wanted.variant,
        seed=seed,
        draws=() if wanted.seed is None else UNSET,
        draw_order=wanted.draw_order,
        preset=wanted.preset,
        rulings=wanted.rulings,
        options=wanted.options,
        modules=wanted.modules,
        board=wanted.board,
        deck=wanted.deck,
    )


def strong_seed(secret: bytes = b"") -> int:
    """A seed that draws do not reveal: random, or derived from a secret."""
    return int.from_bytes(b"\x01" + (secret or secrets.token_bytes(SEED_BYTES))[:SEED_BYTES], "big")


def check_seats(seats: tuple[NewSeat, ...], title: str = "") -> None:
    """Refuse names that are too long, and bots that do not exist or cannot play the title."""
    for seat in seats:
        if len(seat.name) > LONGEST_NAME:
            raise BadSetup(f"names have at most {LONGEST_NAME} letters; {seat.name[:LONGEST_NAME]}… has more")
        if seat.who not in (HERE, LINK):
            built_in(seat.who, seed=1)  # raises if there is no such bot
            check_bot_plays(seat.who, title)


class ModuleChoice(Struct, frozen=True):
    """A module in the form."""

    module: ModuleView
    chosen: bool
    exclusion_reason: str  # why it does not fit the other choices; empty if it does


def module_choices(entry: EntryView, chosen: Collection[str], players: int) -> tuple[ModuleChoice, ...]:
    return tuple(
        ModuleChoice(module, module.id in chosen, exclusion_reason(entry, module, chosen, players))
        for module in entry.modules
    )


def exclusion_reason(entry: EntryView, module: ModuleView, chosen: Collection[str], players: int) -> str:
    if players not in module.players:
        fewest, most = module.players[0], module.players[-1]
        return f"Not with {players} players: it is for {fewest if fewest == most else f'{fewest} to {most}'}."
    others = [other.name for other in entry.modules if other.id in chosen and other.id in module.excludes]
    return f"Not together with {' and '.join(others)}." if others else ""


def compatible_modules(entry: EntryView, chosen: Collection[str], players: int) -> tuple[str, ...]:
    """The chosen modules that can be played together: of two that exclude each other the first."""
    compatible: tuple[str, ...] = ()
    for module in entry.modules:
        if module.id in chosen and not exclusion_reason(entry, module, compatible, players):
            compatible += (module.id,)
    return compatible


def rulings_with(entry: EntryView, chosen: Collection[str]) -> list[tuple[RulingView, str]]:
    """The rulings of a variant and then of the chosen modules, each with the name of its module."""
    own = [(ruling, "") for ruling in entry.rulings]
    return own + [(ruling, module.name) for module in entry.modules if module.id in chosen for ruling in module.rulings]


NAMES: Final = ("Anna", "Božena", "Cyril", "Dora", "Emil", "František")
BOTS: Final = "bots"  # the form's value for opponents who are bots
USUAL_PLAYERS: Final = 3  # as far as the title allows
WATCHING_PACE: Final = 1000
PACES: Final = {
    "0": "as fast as they can",
    "500": "half a second",
    "1000": "a second",
    "2000": "two seconds",
    "5000": "five seconds",
}

Fields = Mapping[str, str]


class NewForm(Struct, frozen=True, kw_only=True):
    """The content of the form."""

    entry: EntryView
    name: str
    seats: tuple[NewSeat, ...]
    seed: str
    pace: str
    order: str
    preset: str
    rulings: Mapping[str, str]  # those that differ from the preset
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
        return rulings_with(self.entry, self.modules)

    @property
    def others(self) -> str:
        """Who plays all seats but the first: `here`, `link` or `bots`; empty if they differ."""
        kinds = {seat.who if seat.who in (HERE, LINK) else BOTS for seat in self.seats[1:]}
        return kinds.pop() if len(kinds) == 1 else ""

    @property
    def opponent(self) -> str:
        """The first bot among the opponents; otherwise the one that the form suggests."""
        return next((seat.who for seat in self.seats[1:] if seat.who not in (HERE, LINK)), STRONGEST)


def code_of(entry: EntryView) -> str:
    return f"{entry.title}/{entry.variant}"


def entry_by_code(code: str) -> EntryView:
    """A variant by its code, `TITLE/VARIANT`."""
    for entry in catalogue_view():
        if code_of(entry).casefold() == code.casefold():
            return entry
    raise NotHere(f"there is no game {code}; there are {', '.join(map(code_of, catalogue_view()))}")


def read_form(fields: Fields, *, first: str = "", watching: bool = False) -> NewForm:
    """The form as filled in so far. first: the name of the host, who plays unless `watching`."""
    fields = {name: value[:LONGEST_FIELD] for name, value in fields.items()}
    entry = entry_by_code(fields.get("game") or code_of(catalogue_view()[0]))
    modules = modules_in(fields, entry)
    by_text = {str(number): number for number in entry.players}
    players = by_text.get(fields.get("players", ""), default_player_count(entry))
    return NewForm(
        entry=entry,
        name=fields.get("name", ""),
        seats=_seats(fields, players, STRONGEST if watching else HERE, first),
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
    return tuple(_chosen(fields, "module.", [module.id for module in entry.modules]))


def default_player_count(entry: EntryView) -> int:
    return min(entry.players, key=lambda number: abs(number - USUAL_PLAYERS))


def _seats(fields: Fields, number: int, host: str, host_name: str) -> tuple[NewSeat, ...]:
    """The seats of the form, with defaults: the first is the host's, the others are alike."""
    others = fields.get("others", BOTS)
    opponent = others if others in (HERE, LINK) else fields.get("opponent") or STRONGEST
    seats = []
    for seat, name in enumerate(_player_names(host_name or NAMES[0], number), start=1):
        who = fields.get(f"who{seat}") or (host if seat == 1 else opponent)
        seats.append(NewSeat(fields.get(f"seat{seat}", "").strip() or name, who))
    return tuple(seats)


def without_unplayable(form: NewForm) -> NewForm:
    """The form after another choice of variant: replaces bots that cannot play it, drops modules that do not fit."""
    able = {bot.code for group in bots_for_title(form.entry.title).values() for bot in group}
    unable = {bot.code for bot in all_bots()} - able
    seats = tuple(structs.replace(seat, who=STRONGEST) if seat.who in unable else seat for seat in form.seats)
    return structs.replace(form, seats=seats, modules=compatible_modules(form.entry, form.modules, len(seats)))


def _player_names(first: str, number: int) -> tuple[str, ...]:
    others = [name for name in NAMES if skeleton(name) != skeleton(first)]
    return (first, *others)[:number]


def _chosen(fields: Fields, prefix: str, names: list[str]) -> dict[str, str]:
    """The fields `PREFIX NAME` that are filled in, by name."""
    return {name: value for name in names if (value := fields.get(prefix + name))}


def quick_table(entry: EntryView, name: str, watching: bool) -> NewTable:
    """A game with default settings, against bots or to watch them."""
    first = NAMES[0] if watching or not name or is_reserved(name) else name
    seats = [NewSeat(player, STRONGEST) for player in _player_names(first, default_player_count(entry))]
    if not watching:
        seats[0] = NewSeat(first, HERE)
    pace = WATCHING_PACE if watching else 0
    return NewTable(title=entry.title, variant=entry.variant, seats=tuple(seats), pace=pace)


def new_table_of(form: NewForm, board: str | None, deck: str | None) -> NewTable:
    return NewTable(
        title=form.entry.title,
        variant=form.entry.variant,
        name=form.name,
        seats=form.seats,
        seed=_whole_number("The seed", form.seed, LARGEST_SEED) if form.seed else None,
        draw_order=form.order != "given",
        preset=form.preset,
        rulings=form.rulings,
        options=form.options,
        modules=form.modules,
        board=board,
        deck=deck,
        pace=_whole_number("The pace", form.pace or "0", SLOWEST),
        ask_all=form.ask_all,
        hints=not form.no_hints,
        listed=form.listed,
        watchable=form.watchable,
        clock=clock_from_code(form.clock, form.clock_end),
    )


def _whole_number(field_name: str, text: str, highest: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 12 and int(text) <= highest:
        return int(text)
    raise BadSetup(f"{field_name} is a whole number from 0 to {highest}, not {text!r}")
