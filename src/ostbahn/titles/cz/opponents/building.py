"""Track for S: a beam search for the best sequence of lays over this turn and the next ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from ostbahn.bots.policies import Proposal, with_pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import holding
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import LayPurpleTile, LayTile
from ostbahn.titles.cz.opponents.prospects import CzBotView, best_with, value_of_run_income
from ostbahn.titles.cz.opponents.track import TrackPotential, planned_trains, rough_lay_value, with_lay
from ostbahn.titles.cz.state import CzTable, LayTrack
from ostbahn.titles.cz.track import is_promotion, lays, terrain_cost, waivers


class BeamNode(NamedTuple):
    """A board reached by a sequence of lays."""

    table: CzTable
    first: LayTile
    """First lay of the sequence."""
    cash: float
    promise: float
    """Rough value of the places that its track leads to."""
    earned: float = 0.0
    """Added income of the runs between these lays."""
    gain: float = 0.0
    """Revenue of its best run above that of the current board."""
    turns: int = 0
    """Number of runs between these lays."""


class TrackBeamSearch:
    """Search one company's lays for some turns ahead."""

    def __init__(self, question: Question, view: CzBotView) -> None:
        assert isinstance(question.task, LayTrack)
        self.task = question.task
        self.view, self.company = view, question.task.company
        self.weights = view.weights.building
        self.fleet, self.later = planned_trains(view, self.company), later_fleet(view, self.company)
        self.now = self.run(view.table)
        self.interest = value_of_run_income(view, self.company, question.decider)
        self.thrift = view.weights.dealing.treasury * view.calendar.cash_now
        held = holding(view.table, question.decider, self.company) / 100
        self.each_run = [held * view.calendar.ahead.cash_after(number) for number in view.calendar.runs(self.company)]

    def run(self, table: CzTable) -> float:
        """Return the weighted revenue of its trains now and of its later fleet."""
        part = self.weights.later
        now, later = (best_with(table, self.company, faces) for faces in (self.fleet, self.later))
        return (1 - part) * now + part * later

    def worth(self, node: BeamNode) -> float:
        """Return the value of a node, with all runs still to be made on its board."""
        later = sum(self.each_run[node.turns :])
        promise_value = node.promise * self.weights.way * self.interest
        return node.earned + later * node.gain + promise_value + node.cash * self.thrift

    def futures(self) -> dict[LayTile, tuple[float, float]]:
        """Map each candidate lay to its best later value and the revenue that it adds at once."""
        width = self.weights.beam
        beam = self._next_nodes(self.view.table, None, bool(self.task.yellows), self.weights.candidates)
        added = {node.first: node.gain for node in beam}
        best = {node.first: self.worth(node) for node in beam}
        lays_left = (2 if self.task.first else 1) - self.task.yellows
        for depth in range(1, self.weights.ahead):
            survivors = sorted(beam, key=lambda node: -self.worth(node))[:width]
            beam = [successor for node in survivors for successor in self._successors(node, depth < lays_left, width)]
            for node in beam:
                best[node.first] = max(best[node.first], self.worth(node))
        return {lay: (best[lay], added[lay]) for lay in best}

    def _successors(self, node: BeamNode, in_turn: bool, width: int) -> list[BeamNode]:
        """Extend a node by one lay: after a run, or by the second yellow tile of a first turn."""
        in_turn = in_turn and not is_promotion(self.view.table, node.first.hex)
        if not in_turn and node.turns < len(self.each_run):
            earned = node.earned + self.each_run[node.turns] * node.gain
            node = node._replace(earned=earned, turns=node.turns + 1)
        return [
            successor._replace(first=node.first) for successor in self._next_nodes(node.table, node, in_turn, width)
        ]

    def _next_nodes(self, table: CzTable, before: BeamNode | None, yellow: bool, width: int) -> list[BeamNode]:
        """Evaluate exactly the most promising next lays; `first` is the lay itself."""
        nodes = []
        for node in sorted(self._rough_nodes(table, before, yellow), key=lambda node: -self.worth(node))[:width]:
            after = table_after_lay(node.table, node.first)
            nodes.append(node._replace(table=after, gain=self.run(after) - self.now))
        return nodes

    def _rough_nodes(self, table: CzTable, before: BeamNode | None, yellow: bool) -> Iterator[BeamNode]:
        potential = TrackPotential(table, self.view.weights, self.company)
        cash = before.cash if before else table.state.cash[self.company]
        for hex_id, tile, rotation in _distinct_lays(table, self.company):
            if yellow and is_promotion(table, hex_id):
                continue
            cost = terrain_cost(table, self.company, hex_id)
            lay = LayTile(hex_id, tile, rotation)
            if cost > cash:
                powers = waivers(table, self.company, hex_id) if before is None else ()
                if not powers:
                    continue
                lay, cost = LayTile(hex_id, tile, rotation, powers[0]), 0
            promise = rough_lay_value(table, potential, lay)
            if before is None:
                yield BeamNode(table, lay, cash - cost, promise)
            else:
                promise = before.promise + promise * self.weights.decay
                yield before._replace(table=table, first=lay, cash=cash - cost, promise=promise)


def _distinct_lays(table: CzTable, company: str) -> Iterator[tuple[str, str, int]]:
    """Yield all lays, but only one of rotations that look alike."""
    seen = set()
    for hex_id, tile, rotation in lays(table, company):
        face = table.title.tile_set.faces[tile][rotation]
        appearance = (hex_id, tile, face.exits, tuple(sorted(face.node_exits)), frozenset(face.pairs))
        if appearance not in seen:
            seen.add(appearance)
            yield hex_id, tile, rotation


def table_after_lay(table: CzTable, lay: LayTile) -> CzTable:
    """Return a copy of the table with the tile moved from the supply to the board."""
    other = with_lay(table, lay)
    other.state.supply = {**table.state.supply, lay.tile: table.state.supply[lay.tile] - 1}
    return other


def later_fleet(view: CzBotView, company: str) -> list[str]:
    """Return the best train of its size on sale some rounds ahead, or the last one before that."""
    title, size = view.table.title, view.table.size(company)
    for ahead in range(view.weights.fixed.track.trains_ahead, -1, -1):
        letter = view.calendar.ahead.letter_at(view.calendar.rounds_before + ahead)
        if faces := [face for face in title.stack.spec[letter].faces if title.train_faces[face].size == size]:
            return [max(faces, key=lambda face: view.weights.trains.typical[face])]
    return planned_trains(view, company)


def private_lays_proposed(question: Question, builder: TrackBeamSearch) -> list[Proposal]:
    """Propose purple lays that add enough revenue now and later."""
    table = builder.view.table
    lays = smallest_railway_for_each_lay(question, table)
    if not lays:
        return []
    potential = TrackPotential(table, builder.view.weights, builder.company)
    proposed = []
    for action in sorted(lays, key=lambda lay: -rough_lay_value(table, potential, lay))[: builder.weights.candidates]:
        gain = builder.run(with_lay(table, action)) - builder.now
        if gain >= builder.weights.power:
            proposed.append(
                Proposal(action, gain * builder.interest, (f"adds {gain:.0f} K to runs and costs nothing",))
            )
    return proposed


def smallest_railway_for_each_lay(question: Question, table: CzTable) -> Collection[LayPurpleTile]:
    """Return each possible lay once, by the smallest Local Railway: larger ones can do more later."""
    spec = table.title.locals
    smallest: dict[tuple[str, str, int], LayPurpleTile] = {}
    for action in question.actions(LayPurpleTile):
        known = smallest.setdefault((action.hex, action.tile, action.rotation), action)
        if spec[action.local].income < spec[known.local].income:
            smallest[action.hex, action.tile, action.rotation] = action
    return smallest.values()


def proposals(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    builder = TrackBeamSearch(question, view)
    if purple := private_lays_proposed(question, builder):
        return purple
    futures = builder.futures()
    best = max(futures, key=lambda lay: futures[lay][0], default=None)
    most_added = max((added for _, added in futures.values()), default=0.0)
    proposed = (
        Proposal(lay, worth, _reasons(added, most_added if lay == best else 0.0))
        for lay, (worth, added) in futures.items()
    )
    pass_score = builder.thrift * view.table.state.cash[builder.company]
    return with_pass(proposed, "no track is expected to earn what it costs", pass_score)


def _reasons(added: float, most_added: float) -> tuple[str, ...]:
    """Say what a lay adds at once, and why it beats one that adds more."""
    benefit = f"adds {added:.0f} K to runs" if added >= 1 else "leads to new places"
    advantage = f"better for later runs than the lay that adds {most_added:.0f} K at once"
    return (benefit, advantage) if most_added >= added + 1 else (benefit,)
