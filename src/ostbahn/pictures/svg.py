"""SVG as strings: elements with short, well-formed attributes; text that fits its box, frames, markers and pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from ostbahn.pictures.themes import Mark, Theme, ink_on, mix_colours

Attribute = str | int | float | None
STYLE: Final = "text{font-family:'Source Sans Pro','Segoe UI','Helvetica Neue',Arial,sans-serif}"


def number(value: float) -> str:
    """A number with at most one decimal."""
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def element(name: str, *content: str, **attributes: Attribute) -> str:
    """An element; `class_` becomes `class`, `stroke_width` `stroke-width`; None omits an attribute."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(content)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else number(value)


def text(words: str, x: float, y: float, **attributes: Attribute) -> str:
    return element("text", escape(words), x=x, y=y, **attributes)


def title_tag(words: str) -> str:
    """A `title` element: tooltip and accessible name of its parent."""
    return element("title", escape(words))


def group(content: Iterable[str], **attributes: Attribute) -> str:
    return element("g", *content, **attributes)


def translate(x: float, y: float, scale: float | str = 1) -> str:
    return f"translate({number(x)} {number(y)})" + (f" scale({scale})" if scale != 1 else "")


def point(place: tuple[float, float]) -> str:
    return f"{number(place[0])} {number(place[1])}"


def polyline(places: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(map(point, places))


def circle(
    x: float, y: float, radius: float, fill: str | None, stroke: str | None = None, weight: float = 1, dash: str = ""
) -> str:
    edge: dict[str, Attribute] = {"stroke": stroke, "stroke_width": weight} if stroke else {}
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **edge, stroke_dasharray=dash or None)


def document(
    width: float, height: float, content: Iterable[str], title: str, description: str = "", style: str = ""
) -> str:
    """A complete SVG with accessible title and description."""
    parts = [title_tag(title)]
    if description:
        parts.append(element("desc", escape(description)))
    if style:
        parts.append(element("style", style))
    return element(
        "svg",
        *parts,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
    )


NARROW: Final = frozenset("fijlrtI.,:;'|()[]! ·-")
WIDE: Final = frozenset("mwMW%&@–—→")
EAST_ASIAN: Final = "\u2e80"
"""Letters from here on are square."""
MIN_FONT_SIZE: Final = 7.0


def width_of(words: str, size: float, bold: bool = False) -> float:
    """Estimated width of a line, rather too wide, since fonts differ."""
    units = sum(0.36 if letter in NARROW else 0.88 if letter in WIDE else _letter(letter) for letter in words)
    return units * size * (1.06 if bold else 1.0)


def _letter(letter: str) -> float:
    if letter >= EAST_ASIAN:
        return 1.0
    return 0.66 if letter.isupper() else 0.55


def truncated(words: str, size: float, width: float, bold: bool = False) -> str:
    if width_of(words, size, bold) <= width:
        return words
    while words and width_of(f"{words}…", size, bold) > width:
        words = words[:-1]
    return f"{words.rstrip()}…"


def line(
    words: str,
    x: float,
    y: float,
    size: float,
    colour: str,
    *,
    width: float | None = None,
    anchor: str | None = None,
    bold: bool = False,
) -> str:
    """A line of text, shrunk and then truncated to `width`."""
    if width is not None:
        natural = width_of(words, size, bold)
        if natural > width:
            size = max(MIN_FONT_SIZE, size * width / natural)
            words = truncated(words, size, width + 0.5, bold)
    return text(words, x, y, font_size=size, fill=colour, text_anchor=anchor, font_weight="bold" if bold else None)


def wrapped(words: str, size: float, width: float) -> list[str]:
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class TextBlock(NamedTuple):
    """Drawn lines of text, and the y below them."""

    svg: str
    below: float


def paragraph(words: str, x: float, y: float, size: float, colour: str, width: float) -> TextBlock:
    step = size * 1.3
    lines = wrapped(words, size, width)
    written = "".join(line(part, x, y + step * at, size, colour, width=width) for at, part in enumerate(lines))
    return TextBlock(written, y + step * len(lines))


def muted(theme: Theme) -> str:
    """For small words that stand back behind the others, yet are easily read: between faint and ink."""
    return mix_colours(theme.faint, theme.ink, 0.55)


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    stroke: str | None = None,
    weight: float | None = 1,
    *,
    round: float | None = 5,
    **more: Attribute,
) -> str:
    """A rectangle with rounded corners; `weight` and `round` say how strong its edge is and how round its corners."""
    edge: dict[str, Attribute] = {"stroke": stroke, "stroke_width": weight} if stroke else {}
    return element("rect", x=x, y=y, width=width, height=height, rx=round, fill=fill, **edge, **more)


def banner(x: float, y: float, width: float, height: float, fill: str) -> str:
    """The head of a card: round above, straight below."""
    bow = 6
    foot, right = number(y + height), number(x + width - bow)
    path = f"M{number(x)} {foot}V{number(y + bow)}a{bow} {bow} 0 0 1 {bow} -{bow}H{right}"
    return element("path", d=f"{path}a{bow} {bow} 0 0 1 {bow} {bow}V{foot}Z", fill=fill)


def label_strip(words: str, x: float, y: float, fill: str, width: float = 0, size: float = 10) -> str:
    """A word on a small coloured box."""
    wide = width or width_of(words, size, bold=True) + 8
    return box(x, y, wide, size * 1.5, fill, round=size * 0.4) + line(
        words, x + wide / 2, y + size * 1.1, size, ink_on(fill), width=wide - 4, anchor="middle", bold=True
    )


def company_disc(mark: Mark, x: float, y: float, radius: float, theme: Theme) -> str:
    ring = circle(x, y, radius, mark.colour, theme.ink, 1.2)
    size = radius * (1.0 if len(mark.letters) < 3 else 0.8)
    return ring + line(
        mark.letters, x, y + size * 0.35, size, mark.ink, width=radius * 1.75, anchor="middle", bold=True
    )


def empty_marker_disc(x: float, y: float, radius: float, theme: Theme) -> str:
    return circle(x, y, radius, "none", theme.faint, 1.2, "3 3")


def pill(mark: Mark, name: str, x: float, y: float, width: float, height: float, theme: Theme) -> str:
    """A flat marker on the share chart, legible in a stack."""
    size = height * 0.68
    return box(x, y, width, height, mark.colour, theme.ink, round=height / 3) + line(
        name, x + width / 2, y + height / 2 + size * 0.36, size, mark.ink, width=width - 5, anchor="middle", bold=True
    )


def future_pill(mark: Mark, name: str, x: float, y: float, width: float, height: float, theme: Theme) -> str:
    """A marker's future position: a dashed outline with a dot of its colour."""
    size, inset, dot = height * 0.62, 0.8, height * 0.2
    inner = (x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    frame = box(*inner, "none", muted(theme), 1.1, round=height / 3, stroke_dasharray="3 2.4")
    middle, room = y + height / 2, width - 4 * dot - 4
    spot = circle(x + 2.2 * dot, middle, dot, mark.colour, muted(theme), 0.6)
    written = line(
        name, x + width / 2 + dot, middle + size * 0.36, size, muted(theme), width=room, anchor="middle", bold=True
    )
    return frame + spot + written


def labelled_value(name: str, value: str, x: float, y: float, width: float, theme: Theme, size: float = 17) -> str:
    return line(name, x, y, 10.5, muted(theme), width=width) + line(
        value, x, y + size + 3, size, theme.ink, width=width, bold=True
    )


def text_table(
    rows: Sequence[Sequence[str]], x: float, y: float, widths: Sequence[float], theme: Theme, size: float = 11
) -> TextBlock:
    """A table; the first row is the head."""
    step, parts = size * 1.55, []
    for at, row in enumerate(rows):
        top = y + step * at
        if at % 2:
            parts.append(element("rect", x=x, y=top, width=sum(widths), height=step, fill=theme.land, opacity=0.6))
        left = x
        for cell, width in zip(row, widths, strict=True):
            colour = muted(theme) if at == 0 else theme.ink
            parts.append(line(cell, left + 4, top + size * 1.15, size, colour, width=width - 6, bold=at == 0))
            left += width
    return TextBlock("".join(parts), y + step * len(rows))


def rule(x: float, y: float, width: float, theme: Theme) -> str:
    return element("path", d=f"M{number(x)} {number(y)}h{number(width)}", stroke=theme.border, stroke_width=1)


def page(width: float, height: float, content: Iterable[str], theme: Theme, title: str, description: str = "") -> str:
    """A complete picture on a paper-coloured ground."""
    ground = element("rect", width=width, height=height, fill=theme.paper)
    return document(width, height, [ground, *content], title, description, STYLE)


def heading(words: str, x: float, y: float, theme: Theme, size: float = 20, width: float | None = None) -> str:
    return line(words, x, y, size, theme.ink, bold=True, width=width)
