"""What people send, as texts: in UTF-8, without NUL, which not every database keeps, and no longer than is of use."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from typing import Annotated, Any, Final
from urllib.parse import unquote_to_bytes

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import FormMultiDict
from litestar.enums import RequestEncodingType
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from ostbahn.table.access import Unreadable

USUAL: Final = 300_000
"""Bytes of a request. Nothing that is sent at a table needs more than notes of 20,000 letters do."""
WITH_GAME: Final = 600_000  # bytes where a board or a deck may be sent
WITH_SAVE: Final = 6_000_000
"""Bytes where a game may be sent: a little more than the largest file that is taken, so that the form can say so."""
WITH_PASSWORD: Final = 20_000
MOST_FIELDS: Final = 1000
LONGEST_FIELD: Final = 200  # letters of a form that are shown again
LONGEST_NUMBER: Final = 6  # digits of a number in a form
LARGEST_NUMBER: Final = 2**31 - 1  # the largest number that a column of the database holds
BOUNDS: Final = {"ge": -LARGEST_NUMBER, "le": LARGEST_NUMBER}
PathNumber = Annotated[int, PathParameter(**BOUNDS)]
QueryNumber = Annotated[int, QueryParameter(**BOUNDS)]
OptionalNumber = Annotated[int | None, QueryParameter(**BOUNDS)]
"""Numbers in an address; no route takes one without bounds."""
UTF_8: Final = (None, "utf-8", "utf8")  # what parts of a form may say of their letters
KEY: Final = re.compile(r"[\w-]{22}(\..*)?", re.ASCII)  # what can be a key, or that of a planning board
COOKIE: Final = re.compile(rb"\s*([\w-]{1,40})=([\w-]{1,100})\s*")  # all that we put into one


HALF: Final = re.compile("[\ud800-\udfff]")  # no text in UTF-8 has such a letter, but JSON can name it


async def reject_unreadable_address(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse an address that is no text (a guard). Asynchronous so that no request waits for a thread."""
    scope = connection.scope
    _check(unquote_to_bytes(scope.get("raw_path") or b"") + unquote_to_bytes(scope.get("query_string") or b""))


async def form_in(request: Request[Any, Any, Any]) -> FormMultiDict:
    """A Litestar dependency."""
    if request.content_type[0] == RequestEncodingType.URL_ENCODED:
        body = await request.body()
        if len(body) > USUAL or body.count(b"&") >= MOST_FIELDS:
            raise Unreadable("this is more than a form can hold; files are sent as multipart/form-data")
        _check(unquote_to_bytes(body))
    else:
        _check_parts(await request.body(), request.content_type[1].get("boundary", ""))
    form = await request.form()
    for value in form.values():
        check_text(value)
    return form


def fields_in(form: FormMultiDict, *names: str) -> tuple[str, ...]:
    """Texts of a form; empty where nothing was said."""
    return tuple(str(form.get(name) or "") for name in names)


def number_in(form: FormMultiDict, name: str) -> int | None:
    return as_number(str(form.get(name) or "").strip())


def as_number(text: str) -> int | None:
    """The number in a text; None for what is none, or too large to be of use."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def _check_parts(body: bytes, boundary: str) -> None:
    """Refuse parts that are not in UTF-8: Litestar would read them, and some encodings take hours."""
    try:
        with PushMultipartParser(boundary.encode(), max_segment_count=MOST_FIELDS) as parser:
            for part in parser.parse(body):
                if isinstance(part, MultipartSegment) and (part.charset and part.charset.lower()) not in UTF_8:
                    raise Unreadable("this form is not in UTF-8")
    except MultipartError:
        pass  # which Litestar tells


def own_cookies(headers: Collection[tuple[bytes, bytes]], names: Collection[bytes]) -> list[tuple[bytes, bytes]]:
    """The headers of a request, of cookies only ours: others may be long, and take long to read."""
    others = [(name, value) for name, value in headers if name != b"cookie"]
    parts = [part for name, value in headers if name == b"cookie" for part in value.split(b";")]
    own = [cookie for part in parts if (cookie := COOKIE.fullmatch(part)) and cookie[1] in names]
    return [*others, (b"cookie", b"; ".join(b"=".join(cookie.groups()) for cookie in own))] if own else others


def check_text(value: object) -> None:
    """Refuse what not every database can store."""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise Unreadable(f"what was sent contains a number beyond ±{LARGEST_NUMBER:,}")
    if not isinstance(value, str):
        return
    if "\0" in value:
        raise Unreadable("what was sent contains the character NUL, which is part of no text")
    if not value.isascii() and HALF.search(value):
        raise Unreadable("what was sent contains half a character (a lone surrogate), which is part of no text")


def _check(data: bytes) -> None:
    check_text(data.decode())  # where that fails, the answer is 400 as well


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
