"""Small files of 18xx.games that go on from a scene of 18Mag, and what our export makes of answers given there."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ostbahn.interop.importer import SiteEntry
from ostbahn.kernel.actions import Action
from ostbahn.kernel.game import Game
from ostbahn.testing import uniform
from ostbahn.titles.mag.actions import AddTown, BuyCar, DeclareToken, TakeFromRothschild
from ostbahn.titles.mag.interop.exporter import MagExporter
from ostbahn.titles.mag.interop.importer import MagImporter
from ostbahn.titles.mag.interop.steps import site_waits
from ostbahn.titles.mag.state import MagTable, OperatingRound
from tests.titles.mag.modules.playing import SUPPORTERS, helped
from tests.titles.mag.scenes import NAMES, state_of

NOISE = ("id", "created_at")


def as_on_the_site(game: Game, rng: Random) -> Action:
    """Anything but what the site does not offer: cars, tokens and supporters in steps that it skips."""
    question = game.ask()
    if isinstance(game.table, MagTable) and not site_waits(game.table, question):
        skipped = (BuyCar, DeclareToken, TakeFromRothschild, AddTown)
        return rng.choice([option.action for option in question if not isinstance(option.action, skipped)])
    return uniform(game, rng)


def said(type_: str, who: str | int, **fields: Any) -> SiteEntry:
    """An action of the file by a player (a number), a minor, a supporter or a major."""
    sort = "corporation"
    if isinstance(who, int):
        sort = "player"
    elif who.isdecimal():
        sort = "minor"
    elif who in SUPPORTERS:
        sort = "company"
    return {"type": type_, "entity": who, "entity_type": sort, **fields}


def operating(*minors: str, supporters: Sequence[str] = (), majors: Sequence[str] = (), **fields: Any) -> Game:
    """An Operating Round of some minors of p1, who has these supporters, or of some majors; by the site's rulings."""
    agenda = [OperatingRound((), tuple(majors)) if majors else OperatingRound(minors)]
    owners = dict.fromkeys(minors, "p1")
    return helped(*supporters, **{"owners": owners, "agenda": agenda, "phase": "green", "site": True, **fields})


def site_trains(game: Game) -> dict[str, str]:
    """Our trains as the site numbers them: from 0."""
    cards = [train.card for trains in state_of(game).trains.values() for train in trains]
    return {card: f"{card.partition('-')[0]}-{int(card.partition('-')[2]) - 1}" for card in cards}


def importer_from(game: Game, *entries: SiteEntry) -> MagImporter:
    """An importer that stands where the game does, with a file of these actions."""
    actions = [{"id": number, **entry} for number, entry in enumerate(entries, start=1)]
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES[: len(state_of(game).players)])]
    importer = MagImporter({"players": players, "actions": actions, "settings": {"seed": 1}})
    importer.game = game.copy()
    for card, site in site_trains(game).items():
        importer.cards[site].append(card)
    return importer


def read(game: Game, *entries: SiteEntry) -> Game:
    """The game after a file of these actions."""
    return importer_from(game, *entries).run().game


def answers(game: Game) -> list[Action]:
    return [action for _, action in game.actions()]


def told(game: Game, *actions: Action) -> list[SiteEntry]:
    """What the export tells of these answers, without numbers and times."""
    told_of = game.copy()
    for action in actions:
        told_of.apply(action)
    exporter = MagExporter(told_of)
    exporter.trains = site_trains(game)
    return [{name: value for name, value in entry.items() if name not in NOISE} for entry in exporter.run()]
