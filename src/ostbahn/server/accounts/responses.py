"""What routes answer browsers with: pages in the colours of a visitor, and redirects after forms."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response
from litestar.response import Redirect

from ostbahn.server.accounts.people import Visitor
from ostbahn.server.accounts.services import AccountServices
from ostbahn.server.accounts.visitors import AnyRequest, theme_in


def page(
    services: AccountServices,
    request: AnyRequest,
    visitor: Visitor | None,
    template: str,
    status: int = 200,
    **values: Any,
) -> Response[str]:
    """A page in the colours of whoever looks at it."""
    text = services.renderer.page(template, theme_in(request), visitor, **values)
    return Response(text, status_code=status, media_type=MediaType.HTML)


def go(path: str) -> Response[Any]:
    """Somewhere else, after a form."""
    return Redirect(path, status_code=303)
