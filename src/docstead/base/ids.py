"""Unguessable identifiers; those visible to users have a typed prefix."""

from __future__ import annotations

import secrets
import time

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id(prefix: str) -> str:
    """Return `prefix_` and 16 hexadecimal digits, such as `se_0f…` for exports."""
    return f"{prefix}_{secrets.token_hex(8)}"


def new_ulid() -> str:
    """Return a ULID: 48 bits of milliseconds, 80 random bits, 26 Crockford base32 characters."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))
