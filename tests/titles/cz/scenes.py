"""Positions for tests: a game of 18CZ with whatever the test wants to be different.

A scene is made of plain data, so a test says only what matters to it:

    game = scene(started={"EKJ": (60, "p1")}, agenda=[LayTrack("EKJ", first=True)])

Everything not named is as at the start of a game with three players; seats are p1, p2, p3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ostbahn.kernel.game import Game, Setup
from ostbahn.kernel.map.board import Board, hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.state import Train
from ostbahn.kits.catalogue import SITE, rulebook, rulings_of
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.cz.state import CompanyTask, CzState, CzTable, EndTurn, Markers, StockRound, Timetable

NAMES = ("Anna", "Boris", "Clara", "David", "Emma", "Franz")


def setup_for(
    players: int = 3, rulings: Mapping[str, str] | None = None, preset: str = "rulebook", variant: str = "base"
) -> Setup:
    return Setup(
        title="18CZ",
        variant=variant,
        players=NAMES[:players],
        seed=1,
        draw_order=False,
        rulings=rulings_of(rulebook("18CZ", variant, players).title.rulings, preset, rulings),
    )


def scene(
    *,
    players: int = 3,
    phase: str = "a",
    cards_gone: int | None = None,
    cash: Mapping[str, int] | None = None,
    started: Mapping[str, tuple[int, str]] | None = None,
    shares: Mapping[str, Mapping[str, int]] | None = None,
    prices: Mapping[str, int] | None = None,
    trains: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    pool: Sequence[tuple[str, str]] = (),
    tiles: Mapping[str, tuple[str, int]] | None = None,
    stations: Mapping[str, Sequence[str]] | None = None,
    locals_of: Mapping[str, str] | None = None,
    local_price: int = 40,
    agenda: Sequence[Any] = (),
    rulings: Mapping[str, str] | None = None,
    site: bool = False,
    variant: str = "base",
    **fields: Any,
) -> Game:
    """A game in a position of one's own.

    started: company -> (starting price, Director). The Director gets the Director's certificate; the company
        counts as floated when half of it is out (small ones at once), with capital 0 unless `cash` says more.
    shares: company -> player -> number of further ordinary certificates.
    prices: company -> current price, where it is not the starting price.
    stations: city -> companies; whoever has a station has operated.
    agenda: tasks above the timetable, the last one is asked first. If that is a task of a company, its turn is
        completed beneath it by an EndTurn, unless there is one.
    variant: another one than the base game; the agenda of its opening is not worked off.
    fields: any other field of CzState, as it is there.
    """
    setup = setup_for(players, rulings, SITE if site else "rulebook", variant)
    book = rulebook("18CZ", variant, players)
    assert isinstance(book, CzRulebook)
    title = book.title
    state = book.initial_state(setup)
    assert isinstance(state, CzState)
    certificates = dict(state.certificates)
    chart: list[tuple[str, ...]] = list(state.chart)
    for company, (price, director) in (started or {}).items():
        holders = [director, *certificates[company][1:]]
        for player, number in (shares or {}).get(company, {}).items():
            for _ in range(number):
                holders[holders.index(BANK)] = player
        certificates[company] = tuple(holders)
        space = title.prices.index((prices or {}).get(company, price))
        chart[space] = (*chart[space], company)
    percent = {
        company: sum(
            part for part, holder in zip(title.companies[company].certificates, held, strict=True) if holder != BANK
        )
        for company, held in certificates.items()
    }
    floated = tuple(company for company in (started or {}) if percent[company] >= 50)
    board = Board(dict(tiles or {}), {city: tuple(companies) for city, companies in (stations or {}).items()})
    supply = dict(state.supply)
    for name, _ in board.tiles.values():
        supply[name] -= 1
    money = {**state.cash, **(cash or {})}
    money[BANK] = -sum(amount for account, amount in money.items() if account != BANK)
    if cards_gone is None:
        first = {letter: index for index, letter in reversed([(i, title.stack.card(i)[0]) for i in range(34)])}
        cards_gone = first[phase] + (phase != "a")
    if agenda and isinstance(agenda[-1], CompanyTask) and not any(isinstance(task, EndTurn) for task in agenda):
        agenda = [EndTurn(agenda[-1].company), *agenda]
    changes: dict[str, Any] = {
        "phase": phase,
        "cards_gone": cards_gone,
        "cash": money,
        "certificates": certificates,
        "start_prices": {company: price for company, (price, _) in (started or {}).items()},
        "chart": tuple(chart),
        "floated": floated,
        "markers": {
            company: Markers(title.companies[company].spec.markers - len(board.stations_of(company)), 0)
            for company in floated
        },
        "operated": tuple(company for company in floated if board.stations_of(company)),
        "trains": {
            company: tuple(Train(card, face) for card, face in owned) for company, owned in (trains or {}).items()
        },
        "pool": tuple(Train(card, face) for card, face in pool),
        "board": board,
        "supply": supply,
        "locals": dict(locals_of or {}),
        "local_price": local_price,
        "agenda": (Timetable(len(title.boxes)), *agenda),
        **fields,
    }
    return Game.from_state(book, setup, msgspec.structs.replace(state, **changes))


def stock_round(player: str = "p1", first: bool = False) -> StockRound:
    return StockRound(first=first, player=player)


def table_of(game: Game) -> CzTable:
    table = game.table
    assert isinstance(table, CzTable)
    return table


def state_of(game: Game) -> CzState:
    return table_of(game).state


def hexes_with_station(game: Game, company: str) -> list[str]:
    return sorted(hex_of(city) for city in state_of(game).board.stations_of(company))
