"""All that the interface says of itself, asked for rightly and wrongly by schemathesis, with live keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.errors import SchemathesisError
from schemathesis.core.result import Ok

from tests.server.contract import DOCUMENT, Contract
from tests.server.strangers.sending import Request
from tests.server.strangers.watched import TOOK
from tests.server.strangers.world import World

KIND: Final = "described"
MODES: Final = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
HERE: Final = "http://127.0.0.1"


def few(examples: int, number: int) -> Callable[[Any], Any]:
    """So many of what Hypothesis thinks of; nothing is made smaller, for what is sent cannot be taken back."""
    chosen = settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    return lambda test: seed(number)(chosen(test))


def document(world: World) -> dict[str, Any]:
    answer = world.strangers.send("set-up", Request("GET", DOCUMENT, "set-up"))
    assert answer is not None
    found: dict[str, Any] = answer.json
    return found


def operations(world: World) -> Iterator[Any]:
    """All that is described."""
    for found in schemathesis.openapi.from_dict(document(world)).get_all_operations():
        assert isinstance(found, Ok), found
        yield found.ok()


@cache
def contract_with(world: World) -> Contract:
    """Made once, as whoever comes to a server for longer reads its document once."""
    return Contract(document(world))


@cache
def strategy_of(operation: Any, mode: GenerationMode) -> st.SearchStrategy[Any]:
    """Made once: schemathesis thinks for long about it."""
    found: st.SearchStrategy[Any] = operation.as_strategy(generation_mode=mode)
    return found


def ask(world: World, operation: Any, examples: int, number: int) -> None:
    """So many requests of an operation, half of them with data as they should not be; answers are as described."""
    contract = contract_with(world)
    for mode in MODES:
        strategy = strategy_of(operation, mode)

        @few(examples // 2, number)
        @given(st.tuples(strategy, st.integers(0, 2**32 - 1)))
        def sent(drawn: tuple[Any, int]) -> None:
            case, chance = drawn
            request = request_of(world, case, Random(chance))
            answer = None if request is None else world.strangers.send(KIND, request)
            if request is None or answer is None or TOOK not in answer.headers:
                return  # what is no HTTP never comes to the application
            path = urlsplit(request.path).path
            problem = contract.problem(request.method, path, answer.status, answer.headers, answer.body)
            if problem:
                world.strangers.find(problem, request)

        try:
            sent()
        except (Unsatisfiable, SchemathesisError):
            continue  # what takes nothing cannot be asked for wrongly


def request_of(world: World, case: Any, rng: Random) -> Request | None:
    """A case with live values in its address, mostly, and with the version of the table, often."""
    for name in case.path_parameters or {}:
        if rng.random() < 0.9 and world.values.get(name):
            case.path_parameters[name] = rng.choice(world.values[name])
    key = str((case.path_parameters or {}).get("key", ""))
    if isinstance(case.body, dict) and "version" in case.body and rng.random() < 0.7:
        case.body["version"] = world.view(key).get("version", 0)
    try:
        prepared = requests.Request(**case.as_transport_kwargs(base_url=HERE)).prepare()
    except (ValueError, requests.RequestException):
        return None  # what no program could send
    body = prepared.body if prepared.body is not None else b""
    raw = body if isinstance(body, bytes) else str(body).encode(errors="surrogatepass")
    headers = {name: str(value) for name, value in prepared.headers.items() if name.lower() != "content-length"}
    if case.method.upper() not in ("GET", "HEAD"):
        world.forget(key)
    return Request(case.method.upper(), prepared.path_url, f"{case.method.upper()} {case.path}", raw, headers)
