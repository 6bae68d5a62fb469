"""Track: what it adds to the run of the trains, and which places it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

from ostbahn.bots.proposal import Proposal, or_pass
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Board
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import LayPurpleTile, LayRedTile, LayTile
from ostbahn.titles.cz.opponents.prospects import View, best_with
from ostbahn.titles.cz.opponents.trying import after, stake
from ostbahn.titles.cz.opponents.ways import Ways, promise
from ostbahn.titles.cz.purchase import full
from ostbahn.titles.cz.running import runnable
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.track import carried_over, terrain_cost

AnyLay = LayTile | LayPurpleTile


class Idea(NamedTuple):
    """A lay, and what it promises at first sight."""

    action: AnyLay
    promise: float
    cost: float


def planned(view: View, company: str) -> list[str]:
    """The trains to build for: those it has, or the one that it will buy next."""
    table = view.table
    title, size = table.title, table.size(company)
    own = [train.face for train in runnable(table, company)]
    faces = title.stack.spec[title.stack.card(table.state.cards_gone)[0]].faces
    living = [face for face in faces if title.train_faces[face].size == size and face not in table.state.scrapped]
    if own:
        more = [face for face in living if faces[face] <= table.state.cash[company]]
        if more and len(own) < view.weights.building.plan_trains and not full(table, company):
            return [*own, max(more, key=lambda face: view.weights.trains.typical[face])]
        return own
    if not living:
        return ["3E"] if size == "large" else ["2+2"] if size == "medium" else ["2"]
    best = max(living, key=lambda face: view.weights.trains.typical[face])
    return [best, best] if table.state.cash[company] >= 2 * faces[best] else [best]


def board_after(table: CzTable, hex_id: str, tile: str, rotation: int) -> Board:
    face = table.title.tile_set.faces[tile][rotation]
    stations = carried_over(table.state.board, table.title.map[hex_id], table, face)
    return table.state.board.with_tile(hex_id, tile, rotation, stations)


def on_board(table: CzTable, board: Board) -> CzTable:
    """The table with another board on it."""
    other = copy(table)
    other.state = copy(table.state)
    other.state.board = board
    return other


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    """A power of a Local Railway where it brings enough, then ordinary track."""
    ordinary = "no track is expected to earn what it costs"
    return _tried(question, view, LayPurpleTile) or or_pass(_tried(question, view, LayTile), ordinary)


def _tried(question: Question, view: View, kind: type[Action]) -> list[Proposal]:
    """The most promising lays, tried out exactly."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    ideas = _ideas(question, view, company, kind)
    if not ideas:
        return []
    table, weights = view.table, view.weights.building
    faces = planned(view, company)
    now = best_with(table, company, faces)
    interest = stake(view, company, question.decider)
    found = []
    for idea in ideas[: weights.candidates]:
        board = board_after(table, idea.action.hex, idea.action.tile, idea.action.rotation)
        added = best_with(on_board(table, board), company, faces) - now
        score = interest * (added + idea.promise * weights.way) - idea.cost
        reasons = (f"adds {added} K to the best run",) if added > 0 else ("leads to new places",)
        if kind is LayTile or added >= weights.power:
            found.append(Proposal(idea.action, score, reasons))
    return found


def _ideas(question: Question, view: View, company: str, kind: type[Action]) -> list[Idea]:
    """Lays by what they promise at first sight: values of places, and where new track leads."""
    options = question.only(kind)
    if not options:
        return []
    table = view.table
    ways = Ways(table, view.weights, company)
    found: dict[tuple[str, str, int], Idea] = {}
    for option in options:
        action = option.action
        assert isinstance(action, LayTile | LayPurpleTile)
        key = (action.hex, action.tile, action.rotation)
        if key in found:
            continue
        cost = 0.0
        if isinstance(action, LayTile) and action.waiver is None:
            cost = terrain_cost(table, company, action.hex) * view.weights.dealing.treasury * view.calendar.cash_now
        found[key] = Idea(action, first_sight(table, ways, action), cost)
    return sorted(found.values(), key=lambda idea: -idea.promise)


def first_sight(table: CzTable, ways: Ways, action: AnyLay) -> float:
    title, board = table.title, table.state.board
    hex_ = title.map[action.hex]
    old, new = board.face(title.tile_set, hex_), title.tile_set.faces[action.tile][action.rotation]
    worth = ways.beyond(hex_, new.exits & ~old.exits & ~ways.arrives(hex_))
    if action.hex not in ways.reached and new.nodes:
        worth += promise(hex_, new.nodes, ways.places)
    else:
        worth += _value(new.nodes) - _value(old.nodes)
    return worth


def _value(nodes: Sequence[object]) -> float:
    values = [getattr(node, "value", 0) for node in nodes]
    return float(max((value for value in values if isinstance(value, int)), default=0))


def gain_of_board(view: View, action: LayTile) -> float:
    """What a lay opens, whoever it is for."""
    face = view.table.title.tile_set.faces[action.tile][action.rotation]
    return _value(face.nodes) + face.exits.bit_count()


def red_homes(question: Question, game: Game, view: View) -> list[Proposal]:
    """The home of a large company: where track is, or can soon be."""
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned(view, company)
    found = []
    for option in question.only(LayRedTile):
        then = after(game, option.action, view.weights)
        run = best_with(then.table, company, faces)
        ways = Ways(then.table, then.weights, company)
        ahead = sum(ways.beyond(then.table.title.map[hex_id], sides) for hex_id, sides in ways.reach.sides.items())
        places = sum(promise(hex_, hex_.face.nodes or (), ways.places) for hex_, _ in ways.reach.nodes.values())
        score = run + ahead * ways.track.home_ways + places * ways.track.home_places
        found.append(
            Proposal(
                option.action,
                score,
                (f"a run of {run} K from there",) if run else ("there is room to build from there",),
            )
        )
    return found
