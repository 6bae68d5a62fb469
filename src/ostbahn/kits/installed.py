"""Titles of other packages, found by the entry point group `ostbahn.titles`.

A package that is incomplete, incompatible or uses a taken name loses only its own title; lists of titles name the
package and the reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Any, Final, NamedTuple

from ostbahn import __version__
from ostbahn.kernel.errors import BadPackage, OstbahnError
from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import CatalogueEntry, Kit

GROUP: Final = "ostbahn.titles"
OURS: Final = "ostbahn"
LATER: Final = re.compile(r"ostbahn\b[^;]*?>=\s*(\d+(?:\.\d+)*)", re.IGNORECASE)
"""The lowest version of Ostbahn that a package requires."""


class BrokenTitle(NamedTuple):
    """A title of another package that cannot be played."""

    title: str
    """The name of its entry point."""
    package: str
    """Name and version, as in `pip list`."""
    reason: str

    def __str__(self) -> str:
        return f"{self.title} from the package {self.package} cannot be played: {self.reason}"


def _part_property(part: str) -> Any:
    """A property that reads a part of the wrapped kit."""

    def load(outside: InstalledKit) -> Any:
        with blame_package(outside.package):
            return getattr(outside.kit, part)

    return property(load)


def _part_method(part: str) -> Any:
    """A method that makes a part of the wrapped kit for a set-up or game."""

    def make(outside: InstalledKit, subject: Setup | Game) -> Any:
        with blame_package(outside.package):
            return getattr(outside.kit, part)(subject)

    return make


class InstalledKit(Kit):
    """A kit of another package. Errors while loading its parts name the package."""

    def __init__(self, kit: Kit, package: str, module: str) -> None:
        self.kit, self.package = kit, package
        self.module = module
        """The package's top module."""
        self.name, self.entries, self.rules_version = kit.name, kit.entries, kit.rules_version

    actions, running, policy, programmable, board_style, site_adapter = map(
        _part_property, ("actions", "running", "policy", "programmable", "board_style", "site_adapter")
    )
    rulebook, text_renderer, views, terminal_renderer = map(
        _part_method, ("rulebook", "text_renderer", "views", "terminal_renderer")
    )


@contextmanager
def blame_package(package: str) -> Iterator[None]:
    """Run code of another package; errors that it raises name the package."""
    try:
        yield
    except OstbahnError:  # says enough by itself
        raise
    except (Exception, SystemExit) as fault:
        raise BadPackage(f"the package {package} failed: {_reason(fault)}") from fault


def load_installed_kits(taken: Collection[str]) -> tuple[list[InstalledKit], list[BrokenTitle]]:
    """The kits of other packages, and those that cannot be used; `taken` are the names of built-in titles."""
    kits: dict[str, InstalledKit] = {}
    broken: list[BrokenTitle] = []
    for package, distribution in _packages().items():
        try:
            points = list(distribution.entry_points.select(group=GROUP))
        except Exception as fault:
            broken.append(BrokenTitle("a title", package, f"its entry points cannot be read: {_reason(fault)}"))
            continue
        for point in points:
            try:
                kit = _load(point, package, distribution)
                if kit.name in (*taken, *kits):
                    owner = kits[kit.name].package if kit.name in kits else "Ostbahn itself"
                    raise BadPackage(f"{owner} already has a title of that name")
                kits[kit.name] = kit
            except (Exception, SystemExit) as fault:
                broken.append(BrokenTitle(point.name, package, _reason(fault)))
    return list(kits.values()), broken


def _packages() -> dict[str, Distribution]:
    """Distributions with an `ostbahn.titles` entry point, sorted so that name conflicts resolve the same way."""
    packages: dict[str, Distribution] = {}
    for distribution in distributions():
        with suppress(Exception):  # pip reports broken installations
            if GROUP in (distribution.read_text("entry_points.txt") or "") and distribution.name != OURS:
                packages.setdefault(distribution.name, distribution)
    return {f"{name} {packages[name].version}": packages[name] for name in sorted(packages)}


def _load(point: EntryPoint, package: str, distribution: Distribution) -> InstalledKit:
    """Load and validate the kit that an entry point names: its entries, rulebooks and actions."""
    _check_version(distribution)
    kit = point.load()
    if not isinstance(kit, Kit):
        raise BadPackage(f"{point.value} should be a Kit (ostbahn.kits.kit), not of the type {type(kit).__name__}")
    if not kit.entries or not all(isinstance(entry, CatalogueEntry) for entry in kit.entries):
        raise BadPackage(f"the entries of {point.value} should be one CatalogueEntry or more (ostbahn.kits.kit)")
    for entry in kit.entries:
        if entry.title != kit.name:
            raise BadPackage(f"the title of an entry is {entry.title!r}, and the kit's name {kit.name!r}")
        kit.rulebook(Setup(title=kit.name, variant=entry.variant, players=("?",) * min(entry.players)))
    _ = kit.actions
    return InstalledKit(kit, package, point.module.partition(".")[0])


def _check_version(distribution: Distribution) -> None:
    for line in distribution.requires or ():
        least = LATER.match(line)
        if least is not None and _numbers(least[1]) > _numbers(__version__):
            raise BadPackage(f"it needs Ostbahn {least[1]} or later, and this is {__version__}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _reason(fault: BaseException) -> str:
    return str(fault) if isinstance(fault, OstbahnError) else f"{type(fault).__name__}: {fault}"
