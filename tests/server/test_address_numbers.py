"""Numbers in addresses: every route says how large they may be, and no database sees a larger one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition

from ostbahn.server.web.services import create_services
from tests.server.site import client, unlimited
from tests.server.tables import now

LARGEST = 2**31 - 1
"""PostgreSQL's INTEGER ends there."""


def numbers(url: str) -> Iterator[tuple[str, FieldDefinition]]:
    """The numbers that routes read from their path or query."""
    app = unlimited(create_services(url, now))
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            for name, field in handler.parsed_fn_signature.parameters.items():
                kinds = [field.annotation, *(inner.annotation for inner in field.inner_types)]
                if int in kinds:
                    yield f"{','.join(sorted(handler.http_methods))} {route.path} {name}", field


def test_every_number_in_the_address_of_a_route_has_bounds(url: str) -> None:
    fields = dict(numbers(url))
    assert len(fields) > 8, "the walk over the routes finds too little"
    limits = {name: getattr(field.kwarg_definition, "le", None) for name, field in fields.items()}
    least = {name: getattr(field.kwarg_definition, "ge", None) for name, field in fields.items()}
    unbounded = [name for name, most in limits.items() if most is None or most > LARGEST]
    unbounded += [name for name, fewest in least.items() if fewest is None or fewest < -LARGEST]
    assert not unbounded, "declare them as PathNumber, QueryNumber or OptionalNumber (server/limits.py)"


@pytest.mark.parametrize("database_kind", ["sqlite", "postgres"])
def test_a_number_too_large_for_the_database_is_refused_by_every_route(url: str) -> None:
    with client(url) as browser:
        seats = [{"name": name, "who": "here"} for name in ("Anna", "Boris", "Clara")]
        key = browser.post("/api/games", json={"title": "18CZ", "seats": seats}).json()[0]["key"]
        browser.post("/register", data={"name": "Anna", "password": "Brno-Prerov"})
        sent = {
            f"DELETE /api/t/{key}/prepared/{LARGEST + 1}": 400,
            f"DELETE /api/t/{key}/prepared/{LARGEST}": 404,
            f"POST /account/browsers/{LARGEST + 1}/log-out": 400,
            f"GET /api/t/{key}?at={LARGEST + 1}": 400,
            f"GET /t/{key}?at={LARGEST + 1}": 400,
            f"GET /api/t/{key}/log?before={LARGEST + 1}": 400,
            f"GET /api/t/{key}/moves?after={-LARGEST - 1}": 400,
        }
        answered = {line: browser.request(*line.split()).status_code for line in sent}
    assert answered == sent
