"""Forms as they arrive: small, URL-encoded, and from our own pages only."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request

from docstead.base.errors import InvalidRequest, PayloadTooLarge
from docstead.base.units import KIB

CSRF_FIELD = "csrf"
CONFIRMED = "confirmed"
_MAX_BYTES = 64 * KIB
_MAX_FIELDS = 200
_TOKEN_BYTES = hashlib.sha256().digest_size
_SIGNATURE_BYTES = 8


class Form:
    """The fields of a form. A field that was not sent is empty."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        """The first value, without spaces around it."""
        return next(iter(self._fields.get(name, ())), "").strip()

    def secret(self, name: str) -> str:
        """The first value exactly as it was typed."""
        return next(iter(self._fields.get(name, ())), "")

    @property
    def is_confirmed(self) -> bool:
        """Whether it comes from the page that asks first."""
        return self.text(CONFIRMED) == "yes"

    def items(self) -> list[tuple[str, str]]:
        """Names and values as they were sent, without the token."""
        sent = self._fields.items()
        return [(name, value) for name, all_ in sent if name != CSRF_FIELD for value in all_]

    def all(self, name: str) -> list[str]:
        return list(self._fields.get(name, ()))


async def read_form(request: Request) -> Form:
    """The form in the body of this request; empty where there is none.

    Raises:
        InvalidRequest: it is no form. PayloadTooLarge: it has more than 64 KiB.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BYTES:
            raise PayloadTooLarge("the form is too large")
    try:
        fields = parse_qs(
            bytes(body).decode(),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError as error:
        raise InvalidRequest("the form is malformed") from error
    if any("\0" in value for values in fields.values() for value in values):
        raise InvalidRequest("the form is malformed")
    return Form(fields)


def csrf_token(cookie_secret: str) -> str:
    """Return a token for forms of our pages; only a client with the cookie's value can make it.

    It differs in each response, because pages are compressed (BREACH).
    """
    mask = secrets.token_bytes(_TOKEN_BYTES)
    return (mask + _masked(_token(cookie_secret), mask)).hex()


def is_csrf_token(given: str, cookie_secret: str) -> bool:
    try:
        found = bytes.fromhex(given)
    except ValueError:
        return False
    token = _masked(found[_TOKEN_BYTES:], found[:_TOKEN_BYTES])
    return hmac.compare_digest(token, _token(cookie_secret))


def signed(text: str, cookie_secret: str) -> str:
    """A text for a link, which only a page of ours in this browser can have made."""
    return f"{text}.{_token(cookie_secret, text)[:_SIGNATURE_BYTES].hex()}"


def verified(given: str, cookie_secret: str) -> str | None:
    """The text of a `signed` one; None for any other."""
    text, _, _ = given.rpartition(".")
    is_ours = hmac.compare_digest(given.encode(), signed(text, cookie_secret).encode())
    return text if is_ours else None


def _token(cookie_secret: str, text: str = "") -> bytes:
    return hmac.digest(cookie_secret.encode(), f"docstead form{text}".encode(), hashlib.sha256)


def _masked(token: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(token, mask, strict=False))
