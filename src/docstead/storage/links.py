"""Signed links to objects that the service itself serves, under `/_files/`.

A link is valid until it expires, for its object, method and file name only; any change, an unknown
key id or an expired link is Forbidden, as with S3. The newest key signs. Links of older keys stay
valid until they expire or their key is deleted.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from docstead.base.clock import Clock
from docstead.base.errors import Forbidden

PATH_PREFIX = "/_files/"
MAX_TTL_SECONDS = 7 * 24 * 3600  # like S3's signatures


@dataclass(frozen=True)
class SignedLink:
    """URL that needs no key."""

    url: str
    expires_at: datetime


class LinkSigner:
    """Creates and verifies `/_files/{key}?exp=&kid=&sig=`.

    `keys` returns the current signing keys by id, newest first.
    """

    def __init__(self, keys: Callable[[], Mapping[str, bytes]], clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def now(self) -> datetime:
        """Return the current time of the signer's clock."""
        return self._clock.now()

    def sign(
        self, key: str, expires_at: datetime, filename: str | None = None, method: str = "GET"
    ) -> str:
        """Return path and query of a link; `filename` is the name of the download."""
        expiry = str(int(expires_at.timestamp()))
        key_id, secret = next(iter(self._keys().items()))
        query = {"exp": expiry, "kid": key_id}
        if filename is not None:
            query["filename"] = filename
        query["sig"] = _signature(secret, method, key, expiry, filename)
        return f"{PATH_PREFIX}{quote(key)}?{urlencode(query)}"

    def verify(
        self,
        key: str,
        *,
        exp: str,
        kid: str,
        sig: str,
        filename: str | None = None,
        method: str = "GET",
    ) -> None:
        """Verify the parts of a link. HEAD may use a link for GET, because it reveals no more.

        Raises:
            Forbidden: the link has expired or its signature is invalid.
        """
        signed_method = "GET" if method == "HEAD" else method
        secret = self._keys().get(kid)
        expected = _signature(secret or b"\0" * 32, signed_method, key, exp, filename)
        same = hmac.compare_digest(expected.encode(), sig.encode(errors="replace"))
        if secret is None or not same:
            raise Forbidden("this link is not valid")
        if self._clock.now().timestamp() >= int(exp):
            raise Forbidden("this link has expired")


def _signature(secret: bytes, method: str, key: str, expiry: str, filename: str | None) -> str:
    # JSON separates the parts, so that different links never sign the same bytes.
    message = json.dumps([method, key, expiry, filename]).encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()
