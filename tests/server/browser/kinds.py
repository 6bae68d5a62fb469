"""Every kind of question that is asked in any way to play, each at a moment with much to decide."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from ostbahn.interop import saves
from ostbahn.kernel.game import Game
from ostbahn.table.automatic import obvious_answer

GOLDEN = Path(__file__).parents[2] / "golden"
LATEST = 40
"""So many of the last moments with a kind of question are looked at, for the one with the most answers."""


class Kind(NamedTuple):
    title: str
    variant: str
    question: str

    @property
    def name(self) -> str:
        return f"{self.title}-{self.variant}-{self.question}"


@cache
def every_kind() -> dict[Kind, Game]:
    """Of golden games: whole games of bots in every way to play, with every number of players."""
    found: dict[Kind, list[Game]] = {}
    for path in sorted(GOLDEN.glob("*.json")):
        if path.name.endswith(".18xx.json"):
            continue
        game = saves.read(path)
        for number in range(len(game)):
            moment = game.position(number)
            question = moment.question
            if question is not None:
                kind = Kind(game.setup.title, game.setup.variant, question.kind)
                found[kind] = [*found.get(kind, [])[-LATEST + 1 :], moment]
    return {kind: _fullest(games) for kind, games in found.items()}


ASKED = {
    ("18CZ", "base"): "acquire consent establish_station home_city lay_track lay_waived operate_trains pre_stock "
    "purchase_trains red_home return_station return_trains settle_trains stock_round use_income",
    ("18CZ", "moravia"): "auction bidding",
    ("18Mag", "base"): "consent draft establish_station lay_track operate_trains pay_out place_marker purchase_trains "
    "scrap_trains stock_round",
    ("18Mag", "solo"): "istvan_promotes solo_draft",
}
"""Every kind of question of a title once; in the base game if it is asked there, as that has most on its table."""
ONE_OF_EACH = [Kind(*way, question) for way, questions in ASKED.items() for question in questions.split()]
"""Written down, since finding them takes many seconds, and whoever only looks which tests there are need not wait."""


def one_of_each() -> list[Kind]:
    """The same as golden games have it."""
    found: dict[tuple[str, str], Kind] = {}
    for kind in sorted(every_kind(), key=lambda kind: (kind.variant != "base", kind)):
        found.setdefault((kind.title, kind.question), kind)
    return sorted(found.values())


def _fullest(games: list[Game]) -> Game:
    """The one with the most answers among those that a page really asks."""
    games.sort(key=_answers, reverse=True)
    return next((game for game in games if obvious_answer(game) is None), games[0])


def _answers(game: Game) -> int:
    return 0 if game.question is None else len(game.question.options)
