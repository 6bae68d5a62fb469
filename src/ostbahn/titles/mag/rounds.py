"""Rounds, turns of companies, phases and the end of the game (18Mag IV, VI.1, VI.3.9, IX)."""

from __future__ import annotations

from ostbahn.eighteen import operating
from ostbahn.kernel import chart
from ostbahn.kernel.money import director
from ostbahn.kernel.native import native
from ostbahn.kernel.records import PhaseBegan, RoundBegan, TurnBegan
from ostbahn.kernel.steps import Routine
from ostbahn.titles.mag import state as tasks
from ostbahn.titles.mag.events import NoTrainSold
from ostbahn.titles.mag.majors import pay_out_treasury
from ostbahn.titles.mag.state import CompanyTask, EndTurn, MagTable, OperatingRound, Rounds

# Sets of Operating Rounds between Share Rounds


def current_set(table: MagTable) -> Rounds | None:
    """The current set of Operating Rounds; None after the end of the game."""
    return next((task for task in table.state.agenda if isinstance(task, Rounds)), None)


@native(allow_interpreted_subclasses=True)
class NextRound(Routine[MagTable, Rounds]):
    """Begin the next round: a Share Round after the last Operating Round of a set, or after a new phase (VI.3.9/4)."""

    def proceed(self, table: MagTable, task: Rounds) -> None:
        state = table.state
        if task.round and (state.phase_began or task.round == task.length):
            self._end_set(table, task)
            return
        length, last = task.length, task.last
        if not task.round:
            length, last = table.phase.operating_rounds, table.phase.final
        table.replace(Rounds(task.turn, task.round + 1, length, last))
        _begin_round(table, f"OR {task.turn}.{task.round + 1}")
        state.sold_train = False
        table.push(OperatingRound(tuple(minor for minor in table.title.minors if minor in state.owners)))

    def _end_set(self, table: MagTable, task: Rounds) -> None:
        if task.last:
            table.pop()
            table.note_final_wealth()
            return
        table.state.phase_began = False
        table.replace(Rounds(task.turn + 1, 0, 0))
        _begin_round(table, f"SR {task.turn + 1}")
        table.push(table.stock_turn(tasks.StockRound(table.state.priority)))


def _begin_round(table: MagTable, name: str) -> None:
    table.state.round = name
    table.note(RoundBegan(name))


# Operating Rounds: minors by number, then majors by price


class NextCompany(Routine[MagTable, OperatingRound]):
    """Begin the next company's turn (VI.1/2, VI.4/1)."""

    def proceed(self, table: MagTable, task: OperatingRound) -> None:
        if task.minors:
            table.replace(OperatingRound(task.minors[1:]))
            self.minor_turn(table, task.minors[0])
        elif task.majors is None:
            if table.ruled("no_train_sold_when") == "after the last minor":
                count_round_without_sale(table)
            table.replace(OperatingRound((), tuple(chart.companies_by_price(table))))
        elif task.majors:
            table.replace(OperatingRound((), task.majors[1:]))
            self.major_turn(table, task.majors[0])
        else:
            table.pop()
            if table.ruled("no_train_sold_when") == "at the end of the round":
                count_round_without_sale(table)

    def minor_turn(self, table: MagTable, minor: str) -> None:
        table.note(TurnBegan(minor))
        table.push_in_order(minor_turn_tasks(minor))

    def major_turn(self, table: MagTable, major: str) -> None:
        """Without a director a major places no marker and pays out everything (VI.4.2/5, VI.4.3/5)."""
        table.note(TurnBegan(major))
        if director(table, major) is None:
            pay_out_treasury(table, major)
        else:
            table.push(tasks.PayOut(major), tasks.PlaceMarker(major))


def minor_turn_tasks(minor: str) -> tuple[CompanyTask, ...]:
    """Tasks of a minor's turn in order (VI.3.1/1)."""
    return (
        tasks.LayTrack(minor),
        tasks.EstablishStation(minor),
        tasks.ScrapTrains(minor),
        tasks.OperateWithCars(minor),
        tasks.PurchaseTrains(minor),
        EndTurn(minor),
    )


@native(allow_interpreted_subclasses=True)
class TurnDecision(operating.CompanyTurnDecision[MagTable]):
    """A decision of a minor's owner or a major's director (IV/2)."""

    def decider(self, table: MagTable, task: CompanyTask) -> str:
        decider = table.state.owners.get(task.company) or director(table, task.company)
        assert decider is not None, f"nobody decides for {task.company}"
        return decider


# Phases, and what happens when no train is sold


def advance_after_sale(table: MagTable, face: str) -> None:
    """The first train from a stack with an indicator tile begins the next phase (VI.3.9/1 to VI.3.9/3)."""
    state = table.state
    state.sold_train = True
    if face in state.indicators:
        state.indicators = tuple(other for other in state.indicators if other != face)
        begin_next_phase(table)
    is_first_of_stack = table.title.stacks[face].indicator and state.cards[face] == 1
    if is_first_of_stack or table.ruled("no_train_sold_count") == "any from a stack":
        state.no_train = 0


def next_phase(table: MagTable) -> str | None:
    """The phase after the present one; None in the last."""
    phases = list(table.title.phases)
    following = phases.index(table.state.phase) + 1
    return phases[following] if following < len(phases) else None


def begin_next_phase(table: MagTable) -> None:
    """Begin the next phase, if any; the set ends with the present Operating Round (VI.3.9/4)."""
    following = next_phase(table)
    if following is not None:
        table.state.phase = following
        table.state.phase_began = True
        table.note(PhaseBegan(following))


def count_round_without_sale(table: MagTable) -> None:
    """Add a no-train-sold token; the third one begins the next phase (VI.4.3/6 to VI.4.3/8)."""
    state = table.state
    if state.sold_train or not state.indicators or table.phase.final:
        return
    state.no_train += 1
    table.note(NoTrainSold(state.no_train))
    if state.no_train < table.title.no_train_tokens:
        return
    state.no_train = 0
    if table.ruled("no_train_sold_advance") == "its tile is used up":
        # The tokens lie on the lowest stack with an indicator tile, so that tile is used up.
        state.indicators = state.indicators[1:]
    begin_next_phase(table)
