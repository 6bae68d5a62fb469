"""Limits on requests: sizes of bodies and fields, and texts in UTF-8 without NUL, which PostgreSQL cannot store."""

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

USUAL: Final = 300_000  # bytes of a request; the longest are notes of 20,000 letters
WITH_GAME: Final = 600_000  # bytes of a request with a board or a deck
WITH_SAVE: Final = 6_000_000
"""Bytes of a request with a save: a little more than the largest accepted file, so that the form can refuse it."""
WITH_PASSWORD: Final = 20_000
MOST_FIELDS: Final = 1000
LONGEST_FIELD: Final = 200  # letters of a field that a page shows again
LONGEST_NUMBER: Final = 6  # digits of a number in a form
LARGEST_NUMBER: Final = 2**31 - 1  # the largest number that a column of the database holds
BOUNDS: Final = {"ge": -LARGEST_NUMBER, "le": LARGEST_NUMBER}
PathNumber = Annotated[int, PathParameter(**BOUNDS)]
QueryNumber = Annotated[int, QueryParameter(**BOUNDS)]
OptionalNumber = Annotated[int | None, QueryParameter(**BOUNDS)]
"""Numbers in an address; no route takes one without bounds."""
UTF_8: Final = (None, "utf-8", "utf8")  # accepted charsets of form parts
KEY: Final = re.compile(r"[\w-]{22}(\..*)?", re.ASCII)  # the form of a key; after a dot the id of a planning board
COOKIE: Final = re.compile(rb"\s*([\w-]{1,40})=([\w-]{1,100})\s*")  # the form of our cookies
SURROGATE: Final = re.compile("[\ud800-\udfff]")  # impossible in UTF-8, but not in JSON


async def reject_unreadable_address(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse an address that is not text (a guard). Asynchronous, so that it needs no thread."""
    scope = connection.scope
    _check(unquote_to_bytes(scope.get("raw_path") or b"") + unquote_to_bytes(scope.get("query_string") or b""))


async def form_in(request: Request[Any, Any, Any]) -> FormMultiDict:
    """The form of a request, checked against the limits (a Litestar dependency)."""
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
    """The values of these fields of a form; empty texts for missing ones."""
    return tuple(str(form.get(name) or "") for name in names)


def number_in(form: FormMultiDict, name: str) -> int | None:
    return as_number(str(form.get(name) or "").strip())


def as_number(text: str) -> int | None:
    """A text as a whole number; None if it is not one, or has too many digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def _check_parts(body: bytes, boundary: str) -> None:
    """Refuse form parts in other charsets than UTF-8: Litestar would decode them, which can take hours."""
    try:
        with PushMultipartParser(boundary.encode(), max_segment_count=MOST_FIELDS) as parser:
            for part in parser.parse(body):
                if isinstance(part, MultipartSegment) and (part.charset and part.charset.lower()) not in UTF_8:
                    raise Unreadable("this form is not in UTF-8")
    except MultipartError:
        pass  # Litestar reports it


def own_cookies(headers: Collection[tuple[bytes, bytes]], names: Collection[bytes]) -> list[tuple[bytes, bytes]]:
    """The headers of a request without cookies that are not ours, which may be long and slow to parse."""
    others = [(name, value) for name, value in headers if name != b"cookie"]
    cookies = [cookie for name, value in headers if name == b"cookie" for cookie in value.split(b";")]
    own = [match for cookie in cookies if (match := COOKIE.fullmatch(cookie)) and match[1] in names]
    return [*others, (b"cookie", b"; ".join(b"=".join(match.groups()) for match in own))] if own else others


def check_text(value: object) -> None:
    """Refuse numbers and texts that PostgreSQL cannot store."""
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise Unreadable(f"what was sent contains a number beyond ±{LARGEST_NUMBER:,}")
    if not isinstance(value, str):
        return
    if "\0" in value:
        raise Unreadable("what was sent contains the character NUL, which is part of no text")
    if not value.isascii() and SURROGATE.search(value):
        raise Unreadable("what was sent contains half a character (a lone surrogate), which is part of no text")


def _check(data: bytes) -> None:
    check_text(data.decode())  # a UnicodeDecodeError is answered with 400 too


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
