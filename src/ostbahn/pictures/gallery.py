"""Everything that can be drawn of a game, by name: `board`, `charter:COMPANY`, `tile:57/2`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import every_kit, kit_of
from ostbahn.pictures.aids import legend_picture, player_aid
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import Subject, full_name, scene_of
from ostbahn.pictures.cards import certificates_picture, charter_picture, trains_picture
from ostbahn.pictures.charts import chart_picture
from ostbahn.pictures.sheets import contact_sheet, hex_picture, manifest_picture, tile_picture
from ostbahn.pictures.themes import THEMES, Theme
from ostbahn.pictures.upgrades import upgrades_picture


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
    every = all_subjects()
    subject, detail = find(what, subjects or every)
    name = what.partition(":")[0]
    if name in every and name not in subjects_of(game):
        owners = [title for title, subjects in _own_subjects().items() if name in subjects]
        raise BadSetup(f"{what} belongs to {' and '.join(owners)} only")
    return subject.draw(game, detail, theme_named(theme))


def all_subjects() -> Mapping[str, Subject]:
    """What can be drawn of every game, and what only one title has."""
    own = _own_subjects().values()
    return {**SUBJECTS, **{name: subject for subjects in own for name, subject in subjects.items()}}


def _own_subjects() -> dict[str, Mapping[str, Subject]]:
    return every_kit(lambda kit: kit.board_style.subjects)


def subjects_of(game: Game) -> Mapping[str, Subject]:
    return {**SUBJECTS, **kit_of(game).board_style.subjects}


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


def _one_of(name: str, known: Iterable[str]) -> str:
    """A company however its name is written, in small letters or capitals."""
    company = next((company for company in known if company.casefold() == name.casefold()), None)
    if company is None:
        raise BadSetup(f"there is no company {name}; there are {', '.join(known)}")
    return company


def _tiles(game: Game, which: str, theme: Theme) -> str:
    if which not in ("", "all"):
        raise BadSetup(
            f"tiles are those that are left, or all in every rotation: tiles or tiles:all, not tiles:{which}"
        )
    return contact_sheet(game.table.title, theme) if which else manifest_picture(game, theme)


def _tile(game: Game, which: str, theme: Theme) -> str:
    name, _, rotation = which.partition("/")
    if rotation and not (rotation.isascii() and rotation.isdecimal()):
        raise BadSetup(f"a tile has the rotations 0 to 5, not {rotation}")
    return tile_picture(game.table.title, name, int(rotation or 0), theme)


SUBJECTS: Final[Mapping[str, Subject]] = {
    "board": Subject(
        lambda game, _, theme: draw_board(scene_of(game), theme, name=f"Board of {full_name(game.table.title)}"),
        "the board as it lies",
        paper="a3",
    ),
    "hex": Subject(
        lambda game, hex_id, theme: hex_picture(scene_of(game), hex_id, theme), "one hex of it", "E11", paper="fit"
    ),
    "chart": Subject(lambda game, _, theme: chart_picture(game, theme), "the share chart"),
    "process": Subject(
        lambda game, _, theme: kit_of(game).board_style.process(game.table, theme), "the game-process track"
    ),
    "charter": Subject(
        lambda game, name, theme: charter_picture(game, _one_of(name, game.table.title.charters), theme),
        "what a company has",
        "COMPANY",
    ),
    "certificates": Subject(
        lambda game, name, theme: certificates_picture(game, _one_of(name, game.table.title.companies), theme),
        "its certificates, and who holds them",
        "COMPANY",
    ),
    "trains": Subject(lambda game, _, theme: trains_picture(game, theme), "the train cards, and what they scrap"),
    "legend": Subject(lambda game, _, theme: legend_picture(game.table.title, theme), "what the signs on the map mean"),
    "upgrades": Subject(
        lambda game, _, theme: upgrades_picture(game.table.title, theme), "which tile is promoted to which", paper="a3"
    ),
    "tiles": Subject(_tiles, "the tiles that are left, or all in every rotation", "[all]", paper="a3"),
    "tile": Subject(_tile, "one tile at a rotation", "57/2", paper="fit"),
    "aid": Subject(lambda game, _, theme: player_aid(game.table.title, theme), "a player aid"),
}
