"""Which errors an operation of the JSON interface can answer with, for its description.

Most follow from the route: what has a body may be too long, what is limited may be asked too often. What a handler does
beyond that it says itself, as `errors=(403,)` beside its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from litestar.handlers import HTTPRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.rate_limit import RateLimitMiddleware

from ostbahn.server.web.fault_pages import RETRY_LATER

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
    """The errors that an operation can answer with, besides those that it says itself."""
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
    """The errors as OpenAPI describes responses."""
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
