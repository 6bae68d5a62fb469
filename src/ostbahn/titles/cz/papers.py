"""The private papers of Moravia-Silesia: the 3E-train, the Mährische Westbahn, and their closing (18CZ XI.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.money import BANK, director, pay
from ostbahn.kernel.questions import Option
from ostbahn.kernel.steps import ListedStep, PassStep
from ostbahn.titles.cz import local_railways, purchase, rounds, running
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.actions import AssignTrain, BuyTrain, LayTile, OfferForLocal
from ostbahn.titles.cz.events import LocalRailwayGone, TrainGiven
from ostbahn.titles.cz.moravia_table import EXPRESS, WESTBAHN, MoraviaTable, replace_station
from ostbahn.titles.cz.state import CompanyTask, CzTable
from ostbahn.titles.cz.track import LayOrdinary


def close_papers(table: CzTable) -> None:
    """Close all private papers from the first 4+4 on (XI.2/11)."""
    assert isinstance(table, MoraviaTable)
    state = table.state
    loses_express = state.guest is not None and table.ruled("waiting_3e_when_papers_close") == "lost"
    if not table.phase_from(table.title.papers_close_in_phase) or not (state.locals or loses_express):
        return
    for paper in state.locals:
        table.note(LocalRailwayGone(paper))
    state.locals = {}
    state.used_powers = ()
    replace_station(table, None)
    if loses_express:
        discard_express(table)


def discard_express(table: CzTable) -> None:
    table.state.guest = None
    table.note(LocalRailwayGone(EXPRESS))


class MoraviaBuyFromStack(purchase.BuyFromStack):
    def perform(self, table: CzTable, task: tasks.PurchaseTrains, action: BuyTrain) -> None:
        super().perform(table, task, action)
        close_papers(table)


class MoraviaBuyFromCompany(purchase.BuyFromCompany):
    opens_rule = "XI.2/9"

    def opens(self, table: CzTable) -> str:
        """Return the phase in which companies also begin to buy papers: the first 3-train (XI.2/9)."""
        return table.title.locals_open_in_phase


class MoraviaBuyFromPlayer(local_railways.BuyFromPlayer):
    def refusal(self, table: CzTable, task: CompanyTask, action: OfferForLocal) -> Refusal | None:
        return self.express_refusal(table, action.local) or super().refusal(table, task, action)

    def unsuitable(self, table: CzTable, company: str, action: OfferForLocal) -> Refusal | None:
        return self.express_refusal(table, action.local) or super().unsuitable(table, company, action)

    def express_refusal(self, table: CzTable, local: str) -> Refusal | None:
        """Refuse to buy the 3E-train: its owner gives it to a company (XI.2/28)."""
        spec = table.title.locals.get(local)
        if spec is not None and not spec.priced:
            return table.refuse("XI.2/28", f"the {local} is not sold to companies: its owner gives it to one")
        return None

    def price_rule(self, local: str) -> str:
        return "XI.2/35" if local == WESTBAHN else super().price_rule(local)


# The 3E-train


class AssignTrainStep(ListedStep[CzTable, CompanyTask, AssignTrain]):
    """The owner may give the 3E-train to a company that they direct, during its turn (XI.2/28)."""

    action = AssignTrain

    def candidates(self, table: CzTable, task: CompanyTask) -> Iterator[AssignTrain]:
        return (AssignTrain(paper) for paper, spec in table.title.locals.items() if not spec.priced)

    def refusal(self, table: CzTable, task: CompanyTask, action: AssignTrain) -> Refusal | None:
        spec = table.title.locals.get(action.paper)
        if spec is None or spec.priced:
            return table.refuse("XI.2/28", f"{action.paper} is no train that could be given to a company")
        if refusal := local_railways.not_in_turn_refusal(table, task.company):
            return refusal
        owner = table.state.locals.get(action.paper)
        if owner is None or owner != director(table, task.company):
            return table.refuse("XI.2/28", f"the Director of {task.company} does not own the {action.paper}")
        return None

    def perform(self, table: CzTable, task: CompanyTask, action: AssignTrain) -> None:
        state = table.state
        state.locals = {paper: owner for paper, owner in state.locals.items() if paper != action.paper}
        state.guest = task.company
        table.note(TrainGiven(task.company))


class MoraviaRun(running.RunTrainsStep):
    def earn(self, table: CzTable, company: str, revenue: int, subsidy: int) -> None:
        """Discard the 3E-train after its one run (XI.2/31)."""
        if table.state.guest == company:
            discard_express(table)
        super().earn(table, company, revenue, subsidy)


# The Mährische Westbahn


class MoraviaNextBox(rounds.NextBox):
    def begin_operating(self, table: CzTable, local_price: int) -> None:
        """Let the Mährische Westbahn build before the papers pay (XI.2/33)."""
        table.state.local_price = local_price
        rounds.begin_operating_round(table)
        if table.state.locals.get(WESTBAHN) in table.state.players:
            table.push(tasks.BuildHome())
        else:
            rounds.pay_locals(table)

    def end_set(self, table: CzTable) -> None:
        """Export a train; a 4+4 closes the papers (XI.2/11)."""
        super().end_set(table)
        close_papers(table)


def westbahn_home(table: CzTable) -> str:
    assert isinstance(table, MoraviaTable)
    return table.title.westbahn_home


class LayAtHome(LayOrdinary):
    """Lay any tile that fits the home hex, at no cost (XI.2/33)."""

    def answers(self, table: CzTable, task: tasks.BuildHome) -> Iterator[Option]:
        home = table.title.map[westbahn_home(table)]
        for name, rotations in table.title.fitting(home, table.state.board.tiles.get(home.id)).items():
            for rotation in table.title.tile_set.distinct(name, rotations):
                if self.tile_refusal(table, home.id, name, rotation) is None:
                    yield Option(LayTile(home.id, name, rotation))

    def refusal(self, table: CzTable, task: tasks.BuildHome, action: LayTile) -> Refusal | None:
        home = westbahn_home(table)
        if action.hex != home or action.waiver is not None:
            return table.refuse("XI.2/33", f"the Mährische Westbahn builds {table.at(home)} only, and at no cost")
        return self.tile_refusal(table, action.hex, action.tile, action.rotation)

    def perform(self, table: CzTable, task: tasks.BuildHome, action: LayTile) -> None:
        table.pop()
        self.lay(table, WESTBAHN, action)
        pay_owner(table)


class LeaveHome(PassStep[CzTable, tasks.BuildHome]):
    def perform(self, table: CzTable, task: tasks.BuildHome, action: Pass) -> None:
        table.pop()
        pay_owner(table)


def pay_owner(table: CzTable) -> None:
    """Pay all papers; the Mährische Westbahn earns the value of its city, nothing while the hex is bare (XI.2/34)."""
    rounds.pay_locals(table)
    home = table.title.map[westbahn_home(table)]
    if home.id not in table.state.board.tiles:
        return
    city = next(city for city, companies in table.state.board.stations.items() if WESTBAHN in companies)
    assert hex_of(city) == home.id
    value = table.title.tile_set.lying(table.state.board, home).nodes[int(city.partition(".")[2])].value
    assert isinstance(value, int)
    pay(table, BANK, table.state.locals[WESTBAHN], value, f"income of {WESTBAHN}", "incomes")


# The companies


class MoraviaNextCompany(rounds.NextCompany):
    def turn(self, table: CzTable, company: str, first: bool) -> tuple[CompanyTask, ...]:
        """Leave out take-overs: all companies are of one size (VIII.9/1)."""
        return tuple([task for task in super().turn(table, company, first) if not isinstance(task, tasks.Acquire)])
