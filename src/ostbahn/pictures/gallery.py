"""All pictures of a game by name: `board`, `charter:COMPANY`, `tile:57/2`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.kits.catalogue import kit_of, part_of_every_kit
from ostbahn.pictures.aids import legend_picture, player_aid
from ostbahn.pictures.board import draw_board
from ostbahn.pictures.board_style import PictureKind, full_name, scene_of
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
    game: Game, what: str = "board", theme: str | Theme = "light", kinds: Mapping[str, PictureKind] | None = None
) -> str:
    """Draw a picture by its gallery name, with an optional detail after a colon."""
    every = all_picture_kinds()
    kind, detail = find_picture_kind(what, kinds or every)
    name = what.partition(":")[0]
    if name in every and name not in picture_kinds_of(game):
        owners = [title for title, own_kinds in _title_picture_kinds().items() if name in own_kinds]
        raise BadSetup(f"{what} belongs to {' and '.join(owners)} only")
    return kind.draw(game, detail, theme_named(theme))


def all_picture_kinds() -> Mapping[str, PictureKind]:
    """Pictures of every game, and those that only one title has."""
    own = _title_picture_kinds().values()
    return {**PICTURE_KINDS, **{name: kind for kinds in own for name, kind in kinds.items()}}


def _title_picture_kinds() -> dict[str, Mapping[str, PictureKind]]:
    return part_of_every_kit(lambda kit: kit.board_style.picture_kinds)


def picture_kinds_of(game: Game) -> Mapping[str, PictureKind]:
    return {**PICTURE_KINDS, **kit_of(game).board_style.picture_kinds}


def find_picture_kind(what: str, kinds: Mapping[str, PictureKind]) -> tuple[PictureKind, str]:
    """Split `what` at its colon: the kind of picture, and the detail after the colon."""
    name, colon, detail = what.partition(":")
    kind = kinds.get(name)
    if kind is None:
        known = ", ".join(f"{key}:{other.detail}" if other.needs_detail else key for key, other in kinds.items())
        raise BadSetup(f"there is no picture {name!r}; there are {known}")
    if colon and not kind.detail:
        raise BadSetup(f"{name} is drawn as a whole, so nothing follows it")
    if kind.needs_detail and not detail:
        raise BadSetup(f"which {name}? Say {name}:{kind.detail}")
    return kind, detail


def _one_of(name: str, known: Iterable[str]) -> str:
    """A company by its name, case-insensitively."""
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


PICTURE_KINDS: Final[Mapping[str, PictureKind]] = {
    "board": PictureKind(
        lambda game, _, theme: draw_board(scene_of(game), theme, name=f"Board of {full_name(game.table.title)}"),
        "the board as it lies",
        paper="a3",
    ),
    "hex": PictureKind(
        lambda game, hex_id, theme: hex_picture(scene_of(game), hex_id, theme), "one hex of it", "E11", paper="fit"
    ),
    "chart": PictureKind(lambda game, _, theme: chart_picture(game, theme), "the share chart"),
    "process": PictureKind(
        lambda game, _, theme: kit_of(game).board_style.process(game.table, theme), "the game-process track"
    ),
    "charter": PictureKind(
        lambda game, name, theme: charter_picture(game, _one_of(name, game.table.title.charters), theme),
        "what a company has",
        "COMPANY",
    ),
    "certificates": PictureKind(
        lambda game, name, theme: certificates_picture(game, _one_of(name, game.table.title.companies), theme),
        "its certificates, and who holds them",
        "COMPANY",
    ),
    "trains": PictureKind(lambda game, _, theme: trains_picture(game, theme), "the train cards, and what they scrap"),
    "legend": PictureKind(
        lambda game, _, theme: legend_picture(game.table.title, theme), "what the signs on the map mean"
    ),
    "upgrades": PictureKind(
        lambda game, _, theme: upgrades_picture(game.table.title, theme), "which tile is promoted to which", paper="a3"
    ),
    "tiles": PictureKind(_tiles, "the tiles that are left, or all in every rotation", "[all]", paper="a3"),
    "tile": PictureKind(_tile, "one tile at a rotation", "57/2", paper="fit"),
    "aid": PictureKind(lambda game, _, theme: player_aid(game.table.title, theme), "a player aid"),
}
