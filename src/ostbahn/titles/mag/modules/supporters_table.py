"""State and table of the module `supporters`: owners and use of the cards (18Mag M.5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from ostbahn.kernel.errors import Refusal
from ostbahn.kits.data import Spec
from ostbahn.titles.mag.events import SupporterUsed
from ostbahn.titles.mag.state import MagState, MagTable, OperateWithCars
from ostbahn.titles.mag.title import Ratio, SupporterSpec, load_data

KANDO: Final = "KK"
FEKETEHAZY: Final = "FJ"
ROTHSCHILD: Final = "SMFvR"
SINA: Final = "GSvS"
DDSG: Final = "DDSG"
MAV: Final = "MA"


class SupportersFile(Spec, frozen=True):
    quota: Mapping[int, int]
    cards: Mapping[str, SupporterSpec]
    kando: Mapping[str, int]
    rothschild_gift: int
    sina_colours: tuple[str, ...]
    ddsg_part: Ratio
    mav_towns: int


@cache
def supporters_file() -> SupportersFile:
    return load_data("supporters.toml", SupportersFile)


class LongerTrain(Struct, frozen=True):
    """A train that may visit more towns in the present turn."""

    card: str
    towns: int


class SupportersState(MagState, kw_only=True):
    supporters: Mapping[str, str]
    """Supporter to player, or to the bank if no player has drafted it."""
    used: Mapping[str, str]
    """Supporter to the Operating Round of its last use."""
    longer: LongerTrain | None = None
    fresh: tuple[str, ...] = ()
    """Hexes on which the minor has laid a tile in this turn."""


class SupportersTable(MagTable):
    state: SupportersState

    def extra_towns(self, card: str) -> int:
        """Additional towns of a train until its run (M.5/8)."""
        longer = self.state.longer
        if longer is None or longer.card != card:
            return 0
        return longer.towns if any(isinstance(task, OperateWithCars) for task in self.state.agenda) else 0

    def help_refusal(self, supporter: str, minor: str) -> Refusal | None:
        """Why a supporter cannot help a minor now (M.5/2)."""
        state, name = self.state, self.title.supporters[supporter].short
        if state.supporters[supporter] != state.owners[minor]:
            return self.refuse("M.5/2", f"the owner of minor {minor} does not have the card of {name}")
        if state.used.get(supporter) == state.round:
            return self.refuse("M.5/2", f"{name} has helped a minor in this operating round already")
        return None

    def mark_used(self, supporter: str, minor: str) -> None:
        self.state.used = {**self.state.used, supporter: self.state.round}
        self.note(SupporterUsed(supporter, minor))


def ddsg_price(price: int) -> int:
    """Price of a station with the card of the DDSG (M.5/7)."""
    numerator, denominator = supporters_file().ddsg_part
    return price * numerator // denominator


def as_supporters_table(table: MagTable) -> SupportersTable:
    """Narrow the type of a table in handlers of this module."""
    assert isinstance(table, SupportersTable)
    return table


def supporter_holders(table: MagTable) -> Mapping[str, str]:
    """Supporter to player or bank; empty without the module."""
    return table.state.supporters if isinstance(table, SupportersTable) else {}


def supporters_of(table: MagTable, player: str) -> list[str]:
    return [supporter for supporter, holder in supporter_holders(table).items() if holder == player]


def unused_supporters(table: MagTable, player: str) -> list[str]:
    """A player's supporters that have not helped in this Operating Round (M.5/2)."""
    return [supporter for supporter in supporters_of(table, player) if not is_supporter_used(table, supporter)]


def is_supporter_used(table: MagTable, supporter: str) -> bool:
    """Whether a supporter has helped in this Operating Round."""
    return isinstance(table, SupportersTable) and table.state.used.get(supporter) == table.state.round
