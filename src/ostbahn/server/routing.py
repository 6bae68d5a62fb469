"""Decorators of routes. Handlers that are not coroutines run in a thread, where they may wait for locks."""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, Final

import litestar
from litestar.handlers import HTTPRouteHandler

Decorator = Callable[..., Callable[[Callable[..., Any]], HTTPRouteHandler]]


def _in_threads(decorator: Any) -> Decorator:
    def route(path: str, **settings: Any) -> Callable[[Callable[..., Any]], HTTPRouteHandler]:
        def decorate(handler: Callable[..., Any]) -> HTTPRouteHandler:
            in_thread = None if iscoroutinefunction(handler) else True
            route_handler: HTTPRouteHandler = decorator(path, sync_to_thread=in_thread, **settings)(handler)
            return route_handler

        return decorate

    return route


get: Final = _in_threads(litestar.get)
post: Final = _in_threads(litestar.post)
put: Final = _in_threads(litestar.put)
delete: Final = _in_threads(litestar.delete)
