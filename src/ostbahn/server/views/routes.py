"""The trains of the company that is to run: the best run, or the one that a player has drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ostbahn.analysis.runs import best_run, paid_stops
from ostbahn.interop.saves import decode_action, encode_action
from ostbahn.kernel.errors import Refusal
from ostbahn.kernel.game import Game
from ostbahn.kernel.questions import Question
from ostbahn.pictures.views import AnyTable, table_of_game
from ostbahn.server.views.common import place_view
from ostbahn.server.views.play_models import RefusalView, RoutesView, RouteView, StopView
from ostbahn.server.views.rides import AnyRun, Fleet, fleet_of
from ostbahn.titles.cz import actions as cz
from ostbahn.titles.mag import actions as mag

AnyRunTrains = cz.RunTrains | mag.RunTrains


def routes_view(game: Game, runs: Sequence[Mapping[str, Any]] | None = None) -> RoutesView | None:
    """What the trains do at a question of running them; None at any other.

    runs: trains with their paths as a page sends them, `{"card": "a1", "path": ["E11.0", …]}`; without any the best
    run that the engine offers. Runs that are no runs at all raise BadFile.
    """
    question = game.question
    if question is None or question.kind != "operate_trains" or question.company is None:
        return None
    table = table_of_game(game)
    action = _offered(game, question) if runs is None else _drawn(game, runs)
    fleet = fleet_of(table, question.company)
    routes = _routes(table, fleet, action)
    best = best_run(game, question.company)
    refusal = question.refusal(action)
    return RoutesView(
        company=question.company,
        company_name=table.name(question.company),
        routes=routes,
        revenue=sum(route.revenue for route in routes),
        subsidy=sum(route.subsidy for route in routes),
        most=best.revenue + best.subsidy,
        bound=best.bound,
        legal=refusal is None,
        refusal=_refusal(refusal),
        action=encode_action(action),
        cars=fleet.cars,
    )


def _offered(game: Game, question: Question) -> AnyRunTrains:
    """The run among the answers; there may be none while a rail car needs another one to be of use."""
    for option in question.options:
        if isinstance(option.action, AnyRunTrains):
            return option.action
    return _drawn(game, ())


def _drawn(game: Game, runs: Sequence[Mapping[str, Any]]) -> AnyRunTrains:
    """A run as a page sends it; trains without a way stay at home."""
    given = [run for run in runs if run.get("path") != []]
    action = decode_action(game.setup.title, {"do": "run_trains", "runs": given})
    assert isinstance(action, AnyRunTrains)
    return action


def _routes(table: AnyTable, fleet: Fleet, action: AnyRunTrains) -> tuple[RouteView, ...]:
    """Every train of the fleet in its order, and then what was said of trains that are none."""
    runs: dict[str, AnyRun] = {run.card: run for run in action.runs}
    cards = dict.fromkeys([*fleet.faces, *runs])
    return tuple(_route(table, fleet, card, runs.get(card), colour) for colour, card in enumerate(cards))


def _route(table: AnyTable, fleet: Fleet, card: str, run: AnyRun | None, colour: int) -> RouteView:
    path, cars = (run.path, tuple(getattr(run, "cars", ()))) if run is not None else ((), ())
    stops: tuple[StopView, ...] = ()
    revenue = subsidy = 0
    refusal: Refusal | None = None
    if run is not None and card in fleet.faces:
        way = fleet.follow(run)
        if isinstance(way, Refusal):
            refusal = way
        else:
            revenue, subsidy = way.revenue, way.subsidy
            stops = tuple(
                StopView(place=place_view(table, stop.id), value=value, counted=counted)
                for stop, value, counted in paid_stops(way.train, way.stops)
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
        colour=colour,
        refusal=_refusal(refusal),
    )


def _refusal(refusal: Refusal | None) -> RefusalView | None:
    return None if refusal is None else RefusalView(rule=refusal.rule, text=refusal.text)
