"""All titles and variants, and how a game of one is begun."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Rulebook, Setup
from ostbahn.titles.cz.actions import CzAction
from ostbahn.titles.cz.bohemia import BohemiaRulebook
from ostbahn.titles.cz.moravia import MoraviaRulebook
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.data import Ruling
from ostbahn.titles.mag.actions import MagAction
from ostbahn.titles.mag.rulebook import MagRulebook
from ostbahn.titles.mag.solo import SoloRulebook
from ostbahn.titles.mag.two_player import TwoPlayerRulebook

SITE: Final = "18xx.games"
"""The preset of rulings under which games of that site are replayed."""
DEFAULT: Final = "rulebook"
PRESETS: Final = (DEFAULT, SITE)


class Choice(NamedTuple):
    """Something that has to be chosen in a variant."""

    values: tuple[str, ...]
    """The first one is taken if nothing is said."""
    about: str


class Entry(NamedTuple):
    """A way to play: title and variant."""

    title: str
    variant: str
    players: tuple[int, ...]
    about: str
    note: str = ""
    """What people should know before they begin."""
    own_board: bool = False
    """Whether it can be played on a board from a file."""
    own_deck: bool = False
    """Whether it can be played with cards from a file."""
    options: Mapping[str, Choice] = {}


ACTIONS: Final[Mapping[str, Any]] = {"18CZ": CzAction, "18Mag": MagAction}
"""By title, everything that can be answered in it."""

CATALOGUE: Final = (
    Entry("18CZ", "base", (3, 4, 5, 6), "The railway comes to the Czech lands; six players as an experiment."),
    Entry("18CZ", "bohemia", (2,), "The west of the map for two players, and for Vaclav, whom nobody plays."),
    Entry(
        "18CZ",
        "moravia",
        (2, 3),
        "The east of the map with large companies only, and private papers sold by auction.",
        "The board is a reconstruction, as the printed one was not at hand: where it ends in the west, the homes of Sx"
        " and By, the choice of Local Railways and all minimum bids are guesses. A better one can be read from a file.",
        own_board=True,
    ),
    Entry("18Mag", "base", (3, 4, 5, 6), "Hungarian railways: minors run and build, majors live on what they buy."),
    Entry("18Mag", "two_player", (2,), "Today's Hungary for two, with seven minors and four majors."),
    Entry(
        "18Mag",
        "solo",
        (1,),
        "Alone against István, who plays by his cards.",
        "István's cards are a reconstruction: of 28 printed ones only two were at hand, the red card of minor 2 and the"
        " share card A. Better ones can be read from a file.",
        own_deck=True,
        options={
            "difficulty": Choice(("medium", "easy", "difficult"), "Which of István's cards are dealt."),
            "length": Choice(("short", "long"), "Two or three minors for each side."),
        },
    ),
)

AnyRulebook = CzRulebook | MagRulebook

RULEBOOKS: Final[Mapping[tuple[str, str], Callable[[Setup], AnyRulebook]]] = {
    ("18CZ", "base"): lambda setup: CzRulebook(),
    ("18CZ", "bohemia"): lambda setup: BohemiaRulebook(),
    ("18CZ", "moravia"): lambda setup: MoraviaRulebook(len(setup.players), setup.board),
    ("18Mag", "base"): lambda setup: MagRulebook(),
    ("18Mag", "two_player"): lambda setup: TwoPlayerRulebook(),
    ("18Mag", "solo"): lambda setup: SoloRulebook(setup.options, setup.deck),
}


def entry_of(title: str, variant: str) -> Entry:
    for entry in CATALOGUE:
        if (entry.title, entry.variant) == (title, variant):
            return entry
    known = ", ".join(f"{entry.title} ({entry.variant})" for entry in CATALOGUE)
    raise BadSetup(f"there is no {title} ({variant}); known are {known}")


def rulebook(title: str, variant: str = "base", players: int = 3) -> AnyRulebook:
    """The rules of a title; some depend on how many play."""
    return rulebook_for(Setup(title=title, variant=variant, players=("?",) * players))


def rulebook_for(setup: Setup) -> AnyRulebook:
    """The rules of a game, with what was chosen for it."""
    entry = entry_of(setup.title, setup.variant)
    if setup.board is not None and not entry.own_board:
        raise BadSetup(f"{entry.title} ({entry.variant}) has its printed board; a board file is for those that do not")
    if setup.deck is not None and not entry.own_deck:
        raise BadSetup(f"{entry.title} ({entry.variant}) has no cards that could come from a file")
    for name, value in setup.options.items():
        if name not in entry.options:
            known = ", ".join(entry.options) or "none"
            raise BadSetup(f"{entry.title} ({entry.variant}) has no option {name}; known are {known}")
        if value not in entry.options[name].values:
            raise BadSetup(f"option {name} is one of {', '.join(entry.options[name].values)}, not {value!r}")
    return RULEBOOKS[setup.title, setup.variant](setup)


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
    board: str | None = None,
    deck: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Game:
    """Begin a game."""
    chosen = {name: choice.values[0] for name, choice in entry_of(title, variant).options.items()} | dict(options or {})
    setup = Setup(
        title=title,
        variant=variant,
        players=tuple(players),
        seed=seed,
        draw_order=draw_order,
        board=board,
        deck=deck,
        options=chosen,
    )
    rules = rulebook_for(setup).title.rulings
    return begin(msgspec.structs.replace(setup, rulings=rulings_of(rules, preset, rulings)))


def completed(setup: Setup) -> Setup:
    """A stored set-up, perhaps older than some ruling: what it does not name was played as `before` says there."""
    rules = rulebook_for(setup).title.rulings
    unsaid = {name: ruling.before or ruling.default for name, ruling in rules.items()}
    return msgspec.structs.replace(setup, rulings={**unsaid, **setup.rulings})


def begin(setup: Setup) -> Game:
    """Begin a game as set up; the set-up is checked as far as it was not made by us."""
    check_names(setup.players)
    rules = rulebook_for(setup)
    complete = rulings_of(rules.title.rulings, DEFAULT, setup.rulings)
    if complete != dict(setup.rulings):
        missing = sorted(set(complete) - set(setup.rulings))
        raise BadSetup(f"the set-up says nothing about the rulings {', '.join(missing)}")
    book: Rulebook = rules
    return Game(book, setup)
