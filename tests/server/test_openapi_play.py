"""Whole games, played by programs that read nothing but the OpenAPI document; and the question alone, to poll for."""

from __future__ import annotations

import time
from random import Random

import httpx
import pytest

from tests.server.contract import DOCUMENT
from tests.server.network import Json, open_table, told
from tests.server.openapi_client import OpenApiClient
from tests.server.tables import NAMES, WAYS


@pytest.fixture(scope="module")
def client(net: httpx.Client) -> OpenApiClient:
    return OpenApiClient(net, told(net.get(DOCUMENT)))


def chosen(question: Json, rng: Random) -> Json:
    """Any answer, at any price where that is free."""
    answer = rng.choice(question["answers"])
    if answer["span"] is None:
        return answer["action"]
    return answer["action"] | {"price": rng.randint(answer["span"]["low"], answer["span"]["high"])}


def play(client: OpenApiClient, key: str, rng: Random) -> int:
    """Play all seats of a key until the game is over; returns how many answers were given."""
    given, tag = 0, ""
    while True:
        response = client.call("getQuestion", key=key, if_none_match=tag or None)
        if response.status_code == 304:  # somebody else is to move
            time.sleep(0.005)
            continue
        asked, tag = response.json(), response.headers["etag"]
        if asked["over"]:
            return given
        if asked["my_turn"]:
            body = {"version": asked["version"], "action": chosen(asked["question"], rng)}
            client.get("answerQuestion", body, key=key)
            given += 1


SHORT = [way for way in WAYS if way[1] != "base"]


@pytest.mark.parametrize(("title", "variant"), SHORT)
def test_a_client_made_from_the_document_plays_a_whole_game(client: OpenApiClient, title: str, variant: str) -> None:
    entries = client.get("getCatalogue")["entries"]
    entry = next(entry for entry in entries if (entry["title"], entry["variant"]) == (title, variant))
    seats = [{"name": name} for name in NAMES[: min(entry["players"])]]
    wanted = {"title": title, "variant": variant, "seats": seats, "seed": 5}
    links = client.get("createGame", wanted)
    (key,) = (link["key"] for link in links if link["role"] == "host")
    assert play(client, key, Random(1)) > 30
    table = client.get("getTable", key=key)
    assert table["result"]["winners"]
    assert table["question"] is None
    assert len(client.get("getSave", key=key)["actions"]) == table["number"]


@pytest.mark.slow
@pytest.mark.parametrize("title", ["18CZ", "18Mag"])
def test_such_a_client_plays_against_bots(client: OpenApiClient, title: str) -> None:
    seats = [{"name": NAMES[0]}, *({"name": name, "who": "R"} for name in NAMES[1:3])]
    links = client.get("createGame", {"title": title, "seats": seats, "seed": 5})
    (key,) = (link["key"] for link in links if link["role"] == "host")
    assert play(client, key, Random(1)) > 20
    assert client.get("getTable", key=key)["result"]["places"]


# The question alone


def test_the_question_alone_is_what_the_whole_table_has(net: httpx.Client) -> None:
    host = open_table(net, "here", "here", "here")["host"]
    rng = Random(3)
    for _ in range(40):
        table, asked = host.get(), host.get("question")
        for field in ("version", "number", "my_turn", "bot_turn", "question", "routes", "dividends"):
            assert asked[field] == table[field], field
        assert asked["to_move"] == table["question"]["decider"]
        assert not asked["over"]
        host.post("answer", version=asked["version"], action=chosen(asked["question"], rng))


def test_the_question_is_small_while_others_are_to_move(net: httpx.Client) -> None:
    table = open_table(net, "link", "link", "link")
    keys = [table[seat] for seat in ("p1", "p2", "p3")]
    asked = [key.get("question") for key in keys]
    assert sorted(view["my_turn"] for view in asked) == [False, False, True]
    assert len({view["to_move"]["seat"] for view in asked}) == 1
    for key, view in [*zip(keys, asked, strict=True), (table["spectator"], table["spectator"].get("question"))]:
        if not view["my_turn"]:
            assert view["question"] is None
            assert len(net.get(key.path("question")).content) < 500


def test_polling_for_the_question_costs_nothing_until_something_happens(net: httpx.Client) -> None:
    host = open_table(net, "here", "here", "here")["host"]
    first = net.get(host.path("question"))
    version = first.json()["version"]
    assert first.headers["etag"] == f'"{version}"'
    known = {"If-None-Match": first.headers["etag"]}
    again = net.get(host.path("question"), headers=known)
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert net.get(host.path("question"), headers={"If-None-Match": f'"0", W/"{version}"'}).status_code == 304
    host.answer()
    changed = net.get(host.path("question"), headers=known)
    assert changed.status_code == 200
    assert changed.json()["version"] > version
    host.post("undo", version=changed.json()["version"])
    assert net.get(host.path("question"), headers=known).status_code == 200, "what was undone has a version of its own"


@pytest.mark.parametrize("known", ["", "nonsense", '"x"', '"', "*" * 200])
def test_a_tag_that_says_nothing_gets_the_question(net: httpx.Client, known: str) -> None:
    host = open_table(net, "here", "here", "here")["host"]
    assert net.get(host.path("question"), headers={"If-None-Match": known}).status_code == 200
