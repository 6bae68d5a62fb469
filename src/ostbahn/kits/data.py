"""The data files of the titles: read and checked on the way in, with errors that name file and field."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import TypeVar

import msgspec
from msgspec import Struct

from ostbahn.kernel.errors import BadData

T = TypeVar("T")


class Spec(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a data file; an unknown field is an error and not a guess."""


def read_data(title: str, package: str, file: str, kind: type[T]) -> T:
    """A data file of a title; a fault in it is told with the file and the field."""
    text = resources.files(package).joinpath("data", file).read_text(encoding="utf-8")
    try:
        return msgspec.toml.decode(text, type=kind, strict=False)
    except msgspec.DecodeError as fault:
        raise BadData(f"{title} data, {file}: {fault}") from None


class Rule(Spec, frozen=True):
    """A rule of the game, in our words."""

    id: str
    chapter: str
    text: str
    variant: str = "base"
    module: str | None = None
    """The module that brings it, if it is none of the game itself."""
    source: str | None = None
    """Where it is known from, if not from the rulebook."""
    without_effect: str | None = None
    """Why a computer has nothing to do about it."""


class RulesFile(Spec, frozen=True):
    rule: tuple[Rule, ...]


class Ruling(Spec, frozen=True):
    """A question that the rulebook leaves open, or answers otherwise than 18xx.games does."""

    id: str
    question: str
    rules: tuple[str, ...]
    values: tuple[str, ...]
    default: str
    site: str
    explanation: str
    variants: tuple[str, ...] | None = None
    """Where the question comes up, if not in every variant."""
    modules: tuple[str, ...] | None = None
    """With which modules it comes up, if not without any."""
    ambiguity: str | None = None
    """The id of the question in the list of ambiguities: `A11`."""
    before: str | None = None
    """How games were played that do not name it, because they are older than it; None if by the default."""


class RulingsFile(Spec, frozen=True):
    ruling: tuple[Ruling, ...]


class Reading(Spec, frozen=True):
    """A question that the rulebook leaves open and that is no switch, and how we read it."""

    id: str
    """In the list of ambiguities: `A10`."""
    question: str
    rules: tuple[str, ...]
    reading: str
    follows: str
    """Where it is followed: `phases.py: export`, or a data file and a key."""


class ReadingsFile(Spec, frozen=True):
    reading: tuple[Reading, ...]


def rulings_in(rulings: Sequence[Ruling], variant: str, modules: Sequence[str] = ()) -> list[Ruling]:
    """The questions that come up in a variant, with some modules."""
    return [
        ruling
        for ruling in rulings
        if (ruling.variants is None or variant in ruling.variants)
        and (ruling.modules is None or any(module in ruling.modules for module in modules))
    ]
