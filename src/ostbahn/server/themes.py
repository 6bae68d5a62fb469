"""Which colours a request wants; its page has no other way to tell the server."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request

from ostbahn.pictures.themes import THEMES

COOKIE: Final = "theme"


def theme_in(request: Request[Any, Any, Any]) -> str:
    """Empty where nothing was chosen: the page then follows the system."""
    theme = request.cookies.get(COOKIE, "")
    return theme if theme in THEMES else ""
