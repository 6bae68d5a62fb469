"""Searches the rules, rulings and readings of a title by id, chapter or words."""

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

_STOP_WORDS: Final = (
    "a an and any are as at be by can could do does for from get had has have he how i if in into is it its many may "
    "me much must my of on or our per rule rules shall she should so that the their them then there they this to us "
    "was we were what when where which who why will with would you your"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that a search ignores."""
SYNONYMS: Final = (
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
"""Groups of words that players use for the same thing."""
FORMS: Final = {done: verb for verb, done in IRREGULAR.items()} | {"begun": "begin", "given": "give", "taken": "take"}
EXACT, SYNONYM, PREFIX = 1.0, 0.7, 0.4
"""Weights of an occurrence of the word itself, of a synonym, and of a word that begins with it."""
HEADING: Final = 1.5
"""Weight of an occurrence in a heading."""
SATURATION, LENGTH_PENALTY, USUAL_LENGTH = 1.2, 0.5, 25
"""Parameters of BM25 (k1, b and the average length in words)."""
LEAST_SCORE: Final = 0.4
"""The least score of a result, relative to the best one."""


def stem(word: str) -> str:
    """Remove the ending of a word, so that all its forms become equal: stations, laying, scrapped."""
    word = FORMS.get(word, word)
    for ending, replacement in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + replacement
            if ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if len(word) > 7:
        word = word.removesuffix("ion")
    return word.removesuffix("e") if len(word) > 3 else word


def words_of(text: str) -> list[str]:
    """The words of a text, without accents and capitals; "take over" becomes "acquire"."""
    plain = re.sub(r"\bt(?:ake|akes|aken|aking|ook) over\b", "acquire", without_accents(text).replace("'s", ""))
    return re.findall(r"[\w&+%]+(?:[./'-]\w+)*", plain)


_SYNONYM_STEMS: Final[Mapping[str, frozenset[str]]] = {
    word: frozenset(map(stem, group.split())) for group in SYNONYMS for word in map(stem, group.split())
}


class IndexedText(NamedTuple):
    """A searchable text: its length in words, and the weighted number of occurrences of each stem."""

    stems: Mapping[str, float]
    length: int

    def score(self, word: str) -> float:
        """How relevant the text is for a word, from 0 to 1; repeated occurrences add little (BM25)."""
        own = stem(word)
        weight = EXACT * self.stems.get(own, 0)
        weight += SYNONYM * sum(self.stems.get(other, 0) for other in _SYNONYM_STEMS.get(own, ()) if other != own)
        if not weight and len(word) > 2:
            weight = PREFIX * sum(number for other, number in self.stems.items() if other.startswith(word))
        relative_length = 1 - LENGTH_PENALTY + LENGTH_PENALTY * self.length / USUAL_LENGTH
        return weight / (weight + SATURATION * relative_length)


@lru_cache(maxsize=4096)
def index_text(heading: str, text: str) -> IndexedText:
    counts: Counter[str] = Counter(map(stem, words_of(text)))
    length = counts.total()
    stems: dict[str, float] = dict(counts)
    for word in map(stem, words_of(heading)):
        stems[word] = stems.get(word, 0) + HEADING
    return IndexedText(stems, length)


def search_words(words: Iterable[str]) -> list[str]:
    """The words to search for; stop words only if there are no others."""
    split = words_of(" ".join(words))
    return list(dict.fromkeys([word for word in split if word not in STOP_WORDS] or split))


def rank_texts(texts: Sequence[IndexedText], words: Iterable[str], weights: Sequence[float]) -> list[int]:
    """The indices of matching texts, best first; without words all of them in order.

    Rare words count for more, and texts that match all words are preferred. weights: a factor for each text.
    """
    terms = search_words(words)
    if not terms:
        return list(range(len(texts)))
    scores = [[text.score(term) for term in terms] for text in texts]
    rarity = [log(1 + len(texts) / (1 + sum(row[at] > 0 for row in scores))) for at in range(len(terms))]
    totals = [
        weight * sum(map(mul, row, rarity)) * (sum(score > 0 for score in row) / len(terms)) ** 2
        for row, weight in zip(scores, weights, strict=True)
    ]
    least = LEAST_SCORE * max(totals, default=0)
    matching = [index for index, total in enumerate(totals) if total > 0 and total >= least]
    return sorted(matching, key=lambda index: -totals[index])


VARIANT: Final = 0.75
"""Factor for rules of variants and expansions, which most games do not use."""
OpenT = TypeVar("OpenT", Reading, Ruling)
"""A question that the rulebook leaves open."""


def title_named(name: str) -> str:
    """The catalogue's spelling of a title's name."""
    return next((entry.title for entry in CATALOGUE if entry.title.casefold() == name.casefold()), name)


def first_title() -> str:
    """The title that is used if none is named."""
    return next(iter(CATALOGUE)).title


def book_named(name: str) -> DocumentedTitle:
    """A title by its name, in any case."""
    return rulebook(title_named(name)).title


def find_rules(book: DocumentedTitle, words: Sequence[str]) -> Iterator[Rule]:
    """Find rules by ids (`VIII.6/5`), chapters (`VIII.6`), an ambiguity (`A10`), or by words, best match first."""
    by_id = [_rules_by_id(book, word) for word in words]
    if by_id and all(by_id):
        yield from {rule.id: rule for rules in by_id for rule in rules}.values()
        return
    if (ambiguity := _find_ambiguity(book, words)) is not None:
        yield from (rule for rule in book.rules.values() if rule.id in ambiguity.rules)
        return
    rules = list(book.rules.values())
    texts = [index_text(f"{rule.id} {rule.chapter}", rule.text) for rule in rules]
    weights = [VARIANT if rule.variant != "base" or rule.source else 1.0 for rule in rules]
    yield from (rules[index] for index in rank_texts(texts, words, weights))


def _rules_by_id(book: DocumentedTitle, word: str) -> list[Rule]:
    """The rule with this id, or the rules of this chapter."""
    prefix = word.removeprefix(f"{book.name} ").casefold()
    ids = ((rule, rule.id.casefold()) for rule in book.rules.values())
    return [rule for rule, id_ in ids if id_ == prefix or id_.startswith((f"{prefix}/", f"{prefix}."))]


def _find_ambiguity(book: DocumentedTitle, words: Sequence[str]) -> Reading | Ruling | None:
    """The reading or ruling of an ambiguity named by id. Case matters: A11 is an ambiguity, a11 a hex."""
    id_ = words[0] if len(words) == 1 else ""
    return book.readings.get(id_) or next((ruling for ruling in book.all_rulings if ruling.ambiguity == id_), None)


def find_open(
    book: DocumentedTitle, questions: Iterable[OpenT], words: Sequence[str], rules: Sequence[Rule]
) -> list[OpenT]:
    """Find open questions that match the words, or that are about the only rule found."""
    ambiguity = _find_ambiguity(book, words)
    if ambiguity is not None:
        return [question for question in questions if question == ambiguity]
    only_rule = rules[0].id if len(rules) == 1 else None
    return [question for question in questions if _matches(question, words) or only_rule in question.rules]


def _matches(question: Reading | Ruling, words: Sequence[str]) -> bool:
    """Whether a question matches all words. Not by a reading's id, which names an ambiguity (`_find_ambiguity`)."""
    if isinstance(question, Reading):
        parts = (question.question, *question.rules, question.reading)
    else:
        parts = (question.id, question.question, *question.rules, question.explanation, *question.values)
    text = index_text("", " ".join(parts))
    return all(text.score(word) > 0 for word in search_words(words))


def presets_with(ruling: Ruling, value: str) -> tuple[str, ...]:
    return tuple(preset for preset, chosen in ((DEFAULT, ruling.default), (SITE, ruling.site)) if chosen == value)
