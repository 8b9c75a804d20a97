"""Passwords: strength check, and scrypt hashes stored with their parameters."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from base64 import b64decode, b64encode
from collections.abc import Sequence

from docstead.base.errors import InvalidRequest

MIN_LENGTH = 10
_MAX_LENGTH = 1024
COST = 2**15  # uses 32 MiB, as recommended by OWASP
_BLOCK_SIZE, _PARALLELISM = 8, 3
_MAX_MEMORY = 64 * 1024 * 1024
_SALT_BYTES = 16
_slots = threading.BoundedSemaphore(4)  # bounds the memory of hashes that are computed at once


_ESTIMATED_LENGTH = 72  # characters; more do not change the estimate
_LEAST_SCORE = 3  # of 4: "safely unguessable" in zxcvbn


def check_strength(password: str, about: Sequence[str] = ()) -> None:
    """Reject a password that is easy to guess, also with the words `about` its owner.

    Raises:
        InvalidRequest: it is too short, or the estimated number of guesses is too low.
    """
    from zxcvbn import zxcvbn  # its dictionaries take 16 MB, which most processes do not need

    _check_length(password)
    estimate = zxcvbn(password[:_ESTIMATED_LENGTH], user_inputs=["docstead", *about])
    if estimate["score"] < _LEAST_SCORE:
        reason = estimate["feedback"]["warning"] or "It is easy to guess."
        raise InvalidRequest(f"password: {reason} Use several words that do not belong together.")


def password_hash(password: str, cost: int = COST) -> str:
    """Return the hash of a password.

    Raises:
        InvalidRequest: it is too short or too long.
    """
    _check_length(password)
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = _digest(password, salt, cost, _BLOCK_SIZE, _PARALLELISM)
    numbers = f"{cost}${_BLOCK_SIZE}${_PARALLELISM}"
    return f"scrypt${numbers}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def matches(password: str, stored: str | None, cost: int = COST) -> bool:
    """Report whether a password matches, in constant time even without a stored hash."""
    if stored is None:
        _digest(password, b"\0" * _SALT_BYTES, cost, _BLOCK_SIZE, _PARALLELISM)
        return False
    _, *numbers, salt, digest = stored.split("$")
    given = _digest(password, b64decode(salt), *map(int, numbers))
    return hmac.compare_digest(given, b64decode(digest))


def _check_length(password: str) -> None:
    if not MIN_LENGTH <= len(password) <= _MAX_LENGTH:
        raise InvalidRequest(f"password: must have {MIN_LENGTH} to {_MAX_LENGTH} characters")


def _digest(password: str, salt: bytes, cost: int, block_size: int, parallelism: int) -> bytes:
    with _slots:
        return hashlib.scrypt(
            password[:_MAX_LENGTH].encode(errors="replace"),
            salt=salt,
            n=cost,
            r=block_size,
            p=parallelism,
            maxmem=_MAX_MEMORY,
        )
