"""The golden games: a whole game of bots for every variant and number of players, and every state of it.

    18CZ-base-3.json       the game, as a save
    18CZ-base-3.txt        what every answer changed: for people, and for the diff of a change of rules
    18CZ-base-3.digests    the digest of every state: for what the lines do not tell
    18CZ-base-4.18xx.json  for one game of each title also the game in the form of 18xx.games

`python3 dev.py golden` brings them up to date.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from ostbahn.interop import saves
from ostbahn.kernel.errors import OstbahnError
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import DEFAULT, SITE, new_game

FOLDER: Final = Path(__file__).resolve().parent
NAMES: Final = ("Anna", "Ben", "Cyril", "Dora", "Emil", "Fanny")


class Golden(NamedTuple):
    """What is played, and by whom; bots that play at random see more of the rules than those who play well."""

    title: str
    variant: str
    bots: str
    seed: int = 1
    preset: str = DEFAULT
    options: Mapping[str, str] = {}
    modules: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return "-".join([self.title, self.variant, str(len(self.bots)), *self.options.values(), *self.modules])

    @property
    def save(self) -> Path:
        return FOLDER / f"{self.name}.json"

    @property
    def story(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    @property
    def digests(self) -> Path:
        return FOLDER / f"{self.name}.digests"

    @property
    def export(self) -> Path | None:
        """Games by the rulings of 18xx.games are kept in its form too."""
        return FOLDER / f"{self.name}.18xx.json" if self.preset == SITE else None

    def begin(self) -> Game:
        return new_game(
            self.title,
            NAMES[: len(self.bots)],
            variant=self.variant,
            seed=self.seed,
            draw_order=self.preset == DEFAULT,  # 18xx.games plays in the order of the file
            preset=self.preset,
            options=self.options,
            modules=self.modules,
        )


GOLDEN: Final = (
    Golden("18CZ", "base", "GGR"),
    Golden("18CZ", "base", "GGGG", preset=SITE),
    Golden("18CZ", "base", "GRGRG"),
    Golden("18CZ", "base", "GGGGGR"),
    Golden("18CZ", "bohemia", "GG"),
    Golden("18CZ", "moravia", "GR"),
    Golden("18CZ", "moravia", "GGG"),
    Golden("18Mag", "base", "GGG"),
    Golden("18Mag", "base", "GGGG", preset=SITE),
    Golden("18Mag", "base", "GRGRG"),
    Golden("18Mag", "base", "GGGGGR"),
    Golden("18Mag", "base", "GRR", seed=3, modules=("new_minors_simple", "new_major", "supporters")),
    Golden("18Mag", "base", "RGRG", modules=("standard_divs", "new_minors_challenge", "new_major", "supporters")),
    Golden("18Mag", "two_player", "GR"),
    Golden("18Mag", "solo", "G", options={"difficulty": "easy", "length": "short"}),
    Golden("18Mag", "solo", "G", options={"difficulty": "medium", "length": "long"}),
    Golden("18Mag", "solo", "R", options={"difficulty": "difficult", "length": "short"}),
)

USUAL: Final = (
    "18CZ-base-3",
    "18CZ-bohemia-2",
    "18CZ-moravia-3",
    "18Mag-base-3",
    "18Mag-base-4-standard_divs-new_minors_challenge-new_major-supporters",
    "18Mag-two_player-2",
    "18Mag-solo-1-medium-long",
)
"""One of every variant, and one with modules: for what would take too long with all of them each time."""


def given_again(golden: Golden) -> tuple[Game, str]:
    """The game with the answers of its save, as far as they are accepted; then why the next one was not."""
    game = golden.begin()
    for entry in saves.parse(golden.save.read_bytes())["actions"]:
        try:
            fields = {name: value for name, value in entry.items() if name != "by"}
            game.apply(saves.decode_action(golden.title, fields), entry["by"])
        except OstbahnError as fault:
            return game, f"action {len(game) + 1} ({entry['do']} by {entry['by']}) is refused: {fault}"
    return game, ""


def digests(game: Game) -> list[str]:
    """Of every state."""
    return [game.position(number).state.digest for number in range(len(game) + 1)]


@cache
def golden_game(name: str) -> Game:
    """A golden game as it lies here."""
    return saves.read(next(golden.save for golden in GOLDEN if golden.name == name))
