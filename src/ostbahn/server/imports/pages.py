"""Import games from files: saves of Ostbahn and exports of 18xx.games."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Controller, Response
from litestar.datastructures import FormMultiDict, UploadFile

from ostbahn.kernel.errors import BadFile, OstbahnError
from ostbahn.server.accounts.rate_limits import GAMES
from ostbahn.server.accounts.visitors import InjectedForm, InjectedVisit, check_not_banned
from ostbahn.server.games.services import InjectedGames, to_table
from ostbahn.server.limits import LONGEST_FIELD, WITH_SAVE
from ostbahn.server.routing import get, post

LARGEST_FILE: Final = 5_000_000
LONGEST_SHOWN: Final = 100_000  # letters of a faulty text that the form shows again


class ImportPages(Controller):
    path = "/import"
    include_in_schema = False
    request_max_body_size = WITH_SAVE

    @get("/")
    def form(self, visit: InjectedVisit) -> Response[str]:
        return visit.page("import.html", name="", text="")

    @post("/", middleware=[GAMES.middleware])
    async def take_in(self, visit: InjectedVisit, form: InjectedForm, services: InjectedGames) -> Response[Any]:
        """Create a table for an uploaded file or a pasted text."""
        check_not_banned(visit.visitor)
        name, text = str(form.get("name") or ""), str(form.get("text") or "")
        try:
            game = await services.import_sandbox.decode_game(await _sent_file(form))
            host = await asyncio.to_thread(services.game_service.import_game, game, name)
        except OstbahnError as error:
            shown_text = text if len(text) <= LONGEST_SHOWN else ""
            return visit.page("import.html", error, name=name[:LONGEST_FIELD], text=shown_text)
        return await asyncio.to_thread(to_table, visit, services, host)


async def _sent_file(sent: FormMultiDict) -> bytes:
    file = sent.get("file")
    data = await file.read() if isinstance(file, UploadFile) else b""
    data = data or str(sent.get("text") or "").encode()
    if not data.strip():
        raise BadFile("choose a file, or paste what is in it")
    if len(data) > LARGEST_FILE:
        raise BadFile(f"this is larger than {LARGEST_FILE // 1_000_000} MB, and no game is")
    return data
