"""What somebody says who wants a new table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from ostbahn.bots.registry import built_in, check_title
from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import DEFAULT, new_game

HERE: Final = "here"
"""A seat that is played with the key of whoever makes the game."""
LINK: Final = "link"
"""A seat with a secret link of its own."""
LARGEST_SEED: Final = 2**31 - 1
LONGEST_NAME: Final = 40
SLOWEST: Final = 10_000


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall sit somewhere: a name, and `here`, `link` or the code of a bot."""

    name: str
    who: str = HERE


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new game."""

    title: str
    variant: str = "base"
    name: str = ""
    """What the game is called in lists; if nothing is said, by its title and players."""
    seats: tuple[SeatPlan, ...]
    seed: int | None = None
    """Where all chance comes from; drawn if nothing is said."""
    draw_order: bool = True
    preset: str = DEFAULT
    rulings: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    deck: str | None = None
    pace: int = 0
    """Milliseconds between two answers of bots, for those who watch."""
    ask_all: bool = False
    """Whether questions with only one answer are asked too."""
    hints: bool = True
    """Whether those at the table may ask what a bot would do."""
    listed: bool = False
    """Whether the table stands in the lobby, so that anybody may take a free seat."""
    watchable: bool = False
    """Whether it stands there so that anybody may look on."""


def begun(plan: Plan) -> Game:
    """The game of a plan, before its first answer."""
    check_seats(plan.seats, plan.title)
    if not 0 <= plan.pace <= SLOWEST:
        raise BadSetup(f"bots take 0 to {SLOWEST} milliseconds between two answers, not {plan.pace}")
    return new_game(
        plan.title,
        [seat.name.strip() for seat in plan.seats],
        variant=plan.variant,
        seed=secrets.randbelow(LARGEST_SEED) + 1 if plan.seed is None else plan.seed,
        draw_order=plan.draw_order,
        preset=plan.preset,
        rulings=plan.rulings,
        options=plan.options,
        board=plan.board,
        deck=plan.deck,
    )


def check_seats(seats: tuple[SeatPlan, ...], title: str = "") -> None:
    """Say what is wrong with them; where bots are among them, of which title."""
    for seat in seats:
        if len(seat.name) > LONGEST_NAME:
            raise BadSetup(f"names have at most {LONGEST_NAME} letters; {seat.name[:LONGEST_NAME]}… has more")
        if seat.who not in (HERE, LINK):
            built_in(seat.who, seed=1)  # says what is wrong if there is no such bot
            check_title(seat.who, title)
