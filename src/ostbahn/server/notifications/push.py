"""Push messages for browsers: encrypted for the one browser that may read them, and signed by this house (VAPID).

The libraries for it are large and come with the extra `service`: they are loaded when somebody wants such messages.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ostbahn.server.notifications.safe_http import LONGEST, NotSent, Outside, read_address
from ostbahn.table.access import Unreadable

ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve: a private key is a number below it."""
KEPT: Final = 24 * 60 * 60
"""Seconds for which the browser's server keeps a message for a browser that is asleep."""
SIGNED: Final = 12 * 60 * 60
"""Seconds for which a signature holds."""
TAKEN: Final = range(200, 300)
GONE: Final = (404, 410)
"""By which the browser's server says that nobody listens there any more."""
LONGEST_KEY: Final = 200


class PushKeys(Struct, frozen=True):
    """What a browser hands over so that only it can read."""

    p256dh: str
    auth: str


class Subscription(Struct, frozen=True):
    """As the browser's `PushSubscription` tells it."""

    endpoint: str
    keys: PushKeys


class Signer:
    """The key by which browsers know that messages come from this house."""

    def __init__(self, seed: bytes, contact: str) -> None:
        """seed: 48 bytes from the secret of the house, so there is no further file to keep, copy or lose."""
        self._number = int.from_bytes(seed, "big") % (ORDER - 1) + 1
        self._contact = contact

    @cached_property
    def _vapid(self) -> Any:
        from cryptography.hazmat.primitives.asymmetric import ec
        from py_vapid import Vapid02

        return Vapid02(ec.derive_private_key(self._number, ec.SECP256R1()))

    @cached_property
    def public(self) -> str:
        """For browsers: it stands in the page. Empty where the libraries are missing."""
        if not is_possible():
            return ""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).decode().rstrip("=")

    def headers(self, endpoint: str, now: int) -> dict[str, str]:
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": self._contact, "exp": now + SIGNED}
        signed: dict[str, str] = self._vapid.sign(claims)
        return signed


def is_possible() -> bool:
    """Whether the libraries are there."""
    return find_spec("pywebpush") is not None


def checked(subscription: Subscription) -> Subscription:
    """Whether it can be written to at all: whatever a browser sends, a stranger could send."""
    if not is_possible():
        raise Unreadable("no push messages are sent from here: whoever runs this server has not set that up")
    read_address(subscription.endpoint)
    keys = subscription.keys
    if max(len(subscription.endpoint) - LONGEST, len(keys.p256dh) - LONGEST_KEY, len(keys.auth) - LONGEST_KEY) > 0:
        raise Unreadable("this is no subscription of a browser")
    try:
        _encoded(subscription, b"{}")
    except Exception:  # the libraries raise what they like over keys that are none
        raise Unreadable("this is no subscription of a browser: its keys cannot be used") from None
    return subscription


def _encoded(subscription: Subscription, data: bytes) -> bytes:
    from pywebpush import WebPusher

    told: Mapping[str, Any] = msgspec.to_builtins(subscription)
    body: bytes = WebPusher(dict(told)).encode(data, content_encoding="aes128gcm")["body"]
    return body


def send(outside: Outside, signer: Signer, subscription: Subscription, message: Mapping[str, str], now: int) -> None:
    body = _encoded(subscription, msgspec.json.encode(message))
    headers = {
        **signer.headers(subscription.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "high",
    }
    status = outside.post(subscription.endpoint, body, headers)
    if status in GONE:
        raise NotSent("this browser takes no messages any more", f"status {status}", for_good=True)
    if status not in TAKEN:
        raise NotSent(f"the server of this browser answered {status}", f"status {status}")
