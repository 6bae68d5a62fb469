"""What must hold in 18Mag after every action."""

from __future__ import annotations

from collections import Counter

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import Record, TrainMoved
from ostbahn.kernel.state import State
from ostbahn.titles.mag.modules.supporters_table import SupportersState
from ostbahn.titles.mag.state import EndTurn, MagState, MagTable, Rounds
from ostbahn.titles.mag.title import MagTitle


def state_of(state: State) -> MagState:
    assert isinstance(state, MagState)
    return state


def title_of(game: Game) -> MagTitle:
    table = game.table
    assert isinstance(table, MagTable)
    return table.title


def check_invariants(game: Game) -> None:
    """Everything on the table is complete and where it may be."""
    state, title = state_of(game.state), title_of(game)
    assert sum(state.cash.values()) == 0
    assert all(amount >= 0 for who, amount in state.cash.items() if who != BANK)
    assert all(state.cash[major] % 10 == 0 for major in title.companies), "a treasury with a remainder (VI.4.3/10)"
    check_certificates(title, state)
    check_tiles(title, state)
    check_trains(title, state)
    check_stations(title, state)
    check_supporters(title, state)
    assert sorted(company for stack in state.chart for company in stack) == sorted(title.companies)
    assert sorted(state.order) == sorted(state.players)
    assert state.priority in state.players
    assert game.over or isinstance(state.agenda[0], Rounds)


def check_certificates(title: MagTitle, state: MagState) -> None:
    assert set(state.certificates) == set(title.companies)
    for major, holders in state.certificates.items():
        parts = title.companies[major].certificates
        assert len(holders) == len(parts)
        assert set(holders) <= {BANK, *state.players}
        held = {
            player: sum(part for part, holder in zip(parts, holders, strict=True) if holder == player)
            for player in state.players
        }
        assert max(held.values()) <= title.major.holding_limit
        if holders[0] == BANK:
            assert max(held.values()) < parts[0], f"{major} has no director although somebody could be"
        else:
            assert held[holders[0]] == max(held.values()), f"somebody has more of {major} than its director"


def check_tiles(title: MagTitle, state: MagState) -> None:
    laid = Counter(title.piece(name) for name, _ in state.board.tiles.values())
    for name, number in state.supply.items():
        assert number >= 0
        assert number + laid[name] == title.tiles[name].count, f"tiles {name} are not complete"
    for hex_id, (name, rotation) in state.board.tiles.items():
        hex_ = title.map[hex_id]
        assert not title.tile_set.faces[name][rotation].exits & ~hex_.marked, f"track leads nowhere at {hex_id}"
        assert title.is_colour_open(title.tiles[name].colour, state.phase)


def check_trains(title: MagTitle, state: MagState) -> None:
    cards = [train.card for trains in state.trains.values() for train in trains]
    assert len(set(cards)) == len(cards), "a train is in two places"
    for minor, trains in state.trains.items():
        assert minor in title.minors
        assert len(trains) <= title.minor.train_limit
        assert all(train.face in title.stacks for train in trains)
    assert set(state.indicators) <= set(title.stacks)
    assert 0 <= state.no_train < title.no_train_tokens


def check_stations(title: MagTitle, state: MagState) -> None:
    hexes: Counter[tuple[str, str]] = Counter()
    for city, companies in state.board.stations.items():
        assert companies
        hex_id, _, node = city.partition(".")
        place = state.board.face(title.tile_set, title.map[hex_id]).nodes[int(node)]
        assert place.kind == "city"
        assert len(companies) <= place.slots, f"too many stations in {city}"
        hexes.update((company, hex_of(city)) for company in companies)
    doubled = {pair for pair, number in hexes.items() if number > 1}
    assert not doubled, f"two stations of one company in a hex: {doubled}"
    for company, left in state.markers.items():
        placed = sum(company in companies for companies in state.board.stations.values())
        due = title.major.markers if company in title.companies else title.minor.stations
        assert left >= 0
        assert left + placed in (due, due + 1), f"stations of {company} are not complete"


def check_supporters(title: MagTitle, state: MagState) -> None:
    """Every card is somewhere, nobody has more than was drafted, and no train is longer than its turn."""
    if not isinstance(state, SupportersState):
        assert not title.supporters
        return
    assert set(state.supporters) == set(title.supporters)
    held = Counter(state.supporters.values())
    assert all(held[player] <= title.players[len(state.players)].supporters for player in state.players)
    assert set(state.used) <= {supporter for supporter, owner in state.supporters.items() if owner != BANK}
    if not any(isinstance(task, EndTurn) for task in state.agenda):
        assert state.longer is None
        assert not state.fresh


def check_train_events(before: MagState, record: Record, after: MagState) -> None:
    """Following the trains through the records leads to where they are."""
    places = train_places(before)
    for event in record.events:
        if isinstance(event, TrainMoved):
            if event.source != "stack":
                assert places.pop(event.card) == event.source
            if event.target != "stack":
                places[event.card] = event.target
    assert places == train_places(after), "the record does not tell where the trains went"


def train_places(state: MagState) -> dict[str, str]:
    return {train.card: minor for minor, trains in state.trains.items() for train in trains}
