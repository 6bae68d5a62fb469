"""Verbs in the past tense: answers are told as what to do, and the log as what was done."""

from __future__ import annotations

from typing import Final

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


def past(text: str) -> str:
    """What was done, of what to do: "buy a share" becomes "bought a share"."""
    verb, space, rest = text.partition(" ")
    return f"{_past(verb)}{space}{rest}"


def _past(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


def sentence_case(text: str) -> str:
    """As it stands on a button: the first letter is a capital."""
    return text[:1].upper() + text[1:]
