"""What must hold in 18CZ after every action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK
from ostbahn.kernel.records import DirectorChanged, Paid, Record, StationPlaced, TrainMoved
from ostbahn.kernel.state import State
from ostbahn.titles.cz.bohemia_table import VACLAV
from ostbahn.titles.cz.events import Closed, LocalRailwayGone, MarkerGained
from ostbahn.titles.cz.moravia_table import WESTBAHN, MoraviaTitle
from ostbahn.titles.cz.state import CzState, CzTable, ReturnStation, ReturnTrains, SettleTrains, Timetable
from ostbahn.titles.cz.title import SIZES, CzTitle


def title_of(game: Game) -> CzTitle:
    table = game.table
    assert isinstance(table, CzTable)
    return table.title


def state_of(state: State) -> CzState:
    assert isinstance(state, CzState)
    return state


# The material of the game


def check_invariants(game: Game) -> None:
    """Everything on the table is complete and where it may be."""
    state, title = state_of(game.state), title_of(game)
    assert sum(state.cash.values()) == 0
    assert all(amount >= 0 for who, amount in state.cash.items() if who != BANK)
    check_certificates(game, state)
    check_chart(title, state)
    check_tiles(title, state)
    check_trains(title, state)
    check_stations(title, state)
    check_markers(game, state)
    check_locals(title, state)
    assert sorted(state.order) == sorted(state.players)
    assert game.over or isinstance(state.agenda[0], Timetable)


def percent(title: CzTitle, state: CzState, player: str, company: str) -> int:
    parts = title.companies[company].certificates
    return sum(part for part, holder in zip(parts, state.certificates[company], strict=True) if holder == player)


def above_certificate_limit(game: Game, player: str) -> bool:
    state = state_of(game.state)
    title = title_of(game)
    shares = sum(holders.count(player) for holders in state.certificates.values())
    limit = title.players[len(state.players)].certificate_limit
    return shares + list(state.locals.values()).count(player) > limit


def check_certificates(game: Game, state: CzState) -> None:
    title = title_of(game)
    missing = set(title.companies) - set(state.closed) - set(state.certificates)
    assert len(missing) == (1 if isinstance(title, MoraviaTitle) and len(state.players) == 2 else 0)
    assert not missing & set(state.start_prices)
    for company, holders in state.certificates.items():
        spec = title.companies[company]
        assert len(holders) == len(spec.certificates)
        assert set(holders) <= {BANK, VACLAV, *state.players}
        held = {player: percent(title, state, player, company) for player in (*state.players, VACLAV)}
        assert max(held.values()) <= spec.spec.holding_limit, f"too much of {company}: {held}"
        if company in state.start_prices:
            assert holders[0] != BANK, f"{company} has started and has no Director"
            assert held[holders[0]] == max(held.values()), f"somebody has more of {company} than its Director"
        else:
            assert set(holders) == {BANK}
    for player in state.players:
        if above_certificate_limit(game, player):
            assert player in ousted(game), f"{player} is above the certificate limit and has lost no directorship"


def ousted(game: Game) -> set[str]:
    """Players who have lost a directorship."""
    return {event.before for record in game.records for event in record.events if isinstance(event, DirectorChanged)}


def check_chart(title: CzTitle, state: CzState) -> None:
    markers = [company for stack in state.chart for company in stack]
    assert sorted(markers) == sorted(state.start_prices)
    assert set(state.floated) <= set(state.start_prices)
    assert set(state.operated) <= {*state.floated, *state.closed}
    for company in state.floated:
        assert title.companies[company].spec.opens_in_phase <= state.phase


def check_tiles(title: CzTitle, state: CzState) -> None:
    laid = Counter(name for name, _ in state.board.tiles.values())
    for name, tile in title.tiles.items():
        assert state.supply[name] >= 0
        assert state.supply[name] + laid[name] == tile.count, f"tiles {name} are not complete"
        assert not laid[name] or tile.colour == "red" or title.is_colour_open(tile.colour, state.phase)
    for hex_id, (name, rotation) in state.board.tiles.items():
        hex_ = title.map[hex_id]
        assert not title.tile_set.faces[name][rotation].exits & ~hex_.marked, f"track runs off the map at {hex_id}"
        assert title.tiles[name].label == hex_.printed.label


def check_trains(title: CzTitle, state: CzState) -> None:
    owned = [train for trains in state.trains.values() for train in trains]
    cards = [train.card for train in (*owned, *state.pool)]
    assert len(set(cards)) == len(cards), "a train card is in two places"
    gone = [title.stack.card(number) for number in range(state.cards_gone)]
    assert set(cards) <= set(gone), "a train card is in use and still in the stack"
    assert state.phase == (gone[-1][0] if gone else "a")
    for train in (*owned, *state.pool):
        assert train.face in title.stack.spec[train.letter].faces
        assert train.face not in state.scrapped, f"{train} is scrapped"
    excused = {task.company for task in state.agenda if isinstance(task, ReturnTrains | SettleTrains)}
    for company, trains in state.trains.items():
        size = title.companies[company].size
        assert not trains or company in state.floated
        for train in trains:
            assert SIZES.index(title.train_faces[train.face].size) <= SIZES.index(size)
        if trains and company not in excused:
            limit = title.phases[state.phase].train_limit[size]
            assert len(trains) <= limit, f"{company} has more than {limit} trains"


def check_stations(title: CzTitle, state: CzState) -> None:
    doubled = {
        (task.company, hex_of(city)) for task in state.agenda if isinstance(task, ReturnStation) for city in task.cities
    }
    hexes: Counter[tuple[str, str]] = Counter()
    for city, companies in state.board.stations.items():
        assert companies
        hex_id, _, node = city.partition(".")
        face = state.board.face(title.tile_set, title.map[hex_id])
        if node:
            place = face.nodes[int(node)]
            assert place.kind in ("city", "red")
            assert len(companies) <= place.slots, f"too many stations in {city}"
        else:
            assert not face.exits, f"a station lies in {hex_id} and not in one of its cities"
        hexes.update((company, hex_id) for company in companies)
    if hexes.pop((WESTBAHN, getattr(title, "westbahn_home", "")), 0):
        assert state.locals[WESTBAHN] in state.players
    for (company, hex_id), number in hexes.items():
        assert company in state.floated
        assert number == 1 or (number == 2 and (company, hex_id) in doubled), f"{company} twice in {hex_id}"


def check_markers(game: Game, state: CzState) -> None:
    """What is on a charter and on the map is what was printed for it and for all that it took over."""
    title = title_of(game)
    due = {company: title.companies[company].spec.markers for company in title.companies}
    for target, buyer in takeovers(game):
        due[buyer] += due.pop(target)
    for heir in heirs_of_westbahn(game):
        due[heir] += 1
    assert set(state.markers) == set(state.floated)
    for company, markers in state.markers.items():
        placed = sum(companies.count(company) for companies in state.board.stations.values())
        assert min(markers) >= 0
        assert sum(markers) + placed == due[company], f"station markers of {company} are not complete"


def takeovers(game: Game) -> Iterator[tuple[str, str]]:
    """Companies that were taken over, and by whom: the one that pays the shareholders in that record."""
    if not state_of(game.state).closed:
        return
    payers = {}
    for record in game.records:
        for event in record.events:
            if isinstance(event, Paid) and event.why.startswith("shares of "):
                payers[event.why.removeprefix("shares of ")] = event.source
            if isinstance(event, Closed):
                yield event.company, payers[event.company]


def heirs_of_westbahn(game: Game) -> list[str]:
    """The company to which the Mährische Westbahn left its station, or a marker instead, if there is one."""
    title = title_of(game)
    if not isinstance(title, MoraviaTitle) or WESTBAHN in state_of(game.state).locals:
        return []
    events = [
        event for record in game.records if LocalRailwayGone(WESTBAHN) in record.events for event in record.events
    ]
    stations = [each for each in events if isinstance(each, StationPlaced) and hex_of(each.city) == title.westbahn_home]
    markers = [each for each in events if isinstance(each, MarkerGained)]
    return [*(each.company for each in stations), *(each.company for each in markers)]


def check_locals(title: CzTitle, state: CzState) -> None:
    for local, owner in state.locals.items():
        size = title.locals[local].size
        if owner in title.companies:
            assert owner in state.floated
            assert SIZES.index(size) <= SIZES.index(title.companies[owner].size)
        else:
            assert owner in (BANK, *state.players)
    assert set(state.used_powers) <= set(state.locals)
    assert all(debt > 0 for debt in state.debts.values())
    assert all(state.penalties[player] >= debt for player, debt in state.debts.items())


# What the record tells


def check_trains_told(before: CzState, record: Record, after: CzState) -> None:
    """Following the trains through the records leads to where they are."""
    places = train_places(before)
    for event in record.events:
        if isinstance(event, TrainMoved):
            if event.source == "stack":
                assert event.card not in places
            else:
                assert places.pop(event.card)[0] == event.source
            if event.target not in ("scrap", "abroad"):
                places[event.card] = (event.target, event.face)
    assert places == train_places(after), "the record does not tell where the trains went"


def train_places(state: CzState) -> dict[str, tuple[str, str]]:
    places = {train.card: ("pool", train.face) for train in state.pool}
    for company, trains in state.trains.items():
        places |= {train.card: (company, train.face) for train in trains}
    return places
