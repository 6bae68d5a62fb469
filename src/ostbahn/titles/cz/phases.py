"""Phase changes, scrapping, train limits, and exports (18CZ VIII.12, VIII.13)."""

from __future__ import annotations

from collections.abc import Iterable

from ostbahn.eighteen.operating import CompanyDecision
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.records import PhaseBegan, TrainMoved
from ostbahn.kernel.state import Train
from ostbahn.kernel.steps import ListedStep
from ostbahn.titles.cz.actions import ReturnTrain
from ostbahn.titles.cz.state import CzTable, ReturnTrains


def card_left_stack(table: CzTable, card: str) -> None:
    """Count a sold or exported card; the first of a letter begins its phase (VIII.12/1)."""
    table.state.cards_gone += 1
    letter = card[0]
    if letter > table.state.phase:
        table.state.phase = letter
        table.note(PhaseBegan(letter))


def sold(table: CzTable, faces: Iterable[str], just_bought: str | None = None) -> None:
    """Apply a sale of these faces: scrap the trains that it ends, then check the limits (VIII.12/12 to /22)."""
    scrap(table, {old for face in faces for old in table.title.train_faces[face].scraps})
    returning = {task.company for task in table.state.agenda if isinstance(task, ReturnTrains)}
    over = [company for company in table.title.companies if above_limit(table, company) and company not in returning]
    buyer = table.owner_of(just_bought) if just_bought else None
    table.push(*(ReturnTrains(company, just_bought if company == buyer else None) for company in reversed(over)))


def scrap(table: CzTable, faces: set[str]) -> None:
    """Remove all trains of these faces from the game; the faces are never sold again (VIII.12/20)."""
    state = table.state
    newly_scrapped = faces.difference(state.scrapped)
    if not newly_scrapped:
        return
    state.scrapped = tuple(sorted((*state.scrapped, *newly_scrapped)))
    for company, trains in state.trains.items():
        for train in trains:
            if train.face in newly_scrapped:
                table.note(TrainMoved(train.card, train.face, company, "scrap"))
    state.trains = {
        company: tuple(train for train in trains if train.face not in newly_scrapped)
        for company, trains in state.trains.items()
    }
    pool = [scrapped_in_pool(table, train) if train.face in newly_scrapped else train for train in state.pool]
    state.pool = tuple(train for train in pool if train is not None)


def scrapped_in_pool(table: CzTable, train: Train) -> Train | None:
    """Scrap a pool card with its face, or turn it to another face, by the ruling (VIII.12/20)."""
    living = [face for face in table.title.stack.spec[train.letter].faces if face not in table.state.scrapped]
    if not living or table.ruled("pool_card_scrapped") == "it is scrapped":
        table.note(TrainMoved(train.card, train.face, "pool", "scrap"))
        return None
    table.note(TrainMoved(train.card, living[0], "pool", "pool"))
    return Train(train.card, living[0])


def export(table: CzTable) -> None:
    """Export the next card; it counts as sold on each of its faces (VIII.13, VIII.12/21)."""
    card = table.title.stack.card(table.state.cards_gone)
    table.note(TrainMoved(card, "", "stack", "abroad"))
    card_left_stack(table, card)
    sold(table, table.title.stack.spec[card[0]].faces)


def train_limit(table: CzTable, company: str) -> int:
    return table.title.phases[table.state.phase].train_limit[table.size(company)]


def above_limit(table: CzTable, company: str) -> bool:
    trains = table.state.trains.get(company, ())
    return bool(trains) and len(trains) > train_limit(table, company)


class ReturnTrainStep(ListedStep[CzTable, ReturnTrains, ReturnTrain]):
    """Return a train above a lowered limit to the pool without payment (VIII.12/22)."""

    action = ReturnTrain

    def candidates(self, table: CzTable, task: ReturnTrains) -> list[ReturnTrain]:
        return [ReturnTrain(train.card) for train in table.state.trains[task.company]]

    def refusal(self, table: CzTable, task: ReturnTrains, action: ReturnTrain) -> Refusal | None:
        if all(train.card != action.card for train in table.state.trains[task.company]):
            return table.refuse("VIII.12/22", f"{task.company} has no such train")
        if action.card == task.but:
            return table.refuse("VIII.10/6", f"{task.company} must return a train other than the one it just bought")
        return None

    def perform(self, table: CzTable, task: ReturnTrains, action: ReturnTrain) -> None:
        train = table.take_train(task.company, action.card)
        table.state.pool = (*table.state.pool, train)
        table.note(TrainMoved(train.card, train.face, task.company, "pool"))


class TrainsReturned(CompanyDecision[CzTable]):
    order_rule = "VIII.12/22"
    asks_for = "give a train back"

    def is_settled(self, table: CzTable, task: ReturnTrains) -> bool:
        return not above_limit(table, task.company)
