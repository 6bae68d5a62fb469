"""The OpenAPI document: Litestar knows paths and parameters, msgspec the bodies, and the source has the words.

It is put together when somebody first asks for it, and written once, since that takes as long as a hundred answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import Template
from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Tag
from litestar.response import ServerSentEvent
from litestar.routes import HTTPRoute

from ostbahn import __version__
from ostbahn.kits.catalogue import kits
from ostbahn.server.web.fault_pages import Fault
from ostbahn.server.web.openapi_errors import error_responses, statuses_of
from ostbahn.server.web.openapi_schemas import REF, Components, Schema, common_words

JSON: Final = "application/json"
ABOUT: Final = """\
Play $titles from a program.

**Keys.** There is no log-in: the key in the address opens a table. `POST /api/games` sets up a table and answers with a
key for the host, one for each seat played by link, and one for spectators. Whoever has the key of a seat plays it.

**A bot in four steps.**

1. `POST /api/games` with `{"title": "$title", "seats": [{"name": "Me"}, {"name": "Ada", "who": "5"}, {"name": "Bob",
   "who": "5"}]}`. Seats are played with the host's key unless `who` says otherwise.
2. `GET /api/t/KEY/question`. While `my_turn` is false, ask again with `If-None-Match` set to the `ETag` of the last
   answer: 304 means that nothing has changed. Or listen to `GET /api/t/KEY/events`.
3. Choose one of `question.answers` and send its `action` with the `version` that you saw: `POST /api/t/KEY/answer` with
   `{"version": 12, "action": {"do": "pass"}}`. Where an answer has a `span`, set `action.price` to any price within it.
4. Repeat until `over` is true. `GET /api/t/KEY` shows the whole table, `result` at the end included.

**Errors** are JSON objects with `error`, a sentence for people. A move that the rules refuse is answered with 409 and
names its `rule`.

**Names.** A seat is `p1`, `p2` and so on, a hex `E11`, a city `E11.1`. Amounts are whole numbers in the currency of the
title. Words in answers are ready to be shown; fields never disappear, but new ones may be added.
"""
TAGS: Final = (
    Tag("games", "What can be played, its rules, and setting up a table."),
    Tag("table", "A table: the question, the answer, and everything that can be seen."),
    Tag("plans", "Planning boards: a private copy of a game in which you try moves for all seats."),
    Tag("prepared moves", "Answers that you decide on before you are asked."),
    Tag("lobby", "Open tables, public profiles and tournaments."),
)


class DescribedOperation(NamedTuple):
    """A handler, and what the document says of it."""

    path: str
    handler: HTTPRouteHandler
    spec: Schema

    @property
    def body(self) -> Any:
        """The type of the request body; None without one."""
        data = self.handler.parsed_fn_signature.parameters.get("data")
        return None if data is None else data.annotation

    @property
    def answer(self) -> Any:
        """The type that the response is written from, which may be that of null; None for a file, or without a body."""
        if declared := self.handler.opt.get("writes"):
            return declared
        kind = self.handler.parsed_fn_signature.return_type.annotation
        if get_origin(kind) is Response:
            (kind,) = get_args(kind)
        nothing = kind is type(None) and self.handler.status_code == 204
        return None if nothing or kind in (bytes, str) else kind


def complete(app: Litestar, document: Schema) -> Schema:
    """Add the schemas of all bodies and errors to what Litestar says, and describe the parameters."""
    operations = list(_operations(app, document))
    components = Components(
        read=[each.body for each in operations if each.body is not None],
        written=[Fault, *(each.answer for each in operations if each.answer is not None)],
    )
    document["components"] = {"schemas": dict(sorted(components.schemas.items()))}
    for each in operations:
        _complete_operation(each, components)
    return document


def _operations(app: Litestar, document: Schema) -> Iterator[DescribedOperation]:
    for route in app.routes:
        if isinstance(route, HTTPRoute) and route.path_format in document["paths"]:
            for method, spec in document["paths"][route.path_format].items():
                if found := route.route_handler_map.get(method.upper()):
                    yield DescribedOperation(route.path_format, found[0], spec)


def _complete_operation(operation: DescribedOperation, components: Components) -> None:
    spec, handler = operation.spec, operation.handler
    words = common_words()["parameters"]
    for parameter in spec.get("parameters", ()):
        parameter["description"] = parameter.get("description") or words.get(parameter["name"], "")
    if operation.body is not None:
        spec["requestBody"] = {"required": True, "content": {JSON: {"schema": components.schema_of(operation.body)}}}
    success = spec["responses"][str(handler.status_code)]
    success["description"] = handler.response_description or spec["summary"]
    if operation.answer is not None:
        schema = components.schema_of(operation.answer)
        media_type = str(handler.media_type)
        stream = {"type": "string", "contentMediaType": media_type, "contentSchema": {"type": "array", "items": schema}}
        is_stream = handler.parsed_fn_signature.return_type.annotation is ServerSentEvent
        success["content"] = {media_type if is_stream else JSON: {"schema": stream if is_stream else schema}}
    elif media_types := handler.opt.get("files"):
        success["content"] = {media_type: {"schema": {"type": "string"}} for media_type in media_types}
    statuses = statuses_of(handler, operation.path, operation.body is not None)
    errors = error_responses(statuses, {"$ref": f"{REF}{Fault.__name__}"})
    spec["responses"] = dict(sorted((spec["responses"] | errors).items()))


class KeptJson(JsonRenderPlugin):
    """The document as JSON, written once."""

    def __init__(self) -> None:
        super().__init__()
        self._written = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Schema) -> bytes:
        self._written = self._written or msgspec.json.encode(_completed(request, openapi_schema))
        return self._written


class KeptYaml(YamlRenderPlugin):
    """The document as YAML, written once."""

    def __init__(self) -> None:
        super().__init__()
        self._written = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Schema) -> bytes:
        self._written = self._written or super().render(request, _completed(request, openapi_schema))
        return self._written


def _completed(request: Request[Any, Any, Any], openapi_schema: Schema) -> Schema:
    """A copy, since Litestar keeps what it hands over."""
    copy: Schema = msgspec.json.decode(msgspec.json.encode(openapi_schema, enc_hook=str))
    return complete(request.app, copy)


def openapi_config() -> OpenAPIConfig:
    """Without the pages that show the interface in a browser: they would load scripts from elsewhere."""
    titles = list(kits())
    return OpenAPIConfig(
        title="Ostbahn",
        version=__version__,
        summary="Railway games: play, watch and plan by HTTP",
        description=Template(ABOUT).substitute(titles=" and ".join(titles), title=titles[0]),
        tags=list(TAGS),
        use_handler_docstrings=True,
        render_plugins=[KeptJson(), KeptYaml()],
    )
