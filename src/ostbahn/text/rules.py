"""The rules of a title, the rulings on them and how they are read: found by id, by chapter or by words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log
from operator import mul
from typing import Final, NamedTuple, TypeVar

from ostbahn.kits.catalogue import CATALOGUE, DEFAULT, SITE, rulebook
from ostbahn.kits.data import Reading, Rule, Ruling
from ostbahn.kits.kit import DocumentedTitle
from ostbahn.text.formatting import IRREGULAR, without_accents

_IDLE: Final = (
    "a an and any are as at be by can could do does for from get had has have he how i if in into is it its many may "
    "me much must my of on or our per rule rules shall she should so that the their them then there they this to us "
    "was we were what when where which who why will with would you your"
)
IDLE: Final = frozenset(_IDLE.split())
"""Words that say nothing of what is looked for."""
SAME: Final = (
    "price cost pay expensive",
    "buy purchase",
    "sell sale",
    "share certificate stock",
    "director president",
    "station marker token",
    "promotion promote upgrade",
    "tile track",
    "dividend payout",
    "withhold keep retain",
    "income revenue earn",
    "loan debt borrow emergency bankrupt",
    "acquisition acquire takeover merge merger",
    "route run",
    "scrap rust obsolete",
    "start found float",
    "end finish",
    "winner win wealth score",
    "limit maximum",
    "order sequence",
    "highest best most",
    "private local",
    "terrain river hill mountain",
)
"""Words that players use for the same thing."""
FORMS: Final = {done: verb for verb, done in IRREGULAR.items()} | {"begun": "begin", "given": "give", "taken": "take"}
EXACT, ALIKE, BEGUN = 1.0, 0.7, 0.4
"""What it counts to have the word, one for the same thing, or one that begins so."""
ABOVE: Final = 1.5
"""How much more it counts in a heading."""
ENOUGH, LENGTH, USUAL = 1.2, 0.5, 25
"""How soon it is enough of a word, how much long texts are held back, and how many words are usual."""
WORTH: Final = 0.4
"""What is worth less than this part of the best is left out."""


def stem(word: str) -> str:
    """A word without its ending, so that all its forms are one: stations, laying, scrapped."""
    word = FORMS.get(word, word)
    for ending, kept in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + kept
            if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if len(word) > 7:
        word = word.removesuffix("ion")
    return word.removesuffix("e") if len(word) > 3 else word


def words_of(text: str) -> list[str]:
    """The words of a text, without accents and capitals; to take something over is one word."""
    plain = re.sub(r"\bt(?:ake|akes|aken|aking|ook) over\b", "acquire", without_accents(text).replace("'s", ""))
    return re.findall(r"[\w&+%]+(?:[./'-]\w+)*", plain)


_SAME: Final[Mapping[str, frozenset[str]]] = {
    word: frozenset(map(stem, group.split())) for group in SAME for word in map(stem, group.split())
}


class Searched(NamedTuple):
    """A text that can be found: how often each stem is in it, a heading counting for more."""

    stems: Mapping[str, float]
    length: int

    def score(self, word: str) -> float:
        """How much the text is about a word: it matters whether it is there, and little how often."""
        own = stem(word)
        found = EXACT * self.stems.get(own, 0)
        found += ALIKE * sum(self.stems.get(other, 0) for other in _SAME.get(own, ()) if other != own)
        if not found and len(word) > 2:
            found = BEGUN * sum(number for other, number in self.stems.items() if other.startswith(word))
        return found / (found + ENOUGH * (1 - LENGTH + LENGTH * self.length / USUAL))


@lru_cache(maxsize=4096)
def searched(heading: str, text: str) -> Searched:
    found: Counter[str] = Counter(map(stem, words_of(text)))
    length = found.total()
    stems: dict[str, float] = dict(found)
    for word in map(stem, words_of(heading)):
        stems[word] = stems.get(word, 0) + ABOVE
    return Searched(stems, length)


def wanted(words: Iterable[str]) -> list[str]:
    """What is looked for; idle words only if there are no others."""
    named = words_of(" ".join(words))
    return list(dict.fromkeys([word for word in named if word not in IDLE] or named))


def ranked(texts: Sequence[Searched], words: Iterable[str], weights: Sequence[float]) -> list[int]:
    """The numbers of the texts that speak of the words, the best first; without words all, as they stand.

    Rare words count for more, and it counts much to speak of all of them.
    weights: what each text is worth, all else being equal.
    """
    looked_for = wanted(words)
    if not looked_for:
        return list(range(len(texts)))
    scores = [[text.score(word) for word in looked_for] for text in texts]
    rarity = [log(1 + len(texts) / (1 + sum(row[at] > 0 for row in scores))) for at in range(len(looked_for))]
    worth = [
        weight * sum(map(mul, row, rarity)) * (sum(score > 0 for score in row) / len(looked_for)) ** 2
        for row, weight in zip(scores, weights, strict=True)
    ]
    least = WORTH * max(worth, default=0)
    return sorted((at for at in range(len(texts)) if worth[at] > 0 and worth[at] >= least), key=lambda at: -worth[at])


VARIANT: Final = 0.75
"""What a rule of a variant or an expansion is worth to somebody who looks for words, since most play without it."""
OpenT = TypeVar("OpenT", Reading, Ruling)
"""A question that the rulebook leaves open."""


def title_named(name: str) -> str:
    """A title as the catalogue writes it."""
    return next((entry.title for entry in CATALOGUE if entry.title.casefold() == name.casefold()), name)


def first_title() -> str:
    """The one that is meant where none is named."""
    return next(iter(CATALOGUE)).title


def book_named(name: str) -> DocumentedTitle:
    """A title by its name, however it is written."""
    return rulebook(title_named(name)).title


def find_rules(book: DocumentedTitle, words: Sequence[str]) -> Iterator[Rule]:
    """By ids (`VIII.6/5`), by chapters (`VIII.6`), by an ambiguity in them (`A10`), or by words in chapter and text.

    Words may be in any order and form; those that speak most of them come first.
    """
    by_id = [_by_id(book, word) for word in words]
    if by_id and all(by_id):
        yield from {rule.id: rule for rules in by_id for rule in rules}.values()
        return
    if (ambiguity := _ambiguity(book, words)) is not None:
        yield from (rule for rule in book.rules.values() if rule.id in ambiguity.rules)
        return
    rules = list(book.rules.values())
    texts = [searched(f"{rule.id} {rule.chapter}", rule.text) for rule in rules]
    found = ranked(texts, words, [VARIANT if rule.variant != "base" or rule.source else 1.0 for rule in rules])
    yield from (rules[number] for number in found)


def _by_id(book: DocumentedTitle, word: str) -> list[Rule]:
    """The rule of this id, or those of this chapter."""
    wanted = word.removeprefix(f"{book.name} ").casefold()
    ids = ((rule, rule.id.casefold()) for rule in book.rules.values())
    return [rule for rule, id_ in ids if id_ == wanted or id_.startswith((f"{wanted}/", f"{wanted}."))]


def _ambiguity(book: DocumentedTitle, words: Sequence[str]) -> Reading | Ruling | None:
    """What was decided on an ambiguity, if that is what is looked for. The letter is a capital: a11 is a hex."""
    wanted = words[0] if len(words) == 1 else ""
    return book.readings.get(wanted) or next((each for each in book.all_rulings if each.ambiguity == wanted), None)


def find_open(
    book: DocumentedTitle, questions: Iterable[OpenT], words: Sequence[str], rules: Sequence[Rule]
) -> list[OpenT]:
    """Open questions that speak of the words; and where a single rule was asked for, those on it."""
    ambiguity = _ambiguity(book, words)
    if ambiguity is not None:
        return [question for question in questions if question == ambiguity]
    only = rules[0].id if len(rules) == 1 else None
    return [question for question in questions if _speaks_of(question, words) or only in question.rules]


def _speaks_of(question: Reading | Ruling, words: Sequence[str]) -> bool:
    """Whether all words are in it; the id of a reading is that of an ambiguity, which is found as a whole only."""
    if isinstance(question, Reading):
        parts = (question.question, *question.rules, question.reading)
    else:
        parts = (question.id, question.question, *question.rules, question.explanation, *question.values)
    text = searched("", " ".join(parts))
    return all(text.score(word) > 0 for word in wanted(words))


def presets_with(ruling: Ruling, value: str) -> tuple[str, ...]:
    return tuple(preset for preset, chosen in ((DEFAULT, ruling.default), (SITE, ruling.site)) if chosen == value)
