"""All titles and variants, and how a game of one is begun."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game, Rulebook, Setup
from ostbahn.titles.cz.actions import CzAction
from ostbahn.titles.cz.bohemia import BohemiaRulebook
from ostbahn.titles.cz.moravia import MoraviaRulebook
from ostbahn.titles.cz.rulebook import CzRulebook
from ostbahn.titles.data import Ruling
from ostbahn.titles.mag.actions import MagAction
from ostbahn.titles.mag.rulebook import MagRulebook
from ostbahn.titles.mag.two_player import TwoPlayerRulebook

SITE: Final = "18xx.games"
"""The preset of rulings under which games of that site are replayed."""
DEFAULT: Final = "rulebook"
PRESETS: Final = (DEFAULT, SITE)


class Entry:
    """A way to play: title and variant."""

    def __init__(
        self, title: str, variant: str, players: tuple[int, ...], about: str, note: str = "", own_board: bool = False
    ) -> None:
        self.title = title
        self.variant = variant
        self.players = players
        self.about = about
        self.note = note
        """What people should know before they begin."""
        self.own_board = own_board
        """Whether it can be played on a board from a file."""


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
        " and By, the choice of Local Railways and all minimum bids are guesses. --board FILE takes a better one.",
        own_board=True,
    ),
    Entry("18Mag", "base", (3, 4, 5, 6), "Hungarian railways: minors run and build, majors live on what they buy."),
    Entry("18Mag", "two_player", (2,), "Today's Hungary for two, with seven minors and four majors."),
)

AnyRulebook = CzRulebook | MagRulebook

RULEBOOKS: Final[Mapping[tuple[str, str], Callable[[int, str | None], AnyRulebook]]] = {
    ("18CZ", "base"): lambda players, board: CzRulebook(),
    ("18CZ", "bohemia"): lambda players, board: BohemiaRulebook(),
    ("18CZ", "moravia"): MoraviaRulebook,
    ("18Mag", "base"): lambda players, board: MagRulebook(),
    ("18Mag", "two_player"): lambda players, board: TwoPlayerRulebook(),
}


def entry_of(title: str, variant: str) -> Entry:
    for entry in CATALOGUE:
        if (entry.title, entry.variant) == (title, variant):
            return entry
    known = ", ".join(f"{entry.title} ({entry.variant})" for entry in CATALOGUE)
    raise BadSetup(f"there is no {title} ({variant}); known are {known}")


def rulebook(title: str, variant: str = "base", players: int = 3, board: str | None = None) -> AnyRulebook:
    """The rules of a title; some depend on how many play, or on a board of one's own."""
    if board is not None and not entry_of(title, variant).own_board:
        raise BadSetup(f"{title} ({variant}) has its printed board; a board file is for those that do not")
    entry_of(title, variant)
    return RULEBOOKS[title, variant](players, board)


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
) -> Game:
    """Begin a game."""
    rules = rulebook(title, variant, len(players), board)
    setup = Setup(
        title=title,
        variant=variant,
        players=tuple(players),
        seed=seed,
        draw_order=draw_order,
        rulings=rulings_of(rules.title.rulings, preset, rulings),
        board=board,
    )
    return begin(setup)


def begin(setup: Setup) -> Game:
    """Begin a game as set up; the set-up is checked as far as it was not made by us."""
    check_names(setup.players)
    rules = rulebook(setup.title, setup.variant, len(setup.players), setup.board)
    complete = rulings_of(rules.title.rulings, DEFAULT, setup.rulings)
    if complete != dict(setup.rulings):
        missing = sorted(set(complete) - set(setup.rulings))
        raise BadSetup(f"the set-up says nothing about the rulings {', '.join(missing)}")
    book: Rulebook = rules
    return Game(book, setup)
