"""What somebody says who wants a new table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from msgspec import UNSET, Struct, field

from ostbahn.bots.registry import built_in, check_title
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import DEFAULT, SITE, new_game
from ostbahn.table.room import HERE, LINK
from ostbahn.table.slots import TableClock, check

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


def begun(wanted: NewTable) -> Game:
    """The game that is wanted, before its first answer."""
    check_seats(wanted.seats, wanted.title)
    if not 0 <= wanted.pace <= SLOWEST:
        raise BadSetup(f"bots take 0 to {SLOWEST} milliseconds between two answers, not {wanted.pace}")
    if wanted.clock is not None:
        check(wanted.clock)
    return new_game(
        wanted.title,
        [seat.name.strip() for seat in wanted.seats],
        variant=wanted.variant,
        seed=_secret_seed(wanted.preset) if wanted.seed is None else wanted.seed,
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
    """A seed that nobody guesses, whatever draws they have seen; from a secret, the same every time."""
    return int.from_bytes(b"\x01" + (secret or secrets.token_bytes(SEED_BYTES))[:SEED_BYTES], "big")


def _secret_seed(preset: str) -> int:
    """Games under the rulings of 18xx.games draw as that site does, so that they can be played on there."""
    return secrets.randbelow(LARGEST_SEED) + 1 if preset == SITE else strong_seed()


def check_seats(seats: tuple[NewSeat, ...], title: str = "") -> None:
    """Say what is wrong with them; where bots are among them, of which title."""
    for seat in seats:
        if len(seat.name) > LONGEST_NAME:
            raise BadSetup(f"names have at most {LONGEST_NAME} letters; {seat.name[:LONGEST_NAME]}… has more")
        if seat.who not in (HERE, LINK):
            built_in(seat.who, seed=1)  # says what is wrong if there is no such bot
            check_title(seat.who, title)
