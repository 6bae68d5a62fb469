"""Positions of Moravia-Silesia (18CZ XI.2): companies in their turns, on lines as short as a test wants."""

from __future__ import annotations

from typing import Any

from ostbahn.kernel.actions import Action, Pass
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from ostbahn.titles.cz.actions import NamePaper, OpenAuction, RunTrains, TrainRun
from ostbahn.titles.cz.state import Auction, Bidding
from tests.titles.cz.asking import events_of, payments
from tests.titles.cz.lines import CITY_20, RED, Tiles, turned
from tests.titles.cz.looking import asked
from tests.titles.cz.scenes import scene, state_of

COMPANIES = {"Sx", "Pr", "By", "kk", "Ug"}
PAPERS = {"3E", "MW", "S1", "M1", "L1"}
CARDS = {2: {"a": 5, "d": 4, "e": 3, "g": 2}, 3: {"a": 6, "d": 5, "e": 3, "g": 3}}
"""How many trains of a kind there are, by number of players; 5+5 trains never run out."""
FACE = {"a": "2", "d": "3", "e": "4", "g": "4+4", "j": "5+5"}
PRICE = {"2": 70, "3": 120, "4": 250, "4+4": 400, "5+5": 500}
BOX = {50: 1, 55: 4, 60: 7, 65: 8, 70: 11, 75: 12, 80: 15, 90: 16, 100: 19, 110: 20, 120: 21}
"""Where the Operating Rounds stand on the process track."""


def fresh(players: int = 3, seed: int = 1, board: str | None = None) -> Game:
    names = ["Ada", "Ben", "Cleo", "Dan"][:players]
    return new_game("18CZ", names, variant="moravia", seed=seed, draw_order=False, board=board)


def moravia(**fields: Any) -> Game:
    """A position; kk belongs to p1, unless the test says who has what."""
    owned = {"started": {"kk": (60, "p1")}, "shares": {"kk": {"p1": 3}}} if "started" not in fields else {}
    return scene(**{"variant": "moravia", **owned, **fields})


def both(**fields: Any) -> Game:
    """A position in which kk belongs to p1 and Ug to p2, 50% each; both have 1000 K."""
    fields["cash"] = {"kk": 1000, "Ug": 1000, **fields.get("cash", {})}
    owned = {"kk": (60, "p1"), "Ug": (60, "p2")}
    return moravia(**{"started": owned, "shares": {"kk": {"p1": 3}, "Ug": {"p2": 3}}, **fields})


def before(letter: str, players: int = 3) -> dict[str, Any]:
    """Phase and stack when the first card of a letter lies on top."""
    letters = list(FACE)
    earlier = letters[: letters.index(letter)]
    return {"phase": earlier[-1], "cards_gone": sum(CARDS[players][other] for other in earlier)}


def sold_one(game: Game, paper: str = "S1") -> Game:
    """Player 1 buys a paper at 100 K and nobody wants another: the first Stock Round begins."""
    game.apply(OpenAuction(paper, 100))
    while isinstance(task := asked(game).task, Auction | Bidding):
        rest = [other for other, owner in state_of(game).locals.items() if owner == "bank"]
        game.apply(NamePaper(rest[0]) if isinstance(task, Auction) else Pass())
    return game


def answers(game: Game, kind: type[Action]) -> list[Action]:
    return [option.action for option in asked(game).only(kind)]


def incomes(game: Game) -> dict[str, int]:
    """What players have been paid for papers since the position began."""
    return {paid.why: paid.amount for paid in payments(events_of(game)) if paid.why.startswith("income of")}


# Track in a row of hexes, from E17 to E27


def row(*tiles: str) -> dict[str, tuple[str, int]]:
    """Tiles side by side from west to east, from E17 on; red ones only at the ends."""
    names = [f"E{column}" for column in range(17, 17 + 2 * len(tiles), 2)]
    sides = [["E"], *(["W", "E"] for _ in tiles[2:]), ["W"]]
    return {name: turned(tile, *ends) for name, tile, ends in zip(names, tiles, sides, strict=True)}


def from_red_to_red(*between: str) -> dict[str, tuple[str, int]]:
    """kk is at home in the west of the row; the red tile in its east is Pr's."""
    return row(RED["kk"], *between, RED["Pr"])


AT_HOME = {"E17.0": ["kk"]}
HOME_AND_CITIES = row(RED["kk"], CITY_20, CITY_20, CITY_20)


def path(tiles: Tiles) -> tuple[str, ...]:
    """The way along a row in which there is a revenue location on every hex."""
    return tuple(f"{name}.0" for name in tiles)


def running(*runs: tuple[str, tuple[str, ...]]) -> RunTrains:
    return RunTrains(tuple(TrainRun(card, way) for card, way in runs))
