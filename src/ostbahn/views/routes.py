"""Views of a company's run: the best one, or one that a player has drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ostbahn.analysis.runs import CompanyTrains, TrainPath, best_run
from ostbahn.interop.saves import decode_action, encode_action
from ostbahn.kernel.actions import Action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.kernel.table import Table
from ostbahn.views.common import place_view
from ostbahn.views.question import BonusView, RefusalView, RoutesView, RouteView, StopView, tag_of
from ostbahn.views.title_views import views_of

RUN: Final = "run_trains"
"""The tag of the action that runs trains, in every title; its `runs` has a `TrainPath` for each train."""


def routes_view(game: Game, runs: Sequence[Mapping[str, Any]] | None = None) -> RoutesView | None:
    """The routes at a question of running trains; None at any other question.

    runs: trains and paths as the page sends them, `{"card": "a1", "path": ["E11.0", …]}`; by default the best run.
    Malformed runs raise BadFile.
    """
    question = game.question
    if question is None or views_of(game).widgets.get(question.kind) != "routes" or question.company is None:
        return None
    table = game.table
    action = _best_action(game, question) if runs is None else _decode_runs(game, runs)
    fleet = CompanyTrains(table, question.company)
    routes = _route_views(table, fleet, action)
    best = best_run(game, question.company)
    refusal = question.refusal(action)
    return RoutesView(
        company=question.company,
        company_name=table.name(question.company),
        routes=routes,
        revenue=sum(route.revenue for route in routes),
        subsidy=sum(route.subsidy for route in routes),
        most=best.worth,
        bound=best.bound,
        legal=refusal is None,
        refusal=_refusal_view(refusal),
        action=encode_action(action),
        cars=fleet.cars,
    )


def _best_action(game: Game, question: Question) -> Action:
    """The run among the answers, or no run; a rail car that needs a second one can prevent all runs."""
    for option in question.options:
        if tag_of(option.action) == RUN:
            return option.action
    return _decode_runs(game, ())


def _decode_runs(game: Game, runs: Sequence[Mapping[str, Any]]) -> Action:
    """Decode runs that a page sent, without trains that have an empty path."""
    return decode_action(game.setup.title, {"do": RUN, "runs": [run for run in runs if run.get("path") != []]})


def runs_in(action: Action) -> Sequence[TrainPath]:
    """The trains and paths of an action with the tag `RUN`."""
    runs: Sequence[TrainPath] = getattr(action, "runs")  # noqa: B009 - which the type does not tell
    return runs


def _route_views(table: Table, fleet: CompanyTrains, action: Action) -> tuple[RouteView, ...]:
    """A route for each train of the company in order, then refused ones for trains it does not have."""
    runs: dict[str, TrainPath] = {run.card: run for run in runs_in(action)}
    cards = dict.fromkeys([*fleet.faces, *runs])
    return tuple(_route(table, fleet, card, runs.get(card), colour) for colour, card in enumerate(cards))


def _route(table: Table, fleet: CompanyTrains, card: str, run: TrainPath | None, colour: int) -> RouteView:
    path, cars = (run.path, tuple(getattr(run, "cars", ()))) if run is not None else ((), ())
    stops: tuple[StopView, ...] = ()
    bonuses: tuple[BonusView, ...] = ()
    revenue = subsidy = 0
    refusal: Refusal | None = None
    if run is not None and card in fleet.faces:
        route = fleet.route(run)
        if isinstance(route, Refusal):
            refusal = route
        else:
            revenue, subsidy = route.revenue, route.subsidy
            bonuses = tuple(BonusView(words=words, value=value) for words, value in route.bonuses)
            stops = tuple(
                StopView(place=place_view(table, stop.id), value=value, counted=counted)
                for stop, value, counted in route.paid_stops()
            )
    elif run is not None:
        refusal = Refusal("", f"there is no train {card} that could run")
    return RouteView(
        card=card,
        face=fleet.faces.get(card, ""),
        path=path,
        stops=stops,
        revenue=revenue,
        subsidy=subsidy,
        cars=cars,
        bonuses=bonuses,
        colour=colour,
        refusal=_refusal_view(refusal),
    )


def _refusal_view(refusal: Refusal | None) -> RefusalView | None:
    return None if refusal is None else RefusalView(rule=refusal.rule, text=refusal.text)
