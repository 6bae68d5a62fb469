"""Pictures for notebooks, shown by `_repr_svg_` and saved to files."""

from __future__ import annotations

from collections.abc import Iterable

from ostbahn.kernel.errors import BadSetup
from ostbahn.kernel.game import Game
from ostbahn.pictures import export, gallery
from ostbahn.pictures.board import DrawnRoute, draw_board
from ostbahn.pictures.board_style import full_name, scene_of
from ostbahn.storage import StrPath

__all__ = [
    "Picture",
    "aid",
    "board",
    "chart",
    "charter",
    "hex",
    "process",
    "show",
    "tile",
    "tiles",
    "trains",
    "upgrades",
]


class Picture:
    """An SVG; a notebook finds `_repr_svg_` and shows it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture {export.picture_title(self.svg)!r}>"

    def png(self, scale: float = export.SCALE) -> bytes:
        return export.to_png(self.svg, scale)

    def pdf(self, paper: str = export.FIT) -> bytes:
        return export.to_pdf(self.svg, paper)

    def save(self, path: StrPath, *, paper: str = export.FIT, scale: float = export.SCALE) -> None:
        export.write(path, self.svg, paper=paper, scale=scale)


def show(game: Game, what: str = "board", theme: str = "light") -> Picture:
    """A gallery picture: `board`, `chart`, `charter:COMPANY`, `tile:57/2` and so on."""
    return Picture(gallery.draw(game, what, theme))


def board(
    game: Game, theme: str = "light", *, routes: Iterable[DrawnRoute] = (), highlights: Iterable[str] = ()
) -> Picture:
    """The board with routes and highlighted hexes."""
    hexes, known = list(highlights), game.table.title.map
    if unknown := [hex_id for hex_id in hexes if hex_id not in known]:
        raise BadSetup(f"there is no hex {unknown[0]} on this board; highlights are a list such as ['E11']")
    name = f"Board of {full_name(game.table.title)}"
    return Picture(draw_board(scene_of(game), gallery.theme_named(theme), routes, hexes, name))


def hex(game: Game, hex_id: str, theme: str = "light") -> Picture:
    return show(game, f"hex:{hex_id}", theme)


def chart(game: Game, theme: str = "light") -> Picture:
    return show(game, "chart", theme)


def process(game: Game, theme: str = "light") -> Picture:
    return show(game, "process", theme)


def charter(game: Game, company: str, theme: str = "light") -> Picture:
    return show(game, f"charter:{company}", theme)


def trains(game: Game, theme: str = "light") -> Picture:
    return show(game, "trains", theme)


def upgrades(game: Game, theme: str = "light") -> Picture:
    return show(game, "upgrades", theme)


def tiles(game: Game, theme: str = "light") -> Picture:
    """The tiles that are left."""
    return show(game, "tiles", theme)


def tile(game: Game, name: str, rotation: int = 0, theme: str = "light") -> Picture:
    return show(game, f"tile:{name}/{rotation}", theme)


def aid(game: Game, theme: str = "light") -> Picture:
    return show(game, "aid", theme)
