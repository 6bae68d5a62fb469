"""What the page's own code wants to know of a question, as short as it can be said: there may be hundreds of lays."""

from __future__ import annotations

from typing import Any

from ostbahn.kernel.game import Game
from ostbahn.pictures.views import AnyTable, table_of_game
from ostbahn.server.views.play_models import AnswerView, QuestionView
from ostbahn.titles.cz.state import CzTable


def answers_data(game: Game, question: QuestionView) -> dict[str, Any]:
    """All answers by their index, and the tiles that can be laid."""
    table = table_of_game(game)
    answers = [_answer(table, question, answer) for answer in question.answers]
    tiles = dict.fromkeys(answer["tile"] for answer in answers if "tile" in answer)
    return {
        "answers": answers,
        "tiles": {
            tile: {"colour": table.title.tiles[tile].colour, "left": table.state.supply.get(tile)} for tile in tiles
        },
    }


def _answer(table: AnyTable, question: QuestionView, answer: AnswerView) -> dict[str, Any]:
    found: dict[str, Any] = {"index": answer.index, "action": answer.action}
    if answer.place is not None:
        found["place"] = answer.place
    tile = _tile(table, question, answer)
    if tile is None:
        found["words"] = answer.words
    else:
        found["tile"] = tile
        found["remark"] = answer.remark
        if answer.cost:
            found["cost"] = answer.cost
    return found


def _tile(table: AnyTable, question: QuestionView, answer: AnswerView) -> str | None:
    """The tile that a lay is about; a large company's red home tile goes without saying."""
    if answer.kind == "lay_red_tile" and isinstance(table, CzTable):
        return table.title.home_tiles[question.company or ""]
    tile: str | None = answer.action.get("tile")
    return tile


def place_names(game: Game) -> dict[str, str]:
    """What hexes are called that have a name."""
    return {hex_.id: hex_.printed.name for hex_ in table_of_game(game).title.map if hex_.printed.name}
