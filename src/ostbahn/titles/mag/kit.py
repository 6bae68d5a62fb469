"""What 18Mag hands over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import Choice, Entry, Kit, TitleRulebook

if TYPE_CHECKING:
    from ostbahn.bots.policies import Policy
    from ostbahn.interop.sites import Site
    from ostbahn.telling.faces import Face
    from ostbahn.terminal.displays import Display


class MagKit(Kit):
    name = "18Mag"
    entries = (
        Entry("18Mag", "base", (3, 4, 5, 6), "Hungarian railways: minors run and build, majors live on what they buy."),
        Entry("18Mag", "two_player", (2,), "Today's Hungary for two, with seven minors and four majors."),
        Entry(
            "18Mag",
            "solo",
            (1,),
            "Alone against István, who plays by his cards.",
            "István's cards are a reconstruction: of 28 printed ones only two were at hand, the red card of minor 2 and"
            " the share card A. Better ones can be read from a file.",
            own_deck=True,
            options={
                "difficulty": Choice(("medium", "easy", "difficult"), "Which of István's cards are dealt."),
                "length": Choice(("short", "long"), "Two or three minors for each side."),
            },
        ),
    )

    def rulebook(self, setup: Setup) -> TitleRulebook:
        match setup.variant:
            case "two_player":
                from ostbahn.titles.mag.two_player import TwoPlayerRulebook

                return TwoPlayerRulebook()
            case "solo":
                from ostbahn.titles.mag.solo import SoloRulebook

                return SoloRulebook(setup.options, setup.deck, setup.rulings.get("istvan_cards", "second"))
            case _:
                from ostbahn.titles.mag.rulebook import MagRulebook

                return MagRulebook()

    @property
    def actions(self) -> Any:
        from ostbahn.titles.mag.actions import MagAction

        return MagAction

    def face(self, game: Game) -> Face:
        from ostbahn.titles.mag.words.face import MagFace

        return MagFace(game)

    @property
    def policy(self) -> Policy:
        from ostbahn.titles.mag.opponents.play import POLICY

        return POLICY

    def display(self, game: Game) -> Display:
        from ostbahn.titles.mag.terminal.display import MagDisplay

        return MagDisplay(game)

    @property
    def site(self) -> Site:
        from ostbahn.titles.mag.importing.site import SITE

        return SITE


KIT: Final = MagKit()
