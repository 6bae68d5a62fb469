"""Reads charts and cards back: their texts with the room they take, and the groups in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import new_game
from tests.golden.games import golden_game

SVG = "{http://www.w3.org/2000/svg}"
MOVE = re.compile(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)(?: scale\(([\d.]+)\))?")
LETTER = 0.47
"""How wide a letter is at least on average, compared with its size."""
PLAYED = ("18CZ-base-3", "18CZ-bohemia-2", "18Mag-base-3", "18Mag-two_player-2")
FRESH = (
    *(("18CZ", "base", 3), ("18CZ", "bohemia", 2), ("18CZ", "moravia", 2), ("18CZ", "moravia", 3)),
    *(("18Mag", "base", 4), ("18Mag", "two_player", 2), ("18Mag", "solo", 1)),
)


@cache
def fresh(title: str, variant: str, players: int) -> Game:
    """A game that has just begun, with a name that would break a picture that does not escape it."""
    return new_game(title, ['<A> & "B"', "Zoë", "C", "D", "E", "F"][:players], variant=variant)


@cache
def moments() -> list[Game]:
    """Games at their start, in their middle and at their end."""
    found = [fresh(*which) for which in FRESH]
    for game in map(golden_game, PLAYED):
        found += [game.position(len(game) * part // 5) for part in (1, 3)] + [game]
    return found


TITLES = [*(title for title, _, _ in FRESH), *(name.partition("-")[0] for name in PLAYED for _ in range(3))]
"""Of these games: whoever only looks which tests there are need not wait until they are played."""


def of_each_game(title: str = "") -> pytest.MarkDecorator:
    """The fixture `game`, for each of these games."""
    numbers = [number for number, own in enumerate(TITLES) if title in ("", own)]
    return pytest.mark.parametrize("game", numbers, ids=lambda number: f"game{number}", indirect=True)


class Text(NamedTuple):
    words: str
    left: float
    top: float
    right: float
    bottom: float
    within: tuple[str, ...]
    """Ids of the groups around it, the outermost first."""


class Picture:
    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        _, _, self.width, self.height = map(float, self.root.attrib["viewBox"].split())
        self.texts = list(self._texts(self.root, 0.0, 0.0, 1.0, ()))
        self.ids = [id_ for node in self.root.iter() if (id_ := node.get("id"))]

    def _texts(
        self, node: ElementTree.Element, x: float, y: float, scale: float, within: tuple[str, ...]
    ) -> Iterator[Text]:
        if found := MOVE.fullmatch(node.get("transform", "")):
            x, y = x + float(found[1]) * scale, y + float(found[2]) * scale
            scale *= float(found[3] or 1)
        if id_ := node.get("id"):
            within = (*within, id_)
        if node.tag == f"{SVG}text":
            words, size = node.text or "", float(node.get("font-size", 16)) * scale
            width = len(words) * size * LETTER
            left = x + float(node.attrib["x"]) * scale
            left -= {"middle": width / 2, "end": width}.get(node.get("text-anchor", ""), 0.0)
            foot = y + float(node.attrib["y"]) * scale
            yield Text(words, left, foot - size * 0.7, left + width, foot + size * 0.15, within)
        for child in node:
            yield from self._texts(child, x, y, scale, within)

    def words_in(self, id_: str) -> list[str]:
        """All texts of a group."""
        return [text.words for text in self.texts if id_ in text.within]

    def titles(self) -> list[str]:
        return [node.text or "" for node in self.root.iter(f"{SVG}title")]

    def check_frame(self) -> None:
        """Everything inside the frame, no id twice, a title."""
        assert self.root.find(f"{SVG}title") is not None
        assert len(self.ids) == len(set(self.ids))
        for text in self.texts:
            assert text.left >= 0, text
            assert text.right <= self.width, text
            assert text.top >= 0, text
            assert text.bottom <= self.height, text

    def check(self) -> None:
        """The same, and no text over another."""
        self.check_frame()
        written = sorted((text for text in self.texts if text.words), key=lambda text: text.top)
        for index, one in enumerate(written):
            for other in written[index + 1 :]:
                if other.top > one.bottom - 1:
                    break
                across = min(one.right, other.right) - max(one.left, other.left)
                assert across <= 1, (one, other)
