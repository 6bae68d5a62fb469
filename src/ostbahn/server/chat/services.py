"""What the routes of the chat need, and what it shows at a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from ostbahn.server.chat.talk import FLAG, Talk
from ostbahn.server.games.services import GameServices, SlotProvider
from ostbahn.table.access import Access
from ostbahn.table.room import Room


@dataclass(frozen=True, kw_only=True)
class ChatServices(GameServices):
    talk: Talk


GivenChat = NamedDependency[SkipValidation[ChatServices]]


def message_slot(talk: Talk) -> SlotProvider:
    def provide(room: Room, _: Access) -> Mapping[str, Any]:
        return {"messages": tuple(talk.messages(room.id)) if room.flags.get(FLAG) else ()}

    return provide
