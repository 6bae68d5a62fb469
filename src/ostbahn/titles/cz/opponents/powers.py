"""Purple-edged tiles: the powers of Local Railways, which cost nothing and come on top of ordinary track (IV.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import LayPurpleTile
from ostbahn.titles.cz.opponents.building import Builder
from ostbahn.titles.cz.opponents.track import board_after, first_sight, on_board
from ostbahn.titles.cz.opponents.ways import Ways


def proposals(question: Question, builder: Builder) -> list[Proposal]:
    """The most promising lays, where they bring enough to trains of today and of tomorrow."""
    table = builder.view.table
    found = []
    for action in _by_first_sight(question, builder)[: builder.weights.candidates]:
        then = on_board(table, board_after(table, action.hex, action.tile, action.rotation))
        gain = builder.run(then) - builder.now
        if gain >= builder.weights.power:
            found.append(Proposal(action, gain * builder.interest, (f"adds {gain:.0f} K to runs and costs nothing",)))
    return found


def _by_first_sight(question: Question, builder: Builder) -> list[LayPurpleTile]:
    lays = list(_one_for_each(question, builder))
    if not lays:
        return []
    table = builder.view.table
    ways = Ways(table, builder.view.weights, builder.company)
    return sorted(lays, key=lambda lay: -first_sight(table, ways, lay))


def _one_for_each(question: Question, builder: Builder) -> Iterator[LayPurpleTile]:
    """Of several Local Railways that could lay the same, the smallest: larger ones can do more later."""
    spec = builder.view.table.title.locals
    kept: dict[tuple[str, str, int], LayPurpleTile] = {}
    for option in question.only(LayPurpleTile):
        action = option.action
        assert isinstance(action, LayPurpleTile)
        known = kept.setdefault((action.hex, action.tile, action.rotation), action)
        if spec[action.local].income < spec[known.local].income:
            kept[action.hex, action.tile, action.rotation] = action
    yield from kept.values()
