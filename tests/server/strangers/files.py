"""Answers and files: legal actions, golden games, our own board and decks, with something wrong about each."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from ostbahn.titles.cz.moravia_board import our_board
from ostbahn.titles.mag.deck import bundled_deck
from tests.server.strangers.described import few
from tests.server.strangers.golden_files import exports, golden_actions, golden_saves
from tests.server.strangers.mutations import Recipe, Tear, recipes, tears, written
from tests.server.strangers.sending import Request
from tests.server.strangers.world import JSON, World
from tests.server.tables import NAMES

Json = Any
MULTIPART: Final = {"Content-Type": "multipart/form-data; boundary=xyzzy"}
PASSING: Final = {"prepare": "pass", "until": "round", "alarms": ["sale"]}
ASKED: Final = ("answer", "answer", "answer", "preview", "runs", "prepared")
DECKS: Final = ("first", "second")


def actions(world: World, examples: int, number: int) -> None:
    """Answers to the question of a table, nearly as they are offered; some are legal, so that games go on."""

    numbers = st.integers(0, 99)

    @few(examples, number)
    @given(numbers, numbers, st.sampled_from(ASKED), recipes(2), recipes(2))
    def sent(chance: int, table: int, what: str, recipe: Recipe, other: Recipe) -> None:
        key = world.hosts[table % len(world.hosts)]
        view = world.view(key)
        legal = legal_in(view) if chance % 3 else golden_actions(view.get("title", "18CZ"))
        action = legal[recipe.which % len(legal)] if chance < 8 else recipe.of(legal)
        body: Json = {"version": view.get("version", 0), "action": action, "move": PASSING}
        if chance >= 90 or what == "prepared":
            body = other.of([body])
        request = Request("POST", f"/api/t/{key}/{what}", f"POST /api/t/{{key}}/{what}", written(body), JSON)
        answer = world.strangers.send("actions", request)
        if answer is not None and answer.status in (200, 409) and what == "answer":
            world.forget(key)

    sent()


def saves(world: World, examples: int, number: int) -> None:
    _games(world, "saves", golden_saves(), examples, number)


def imports(world: World, examples: int, number: int) -> None:
    _games(world, "imports", exports(), examples, number)


def _games(world: World, kind: str, games: list[Json], examples: int, number: int) -> None:
    @few(examples, number)
    @given(st.integers(0, 2**16), recipes(), tears())
    def sent(chance: int, recipe: Recipe, tear: Tear) -> None:
        whole = json.dumps(games[chance % len(games)], indent=0)
        body = written(recipe.of(games)) if chance % 10 else tear.of([whole]).encode(errors="surrogatepass")
        world.strangers.send(kind, Request("POST", "/import", kind, in_a_file("file", body), MULTIPART))

    sent()


def boards(world: World, examples: int, number: int) -> None:
    _sheets(world, "boards", ("18CZ", "moravia", "board"), [our_board()], examples, number)


def decks(world: World, examples: int, number: int) -> None:
    _sheets(world, "decks", ("18Mag", "solo", "deck"), [bundled_deck(which) for which in DECKS], examples, number)


def _sheets(
    world: World, kind: str, way: tuple[str, str, str], originals: list[str], examples: int, number: int
) -> None:
    title, variant, name = way

    @few(examples, number)
    @given(tears(), st.booleans())
    def sent(tear: Tear, by_form: bool) -> None:
        text = tear.of(originals)
        if by_form:
            body = in_a_file(name, text.encode(errors="surrogatepass"), game=f"{title}/{variant}")
            request = Request("POST", "/new", kind, body, MULTIPART)
        else:
            seats = [{"name": each} for each in NAMES[: 1 if variant == "solo" else 2]]
            wanted = {"title": title, "variant": variant, "seats": seats, name: text}
            request = Request("POST", "/api/games", kind, written(wanted), JSON)
        world.strangers.send(kind, request)

    sent()


def legal_in(view: Json) -> list[Json]:
    """What may be answered now."""
    question = view.get("question") or {}
    return [each["action"] for each in question.get("answers", [])] or [{"do": "pass"}]


def in_a_file(name: str, content: bytes, **fields: str) -> bytes:
    """A form with a file, as a browser sends it."""
    part = '--xyzzy\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
    texts = [(part.format(field, "") + value + "\r\n").encode() for field, value in fields.items()]
    head = part.format(name, '; filename="sent"').encode()
    return b"".join([*texts, head, content, b"\r\n--xyzzy--\r\n"])
