"""Import and export of games of 18xx.games through a title's adapter, and traces of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple, cast

from ostbahn.interop import saves
from ostbahn.interop.exporter import FIRST_TIMESTAMP, Exporter
from ostbahn.interop.files import ImportedGame
from ostbahn.interop.importer import Importer
from ostbahn.interop.saves import Document
from ostbahn.kernel.errors import BadFile, BadSetup, OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.map.tiles import TileSet
from ostbahn.kernel.money import holding
from ostbahn.kernel.table import Table
from ostbahn.kits.catalogue import SITE, rulebook_for, rulings_of, site_adapter_of, site_adapters

ROUNDS: Final = {"PRE": "Draft", "SR": "Stock Round", "OR": "Operating Round"}
MAX_NAMED_RULINGS: Final = 3
TraceLine = dict[str, Any]


class SiteAdapter(NamedTuple):
    """How a title translates its games from and to the site."""

    importer: Callable[[Mapping[str, Any]], Importer[Any]]
    exporter: Callable[[Game], Exporter[Any]]
    variants: tuple[str, ...]
    state_line: Callable[[Game], TraceLine]
    """A state as a line of a trace."""
    legal_line: Callable[[Game, bool], TraceLine | None]
    """Legal lays and stations as a line of a trace; the flag: whether the site is still in a step that is over for
    us."""


def import_game(document: Mapping[str, Any]) -> ImportedGame:
    """Replay an export, every action checked, under the site's rulings."""
    try:
        title = str(document.get("title"))
        known = site_adapters()
        if title not in known:
            raise BadFile(f"an 18xx.games export of {title!r}; only {' and '.join(known)} can be imported")
        saves.check_action_count(document["actions"])
        return known[title].importer(document).run()
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as fault:
        raise BadFile(f"this 18xx.games export cannot be read: {type(fault).__name__} {fault}") from fault


def exportable_variants() -> list[tuple[str, str]]:
    """Titles and variants that the site has."""
    return [(title, variant) for title, site in site_adapters().items() for variant in site.variants]


def export_game(game: Game) -> Document:
    """The game as an export of the site; importing it leads to the same state."""
    _check_setup(game)
    document = _document(game, site_adapter_of(game).exporter(game))
    _check(game, document)
    return document


def dump(document: Document) -> bytes:
    """An export as a file, one action per line."""
    actions = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in document["actions"])
    rest = {name: value for name, value in document.items() if name != "actions"}
    head = json.dumps(rest, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "actions": [\n{actions}\n ]\n}}\n'.encode()


def _check_setup(game: Game) -> None:
    """Refuse variants and rulings that the site does not have."""
    setup = game.setup
    if (setup.title, setup.variant) not in exportable_variants():
        known = ", ".join(f"{title} ({variant})" for title, variant in exportable_variants())
        raise BadSetup(f"18xx.games has no {setup.title} ({setup.variant}): it plays {known}")
    site_rulings = rulings_of(rulebook_for(setup).title.rulings, SITE)
    others = [name for name, value in setup.rulings.items() if value != site_rulings[name]]
    if others:
        named = ", ".join(others[:MAX_NAMED_RULINGS]) + (", …" if len(others) > MAX_NAMED_RULINGS else "")
        raise BadSetup(
            f"18xx.games has rulings of its own, and this game has others ({named}): "
            f"only games begun with --preset {SITE} can be exported"
        )


def _document(game: Game, exporter: Exporter[Any]) -> Document:
    order, question = exporter.order, game.question
    name, _, number = state_line(game)["round"].partition(" ")
    entries, seed = exporter.run(), exporter.seed
    document: dict[str, Any] = {
        "id": f"hs_ostbahn_{seed}",
        "description": "",
        "user": {"id": 0, "name": "You"},
        "players": [{"id": seat, "name": player} for seat, player in enumerate(order.names)],
        "min_players": len(order.names),
        "max_players": len(order.names),
        "title": game.setup.title,
        "settings": {"seed": seed, "optional_rules": list(game.setup.modules)},
        "mode": "hotseat",
        "status": "finished" if game.over else "active",
        "turn": int(number.partition(".")[0] or 1),
        "round": ROUNDS[name],
        "acting": [] if question is None else [order.ids[question.decider]],
        "result": {str(order.ids[seat]): worth for seat, worth in exporter.standings().items() if seat in order.ids},
        "loaded": True,
        "created_at": FIRST_TIMESTAMP,
        "updated_at": FIRST_TIMESTAMP + len(entries),
        "actions": entries,
    }
    return document | ({"game_end_reason": exporter.end_reason} if game.over else {})


def _check(game: Game, document: Document) -> None:
    """Import the export again and compare. In a running game the file ends where the site waits, so the game may be
    a few passes ahead."""
    try:
        again = import_game(document).game
    except BadFile as fault:
        raise OstbahnError(f"18xx.games has no words for this game: {fault}") from None
    number = min(len(game), len(again))
    ends = again.over or not game.over
    if not ends or state_line(again.position(number)) != state_line(game.position(number)):
        raise OstbahnError("18xx.games has no words for this game: read back it would end otherwise")


def trace_lines(imported: ImportedGame) -> Iterator[TraceLine]:
    """A line before the first entry, and one per entry that took effect."""
    for mark in imported.marks:
        yield {"id": mark.id, **state_line(imported.game.position(mark.actions))}


def state_line(game: Game) -> TraceLine:
    return site_adapter_of(game).state_line(game)


def legal_lines(imported: ImportedGame) -> Iterator[TraceLine]:
    """A line before each entry of a company's turn: its legal lays and stations."""
    for mark, following in pairwise(imported.marks):
        game = imported.game.position(mark.actions)
        line = site_adapter_of(game).legal_line(game, mark.lingering)
        if line is not None:
            yield {"before": following.id, **line}


def table_line(game: Game, actor: str | None, players: TraceLine, companies: TraceLine) -> TraceLine:
    """The whole state; the players by seat."""
    table, state = game.table, cast(Any, game.state)
    return {
        "round": state.round,
        "phase": state.phase,
        "actor": actor,
        "players": {table.name(player): line for player, line in players.items()},
        "companies": companies,
        "tiles": {hex_id: list(laid) for hex_id, laid in state.board.tiles.items()},
    }


def player_line(
    table: Table,
    player: str,
    companies: Iterable[str],
    papers: Iterable[str],
    minors: Iterable[str] = (),
    debt: int = 0,
) -> TraceLine:
    shares = {company: holding(table, player, company) for company in companies}
    return {
        "cash": table.state.cash[player],
        "shares": {company: percent for company, percent in shares.items() if percent},
        "locals": sorted(papers),
        "minors": list(minors),
        "debt": debt,
    }


def company_line(table: Table, company: str, trains: Iterable[str]) -> TraceLine:
    return {
        "cash": table.state.cash[company],
        "trains": sorted(trains),
        "stations": sorted(hex_of(city) for city in table.state.board.stations_of(company)),
    }


def station_places(cities: Iterable[str], price: int) -> list[list[str | int]]:
    return [[hex_id, price] for hex_id in sorted(set(map(hex_of, cities)))]


def lays_by_hex(tile_set: TileSet, lays: Iterable[tuple[str, str, int]]) -> TraceLine:
    """Legal lays grouped by hex and tile; of equivalent rotations all are listed."""
    rows: dict[str, dict[str, list[int]]] = {}
    for hex_id, tile, rotation in lays:
        rows.setdefault(hex_id, {}).setdefault(tile, []).extend(tile_set.alike[tile][rotation])
    return {hex_id: {tile: sorted(rotations) for tile, rotations in row.items()} for hex_id, row in rows.items()}
