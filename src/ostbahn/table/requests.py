"""Answers to read-only requests of a table's page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ostbahn.analysis.gains import GainView
from ostbahn.interop.saves import decode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import BadFile
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kits
from ostbahn.pictures import gallery
from ostbahn.pictures.themes import Theme
from ostbahn.table.access import Access, NotHere, Stale, Unreadable
from ostbahn.table.rendering import drawn_routes
from ostbahn.table.room import Room
from ostbahn.table.table_view import marked, numbers_about, stops_after
from ostbahn.text.formatting import in_past_tense, sentence_case
from ostbahn.text.rules import title_named
from ostbahn.text.speech import Speech, consequences
from ostbahn.views.catalogue import RuleView, chapter_views, rule_text, rule_views
from ostbahn.views.common import who_view
from ostbahn.views.log import LogLines, MentionFinder, filtered_lines
from ostbahn.views.models import LogLine, TextPart, WhoView
from ostbahn.views.moves import MoveView, move_view
from ostbahn.views.question import DividendView, QuestionView, RoutesView, dividend_views, question_view
from ostbahn.views.routes import routes_view


class PresentQuestion(Struct, frozen=True, kw_only=True):
    """Who is to move, and what you are asked if it is you."""

    version: int
    """Changes whenever anything happens in the game. Send it with your answer."""
    number: int
    """How many answers have been given."""
    over: bool
    to_move: WhoView | None
    """Who is asked now; null when the game is over."""
    my_turn: bool
    """Whether you are asked: `question` is there if so, and null otherwise."""
    bot_turn: bool
    """Whether a bot of this server is asked."""
    question: QuestionView | None
    """The question with all answers, exactly as the whole table has it."""
    routes: RoutesView | None
    """The best run, where the question is how to run trains."""
    dividends: tuple[DividendView, ...]
    """What each answer would do, where the question is what to do with income."""


def present_question(room: Room, who: Access) -> PresentQuestion:
    """The question as a viewer sees it, with answers only for the player to move."""
    game, seat = room.game, room.turn
    question = question_view(game) if seat in who.seats else None
    return PresentQuestion(
        version=room.version,
        number=room.number,
        over=game.over,
        to_move=None if seat is None else who_view(game.table, seat),
        my_turn=question is not None,
        bot_turn=seat in room.bots,
        question=question,
        routes=routes_view(game) if question is not None and question.widget == "routes" else None,
        dividends=dividend_views(game) if question is not None else (),
    )


class ConsequenceView(Struct, frozen=True):
    """A consequence of an action."""

    text: str
    grave: bool
    """Whether a player should be asked to confirm it."""
    parts: tuple[TextPart, ...]


class Preview(Struct, frozen=True):
    """What an action would bring about, or why it is refused."""

    words: str
    """The action, in words."""
    done: str
    """The same in the past tense."""
    consequences: list[ConsequenceView]
    refusal: str | None = None
    rule: str | None = None
    rule_text: str | None = None
    refusal_parts: tuple[TextPart, ...] = ()


class RunsView(Struct, frozen=True):
    """Routes, valued and drawn."""

    view: RoutesView
    svg: str


class GainsView(Struct, frozen=True, kw_only=True):
    """What the answers to the present question add to the best run of the company."""

    version: int
    """The version of the game that these figures are for."""
    gains: Mapping[int, GainView]
    """By the index of the answer; empty where nothing is built, or the company has no train."""


def decode(title: str, fields: Mapping[str, Any]) -> Action:
    try:
        return decode_action(title, dict(fields))
    except BadFile as fault:
        raise Unreadable(f"this is no action of {title}: {fault}") from None


def preview(game: Game, fields: dict[str, Any]) -> Preview:
    action = decode(game.setup.title, fields)
    try:
        description = Speech(game).describe(action)
    except LookupError as fault:
        raise Unreadable(f"this names something that is not in the game: {str(fault)[:100]}") from None
    words, done = sentence_case(description), sentence_case(in_past_tense(description))
    refusal, mentions = game.refusal(action), MentionFinder(game)
    if refusal is None:
        rows = consequences(game, action)
        return Preview(words, done, [ConsequenceView(row.text, row.grave, mentions.parts(row.text)) for row in rows])
    rule, parts = rule_text(game.setup.title, refusal.rule), mentions.parts(refusal.text)
    return Preview(words, done, [], refusal.text, refusal.rule, rule, parts)


def valued_runs(game: Game, runs: list[dict[str, Any]] | None, theme: Theme) -> RunsView:
    """Value and draw routes; without `runs`, those of the best run."""
    view = routes_view(game, runs)
    if view is None:
        raise Stale("no trains are run at the moment")
    return RunsView(view, drawn_routes(view, game, theme))


def log_lines(
    room: Room,
    before: int | None = None,
    seat: str | None = None,
    company: str | None = None,
    topic: str | None = None,
    limit: int = 40,
) -> list[LogLine]:
    """Lines of the log, latest first; optionally only those about a seat, company or topic."""
    first = None if before is None else min(before - room.skipped, len(room.game) + 1)
    also = {number - room.skipped for number in numbers_about(room, seat, company, topic)}
    lines = filtered_lines(room.game, seat=seat, company=company, kind=topic, before=first, limit=limit, also=also)
    return list(marked(room, lines))


def moves_after(room: Room, who: Access, after: int, limit: int = 100) -> list[MoveView]:
    """The moves that others made after a moment, earliest first."""
    games = [room.at(number) for number in stops_after(room, who, after)[:limit]]
    lines = marked(room, [LogLines(game).line(len(game)) for game in games])
    views = [move_view(game, line) for game, line in zip(games, lines, strict=True)]
    return [view for view in views if view is not None]


def picture(game: Game, what: str, theme: Theme) -> str:
    """Draw a picture of the gallery for a game: `tiles`, `charter/COMPANY`, `upgrades`."""
    name, _, detail = what.strip("/").partition("/")
    return gallery.draw(game, f"{name}:{detail}" if detail else name, theme)


def rules_of(title: str, words: str) -> list[RuleView]:
    """The rules of a title that match the words; all rules without words."""
    if title_named(title) not in kits():
        raise NotHere(f"there is no title {title_named(title)}; there are {', '.join(kits())}")
    return rule_views(title, words)


def rules_values(title: str, words: str) -> dict[str, Any]:
    rules = rules_of(title, words)
    return {"title": title_named(title), "words": words, "number": len(rules), "chapters": chapter_views(rules)}
