"""Pages and their forms, which no description tells of: by the table of routes, with fields read off pages."""

from __future__ import annotations

from random import Random
from typing import Any, Final
from urllib.parse import quote_plus

from hypothesis import given
from hypothesis import strategies as st

from tests.server.strangers.described import few
from tests.server.strangers.mutations import NUMBERS, TEXTS, written
from tests.server.strangers.sending import Request
from tests.server.strangers.world import FORM, JSON, World, live_fields

KIND: Final = "pages and forms"
QUERIES: Final = ("at", "v", "one", "other", "words", "name", "game", "before", "after", "limit", "seat", "theme")
METHODS: Final = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND")
ORIGINS: Final = ("null", "http://[", "//[x]", "https://elsewhere.example", "http://127.0.0.1", "é", "")
STRANGE: Final = (FORM["Content-Type"], "multipart/form-data", "text/plain", "/", "é", "")
PART: Final = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n{}\r\n'


def ask(world: World, route: Request, examples: int, number: int) -> None:
    """So many requests of a route."""

    @few(examples, number)
    @given(st.integers(0, 2**32 - 1), st.lists(st.text(max_size=30), max_size=3))
    def sent(chance: int, texts: list[str]) -> None:
        world.strangers.send(KIND, request_of(world, route, Random(chance), texts))

    sent()


def request_of(world: World, route: Request, rng: Random, texts: list[str]) -> Request:
    rough = [*texts, *rng.choices(TEXTS, k=3), *map(str, rng.choices(NUMBERS, k=2))]
    path = world.fill(route.route, rng) if rng.random() < 0.8 else wrong_address(world, route.route, rng, rough)
    if rng.random() < 0.4:
        asked = rng.choices(QUERIES, k=rng.randrange(1, 4))
        path += "?" + "&".join(f"{name}={escaped(rng.choice(rough))}" for name in asked)
    method = route.method if rng.random() < 0.95 else rng.choice(METHODS)
    body, headers = (b"", {}) if method in ("GET", "HEAD") else filled(world, route, rng, rough)
    if rng.random() < 0.4 and world.cookies:
        headers = headers | {"Cookie": rng.choice([*world.cookies, "ostbahn=" + "x" * 50, 'theme="\\\\\\000"'])}
    if rng.random() < 0.1:
        headers = headers | {"Origin": quote_plus(rng.choice(ORIGINS), safe=":/[]")}
    return Request(method, path, f"{route.method} {route.route}", body, headers)


def wrong_address(world: World, route: str, rng: Random, rough: list[str]) -> str:
    """With something else where a name should be."""
    parts = [escaped(rng.choice(rough))[:8000] if part.startswith("{") else part for part in route.split("/")]
    return "/".join(parts) or "/"


def filled(world: World, route: Request, rng: Random, rough: list[str]) -> tuple[bytes, dict[str, str]]:
    """The form of the route, if one was seen, with some fields as nobody would fill them in."""
    known = world.forms.get(f"{route.method} {route.route}", {})
    names = [*known] or rng.choices([*live_fields(world)] or ["name"], k=4)
    fields: list[tuple[str, str]] = []
    for name in names:
        right = known.get(name) or [""]
        value = rng.choice(right) if rng.random() < 0.75 else rng.choice(rough)
        fields += [(name, value)] * rng.choice((0, 1, 1, 1, 1, 1, 1, 1, 2))
    match rng.randrange(10):
        case 0:
            return multipart(fields, rng), {"Content-Type": "multipart/form-data; boundary=x"}
        case 1:
            return written(dict(fields)), JSON
        case 2:
            garbage = bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
            return garbage, {"Content-Type": rng.choice(STRANGE)}
        case _:
            return "&".join(f"{escaped(name)}={escaped(value)}" for name, value in fields).encode(), FORM


def multipart(fields: list[tuple[str, str]], rng: Random) -> bytes:
    also = ("", '; filename="a.toml"', "\r\nContent-Type: text/plain; charset=punycode", "\r\nContent-Type: x")
    parts = [PART.format(name, rng.choice(also), value) for name, value in fields]
    return ("".join(parts) + "--x--\r\n").encode(errors="replace")


def escaped(text: Any) -> str:
    """With what is no letter as it comes, since strangers need not send UTF-8."""
    return quote_plus(str(text).encode(errors="surrogatepass"))
