"""What a page asks for while somebody thinks: figures of what is offered, ghosts of tiles, and networks."""

from __future__ import annotations

from functools import cache
from threading import Barrier, Thread
from xml.etree import ElementTree

import httpx
import pytest

from ostbahn.analysis.gains import GainView, gains
from ostbahn.analysis.runs import CompanyTrains, best_run, companies_of
from ostbahn.kernel.game import Game
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import draw_hex
from ostbahn.pictures.themes import LIGHT
from ostbahn.server.games import api
from ostbahn.server.jobs.concurrency import SingleFlightCache
from ostbahn.server.web.services import Services
from tests.golden.games import golden_game
from tests.server.network import Json, Seat
from tests.server.sample_games import moments

NAMES = ("18CZ-base-3", "18Mag-base-3")


@cache
def at_question(name: str, kind: str, with_station: bool = False) -> Game:
    """The last question of a kind in a golden game about which a company with a train is asked, and has a choice.

    with_station: a tile can be laid where somebody has one.
    """
    whole = golden_game(name)
    return next(
        game
        for game in (whole.position(number) for number in range(len(whole) - 1, 0, -1))
        if (question := game.question) is not None
        and question.kind == kind
        and question.company in companies_of(game)
        and len(question.options) > 5
        and CompanyTrains(game.table, question.company).faces
        and (not with_station or any(stations_at(game, getattr(each.action, "hex", "")) for each in question.options))
    )


def stations_at(game: Game, hex_id: str) -> list[str]:
    return game.table.state.board.companies_in(hex_id)


def opened(inside: Services, net: httpx.Client, game: Game) -> Seat:
    return Seat(net, inside.game_service.import_game(game).key)


def picture(seat: Seat, path: str, **params: object) -> tuple[ElementTree.Element, httpx.Response]:
    answer = seat.net.get(seat.path(path), params=params)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("image/svg+xml")
    return ElementTree.fromstring(answer.text), answer


def missing(seat: Seat, path: str) -> str:
    answer = seat.net.get(seat.path(path))
    assert answer.status_code == 404
    error: str = answer.json()["error"]
    return error


# Figures


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["lay_track", "establish_station"])
def test_figures_of_what_is_offered(inside: Services, net: httpx.Client, name: str, kind: str) -> None:
    game = at_question(name, kind)
    host = opened(inside, net, game)
    found, view = host.get("gains"), host.get()
    assert found["version"] == view["version"]
    hex_description = {answer["index"] for answer in view["question"]["answers"] if answer["place"] is not None}
    assert {int(index) for index in found["gains"]} == hex_description
    assert found["gains"] == {
        str(index): {"gain": each.gain, "best": each.best, "proven": each.proven} for index, each in gains(game).items()
    }


def test_where_nothing_is_built_there_are_none(inside: Services, net: httpx.Client) -> None:
    host = opened(inside, net, golden_game(NAMES[0]).position(0))
    assert host.get("gains") == {"version": host.get()["version"], "gains": {}}


def test_figures_are_worked_out_once_for_all_who_look(
    inside: Services, net: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Game] = []

    def counted(game: Game) -> dict[int, GainView]:
        asked.append(game)
        return gains(game)

    monkeypatch.setattr(api, "gains", counted)
    host = opened(inside, net, at_question(NAMES[0], "lay_track"))
    spectator = next(Seat(net, link["key"]) for link in host.get("links") if link["role"] == "spectator")
    first = host.get("gains")
    assert spectator.get("gains") == first == host.get("gains")
    assert len(asked) == 1
    host.answer()
    assert host.get("gains")["version"] > first["version"]
    assert len(asked) == 2


def test_whoever_has_no_key_gets_none(net: httpx.Client) -> None:
    assert net.get("/api/t/nothing/gains").status_code == 404


# Ghosts


def lays(view: Json) -> list[Json]:
    return [answer["action"] | {"tile": answer["tile"]} for answer in view["question"]["answers"] if answer["tile"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_ghost_is_the_hex_as_it_will_be(inside: Services, net: httpx.Client, name: str) -> None:
    """On hexes with stations too: whoever lays the tile sees the same then."""
    game = at_question(name, "lay_track", with_station=True)
    host = opened(inside, net, game)
    offered = sorted(lays(host.get()), key=lambda lay: -len(stations_at(game, lay["hex"])))
    question = game.question
    assert question is not None
    for lay in offered[:8]:
        ghost, answer = picture(host, f"ghost/{lay['hex']}/{lay['tile']}/{lay['rotation']}")
        assert (ghost.tag, ghost.get("class"), ghost.get("data-hex")) == ("g", "ghost", lay["hex"])
        action = question.only(hex=lay["hex"], tile=lay["tile"], rotation=lay["rotation"])[0].action
        after = game.copy()
        after.apply(action)
        scene = scene_of(after)
        assert draw_hex(scene, scene.title.map[lay["hex"]], LIGHT) in answer.text


def test_a_ghost_shows_the_station_that_comes_with_a_red_tile(inside: Services, net: httpx.Client) -> None:
    whole = golden_game("18CZ-base-4")
    number = next(n for n in range(len(whole)) if (asked := whole.position(n).question) and asked.kind == "red_home")
    game = whole.position(number)
    host = opened(inside, net, game)
    lay = lays(host.get())[0]
    assert lay["do"] == "lay_red_tile"
    _, answer = picture(host, f"ghost/{lay['hex']}/{lay['tile']}/{lay['rotation']}")
    assert game.question is not None
    assert scene_of(game).marks[game.question.company or ""].letters in answer.text


def test_a_ghost_of_a_tile_that_is_not_offered_keeps_stations(inside: Services, net: httpx.Client) -> None:
    """In a Stock Round nobody lays anything, and yet one may wonder."""
    game = next(game for game in moments(golden_game("18CZ-base-4"), every=5) if _stock(game) and len(game) > 500)
    title, board = game.table.title, game.table.state.board
    fitting = {
        hex_id: title.fitting(title.map[hex_id], laid)
        for hex_id, laid in board.tiles.items()
        if board.companies_in(hex_id)
    }
    hex_id, tile, turns = next((hex_id, *fit) for hex_id, fits in fitting.items() for fit in fits.items())
    _, answer = picture(opened(inside, net, game), f"ghost/{hex_id}/{tile}/{turns[0]}")
    assert scene_of(game).marks[stations_at(game, hex_id)[0]].letters in answer.text


def _stock(game: Game) -> bool:
    return game.question is not None and game.question.kind == "stock_round"


def test_what_is_not_there_is_said(inside: Services, net: httpx.Client) -> None:
    game = at_question(NAMES[0], "lay_track")
    host = opened(inside, net, game)
    hex_id = next(iter(game.table.state.board.tiles))
    assert missing(host, "ghost/Z99/14/0") == "there is no hex Z99 on this map"
    assert missing(host, f"ghost/{hex_id}/none/0") == "there is no tile none at rotation 0"
    assert missing(host, f"ghost/{hex_id}/14/6") == "there is no tile 14 at rotation 6"
    assert missing(host, f"ghost/{hex_id}/14/x")
    city = next(hex_.id for hex_ in game.table.title.map if "city" in hex_.face.kinds)
    assert missing(host, f"ghost/{city}/9/0") == f"tile 9 at rotation 0 does not fit {city}"
    assert missing(host, "network/nobody") == "there is no company nobody in this game"


def test_a_ghost_has_the_colours_that_were_chosen(inside: Services, net: httpx.Client) -> None:
    host = opened(inside, net, at_question(NAMES[0], "lay_track"))
    view = host.get()
    lay = lays(view)[0]
    path = f"ghost/{lay['hex']}/{lay['tile']}/{lay['rotation']}"
    for other in ({}, {"v": view["stamp"] + 999}):
        assert picture(host, path, **other)[1].text == picture(host, path, v=view["stamp"])[1].text
    dark = net.get(host.path(path), params={"v": view["stamp"]}, headers={"Cookie": "theme=dark"})
    assert dark.text != picture(host, path)[1].text


# Networks


@pytest.mark.parametrize("name", NAMES)
def test_a_companys_network_and_its_best_run(inside: Services, net: httpx.Client, name: str) -> None:
    game = at_question(name, "lay_track")
    assert game.question is not None
    company = game.question.company or ""
    host = opened(inside, net, game)
    drawn, _ = picture(host, f"network/{company}")
    best = best_run(game, company)
    assert (drawn.get("class"), drawn.get("data-company")) == ("network", company)
    assert (drawn.get("data-revenue"), drawn.get("data-proven")) == (str(best.revenue + best.subsidy), "true")
    assert len(drawn.findall(".//*[@class='route']")) == len(best.routes)
    colour = scene_of(game).marks[company].colour
    assert drawn.find(f".//*[@class='network-track']/g[@stroke='{colour}']") is not None
    rings = drawn.findall(".//*[@class='network-stations']/circle")
    assert len(rings) == len(game.table.state.board.stations_of(company))


def test_every_company_of_every_title_has_a_picture(inside: Services, net: httpx.Client) -> None:
    for name in NAMES:
        game = at_question(name, "lay_track")
        host = opened(inside, net, game)
        for company in game.table.title.charters:
            drawn, _ = picture(host, f"network/{company}")
            runs = company in companies_of(game) and CompanyTrains(game.table, company).faces
            assert (drawn.get("data-revenue") is not None) == bool(runs)


def test_a_network_as_it_was(inside: Services, net: httpx.Client) -> None:
    game = at_question(NAMES[0], "lay_track")
    host = opened(inside, net, game)
    company = companies_of(game)[0]
    now, before = (picture(host, f"network/{company}", **at)[1].text for at in ({}, {"at": 300}))
    first = picture(host, f"network/{company}", at=-5)[1].text
    assert len({now, before, first}) == 3
    assert "circle" not in first, "it had no station yet"
    assert picture(host, f"network/{company}", at=10**6)[1].text == now


# Working it out once


def test_who_asks_meanwhile_waits_for_what_is_worked_out() -> None:
    single_flight, together = SingleFlightCache(), Barrier(5)
    worked: list[int] = []
    found: list[int] = []

    def work() -> int:
        worked.append(1)
        return len(worked)

    def ask() -> None:
        together.wait()
        found.append(single_flight.once("key", work))

    threads = [Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, worked) == ([1] * 5, [1])


def test_what_fails_is_tried_again() -> None:
    single_flight = SingleFlightCache()

    def fail() -> int:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        single_flight.once("key", fail)
    assert single_flight.once("key", lambda: 2) == 2


def test_only_so_much_is_kept() -> None:
    single_flight = SingleFlightCache(size=2)
    for key in "abc":
        assert single_flight.once(key, lambda: "first") == "first"
    assert single_flight.once("a", lambda: "again") == "again"
    assert single_flight.once("c", lambda: "again") == "first"
