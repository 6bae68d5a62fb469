"""Encryption of keys: a copy of the database, without the file with its secret, opens no seat."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from ostbahn.kernel.errors import BadSetup
from ostbahn.storage import atomic_write

BYTES: Final = 32
NONCE: Final = 12  # bytes of the random nonce that stands before each ciphertext
AES_GCM: Final = "gcm1."  # prefix of an encrypted key; those of versions before 0.3 are hexadecimal, without a dot
SECRET: Final = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}\n?")


def hashed(key: str) -> str:
    """The hash of a key; a fast one is safe, since keys have 128 random bits."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


class KeyCipher:
    """Encrypts keys with AES-GCM; the associated data is the key's hash, the primary key of its row."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._cipher = AESGCM(self.derive("encrypted keys")[:BYTES])

    def encrypt(self, key: str) -> str:
        nonce = secrets.token_bytes(NONCE)
        ciphertext = self._cipher.encrypt(nonce, key.encode(), hashed(key).encode())
        return AES_GCM + urlsafe_b64encode(nonce + ciphertext).decode()

    def decrypt(self, hash_: str, encrypted: str) -> str:
        """The key; empty if it was encrypted with another secret, or belongs to another row."""
        try:
            if encrypted.startswith(AES_GCM):
                data = urlsafe_b64decode(encrypted.removeprefix(AES_GCM))
                key = self._cipher.decrypt(data[:NONCE], data[NONCE:], hash_.encode()).decode()
            else:  # of a version before 0.3: XOR with a pad that is derived from its hash
                pad = hmac.digest(self._secret, hash_.encode(), "sha256")
                pairs = zip(bytes.fromhex(encrypted), pad, strict=False)
                key = bytes(byte ^ pad_byte for byte, pad_byte in pairs).decode("ascii", "replace")
        except (ValueError, InvalidTag):  # it was altered
            return ""
        return key if hashed(key) == hash_ else ""

    def is_current(self, hash_: str, encrypted: str) -> bool:
        """Whether a key is encrypted by the present method and secret."""
        return encrypted.startswith(AES_GCM) and self.decrypt(hash_, encrypted) != ""

    def derive(self, purpose: str) -> bytes:
        """64 bytes derived from the secret, different for each purpose."""
        return hmac.digest(self._secret, f"ostbahn: {purpose}".encode(), "sha512")


def read_secret(file: Path) -> bytes | None:
    """The secret in a file; None if there is no file yet."""
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
    with atomic_write(file, mode=0o600) as written:
        written.write(f"{secret.hex()}\n".encode())
