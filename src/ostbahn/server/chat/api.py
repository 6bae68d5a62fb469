"""The chat of a table and the notes of each seat, in the JSON interface."""

from __future__ import annotations

from litestar import Controller
from litestar.params import JSONBody
from msgspec import Struct

from ostbahn.server.accounts.rate_limits import KEYS, TALK
from ostbahn.server.chat.service import GivenChat
from ostbahn.server.games.services import GivenAccess
from ostbahn.server.routing import get, post, put


class SentText(Struct, frozen=True):
    """A text: a message or your notes."""

    text: str


class ChatApi(Controller):
    path = "/api/t/{key:str}"
    tags = ("table",)
    middleware = (KEYS.middleware,)

    @post(
        "/chat",
        status_code=200,
        operation_id="sendMessage",
        summary="Say something in the chat",
        errors=(403,),
        middleware=[TALK.middleware],
    )
    def chat(self, access: GivenAccess, services: GivenChat, data: JSONBody[SentText]) -> None:
        """All at the table read it."""
        with services.house.holding(access.game) as room:
            services.talk.say(access, room.game.setup, data.text)

    @get("/note", operation_id="getNotes", summary="Read your private notes")
    def note(self, access: GivenAccess, services: GivenChat) -> SentText:
        """Only the owner of the key sees them."""
        return SentText(services.talk.note(access))

    @put("/note", operation_id="saveNotes", summary="Save your private notes")
    def keep_note(self, access: GivenAccess, services: GivenChat, data: JSONBody[SentText]) -> None:
        """Replaces what was written there before."""
        services.talk.keep_note(access, data.text)
