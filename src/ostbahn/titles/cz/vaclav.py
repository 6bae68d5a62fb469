"""Vaclav, the automated third player: his companies, and who builds for them (18CZ XI.1)."""

from __future__ import annotations

from ostbahn.eighteen.operating import CompanyTurnDecision
from ostbahn.eighteen.running import note_revenue, note_unproven_bound
from ostbahn.kernel import chart, money
from ostbahn.kernel.actions import Pass
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.records import TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import PassStep, Routine
from ostbahn.titles.cz import acquisition, purchase, rounds, running, track
from ostbahn.titles.cz import state as tasks
from ostbahn.titles.cz.actions import BuyTrain, OfferAcquisition, OfferForTrain
from ostbahn.titles.cz.bohemia_table import VACLAV, BohemiaTable, Invitation, his_companies, is_his
from ostbahn.titles.cz.events import JoinedVaclav
from ostbahn.titles.cz.phases import card_left_stack, sold
from ostbahn.titles.cz.rounds import pay_out
from ostbahn.titles.cz.state import CompanyTask, CzTable, Markers
from ostbahn.titles.cz.stock import fall_without_dividend

# Vaclav's companies and trains


def invite(table: BohemiaTable) -> None:
    """Give Vaclav his next company once its phase has begun (XI.1/6 to XI.1/8)."""
    for invitation in table.title.invitations[len(his_companies(table)) :]:
        if table.phase_from(invitation.phase) and not any(is_his(table, other) for other in invitation.candidates):
            join(table, invitation)


def join(table: BohemiaTable, invitation: Invitation) -> None:
    """Start a randomly drawn company at its lowest price, with the next train and no capital (XI.1/9)."""
    company = table.draw_one(invitation.candidates)
    spec = table.title.companies[company].spec
    price = min(spec.start_prices)
    state = table.state
    for number in range(invitation.certificates):
        money.move_certificate(table, company, number, VACLAV)
    state.start_prices = {**state.start_prices, company: price}
    state.floated = (*state.floated, company)
    state.markers = {**state.markers, company: Markers(spec.markers, 0)}
    table.note(JoinedVaclav(company, price))
    chart.place_marker(table, company, table.title.prices.index(price), "start")
    receive_train(table, company)


def receive_train(table: BohemiaTable, company: str) -> None:
    """Replace the company's train by the next card, on the face that it can run (XI.1/15, XI.1/16)."""
    for old in table.state.trains.get(company, ()):
        table.take_train(company, old.card)
        table.note(TrainMoved(old.card, old.face, company, "scrap"))
    card = table.title.stack.card(table.state.cards_gone)
    faces, size = table.title.stack.spec[card[0]].faces, table.size(company)
    face = next(face for face in faces if table.title.train_faces[face].size == size)
    table.give_train(company, Train(card, face))
    table.note(TrainMoved(card, face, "stack", company))
    card_left_stack(table, card)
    sold(table, (face,))
    invite(table)


class Arrival(Routine[BohemiaTable, tasks.VaclavJoins]):
    """Give Vaclav his small company before the game (XI.1/6)."""

    def proceed(self, table: BohemiaTable, task: tasks.VaclavJoins) -> None:
        table.pop()
        invite(table)


class BohemiaNextBox(rounds.NextBox):
    """Instead of an export, give each of Vaclav's companies the next train (XI.1/15)."""

    def end_set(self, table: CzTable) -> None:
        assert isinstance(table, BohemiaTable)
        for company in his_companies(table):
            receive_train(table, company)


class BohemiaBuyFromStack(purchase.BuyFromStack):
    """Give Vaclav a company after the first b-train and the first d-train (XI.1/7, XI.1/8)."""

    def perform(self, table: CzTable, task: tasks.PurchaseTrains, action: BuyTrain) -> None:
        assert isinstance(table, BohemiaTable)
        super().perform(table, task, action)
        invite(table)


# Turns of Vaclav's companies


class Building(CompanyTurnDecision[CzTable]):
    """Decisions about track, home stations and, by a ruling, runs."""

    def decider(self, table: CzTable, task: CompanyTask) -> str:
        """Return the first in order for his small and large company, the second for the medium one (XI.1/10)."""
        if not is_his(table, task.company):
            return super().decider(table, task)
        first, second = table.state.order
        return second if table.size(task.company) == "medium" else first


class LeaveTrack(PassStep[CzTable, tasks.LayTrack]):
    def refusal(self, table: CzTable, task: tasks.LayTrack, action: Pass) -> Refusal | None:
        """Refuse to pass while Vaclav's company can lay track (XI.1/10)."""
        may_pass = not is_his(table, task.company) or table.ruled("vaclav_track") == "optional"
        if may_pass or task.yellows or next(track.LayTileStep().answers(table, task), None) is None:
            return None
        return table.refuse("XI.1/10", f"Vaclav's {task.company} lays track whenever it can, and it can now")


class Stationing(CompanyTurnDecision[CzTable]):
    """Decisions about stations."""

    def decider(self, table: CzTable, task: CompanyTask) -> str:
        """Return the player who does not decide on track (XI.1/12)."""
        if not is_his(table, task.company):
            return super().decider(table, task)
        first, second = table.state.order
        return first if table.size(task.company) == "medium" else second


class BohemiaNextCompany(rounds.NextCompany):
    def turn(self, table: CzTable, company: str, first: bool) -> tuple[CompanyTask, ...]:
        """Leave out take-overs and train purchases for Vaclav's companies (XI.1/14)."""
        if not is_his(table, company):
            return super().turn(table, company, first)
        by_engine = table.ruled("vaclav_runs") == "by the engine"
        run = tasks.VaclavRuns(company) if by_engine else tasks.OperateTrains(company)
        return (tasks.LayTrack(company, first), tasks.EstablishStation(company), run, tasks.EndTurn(company))


class BohemiaRun(running.RunTrainsStep):
    def earn(self, table: CzTable, company: str, revenue: int, subsidy: int) -> None:
        """Always pay out for Vaclav's companies (XI.1/13)."""
        if not is_his(table, company):
            super().earn(table, company, revenue, subsidy)
        elif revenue:
            pay_out(table, company, revenue)
        else:
            fall_without_dividend(table, company)


class RunForMost(Routine[BohemiaTable, tasks.VaclavRuns]):
    """Run Vaclav's trains for the highest revenue, without asking (XI.1/13)."""

    def proceed(self, table: BohemiaTable, task: tasks.VaclavRuns) -> None:
        table.pop()
        run = running.best(table, task.company)
        note_revenue(table, task.company, run.revenue, run.paths)
        note_unproven_bound(table, task.company, run.revenue, run.bound)
        BohemiaRun().earn(table, task.company, run.revenue, run.subsidy)


# Offers to Vaclav's companies


class BohemiaOfferTakeOver(acquisition.OfferTakeOver):
    def refusal(self, table: CzTable, task: tasks.Acquire, action: OfferAcquisition) -> Refusal | None:
        """Refuse offers for Vaclav's companies: nobody can consent for him (XI.1/14)."""
        if is_his(table, action.company):
            return table.refuse("XI.1/14", f"{action.company} is a company of Vaclav's and cannot be taken over")
        return super().refusal(table, task, action)


class BohemiaBuyFromCompany(purchase.BuyFromCompany):
    def refusal(self, table: CzTable, task: tasks.PurchaseTrains, action: OfferForTrain) -> Refusal | None:
        """Refuse offers for Vaclav's companies: nobody can consent for him (XI.1/14)."""
        seller = table.owner_of(action.card)
        if seller is not None and is_his(table, seller):
            return table.refuse("XI.1/14", f"{seller} is a company of Vaclav's and sells no trains")
        return super().refusal(table, task, action)
