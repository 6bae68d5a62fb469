"""What this server adds to the pages of a table: its own pages around them, chat, invitations, clocks, accounts."""

from __future__ import annotations

from typing import Final

from jinja2 import Environment

from ostbahn.table.rendering import PLACES, Application
from ostbahn.table.slots import CLOCKS, END_WORDS, LABELS


def _set_up(env: Environment) -> None:
    env.globals["clock_groups"], env.globals["clock_labels"], env.globals["clock_ends"] = CLOCKS, LABELS, END_WORDS


SITE: Final = Application(
    packages=(
        "ostbahn.server.accounts",
        "ostbahn.server.chat",
        "ostbahn.server.clocks",
        "ostbahn.server.games",
        "ostbahn.server.imports",
        "ostbahn.server.lobby",
        "ostbahn.server.notifications",
        "ostbahn.server.profiles",
        "ostbahn.server.programmed",
        "ostbahn.server.reviews",
        "ostbahn.server.tournaments",
        "ostbahn.server.web",
    ),
    layout="base.html",
    slots={
        **{place: (f"at_table/{place}.html",) for place in PLACES if place != "tools"},
        "tools": ("vote.html",),
    },
    panels={
        "people": lambda view: {"seats": view.seats, "seen": {} if view.clocks is None else view.clocks.seen},
        "prepared": lambda view: {
            "open": view.now and not view.round.over and view.plan is None and any(seat.mine for seat in view.seats),
            "prepared": view.prepared,
        },
        "chat": lambda view: {"messages": view.messages},
    },
    scripts=("at_table.js",),
    modules=("bell.js", "clocks.js", "invite.js", "prepare.js", "talk.js", "time.js"),
    styles=("invite", "prepare", "told"),
    set_up=_set_up,
)
