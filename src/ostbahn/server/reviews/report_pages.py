"""The report of a game as a page of the site and as PDF, and all its figures as files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath
from markupsafe import Markup

from ostbahn.server.accounts.rate_limits import KEYS
from ostbahn.server.accounts.visitors import AnyRequest, GivenVisitor, theme_in
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.reviews.services import GivenReviews
from ostbahn.table.access import NotHere

TABLES: Final = ("payments", "players", "wealth", "holdings", "companies", "trains", "phases")
"""As `review/reports/frames.py` has them; a test holds the two together."""
FORMS: Final[Mapping[str, str]] = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}


class ReportPages(Controller):
    path = "/t/{key:str}"
    include_in_schema = False
    middleware = (KEYS.middleware,)

    @get("/report", media_type=MediaType.HTML)
    async def report(
        self, request: AnyRequest, access: GivenAccess, services: GivenReviews, visitor: GivenVisitor
    ) -> Response[str]:
        made = await services.reports.page(access.game)

        def rendered() -> str:
            return services.renderer.page(
                "report.html",
                theme_in(request),
                visitor,
                key=access.key,
                style=Markup(made.style),
                body=Markup(made.body),
                missing=made.missing,
                pdf=not made.missing and find_spec("typst") is not None,
                tables=TABLES if not made.missing and find_spec("polars") is not None else (),
            )

        page = await asyncio.to_thread(rendered)
        return Response(page, media_type=MediaType.HTML)

    @get("/report.pdf", media_type="application/pdf")
    async def pdf(self, access: GivenAccess, services: GivenReviews) -> Response[bytes]:
        data = await services.reports.pdf(access.game)
        headers = {"Content-Disposition": 'attachment; filename="report.pdf"'}
        return Response(data, media_type="application/pdf", headers=headers)


class FiguresApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @get(
        "/figures/{file:str}",
        operation_id="downloadFigures",
        summary="Download the figures of a game",
        files=tuple(FORMS.values()),
    )
    async def figures(self, access: GivenAccess, services: GivenReviews, file: FromPath[str]) -> Response[bytes]:
        """A table of figures as CSV or Parquet: `payments`, `players`, `wealth`, `holdings`, `companies`, `trains`
        or `phases`.
        """
        name, _, form = file.partition(".")
        if name not in TABLES or form not in FORMS:
            raise NotHere(f"there is no {file[:40]}; there are {', '.join(TABLES)}, each as .csv and .parquet")
        data = await services.reports.figures(access.game, name, form)
        headers = {"Content-Disposition": f'attachment; filename="{file}"'}
        return Response(data, media_type=FORMS[form], headers=headers)
