"""Reports of games at tables: each is made once for a version, one after the other, where bots think."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from ostbahn.bots.limits import TooSlow
from ostbahn.bots.playing import NotAsked
from ostbahn.bots.processes import Died, Failed
from ostbahn.extras import MissingExtra
from ostbahn.kernel.game import Game
from ostbahn.server.faults import Busy
from ostbahn.server.games.service import House
from ostbahn.server.jobs.bounded_executor import WaitingLine
from ostbahn.server.jobs.single_flight import Lookout
from ostbahn.table.access import NotHere

LOG: Final = logging.getLogger(__name__)
SECONDS: Final = 90.0
"""For a report; those of the longest games took a fifth of that."""
WAITING: Final = 10
"""How many may wait for one."""
KEPT: Final = 12
"""Reports are large, up to some megabytes."""


class Made(NamedTuple):
    """A report as it stands on a page; or, instead of it, what is missing."""

    style: str = ""
    body: str = ""
    missing: str = ""


class Reports:
    def __init__(self, house: House) -> None:
        self.house = house
        self._kept = Lookout(KEPT)
        # one at a time: a report takes a core for some seconds, and others want to play
        self._line = WaitingLine(
            "report", 1, WAITING, "many people ask for reports at the moment; try again in a minute"
        )

    async def page(self, table: str) -> Made:
        return Made(*await self._made(table, "page", page_of))

    async def pdf(self, table: str) -> bytes:
        return _file(await self._made(table, "pdf", pdf_of))

    async def figures(self, table: str, name: str, form: str) -> bytes:
        """One of the tables with all figures, as a file."""
        return _file(await self._made(table, f"{name}.{form}", partial(figures_of, name, form)))

    async def _made(self, table: str, what: str, make: Callable[[bool, Game], Any]) -> Any:
        return await self._line.served(lambda: self._once(table, what, make))

    def _once(self, table: str, what: str, make: Callable[[bool, Game], Any]) -> Any:
        """Whoever still plays, without hints, is told only what they could have written down."""
        with self.house.holding(table) as room:
            game, version, all_ = room.game.branch(), room.version, room.hints or room.game.over
        return self._kept.once((what, table, version), lambda: self._worked_out(table, game, partial(make, all_)))

    def _worked_out(self, table: str, game: Game, work: Callable[[Game], Any]) -> Any:
        try:
            return self.house.opponents.worked_out(table, game, work, SECONDS)
        except (TooSlow, Died, NotAsked) as fault:
            LOG.warning("there was no report of game %s: %s", table, fault)
            raise Busy("the report could not be made this time; try again later") from None
        except Failed as fault:
            raise RuntimeError(f"no report of game {table}") from fault

    def close(self) -> None:
        self._line.close()


def _file(found: bytes | str) -> bytes:
    """What was made; words say what is missing that would make it."""
    if isinstance(found, str):
        raise NotHere(found)
    return bytes(found)


# What happens in another process, and needs libraries that may not be there


def page_of(all_: bool, game: Game) -> tuple[str, str, str]:
    """Style, body, and what is missing. all_: not only what everybody could have written down."""
    try:
        from ostbahn.review.reports.report import RECORDED, SECTIONS, body_of, report_of, style_of

        report = report_of(game, sections=SECTIONS if all_ else RECORDED)
        return style_of(report.inks), body_of(report), ""
    except MissingExtra as fault:
        return "", "", str(fault)


def pdf_of(all_: bool, game: Game) -> bytes | str:
    try:
        from ostbahn.review.reports.report import RECORDED, SECTIONS, report_of
        from ostbahn.review.reports.report import pdf_of as printed

        return printed(report_of(game, sections=SECTIONS if all_ else RECORDED))
    except MissingExtra as fault:
        return str(fault)


def figures_of(name: str, form: str, _: bool, game: Game) -> bytes | str:
    try:
        from ostbahn.review.accounts import accounts_of
        from ostbahn.review.reports.frames import FORMS, encoded, to_dataframe

        return encoded(to_dataframe(accounts_of(game), name), next(each for each in FORMS if each == form))
    except MissingExtra as fault:
        return str(fault)
