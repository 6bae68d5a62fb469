"""What 18CZ hands over."""

from __future__ import annotations

from typing import Any, Final

from ostbahn.kernel.game import Setup
from ostbahn.kits.kit import Entry, Kit, TitleRulebook


class CzKit(Kit):
    name = "18CZ"
    entries = (
        Entry("18CZ", "base", (3, 4, 5, 6), "The railway comes to the Czech lands; six players as an experiment."),
        Entry("18CZ", "bohemia", (2,), "The west of the map for two players, and for Vaclav, whom nobody plays."),
        Entry(
            "18CZ",
            "moravia",
            (2, 3),
            "The east of the map with large companies only, and private papers sold by auction.",
            "The board is a reconstruction, as the printed one was not at hand: where it ends in the west, the homes of"
            " Sx and By, the choice of Local Railways and all minimum bids are guesses. A better one can be read from a"
            " file.",
            own_board=True,
        ),
    )

    def rulebook(self, setup: Setup) -> TitleRulebook:
        from ostbahn.titles.cz.bohemia import BohemiaRulebook
        from ostbahn.titles.cz.moravia import MoraviaRulebook
        from ostbahn.titles.cz.rulebook import CzRulebook

        match setup.variant:
            case "bohemia":
                return BohemiaRulebook()
            case "moravia":
                return MoraviaRulebook(len(setup.players), setup.board)
            case _:
                return CzRulebook()

    @property
    def actions(self) -> Any:
        from ostbahn.titles.cz.actions import CzAction

        return CzAction


KIT: Final = CzKit()
