"""All titles and variants, and how a game of one is begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Rulebook, Setup
from ostbahn.titles.cz.actions import CzAction
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.cz.title import Ruling

SITE: Final = "18xx.games"
"""The preset of rulings under which games of that site are replayed."""
DEFAULT: Final = "rulebook"
PRESETS: Final = (DEFAULT, SITE)


class Entry:
    """A way to play: title and variant."""

    def __init__(self, title: str, variant: str, players: tuple[int, ...], about: str) -> None:
        self.title = title
        self.variant = variant
        self.players = players
        self.about = about


ACTIONS: Final[Mapping[str, Any]] = {"18CZ": CzAction}
"""By title, everything that can be answered in it."""

CATALOGUE: Final = (
    Entry("18CZ", "base", (3, 4, 5, 6), "The railway comes to the Czech lands; six players as an experiment."),
)


def rulebook(title: str, variant: str = "base") -> CzRulebook:
    """The rules of a title."""
    if not any(entry.title == title and entry.variant == variant for entry in CATALOGUE):
        known = ", ".join(f"{entry.title} ({entry.variant})" for entry in CATALOGUE)
        raise BadSetup(f"there is no {title} ({variant}); known are {known}")
    return CzRulebook()


def rulings_of(
    rules: Mapping[str, Ruling], preset: str = DEFAULT, changes: Mapping[str, str] | None = None
) -> dict[str, str]:
    """All switches with their values: a preset, with changes."""
    if preset not in PRESETS:
        raise BadSetup(f"there is no preset {preset}; known are {', '.join(PRESETS)}")
    values = {name: ruling.site if preset == SITE else ruling.default for name, ruling in rules.items()}
    for name, value in (changes or {}).items():
        if name not in rules:
            raise BadSetup(f"there is no ruling {name}; known are {', '.join(rules)}")
        if value not in rules[name].values:
            raise BadSetup(f"ruling {name} is one of {', '.join(map(repr, rules[name].values))}, not {value!r}")
        values[name] = value
    return values


def check_names(players: Sequence[str]) -> None:
    """Names stand in every line of the log, so they must be printable and tell people apart."""
    for name in players:
        if not name.strip() or not name.isprintable():
            raise BadSetup(f"{name!a} cannot be a player's name")
    if len(set(players)) < len(players):
        raise BadSetup("two players have the same name")


def new_game(
    title: str,
    players: Sequence[str],
    *,
    variant: str = "base",
    seed: int = 1,
    draw_order: bool = True,
    preset: str = DEFAULT,
    rulings: Mapping[str, str] | None = None,
) -> Game:
    """Begin a game."""
    rules: CzRulebook = rulebook(title, variant)
    setup = Setup(
        title=title,
        variant=variant,
        players=tuple(players),
        seed=seed,
        draw_order=draw_order,
        rulings=rulings_of(rules.title.rulings, preset, rulings),
    )
    return begin(setup)


def begin(setup: Setup) -> Game:
    """Begin a game as set up; the set-up is checked as far as it was not made by us."""
    check_names(setup.players)
    rules = rulebook(setup.title, setup.variant)
    complete = rulings_of(rules.title.rulings, DEFAULT, setup.rulings)
    if complete != dict(setup.rulings):
        missing = sorted(set(complete) - set(setup.rulings))
        raise BadSetup(f"the set-up says nothing about the rulings {', '.join(missing)}")
    book: Rulebook = rules
    return Game(book, setup)
