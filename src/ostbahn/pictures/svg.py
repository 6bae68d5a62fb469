"""Writing SVG: elements as strings, with names and numbers written so that they are always well-formed and short."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

Attribute = str | int | float | None


def number(value: float) -> str:
    """A coordinate with at most one decimal, without a trailing zero."""
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def element(name: str, *content: str, **attributes: Attribute) -> str:
    """An element; `class_` and `stroke_width` become `class` and `stroke-width`, None leaves an attribute out."""
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
    """A line of text, escaped."""
    return element("text", escape(words), x=x, y=y, **attributes)


def titled(words: str) -> str:
    """The text that is shown or read aloud for the element in which it stands."""
    return element("title", escape(words))


def group(content: Iterable[str], **attributes: Attribute) -> str:
    return element("g", *content, **attributes)


def document(
    width: float, height: float, content: Iterable[str], title: str, description: str = "", style: str = ""
) -> str:
    """A whole picture, with a title and a description for those who do not see it."""
    parts = [titled(title)]
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
