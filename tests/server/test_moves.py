"""Answers as they are seen happening: what each touched, how trains ran, and where a page stops on its way."""

from __future__ import annotations

import re
from itertools import chain
from random import Random

import httpx
import msgspec
import pytest

from ostbahn.analysis.runs import CompanyTrains
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.hexes import hex_of
from ostbahn.kernel.records import ClaimBelieved, PhaseBegan, Revenue, StationPlaced, TileLaid
from ostbahn.server.web.services import Services
from ostbahn.table.access import Access
from ostbahn.table.rendering import Page, Update
from ostbahn.table.room import Room
from ostbahn.table.table_view import FURTHEST, moment_after, stops_after
from ostbahn.views.moves import MoveView, RanView, move_view, train_runs
from ostbahn.views.routes import runs_in
from tests.server.sample_games import SAMPLES, random_game, sample
from tests.server.tables import play, room_for, step, wanted

TITLES = ("18CZ", "18Mag")


@pytest.fixture(params=SAMPLES, ids=lambda chosen: "-".join(map(str, chosen)))
def game(request: pytest.FixtureRequest) -> Game:
    return sample(*request.param)


def moved(game: Game, number: int) -> MoveView:
    view = move_view(game.position(number))
    assert view is not None
    return view


def prices(game: Game) -> dict[str, int]:
    found = zip(game.table.title.prices, game.state.chart, strict=True)
    return {company: price for price, stack in found for company in stack}


# What an answer touched


def test_a_move_tells_what_lies_otherwise_on_the_table(game: Game) -> None:
    before = game.position(0)
    for number, record in enumerate(game.records, start=1):
        after, view = game.position(number), moved(game, number)
        assert (view.number, view.by) == (number, record.by)
        was, now = before.state, after.state
        differing = {place for place, _ in was.board.tiles.items() ^ now.board.tiles.items()}
        differing |= {hex_of(city) for city, _ in was.board.stations.items() ^ now.board.stations.items()}
        assert set(view.hexes) == differing
        assert {step.who: step.amount for step in view.money} == {
            who: more
            for who in {*was.cash, *now.cash} - {"bank"}
            if (more := now.cash.get(who, 0) - was.cash.get(who, 0))
        }
        old, new = prices(before), prices(after)
        assert {(step.company, step.before, step.after) for step in view.prices} == {
            (company, old.get(company, 0), price) for company, price in new.items() if old.get(company) != price
        }
        before = after


def test_a_move_names_the_companies_whose_cards_change(game: Game) -> None:
    for number, record in enumerate(game.records, start=1):
        view = moved(game, number)
        builders = {event.company for event in record.events if isinstance(event, (TileLaid, StationPlaced))}
        builders |= {event.company for event in record.events if isinstance(event, Revenue) and event.amount}
        assert builders & {*game.table.title.charters} <= set(view.companies)
        assert {step.company for step in view.prices} <= set(view.companies)
        assert (view.mark is None) == (view.company not in game.table.title.charters)


def test_only_what_leaves_all_as_it_was_goes_by_quickly(game: Game) -> None:
    views = [moved(game, number) for number in range(1, len(game) + 1)]
    quick = [view for view in views if view.quick]
    assert quick
    for view in quick:
        assert (view.hexes, view.prices, view.money, view.companies) == ((), (), (), ())
        assert not view.grave
        assert not view.route
    for view, record in zip(views, game.records, strict=True):
        if any(isinstance(event, PhaseBegan) for event in record.events):
            assert view.grave


def test_a_move_is_plain_data(game: Game) -> None:
    for number in range(1, len(game), 31):
        view = moved(game, number)
        assert msgspec.json.decode(msgspec.json.encode(view), type=MoveView) == view
    assert move_view(game.position(0)) is None
    assert train_runs(game.position(0)) == ()


# How trains ran


def test_every_run_is_told(game: Game) -> None:
    """Also those that the rules make for somebody: no income comes of nothing."""
    ran = 0
    for number, record in enumerate(game.records, start=1):
        views = train_runs(game.position(number))
        told = {view.company: view.revenue for view in views}
        earned = {event.company: event.amount for event in record.events if isinstance(event, Revenue)}
        claimed = {event.company for event in record.events if isinstance(event, ClaimBelieved)}
        proven = {company: amount for company, amount in earned.items() if amount and company not in claimed}
        assert proven.items() <= told.items()
        assert bool(views) == moved(game, number).route
        ran += len(views)
    assert ran


def test_the_ways_of_an_answer_are_those_that_were_run() -> None:
    for title in TITLES:
        game = sample(title, "base")
        answers = enumerate((action for _, action in game.actions()), start=1)
        runs = [(number, runs_in(action)) for number, action in answers if hasattr(action, "runs")]
        assert len(runs) > 20
        for number, given in runs:
            paths = tuple(run.path for run in given)
            assert (
                tuple(chain.from_iterable(view.paths for view in train_runs(game.position(number))))[: len(paths)]
                == paths
            )


def test_the_ways_that_the_rules_take_earn_what_was_earned() -> None:
    game, found = random_game("18CZ", "bohemia"), 0
    for number, record in enumerate(game.records, start=1):
        for view in () if hasattr(record.action, "runs") else train_runs(game.position(number)):
            found += 1
            assert earnings(game.position(number), view) == view.revenue
    assert found


def earnings(game: Game, view: RanView) -> int:
    """What a company's trains earn on these ways, in their order."""
    fleet, total = CompanyTrains(game.table, view.company), 0
    for run in fleet.best().routes:
        assert run.path in view.paths
        way = fleet.route(run)
        assert not isinstance(way, Refusal)
        total += way.revenue
    return total


# Where a page stops


def looker(room: Room, *seats: str) -> Access:
    return Access(key="", hash="", game=room.id, role="seat" if seats else "spectator", seats=seats)


def test_a_page_stops_after_the_answers_of_others() -> None:
    room = room_for("18CZ", "base")
    play(room, 120, Random(5))
    one, nobody = looker(room, "p1"), looker(room)
    stops = stops_after(room, one, 0)
    assert stops
    assert not [number for number in stops if room.game.records[number - 1].by == "p1"]
    passed = {*range(1, room.number + 1)} - {*stops_after(room, nobody, 0)}
    assert passed, "nothing was left out"
    assert {room.game.records[number - 1].action.__struct_config__.tag for number in passed} <= {"pass", "run_trains"}
    for number in passed:
        assert moved(room.game, number).quick
        assert room.given[number - 1].how == "obvious" or room.game.position(number - 1).ask().company
    assert stops_after(room, looker(room, *room.game.state.players), 0) == []
    assert stops_after(room, one, stops[3]) == stops[4:]
    assert stops_after(room, one, room.number) == []


def test_the_way_through_shows_each_answer_from_just_before_it() -> None:
    room = room_for("18Mag", "base")
    play(room, 150, Random(3))
    who = looker(room, "p2")
    shown, at = [], 0
    while (moment := moment_after(room, who, at)) is not None:
        assert moment > at
        shown.append(moment)
        at = moment
    stops = stops_after(room, who, 0)
    assert [moment for moment in shown if moment in stops] == stops
    assert {stop - 1 for stop in stops} <= {0, *shown}


def test_who_was_away_for_very_long_begins_later() -> None:
    room = room_for("18CZ", "base", ask_all=True)
    play(room, FURTHEST + 60, Random(8))
    first = moment_after(room, looker(room), 0)
    assert first is not None
    assert first >= room.number - FURTHEST


def test_a_room_that_goes_on_from_a_snapshot_is_gone_through_from_there() -> None:
    room = room_for("18CZ", "base")
    play(room, 60, Random(5))
    snapshot = room.snapshot()
    later = room_for("18CZ", "base")
    later._resume(snapshot)
    assert stops_after(later, looker(later), 0) == []
    play(later, 10, Random(6))
    stops = stops_after(later, looker(later), 0)
    assert stops
    assert min(stops) > snapshot.number


# On the page


def updated(inside: Services, who: Access, at: int | None = None, after: int | None = None) -> Update:
    return inside.update(who, Page(at=at, after=after), "light")


def test_a_page_goes_through_what_it_missed(inside: Services) -> None:
    game_service = inside.game_service
    host = game_service.create_game(wanted())
    for _ in range(30):
        step(game_service, host)
    spectator = next(link for link in game_service.links(host) if link.role == "spectator")
    at, lefts = 0, []
    while True:
        update = updated(inside, spectator, after=at)
        assert update.move is not None
        assert update.move.number == update.at > at
        at = update.at
        if update.stop:
            lefts.append(update.left)
        if update.now:
            break
    assert lefts == list(range(len(lefts) - 1, -1, -1))
    assert updated(inside, host, after=0).now, "one's own answers are no news"
    assert updated(inside, spectator, after=at).at == at


@pytest.mark.parametrize("title", TITLES)
def test_in_history_every_run_is_drawn(inside: Services, net: httpx.Client, title: str) -> None:
    game = sample(title, "base")
    host = inside.game_service.import_game(game)
    runs = [number for number in range(1, len(game)) if train_runs(game.position(number))]
    for number in runs[:: len(runs) // 8]:
        ways = sum(1 for view in train_runs(game.position(number)) for path in view.paths if path)
        assert drawn(updated(inside, host, at=number).routes) == ways
        assert drawn(updated(inside, host, at=number + 1).routes) == 0 or number + 1 in runs
    page = net.get(f"/t/{host.key}", params={"at": runs[0]}).text
    shown = re.search(r'id="drawn-routes"[^>]*>(.*?)</script>', page)
    assert shown is not None
    assert drawn(msgspec.json.decode(shown[1])) > 0


def drawn(svg: str) -> int:
    """How many routes are drawn."""
    return len(re.findall(r'class="route"', svg))


@pytest.mark.parametrize("title", TITLES)
def test_the_run_that_was_made_last_lies_on_the_board_till_the_next_answer(inside: Services, title: str) -> None:
    game = sample(title, "base")
    number = next(number for number in range(1, len(game)) if train_runs(game.position(number)))
    host = inside.game_service.import_game(game.position(number))
    assert drawn(updated(inside, host).routes) > 0
    step(inside.game_service, host)
    assert drawn(updated(inside, host).routes) == 0


def test_a_run_that_is_asked_for_lies_above_one_that_was_made(inside: Services) -> None:
    game = sample("18Mag", "base")
    asked = next(
        number
        for number in range(1, len(game))
        if (question := game.position(number).question) is not None and question.kind == "operate_trains"
    )
    host = inside.game_service.import_game(game.position(asked))
    with inside.game_service.holding(host.game) as room:
        view = inside.view(room, host)
    assert view.routes is not None
    assert drawn(updated(inside, host).routes) == sum(1 for route in view.routes.routes if route.path)


def test_moves_can_be_asked_for(inside: Services, net: httpx.Client) -> None:
    game = sample("18CZ", "base")
    host = inside.game_service.import_game(game.position(200))
    spectator = next(link for link in inside.game_service.links(host) if link.role == "spectator")
    path = f"/api/t/{spectator.key}/moves"
    found = net.get(path, params={"after": 150}).json()
    with inside.game_service.holding(host.game) as room:
        assert [move["number"] for move in found] == stops_after(room, spectator, 150)
    assert {"by_name", "words", "hexes", "prices", "money", "quick"} <= found[0].keys()
    assert len(net.get(path, params={"after": 150, "limit": 3}).json()) == 3
    assert net.get(path, params={"after": 200}).json() == []
    assert net.get(path, params={"after": 0, "limit": 201}).status_code == 400
