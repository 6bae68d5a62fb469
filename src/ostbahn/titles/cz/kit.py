"""The kit of 18CZ: its catalogue entries, rulebooks and parts."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.kit import PlainKit
from ostbahn.kernel.game import Setup
from ostbahn.kits.kit import CatalogueEntry, TitleRulebook


class CzKit(PlainKit):
    def rulebook(self, setup: Setup) -> TitleRulebook:
        match setup.variant:
            case "bohemia":
                from ostbahn.titles.cz.bohemia import BohemiaRulebook

                return BohemiaRulebook()
            case "moravia":
                from ostbahn.titles.cz.moravia import MoraviaRulebook

                return MoraviaRulebook(len(setup.players), setup.board)
            case _:
                from ostbahn.titles.cz.rulebook import CzRulebook

                return CzRulebook()


KIT: Final = CzKit(
    CatalogueEntry(
        "18CZ", "base", "18CZ", (3, 4, 5, 6), "The railway comes to the Czech lands; six players as an experiment."
    ),
    CatalogueEntry(
        "18CZ",
        "bohemia",
        "18CZ Bohemia",
        (2,),
        "The west of the map for two players, and for Vaclav, whom nobody plays.",
        seatless="Vaclav has no seat: nobody plays him.",
    ),
    CatalogueEntry(
        "18CZ",
        "moravia",
        "18CZ Moravia-Silesia",
        (2, 3),
        "The east of the map with large companies only, and private papers sold by auction.",
        "The board is a reconstruction, as the printed one was not at hand: where it ends in the west, the homes of"
        " Sx and By, the choice of Local Railways and all minimum bids are guesses. A better one can be read from a"
        " file.",
        own_board=True,
    ),
    actions="ostbahn.titles.cz.actions:CzAction",
    running="ostbahn.titles.cz.running:RUNNING",
    text_renderer="ostbahn.titles.cz.words.text_renderer:CzTextRenderer",
    policy="ostbahn.titles.cz.opponents.policy:POLICY",
    programmable="ostbahn.titles.cz.programmable:CzProgrammableMoves",
    board_style="ostbahn.titles.cz.pictures:BOARD_STYLE",
    views="ostbahn.titles.cz.views.views:CzViews",
    terminal_renderer="ostbahn.titles.cz.views.terminal:CzTerminalRenderer",
    site_adapter="ostbahn.titles.cz.interop.site_adapter:SITE_ADAPTER",
)
