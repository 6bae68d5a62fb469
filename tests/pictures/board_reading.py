"""Boards of all titles and variants, fresh ones and played ones, with what is needed to read them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

from ostbahn.interop.files import open_game
from ostbahn.kernel.game import Game
from ostbahn.kernel.map.board import Hex, Map
from ostbahn.kits.catalogue import new_game
from ostbahn.pictures.board import DrawnRoute, draw_board
from ostbahn.pictures.board_style import scene_of
from ostbahn.pictures.hexes import BoardScene
from ostbahn.pictures.themes import LIGHT, Theme
from tests.golden.games import GOLDEN
from tests.interop.reference import reference_games
from tests.pictures.svg_reader import SVG, XY, Shape, apart, read, transform
from tests.pictures.tile_reading import ANGLES, RADIUS

VARIANTS = [("18CZ", "base", 4), ("18CZ", "bohemia", 2), ("18CZ", "moravia", 3)]
VARIANTS += [("18Mag", "base", 4), ("18Mag", "two_player", 2)]
BOARDS = ("18CZ-base-3", "18CZ-bohemia-2", "18CZ-moravia-3", "18Mag-base-3", "18Mag-two_player-2")
PLAYED = [golden.save for golden in GOLDEN if golden.name in BOARDS]
"""A golden game on every board."""
GAMES = [*PLAYED, *reference_games("18CZ"), *reference_games("18Mag")]


def fresh(title: str, variant: str, players: int, board: str | None = None) -> Game:
    return new_game(title, [f"p{number}" for number in range(players)], variant=variant, seed=1, board=board)


@cache
def played(path: Path) -> Game:
    return open_game(path)


def moments(path: Path) -> list[Game]:
    """A game at a third, at two thirds and at its end."""
    game = played(path)
    return [game.position(len(game) * part // 3) for part in (1, 2, 3)]


class ReadBoard:
    """A board as its picture shows it."""

    def __init__(
        self,
        game: Game,
        theme: Theme = LIGHT,
        routes: Sequence[DrawnRoute] = (),
        highlights: Sequence[str] = (),
    ) -> None:
        scene = scene_of(game)
        self._read(draw_board(scene, theme, routes, highlights), scene)

    @classmethod
    def of_svg(cls, svg: str, scene: BoardScene) -> ReadBoard:
        board = cls.__new__(cls)
        board._read(svg, scene)
        return board

    def _read(self, svg: str, scene: BoardScene) -> None:
        self.svg, self.scene = svg, scene
        self.map: Map = scene.title.map
        self.root = ElementTree.fromstring(svg)
        self.groups = [group for group in self.root.iter(f"{SVG}g") if str(group.get("id", "")).startswith("hex-")]
        self.shapes = read(svg)
        self._by_group: dict[str, list[Shape]] = {}
        for shape in self.shapes:
            for name in {*shape.within, shape.at.get("class", "")}:
                self._by_group.setdefault(name, []).append(shape)

    def centre(self, hex_id: str) -> XY:
        (group,) = [group for group in self.groups if group.get("id") == f"hex-{hex_id}"]
        return transform(str(group.get("transform"))).at((0.0, 0.0))

    def within(self, name: str) -> list[Shape]:
        """What is drawn in a group of that id or class."""
        return self._by_group.get(name, [])

    def of(self, hex_: Hex) -> list[Shape]:
        return self.within(f"hex-{hex_.id}")

    def words(self, hex_: Hex) -> list[str]:
        return [shape.words for shape in self.of(hex_) if shape.kind == "text"]

    def told(self, hex_: Hex) -> str:
        """What is told of a hex to those who listen, or point at it."""
        (group,) = [group for group in self.groups if group.get("id") == f"hex-{hex_.id}"]
        return str(group.findtext(f"{SVG}title"))

    def corners(self, hex_id: str, side: int) -> tuple[XY, XY]:
        """The two ends of a side."""
        x, y = self.centre(hex_id)
        turns = [transform(f"rotate({ANGLES[side] + turn})").at((RADIUS, 0.0)) for turn in (-30, 30)]
        return (x + turns[0][0], y + turns[0][1]), (x + turns[1][0], y + turns[1][1])


def clashes(shapes: Sequence[Shape]) -> list[str]:
    """Words of a hex that lie over each other, or over a circle or box that is not theirs."""
    texts = [shape for shape in shapes if shape.kind == "text"]
    things = [shape for shape in shapes if shape.kind in ("circle", "rect")]
    badges = {id(shape) for shape in things if "cost" in shape.within}
    found = [f"{one.words!r} and {other.words!r}" for one, other in combinations(texts, 2) if boxes_meet(one, other)]
    for text in texts:
        left, top, right, bottom = text.box
        if any(apart(text.middle, thing.middle) < 3 for thing in things):
            continue  # it stands in the thing to which it belongs
        for thing in things:
            if "cost" in text.within and id(thing) in badges:
                continue  # the cost in its badge, beside the signs
            x, y = thing.middle
            close = (min(max(x, left), right), min(max(y, top), bottom))
            round_ = thing.kind == "circle"
            if apart(close, (x, y)) < thing.radius - 0.5 if round_ else boxes_meet(text, thing):
                found.append(f"{text.words!r} over a {thing.kind}")
    return found


def boxes_meet(one: Shape, other: Shape, least: float = 0.5) -> bool:
    a, b = one.box, other.box
    return a[0] < b[2] - least and b[0] < a[2] - least and a[1] < b[3] - least and b[1] < a[3] - least


@cache
def fresh_board(title: str, variant: str, players: int) -> ReadBoard:
    return ReadBoard(fresh(title, variant, players))
