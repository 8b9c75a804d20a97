"""What a data folder keeps about itself: its root secret and the name of its node."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path


def kept_text(path: Path, fresh: str) -> str:
    """The text in `path`, which only its owner can read; `fresh` is written where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        file.write(fresh + "\n")
    return fresh


def new_secret() -> str:
    return secrets.token_hex(32)


def new_node_id() -> str:
    return f"node-{secrets.token_hex(6)}"


def derived(secret: str, purpose: str) -> bytes:
    """A secret for one purpose, from which neither the root nor another can be told."""
    return hmac.digest(secret.encode(), purpose.encode(), hashlib.sha256)
