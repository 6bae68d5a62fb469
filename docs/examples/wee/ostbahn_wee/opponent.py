"""The opponent: values every answer in money until the end of the game, with reasons."""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from ostbahn.bots.policies import Proposal, TunableWeights, best_first, plain_policy, read_weights
from ostbahn.eighteen.table import PlainTable
from ostbahn.eighteen.track import board_after, terrain_cost
from ostbahn.kernel import chart
from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.hexes import distance, sides_of
from ostbahn.kernel.money import director, holding
from ostbahn.kernel.questions import Question
from ostbahn.kernel.state import Train
from ostbahn_wee import actions as wee
from ostbahn_wee.operating import RUNNING


class Weights(TunableWeights, frozen=True):
    hope: float
    thrift: float
    follow: float
    reach: float
    step: float
    payback: float
    saving: float


def dividends(table: PlainTable, company: str, by: Weights) -> float:
    """The expected dividends of 1% of a company until the end."""
    return (table.state.revenue.get(company) or by.hope) * table.runs_left / 100


def propose(question: Question, game: Game, by: Weights) -> list[Proposal]:
    table = cast(PlainTable, game.table)
    return best_first(rate(table, question, option.action, by) for option in question)


def rate(table: PlainTable, question: Question, action: Action, by: Weights) -> Proposal:
    """An answer with its value and reason."""
    company = question.company or ""
    match action:
        case wee.StartCompany():
            mine = sum(director(table, other) == question.decider for other in table.title.companies)
            brings = 40 * dividends(table, action.company, by) * by.follow**mine
            return Proposal(action, brings + action.price / 10, (f"dividends of {brings:.0f} until the end",))
        case wee.BuyShare():
            brings = 20 * dividends(table, action.company, by)
            price = chart.price(table, action.company)
            return Proposal(action, brings - by.thrift * price, (f"dividends of {brings:.0f} for {price}",))
        case wee.SellShare():
            return Proposal(action, -20 * dividends(table, action.company, by), ("the price falls",))
        case wee.LayTile():
            return rate_lay(table, company, action, by)
        case wee.PayOut() | wee.Withhold():
            pays_out, earned = isinstance(action, wee.PayOut), table.state.revenue[company]
            needs_train = len(table.state.trains.get(company, ())) < 2 and table.runs_left > 2
            worth = earned if pays_out else earned * (by.saving if needs_train else 0.0)
            return Proposal(action, worth, ("the price rises",) if pays_out else ("money for a train",))
        case wee.BuyTrain():
            trains = [*table.state.trains.get(company, ()), Train("new", action.face)]
            before, after = (RUNNING.best_of(table, company, [fleet]).revenue for fleet in (trains[:-1], trains))
            brings = (after - before or by.hope / len(trains)) * (table.runs_left - 1)
            price = table.title.trains[action.face].price
            return Proposal(action, brings - by.payback * price, (f"{after - before} more in every run",))
    return Proposal(action, 0.0, ("nothing else is worth it",) if isinstance(action, Pass) else ())


def rate_lay(table: PlainTable, company: str, action: wee.LayTile, by: Weights) -> Proposal:
    """A lay with its value: the gain in income, and how near its track comes to a new place."""
    title, board = table.title, table.state.board
    trains = table.state.trains.get(company) or [Train("some", "3")]
    revenue = RUNNING.best_of(table, company, [trains]).revenue
    table.state.board = board_after(table, action.hex, action.tile, action.rotation)
    gain = RUNNING.best_of(table, company, [trains]).revenue - revenue
    reached = {hex_.id for hex_, _ in title.surveyor.reach(table.state.board, company).nodes.values()}
    table.state.board = board
    places = [hex_.id for hex_ in title.map if hex_.face.nodes and hex_.id not in reached]
    ends = [
        hex_.id
        for side in sides_of(title.tile_set.faces[action.tile][action.rotation].exits)
        if (hex_ := title.map[action.hex].neighbours[side]) is not None and hex_.id not in board.tiles
    ]
    steps = min((distance(end, place) for end in ends for place in places), default=99)
    worth = gain * (table.runs_left - 1) + by.step * (by.reach - steps) * (action.hex not in board.tiles)
    return Proposal(action, worth - terrain_cost(table, action.hex) / 2, (f"{gain} more in every run",))


def estimate_final_wealth(table: PlainTable, by: Weights) -> dict[str, float]:
    """Each player's wealth and the expected dividends of their shares."""
    income = {company: dividends(table, company, by) for company in chart.companies_by_price(table)}
    return {
        player: table.wealth(player) + sum(holding(table, player, company) * one for company, one in income.items())
        for player in table.state.players
    }


WEIGHTS: Final = partial(read_weights, __package__, "weights.toml", Weights)
POLICY: Final = plain_policy(WEIGHTS, propose, estimate_final_wealth, searched_kinds=frozenset({"stock_round"}))
