"""The solo game's title and table, with István's cards (18Mag XI)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from ostbahn.kernel.state import Task
from ostbahn.kits.data import Spec
from ostbahn.titles.mag.deck import CardEntry, CompanyCard, read_deck
from ostbahn.titles.mag.events import CardEntryDone, CardEntrySkipped
from ostbahn.titles.mag.state import IstvanBoard, IstvanStock, MagTable, StockRound
from ostbahn.titles.mag.title import MagPlayersSpec, TitleData, TwoPlayerTitle

ISTVAN: Final = "p2"
"""István's seat; the human has the first one."""


class LengthSpec(Spec, frozen=True):
    minors: int
    income: Mapping[str, int]
    """Income of both sides at the start of an Operating Round, by phase."""


class FeeSpec(Spec, frozen=True):
    phase: str
    price: int
    major: str


class SoloFile(Spec, frozen=True):
    """The rules of chapter XI apart from the cards."""

    opponent: str
    players: Mapping[int, MagPlayersSpec]
    lengths: Mapping[str, LengthSpec]
    difficulties: Mapping[str, str]
    fee: FeeSpec
    swaps: Mapping[int, str]


class SoloTitle(TwoPlayerTitle):
    players_rule = "XI/1"

    def __init__(self, tables: TitleData, rules: SoloFile, length: str, deck: str) -> None:
        super().__init__(tables, "solo")
        self.solo, self.length = rules, rules.lengths[length]
        self.deck = read_deck(deck, self)


class SoloTable(MagTable):
    title: SoloTitle

    @property
    def istvan(self) -> IstvanBoard:
        board = self.state.istvan
        assert board is not None, "István has no board"
        return board

    def card(self, minor: str) -> CompanyCard:
        return self.title.deck.companies[self.istvan.cards[minor]]

    def entry(self, minor: str) -> CardEntry | None:
        """The next entry on a minor's card; entries are done once each, in order (XI.2.2/1)."""
        actions, done = self.card(minor).actions, self.istvan.done[minor]
        return actions[done] if done < len(actions) else None

    def finish_entry(self, minor: str, event: type[CardEntryDone | CardEntrySkipped]) -> None:
        """Advance to the next entry, dropping a pending exchange of this one."""
        number = self.istvan.done[minor] + 1
        swaps = {other: face for other, face in self.istvan.swaps.items() if other != minor}
        self.state.istvan = replace(self.istvan, done={**self.istvan.done, minor: number}, swaps=swaps)
        self.note(event(minor, number))

    def free_stations(self, company: str) -> int:
        """Number of free stations: the home, and those that a card places (XI.2.2/5)."""
        extra = sum(entry.hex is not None for entry in self.card(company).setup) if is_istvans(self, company) else 0
        return super().free_stations(company) + extra

    def terrain_tokens(self, minor: str) -> int | None:
        """Terrain tokens of a minor; None for István's, whose terrain the bank pays (XI.2.1/3)."""
        return None if is_istvans(self, minor) else super().terrain_tokens(minor)

    def stock_turn(self, turn: StockRound) -> Task:
        return IstvanStock(turn) if turn.player == ISTVAN else turn


def is_istvans(table: MagTable, minor: str) -> bool:
    return table.state.owners.get(minor) == ISTVAN
