"""The opponent: what it thinks of every answer, in money until the end, and why."""

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
    """What 1% of a company brings until the end."""
    return (table.state.revenue.get(company) or by.hope) * table.runs_left / 100


def propose(question: Question, game: Game, by: Weights) -> list[Proposal]:
    table = cast(PlainTable, game.table)
    return best_first(judged(table, question, option.action, by) for option in question)


def judged(table: PlainTable, question: Question, action: Action, by: Weights) -> Proposal:
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
            return lay(table, company, action, by)
        case wee.PayOut() | wee.Withhold():
            out, earned = isinstance(action, wee.PayOut), table.state.revenue[company]
            needy = len(table.state.trains.get(company, ())) < 2 and table.runs_left > 2
            worth = earned if out else earned * (by.saving if needy else 0.0)
            return Proposal(action, worth, ("the price rises",) if out else ("money for a train",))
        case wee.BuyTrain():
            more = [*table.state.trains.get(company, ()), Train("new", action.face)]
            now, then = (RUNNING.best_of(table, company, [trains]).revenue for trains in (more[:-1], more))
            brings = (then - now or by.hope / len(more)) * (table.runs_left - 1)
            price = table.title.trains[action.face].price
            return Proposal(action, brings - by.payback * price, (f"{then - now} more in every run",))
    return Proposal(action, 0.0, ("nothing else is worth it",) if isinstance(action, Pass) else ())


def lay(table: PlainTable, company: str, action: wee.LayTile, by: Weights) -> Proposal:
    """More income at once, or track that comes nearer to another place."""
    title, before = table.title, table.state.board
    trains = table.state.trains.get(company) or [Train("some", "3")]
    now = RUNNING.best_of(table, company, [trains]).revenue
    table.state.board = board_after(table, action.hex, action.tile, action.rotation)
    gain = RUNNING.best_of(table, company, [trains]).revenue - now
    known = {hex_.id for hex_, _ in title.surveyor.reach(table.state.board, company).nodes.values()}
    table.state.board = before
    places = [hex_.id for hex_ in title.map if hex_.face.nodes and hex_.id not in known]
    beyond = [
        hex_.id
        for side in sides_of(title.tile_set.faces[action.tile][action.rotation].exits)
        if (hex_ := title.map[action.hex].neighbours[side]) is not None and hex_.id not in before.tiles
    ]
    away = min((distance(one, other) for one in beyond for other in places), default=99)
    worth = gain * (table.runs_left - 1) + by.step * (by.reach - away) * (action.hex not in before.tiles)
    return Proposal(action, worth - terrain_cost(table, action.hex) / 2, (f"{gain} more in every run",))


def estimate_final_wealth(table: PlainTable, by: Weights) -> dict[str, float]:
    """What everybody has, and what their shares will bring."""
    return {
        player: table.wealth(player)
        + sum(
            holding(table, player, company) * dividends(table, company, by)
            for company in chart.companies_by_price(table)
        )
        for player in table.state.players
    }


WEIGHTS: Final = partial(read_weights, __package__, "weights.toml", Weights)
POLICY: Final = plain_policy(WEIGHTS, propose, estimate_final_wealth, searched_kinds=frozenset({"stock_round"}))
