"""Formatting of English text: printable names, articles, past tense."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

EIGHT: Final = re.compile(r"\b([Aa]) (?=8)")


def printable(text: str) -> str:
    """Replace control characters, so that untrusted text is harmless at a terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def with_article(text: str) -> str:
    """Change "a 8E-train" into "an 8E-train"."""
    return EIGHT.sub(r"\1n ", text)


def seat_names(players: Iterable[str]) -> dict[str, str]:
    """Player names by seat, made printable, since a file can contain anything."""
    return {f"p{seat}": printable(name) for seat, name in enumerate(players, start=1)}


def without_accents(text: str) -> str:
    """Fold case and remove accents, so that `plzen` finds Plzeň."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in parts if not unicodedata.combining(character))


IRREGULAR: Final = {
    "bid": "bid",
    "build": "built",
    "buy": "bought",
    "give": "gave",
    "keep": "kept",
    "lay": "laid",
    "let": "let",
    "pay": "paid",
    "put": "put",
    "repay": "repaid",
    "run": "ran",
    "scrap": "scrapped",
    "sell": "sold",
    "send": "sent",
    "take": "took",
    "withhold": "withheld",
}


def in_past_tense(text: str) -> str:
    """The past tense of an imperative: "buy a share" becomes "bought a share"."""
    verb, space, rest = text.partition(" ")
    if verb in IRREGULAR:
        done = IRREGULAR[verb]
    elif verb.endswith("e"):
        done = f"{verb}d"
    elif verb.endswith("y") and verb[-2:-1] not in "aeiou":
        done = f"{verb[:-1]}ied"
    else:
        done = f"{verb}ed"
    return f"{done}{space}{rest}"


def sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]
