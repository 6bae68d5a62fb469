"""Hexes and companies that a text mentions, so that a page can show them at a click.

Texts come from many places: the log, refusals, remarks, and what people write to each other. All of them call hexes by
their names or coordinates and companies by their letters, so these are found in the finished text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ostbahn.kernel.game import Game
from ostbahn.kernel.title import Title
from ostbahn.text.faces import face_of
from ostbahn.views.common import mark_view
from ostbahn.views.models import TextPart

SHORT: Final = 4
"""At the beginning of a sentence a name of so few letters may be an ordinary word with a capital."""
BEGINNING: Final = re.compile(r"(?:^|[.!?…:]\s+|\n\s*)$")


class Meant(NamedTuple):
    """What a name stands for; that of a player for nothing that could be shown."""

    hex: str | None = None
    company: str | None = None


class Vocabulary(NamedTuple):
    names: Mapping[str, Meant]
    pattern: re.Pattern[str]


class Mentions:
    """Finds them in texts about one game."""

    def __init__(self, game: Game) -> None:
        self._table, names = game.table, face_of(game).names()
        title = self._table.title
        companies = tuple((names.get(company, company), company) for company in title.charters)
        self._ours = _vocabulary(title, companies, self._table.players)
        self._bare = _bare_vocabulary(title, companies, self._table.players)

    def parts(self, text: str) -> tuple[TextPart, ...]:
        """A text of ours, cut at the places and companies in it."""
        return tuple(self._cut(text, self._ours.pattern.finditer(text), self._ours))

    def parts_of_talk(self, text: str) -> tuple[TextPart, ...]:
        """A text that somebody wrote: perhaps without accents, and with capitals where a sentence begins."""
        bare = _bare(text)
        found = (match for match in self._bare.pattern.finditer(bare) if not _may_be_a_word(bare, match))
        return tuple(self._cut(text, found, self._bare))

    def _cut(self, text: str, found: Iterator[re.Match[str]], known: Vocabulary) -> Iterator[TextPart]:
        end = 0
        for match in found:
            meant = known.names[match[0]]
            if meant == Meant():
                continue
            if match.start() > end:
                yield TextPart(text=text[end : match.start()])
            end = match.end()
            mark = mark_view(self._table, meant.company) if meant.company is not None else None
            yield TextPart(text=text[match.start() : end], hex=meant.hex, company=meant.company, mark=mark)
        if end < len(text):
            yield TextPart(text=text[end:])


@lru_cache(maxsize=256)
def _vocabulary(title: Title, companies: tuple[tuple[str, str], ...], people: tuple[str, ...]) -> Vocabulary:
    names = {hex_.id: Meant(hex=hex_.id) for hex_ in title.map}
    for hex_ in title.map:
        printed = hex_.printed
        name = printed.name or hex_.id
        names |= dict.fromkeys((name, *printed.city_names, *name.split(" & ")), Meant(hex=hex_.id))
    names |= {name: Meant(company=company) for name, company in companies}
    names |= {title.companies[company].name: Meant(company=company) for company in title.companies}
    return _compiled(names | dict.fromkeys(filter(None, people), Meant()))


@lru_cache(maxsize=256)
def _bare_vocabulary(title: Title, companies: tuple[tuple[str, str], ...], people: tuple[str, ...]) -> Vocabulary:
    return _compiled({_bare(name): meant for name, meant in _vocabulary(title, companies, people).names.items()})


def _compiled(names: Mapping[str, Meant]) -> Vocabulary:
    """The longest names first, and whole words only."""
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return Vocabulary(names, re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)"))


def _bare(text: str) -> str:
    """Every letter without its accent, so that places in the text stay where they are."""
    return "".join(unicodedata.normalize("NFKD", letter)[0] for letter in text)


def _may_be_a_word(text: str, match: re.Match[str]) -> bool:
    """Whether a short name stands where any word would have a capital; letters in capitals are no word."""
    name = match[0]
    written_like_a_word = len(name) <= SHORT and name.isalpha() and name.istitle()
    return written_like_a_word and BEGINNING.search(text[: match.start()]) is not None
