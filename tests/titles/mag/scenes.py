"""Positions for tests: a game of 18Mag with whatever the test wants to be different.

A scene is made of plain data, so a test says only what matters to it:

    game = scene(agenda=[LayTrack("3")], tiles={"E10": ("57", 0)}, cash={"3": 100})

Everything not named is as after a draft of three players in which p1 got minors 1, 4, 7 and 10, p2 got 2, 5, 8 and 11,
p3 got 3, 6, 9 and 12, each with its home station, a 2-train and 50 Ft, and nobody holds shares yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import Board, city_id
from ostbahn.kernel.money import BANK
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import SITE, rulebook, rulings_of
from ostbahn.titles.mag.rulebook import MagRulebook
from ostbahn.titles.mag.state import CompanyTask, EndTurn, MagState, MagTable, Rounds

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")


def setup_for(
    players: int = 3,
    rulings: Mapping[str, str] | None = None,
    preset: str = "rulebook",
    variant: str = "base",
    modules: Sequence[str] = (),
) -> Setup:
    return Setup(
        title="18Mag",
        variant=variant,
        players=NAMES[:players],
        seed=1,
        draw_order=False,
        rulings=rulings_of(rulebook("18Mag", variant, players, modules).title.rulings, preset, rulings),
        modules=tuple(modules),
    )


def scene(
    *,
    players: int = 3,
    variant: str = "base",
    phase: str = "yellow",
    owners: Mapping[str, str] | None = None,
    cash: Mapping[str, int] | None = None,
    shares: Mapping[str, Mapping[str, int]] | None = None,
    directors: Mapping[str, str] | None = None,
    prices: Mapping[str, int] | None = None,
    trains: Mapping[str, Sequence[str]] | None = None,
    tiles: Mapping[str, tuple[str, int]] | None = None,
    stations: Mapping[str, Sequence[str]] | None = None,
    agenda: Sequence[Any] = (),
    rulings: Mapping[str, str] | None = None,
    site: bool = False,
    modules: Sequence[str] = (),
    **fields: Any,
) -> Game:
    """A game in a position of one's own.

    owners: minor -> player, all that are in the game; by default minors are dealt round (the last one is left out).
    cash: money of players, minors ("3") and majors; minors not named have 50 Ft, the others nothing.
    shares: major -> player -> number of 10% shares (beside a director share).
    directors: major -> the player who has its 20% director share.
    prices: major -> price; by default all start at 70, in the order of the title.
    trains: minor -> faces; minors not named have a 2-train. Cards are numbered by kind in the order of the minors.
    stations: city -> companies, beside the home stations.
    agenda: tasks above the course of rounds, the last one is asked first. If that is a task of a minor, its turn is
        completed beneath it by an EndTurn, unless there is one.
    fields: any other field of MagState, as it is there.
    """
    book = rulebook("18Mag", variant, players, modules)
    assert isinstance(book, MagRulebook)
    setup, title = setup_for(players, rulings, SITE if site else "rulebook", variant, modules), book.title
    state = book.initial_state(setup)
    seats = state.order
    number = title.players[players].minors * players
    dealt = {minor: seats[place % players] for place, minor in enumerate(list(title.minors)[:number])}
    owned = dict(owners if owners is not None else dealt)
    homes = {city_id(title.minors[minor].home.hex, title.minors[minor].home.node): minor for minor in owned}
    placed: dict[str, tuple[str, ...]] = {city: (minor,) for city, minor in homes.items()}
    for city, companies in (stations or {}).items():
        placed[city] = (*placed.get(city, ()), *companies)
    board = Board(dict(tiles or {}), placed)
    supply = dict(state.supply)
    for name, _ in board.tiles.values():
        supply[title.piece(name)] -= 1
    money = {**state.cash, **dict.fromkeys(owned, title.minor.cash), **(cash or {})}
    money[BANK] = -sum(amount for account, amount in money.items() if account != BANK)
    certificates = {major: _holders(state, major, shares, directors) for major in title.companies}
    chart: list[tuple[str, ...]] = [()] * len(title.prices)
    for major in title.companies:
        space = title.prices.index((prices or {}).get(major, 70))
        chart[space] = (*chart[space], major)
    in_turn = agenda[-1].company if agenda and isinstance(agenda[-1], CompanyTask) else ""
    if in_turn in title.minors and not any(isinstance(task, EndTurn) for task in agenda):
        agenda = [EndTurn(in_turn), *agenda]
    faces = {minor: tuple((trains or {}).get(minor, ("2",))) for minor in owned}
    count = dict.fromkeys(title.stacks, 0)
    cards: dict[str, tuple[Train, ...]] = {}
    for minor, owned_faces in faces.items():
        for face in owned_faces:
            count[face] += 1
            cards[minor] = (*cards.get(minor, ()), Train(f"{face}-{count[face]}", face))
    begun = list(title.phases).index(phase)
    for face in state.indicators[:begun]:
        count[face] = max(count[face], 1)  # somebody has bought one to begin the phase
    used = {
        company: sum(company in companies for companies in placed.values()) for company in (*owned, *title.companies)
    }
    changes: dict[str, Any] = {
        "phase": phase,
        "cash": money,
        "certificates": certificates,
        "chart": tuple(chart),
        "board": board,
        "supply": supply,
        "trains": cards,
        "cards": count,
        "owners": owned,
        "package": {},
        "markers": {
            company: (title.minor.stations if company in owned else title.major.markers) - number
            for company, number in used.items()
        },
        "indicators": state.indicators[begun:],
        "round": "OR 2.1",
        "agenda": (Rounds(2, 1, 1), *agenda),
        **fields,
    }
    return Game.from_state(book, setup, msgspec.structs.replace(state, **changes))


def _holders(
    state: MagState,
    major: str,
    shares: Mapping[str, Mapping[str, int]] | None,
    directors: Mapping[str, str] | None,
) -> tuple[str, ...]:
    holders = list(state.certificates[major])
    holders[0] = (directors or {}).get(major, BANK)
    for player, number in (shares or {}).get(major, {}).items():
        for _ in range(number):
            holders[holders.index(BANK, 1)] = player
    return tuple(holders)


def table_of(game: Game) -> MagTable:
    table = game.table
    assert isinstance(table, MagTable)
    return table


def state_of(game: Game) -> MagState:
    return table_of(game).state


def cards_of(game: Game, minor: str) -> list[str]:
    """The names of a minor's trains."""
    return [train.card for train in state_of(game).trains.get(minor, ())]
