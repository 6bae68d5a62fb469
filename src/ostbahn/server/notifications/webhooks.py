"""Messages into rooms where others read: Discord, Slack, and plain JSON for everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

import msgspec

from ostbahn.server.notifications.safe_http import NotSent, Outside

Shape = Literal["discord", "slack", "json"]
TAKEN: Final = range(200, 300)
MOVED: Final = range(300, 400)
GONE: Final = (401, 403, 404, 410)

MARKS: Final = re.compile(r"([\\`*_~|<>\[\]()#])")
"""What Discord does not show as it is."""

Told = Mapping[str, str]
"""What there is to say: `event`, `text`, `address` of the table, `game` and `player`."""


def _discord(told: Told) -> Any:
    """Nobody is called by it who did not ask for that, and nothing is a link or a headline, whatever a name is."""
    text = MARKS.sub(r"\\\1", told["text"])
    return {"content": f"{text}\n<{told['address']}>", "allowed_mentions": {"parse": []}}


def _slack(told: Told) -> Any:
    text = told["text"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text} <{told['address']}>"}


SHAPES: Final[Mapping[str, Callable[[Told], Any]]] = {"discord": _discord, "slack": _slack, "json": dict}


def send(outside: Outside, url: str, shape: str, told: Told) -> None:
    body = msgspec.json.encode(SHAPES[shape](told))
    status = outside.post(url, body, {"Content-Type": "application/json", "User-Agent": "Ostbahn"})
    if status in MOVED:
        raise NotSent("the webhook has moved: it answered with a redirect, which is not followed", f"status {status}")
    if status in GONE:
        raise NotSent(f"the webhook does not exist any more ({status})", f"status {status}", for_good=True)
    if status not in TAKEN:
        raise NotSent(f"the webhook answered {status}", f"status {status}")
