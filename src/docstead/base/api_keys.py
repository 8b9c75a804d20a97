"""Format of API keys: typed prefix, 32 random base62 characters, CRC-32 checksum.

    svc_<32 random><6 checksum>        admin key, secret, per organization
    svc_dsc_<32 random><6 checksum>    assistant key, public, per deployment

The checksum covers everything before it, so mistyped keys are rejected without a lookup. The admin
prefix is a prefix of the assistant prefix: the longest match wins.
"""

from __future__ import annotations

import hashlib
import secrets
import string
import zlib
from enum import StrEnum

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_RANDOM_LENGTH = 32
_CHECKSUM_LENGTH = 6


class KeyKind(StrEnum):
    """Kind of an API key."""

    ADMIN = "admin"  #: Secret, server-side; works on all deployments of its organization.
    ASSISTANT = "assistant"  #: Public; works on one deployment.

    @property
    def prefix(self) -> str:
        return _PREFIXES[self]


_PREFIXES = {KeyKind.ADMIN: "svc_", KeyKind.ASSISTANT: "svc_dsc_"}


def new_key(kind: KeyKind) -> str:
    """Return a new key of this kind."""
    body = kind.prefix + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_LENGTH))
    return body + _checksum(body)


def derived_key(kind: KeyKind, seed: bytes) -> str:
    """Derive a key of this kind from a secret seed of at least 32 bytes."""
    number = int.from_bytes(hashlib.sha512(seed).digest(), "big")
    encoded = ""
    for _ in range(_RANDOM_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        encoded += _ALPHABET[rest]
    body = kind.prefix + encoded
    return body + _checksum(body)


def kind_of(key: str) -> KeyKind | None:
    """Return the kind of a well-formed key, or None if prefix, length or checksum is wrong."""
    kind = next((k for k in (KeyKind.ASSISTANT, KeyKind.ADMIN) if key.startswith(k.prefix)), None)
    if kind is None or len(key) != len(kind.prefix) + _RANDOM_LENGTH + _CHECKSUM_LENGTH:
        return None
    body, checksum = key[:-_CHECKSUM_LENGTH], key[-_CHECKSUM_LENGTH:]
    return kind if checksum == _checksum(body) else None


def _checksum(body: str) -> str:
    value = zlib.crc32(body.encode())
    digits = ""
    for _ in range(_CHECKSUM_LENGTH):
        value, rest = divmod(value, len(_ALPHABET))
        digits = _ALPHABET[rest] + digits
    return digits
