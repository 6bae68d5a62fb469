"""The kit of 18Mag: its entries and the parts that shared code loads."""

from __future__ import annotations

from typing import Final

from ostbahn.eighteen.kit import PlainKit
from ostbahn.kernel.game import Setup
from ostbahn.kits.kit import CatalogueEntry, Module, OptionChoice, TitleRulebook

MODULES: Final = {
    "standard_divs": Module("Standard dividends", (3, 4, 5, 6), "A major pays out everything it has, or nothing."),
    "new_minors_challenge": Module(
        "Challenging new minors",
        (3, 4, 5, 6),
        "Minors 14, 15 and 16 join, and everybody takes more minors.",
        excludes=("new_minors_simple",),
    ),
    "new_minors_simple": Module(
        "Simple new minors",
        (3, 4, 5, 6),
        "Minors 14, 15 and 16 join, and three of the sixteen are taken out by lot.",
        excludes=("new_minors_challenge",),
    ),
    "new_major": Module(
        "New major", (3, 4, 5, 6), "CIWL earns from trains that run from one red area to another, and so do they."
    ),
    "supporters": Module(
        "Supporters", (3, 4, 5, 6), "Six cards are drafted, each of which helps one minor in every operating round."
    ),
}
"""Modules of the base game."""


class MagKit(PlainKit):
    def rulebook(self, setup: Setup) -> TitleRulebook:
        if setup.modules:
            from ostbahn.titles.mag.modules.expanded import ExpandedRulebook

            return ExpandedRulebook(setup.variant, setup.modules)
        if setup.variant == "solo":
            from ostbahn.titles.mag.solo import SoloRulebook

            return SoloRulebook(setup.options, setup.deck, setup.rulings.get("istvan_cards", "second"))
        from ostbahn.titles.mag.rulebook import MagRulebook

        if setup.variant == "two_player":
            from ostbahn.titles.mag.two_player import two_player_title

            return MagRulebook(two_player_title())
        return MagRulebook()


KIT: Final = MagKit(
    CatalogueEntry(
        "18Mag",
        "base",
        "18Mag",
        (3, 4, 5, 6),
        "Hungarian railways: minors run and build, majors live on what they buy.",
        modules=MODULES,
    ),
    CatalogueEntry(
        "18Mag",
        "two_player",
        "18Mag for two",
        (2,),
        "Today's Hungary for two, with seven minors and four majors.",
        modules={"standard_divs": MODULES["standard_divs"]._replace(players=(2,))},
    ),
    CatalogueEntry(
        "18Mag",
        "solo",
        "18Mag solo",
        (1,),
        "Alone against István, who plays by his cards.",
        "István's cards are a reconstruction: of 28 printed ones only two were at hand, the red card of minor 2 and"
        " the share card A. Better ones can be read from a file.",
        own_deck=True,
        seatless="István has no seat: the rules play him.",
        options={
            "difficulty": OptionChoice(("medium", "easy", "difficult"), "Which of István's cards are dealt."),
            "length": OptionChoice(("short", "long"), "Two or three minors for each side."),
        },
    ),
    actions="ostbahn.titles.mag.actions:MagAction",
    running="ostbahn.titles.mag.running:RUNNING",
    text_renderer="ostbahn.titles.mag.words.text_renderer:MagTextRenderer",
    policy="ostbahn.titles.mag.opponents.policy:POLICY",
    programmable="ostbahn.titles.mag.programmable:MagProgrammableMoves",
    board_style="ostbahn.titles.mag.pictures:BOARD_STYLE",
    views="ostbahn.titles.mag.views.views:MagViews",
    terminal_renderer="ostbahn.titles.mag.views.terminal:MagTerminalRenderer",
    site_adapter="ostbahn.titles.mag.interop.site_adapter:SITE_ADAPTER",
)
