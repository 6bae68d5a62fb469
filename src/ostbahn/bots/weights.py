"""The numbers in rules of thumb, read from a data file, so that tuning needs no change of a programme."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from random import Random
from typing import Any, TypeVar

from msgspec import Struct, structs

from ostbahn.kits.data import decode_data


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a weights file; a misspelt name is an error and not a default."""


class Fixed(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of numbers that are the same for every character, and that tuning leaves alone."""


W = TypeVar("W", bound=Numbers)
T = TypeVar("T", bound=Numbers | Fixed)


def read_weights(package: str, file: str, kind: type[T]) -> T:
    """A weights file of a title's bots."""
    return weights_in(resources.files(package).joinpath("data", file).read_text(encoding="utf-8"), file, kind)


def weights_in(text: str, file: str, kind: type[T]) -> T:
    """A text of the form of such a file; a fault is told with file and field."""
    return decode_data(f"weights of a bot, {file}", text, kind)


def varied(weights: W, seed: int, part: float) -> W:
    """The same numbers, each with a decimal point up to a part larger or smaller, as the seed has it."""
    changed = {
        name: varied(value, seed, part)
        if isinstance(value, Numbers)
        else value * (1 + part * Random(f"{seed}/{name_of(weights)}/{name}").uniform(-1, 1))
        for name, value in structs.asdict(weights).items()
        if isinstance(value, (Numbers, float))
    }
    return structs.replace(weights, **changed)


def name_of(weights: Numbers) -> str:
    """The name of a table, which its character hangs on: another name would be another character."""
    return type(weights).__name__.removesuffix("Weights")


def with_at_most(weights: W, name: str, most: int) -> W:
    """The same numbers, but none of that name is larger."""
    changed = {
        field: with_at_most(value, name, most) if isinstance(value, Numbers) else min(value, most)
        for field, value in structs.asdict(weights).items()
        if isinstance(value, Numbers) or field == name
    }
    return structs.replace(weights, **changed)


Factors = Mapping[str, float]
"""By the whole name of a weight (`dealing.levy`), what it is multiplied with."""


def multiplied(weights: Any, factors: Factors, prefix: str = "") -> Any:
    """The weights with some of them multiplied; only those that are a single number with a decimal point can be."""
    changed: dict[str, Any] = {}
    for field, value in structs.asdict(weights).items():
        if isinstance(value, Numbers):
            changed[field] = multiplied(value, factors, f"{prefix}{field}.")
        elif isinstance(value, float):
            changed[field] = value * factors.get(f"{prefix}{field}", 1.0)
    return structs.replace(weights, **changed)
