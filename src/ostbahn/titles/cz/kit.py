"""What 18CZ hands over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ostbahn.kernel.game import Game, Setup
from ostbahn.kits.kit import Entry, Kit, TitleRulebook

if TYPE_CHECKING:
    from ostbahn.analysis.runs import Running
    from ostbahn.bots.policies import Policy
    from ostbahn.interop.site import Site
    from ostbahn.pictures.look import Look
    from ostbahn.programmed.preparing import Preparing
    from ostbahn.terminal.screen import Display
    from ostbahn.text.speech import Face
    from ostbahn.views.title_views import TitleViews


class CzKit(Kit):
    name = "18CZ"
    entries = (
        Entry(
            "18CZ", "base", "18CZ", (3, 4, 5, 6), "The railway comes to the Czech lands; six players as an experiment."
        ),
        Entry(
            "18CZ",
            "bohemia",
            "18CZ Bohemia",
            (2,),
            "The west of the map for two players, and for Vaclav, whom nobody plays.",
            seatless="Vaclav has no seat: nobody plays him.",
        ),
        Entry(
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
    )

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

    @property
    def actions(self) -> Any:
        from ostbahn.titles.cz.actions import CzAction

        return CzAction

    @property
    def running(self) -> Running:
        from ostbahn.titles.cz.running import RUNNING

        return RUNNING

    def face(self, game: Game) -> Face:
        from ostbahn.titles.cz.words.face import CzFace

        return CzFace(game)

    @property
    def policy(self) -> Policy:
        from ostbahn.titles.cz.opponents.policy import POLICY

        return POLICY

    @property
    def preparing(self) -> Preparing:
        from ostbahn.titles.cz.preparing import CzPreparing

        return CzPreparing()

    @property
    def look(self) -> Look[Any, Any]:
        from ostbahn.titles.cz.pictures import LOOK

        return LOOK

    def views(self, game: Game) -> TitleViews:
        from ostbahn.titles.cz.views.views import CzViews

        return CzViews(game)

    def display(self, game: Game) -> Display:
        from ostbahn.titles.cz.views.terminal import CzDisplay

        return CzDisplay(game)

    @property
    def site(self) -> Site:
        from ostbahn.titles.cz.importing.site import SITE

        return SITE


KIT: Final = CzKit()
