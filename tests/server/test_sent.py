"""Whatever strangers send is answered at once, in a few words, and never by a fault of the server."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from threading import Thread
from typing import Any

import httpx
import pytest
from litestar.routes import HTTPRoute
from sqlalchemy import select

from ostbahn.interop import saves
from ostbahn.interop.site_adapter import import_game
from ostbahn.kernel.errors import BadFile, BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.server.chat.service import NoteRow
from ostbahn.server.db.database import Database
from ostbahn.server.games.tables import GameRow, KeyRow
from ostbahn.server.limits import own_cookies
from ostbahn.server.programmed.service import ProgrammedMoveRow
from ostbahn.server.web.services import Services
from ostbahn.table.access import Unreadable
from ostbahn.views.routes import routes_view
from tests.server.network import Seat, open_table
from tests.server.sample_games import moments, random_game
from tests.server.site import alert, unlimited
from tests.server.tables import NAMES

WITHOUT_BODY = {"/api/t/{key}/hint", "/logout", "/games/{hashed}/remove", "/games/{hashed}/put-back"}
"""Routes that read nothing of what is sent with them."""
NEEDS_ACCOUNT: set[str] = {"/account/browsers/{browser}/log-out", "/account/browsers/log-out"}
"""Routes that refuse whoever is not logged in, whatever they send."""
NEEDS_TOURNAMENT: set[str] = {
    "/tournaments/{tournament}/enter",
    "/tournaments/{tournament}/go-on",
    "/tournaments/{tournament}/leave",
    "/told/{what}/{token}",
}
"""Routes of a tournament that is not there."""
FEW: int = 3000
"""Bytes of an answer that says why not, its page included."""


@pytest.fixture
def host(net: httpx.Client) -> Seat:
    return open_table(net)["host"]


def routes(inside: Services, *methods: str) -> Iterator[tuple[str, str]]:
    """All that can be asked for: method and path, with names for its parts."""
    for route in unlimited(inside).routes:
        if isinstance(route, HTTPRoute):
            path = "/" + "/".join(
                f"{{{part.name}}}" if not isinstance(part, str) else part for part in route.path_components
            )
            yield from ((method, path) for method in methods if method in route.methods)


# Text that is none


def test_a_body_that_is_no_text_is_refused_by_every_route(net: httpx.Client, inside: Services, host: Seat) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xff\r\n--x--\r\n'
    bodies = {
        "application/json": b'{"text": "\xff", "title": "\xff", "version": 0, "action": {"do": "\xff"}}',
        "application/x-www-form-urlencoded": b"name=%FF&text=\xfe",
        "multipart/form-data; boundary=x": part,
    }
    asked = list(routes(inside, "POST", "PUT"))
    assert len(asked) > 15
    for method, path in asked:
        for kind, body in bodies.items():
            if path.startswith("/api") != (kind == "application/json"):
                continue
            answer = net.request(
                method,
                path.format_map(defaultdict(lambda: "1", key=host.key, hashed="0" * 64, game="g")),
                content=body,
                headers={"Content-Type": kind},
            )
            if answer.status_code != 429:  # there is an end to attempts at passwords
                before = {403: NEEDS_ACCOUNT, 404: NEEDS_TOURNAMENT}.get(answer.status_code, ())
                refused = answer.status_code == 400 or path in before
                assert refused != (path in WITHOUT_BODY), (path, kind, answer.status_code)
                assert answer.status_code < 500, (path, kind, answer.text)


@pytest.mark.parametrize("charset", ["punycode", "idna", "zzz", "rot13", "hex", "undefined", "utf-16", '"utf-7"'])
def test_parts_of_a_form_are_in_utf_8_whatever_they_say(net: httpx.Client, charset: str) -> None:
    """Of punycode 300 KB would keep everybody waiting for seconds, and what nobody knows was a fault of ours."""
    head = f'--x\r\nContent-Disposition: form-data; name="text"\r\ncontent-type:text/plain;charset={charset}\r\n\r\n'
    body = head.encode() + b"-" + b"b" * 15_000 + b"\r\n--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    for path in ("/import", "/new"):
        answer = net.post(path, content=body, headers=kind)
        assert (answer.status_code, "UTF-8" in alert(answer)) == (400, True)


def test_of_cookies_only_ours_are_read() -> None:
    """Litestar reads them all, and Python takes seconds for thousands of backslashes."""
    long = b'x="' + b"\\\\" * 20_000 + b'"'
    said = [(b"host", b"here"), (b"cookie", b"a=1;ostbahn=abc-_1; " + long), (b"cookie", b'theme=dark; theme="\\000"')]
    ours = (b"ostbahn", b"theme")
    assert own_cookies(said, ours) == [(b"host", b"here"), (b"cookie", b"ostbahn=abc-_1; theme=dark")]
    assert own_cookies([(b"cookie", long)], ours) == []


def test_cookies_of_others_change_no_page(net: httpx.Client) -> None:
    for path, status in (("/", 200), ("/nothing", 404)):
        answer = net.get(path, headers={"Cookie": 'theme=dark; x="' + "\\\\" * 20_000 + '"'})
        assert (answer.status_code, 'data-theme="dark"' in answer.text) == (status, True)


@pytest.mark.parametrize("part", ["%00", "%FF", "a%C3"])
def test_an_address_that_is_no_text_is_refused_by_every_route(
    net: httpx.Client, inside: Services, host: Seat, part: str
) -> None:
    asked = [path for _, path in routes(inside, "GET") if "{" in path]
    assert len(asked) > 10
    for path in asked:
        answer = net.get(re.sub(r"{(\w+)}", rf"{part}\1", path))
        assert answer.status_code == 400, (path, answer.text)
    for path in (
        f"/t/{host.key}?at={part}",
        f"/rules/18CZ?words={part}",
        f"/new?name={part}",
        f"/api/t/{host.key}/log?seat={part}",
    ):
        assert net.get(path).status_code == 400, path


def test_nul_is_part_of_no_text(net: httpx.Client, host: Seat) -> None:
    assert "NUL" in host.refused("chat", 400, text="a\0b")["error"]
    assert net.put(host.path("note"), json={"text": "a\0b"}).status_code == 400
    assert host.get("note")["text"] == ""
    for path in ("/login", "/new", "/import"):
        answer = net.post(path, data={"name": "a\0b", "password": "12345678", "text": "\0"})
        assert answer.status_code == 400
        assert "NUL" in alert(answer)


def test_no_text_with_nul_comes_to_the_database(database: Database) -> None:
    """SQLite would keep it; PostgreSQL refuses even to look for it."""
    with pytest.raises(Unreadable, match="NUL"), database.session() as session:
        session.get(KeyRow, "a\0b")
    with pytest.raises(Unreadable, match="NUL"), database.session() as session:
        session.execute(select(GameRow).where(GameRow.name.in_(["a", "b\0"])))
    with pytest.raises(Unreadable, match="NUL"), database.session() as session:
        session.add_all([NoteRow(hash="a", text="a"), NoteRow(hash="b", text="\0")])


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**63, 10**30])
def test_no_number_beyond_all_others_comes_to_the_database(database: Database, number: int) -> None:
    with pytest.raises(Unreadable, match="a number beyond ±2,147,483,647"), database.session() as session:
        session.get(ProgrammedMoveRow, number)


def test_a_number_beyond_all_others_is_refused(net: httpx.Client, host: Seat) -> None:
    for number in (2**31, 2**63, 10**30):
        answer = net.delete(host.path(f"prepared/{number}"))
        assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert net.delete(host.path(f"prepared/{2**31 - 1}")).status_code == 404


# Too much


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "x" * 500_000},
        {"variant": "x" * 500_000},
        {"preset": "x" * 500_000},
        {"rulings": {"x" * 500_000: "y"}},
        {"options": {"x": "y" * 500_000}},
        {"x" * 500_000: 1},
        {"seats": [{"name": "Anna", "who": "x" * 500_000}]},
        {"seed": 10**3000},
    ],
    ids=["title", "variant", "preset", "ruling", "option", "field", "bot", "seed"],
)
def test_an_answer_does_not_repeat_what_was_sent(net: httpx.Client, fields: dict[str, Any]) -> None:
    wanted = {"title": "18CZ", "seats": [{"name": name} for name in NAMES[:3]]} | fields
    answer = net.post("/api/games", json=wanted)
    assert answer.status_code == 400
    assert len(answer.content) < FEW


def test_a_form_does_not_repeat_more_than_anybody_typed(net: httpx.Client) -> None:
    usual = len(net.get("/new").content)
    fields = dict.fromkeys(("name", "seat1", "seed", "pace"), "x" * 50_000)
    assert len(net.post("/new", data=fields).content) < usual + FEW
    assert len(net.get("/new", params={"name": "x" * 50_000}).content) < usual + FEW
    answer = net.post("/import", data={"name": "x" * 50_000}, files={"text": (None, "x" * 1_000_000)})
    assert answer.status_code == 400
    assert len(answer.content) < FEW
    assert net.post("/import", data={"text": "[1]"}).text.count("[1]") == 1, "what somebody typed is still there"


@pytest.mark.parametrize(
    ("path", "size"), [("/login", 20_000), ("/register", 20_000), ("/new", 600_000), ("/api/games", 600_000)]
)
def test_every_route_takes_so_much_and_no_more(net: httpx.Client, path: str, size: int) -> None:
    kind = "application/json" if path.startswith("/api") else "multipart/form-data; boundary=x"
    answer = net.post(path, content=b"x" * (size + 1), headers={"Content-Type": kind})
    assert answer.status_code in (413, 429)


def test_a_form_has_so_many_fields_and_no_more(net: httpx.Client) -> None:
    answer = net.post("/import", data={f"field{number}": "1" for number in range(1001)})
    assert answer.status_code == 400
    assert "more than a form can hold" in answer.text


def test_rules_are_looked_up_by_some_words(net: httpx.Client) -> None:
    for path in ("/rules/18CZ", "/api/rules/18CZ"):
        assert net.get(path, params={"words": "x" * 201}).status_code == 400
        assert net.get(path, params={"words": "x" * 200}).status_code == 200


# Runs


@pytest.fixture(scope="session")
def running() -> Game:
    """A game in which trains are to run."""
    return next(game for game in moments(random_game("18CZ", "base"), every=1) if has_runs(game))


def has_runs(game: Game) -> bool:
    question = game.question
    return (
        question is not None
        and question.kind == "operate_trains"
        and bool(getattr(game.ask().options[0].action, "runs", ()))
    )


def test_a_way_has_so_many_places_and_no_more(net: httpx.Client, inside: Services, running: Game) -> None:
    access = inside.game_service.import_game(running)
    host = Seat(net, access.key)
    (card, path), *_ = [(run["card"], run["path"]) for run in host.post("runs", action={})["view"]["action"]["runs"]]
    there_and_back = [*path, *reversed(path[1:-1])]
    for times in (20, 100_000 // len(there_and_back)):
        action = {"do": "run_trains", "runs": [{"card": card, "path": there_and_back * times}]}
        answer = net.post(host.path("runs"), json={"action": action})
        assert len(answer.content) < 100_000
        if times == 20:
            assert not answer.json()["view"]["legal"]
        else:
            assert answer.status_code in (400, 413)
            assert net.post(host.path("preview"), json={"action": action}).status_code in (400, 413)


def test_nobody_waits_for_those_who_draw_routes(
    net: httpx.Client, inside: Services, running: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = inside.game_service.import_game(running)
    entered: list[bool] = []

    def slow(game: Game, runs: Any) -> Any:
        others = Thread(target=lambda: inside.game_service.holding(access.game).__enter__())
        others.start()
        others.join(10)
        entered.append(not others.is_alive())
        return routes_view(game, runs)

    monkeypatch.setattr("ostbahn.table.requests.routes_view", slow)
    Seat(net, access.key).post("runs", action={})
    assert entered == [True]


# Saves


def save_with(**fields: object) -> bytes:
    document = saves.parse(saves.dump(new_game("18CZ", NAMES[:3])))
    return saves._json(document | fields).encode()


def test_a_save_has_so_many_actions_and_no_more() -> None:
    with pytest.raises(BadFile, match="there are 20001 actions"):
        saves.load(save_with(actions=[{}] * 20_001))
    with pytest.raises(BadFile, match="there are 20001 actions"):
        import_game({"title": "18CZ", "players": [], "actions": [{}] * 20_001})


def test_an_action_has_a_length() -> None:
    action = {"by": "p1", "do": "run_trains", "runs": [{"card": "a1", "path": ["E11.0"] * 2000}]}
    with pytest.raises(BadFile, match=r"action 1 cannot be read: an action of .* is longer than any"):
        saves.load(save_with(actions=[action]))


def test_a_seed_has_a_hundred_digits_at_most() -> None:
    for seed in (10**100, -(10**100), 10**4000):
        with pytest.raises(BadSetup, match="at most 100 digits"):
            new_game("18CZ", NAMES[:3], seed=seed)
    assert new_game("18CZ", NAMES[:3], seed=10**100 - 1).setup.seed == 10**100 - 1
