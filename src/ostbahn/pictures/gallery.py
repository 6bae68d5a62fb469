"""Everything that can be drawn of a game, by name: `board`, `charter:BCB`, `tile:57/2`.

What a name stands for is imported when it is drawn, so that nobody waits for what he does not want to see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.pictures.views import name_of, title_of
from ostbahn.titles.mag.title import MagTitle

Draw = Callable[[Game, str, Theme], str]
"""A game, what was said after the colon, and the theme."""


class Subject(NamedTuple):
    """Something that can be drawn."""

    draw: Draw
    about: str
    detail: str = ""
    """What is said after the colon, as it is told to people; in brackets if it can be left out."""
    paper: str = "a4"
    """What it is printed on if nothing is said."""

    @property
    def needs_detail(self) -> bool:
        return bool(self.detail) and not self.detail.startswith("[")


def theme_named(name: str | Theme) -> Theme:
    if isinstance(name, Theme):
        return name
    if name not in THEMES:
        raise BadSetup(f"there is no theme {name}; there are {', '.join(THEMES)}")
    return THEMES[name]


def draw(
    game: Game, what: str = "board", theme: str | Theme = "light", subjects: Mapping[str, Subject] | None = None
) -> str:
    """A picture of a game as SVG; `what` is a name from the gallery, with a detail after a colon."""
    subject, detail = find(what, subjects or SUBJECTS)
    only = ONLY.get(what.partition(":")[0], game.setup.title)
    if only != game.setup.title:
        raise BadSetup(f"{what} belongs to {only} only")
    return subject.draw(game, detail, theme_named(theme))


def find(what: str, subjects: Mapping[str, Subject]) -> tuple[Subject, str]:
    """What a name stands for, and what was said after its colon."""
    name, colon, detail = what.partition(":")
    subject = subjects.get(name)
    if subject is None:
        known = ", ".join(f"{key}:{each.detail}" if each.needs_detail else key for key, each in subjects.items())
        raise BadSetup(f"there is no picture {name!r}; there are {known}")
    if colon and not subject.detail:
        raise BadSetup(f"{name} is drawn as a whole, so nothing follows it")
    if subject.needs_detail and not detail:
        raise BadSetup(f"which {name}? Say {name}:{subject.detail}")
    return subject, detail


# What is drawn, and by whom


def _board(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.board import draw_board
    from ostbahn.pictures.marks import scene_of

    return draw_board(scene_of(game), theme, name=f"Board of {name_of(title_of(game))}")


def _chart(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.charts import chart_picture

    return chart_picture(game, theme)


def _process(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.process import process_picture

    return process_picture(game, theme)


def _charter(game: Game, company: str, theme: Theme) -> str:
    from ostbahn.pictures.charters import charter_picture

    title = title_of(game)
    known = [*title.companies, *(title.minors if isinstance(title, MagTitle) else ())]
    return charter_picture(game, _one_of(company, known), theme)


def _one_of(name: str, known: Iterable[str]) -> str:
    """A company however its name is written: `bcb` is BCB."""
    found = {company.casefold(): company for company in known}
    if name.casefold() not in found:
        raise BadSetup(f"there is no company {name}; there are {', '.join(known)}")
    return found[name.casefold()]


def _trains(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.cards import trains_picture

    return trains_picture(game, theme)


def _upgrades(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.upgrades import upgrades_picture

    return upgrades_picture(title_of(game), theme)


def _tiles(game: Game, which: str, theme: Theme) -> str:
    if which not in ("", "all"):
        raise BadSetup(
            f"tiles are those that are left, or all in every rotation: tiles or tiles:all, not tiles:{which}"
        )
    if which:
        from ostbahn.pictures.sheets import contact_sheet

        return contact_sheet(title_of(game), theme)
    from ostbahn.pictures.manifest import manifest_picture

    return manifest_picture(game, theme)


def _tile(game: Game, which: str, theme: Theme) -> str:
    from ostbahn.pictures.sheets import tile_picture

    name, _, rotation = which.partition("/")
    if rotation and not (rotation.isascii() and rotation.isdecimal()):
        raise BadSetup(f"a tile has the rotations 0 to 5, not {rotation}")
    return tile_picture(title_of(game), name, int(rotation or 0), theme)


def _hex(game: Game, hex_id: str, theme: Theme) -> str:
    from ostbahn.pictures.marks import scene_of
    from ostbahn.pictures.sheets import hex_picture

    return hex_picture(scene_of(game), hex_id, theme)


def _certificates(game: Game, company: str, theme: Theme) -> str:
    from ostbahn.pictures.cards import certificates_picture

    return certificates_picture(game, _one_of(company, title_of(game).companies), theme)


def _locals(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.cards import locals_picture

    return locals_picture(game, theme)


def _services(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.cards import services_picture

    title = title_of(game)
    assert isinstance(title, MagTitle)
    return services_picture(title, theme)


def _aid(game: Game, _: str, theme: Theme) -> str:
    from ostbahn.pictures.aids import player_aid

    return player_aid(title_of(game), theme)


SUBJECTS: Final[Mapping[str, Subject]] = {
    "board": Subject(_board, "the board as it lies", paper="a3"),
    "hex": Subject(_hex, "one hex of it", "E11", paper="fit"),
    "chart": Subject(_chart, "the share chart"),
    "process": Subject(_process, "the game-process track"),
    "charter": Subject(_charter, "what a company has", "BCB"),
    "certificates": Subject(_certificates, "its certificates, and who holds them", "BCB"),
    "locals": Subject(_locals, "the Local Railways of 18CZ"),
    "services": Subject(_services, "what majors of 18Mag sell"),
    "trains": Subject(_trains, "the train cards, and what they scrap"),
    "upgrades": Subject(_upgrades, "which tile is promoted to which", paper="a3"),
    "tiles": Subject(_tiles, "the tiles that are left, or all in every rotation", "[all]", paper="a3"),
    "tile": Subject(_tile, "one tile at a rotation", "57/2", paper="fit"),
    "aid": Subject(_aid, "a player aid"),
}
ONLY: Final = {"locals": "18CZ", "services": "18Mag"}
"""What only one title has."""
