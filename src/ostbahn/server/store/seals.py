"""Keys as the database keeps them: it finds them by a hash, and can show them again only with a secret that lies in a
file of its own. Whoever gets hold of the database alone can open no seat with it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from pathlib import Path
from typing import Final

from ostbahn.kernel.errors import BadSetup
from ostbahn.storage import replacing

BYTES: Final = 32
SECRET: Final = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}\n?")


def hashed(key: str) -> str:
    """Keys are drawn from 128 bits, so nobody finds one by trying, however quick the hash is."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class Seal:
    """Hides keys from all who do not have the secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def close(self, key: str) -> str:
        return self._covered(hashed(key), key.encode()).hex()

    def open(self, hash_: str, sealed: str) -> str:
        """The key; empty if another secret was used, as after the file was lost."""
        try:
            key = self._covered(hash_, bytes.fromhex(sealed)).decode("ascii", "replace")
        except ValueError:  # somebody has altered it
            return ""
        return key if hashed(key) == hash_ else ""

    def derived(self, purpose: str) -> bytes:
        """64 bytes that only whoever has the secret can work out, others for each purpose."""
        return hmac.digest(self._secret, f"ostbahn: {purpose}".encode(), "sha512")

    def _covered(self, hash_: str, text: bytes) -> bytes:
        """A one-time pad: no two keys have the same hash, so none is used twice. Keys are shorter than it."""
        pad = hmac.digest(self._secret, hash_.encode(), "sha256")
        return bytes(letter ^ cover for letter, cover in zip(text, pad, strict=False))


def read_secret(file: Path) -> bytes | None:
    """What lies in the file; None if there is none yet."""
    try:
        text = file.read_text(encoding="ascii", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise BadSetup(f"{file}, the secret of all links, cannot be read: {fault.strerror}") from None
    if SECRET.fullmatch(text) is None:
        raise BadSetup(
            f"{file} is damaged: it should hold {2 * BYTES} letters and digits. Put a copy of it back, or remove it:"
            " all links go on working, but hosts and lists cannot show them before they are used again"
        )
    return bytes.fromhex(text.strip())


def new_secret() -> bytes:
    return secrets.token_bytes(BYTES)


def write_secret(file: Path, secret: bytes) -> None:
    with replacing(file, mode=0o600) as written:
        written.write(f"{secret.hex()}\n".encode())
