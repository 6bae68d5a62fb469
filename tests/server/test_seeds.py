"""Nobody learns what a game that others still play will draw: neither its seed nor where its chance stands goes out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

import httpx
import pytest
from litestar.routes import HTTPRoute
from msgspec import UNSET

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.kernel.state import RngState
from ostbahn.kits.catalogue import SITE, new_game, reseeded
from ostbahn.server.accounts import rate_limits
from ostbahn.server.games.new_table import NewSeat, NewTable, game_for, strong_seed
from ostbahn.server.games.service import GameService
from ostbahn.server.plans.service import Plans
from ostbahn.server.web.services import Services
from ostbahn.table.access import Access, NotYours
from ostbahn.testing import apart_from_chance, play_random
from ostbahn.titles.cz.events import JoinedVaclav
from tests.golden.games import golden_game
from tests.server.network import Json, Seat, first, listening
from tests.server.site import Client, client, key_in, unlimited, words
from tests.server.tables import FEWEST, NAMES, WAYS, keys

ANSWERS = 37
"""Then the host runs trains for VBW, and the next of Vaclav's companies is still to be drawn."""
SEED = 1_987_654_321
"""Its digits stand nowhere else."""


def table_of(game: Game, *who: str) -> NewTable:
    seats = tuple(NewSeat(name, kind) for name, kind in zip(game.setup.players, who, strict=True))
    return NewTable(title=game.setup.title, variant=game.setup.variant, seats=seats, ask_all=True)


def wanted(title: str, variant: str, *who: str, **more: object) -> NewTable:
    seats = tuple(NewSeat(name, kind) for name, kind in zip(NAMES, who, strict=False))
    return NewTable(title=title, variant=variant, seats=seats, **more)  # type: ignore[arg-type]


def opened(game_service: GameService, table: NewTable, answers: int) -> Access:
    """A table at which so many answers have been given; returns the host's key."""
    return game_service.create_game(table, play_random(game_for(table), Random(2), answers))


def next_draw(game: Game, real: Game) -> str:
    """What Vaclav gets at the next answer of the real game, given in another one."""
    record = real.records[len(game)]
    found = game.apply(record.action, record.by).events
    return next(event.company for event in found if isinstance(event, JoinedVaclav))


# Saves


@pytest.mark.parametrize(("title", "variant"), WAYS)
def test_the_save_of_a_running_game_holds_its_draws_and_not_its_seed(
    game_service: GameService, title: str, variant: str
) -> None:
    number = FEWEST[title, variant]
    for seed in (None, SEED):
        host = opened(game_service, wanted(title, variant, *["here"] * number, seed=seed), 12)
        with game_service.holding(host.game) as room:
            real = room.game.copy()
        for who in keys(game_service, host).values():
            data = game_service.save_file(who)[1]
            assert str(real.setup.seed).encode() not in data
            assert real.state.digest.encode() not in data, "whoever guesses a seed could see that they were right"
            copy = saves.load(data)
            assert apart_from_chance(copy) == apart_from_chance(real)
            assert copy.records == real.records


def test_the_draws_of_a_running_game_do_not_follow_from_its_save(game_service: GameService) -> None:
    """Somebody who gives the next answers to what they were handed out sees Vaclav get something, but what?"""
    golden = golden_game("18CZ-bohemia-2")
    moments = [
        number
        for number, record in enumerate(golden.records)
        if any(isinstance(event, JoinedVaclav) for event in record.events)
    ]
    seen: Counter[bool] = Counter()
    for number in moments * 8:
        real = reseeded(golden.position(number), strong_seed())
        host = game_service.create_game(table_of(real, "here", "link"), real)
        handed_out = game_service.save_file(keys(game_service, host)["spectator"])[1]
        seen[next_draw(saves.load(handed_out), golden) == next_draw(real, golden)] += 1
    assert seen[False], "all draws were foretold"


def test_a_finished_game_is_handed_out_with_its_seed(game_service: GameService) -> None:
    game = golden_game("18CZ-bohemia-2")
    assert saves.load(game_service.save_file(game_service.import_game(game))[1]).state == game.state


def test_the_save_of_a_game_stays_the_same_until_somebody_moves(game_service: GameService) -> None:
    host = game_service.create_game(wanted("18CZ", "bohemia", "here", "here"))
    assert game_service.save_file(host) == game_service.save_file(host)


def test_whoever_brings_a_game_does_not_know_what_it_draws_here(game_service: GameService) -> None:
    golden = golden_game("18CZ-bohemia-2")
    number = next(
        number
        for number, record in enumerate(golden.records)
        if any(isinstance(event, JoinedVaclav) for event in record.events)
    )
    drawn = set()
    for _ in range(40):
        host = game_service.import_game(golden.position(number))
        with game_service.holding(host.game) as room:
            drawn.add(next_draw(room.game.position(number), golden))
    assert drawn == {"BN", "NWB", "ATE", "BTE"}


# Seeds


def test_the_server_draws_seeds_that_nobody_guesses() -> None:
    seeds = [game_for(wanted("18CZ", "bohemia", "here", "link")).setup.seed for _ in range(20)]
    assert len(set(seeds)) == 20
    assert min(seeds) >= 2**128
    assert len({seed % 2**31 for seed in seeds}) == 20


def test_under_the_rulings_of_18xx_games_it_draws_as_that_site_does() -> None:
    setup = game_for(wanted("18Mag", "base", "here", "here", "here", preset=SITE)).setup
    assert 0 < setup.seed < 2**31
    assert setup.draws == ()


def test_a_chosen_seed_is_told_to_all_who_play(game_service: GameService, url: str) -> None:
    for seed, known in ((None, False), (5, True)):
        with client(url) as browser:
            fields = {"title": "18CZ", "variant": "bohemia", "seed": seed}
            seats = [{"name": "Anna", "who": "here"}, {"name": "Ben", "who": "link"}]
            links: Json = browser.post("/api/games", json={**fields, "seats": seats}).json()
            for link in links:
                assert browser.get(f"/api/t/{link['key']}").json()["seed_known"] is known
                for page in ("", "/invite"):
                    told = words(browser.get(f"/t/{link['key']}{page}"))
                    assert ("The seed of this game is no secret." in told) is known
            alone = [{"name": "Anna", "who": "here"}, {"name": "Ben", "who": "R"}]
            key = browser.post("/api/games", json={**fields, "seats": alone}).json()[0]["key"]
            assert browser.get(f"/api/t/{key}").json()["seed_known"] is False


# Playing on


def test_a_board_is_no_way_round_the_rule_of_its_table(game_service: GameService, url: str) -> None:
    host = opened(game_service, wanted("18CZ", "bohemia", "here", "link"), 10)
    plans = Plans(game_service)
    for who in keys(game_service, host).values():
        board = plans.create(who)
        for key in (who, board):
            with pytest.raises(NotYours, match="others still play this game"):
                game_service.check_copy(key)
        with client(url) as browser:
            own = {"Origin": "http://testserver.local"}
            for key in (who, board):
                assert browser.get(f"/t/{key.key}/play-on").status_code == 403
                answer = browser.post(f"/t/{key.key}/play-on", data={"seat": "p1", "bot": "R"}, headers=own)
                assert answer.status_code == 403


def test_whoever_plays_alone_or_has_a_finished_game_may_go_on_from_a_board(game_service: GameService, url: str) -> None:
    finished = game_service.import_game(golden_game("18CZ-bohemia-2"))
    alone = game_service.create_game(wanted("18CZ", "bohemia", "here", "R"))
    with client(url) as browser:
        for who, at in ((finished, 60), (alone, 0)):
            board = Plans(game_service).create(who, at=at)
            key = _played_on(browser, board.key)
            with (
                game_service.holding(board.game) as planned,
                game_service.holding(game_service.access(key).game) as copied,
            ):
                assert copied.game.setup.seed != planned.game.setup.seed
                assert apart_from_chance(copied.game.position(planned.number)) == apart_from_chance(planned.game)


def _played_on(browser: Client, key: str) -> str:
    own = {"Origin": "http://testserver.local"}
    return key_in(browser.post(f"/t/{key}/play-on", data={"seat": "p1", "bot": "R"}, headers=own))


# All routes


PARTS = {
    "what": ("legend", "upgrades", "me", "watch", "BCB", "F18"),
    "number": ("1",),
    "hex_id": ("F18",),
    "tile": ("8",),
    "rotation": ("0",),
    "company": ("VBW",),
    "file": ("players.csv", "payments.csv"),
}
STREAM = "/api/t/{key}/events"
UNANSWERED = {
    STREAM,  # never ends; it has a test of its own
    "/t/{key}/play-on",  # refused while others play
    "/t/{key}/coach/{number}",  # the coach is not ready
    "/api/t/{key}/seat",  # answers with links alone, and would take one away
    "/api/t/{key}/vote",  # answers yes or no
    "/api/t/{key}/vote/reply",
    "/api/t/{key}/plan/redo",  # answers as all that changes a board
}


def addresses(inside: Services, method: str) -> Iterator[tuple[str, str]]:
    """All routes of tables that know a method, with addresses that lead somewhere as far as there are some."""
    for route in unlimited(inside).routes:
        if isinstance(route, HTTPRoute) and method in route.methods and "/t/{key}" in route.path_format:
            names = [name for name in PARTS if f"{{{name}}}" in route.path_format]
            for place in range(max([1, *(len(PARTS[name]) for name in names)])):
                address = route.path_format
                for name in names:
                    address = address.replace(f"{{{name}}}", PARTS[name][place % len(PARTS[name])])
                yield route.path_format, address


def bodies(view: Json) -> list[dict[str, object]]:
    """What may be sent to a route; most want one of these."""
    page: dict[str, object] = {"at": None, "stamp": 0, "panels": {}}
    version, action = view["version"], {"do": "pass"} if not view["my_turn"] else first(view)
    return [
        {"version": version, "action": action, "agree": True, "keep": 1, "bot": "R", "text": "hello", "name": "A plan"},
        {"version": version, "page": page, "action": action, "bot": "R"},
        page,
    ]


def secrets_of(game: Game) -> list[str]:
    """The seed and all states of the generator, as they would stand in a text; and digests, which tell of them."""
    values = {game.setup.seed}
    for number in range(len(game) + 1):
        chance = game.state_at(number).chance  # type: ignore[attr-defined]
        values.add(chance.value if isinstance(chance, RngState) else chance)
    return [*map(str, values), *(game.state_at(number).digest for number in range(len(game) + 1))]


@pytest.fixture
def tireless(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A browser that may ask for what there is not as often as it likes."""
    for limit in (rate_limits.KEYS, rate_limits.COACH):
        monkeypatch.setattr(limit, "rate_limit", ("minute", 1_000_000))
    with client(url) as browser:
        yield browser


class Looked:
    """What was looked at, and that nothing secret stood in it."""

    def __init__(self, game: Game) -> None:
        self.secret = secrets_of(game)
        self.answered: set[str] = set()

    def at(self, route: str, answer: httpx.Response) -> None:
        assert answer.status_code < 500, (route, answer.text)
        text = answer.text + json.dumps(dict(answer.headers))
        assert not [each for each in self.secret if each in text], route
        if answer.status_code < 400:
            self.answered.add(route)


@pytest.mark.parametrize("seed", [2**128 + SEED, SEED], ids=["strong seed", "chosen seed"])
def test_no_route_of_a_table_tells_the_seed_or_where_chance_stands(tireless: Client, seed: int) -> None:
    inside: Services = tireless.app.state.services
    game = golden_game("18CZ-bohemia-2").position(ANSWERS)
    game = reseeded(game, seed)
    host = inside.game_service.create_game(table_of(game, "here", "link"), game)
    looked = Looked(game)
    links = list(keys(inside.game_service, host).values())
    boards = [inside.plans.create(who) for who in links]
    for who in (*links, *boards):
        for route, path in addresses(inside, "GET"):
            if route != STREAM:
                looked.at(route, tireless.get(path.replace("{key}", who.key), params={"after": 0}))
    looked.at("/api/t/{key}/runs", tireless.post(f"/api/t/{host.key}/runs", json={"action": {}}))
    own = {"Origin": "http://testserver.local"}
    for who in (*boards, *links):
        for method in ("POST", "PUT"):
            for route, path in addresses(inside, method):
                where = path.replace("{key}", who.key)
                for body in bodies(Seat(tireless, who.key).get()):
                    looked.at(route, tireless.request(method, where, json=body))
                looked.at(route, tireless.request(method, where, data={"seat": "p1", "name": "Eva"}, headers=own))
    everything = {route for method in ("GET", "POST", "PUT") for route, _ in addresses(inside, method)}
    unseen = everything - looked.answered
    assert unseen <= UNANSWERED, f"nothing was seen of {sorted(unseen - UNANSWERED)}"


def test_what_a_page_is_told_while_it_waits_has_numbers_of_versions_alone(
    net: httpx.Client, address: str, inside: Services
) -> None:
    host = opened(inside.game_service, wanted("18CZ", "bohemia", "here", "link", seed=SEED), 25)
    with inside.game_service.holding(host.game) as room:
        version = room.version
    with listening(address, Seat(net, host.key)) as heard:
        assert heard.get() == ("state", str(version))


def test_the_games_of_this_file_could_be_foretold_with_what_is_kept_back() -> None:
    """So that the tests above do not pass for another reason: with the seed, the same answers give the same game."""
    game = play_random(new_game("18CZ", NAMES[:2], variant="bohemia", seed=SEED), Random(1), 40)
    assert game.setup.draws is UNSET
    assert saves.load(saves.dump(game)).state == game.state


# Taking back


def test_an_answer_that_drew_by_lot_is_taken_back_only_with_consent(game_service: GameService) -> None:
    """The same draw would come again, so somebody could look first and decide then."""
    whole = golden_game("18CZ-bohemia-2")
    drew = next(
        number
        for number, record in enumerate(whole.records)
        if any(isinstance(event, JoinedVaclav) for event in record.events)
    )
    for who, mine in ((("here", "link"), None), (("here", "here"), drew)):
        game = whole.position(drew)
        host = game_service.create_game(table_of(game, *who), game)
        record = whole.records[drew]
        with game_service.changing(host.game) as (room, session):
            game_service.record_entries(session, room, room.answer(record.action, record.by))
            assert room.own_move([record.by, *host.seats]) == mine


def test_the_coach_keeps_the_rule_of_the_table_on_its_boards(game_service: GameService, url: str) -> None:
    host = opened(game_service, wanted("18CZ", "bohemia", "here", "link"), 60)
    watching = keys(game_service, host)["spectator"]
    board = Plans(game_service).create(watching)
    with client(url) as browser:
        for key in (watching, board):
            assert browser.get(f"/t/{key.key}/coach").status_code == 403
