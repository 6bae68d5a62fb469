"""Trying an answer out: what the table would be worth to whoever gives it."""

from __future__ import annotations

from typing import cast

from ostbahn.bots.trials import trial
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.kernel.money import holding
from ostbahn.titles.cz.opponents.prospects import View
from ostbahn.titles.cz.opponents.weights import CzWeights
from ostbahn.titles.cz.opponents.worth import worth_of
from ostbahn.titles.cz.state import CzTable


def table_of(game: Game) -> CzTable:
    return cast("CzTable", game.table)


def after(game: Game, action: Action, weights: CzWeights, done: str | None = None) -> View:
    """The table after an answer."""
    then = trial(game)
    then.apply(action)
    return View(table_of(then), weights, done)


def standing(view: View, player: str) -> float:
    """What a player has of a table: what he will be worth, and a little for what the others will not."""
    worth = worth_of(view)
    others = [amount for other, amount in worth.items() if other != player]
    rivalry = view.weights.dealing.rivalry * sum(others) / max(len(others), 1)
    return worth[player] - rivalry


def stake(view: View, company: str, player: str) -> float:
    """What a player has of 1 K more in every run that a company will still make."""
    part = holding(view.table, player, company) / 100
    return part * sum(view.calendar.cash_after(number) for number in view.calendar.runs(company))
