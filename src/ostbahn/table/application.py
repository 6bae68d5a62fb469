"""A table without a server: a game, its players and bots, and planning boards.

Each request of the table's page is a method. No threads, processes or clocks: a bot answers when `bot_turn` is called,
and the caller chooses the seeds of planning boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from ostbahn.analysis.gains import gains
from ostbahn.bots.hints import hint
from ostbahn.bots.playing import Bot
from ostbahn.bots.playing import answer as ask_bot
from ostbahn.bots.registry import STRONGEST, bots_for_title, built_in, seed_for
from ostbahn.interop.saves import dump
from ostbahn.kernel.errors import Refusal, Refused
from ostbahn.kernel.game import Game
from ostbahn.planning.comparing import Comparison, Figures, compare, figures
from ostbahn.planning.plan import plan_name
from ostbahn.review.coach import Coaching, check_answer, coach
from ostbahn.review.reports.report import body_of, report_of, style_of
from ostbahn.table.access import BOARD, Access, NotHere, NotYours
from ostbahn.table.coach_view import coach_values, exercise_at, exercise_values
from ostbahn.table.drawing import network_svg, preview_svg
from ostbahn.table.plans import PlannedGame, PlanRoom, first_planned, plan_view
from ostbahn.table.rendering import Page, Renderer, Update, theme_of
from ostbahn.table.requests import GainsView, PresentQuestion, decode, present_question, rules_values
from ostbahn.table.room import Room, check_version, seats_of
from ostbahn.table.slots import Slots
from ostbahn.table.table_view import TableView, moment_after, table_view
from ostbahn.text.speech import refusal_reasons, text_renderer_of
from ostbahn.views.hints import HintView, hint_view

KEY: Final = "table"
"""The key of the one table."""


class TableApplication:
    """A table whose people share one screen: the viewer plays all seats without a bot."""

    def __init__(
        self,
        game: Game,
        bots: Mapping[str, str] | None = None,
        *,
        name: str = "",
        ask_all: bool = False,
        renderer: Renderer | None = None,
    ) -> None:
        """bots: their codes by seat."""
        name = name or ", ".join(game.setup.players)
        self.room = Room(id_=KEY, name=name, setup=game.setup, bots=bots or {}, pace=0, ask_all=ask_all)
        self.room.begin(game)
        self.renderer = renderer or Renderer()
        self.boards: dict[str, PlanRoom] = {}
        self._bots: dict[str, Bot] = {}
        self._coached: tuple[int, Coaching] | None = None
        """The cached result of the coach, with the version of the game it is for."""

    # Access

    def access(self, key: str = KEY) -> Access:
        """What a key opens: the table, or a planning board."""
        room = self.at(key)
        is_plan = isinstance(room, PlanRoom)
        seats, origin = (seats_of(room.game.setup), self.room.id) if is_plan else (self.room.persons, "")
        return Access(key=key, hash="", game=room.id, role="host", seats=seats, used=True, origin=origin)

    def at(self, key: str = KEY) -> Room:
        """The table, or one of its planning boards."""
        room = self.room if key == KEY else self.boards.get(key)
        if room is None:
            raise NotHere("there is no such plan; perhaps it was thrown away")
        return room

    # Playing

    def answer(self, fields: dict[str, Any], version: int, key: str = KEY) -> None:
        """Answer the question. version: that of the table the sender saw."""
        room = self.at(key)
        action = decode(room.game.setup.title, fields)
        check_version(room, version)
        if room.turn in room.bots:
            raise NotYours("a bot is asked now")
        room.answer(action, room.turn or "")

    def undo(self, version: int, key: str = KEY) -> None:
        """Undo the last move of a person and all answers after it."""
        room = self.at(key)
        check_version(room, version)
        keep = room.own_move(self.access(key).seats)
        if keep is None:
            raise Refused(Refusal("", "there is nothing to take back"))
        room.undo(keep, room.game.records[keep - room.skipped].by)

    def bot_turn(self) -> bool:
        """Let the bot to move answer; return whether a bot was to move."""
        seat, room = self.room.turn, self.room
        if seat is None or seat not in room.bots:
            return False
        if seat not in self._bots:
            self._bots[seat] = built_in(room.bots[seat], seed_for(room.game.setup.seed, int(seat[1:])))
        answered = ask_bot(self._bots[seat], room.game.branch())
        room.answer(answered.action, seat, "bot", answered.note)
        return True

    def hint(self, key: str = KEY) -> HintView:
        """What the strongest bot would answer."""
        room = self.at(key)
        return hint_view(room.game, hint(room.game.branch()), room.version)

    def save(self) -> bytes:
        return dump(self.room.game, self.room.bots)

    # What the page shows

    def view(self, key: str = KEY, at: int | None = None) -> TableView:
        room = self.at(key)
        slots = Slots(plan=plan_view(room, self._real(), KEY)) if isinstance(room, PlanRoom) else Slots()
        return table_view(room, self.access(key), at, slots)

    def page(self, theme: str = "", key: str = KEY, at: int | None = None) -> str:
        view = self.view(key, at)
        game = self.at(key).at(view.at)
        return self.renderer.table(view, game, theme, bots=bots_for_title(game.setup.title), strongest=STRONGEST)

    def update(self, page: Page, theme: str = "", key: str = KEY) -> Update:
        room, who = self.at(key), self.access(key)
        at = page.at if page.after is None else moment_after(room, who, page.after)
        view = self.view(key, at)
        return self.renderer.update(view, room.at(view.at), room, page, theme)

    def question(self, key: str = KEY) -> PresentQuestion:
        return present_question(self.at(key), self.access(key))

    def gains(self, key: str = KEY) -> GainsView:
        """How much each tile or station would add to the best run."""
        room = self.at(key)
        return GainsView(version=room.version, gains=gains(room.game))

    def refusal_reasons(self, what: str, key: str = KEY) -> list[str]:
        """Why a hex or company is not among the answers."""
        game = self.at(key).game
        return [] if game.over else refusal_reasons(game, what)

    def ghost(self, hex_id: str, tile: str, rotation: str, theme: str = "", key: str = KEY) -> str:
        return preview_svg(self.at(key).game, hex_id, tile, rotation, theme_of(theme))

    def network(self, company: str, theme: str = "", key: str = KEY) -> str:
        return network_svg(self.at(key).game, company, theme_of(theme))

    # Planning boards

    def plan(self, seed: int, name: str = "", at: int | None = None) -> str:
        """Fork the game into a planning board and return its key. seed: for random draws on the board."""
        room = self.room
        number = room.number if at is None else at
        id_ = str(max((int(board.id) for board in self.boards.values()), default=0) + 1)
        board = PlanRoom(
            id_=id_,
            name=plan_name(name) if name.strip() else f"Plan from move {number}",
            setup=room.game.setup,
            bots={},
            pace=0,
            ask_all=room.ask_all,
        )
        board.fork_game(room.game.position(number), room.given[:number], seed)
        key = f"{KEY}{BOARD}{id_}"
        self.boards[key] = board
        return key

    def drop_plan(self, key: str) -> None:
        self.boards.pop(key, None)

    def play_plan(self, key: str, version: int) -> None:
        """Play the first planned move at the table itself."""
        board = self.at(key)
        if not isinstance(board, PlanRoom):
            raise NotHere("this is a game, and no planning board")
        check_version(board, version)
        planned = first_planned(board, self._real())
        self.room.answer(planned.action, planned.by)

    def compare(self, one: str, other: str) -> Comparison:
        """Compare two boards; the table's own key stands for the game."""
        return compare(self._figures(one), self._figures(other), text_renderer_of(self.room.game).words.currency)

    def _figures(self, key: str) -> Figures:
        room = self.at(key)
        return figures("The game" if key == KEY else room.name, room.game)

    def _real(self) -> PlannedGame:
        room = self.room
        return PlannedGame(room.game.branch(), tuple(room.given), room.version, room.name, room.persons)

    # The pages around the game

    def rules_page(self, words: str = "", theme: str = "") -> str:
        return self.renderer.page("rules.html", theme, **rules_values(self.room.game.setup.title, words))

    def report_page(self, theme: str = "") -> str:
        report = report_of(self.room.game)
        style, body = Markup(style_of(report.inks)), Markup(body_of(report))
        files: dict[str, Any] = {"pdf": False, "tables": ()}  # these need libraries that a browser does not have
        return self.renderer.page("report.html", theme, key=KEY, style=style, body=body, missing="", **files)

    def coaching(self) -> Coaching:
        """The result of the coach, cached for the version of the game."""
        if self._coached is None or self._coached[0] != self.room.version:
            self._coached = self.room.version, coach(self.room.game)
        return self._coached[1]

    def coach_page(self, seat: str = "", theme: str = "") -> str:
        values = coach_values(self.room.game, self.coaching(), self._judged_seats(), seat)
        return self.renderer.page("coach.html", theme, key=KEY, over=self.room.game.over, **values)

    def exercise_page(self, number: int, chosen: int | None = None, theme: str = "") -> str:
        """A page with an exercise of the coach. chosen: the option that was tried."""
        game = self.room.game
        exercise = exercise_at(game, self.coaching(), self._judged_seats(), number)
        if exercise is None:
            raise NotHere("there is no such exercise; the list of the coach has all of them")
        verdict = None if chosen is None else check_answer(game, number, exercise.proven, chosen)
        values = exercise_values(game, exercise, theme_of(theme), verdict, chosen)
        return self.renderer.page("coach_exercise.html", theme, key=KEY, **values)

    def _judged_seats(self) -> list[str]:
        """Seats whose decisions may be shown: while the game runs, only those of people."""
        return list(seats_of(self.room.game.setup) if self.room.game.over else self.room.persons)
