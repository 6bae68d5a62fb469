"""Positions of the solo game for tests, decks of one's own, and what is asked of both.

    game = solo_scene(his={"2": 16}, turns=["2", "2"], cash={"2": 200})

is the game after two turns of István's minor 2 with card 16, when the human is asked what minor 11 lays. What is not
named is as after the opening: each minor has its home station, a 2-train and 50 Ft. No track lies, unless it is given
(`printed` gives that of cards), and nobody holds shares.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from ostbahn.kernel import money
from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import Board, city_id
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Event, Paid, StationPlaced, TileLaid, TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import new_game, rulebook_for, rulings_of
from ostbahn.titles.mag.deck import Deck, bundled_deck, read_deck
from ostbahn.titles.mag.solo import SoloRulebook, solo_title
from ostbahn.titles.mag.solo_table import SoloTable
from ostbahn.titles.mag.state import IstvanBoard, MagState, OperatingRound, Rounds

ME, HIM = "p1", "p2"
MINORS = ("1", "2", "3", "4", "6", "7", "11")
MAJORS = ("RÁBA", "SIK", "SzKÉV", "LdStEG")
COLOURS = {"easy": "green", "medium": "yellow", "difficult": "red"}
PLAIN = 5
"""A card of our deck that tests give entries of their own; whose card it says to be does not matter in play."""

EventT = TypeVar("EventT", bound=Event)
Cards = Mapping[int, Mapping[str, Any]]


# Decks


def toml(value: Any) -> str:
    """A value as TOML has it in a line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def deck_text(cards: Cards | None = None, shares: Mapping[str, Mapping[str, Any]] | None = None) -> str:
    """Our deck with some fields of some cards changed, by number or letter; a field that becomes None is left out."""
    raw = tomllib.loads(bundled_deck())
    lines = []
    for kind, key, changes in (("company_card", "number", cards or {}), ("share_card", "letter", shares or {})):
        for card in raw[kind]:
            lines.append(f"[[{kind}]]")
            fields = {**card, **changes.get(card[key], {})}
            lines += [f"{name} = {toml(value)}" for name, value in fields.items() if value is not None]
    return "\n".join(lines) + "\n"


def with_entries(*actions: Mapping[str, Any], number: int = PLAIN, **fields: Any) -> str:
    """Our deck with one card that has these entries and nothing else."""
    return deck_text({number: {"actions": list(actions), "setup": [], "standing": [], **fields}})


@cache
def deck() -> Deck:
    return read_deck(bundled_deck(), solo_title())


def printed(*numbers: int) -> dict[str, tuple[str, int]]:
    """The track on the backs of some cards of our deck."""
    return {piece.hex: (piece.tile, piece.rotation) for number in numbers for piece in deck().companies[number].prelay}


# Games


def opening(
    seed: int = 1,
    difficulty: str = "medium",
    length: str = "short",
    deck: str | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Game:
    return new_game(
        "18Mag",
        ["Me"],
        variant="solo",
        seed=seed,
        deck=deck,
        rulings=rulings,
        options={"difficulty": difficulty, "length": length},
    )


def solo_scene(
    *,
    his: Mapping[str, int],
    mine: Sequence[str] = ("11",),
    share_card: str = "A",
    turns: Sequence[str] = (),
    agenda: Sequence[Any] | None = None,
    done: Mapping[str, int] | None = None,
    swaps: Mapping[str, str] | None = None,
    phase: str = "yellow",
    length: str = "long",
    cash: Mapping[str, int] | None = None,
    shares: Mapping[str, Mapping[str, int]] | None = None,
    directors: Mapping[str, str] | None = None,
    prices: Mapping[str, int] | None = None,
    trains: Mapping[str, Sequence[str]] | None = None,
    tiles: Mapping[str, tuple[str, int]] | None = None,
    stations: Mapping[str, Sequence[str]] | None = None,
    homes: Mapping[str, str] | None = None,
    markers: Mapping[str, int] | None = None,
    deck: str | None = None,
    rulings: Mapping[str, str] | None = None,
    **fields: Any,
) -> Game:
    """A position of the solo game.

    his: István's minors with the numbers of their cards; mine: the minors of the human.
    turns: minors that act first, then the first minor of the human has its turn.
    agenda: instead of turns, the whole agenda.
    cash, shares, directors, prices, trains, stations: as in `scene`; the human is p1, István p2.
    homes: minor -> city, where the home station stands in another than the first city of a laid tile.
    markers: minor -> stations in supply; 2 where none is named.
    """
    setup = Setup(title="18Mag", variant="solo", players=("Me",), deck=deck, options={"length": length})
    book = rulebook_for(setup)
    assert isinstance(book, SoloRulebook)
    setup = msgspec.structs.replace(setup, rulings=rulings_of(book.title.rulings, changes=rulings))
    state, title = book.initial_state(setup), book.title
    owners = {minor: HIM for minor in his} | {minor: ME for minor in mine}
    placed: dict[str, tuple[str, ...]] = {}
    for minor in owners:
        home = title.minors[minor].home
        city = city_id(home.hex, 0 if home.hex in (tiles or {}) else home.node)
        city = (homes or {}).get(minor, city)
        placed[city] = (*placed.get(city, ()), minor)
    for city, companies in (stations or {}).items():
        placed[city] = (*placed.get(city, ()), *companies)
    supply = dict(state.supply)
    for name, _ in (tiles or {}).values():
        supply[title.piece(name)] -= 1
    money = dict.fromkeys(state.cash, 0) | dict.fromkeys(owners, 50) | dict(cash or {})
    money[BANK] = -sum(amount for account, amount in money.items() if account != BANK)
    held = {}
    chart: list[tuple[str, ...]] = [()] * len(title.prices)
    for major in title.companies:
        holders = [BANK] * 9
        holders[0] = (directors or {}).get(major, BANK)
        for player, number in (shares or {}).get(major, {}).items():
            for _ in range(number):
                holders[holders.index(BANK, 1)] = player
        held[major] = tuple(holders)
        space = title.prices.index((prices or {}).get(major, 70))
        chart[space] = (*chart[space], major)
    count = dict.fromkeys(title.stacks, 0)
    cards: dict[str, tuple[Train, ...]] = {}
    for minor in owners:
        for face in (trains or {}).get(minor, ("2",)):
            count[face] += 1
            cards[minor] = (*cards.get(minor, ()), Train(f"{face}-{count[face]}", face))
    order = dict(sorted(his.items(), key=lambda item: int(item[0])))
    changes: dict[str, Any] = {
        "phase": phase,
        "cash": money,
        "certificates": held,
        "chart": tuple(chart),
        "board": Board(dict(tiles or {}), placed),
        "supply": supply,
        "trains": cards,
        "cards": count,
        "owners": owners,
        "package": {},
        "markers": {**dict.fromkeys(owners, 2), **dict.fromkeys(title.companies, 2), **(markers or {})},
        "indicators": state.indicators[list(title.phases).index(phase) :],
        "round": "OR 2.1",
        "istvan": IstvanBoard(order, {**dict.fromkeys(order, 0), **(done or {})}, share_card, dict(swaps or {})),
        "agenda": tuple(agenda) if agenda is not None else (Rounds(2, 1, 1), OperatingRound((*turns, mine[0]))),
        **fields,
    }
    return Game.from_state(book, setup, msgspec.structs.replace(state, **changes))


FEE = 10
"""What a minor of István's with a train pays at the beginning of its turn in the yellow phase."""
BUY_2, BUY_3 = {"do": "buy_train", "train": "2"}, {"do": "buy_train", "train": "3"}
SWAP_3, SWAP_4 = {"do": "swap_over", "threshold": 95}, {"do": "swap_over", "threshold": 175}
UP, UP_OR_DOWN = {"do": "buy_2_up", "price": 30}, {"do": "buy_2_up_or_down", "price_up": 30, "price_down": 80}
SOUTH = {"E6": ("L32", 1), "D7": ("9", 0)}
"""Mohács and Buda, which is worth 20 as printed: a 2-train of minor 7 earns 50."""


def acting(
    *entries: Mapping[str, Any], minor: str = "2", turns: int = 1, red: bool = False, **particulars: Any
) -> Game:
    """Turns of a minor of István's whose card has these entries; red cards have the standing order."""
    deck = with_entries(*entries, standing=["no_train_buy_2"] if red else [])
    return solo_scene(**{"his": {minor: PLAIN}, "deck": deck, "turns": [minor] * turns, **particulars})


# Looking


def cash_of(game: Game, who: str) -> int:
    return state_of(game).cash[who]


def state_of(game: Game) -> MagState:
    state = game.state
    assert isinstance(state, MagState)
    return state


def table_of(game: Game) -> SoloTable:
    table = game.table
    assert isinstance(table, SoloTable)
    return table


def board_of_his(game: Game) -> IstvanBoard:
    board = state_of(game).istvan
    assert board is not None
    return board


def done(game: Game, minor: str) -> int:
    """How many entries of a card are done."""
    return board_of_his(game).done[minor]


def faces(game: Game, minor: str) -> list[str]:
    return sorted(train.face for train in state_of(game).trains.get(minor, ()))


def held(game: Game, who: str) -> tuple[int, ...]:
    """Percent of SzKÉV, RÁBA, SIK and LdStEG, as share card A lists them."""
    return tuple(money.holding(table_of(game), who, major) for major in ("SzKÉV", "RÁBA", "SIK", "LdStEG"))


def events(game: Game, kind: type[EventT]) -> list[EventT]:
    """What has happened so far, with what came before the first answer."""
    found = (*game.opening, *(event for record in game.records for event in record.events))
    return [event for event in found if isinstance(event, kind)]


def payments(game: Game, source: str | None = None, target: str | None = None) -> list[tuple[str, str, int]]:
    return [
        (event.source, event.target, event.amount)
        for event in events(game, Paid)
        if source in (None, event.source) and target in (None, event.target)
    ]


def laid(game: Game, minor: str) -> list[tuple[str, str]]:
    """Hexes and tiles that a minor has laid."""
    return [(event.hex, event.tile) for event in events(game, TileLaid) if event.company == minor]


def stationed(game: Game, minor: str) -> list[str]:
    """Hexes in which a minor has placed a station, in that order."""
    return [event.city.partition(".")[0] for event in events(game, StationPlaced) if event.company == minor]


def moved(game: Game, minor: str) -> list[tuple[str, str, str]]:
    """Trains that came to a minor or left it: face, from, to."""
    return [
        (event.face, event.source, event.target)
        for event in events(game, TrainMoved)
        if minor in (event.source, event.target)
    ]
