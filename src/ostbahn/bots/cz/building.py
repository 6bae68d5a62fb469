"""Track for S: not the best tile, but the best way to go on building, this turn and the next ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ostbahn.bots.cz.prospects import View, best_with
from ostbahn.bots.cz.track import board_after, first_sight, on_board, planned
from ostbahn.bots.cz.trying import stake
from ostbahn.bots.cz.ways import Ways
from ostbahn.bots.proposal import Proposal
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.certificates import holding
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import LayPurpleTile, LayTile
from ostbahn.titles.cz.state import CzTable, LayTrack
from ostbahn.titles.cz.track import is_promotion, lays, terrain_cost


class Site(NamedTuple):
    """A board that building could lead to."""

    table: CzTable
    first: LayTile
    """The lay that it begins with."""
    cash: float
    promise: float
    """What the places are worth that its track leads to."""
    earned: float
    """What the runs bring that are made on the way, beyond those on the present board."""
    gain: float
    """What its best run has over that of the present board."""

    turns: int
    """How many runs are made on the way."""

    def worth(self, builder: Builder) -> float:
        """With all runs that are still to be made on it."""
        later = sum(builder.each_run[self.turns :])
        hope = self.promise * builder.weights.way * builder.interest
        return self.earned + later * self.gain + hope + self.cash * builder.thrift


class Builder:
    """One company's building, as far as it looks ahead."""

    def __init__(self, question: Question, view: View) -> None:
        assert isinstance(question.task, LayTrack)
        self.task = question.task
        self.view, self.company = view, question.task.company
        self.weights = view.weights.building
        self.faces = planned(view, self.company)
        self.later = later_fleet(view, self.company)
        self.now = self.run(view.table)
        self.interest = stake(view, self.company, question.decider)
        self.part = holding(view.table, question.decider, self.company) / 100
        self.thrift = view.weights.dealing.treasury * view.calendar.cash_now
        runs = view.calendar.runs(self.company)
        self.each_run = [self.part * view.calendar.cash_after(number) for number in runs]

    def run(self, table: CzTable) -> float:
        """What its trains can run for on a board, and those that it will have."""
        part = self.weights.later
        now = best_with(table, self.company, self.faces)
        return now if not part else (1 - part) * now + part * best_with(table, self.company, self.later)

    def sites(self, table: CzTable, before: Site | None, yellow: bool, width: int) -> list[Site]:
        """The most promising next lays, tried out exactly."""
        found = sorted(self._rough(table, before, yellow), key=lambda site: -site.worth(self))[:width]
        return [self._measured(site) for site in found]

    def _rough(self, table: CzTable, before: Site | None, yellow: bool) -> Iterator[Site]:
        ways = Ways(View(table, self.view.weights), self.company)
        cash = before.cash if before else table.state.cash[self.company]
        for hex_id, tile, rotation in lays(table, self.company):
            cost = terrain_cost(table, self.company, hex_id)
            if cost > cash or (yellow and is_promotion(table, hex_id)):
                continue
            action = LayTile(hex_id, tile, rotation)
            promise = first_sight(table, ways, action)
            if before is None:
                yield Site(table, action, cash - cost, promise, 0.0, 0, 0)
            else:
                later = before.promise + promise * self.weights.decay
                yield Site(table, action, cash - cost, later, before.earned, before.gain, before.turns)

    def _measured(self, site: Site) -> Site:
        lay = site.first
        table = on_board(site.table, board_after(site.table, lay.hex, lay.tile, lay.rotation))
        return site._replace(table=table, gain=self.run(table) - self.now)


def later_fleet(view: View, company: str) -> list[str]:
    """The best train of its size that will be sold two rounds ahead."""
    table = view.table
    title, size = table.title, table.size(company)
    letters = [view.calendar.letter_at(view.calendar.rounds_before + ahead) for ahead in (2, 1, 0)]
    for letter in letters:
        if faces := [face for face in title.stack.spec[letter].faces if title.train_faces[face].size == size]:
            return [max(faces, key=lambda face: view.weights.trains.typical[face])]
    return planned(view, company)


def powers(question: Question, builder: Builder) -> list[Proposal]:
    """Purple-edged tiles, which cost nothing and come on top of ordinary track: where they bring enough."""
    options = question.only(LayPurpleTile)
    if not options:
        return []
    table = builder.view.table
    ways = Ways(builder.view, builder.company)
    rough: dict[tuple[str, str, int], tuple[float, LayPurpleTile]] = {}
    for option in options:
        action = option.action
        assert isinstance(action, LayPurpleTile)
        key = (action.hex, action.tile, action.rotation)
        known = rough.get(key)
        size = table.title.locals[action.local].income
        if known is None or size < table.title.locals[known[1].local].income:
            rough[key] = (first_sight(table, ways, action), action)
    found = []
    for _, action in sorted(rough.values(), key=lambda each: -each[0])[: builder.weights.candidates]:
        then = on_board(table, board_after(table, action.hex, action.tile, action.rotation))
        gain = builder.run(then) - builder.now
        if gain >= builder.weights.power:
            found.append(Proposal(action, gain * builder.interest, (f"adds {gain:.0f} K to runs",)))
    return found


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    """A power of a Local Railway where it brings enough, then the lay with the best future."""
    builder = Builder(question, view)
    if purple := powers(question, builder):
        return purple
    task = builder.task
    beam = builder.sites(view.table, None, bool(task.yellows), builder.weights.candidates)
    best = {site.first: site.worth(builder) for site in beam}
    reasons = {site.first: site.gain for site in beam}
    lays_left = (2 if task.first else 1) - task.yellows
    for depth in range(1, builder.weights.ahead):
        in_turn = depth < lays_left
        following = []
        for site in sorted(beam, key=lambda each: -each.worth(builder))[: builder.weights.beam]:
            if not in_turn and site.turns < len(builder.each_run):
                earned = site.earned + builder.each_run[site.turns] * site.gain
                site = site._replace(earned=earned, turns=site.turns + 1)
            yellow = in_turn and not is_promotion(view.table, site.first.hex)
            for each in builder.sites(site.table, site, yellow, builder.weights.beam):
                following.append(each._replace(first=site.first))
        for site in following:
            best[site.first] = max(best[site.first], site.worth(builder))
        beam = following
    found = [Proposal(Pass(), builder.thrift * view.table.state.cash[builder.company])]
    for action, worth in best.items():
        added = reasons[action]
        found.append(Proposal(action, worth, (f"adds {added:.0f} K to runs",) if added else ("leads to new places",)))
    return found
