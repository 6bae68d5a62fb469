"""The OpenAPI document: Litestar knows paths and parameters, msgspec bodies, and the source descriptions.

A field is described by the string below it, or by its name in `openapi_fields.toml`. Errors follow from the route, or
are declared (`errors=(403,)`). The document is put together at its first request, which takes a while.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from string import Template
from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.rate_limit import RateLimitMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Tag
from litestar.response import ServerSentEvent
from litestar.routes import HTTPRoute
from msgspec.inspect import Field, StructType, multi_type_info
from msgspec.inspect import Type as TypeInfo

from ostbahn import __version__
from ostbahn.bots.registry import LARGEST_BUDGET, all_bots, takes_budget
from ostbahn.kits.catalogue import kits
from ostbahn.server.web.fault_pages import RETRY_LATER, Fault
from ostbahn.table.room import HERE, LINK

Schema = dict[str, Any]
REF: Final = "#/components/schemas/"
ACTION: Final = "Action"
ANY_OBJECT: Final = {"type": "object"}
FIELDS: Final = "openapi_fields.toml"


class Components:
    """All schemas that operations refer to. read: types of request bodies; written: types of responses."""

    def __init__(self, read: Iterable[Any], written: Iterable[Any]) -> None:
        self._read, self._written = list(read), list(written)
        types = [*self._read, *self._written]
        found, self.schemas = msgspec.json.schema_components(types, ref_template=f"{REF}{{name}}")
        self._by_type = list(zip(types, found, strict=True))
        self._describe()
        self.schemas |= action_schemas()

    def schema_of(self, kind: Any) -> Schema:
        return next(schema for known, schema in self._by_type if known == kind)

    def _describe(self) -> None:
        sent = structs_in(self._read)
        values = possible_values()
        for cls, info in structs_in([*self._read, *self._written]).items():
            schema = self.schemas.get(cls.__name__)
            if schema is None:  # two structures share a name, which a test forbids
                continue
            if cls not in sent and not cls.__struct_config__.omit_defaults:
                schema["required"] = list(schema["properties"])  # the server always writes all of them
            describe_fields(cls, schema)
            for field in info.fields:
                name = field.encode_name
                described = schema["properties"][name]
                if name == "action" and described.items() >= ANY_OBJECT.items():
                    description = described.get("description", "")
                    schema["properties"][name] = {"$ref": f"{REF}{ACTION}", "description": description}
                elif possible := values.get(f"{cls.__name__}.{name}"):
                    described.pop("type", None)
                    described |= possible


def describe_fields(cls: type, schema: Schema) -> None:
    if cls.__doc__:
        schema["description"] = inspect.cleandoc(cls.__doc__)
    docs, common = field_docs(cls), common_words()["fields"]
    for name, field in schema["properties"].items():
        if words := docs.get(name) or common.get(name):
            field.setdefault("description", words)


def action_schemas() -> dict[str, Schema]:
    """The actions of every title, tagged by `do`, and their unions; `Action` is the union of all."""
    schemas: dict[str, Schema] = {}
    unions = []
    for title, kit in kits().items():
        suffix = re.sub(r"\W", "", title)
        (union,), members = msgspec.json.schema_components([kit.actions], ref_template=f"{REF}{{name}}{suffix}")
        classes = {cls.__name__: cls for cls in structs_in([kit.actions])}
        for name, schema in members.items():
            tag = schema["properties"].get("do")
            if tag is not None:
                tag |= {"type": "string", "const": tag.pop("enum")[0], "description": "Which action it is."}
            # the server takes no other fields, but a generated client may read an action as the one of the same name in
            # another title: it has to keep what it does not know, or it would send back something else
            schema.pop("additionalProperties", None)
            describe_fields(classes[name], schema)
            schemas[f"{name}{suffix}"] = {**schema, "title": f"{name}{suffix}"}
        words = f"Every action of {title}. `do` tells them apart."
        schemas[f"{ACTION}{suffix}"] = {"title": f"{ACTION}{suffix}", "description": words, **union}
        unions.append({"$ref": f"{REF}{ACTION}{suffix}"})
    words = "An action of the title that is played. The `answers` to a question list those that are legal now."
    schemas[ACTION] = {"title": ACTION, "description": words, "anyOf": unions}
    return schemas


# Values that are known only when the server runs


def possible_values() -> Mapping[str, Schema]:
    """By structure and field, what may stand there."""
    codes = [bot.code for bot in all_bots()]
    budgets = "|".join(bot.code for bot in all_bots() if takes_budget(bot))
    budget = {"type": "string", "pattern": f"^({budgets}):[1-9][0-9]{{0,{len(str(LARGEST_BUDGET)) - 1}}}$"}
    player = {"anyOf": [{"type": "string", "enum": [HERE, LINK, *codes]}, budget]}
    bot = {"anyOf": [{"type": "string", "enum": codes}, budget]}
    return {
        "NewSeat.who": player,
        "SentSeat.who": player,
        "SentBot.bot": bot,
        "BotView.code": {"type": "string", "enum": codes},
        "NewTable.title": {"type": "string", "enum": list(kits())},
    }


def structs_in(types: Iterable[Any]) -> dict[type[msgspec.Struct], StructType]:
    """All structures that values of these types are made of."""
    found: dict[type[msgspec.Struct], StructType] = {}

    def visit(part: object) -> None:
        if isinstance(part, StructType):
            if part.cls in found:
                return
            found[part.cls] = part
        if isinstance(part, TypeInfo | Field):
            part = [getattr(part, name) for name in part.__struct_fields__]
        for inner in part if isinstance(part, tuple | list) else ():
            visit(inner)

    visit(multi_type_info(list(types)))
    return found


@cache
def common_words() -> Mapping[str, Mapping[str, str]]:
    """Descriptions of fields and parameters that mean the same everywhere, by name."""
    text = resources.files(__package__).joinpath(FIELDS).read_text(encoding="utf-8")
    return tomllib.loads(text)


def field_docs(cls: type) -> Mapping[str, str]:
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        docs |= _docs_in(base.__module__).get(base.__qualname__, {})
    return docs


@cache
def _docs_in(module: str) -> Mapping[str, Mapping[str, str]]:
    """The strings below fields, by class; empty where there is no source."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    return {node.name: dict(_below(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _below(body: list[ast.stmt]) -> Iterable[tuple[str, str]]:
    for field, below in pairwise(body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str() as text)):
                yield name, inspect.cleandoc(text)


ERRORS: Final[Mapping[int, str]] = {
    400: "The request cannot be read, or what it asks for makes no sense. `error` says which part and why.",
    403: "The key does not allow this: another player is to move, or only the host may do it.",
    404: "There is nothing here: the key, title, game, plan or name is unknown, or the key no longer works.",
    409: "The game has moved on since `version`, or the rules refuse the action. A refusal names its `rule` by"
    " title and id, and quotes it as `rule_text`. Nothing has changed.",
    410: "The link of a seat that the host has given to another player or a bot, or made anew.",
    413: "The request body is too large.",
    429: "Too many requests from your address. Wait as many seconds as `Retry-After` says.",
    500: "The server has failed, or the stored game is damaged.",
    503: "The server is busy, or its database does not answer. Send the same request again after `Retry-After` seconds:"
    " an answer is for one version of the game, so it cannot count twice.",
}
WAITING: Final = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}


def statuses_of(handler: HTTPRouteHandler, path: str, has_body: bool) -> Iterable[int]:
    """The errors of an operation, with those that it declares itself."""
    yield from (400, 500)
    if "{" in path:
        yield 404
    if "{key}" in path:
        yield 409  # every look at a game reads its log, which others may change meanwhile
        yield 410
    if has_body:
        yield 413
    if any(_limits(middleware) for middleware in handler.resolve_middleware()):
        yield 429
    if handler.resolve_dependencies().keys() & handler.parsed_fn_signature.parameters.keys():
        yield 503  # it asks the database
    yield from handler.opt.get("errors", ())


def error_responses(statuses: Iterable[int], schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(status): {
            "description": ERRORS[status],
            **({"headers": WAITING} if status in RETRY_LATER else {}),
            "content": {"application/json": {"schema": schema}},
        }
        for status in sorted(set(statuses))
    }


def _limits(middleware: Any) -> bool:
    """Whether it is one that counts requests."""
    if not isinstance(middleware, DefineMiddleware):
        return False
    config = middleware.kwargs.get("config")
    return issubclass(getattr(config, "middleware_class", type), RateLimitMiddleware)


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
        """The type of the response body; None for a file, or without a body."""
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

    _written = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Schema) -> bytes:
        self._written = self._written or msgspec.json.encode(_completed(request, openapi_schema))
        return self._written


class KeptYaml(YamlRenderPlugin):
    """The document as YAML, written once."""

    _written = b""

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
