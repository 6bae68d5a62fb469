"""Track for S: not the best tile, but the best way to go on building, this turn and the next ones."""

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
    """A board that building could lead to."""

    table: CzTable
    first: LayTile
    """The lay that it begins with."""
    cash: float
    promise: float
    """What the places are worth that its track leads to."""
    earned: float = 0.0
    """What the runs bring that are made on the way, beyond those on the present board."""
    gain: float = 0.0
    """What its best run has over that of the present board."""
    turns: int = 0
    """How many runs are made on the way."""


class TrackBeamSearch:
    """One company's building, as far as it looks ahead."""

    def __init__(self, question: Question, view: CzBotView) -> None:
        assert isinstance(question.task, LayTrack)
        self.task = question.task
        self.view, self.company = view, question.task.company
        self.weights = view.weights.building
        self.fleet, self.later = planned_trains(view, self.company), later_fleet(view, self.company)
        self.now = self.run(view.table)
        self.interest = value_of_run_income(view, self.company, question.decider)
        self.thrift = view.weights.dealing.treasury * view.calendar.cash_now
        part = holding(view.table, question.decider, self.company) / 100
        self.each_run = [part * view.calendar.ahead.cash_after(number) for number in view.calendar.runs(self.company)]

    def run(self, table: CzTable) -> float:
        """What its trains can run for on a board, and those that it will have."""
        part = self.weights.later
        now, later = (best_with(table, self.company, faces) for faces in (self.fleet, self.later))
        return (1 - part) * now + part * later

    def worth(self, site: BeamNode) -> float:
        """With all runs that are still to be made on it."""
        later = sum(self.each_run[site.turns :])
        hope = site.promise * self.weights.way * self.interest
        return site.earned + later * site.gain + hope + site.cash * self.thrift

    def futures(self) -> dict[LayTile, tuple[float, float]]:
        """For each lay that is worth a thought, the best that can come of it, and what it adds to runs at once."""
        width = self.weights.beam
        beam = self._sites(self.view.table, None, bool(self.task.yellows), self.weights.candidates)
        added = {site.first: site.gain for site in beam}
        best = {site.first: self.worth(site) for site in beam}
        left = (2 if self.task.first else 1) - self.task.yellows
        for depth in range(1, self.weights.ahead):
            kept = sorted(beam, key=lambda site: -self.worth(site))[:width]
            beam = [further for site in kept for further in self._further(site, depth < left, width)]
            for site in beam:
                best[site.first] = max(best[site.first], self.worth(site))
        return {lay: (best[lay], added[lay]) for lay in best}

    def _further(self, site: BeamNode, in_turn: bool, width: int) -> list[BeamNode]:
        """The next lay: after a run, or in the same first turn, where a second yellow tile may follow."""
        in_turn = in_turn and not is_promotion(self.view.table, site.first.hex)
        if not in_turn and site.turns < len(self.each_run):
            earned = site.earned + self.each_run[site.turns] * site.gain
            site = site._replace(earned=earned, turns=site.turns + 1)
        return [further._replace(first=site.first) for further in self._sites(site.table, site, in_turn, width)]

    def _sites(self, table: CzTable, before: BeamNode | None, yellow: bool, width: int) -> list[BeamNode]:
        """The most promising next lays, tried out exactly; `first` is the lay itself."""
        sites = []
        for site in sorted(self._rough(table, before, yellow), key=lambda site: -self.worth(site))[:width]:
            then = table_after_lay(site.table, site.first)
            sites.append(site._replace(table=then, gain=self.run(then) - self.now))
        return sites

    def _rough(self, table: CzTable, before: BeamNode | None, yellow: bool) -> Iterator[BeamNode]:
        ways = TrackPotential(table, self.view.weights, self.company)
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
            promise = rough_lay_value(table, ways, lay)
            if before is None:
                yield BeamNode(table, lay, cash - cost, promise)
            else:
                promise = before.promise + promise * self.weights.decay
                yield before._replace(table=table, first=lay, cash=cash - cost, promise=promise)


def _distinct_lays(table: CzTable, company: str) -> Iterator[tuple[str, str, int]]:
    """All lays; of rotations that look alike, one."""
    seen = set()
    for hex_id, tile, rotation in lays(table, company):
        face = table.title.tile_set.faces[tile][rotation]
        looks = (hex_id, tile, face.exits, tuple(sorted(face.node_exits)), frozenset(face.pairs))
        if looks not in seen:
            seen.add(looks)
            yield hex_id, tile, rotation


def table_after_lay(table: CzTable, lay: LayTile) -> CzTable:
    """The table with a tile more on the board and one less in the supply."""
    other = with_lay(table, lay)
    other.state.supply = {**table.state.supply, lay.tile: table.state.supply[lay.tile] - 1}
    return other


def later_fleet(view: CzBotView, company: str) -> list[str]:
    """The best train of its size that will be sold some rounds ahead; if there is none then, before."""
    title, size = view.table.title, view.table.size(company)
    for ahead in range(view.weights.fixed.track.trains_ahead, -1, -1):
        letter = view.calendar.ahead.letter_at(view.calendar.rounds_before + ahead)
        if faces := [face for face in title.stack.spec[letter].faces if title.train_faces[face].size == size]:
            return [max(faces, key=lambda face: view.weights.trains.typical[face])]
    return planned_trains(view, company)


def private_lays_proposed(question: Question, builder: TrackBeamSearch) -> list[Proposal]:
    """The most promising lays, where they bring enough to trains of today and of tomorrow."""
    table = builder.view.table
    lays = smallest_railway_for_each_lay(question, table)
    if not lays:
        return []
    ways = TrackPotential(table, builder.view.weights, builder.company)
    found = []
    for action in sorted(lays, key=lambda lay: -rough_lay_value(table, ways, lay))[: builder.weights.candidates]:
        gain = builder.run(with_lay(table, action)) - builder.now
        if gain >= builder.weights.power:
            found.append(Proposal(action, gain * builder.interest, (f"adds {gain:.0f} K to runs and costs nothing",)))
    return found


def smallest_railway_for_each_lay(question: Question, table: CzTable) -> Collection[LayPurpleTile]:
    """Of several Local Railways that could lay the same, the smallest: larger ones can do more later."""
    spec = table.title.locals
    kept: dict[tuple[str, str, int], LayPurpleTile] = {}
    for action in question.actions(LayPurpleTile):
        known = kept.setdefault((action.hex, action.tile, action.rotation), action)
        if spec[action.local].income < spec[known.local].income:
            kept[action.hex, action.tile, action.rotation] = action
    return kept.values()


def proposals(question: Question, game: Game, view: CzBotView) -> list[Proposal]:
    builder = TrackBeamSearch(question, view)
    if purple := private_lays_proposed(question, builder):
        return purple
    futures = builder.futures()
    best = max(futures, key=lambda lay: futures[lay][0], default=None)
    most = max((added for _, added in futures.values()), default=0.0)
    found = (
        Proposal(lay, worth, _reasons(added, most if lay == best else 0.0)) for lay, (worth, added) in futures.items()
    )
    kept = builder.thrift * view.table.state.cash[builder.company]
    return with_pass(found, "no track is expected to earn what it costs", kept)


def _reasons(added: float, most: float) -> tuple[str, ...]:
    """What a lay adds at once; of one that is better in the end than others that add more, what it is better for."""
    now = f"adds {added:.0f} K to runs" if added >= 1 else "leads to new places"
    better = f"better for later runs than the lay that adds {most:.0f} K at once"
    return (now, better) if most >= added + 1 else (now,)
