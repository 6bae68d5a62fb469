"""Stations: where they add to the run, or keep a big city open."""

from __future__ import annotations

from ostbahn.bots.proposal import Proposal, best_first, or_pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import hex_of
from ostbahn.kernel.questions import Question
from ostbahn.titles.cz.actions import ChooseCity, ChooseReturn, PlaceStation
from ostbahn.titles.cz.opponents.prospects import Foresight, View, best_with
from ostbahn.titles.cz.opponents.track import on_board, planned
from ostbahn.titles.cz.opponents.trying import after, stake
from ostbahn.titles.cz.opponents.ways import promise
from ostbahn.titles.cz.state import CompanyTask
from ostbahn.titles.cz.stations import next_price


def proposals(question: Question, game: Game, view: View) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    table, company = view.table, question.task.company
    places = question.only(PlaceStation)
    if not places:
        return or_pass((), "there is no city for a station")
    price = next_price(table, company)
    faces = planned(view, company)
    now = best_with(table, company, faces)
    interest = stake(view, company, question.decider)
    cost = price * view.weights.dealing.treasury * view.calendar.cash_now
    cost += view.weights.building.put_back * _put_back(view, company, price)
    board = table.state.board
    rough = []
    for option in places:
        action = option.action
        assert isinstance(action, PlaceStation)
        hex_ = table.title.map[hex_of(action.city)]
        rough.append((promise(hex_, board.face(table.title.tile_set, hex_).nodes, view.weights.fixed.places), action))
    rough.sort(key=lambda each: -each[0])
    found = []
    for value, action in rough[: view.weights.building.candidates]:
        stations = {**board.stations, action.city: (*board.stations.get(action.city, ()), company)}
        added = best_with(on_board(table, board.with_stations(stations)), company, faces) - now
        score = interest * (added + value * view.weights.building.station_reach) - cost
        brings = f"adds {added} K to the best run" if added > 0 else "keeps a way open for later runs"
        found.append(Proposal(action, score, (f"{brings}, for {price} K",)))
    return or_pass(found, f"no station is worth its {price} K")


def _put_back(view: View, company: str, price: int) -> float:
    """What a Director will have to add for trains if so much is missing in the treasury."""
    then = Foresight(view, company, cash=view.table.state.cash[company] - price).prospect()
    return max(0.0, then.levies - view.prospect(company).levies)


def home_cities(question: Question, game: Game, view: View) -> list[Proposal]:
    """The city with the better run."""
    return _by_run(question, game, view, ChooseCity, "a run of {} K from there")


def returns(question: Question, game: Game, view: View) -> list[Proposal]:
    """The station that is missed least."""
    return _by_run(question, game, view, ChooseReturn, "leaves a run of {} K")


def _by_run(
    question: Question, game: Game, view: View, kind: type[ChooseCity | ChooseReturn], words: str
) -> list[Proposal]:
    assert isinstance(question.task, CompanyTask)
    company = question.task.company
    faces = planned(view, company)
    found = []
    for option in question.only(kind):
        then = after(game, option.action, view.weights)
        run = best_with(then.table, company, faces)
        found.append(Proposal(option.action, float(run), (words.format(run),) if run else ()))
    return best_first(found)
