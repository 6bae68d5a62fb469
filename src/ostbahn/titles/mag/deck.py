"""The cards of the solo game, from a file that players can replace (18Mag XI).

Only two of the printed cards are known; the others in the bundled file are a reconstruction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec

from ostbahn.kernel.errors import BadData
from ostbahn.kernel.map.hexes import DIRECTIONS
from ostbahn.kits.data import MAX_NAME_LENGTH, MAX_PRICE, Spec, is_name, read_toml
from ostbahn.titles.mag.title import MagTitle

BUNDLED_DECKS: Final = {"second": "deck.toml", "first": "deck_first.toml"}
"""Bundled reconstructions, the current one first."""
SWAPS: Final = (95, 175)
"""The thresholds printed for exchanges (XI.2.2/8, XI.2.2/9)."""
MAX_ENTRIES: Final = 20
"""Per card and kind; printed cards have up to seven."""
MAX_SHARE_CARDS: Final = 50
T = TypeVar("T")


class CardEntry(Spec, frozen=True):
    """A symbol on a company card with its values (XI.2.2)."""

    do: Literal["buy_train", "station", "swap_over", "buy_2_up", "buy_2_up_or_down", "extra_token"]
    train: str | None = None
    city: str | None = None
    hex: str | None = None
    threshold: int | None = None
    price: int | None = None
    price_up: int | None = None
    price_down: int | None = None


REQUIRED_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "buy_train": ("train",),
    "station": ("hex",),
    "swap_over": ("threshold",),
    "buy_2_up": ("price",),
    "buy_2_up_or_down": ("price_up", "price_down"),
    "extra_token": (),
}
"""Fields that a symbol needs."""


class Prelay(Spec, frozen=True):
    """A tile printed on the back of a card."""

    hex: str
    tile: str
    rotation: int
    exits: tuple[str, ...]


class CompanyCard(Spec, frozen=True):
    number: int
    colour: Literal["green", "yellow", "red"]
    minor: int
    provenance: Literal["printed", "reconstruction"]
    actions: tuple[CardEntry, ...]
    prelay: tuple[Prelay, ...]
    standing: tuple[Literal["no_train_buy_2"], ...] = ()
    setup: tuple[CardEntry, ...] = ()
    prelay_provenance: Literal["printed", "reconstruction"] | None = None


class SharePreference(Spec, frozen=True):
    major: str
    max_percent: int


class ShareCard(Spec, frozen=True):
    letter: str
    provenance: Literal["printed", "reconstruction"]
    start_share: str
    order: tuple[SharePreference, ...]


class Deck(NamedTuple):
    """All cards, checked against the board and companies."""

    companies: Mapping[int, CompanyCard]
    shares: Mapping[str, ShareCard]


def bundled_deck(edition: str = "second") -> str:
    """The text of a bundled deck."""
    return resources.files(__package__).joinpath("data", BUNDLED_DECKS[edition]).read_text(encoding="utf-8")


def read_deck(text: str, title: MagTitle) -> Deck:
    return _DeckReader(text, title).read()


class _DeckReader:
    def __init__(self, text: str, title: MagTitle) -> None:
        self.raw: dict[str, Any] = read_toml("the deck", text)
        self.lines = text.splitlines()
        self.title = title

    def read(self) -> Deck:
        for name in self.raw:
            if name not in ("company_card", "share_card"):
                raise BadData(f"the deck has a table {name}; there are company_card and share_card")
        companies = self.parse_cards("company_card", CompanyCard, self.find_fault_in_company_card)
        shares = self.parse_cards("share_card", ShareCard, self.find_fault_in_share_card)
        self.check_deck(companies, shares)
        return Deck({card.number: card for card in companies}, {card.letter: card for card in shares})

    def parse_cards(self, name: str, card_type: type[T], find_fault: Callable[[T], str | None]) -> list[T]:
        cards = []
        rows = self.raw.get(name, [])
        if not isinstance(rows, list):
            raise BadData(f"the deck: {name} should be a list of tables, [[{name}]]")
        for index, row in enumerate(rows):
            try:
                card = msgspec.convert(row, card_type)
            except msgspec.ValidationError as error:
                raise self.error_in(name, index, str(error)) from None
            if fault := find_fault(card):
                raise self.error_in(name, index, fault)
            cards.append(card)
        return cards

    def error_in(self, name: str, index: int, text: str) -> BadData:
        headers = [number for number, line in enumerate(self.lines, 1) if re.match(rf"\s*\[\[\s*{name}\s*\]\]", line)]
        line = f", line {headers[index]}" if index < len(headers) else ""
        return BadData(f"the deck{line}: {name} number {index + 1}: {text}")

    def find_fault_in_company_card(self, card: CompanyCard) -> str | None:
        if str(card.minor) not in self.title.minors:
            return f"there is no minor {card.minor} in the solo game"
        if max(map(len, (card.actions, card.prelay, card.standing))) > MAX_ENTRIES:
            return f"a card has at most {MAX_ENTRIES} entries of a kind"
        if len(card.setup) > 1:
            return "a card gives a fourth station, and no fifth (XI.2.2/5)"
        faults = [self.find_fault_in_entry(card, entry, setup=False) for entry in card.actions]
        faults += [self.find_fault_in_entry(card, entry, setup=True) for entry in card.setup]
        faults += [self.find_fault_in_tile(piece) for piece in card.prelay]
        return next(filter(None, faults), None)

    def find_fault_in_entry(self, card: CompanyCard, entry: CardEntry, setup: bool) -> str | None:
        if setup != (entry.do == "extra_token"):
            return f"{entry.do} cannot stand {'before the game' if setup else 'among the actions'}"
        if missing := [field for field in REQUIRED_FIELDS[entry.do] if getattr(entry, field) is None]:
            return f"{entry.do} says nothing about {' and '.join(missing)}"
        if entry.train is not None and entry.train not in self.title.stacks:
            return f"there are no {entry.train}-trains"
        if entry.threshold is not None and entry.threshold not in SWAPS:
            return f"an exchange needs more than {' or '.join(map(str, SWAPS))} Ft, not {entry.threshold}"
        for price in (entry.price, entry.price_up, entry.price_down):
            if price is not None and not 1 <= price <= MAX_PRICE:
                return f"a train costs 1 to {MAX_PRICE} Ft, not {price} Ft"
        if entry.city is not None and not is_name(entry.city):
            return f"the name of a city is one line of at most {MAX_NAME_LENGTH} letters"
        if entry.hex is not None:
            return self.find_fault_in_place(card, entry.hex, setup)
        return None

    def find_fault_in_place(self, card: CompanyCard, hex_id: str, setup: bool) -> str | None:
        hex_ = self.title.map.hexes.get(hex_id)
        if hex_ is None:
            return f"there is no hex {hex_id}"
        if "city" not in hex_.face.kinds:
            return f"{hex_id} has no city for a station"
        homes = {minor.home.hex for minor in self.title.minors.values()}
        if setup and hex_id in homes:
            return f"{hex_id} is the home of a minor, so no further station can stand there"
        if hex_id == self.title.minors[str(card.minor)].home.hex:
            return f"{hex_id} is the minor's home, where it has a station"
        return None

    def find_fault_in_tile(self, piece: Prelay) -> str | None:
        hex_ = self.title.map.hexes.get(piece.hex)
        fits = self.title.fitting(hex_, None) if hex_ is not None else {}
        if piece.rotation not in fits.get(piece.tile, ()):
            return f"tile {piece.tile}/{piece.rotation} does not fit on {piece.hex}"
        exits = self.title.tile_set.faces[piece.tile][piece.rotation].exits
        if set(piece.exits) != {side for number, side in enumerate(DIRECTIONS) if exits >> number & 1}:
            return f"tile {piece.tile} on {piece.hex} has other exits than it says"
        return None

    def find_fault_in_share_card(self, card: ShareCard) -> str | None:
        majors = sorted(preference.major for preference in card.order)
        if not is_name(card.letter):
            return f"a letter is one line of at most {MAX_NAME_LENGTH} letters"
        if card.start_share not in self.title.companies:
            return f"there is no major {card.start_share} for the start share"
        if majors != sorted(self.title.companies):
            return f"each of {', '.join(self.title.companies)} is listed once"
        if any(preference.max_percent not in range(10, 61, 10) for preference in card.order):
            return "maxima are 10 to 60 percent, in tens"
        return None

    def check_deck(self, companies: Sequence[CompanyCard], shares: Sequence[ShareCard]) -> None:
        pairs = sorted((card.colour, str(card.minor)) for card in companies)
        if pairs != sorted((colour, minor) for colour in ("green", "yellow", "red") for minor in self.title.minors):
            raise BadData("the deck has not one company card for every minor in every colour")
        if not 1 <= len(shares) <= MAX_SHARE_CARDS:
            raise BadData(f"the deck has {len(shares) or 'no'} share cards, and needs 1 to {MAX_SHARE_CARDS}")
        numbers = Counter(f"number {card.number}" for card in companies)
        letters = Counter(f"letter {share.letter}" for share in shares)
        if duplicates := [name for name, count in (numbers + letters).items() if count > 1]:
            raise BadData(f"several cards of the deck have the {' and the '.join(duplicates)}")
        for colour in ("green", "yellow", "red"):
            laid: dict[str, tuple[str, int]] = {}
            for card in companies:
                for piece in card.prelay if card.colour == colour else ():
                    if laid.setdefault(piece.hex, (piece.tile, piece.rotation)) != (piece.tile, piece.rotation):
                        raise BadData(f"the {colour} cards of the deck lay different tiles on {piece.hex}")
            for tile, number in Counter(self.title.piece(tile) for tile, _ in laid.values()).items():
                if number > self.title.tiles[tile].count:
                    raise BadData(f"the {colour} cards of the deck need {number} tiles {tile}, more than there are")
